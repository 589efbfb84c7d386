/* diag_sarif -- diagnostics as SARIF 2.1.0 (OASIS), for code hosts and editors. See diag_json.h.
 *
 * Holds: one run for the whole command line. The standard has no place for a hint, so it follows
 *        the message on a line of its own; labels and notes are related locations. Columns count
 *        characters (columnKind unicodeCodePoints) and ends are exclusive, as ours are. */
#include "diag_json.h"
#include "version.h"

#include <ctype.h>
#include <string.h>

#define SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"

void sarif_begin(SarifRun *run) {
    *run = (SarifRun){json_array(), json_array(), json_array(), json_array()};
}

static json_t *message_value(const char *words) {
    return json_pack("{s:o}", "text", json_words(words));
}

/* ---- places ---- */

/* A path as a relative or file URI. */
static const char *uri_of_path(Arena *arena, const char *path) {
    char *uri = arena_allocate(arena, strlen(path) * 3 + 8);
    size_t count = 0;
    if (path[0] == '/') {
        memcpy(uri, "file://", 7);
        count = 7;
    }
    for (const char *at = path; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool is_plain = byte < 128 && (isalnum(byte) || strchr("/._-~+@,", byte) != NULL);
        if (is_plain) {
            uri[count++] = *at;
        } else {
            uri[count++] = '%';
            uri[count++] = "0123456789ABCDEF"[byte >> 4];
            uri[count++] = "0123456789ABCDEF"[byte & 15];
        }
    }
    uri[count] = '\0';
    return uri;
}

static size_t artifact_index(SarifRun *run, const char *uri) {
    size_t count = json_array_size(run->artifacts);
    for (size_t i = 0; i < count; i++) {
        const json_t *location = json_object_get(json_array_get(run->artifacts, i), "location");
        if (strcmp(json_string_value(json_object_get(location, "uri")), uri) == 0) {
            return i;
        }
    }
    json_array_append_new(run->artifacts, json_pack("{s:{s:s}, s:s}", "location", "uri", uri,
                                                    "sourceLanguage", "occam"));
    return count;
}

static json_t *artifact_value(SarifRun *run, uint32_t file, const SourceMap *sources) {
    Arena *arena = arena_create();
    const SourceFile *source = source_file(sources, file);
    const char *uri = uri_of_path(arena, source ? source->path : "built-in");
    json_t *value =
        json_pack("{s:s, s:I}", "uri", uri, "index", (json_int_t)artifact_index(run, uri));
    arena_destroy(arena);
    return value;
}

static json_t *region_value(Location at) {
    bool has_end = at.end_line >= at.line;
    uint32_t start = at.column ? at.column : 1;
    uint32_t end = has_end && at.end_column ? at.end_column : start;
    return json_pack("{s:I, s:I, s:I, s:I}", "startLine", (json_int_t)at.line, "startColumn",
                     (json_int_t)start, "endLine", (json_int_t)(has_end ? at.end_line : at.line),
                     "endColumn", (json_int_t)end);
}

static json_t *physical_value(SarifRun *run, Location at, const SourceMap *sources) {
    json_t *value = json_object();
    json_object_set_new(value, "artifactLocation", artifact_value(run, at.file, sources));
    json_object_set_new(value, "region", region_value(at));
    size_t length = 0;
    const char *bytes = source_line(sources, at.file, at.line, &length);
    Arena *arena = arena_create();
    json_t *snippet = message_value(arena_format(arena, "%.*s\n", (int)length, bytes));
    arena_destroy(arena);
    json_object_set_new(
        value, "contextRegion",
        json_pack("{s:I, s:o}", "startLine", (json_int_t)at.line, "snippet", snippet));
    return value;
}

static json_t *location_value(SarifRun *run, Location at, const SourceMap *sources) {
    return json_pack("{s:o}", "physicalLocation", physical_value(run, at, sources));
}

/* ---- a result ---- */

static json_t *rule_value(DiagId id, const char *name) {
    const char *level = diag_severity(id) == SEVERITY_WARNING  ? "warning"
                        : diag_severity(id) == SEVERITY_REMARK ? "note"
                                                               : "error";
    Arena *arena = arena_create();
    const char *help = arena_format(arena, "occc explain %s", name);
    json_t *value = json_pack("{s:s, s:{s:s}, s:{s:s}}", "id", name, "help", "text", help,
                              "defaultConfiguration", "level", level);
    arena_destroy(arena);
    return value;
}

static size_t rule_index(SarifRun *run, const DiagRecord *record) {
    size_t count = json_array_size(run->rules);
    for (size_t i = 0; i < count; i++) {
        const json_t *id = json_object_get(json_array_get(run->rules, i), "id");
        if (strcmp(json_string_value(id), record->name) == 0) {
            return i;
        }
    }
    json_array_append_new(run->rules, rule_value(record->id, record->name));
    return count;
}

