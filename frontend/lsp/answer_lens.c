/* answer_lens -- what can be done with a routine, above its first line: run the program, run a
 * test; how often it is used, and the memory it needs, once that is known (sizing.h). */
#include "answer.h"

#include <string.h>

static json_t *lens_value(const Query *query, Location at, const char *title, const char *command,
                          const char *name) {
    json_t *arguments = json_pack("[s]", query->document->uri);
    if (name) {
        json_array_append_new(arguments, json_string(name));
    }
    return json_pack("{s:o, s:{s:s, s:s, s:o}}", "range", range_value(&query->document->lines, at),
                     "command", "title", title, "command", command, "arguments", arguments);
}

/* The program is the last PROC of the outermost level. */
static const SurveyName *program_of(const View *view) {
    const SurveyName *last = NULL;
    for (uint32_t i = 0; i < view->survey->count.names; i++) {
        const SurveyName *name = &view->survey->names[i];
        if (name->kind == NAME_PROC && name->at.file == 1 && name->parent == SURVEY_NONE &&
            (!last || name->at.line > last->at.line)) {
            last = name;
        }
    }
    return last;
}

typedef struct Count {
    unsigned uses;
} Count;

static void count_use(const Query *query, const View *view, const SurveyUse *use, void *context) {
    (void)query;
    (void)view;
    Count *count = context;
    count->uses += use->role != USE_DEFINITION;
}

static bool has_ending(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

json_t *answer_lenses(Query *query) {
    View view;
    json_t *list = json_array();
    if (!query_view(query, &view)) {
        return list;
    }
    query->server->wants_sizes = true;
    bool has_tests = has_ending(query->document->path, "_test.occ");
    const SurveyName *program = has_tests ? NULL : program_of(&view);
    for (uint32_t i = 0; i < view.survey->count.names; i++) {
        const SurveyName *name = &view.survey->names[i];
        Location at = name->at;
        bool is_routine = name->kind == NAME_PROC || name->kind == NAME_FUNCTION;
        if (!is_routine || at.file != 1 || name->parent != SURVEY_NONE || !view_now(&view, &at)) {
            continue;
        }
        const char *text = survey_text(view.survey, name->name);
        const char *sizes = sizing_words(query->arena, query->document, text);
        if (sizes) {
            json_array_append_new(list, lens_value(query, at, sizes, "", NULL));
        }
        if (name == program) {
            json_array_append_new(list, lens_value(query, at, "run", "occam.run", NULL));
            json_array_append_new(list, lens_value(query, at, "graph", "occam.graph", NULL));
            continue;
        }
        if (has_tests && name->kind == NAME_PROC && strncmp(text, "test.", 5) == 0) {
            json_array_append_new(list, lens_value(query, at, "run test", "occam.test", text));
            continue;
        }
        Count count = {0};
        query_visit_all_uses(query, &view, i, count_use, &count);
        json_array_append_new(list, lens_value(query, at,
                                               arena_format(query->arena, "%u use%s", count.uses,
                                                            count.uses == 1 ? "" : "s"),
                                               "", NULL));
    }
    return list;
}
