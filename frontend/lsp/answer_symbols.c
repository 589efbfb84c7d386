/* answer_symbols -- what does this file define, as a tree; and who defines a name like this. */
#include "answer.h"

#include "diag_json.h"

#include <string.h>
#include <strings.h>

/* Kinds of the protocol. */
static int symbol_kind(const SurveyName *name) {
    enum {
        CLASS = 5,
        FIELD = 8,
        INTERFACE = 11,
        FUNCTION = 12,
        VARIABLE = 13,
        CONSTANT = 14,
        ENUM_MEMBER = 22,
        STRUCT = 23
    };
    switch ((NameKind)name->kind) {
    case NAME_VARIABLE:
    case NAME_CHANNEL:
    case NAME_REPLICATOR:
    case NAME_PARAMETER: return VARIABLE;
    case NAME_CONSTANT: return CONSTANT;
    case NAME_PROC:
    case NAME_FUNCTION: return FUNCTION;
    case NAME_PROTOCOL: return INTERFACE;
    case NAME_TYPE: return STRUCT;
    case NAME_FIELD: return FIELD;
    case NAME_TAG: return ENUM_MEMBER;
    }
    return CLASS;
}

static bool is_shown(const SurveyName *name) {
    bool is_definition = name->kind == NAME_PROC || name->kind == NAME_FUNCTION ||
                         name->kind == NAME_PROTOCOL || name->kind == NAME_TYPE ||
                         name->kind == NAME_FIELD || name->kind == NAME_TAG;
    return name->at.file == 1 &&
           (is_definition || (name->parent == SURVEY_NONE && name->kind != NAME_REPLICATOR));
}

/* The whole definition, and the name in it. */
static json_t *symbol_value(const Query *query, const View *view, const SurveyName *name) {
    const Lines *lines = &query->document->lines;
    Location at = name->at;
    uint32_t start = view_line_now(view, name->start_line);
    uint32_t end = view_line_now(view, name->end_line);
    if (!view_now(view, &at)) {
        return NULL;
    }
    start = start && start < at.line ? start : at.line;
    end = end && end > at.line ? end : at.line;
    Location whole = {1, start, 1, end, UINT32_MAX};
    return json_pack(
        "{s:o, s:o, s:i, s:o, s:o}", "name", json_words(survey_text(view->survey, name->name)),
        "detail", json_words(survey_text(view->survey, name->signature)), "kind", symbol_kind(name),
        "range", range_value(lines, whole), "selectionRange", range_value(lines, at));
}

static void add_to_parent(json_t **values, const View *view, uint32_t number, json_t *list) {
    uint32_t parent = view->survey->names[number].parent;
    if (parent == SURVEY_NONE || !values[parent]) {
        json_array_append(list, values[number]);
        return;
    }
    json_t *children = json_object_get(values[parent], "children");
    if (!children) {
        children = json_array();
        json_object_set_new(values[parent], "children", children);
    }
    json_array_append(children, values[number]);
}

json_t *answer_symbols(Query *query) {
    View view;
    json_t *list = json_array();
    if (!query_view(query, &view)) {
        return list;
    }
    if (!view.survey->is_whole && query->document->whole) {
        view = view_of(query->document, query->document->whole);
    }
    uint32_t count = view.survey->count.names;
    json_t **values = arena_new_array(query->arena, json_t *, count);
    for (uint32_t i = 0; i < count; i++) {
        const SurveyName *name = &view.survey->names[i];
        values[i] = is_shown(name) ? symbol_value(query, &view, name) : NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (values[i]) {
            add_to_parent(values, &view, i, list);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        json_decref(values[i]);
    }
    return list;
}

/* ---- all documents ---- */

/* The letters of `wanted` in their order, in any case. */
static bool is_like(const char *name, const char *wanted) {
    for (; *wanted; wanted++) {
        while (*name && strncasecmp(name, wanted, 1) != 0) {
            name++;
        }
        if (!*name) {
            return false;
        }
        name++;
    }
    return true;
}

json_t *answer_workspace_symbols(Query *query) {
    enum { MOST = 500 };
    json_t *list = json_array();
    const char *wanted = json_string_value(json_object_get(query->params, "query"));
    for (size_t i = 0; i < query->server->documents.count; i++) {
        query->document = query->server->documents.items[i];
        View view;
        if (!query_view(query, &view)) {
            continue;
        }
        for (uint32_t k = 0; k < view.survey->count.names && json_array_size(list) < MOST; k++) {
            const SurveyName *name = &view.survey->names[k];
            const char *text = survey_text(view.survey, name->name);
            json_t *place = is_shown(name) && is_like(text, wanted ? wanted : "")
                                ? query_location(query, &view, name->at)
                                : NULL;
            if (place) {
                json_array_append_new(list,
                                      json_pack("{s:o, s:i, s:o}", "name", json_words(text), "kind",
                                                symbol_kind(name), "location", place));
            }
        }
    }
    return list;
}
