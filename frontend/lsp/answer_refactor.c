/* answer_refactor -- other forms of the text that the editor offers: a PROC of its own for some
 * lines, PAR for SEQ.
 *
 * Leaves: fix-its and missing declarations to answer_actions.c.
 * Holds:  the new text is checked before it is offered: it has no error. A SEQ becomes a PAR only
 *         where nothing in it communicates, so what the checks of usage allow changes nothing. */
#include "refactor.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

/* The last line of the block whose lines stand at `indent` or deeper, from `line` on. */
static uint32_t block_end(const Lines *lines, uint32_t line, int indent) {
    uint32_t last = line;
    for (uint32_t i = line; i <= lines->count; i++) {
        int own = lines_indent(lines, i);
        if (own >= 0 && own < indent) {
            break;
        }
        last = own >= 0 ? i : last;
    }
    return last;
}

static bool line_is(const Lines *lines, uint32_t line, const char *word) {
    size_t length = 0;
    const char *text = lines_line(lines, line, &length);
    int indent = lines_indent(lines, line);
    size_t size = strlen(word);
    return indent >= 0 && length >= (size_t)indent + size &&
           strncmp(text + indent, word, size) == 0 &&
           (length == (size_t)indent + size || text[(size_t)indent + size] == ' ' ||
            text[(size_t)indent + size] == '\r');
}

/* The text with lines [first, last] replaced. */
static const char *replaced(Arena *arena, const Lines *lines, uint32_t first, uint32_t last,
                            const char *text) {
    StringBuilder whole = {.arena = arena};
    for (uint32_t line = 1; line <= lines->count; line++) {
        size_t length = 0;
        const char *own = lines_line(lines, line, &length);
        if (line == first) {
            string_append_format(&whole, "%s", text);
        }
        if (line < first || line > last) {
            string_append_format(&whole, "%.*s%s", (int)length, own,
                                 line < lines->count ? "\n" : "");
        }
    }
    return whole.bytes;
}

/* The edit of one document: lines [first, last] become `text`, which ends in a newline. */
static json_t *lines_edit(uint32_t first, uint32_t last, const char *text) {
    json_t *range = json_pack("{s:{s:i, s:i}, s:{s:i, s:i}}", "start", "line", (int)first - 1,
                              "character", 0, "end", "line", (int)last, "character", 0);
    return json_pack("{s:o, s:s}", "range", range, "newText", text);
}

static void add_action(const Query *query, json_t *list, const char *title, const char *kind,
                       json_t *edits) {
    json_array_append_new(list, json_pack("{s:s, s:s, s:{s:{s:o}}}", "title", title, "kind", kind,
                                          "edit", "changes", query->document->uri, edits));
}

/* ---- SEQ to PAR ---- */

/* Nothing in these lines waits for anybody: no input, output, end of a channel, clock. */
static bool communicates(const Lines *lines, uint32_t first, uint32_t last) {
    static const char *const words[] = {"NEXT", "SYNC",    "RESUME", "CLAIM",
                                        "FORK", "SUSPEND", "CLOSE",  "STOP"};
    for (uint32_t line = first; line <= last; line++) {
        size_t length = 0;
        const char *text = lines_line(lines, line, &length);
        char quote = 0;
        for (size_t i = 0; i < length; i++) {
            if (quote) {
                i += text[i] == '*';
                quote = i < length && text[i] == quote ? 0 : quote;
            } else if (text[i] == '"' || text[i] == '\'') {
                quote = text[i];
            } else if (text[i] == '-' && i + 1 < length && text[i + 1] == '-') {
                break;
            } else if (text[i] == '!' || text[i] == '?') {
                return true;
            }
        }
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (line_is(lines, line, words[i])) {
                return true;
            }
        }
    }
    return false;
}