static json_t *result_message(const DiagRecord *record) {
    Arena *arena = arena_create();
    const char *words = record->message;
    for (size_t i = 0; i < record->lines.count; i++) {
        const DiagLine *line = &record->lines.items[i];
        if (!location_is_known(line->where)) {
            words = arena_format(arena, "%s\n%s: %s", words, line->kind, line->words);
        }
    }
    json_t *value = message_value(words);
    arena_destroy(arena);
    return value;
}

static void add_related(SarifRun *run, json_t *list, Location at, const SourceMap *sources,
                        const char *words) {
    if (!location_is_known(at) || !words[0]) {
        return;
    }
    json_t *value = location_value(run, at, sources);
    json_object_set_new(value, "id", json_integer((json_int_t)json_array_size(list)));
    json_object_set_new(value, "message", message_value(words));
    json_array_append_new(list, value);
}

static json_t *related_values(SarifRun *run, const DiagRecord *record, const SourceMap *sources) {
    json_t *list = json_array();
    for (size_t i = 1; i < record->marks.count; i++) { /* the first is the result's own */
        const DiagMark *mark = &record->marks.items[i];
        add_related(run, list, mark->where, sources, mark->words);
    }
    for (size_t i = 0; i < record->lines.count; i++) {
        const DiagLine *line = &record->lines.items[i];
        add_related(run, list, line->where, sources, line->words);
    }
    const SourceFile *file = source_file(sources, record->where.file);
    while (file && location_is_known(file->included_at)) {
        add_related(run, list, file->included_at, sources, "included from here");
        file = source_file(sources, file->included_at.file);
    }
    return list;
}

/* One fix with all the replacements: they belong together and lie in one file. */
static json_t *fix_value(SarifRun *run, const DiagRecord *record, const SourceMap *sources) {
    json_t *replacements = json_array();
    for (size_t i = 0; i < record->fixits.count; i++) {
        const DiagFixit *fixit = &record->fixits.items[i];
        json_array_append_new(replacements,
                              json_pack("{s:o, s:o}", "deletedRegion", region_value(fixit->where),
                                        "insertedContent", message_value(fixit->replacement)));
    }
    uint32_t file = record->fixits.items[0].where.file;
    return json_pack("{s:[{s:o, s:o}]}", "artifactChanges", "artifactLocation",
                     artifact_value(run, file, sources), "replacements", replacements);
}

void sarif_add(SarifRun *run, const DiagRecord *record, const SourceMap *sources) {
    json_t *result = json_object();
    json_object_set_new(result, "ruleId", json_words(record->name));
    json_object_set_new(result, "ruleIndex", json_integer((json_int_t)rule_index(run, record)));
    json_object_set_new(result, "level", json_words(record->severity));
    json_object_set_new(result, "message", result_message(record));
    json_t *locations = json_array();
    if (location_is_known(record->where)) {
        json_t *place = location_value(run, record->where, sources);
        const char *words = record->marks.items[0].words;
        json_object_set_new(place, "message", words[0] ? message_value(words) : NULL);
        json_array_append_new(locations, place);
    }
    json_object_set_new(result, "locations", locations);
    json_t *related = related_values(run, record, sources);
    json_object_set(result, "relatedLocations", json_array_size(related) ? related : NULL);
    json_decref(related);
    if (record->fixits.count) {
        json_object_set_new(result, "fixes", json_pack("[o]", fix_value(run, record, sources)));
    }
    json_array_append_new(run->results, result);
}

/* ---- the document ---- */

void sarif_notify(SarifRun *run, const char *level, const char *words) {
    json_array_append_new(run->notifications,
                          json_pack("{s:s, s:o}", "level", level, "message", message_value(words)));
}

json_t *sarif_end(SarifRun *run, int status) {
    json_t *driver =
        json_pack("{s:s, s:s, s:o}", "name", "occc", "version", OCCC_VERSION, "rules", run->rules);
    json_t *invocation =
        json_pack("{s:b, s:i, s:o}", "executionSuccessful", status == 0, "exitCode", status,
                  "toolExecutionNotifications", run->notifications);
    json_t *whole = json_pack("{s:{s:o}, s:[o], s:o, s:s, s:o}", "tool", "driver", driver,
                              "invocations", invocation, "artifacts", run->artifacts, "columnKind",
                              "unicodeCodePoints", "results", run->results);
    return json_pack("{s:s, s:s, s:[o]}", "$schema", SARIF_SCHEMA, "version", "2.1.0", "runs",
                     whole);
}
