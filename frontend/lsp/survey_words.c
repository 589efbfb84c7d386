/* survey_words -- what a survey says about names: declarations, comments, places in the library.
 * See surveyor.h. */
#include "interface.h"
#include "surveyor.h"
#include "unit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

/* ---- signatures ---- */

static const char *mode_word(FormalMode mode) {
    switch (mode) {
    case FORMAL_REFERENCE: return "";
    case FORMAL_VAL: return "VAL ";
    case FORMAL_RESULT: return "RESULT ";
    case FORMAL_INITIAL: return "INITIAL ";
    }
    return "";
}

/* "INT x", "CHAN BYTE out!" */
static const char *object_words(Arena *arena, const Type *type, const Text *name,
                                Direction direction) {
    bool is_end = type && type_is_channel(type);
    return arena_format(arena, "%s %s%s", type ? type_name(arena, type) : "?", name->bytes,
                        is_end ? direction_mark(direction) : "");
}

const char *formal_signature(Surveyor *surveyor, const Node *formal) {
    if (formal->kind != NODE_FORMAL) {
        return "?";
    }
    const Node *def = formal->formal.def;
    const Type *type = def->type ? def->type : formal->formal.type_expr->type;
    return arena_format(surveyor->arena, "%s%s", mode_word(formal->formal.mode),
                        object_words(surveyor->arena, type, def->def.name, def->def.direction));
}

static const char *formals_words(Surveyor *surveyor, const NodeList *formals) {
    StringBuilder words = {.arena = surveyor->arena};
    string_append_format(&words, "(");
    for (size_t i = 0; i < formals->count; i++) {
        string_append_format(&words, "%s%s", i ? ", " : "",
                             formal_signature(surveyor, formals->items[i]));
    }
    string_append_format(&words, ")");
    return words.bytes;
}

static const char *routine_words(Surveyor *surveyor, const Symbol *symbol) {
    Arena *arena = surveyor->arena;
    const Node *node = symbol->definition;
    if (node && node->kind == NODE_PROC) {
        return arena_format(arena, "PROC %s %s", symbol->name->bytes,
                            formals_words(surveyor, &node->proc.formals));
    }
    if (node && node->kind == NODE_FUNCTION) {
        return arena_format(arena, "%s FUNCTION %s %s",
                            symbol->type ? type_name(arena, symbol->type) : "?",
                            symbol->name->bytes, formals_words(surveyor, &node->function.formals));
    }
    return arena_format(arena, "%s %s", symbol->type ? "FUNCTION" : "PROC", symbol->name->bytes);
}

static const char *value_words(Surveyor *surveyor, const Symbol *symbol) {
    Arena *arena = surveyor->arena;
    const char *words = object_words(arena, symbol->type, symbol->name, DIRECTION_NONE);
    const Constant *constant = symbol->constant;
    const char *value = "";
    if (constant && type_is_real(constant->type)) {
        value = arena_format(arena, " IS %g", constant->real);
    } else if (constant && type_is_integer(constant->type)) {
        value = arena_format(arena, " IS %" PRId64, constant->integer);
    } else if (constant && type_base(constant->type)->kind == TYPE_BOOL) {
        value = constant->integer ? " IS TRUE" : " IS FALSE";
    }
    return arena_format(arena, "VAL %s%s", words, value);
}

static const char *tag_signature(Arena *arena, const TypeTag *tag) {
    StringBuilder words = {.arena = arena};
    string_append(&words, tag->name->bytes, tag->name->length);
    for (size_t i = 0; i < tag->item_count; i++) {
        string_append_format(&words, "; %s", type_name(arena, tag->items[i]));
    }
    return words.bytes;
}

static const char *protocol_words(Surveyor *surveyor, const Symbol *symbol) {
    Arena *arena = surveyor->arena;
    const Type *type = symbol->type;
    StringBuilder words = {.arena = arena};
    string_append_format(&words, "PROTOCOL %s", symbol->name->bytes);
    if (type && type->kind == TYPE_VARIANT) {
        string_append_format(&words, "\n  CASE");
        for (size_t i = 0; i < type->variant.tag_count; i++) {
            string_append_format(&words, "\n    %s", tag_signature(arena, &type->variant.tags[i]));
        }
    } else if (type && type->kind == TYPE_SEQUENCE) {
        for (size_t i = 0; i < type->sequence.item_count; i++) {
            string_append_format(&words, "%s%s", i ? "; " : " IS ",
                                 type_name(arena, type->sequence.items[i]));
        }
    }
    return words.bytes;
}

static const char *type_words(Surveyor *surveyor, const Symbol *symbol, const char *title) {
    Arena *arena = surveyor->arena;
    const Type *type = symbol->type;
    StringBuilder words = {.arena = arena};
    string_append_format(&words, "%s %s", title, symbol->name->bytes);
    if (type && (type->kind == TYPE_RECORD || type->kind == TYPE_BUNDLE)) {
        string_append_format(&words, "\n  RECORD");
        for (size_t i = 0; i < type->record.field_count; i++) {
            const TypeField *field = &type->record.fields[i];
            string_append_format(&words, "\n    %s:",
                                 object_words(arena, field->type, field->name, field->direction));
        }
    } else if (type && type->kind == TYPE_NAMED) {
        string_append_format(&words, " IS %s", type_name(arena, type->underlying));
    }
    return words.bytes;
}

