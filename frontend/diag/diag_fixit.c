/* diag_fixit -- fix-its as lines that editors and scripts apply; see diag_print.h. */
#include "diag_print.h"

/* Print a string in double quotes, with clang's escapes. */
static void print_quoted(FILE *stream, const char *text) {
    fputc('"', stream);
    for (const char *at = text; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        if (byte == '\\' || byte == '"') {
            fprintf(stream, "\\%c", byte);
        } else if (byte == '\n') {
            fputs("\\n", stream);
        } else if (byte == '\t') {
            fputs("\\t", stream);
        } else if (byte < 32 || byte >= 127) {
            fprintf(stream, "\\%03o", byte);
        } else {
            fputc(byte, stream);
        }
    }
    fputc('"', stream);
}

/* A column in bytes: locations count characters. */
static uint32_t byte_column(const SourceMap *sources, uint32_t file, uint32_t line,
                            uint32_t column) {
    size_t length = 0;
    const char *bytes = source_line(sources, file, line, &length);
    uint32_t character = 0;
    for (size_t i = 0; i < length; i++) {
        bool begins = ((unsigned char)bytes[i] & 0xC0) != 0x80;
        character += begins;
        if (begins && character == column) {
            return (uint32_t)i + 1;
        }
    }
    return (uint32_t)length + (column > character ? column - character : 1);
}

void diag_print_fixits(const DiagRecord *record, const SourceMap *sources, FILE *stream) {
    for (size_t i = 0; i < record->fixits.count; i++) {
        const DiagFixit *fixit = &record->fixits.items[i];
        Location at = fixit->where;
        const SourceFile *file = source_file(sources, at.file);
        fputs("fix-it:", stream);
        print_quoted(stream, file ? file->path : "<built in>");
        fprintf(stream, ":{%u:%u-%u:%u}:", at.line,
                byte_column(sources, at.file, at.line, at.column), at.end_line,
                byte_column(sources, at.file, at.end_line, at.end_column));
        print_quoted(stream, fixit->replacement);
        fputc('\n', stream);
    }
}
