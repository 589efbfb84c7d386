/* answer_calls -- who calls this routine, and whom does it call.
 *
 * Holds: an item names its routine by file and place, so it stays valid when the text changes. A
 *        call outside of every routine is of none. */
#include "answer.h"

#include "diag_json.h"

static bool is_routine(const SurveyName *name) {
    return name->kind == NAME_PROC || name->kind == NAME_FUNCTION;
}

static json_t *item_value(const Query *query, const View *view, const SurveyName *name) {
    json_t *place = query_location(query, view, name->at);
    if (!place) {
        return NULL;
    }
    enum { FUNCTION = 12 };
    json_t *item = json_pack(
        "{s:o, s:i, s:o, s:O, s:O, s:O}", "name", json_words(survey_text(view->survey, name->name)),
        "kind", FUNCTION, "detail", json_words(survey_text(view->survey, name->signature)), "uri",
        json_object_get(place, "uri"), "range", json_object_get(place, "range"), "selectionRange",
        json_object_get(place, "range"));
    json_decref(place);
    return item;
}

json_t *answer_prepare_calls(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    const SurveyName *name = use ? &view.survey->names[use->name] : NULL;
    json_t *item = name && is_routine(name) ? item_value(query, &view, name) : NULL;
    return item ? json_pack("[o]", item) : NULL;
}

/* The innermost routine of the text itself around a line. */
static const SurveyName *routine_around(const View *view, uint32_t line) {
    const SurveyName *best = NULL;
    for (uint32_t i = 0; i < view->survey->count.names; i++) {
        const SurveyName *name = &view->survey->names[i];
        if (is_routine(name) && name->at.file == 1 && name->start_line <= line &&
            line <= name->end_line && (!best || name->start_line >= best->start_line)) {
            best = name;
        }
    }
    return best;
}

/* The document of an item becomes that of the query. */
static const SurveyUse *use_of_item(Query *query, View *view) {
    const json_t *item = json_object_get(query->params, "item");
    const char *uri = json_string_value(json_object_get(item, "uri"));
    query->document = uri ? documents_find_any(&query->server->documents, uri) : NULL;
    const json_t *range = json_object_get(item, "selectionRange");
    if (!query->document ||
        !position_read(&query->document->lines, json_object_get(range, "start"), &query->spot)) {
        return NULL;
    }
    return query_use(query, view);
}

/* One entry for each routine: {"from" or "to", "fromRanges"}. */
typedef struct Calls {
    json_t *list;
    const char *end; /* "from", "to" */
} Calls;

static void add_call(const Calls *calls, json_t *item, json_t *range) {
    size_t index = 0;
    json_t *each = NULL;
    json_array_foreach(calls->list, index, each) {
        if (json_equal(json_object_get(each, calls->end), item)) {
            json_array_append_new(json_object_get(each, "fromRanges"), range);
            json_decref(item);
            return;
        }
    }
    json_array_append_new(calls->list,
                          json_pack("{s:o, s:[o]}", calls->end, item, "fromRanges", range));
}

static void add_caller(const Query *query, const View *view, const SurveyUse *use, void *context) {
    Location at = use->at;
    const SurveyName *around =
        use->role == USE_CALL && at.file == 1 ? routine_around(view, at.line) : NULL;
    json_t *item = around && view_now(view, &at) ? item_value(query, view, around) : NULL;
    if (item) {
        add_call(context, item, range_value(&query->document->lines, at));
    }
}

json_t *answer_incoming_calls(Query *query) {
    View view;
    const SurveyUse *use = use_of_item(query, &view);
    Calls calls = {json_array(), "from"};
    if (use) {
        query_visit_all_uses(query, &view, use->name, add_caller, &calls);
    }
    return calls.list;
}

json_t *answer_outgoing_calls(Query *query) {
    View view;
    const SurveyUse *own = use_of_item(query, &view);
    const SurveyName *caller = own ? &view.survey->names[own->name] : NULL;
    Calls calls = {json_array(), "to"};
    for (uint32_t i = 0; caller && caller->at.file == 1 && i < view.survey->count.uses; i++) {
        const SurveyUse *use = &view.survey->uses[i];
        Location at = use->at;
        if (use->role == USE_CALL && at.file == 1 && routine_around(&view, at.line) == caller &&
            view_now(&view, &at)) {
            json_t *item = item_value(query, &view, &view.survey->names[use->name]);
            if (item) {
                add_call(&calls, item, range_value(&query->document->lines, at));
            }
        }
    }
    return calls.list;
}
