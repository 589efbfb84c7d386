/* diagnose -- what the compiler says of a text, published as the protocol has it.
 *
 * Holds: severity, id and message are those of `occc check`; places beside the first become related
 *        information, advice goes below the message. What is said of another file stands at the
 *        directive that brings it in. */
#include "diag_json.h"
#include "file.h"
#include "server.h"
#include "text.h"

#include <string.h>

/* ---- places ---- */

static uint32_t number_of(const json_t *value, const char *key) {
    return (uint32_t)json_integer_value(json_object_get(value, key));
}

Location diagnose_location(const json_t *value) {
    return (Location){1, number_of(value, "line"), number_of(value, "column"),
                      number_of(value, "endLine"), number_of(value, "endColumn")};
}

static Lines lines_of_file(const Server *server, Arena *arena, const char *path) {
    const Document *document = documents_at_path(&server->documents, path);
    FileText text;
    if (document) {
        return document->lines;
    }
    return file_read(arena, path, &text) ? lines_of(arena, text.bytes, text.length)
                                         : lines_of(arena, "", 0);
}

/* The directive of the text itself that leads to a file. */
static Location directive_of(const Survey *survey, const char *path) {
    Location at = {0};
    for (uint32_t i = 0; i < survey->count.files && !at.file; i++) {
        at = strcmp(survey_text(survey, survey->files[i].path), path) == 0
                 ? survey->files[i].included_at
                 : at;
    }
    while (at.file > 1 && at.file <= survey->count.files) {
        at = survey->files[at.file - 1].included_at;
    }
    return at.line ? at : (Location){1, 1, 1, 1, 1};
}

/* ---- one diagnostic ---- */

static json_t *related_value(const Server *server, Arena *arena, const json_t *entry) {
    const json_t *location = json_object_get(entry, "location");
    const char *path = json_string_value(json_object_get(location, "file"));
    if (!path || path[0] == '<') {
        return NULL;
    }
    const Document *document = documents_at_path(&server->documents, path);
    Lines lines = lines_of_file(server, arena, path);
    return json_pack("{s:{s:s, s:o}, s:O}", "location", "uri",
                     document ? document->uri : path_uri(arena, path), "range",
                     range_value(&lines, diagnose_location(location)), "message",
                     json_object_get(entry, "message"));
}

static void add_related(const Server *server, Arena *arena, const json_t *entries, json_t *list,
                        StringBuilder *words, const char *kind) {
    size_t index = 0;
    json_t *entry = NULL;
    json_array_foreach(entries, index, entry) {
        json_t *value = server->has_related && json_object_get(entry, "location")
                            ? related_value(server, arena, entry)
                            : NULL;
        if (value) {
            json_array_append_new(list, value);
        } else {
            string_append_format(words, "\n%s%s", kind,
                                 json_string_value(json_object_get(entry, "message")));
        }
    }
}

static int severity_of(const json_t *diagnostic) {
    const char *severity = json_string_value(json_object_get(diagnostic, "severity"));
    return strcmp(severity, "error") == 0 ? 1 : strcmp(severity, "warning") == 0 ? 2 : 3;
}

json_t *diagnose_value(const Server *server, const Document *document, const Survey *survey,
                       const json_t *diagnostic) {
    Arena *arena = arena_create();
    const json_t *location = json_object_get(diagnostic, "location");
    const char *path = json_string_value(json_object_get(location, "file"));
    json_t *related = json_array();
    StringBuilder words = {.arena = arena};
    string_append_format(&words, "%s", json_string_value(json_object_get(diagnostic, "message")));
    Location at = diagnose_location(location);
    if (path && strcmp(path, document->path) != 0) {
        at = directive_of(survey, path);
        json_t *value = related_value(server, arena, diagnostic);
        if (value) {
            json_array_append_new(related, value);
        }
    }
    add_related(server, arena, json_object_get(diagnostic, "labels"), related, &words, "");
    add_related(server, arena, json_object_get(diagnostic, "notes"), related, &words, "note: ");
    size_t index = 0;
    json_t *help = NULL;
    json_array_foreach(json_object_get(diagnostic, "help"), index, help) {
        string_append_format(&words, "\nhelp: %s", json_string_value(help));
    }
    at = at.line ? at : (Location){1, 1, 1, 1, 1};
    json_t *value = json_pack(
        "{s:o, s:i, s:s, s:O, s:o, s:o}", "range", range_value(&document->lines, at), "severity",
        severity_of(diagnostic), "source", "occc", "code", json_object_get(diagnostic, "id"),
        "message", json_words(words.bytes), "relatedInformation", related);
    arena_destroy(arena);
    return value;
}

/* ---- all of a text ---- */

static void publish(Server *server, const char *uri, json_t *list, const json_int_t *version) {
    json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", list);
    if (version) {
        json_object_set_new(params, "version", json_integer(*version));
    }
    transport_notify(&server->transport, "textDocument/publishDiagnostics", params);
}

void diagnose_publish(Server *server, const Document *document) {
    if (document->is_closed) {
        return;
    }
    const Survey *survey = document->latest->survey;
    json_t *all = json_loads(survey_text(survey, survey->diagnostics), 0, NULL);
    json_t *list = json_array();
    size_t index = 0;
    json_t *diagnostic = NULL;
    json_array_foreach(all, index, diagnostic) {
        json_array_append_new(list, diagnose_value(server, document, survey, diagnostic));
    }
    json_decref(all);
    publish(server, document->uri, list, &document->version);
}

void diagnose_clear(Server *server, const char *uri) {
    publish(server, uri, json_array(), NULL);
}

void diagnose_failure(Server *server, const Document *document) {
    static const char words[] =
        "occc: the compiler failed on this text: a fault of the compiler, not of your program. "
        "Please report it with the program that shows it.";
    Location start = {1, 1, 1, 1, 1};
    json_t *value = json_pack("{s:o, s:i, s:s, s:s}", "range", range_value(&document->lines, start),
                              "severity", 1, "source", "occc", "message", words);
    publish(server, document->uri, json_pack("[o]", value), &document->version);
}
