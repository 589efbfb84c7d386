/* answer_actions -- what mends this: the fix-its of the diagnostics in a range; and what could be
 * written in another way (refactor.h). */
#include "refactor.h"

#include "diag_json.h"

#include <string.h>

static bool is_of_document(const Query *query, const json_t *location) {
    const char *file = json_string_value(json_object_get(location, "file"));
    return file && strcmp(file, query->document->path) == 0;
}

/* The edits of one diagnostic; NULL: it has none, or one in another file. */
static json_t *edits_of(const Query *query, const View *view, const json_t *diagnostic) {
    json_t *edits = json_array();
    size_t index = 0;
    json_t *fixit = NULL;
    json_array_foreach(json_object_get(diagnostic, "fixits"), index, fixit) {
        const json_t *location = json_object_get(fixit, "location");
        Location at = diagnose_location(location);
        if (!is_of_document(query, location) || !view_now(view, &at)) {
            json_decref(edits);
            return NULL;
        }
        json_array_append_new(edits, json_pack("{s:o, s:O}", "range",
                                               range_value(&query->document->lines, at), "newText",
                                               json_object_get(fixit, "replacement")));
    }
    if (json_array_size(edits) == 0) {
        json_decref(edits);
        return NULL;
    }
    return edits;
}

static const char *title_of(const Query *query, const json_t *diagnostic) {
    const json_t *help = json_object_get(diagnostic, "help");
    const char *advice = json_string_value(json_array_get(help, 0));
    const json_t *first = json_array_get(json_object_get(diagnostic, "fixits"), 0);
    const char *words = json_string_value(json_object_get(first, "replacement"));
    return advice              ? advice
           : words && words[0] ? arena_format(query->arena, "write %s here", words)
                               : "leave this out";
}

static void add_action(const Query *query, const View *view, const json_t *diagnostic,
                       json_t *list) {
    json_t *edits = edits_of(query, view, diagnostic);
    if (!edits) {
        return;
    }
    json_t *shown = diagnose_value(query->server, query->document, view->survey, diagnostic);
    json_array_append_new(list, json_pack("{s:o, s:s, s:b, s:[o], s:{s:{s:o}}}", "title",
                                          json_words(title_of(query, diagnostic)), "kind",
                                          "quickfix", "isPreferred", 1, "diagnostics", shown,
                                          "edit", "changes", query->document->uri, edits));
}

json_t *answer_actions(Query *query) {
    View view;
    json_t *list = json_array();
    const Lines *lines = &query->document->lines;
    Spot start, end;
    position_read_range(lines, json_object_get(query->params, "range"), &start, &end);
    if (!query_view(query, &view)) {
        return list;
    }
    json_t *all = json_loads(survey_text(view.survey, view.survey->diagnostics), 0, NULL);
    size_t index = 0;
    json_t *diagnostic = NULL;
    json_array_foreach(all, index, diagnostic) {
        const json_t *location = json_object_get(diagnostic, "location");
        Location at = diagnose_location(location);
        if (is_of_document(query, location) && view_now(&view, &at) && at.line <= end.line &&
            at.end_line >= start.line) {
            add_action(query, &view, diagnostic, list);
            offer_declaration(query, &view, list, diagnostic);
        }
    }
    json_decref(all);
    if (start.line == end.line) {
        offer_direction(query, list, start);
        offer_parallel(query, list, start.line);
    } else {
        bool is_before = end.column == 1; /* the last line is not selected */
        offer_extraction(query, &view, list, start.line, is_before ? end.line - 1 : end.line);
    }
    return list;
}
