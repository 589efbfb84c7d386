/* answer_definition -- where is this defined: names, and files of #INCLUDE and #USE. */
#include "answer.h"

/* A line that includes or uses a file: the file. */
static json_t *file_of_directive(const Query *query) {
    View view;
    if (!query_view(query, &view)) {
        return NULL;
    }
    uint32_t line = view_line_then(&view, query->spot.line);
    for (uint32_t i = 1; i < view.survey->count.files; i++) {
        const SurveyFile *file = &view.survey->files[i];
        if (file->included_at.file == 1 && line && file->included_at.line == line) {
            Location start = {i + 1, 1, 1, 1, 1};
            return query_location(query, &view, start);
        }
    }
    return NULL;
}

json_t *answer_definition(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    if (!use) {
        return file_of_directive(query);
    }
    return query_location(query, &view, view.survey->names[use->name].at);
}

/* Of a channel its protocol is asked for most; everything else has its type in its declaration. */
json_t *answer_type_definition(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    uint32_t protocol = use ? view.survey->names[use->name].protocol : SURVEY_NONE;
    return protocol != SURVEY_NONE ? query_location(query, &view, view.survey->names[protocol].at)
                                   : NULL;
}
