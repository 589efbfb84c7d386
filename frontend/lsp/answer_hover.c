/* answer_hover -- what is this: its declaration, the comment above it, where it is from, and of a
 * routine the memory it needs, once that is known (sizing.h). */
#include "answer.h"

#include "diag_json.h"
#include "text.h"

#include <string.h>

static const char *kind_words(const SurveyName *name) {
    switch ((NameKind)name->kind) {
    case NAME_VARIABLE: return "variable";
    case NAME_CHANNEL: return "channel";
    case NAME_CONSTANT: return "constant";
    case NAME_REPLICATOR: return "replicator";
    case NAME_PARAMETER: return "parameter";
    case NAME_PROC: return "PROC";
    case NAME_FUNCTION: return "FUNCTION";
    case NAME_PROTOCOL: return "PROTOCOL";
    case NAME_TYPE: return "type";
    case NAME_FIELD: return "field";
    case NAME_TAG: return "tag";
    }
    return "name";
}

static const char *file_name(const Survey *survey, Location at) {
    return path_name(survey_text(survey, survey->files[at.file - 1].path));
}

/* The memory of a routine of this text; from now on it is measured. */
static const char *size_words(Query *query, const Survey *survey, const SurveyName *name) {
    bool is_routine = name->kind == NAME_PROC || name->kind == NAME_FUNCTION;
    if (!is_routine || name->at.file != 1 || name->parent != SURVEY_NONE) {
        return NULL;
    }
    query->server->wants_sizes = true;
    return sizing_words(query->arena, query->document, survey_text(survey, name->name));
}

static const char *words_about(Query *query, const Survey *survey, const SurveyName *name) {
    StringBuilder words = {.arena = query->arena};
    const char *sizes = size_words(query, survey, name);
    string_append_format(&words, "```occam\n%s\n```\n", survey_text(survey, name->signature));
    if (name->comment) {
        string_append_format(&words, "\n%s", survey_text(survey, name->comment));
    }
    string_append_format(&words, "\n*%s", kind_words(name));
    if (name->parent != SURVEY_NONE) {
        const SurveyName *parent = &survey->names[name->parent];
        string_append_format(&words, " of %s", survey_text(survey, parent->name));
    }
    if (!location_is_known(name->at)) {
        string_append_format(&words, ", predefined");
    } else if (name->at.file != 1) {
        string_append_format(&words, ", from %s", file_name(survey, name->at));
    }
    string_append_format(&words, "%s%s", sizes ? ", " : "", sizes ? sizes : "");
    string_append_format(&words, "*");
    return words.bytes;
}

json_t *answer_hover(Query *query) {
    View view;
    const SurveyUse *use = query_use(query, &view);
    if (!use) {
        return NULL;
    }
    const char *words = words_about(query, view.survey, &view.survey->names[use->name]);
    Location at = use->at;
    view_now(&view, &at);
    return json_pack("{s:{s:s, s:o}, s:o}", "contents", "kind", "markdown", "value",
                     json_words(words), "range", range_value(&query->document->lines, at));
}
