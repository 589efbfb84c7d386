/* answer_signature -- which parameters does this call take, and which of them comes now. */
#include "answer.h"

#include "diag_json.h"
#include "text.h"

#include <string.h>

enum { DEPTH_MOST = 64, LINES_MOST = 20 };

/* A bracket that is open, and the commas since then. */
typedef struct Opening {
    const char *line;
    size_t byte;
    unsigned commas;
    int indent; /* of its line */
    bool is_call;
} Opening;

typedef struct Openings {
    Opening items[DEPTH_MOST];
    size_t count;
} Openings;

/* Behind a string or character that begins at `at`; `end` where it does not end. */
static size_t behind_literal(const char *line, size_t at, size_t end) {
    for (size_t i = at + 1; i < end; i++) {
        if (line[i] == line[at]) {
            return i;
        }
        i += line[i] == '*';
    }
    return end;
}

static void read_line(Openings *openings, const char *line, size_t end, int indent) {
    for (size_t i = 0; i < end; i++) {
        char c = line[i];
        Opening *last = openings->count ? &openings->items[openings->count - 1] : NULL;
        if (c == '-' && i + 1 < end && line[i + 1] == '-') {
            return;
        }
        if (c == '"' || c == '\'') {
            i = behind_literal(line, i, end);
        } else if ((c == '(' || c == '[') && openings->count < DEPTH_MOST) {
            openings->items[openings->count++] = (Opening){line, i, 0, indent, c == '('};
        } else if ((c == ')' || c == ']') && last) {
            openings->count--;
        } else if (c == ',' && last) {
            last->commas++;
        }
    }
}

/* The brackets that the spot is in. A line that is not deeper than the one where a bracket was
 * opened does not go on from it. */
static void find_openings(const Query *query, Openings *openings) {
    const Lines *lines = &query->document->lines;
    uint32_t line = query->spot.line > LINES_MOST ? query->spot.line - LINES_MOST : 1;
    for (; line <= query->spot.line; line++) {
        size_t length = 0;
        const char *text = lines_line(lines, line, &length);
        int indent = lines_indent(lines, line);
        while (openings->count && indent >= 0 &&
               openings->items[openings->count - 1].indent >= indent) {
            openings->count--;
        }
        read_line(openings, text, line == query->spot.line ? spot_byte(lines, query->spot) : length,
                  indent);
    }
}

/* What stands before the bracket. */
static const SurveyName *called_name(const Query *query, const Opening *opening, View *view) {
    size_t end = opening->byte;
    while (end > 0 && opening->line[end - 1] == ' ') {
        end--;
    }
    size_t first = end;
    while (first > 0 && is_name_character(opening->line[first - 1])) {
        first--;
    }
    return end > first ? query_lookup(query, opening->line + first, end - first, view) : NULL;
}

json_t *answer_signature(Query *query) {
    Openings openings = {.count = 0};
    find_openings(query, &openings);
    while (openings.count && !openings.items[openings.count - 1].is_call) {
        openings.count--; /* a subscript or table in an actual */
    }
    View view;
    const Opening *opening = openings.count ? &openings.items[openings.count - 1] : NULL;
    const SurveyName *name = opening ? called_name(query, opening, &view) : NULL;
    if (!name || (name->kind != NAME_PROC && name->kind != NAME_FUNCTION)) {
        return NULL;
    }
    json_t *parameters = json_array();
    for (uint32_t i = 0; i < name->formal_count; i++) {
        const char *words = survey_text(view.survey, view.survey->formals[name->first_formal + i]);
        json_array_append_new(parameters, json_pack("{s:o}", "label", json_words(words)));
    }
    json_t *signature =
        json_pack("{s:o, s:o, s:o}", "label", json_words(survey_text(view.survey, name->signature)),
                  "parameters", parameters, "documentation",
                  json_words(survey_text(view.survey, name->comment)));
    return json_pack("{s:[o], s:i, s:i}", "signatures", signature, "activeSignature", 0,
                     "activeParameter", (int)opening->commas);
}
