/* answer_hints -- words in the text that nobody wrote: the direction of an end, a replicator's
 * count. */
#include "answer.h"

#include "diag_json.h"

json_t *answer_hints(Query *query) {
    View view;
    json_t *list = json_array();
    const Lines *lines = &query->document->lines;
    Spot start, end;
    position_read_range(lines, json_object_get(query->params, "range"), &start, &end);
    bool is_known = query_view(query, &view);
    for (uint32_t i = 0; is_known && i < view.survey->count.hints; i++) {
        const SurveyHint *hint = &view.survey->hints[i];
        uint32_t line = view_line_now(&view, hint->line);
        if (line && line >= start.line && line <= end.line) {
            json_array_append_new(
                list, json_pack("{s:o, s:o}", "position", position_value(lines, line, hint->column),
                                "label", json_words(survey_text(view.survey, hint->words))));
        }
    }
    return list;
}
