/* answer_declare -- what the text uses and does not say: the declaration of a channel or variable,
 * the direction of a formal channel. */
#include "refactor.h"

#include <stdio.h>
#include <string.h>

/* The first line below the heading of the PROC around the line: where its declarations stand. */
static uint32_t declaration_line(const Lines *lines, uint32_t line) {
    for (int indent = lines_indent(lines, line); line > 1 && indent != 0;) {
        line--;
        int own = lines_indent(lines, line);
        size_t length = 0;
        const char *text = lines_line(lines, line, &length);
        if (own >= 0 && own < indent) {
            indent = own;
            if (length > (size_t)own + 5 && strncmp(text + own, "PROC ", 5) == 0) {
                return line + 1;
            }
        }
    }
    return 0;
}

/* c ! x   c ? x   p (c!): a channel; x := 1: a variable. */
static const char *declaration_of(const Query *query, Location at, const char *name) {
    size_t length = 0;
    const char *line = lines_line(&query->document->lines, at.line, &length);
    size_t next = spot_byte(&query->document->lines, (Spot){at.end_line, at.end_column});
    while (next < length && line[next] == ' ') {
        next++;
    }
    char c = next < length ? line[next] : '\0';
    if (c == '!' || c == '?') {
        const char *behind = next + 2 < length ? line + next + 2 : "";
        const char *type = behind[0] == '\'' ? "BYTE" : "INT";
        return arena_format(query->arena, "CHAN %s %s:", type, name);
    }
    bool is_assigned = c == ':' && next + 1 < length && line[next + 1] == '=';
    return is_assigned ? arena_format(query->arena, "INT %s:", name) : NULL;
}

void offer_declaration(Query *query, const View *view, json_t *list, const json_t *diagnostic) {
    const Lines *lines = &query->document->lines;
    const char *id = json_string_value(json_object_get(diagnostic, "id"));
    const char *message = json_string_value(json_object_get(diagnostic, "message"));
    Location at = diagnose_location(json_object_get(diagnostic, "location"));
    char name[80];
    if (!id || strcmp(id, "names-unknown") != 0 || !message ||
        sscanf(message, "'%79[^']'", name) != 1 || !view_now(view, &at)) {
        return;
    }
    uint32_t line = declaration_line(lines, at.line);
    const char *declaration = declaration_of(query, at, name);
    if (line == 0 || !declaration) {
        return;
    }
    int indent = lines_indent(lines, line - 1) + 2;
    json_t *start = json_pack("{s:i, s:i}", "line", (int)line - 1, "character", 0);
    json_t *range = json_pack("{s:O, s:o}", "start", start, "end", start);
    json_t *edit = json_pack("{s:o, s:s}", "range", range, "newText",
                             arena_format(query->arena, "%*s%s\n", indent, "", declaration));
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:[o], s:{s:{s:[o]}}}", "title",
                        arena_format(query->arena, "declare %s", declaration), "kind", "quickfix",
                        "diagnostics",
                        diagnose_value(query->server, query->document, view->survey, diagnostic),
                        "edit", "changes", query->document->uri, edit));
}

void offer_direction(Query *query, json_t *list, Spot spot) {
    View view;
    query->spot = spot;
    const SurveyUse *use = query_use(query, &view);
    const SurveyName *name = use ? &view.survey->names[use->name] : NULL;
    if (!name || use->role != USE_DEFINITION ||
        (name->kind != NAME_PARAMETER && name->kind != NAME_CHANNEL) ||
        !strstr(survey_text(view.survey, name->signature), "CHAN ")) {
        return;
    }
    bool has_input = false;
    bool has_output = false;
    for (uint32_t i = 0; i < view.survey->count.uses; i++) {
        const SurveyUse *each = &view.survey->uses[i];
        has_input = has_input || (each->name == use->name && each->role == USE_INPUT);
        has_output = has_output || (each->name == use->name && each->role == USE_OUTPUT);
    }
    Location at = use->at;
    size_t length = 0;
    const char *line = lines_line(&query->document->lines, spot.line, &length);
    size_t next = view_now(&view, &at)
                      ? spot_byte(&query->document->lines, (Spot){at.end_line, at.end_column})
                      : length;
    bool is_declaration = length > 0 && line[length - 1] == ':'; /* no heading: it has both ends */
    if (is_declaration || has_input == has_output || next >= length || line[next] == '!' ||
        line[next] == '?') {
        return;
    }
    const char *mark = has_input ? "?" : "!";
    Location behind = {1, at.end_line, at.end_column, at.end_line, at.end_column};
    json_t *edit = json_pack("{s:o, s:s}", "range", range_value(&query->document->lines, behind),
                             "newText", mark);
    json_array_append_new(list, json_pack("{s:s, s:s, s:{s:{s:[o]}}}", "title",
                                          arena_format(query->arena, "say the direction: %s%s",
                                                       survey_text(view.survey, name->name), mark),
                                          "kind", "refactor.rewrite", "edit", "changes",
                                          query->document->uri, edit));
}
