/* diag_json -- see the header; SARIF is in diag_sarif.c. */
#include "diag_json.h"

#include <string.h>

/* ---- strings ---- */

/* Length of the UTF-8 sequence at `at`; 0 when it is none. */
static size_t sequence_length(const unsigned char *at) {
    size_t length = at[0] < 0x80 ? 1 : at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : 0;
    length = at[0] >= 0xE0 && at[0] < 0xF0 ? 3 : at[0] >= 0xF0 && at[0] < 0xF5 ? 4 : length;
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return length;
}

json_t *json_words(const char *text) {
    json_t *plain = json_string(text);
    if (plain) {
        return plain;
    }
    Arena *arena = arena_create();
    size_t length = strlen(text);
    char *mended = arena_allocate(arena, length * 3 + 1);
    size_t count = 0;
    for (size_t i = 0; i < length;) {
        size_t step = sequence_length((const unsigned char *)text + i);
        memcpy(mended + count, step ? text + i : "\xEF\xBF\xBD", step ? step : 3);
        count += step ? step : 3;
        i += step ? step : 1;
    }
    mended[count] = '\0';
    json_t *words = json_string(mended);
    arena_destroy(arena);
    return words ? words : json_string("?"); /* an overlong form or a surrogate */
}

/* ---- values ---- */

static json_t *location_value(Location at, const SourceMap *sources) {
    const SourceFile *file = source_file(sources, at.file);
    bool has_end = at.end_line >= at.line;
    json_t *value = json_object();
    json_object_set_new(value, "file", json_words(file ? file->path : "<built in>"));
    json_object_set_new(value, "line", json_integer(at.line));
    json_object_set_new(value, "column", json_integer(at.column));
    json_object_set_new(value, "endLine", json_integer(has_end ? at.end_line : at.line));
    json_object_set_new(value, "endColumn", json_integer(has_end ? at.end_column : at.column));
    return value;
}

/* {"location": .., key: words}; no location when it is not known. */
static json_t *placed_words(Location at, const SourceMap *sources, const char *key,
                            const char *words) {
    json_t *value = json_object();
    if (location_is_known(at)) {
        json_object_set_new(value, "location", location_value(at, sources));
    }
    json_object_set_new(value, key, json_words(words));
    return value;
}

json_t *json_record(const DiagRecord *record, const SourceMap *sources) {
    json_t *value = json_object();
    json_object_set_new(value, "id", json_words(record->name));
    json_object_set_new(value, "severity", json_words(record->severity));
    json_object_set_new(value, "message", json_words(record->message));
    if (location_is_known(record->where)) {
        json_object_set_new(value, "location", location_value(record->where, sources));
    }
    json_t *labels = json_array();
    for (size_t i = 0; i < record->marks.count; i++) {
        const DiagMark *mark = &record->marks.items[i];
        if (mark->words[0]) {
            json_array_append_new(labels,
                                  placed_words(mark->where, sources, "message", mark->words));
        }
    }
    json_object_set_new(value, "labels", labels);
    json_t *notes = json_array();
    json_t *help = json_array();
    for (size_t i = 0; i < record->lines.count; i++) {
        const DiagLine *line = &record->lines.items[i];
        if (strcmp(line->kind, "help") == 0) {
            json_array_append_new(help, json_words(line->words));
        } else {
            json_array_append_new(notes,
                                  placed_words(line->where, sources, "message", line->words));
        }
    }
    json_object_set_new(value, "notes", notes);
    json_object_set_new(value, "help", help);
    json_t *fixits = json_array();
    for (size_t i = 0; i < record->fixits.count; i++) {
        const DiagFixit *fixit = &record->fixits.items[i];
        json_array_append_new(
            fixits, placed_words(fixit->where, sources, "replacement", fixit->replacement));
    }
    json_object_set_new(value, "fixits", fixits);
    return value;
}