const char *symbol_signature(Surveyor *surveyor, const Symbol *symbol) {
    Arena *arena = surveyor->arena;
    if (!symbol->name) {
        return "";
    }
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
        return arena_format(arena, "%s%s", symbol->is_initial ? "INITIAL " : "",
                            object_words(arena, symbol->type, symbol->name, symbol->direction));
    case SYMBOL_REFERENCE:
        return object_words(arena, symbol->type, symbol->name, symbol->direction);
    case SYMBOL_FORMAL:
        return arena_format(arena, "%s%s", mode_word(symbol->formal_mode),
                            object_words(arena, symbol->type, symbol->name, symbol->direction));
    case SYMBOL_VALUE: return value_words(surveyor, symbol);
    case SYMBOL_REPLICATOR: return arena_format(arena, "VAL INT %s", symbol->name->bytes);
    case SYMBOL_PROC:
    case SYMBOL_FUNCTION:
    case SYMBOL_PREDEFINED: return routine_words(surveyor, symbol);
    case SYMBOL_PROTOCOL: return protocol_words(surveyor, symbol);
    case SYMBOL_DATA_TYPE: return type_words(surveyor, symbol, "DATA TYPE");
    case SYMBOL_CHAN_TYPE: return type_words(surveyor, symbol, "CHAN TYPE");
    case SYMBOL_PROC_TYPE: return type_words(surveyor, symbol, "PROC TYPE");
    }
    return "";
}

/* ---- comments ---- */

/* The words of a line that is a comment and no mark of a fold; NULL: it is none. */
static const char *comment_words(const char *text, size_t length, size_t *count) {
    size_t start = 0;
    while (start < length && text[start] == ' ') {
        start++;
    }
    if (length - start < 2 || strncmp(text + start, "--", 2) != 0) {
        return NULL;
    }
    start += 2;
    if (length - start >= 3 &&
        (strncmp(text + start, "{{{", 3) == 0 || strncmp(text + start, "}}}", 3) == 0)) {
        return NULL;
    }
    start += start < length && text[start] == '*';
    start += start < length && text[start] == ' ';
    *count = length - start;
    return text + start;
}

/* --* begins what is said about the definition below; what stands above that is about others. */
static bool is_doc_comment(const char *text, size_t length) {
    const char *dashes = memchr(text, '-', length);
    return dashes && dashes + 2 < text + length && dashes[2] == '*';
}

static int indent_of(const SourceMap *sources, uint32_t file, uint32_t line) {
    size_t length = 0;
    const char *text = source_line(sources, file, line, &length);
    int indent = 0;
    while ((size_t)indent < length && text[indent] == ' ') {
        indent++;
    }
    return indent;
}

const char *comment_above(Surveyor *surveyor, uint32_t file, uint32_t line) {
    const SourceMap *sources = surveyor->compiler->sources;
    size_t length = 0;
    uint32_t first = line;
    uint32_t doc = 0;
    int indent = indent_of(sources, file, line);
    while (first > 1 && indent_of(sources, file, first - 1) == indent) {
        const char *text = source_line(sources, file, first - 1, &length);
        size_t count = 0;
        if (!comment_words(text, length, &count)) {
            break;
        }
        first--;
        doc = is_doc_comment(text, length) ? first : doc;
    }
    first = doc ? doc : first;
    StringBuilder words = {.arena = surveyor->arena};
    for (uint32_t at = first; at < line; at++) {
        size_t count = 0;
        const char *text = source_line(sources, file, at, &length);
        const char *start = comment_words(text, length, &count);
        string_append(&words, start, count);
        string_append(&words, "\n", 1);
    }
    return words.bytes;
}

/* ---- the library ---- */

/* The text that an interface was made from, read now; NULL: it is not there. */
static const SourceFile *unit_text(Surveyor *surveyor, const UsedUnit *unit) {
    SourceMap *sources = surveyor->compiler->sources;
    if (!unit || !unit->object || !unit->interface || unit->interface->sources.count == 0) {
        return NULL;
    }
    const char *source = unit->interface->sources.items[0].path;
    const char *path = path_beside(surveyor->arena, unit->object, path_name(source));
    for (uint32_t i = 1; i <= source_file_count(sources); i++) {
        const SourceFile *file = source_file(sources, i);
        if (strcmp(file->path, path) == 0) {
            return file;
        }
    }
    return source_open(sources, path, (Location){0});
}

/* Does a line at the margin define the name? Byte before which it stands; 0: it does not. */
static size_t defines(const char *text, size_t length, const Text *name) {
    if (length == 0 || !isupper((unsigned char)text[0])) {
        return 0;
    }
    for (size_t i = 1; i + name->length <= length; i++) {
        bool is_there = text[i - 1] == ' ' && memcmp(text + i, name->bytes, name->length) == 0;
        size_t end = i + name->length;
        unsigned char next = end < length ? (unsigned char)text[end] : ' ';
        if (is_there && !isalnum(next) && next != '.' && next != '_') {
            return i;
        }
    }
    return 0;
}

Location library_place(Surveyor *surveyor, const Symbol *symbol) {
    const SourceMap *sources = surveyor->compiler->sources;
    const SourceFile *interface = source_file(sources, symbol->at.file);
    const SourceFile *file = unit_text(surveyor, interface->unit);
    for (uint32_t line = 1; file && line <= file->line_count; line++) {
        size_t length = 0;
        const char *text = source_line(sources, file->number, line, &length);
        uint32_t column = (uint32_t)defines(text, length, symbol->name) + 1;
        if (column > 1) {
            return (Location){file->number, line, column, line, column + symbol->name->length};
        }
    }
    return symbol->at;
}