void offer_parallel(Query *query, json_t *list, uint32_t line) {
    const Lines *lines = &query->document->lines;
    int indent = lines_indent(lines, line);
    if (!line_is(lines, line, "SEQ") || query->document->has_failed) {
        return;
    }
    uint32_t last = block_end(lines, line + 1, indent + 1);
    size_t length = 0;
    const char *text = lines_line(lines, line, &length);
    const char *now = arena_format(query->arena, "%*sPAR%.*s\n", indent, "",
                                   (int)(length - (size_t)indent - 3), text + indent + 3);
    if (communicates(lines, line + 1, last) ||
        !analysis_try(query->server, query->document,
                      replaced(query->arena, lines, line, line, now))) {
        return;
    }
    add_action(query, list, "run these at the same time: PAR", "refactor.rewrite",
               json_pack("[o]", lines_edit(line, line, now)));
}

/* ---- a PROC of its own ---- */

typedef struct Extract {
    const Query *query;
    const View *view;
    uint32_t first; /* lines of the text */
    uint32_t last;
    StringBuilder formals;
    StringBuilder actuals;
    size_t count;
} Extract;

static bool is_selected(const Extract *extract, Location at) {
    return at.file == 1 && at.line >= extract->first && at.line <= extract->last;
}

typedef struct Roles {
    bool is_used;
    bool is_written;
    bool is_input;
    bool is_output;
} Roles;

static Roles roles_of(const Extract *extract, uint32_t name) {
    Roles roles = {0};
    for (uint32_t i = 0; i < extract->view->survey->count.uses; i++) {
        const SurveyUse *use = &extract->view->survey->uses[i];
        if (use->name != name || !is_selected(extract, use->at)) {
            continue;
        }
        roles.is_used = true;
        roles.is_written = roles.is_written || use->role == USE_WRITE;
        roles.is_input = roles.is_input || use->role == USE_INPUT;
        roles.is_output = roles.is_output || use->role == USE_OUTPUT;
    }
    return roles;
}

/* [10]INT of "INITIAL [10]INT a IS b": what stands before the name, without the mode. */
static const char *type_words(Arena *arena, const char *signature, const char *name) {
    static const char *const modes[] = {"VAL ", "INITIAL ", "RESULT "};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        size_t length = strlen(modes[i]);
        signature += strncmp(signature, modes[i], length) == 0 ? length : 0;
    }
    size_t size = strlen(name);
    for (const char *at = strstr(signature, name); at; at = strstr(at + 1, name)) {
        bool is_whole = at > signature && at[-1] == ' ' && !is_name_character(at[size]);
        if (is_whole) {
            return arena_format(arena, "%.*s", (int)(at - signature - 1), signature);
        }
    }
    return NULL;
}

/* A name from outside of these lines, and not of the outermost level, is a parameter. False: it
 * cannot be one. */
static bool add_parameter(Extract *extract, uint32_t number) {
    const Survey *survey = extract->view->survey;
    const SurveyName *name = &survey->names[number];
    Roles roles = roles_of(extract, number);
    bool is_local = name->at.file == 1 && name->parent != SURVEY_NONE &&
                    !is_selected(extract, name->at) && name->kind <= NAME_PARAMETER;
    if (!roles.is_used || !is_local) {
        return true;
    }
    const char *own = survey_text(survey, name->name);
    const char *type = type_words(extract->query->arena, survey_text(survey, name->signature), own);
    if (!type || (roles.is_input && roles.is_output)) {
        return false;
    }
    bool is_channel = roles.is_input || roles.is_output || strstr(type, "CHAN") != NULL;
    const char *mark = roles.is_input ? "?" : roles.is_output ? "!" : "";
    bool is_value = !is_channel && !roles.is_written && strncmp(type, "TIMER", 5) != 0;
    const char *comma = extract->count++ ? ", " : "";
    string_append_format(&extract->formals, "%s%s%s %s%s", comma, is_value ? "VAL " : "", type, own,
                         mark);
    string_append_format(&extract->actuals, "%s%s%s", comma, own, mark);
    return true;
}

static const char *unused_name(const Survey *survey, Arena *arena) {
    for (unsigned i = 1;; i++) {
        const char *name = i == 1 ? "extracted" : arena_format(arena, "extracted.%u", i);
        bool is_used = false;
        for (uint32_t k = 0; k < survey->count.names; k++) {
            is_used = is_used || strcmp(survey_text(survey, survey->names[k].name), name) == 0;
        }
        if (!is_used) {
            return name;
        }
    }
}

/* The outermost definition that holds the line: the new PROC stands above it. */
static uint32_t definition_line(const Lines *lines, uint32_t line) {
    while (line > 1 && lines_indent(lines, line) != 0) {
        line--;
    }
    while (line > 1) { /* its comment stays with it */
        size_t length = 0;
        const char *above = lines_line(lines, line - 1, &length);
        if (length < 2 || strncmp(above, "--", 2) != 0) {
            break;
        }
        line--;
    }
    return line;
}

/* The lines at another column, under a heading that puts them together as they were. */
static void append_body(StringBuilder *text, const Lines *lines, const Extract *extract, int indent,
                        const char *heading) {
    int column = heading ? 4 : 2;
    string_append_format(text, "%s", heading ? heading : "");
    for (uint32_t line = extract->first; line <= extract->last; line++) {
        size_t length = 0;
        const char *own = lines_line(lines, line, &length);
        int blanks = lines_indent(lines, line);
        if (blanks < 0) {
            string_append_format(text, "%.*s\n", (int)length, own);
        } else {
            int from = blanks < indent ? blanks : indent;
            string_append_format(text, "%*s%.*s\n", column, "", (int)length - from, own + from);
        }
    }
}

/* SEQ or PAR over several processes; NULL: one stands alone. */
static const char *heading_of(const Lines *lines, const Extract *extract, int indent) {
    unsigned processes = 0;
    bool is_specification = false;
    for (uint32_t line = extract->first; line <= extract->last; line++) {
        if (lines_indent(lines, line) == indent) {
            size_t length = 0;
            const char *text = lines_line(lines, line, &length);
            while (length && (text[length - 1] == ' ' || text[length - 1] == '\r')) {
                length--;
            }
            is_specification = length && text[length - 1] == ':';
            processes += !is_specification;
        }
    }
    if (processes < 2) {
        return NULL;
    }
    uint32_t above = extract->first;
    while (above > 1 && (lines_indent(lines, above) < 0 || lines_indent(lines, above) >= indent)) {
        above--;
    }
    return line_is(lines, above, "PAR") ? "  PAR\n" : "  SEQ\n";
}

void offer_extraction(Query *query, const View *view, json_t *list, uint32_t first, uint32_t last) {
    const Lines *lines = &query->document->lines;
    int indent = lines_indent(lines, first);
    if (!query->document->is_current || !view->survey->is_whole || indent < 2) {
        return;
    }
    for (uint32_t line = first; line <= last; line++) {
        int own = lines_indent(lines, line);
        if (own >= 0 && own < indent) {
            return; /* it leaves its block */
        }
    }
    Extract extract = {query, view, first, last, {.arena = query->arena}, {.arena = query->arena},
                       0};
    for (uint32_t i = 0; i < view->survey->count.names; i++) {
        if (!add_parameter(&extract, i)) {
            return;
        }
    }
    const char *name = unused_name(view->survey, query->arena);
    uint32_t definition = definition_line(lines, first);
    StringBuilder routine = {.arena = query->arena};
    const char *formals = extract.count ? extract.formals.bytes : "";
    string_append_format(&routine, "PROC %s (%s)\n", name, formals);
    append_body(&routine, lines, &extract, indent, heading_of(lines, &extract, indent));
    string_append_format(&routine, ":\n");
    const char *call = arena_format(query->arena, "%*s%s (%s)\n", indent, "", name,
                                    extract.count ? extract.actuals.bytes : "");
    const char *called = replaced(query->arena, lines, first, last, call);
    Lines now = lines_of(query->arena, called, strlen(called));
    size_t length = 0;
    const char *old = lines_line(&now, definition, &length);
    const char *heading = arena_format(query->arena, "%s%.*s\n", routine.bytes, (int)length, old);
    if (analysis_try(query->server, query->document,
                     replaced(query->arena, &now, definition, definition, heading))) {
        json_t *insertion = lines_edit(definition, definition - 1, routine.bytes);
        add_action(query, list, "make a PROC of these lines", "refactor.extract",
                   json_pack("[o, o]", insertion, lines_edit(first, last, call)));
    }
}
