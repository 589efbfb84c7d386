/* answer_completion -- what may come here: names that are seen, tags behind an output, fields in
 * brackets, units of the library, keywords. */
#include "answer.h"

#include "diag_json.h"
#include "text.h"
#include "token.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>

/* Kinds of the protocol. */
enum {
    ITEM_FUNCTION = 3,
    ITEM_FIELD = 5,
    ITEM_VARIABLE = 6,
    ITEM_CLASS = 7,
    ITEM_INTERFACE = 8,
    ITEM_MODULE = 9,
    ITEM_KEYWORD = 14,
    ITEM_ENUM_MEMBER = 20,
    ITEM_CONSTANT = 21
};

static int item_kind(const SurveyName *name) {
    switch ((NameKind)name->kind) {
    case NAME_VARIABLE:
    case NAME_CHANNEL:
    case NAME_REPLICATOR:
    case NAME_PARAMETER: return ITEM_VARIABLE;
    case NAME_CONSTANT: return ITEM_CONSTANT;
    case NAME_PROC:
    case NAME_FUNCTION: return ITEM_FUNCTION;
    case NAME_PROTOCOL: return ITEM_INTERFACE;
    case NAME_TYPE: return ITEM_CLASS;
    case NAME_FIELD: return ITEM_FIELD;
    case NAME_TAG: return ITEM_ENUM_MEMBER;
    }
    return ITEM_VARIABLE;
}

/* ---- items ---- */

/* `${1:VAL INT n}` for each formal: the editor's caret goes from one to the next. */
static const char *call_snippet(const Query *query, const Survey *survey, const SurveyName *name) {
    StringBuilder words = {.arena = query->arena};
    string_append_format(&words, "%s (", survey_text(survey, name->name));
    for (uint32_t i = 0; i < name->formal_count; i++) {
        string_append_format(&words, "%s${%u:", i ? ", " : "", i + 1);
        const char *formal = survey_text(survey, survey->formals[name->first_formal + i]);
        for (const char *at = formal; *at; at++) {
            string_append_format(&words, strchr("$}\\", *at) ? "\\%c" : "%c", *at);
        }
        string_append_format(&words, "}");
    }
    string_append_format(&words, ")");
    return words.bytes;
}

/* An editor may think that a name ends at a dot: what is typed of it is replaced as a whole. */
static void replace_word(const Query *query, json_t *item, const char *inserted) {
    const char *word = NULL;
    size_t length = query_word(query, &word);
    Location at = {1, query->spot.line, query->spot.column - (uint32_t)length, query->spot.line,
                   query->spot.column};
    if (length && memchr(word, '.', length)) {
        json_object_set_new(item, "textEdit",
                            json_pack("{s:o, s:o}", "range",
                                      range_value(&query->document->lines, at), "newText",
                                      json_words(inserted)));
    } else if (strcmp(inserted, json_string_value(json_object_get(item, "label"))) != 0) {
        json_object_set_new(item, "insertText", json_words(inserted));
    }
}

static json_t *item_value(const Query *query, const Survey *survey, const SurveyName *name) {
    json_t *item =
        json_pack("{s:o, s:i, s:o}", "label", json_words(survey_text(survey, name->name)), "kind",
                  item_kind(name), "detail", json_words(survey_text(survey, name->signature)));
    if (name->comment) {
        json_object_set_new(item, "documentation",
                            json_pack("{s:s, s:o}", "kind", "markdown", "value",
                                      json_words(survey_text(survey, name->comment))));
    }
    json_object_set_new(item, "sortText",
                        json_string(name->at.file == 1 ? "1"
                                    : name->at.file    ? "2"
                                                       : "4"));
    const char *inserted = survey_text(survey, name->name);
    if (name->formal_count && query->server->has_snippets) {
        inserted = call_snippet(query, survey, name);
        json_object_set_new(item, "insertTextFormat", json_integer(2));
    }
    replace_word(query, item, inserted);
    return item;
}

static void add_names(const Query *query, const View *view, json_t *list, json_t *seen) {
    for (uint32_t i = view->survey->count.names; i-- > 0;) {
        const SurveyName *name = &view->survey->names[i];
        const char *text = survey_text(view->survey, name->name);
        if (name_is_seen(query, view, name) && !json_object_get(seen, text)) {
            json_object_set_new(seen, text, json_true());
            json_array_append_new(list, item_value(query, view->survey, name));
        }
    }
}

static void add_parts(const Query *query, const View *view, uint32_t parent, json_t *list) {
    for (uint32_t i = 0; i < view->survey->count.names; i++) {
        const SurveyName *name = &view->survey->names[i];
        if (name->parent == parent && (name->kind == NAME_FIELD || name->kind == NAME_TAG)) {
            json_array_append_new(list, item_value(query, view->survey, name));
        }
    }
}

static void add_keywords(json_t *list) {
    const char *word;
    for (size_t i = 0; (word = keyword_numbered(i)); i++) {
        if (isalpha((unsigned char)word[0])) {
            json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "label", word, "kind",
                                                  ITEM_KEYWORD, "sortText", "3"));
        }
    }
}

static void add_predefined(json_t *list, const json_t *seen) {
    static const char *const names[] = {
#define REFUSED_NAME(name)
#define ADDRESS_NAME(name)
#define BUILT_NAME(name)                              name,
#define VALUE_NAME(name)                              name,
#define PREDEFINED(ID, name, results, formals, group) group##_NAME(name)
#include "predefined.def"
#undef PREDEFINED
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!json_object_get(seen, names[i])) {
            json_array_append_new(list, json_pack("{s:s, s:i, s:s, s:s}", "label", names[i], "kind",
                                                  ITEM_FUNCTION, "sortText", "4", "detail",
                                                  "predefined"));
        }
    }
}

/* ---- what stands before the word ---- */

/* The name before the last byte at `end`, blanks apart, subscripts left out: c of `c[i] ! `. */
static size_t name_before(const char *line, size_t end, const char **start) {
    int depth = 0;
    while (end > 0) {
        char last = line[end - 1];
        depth += last == ']' ? 1 : last == '[' ? -1 : 0;
        if (depth == 0 && last != '[' && last != ']' && last != ' ') {
            break;
        }
        end--;
    }
    size_t first = end;
    while (first > 0 && is_name_character(line[first - 1])) {
        first--;
    }
    *start = line + first;
    return end - first;
}

/* Behind `c !`, and behind `c ? CASE`: the protocol of c; SURVEY_NONE: it stands elsewhere. */
static uint32_t protocol_before(const Query *query, const char *line, size_t end, View *view) {
    while (end > 0 && line[end - 1] == ' ') {
        end--;
    }
    if (end >= 4 && memcmp(line + end - 4, "CASE", 4) == 0) {
        for (end -= 4; end > 0 && line[end - 1] == ' '; end--) {
        }
    }
    if (end == 0 || (line[end - 1] != '!' && line[end - 1] != '?')) {
        return SURVEY_NONE;
    }
    const char *start = NULL;
    size_t length = name_before(line, end - 1, &start);
    const SurveyName *name = length ? query_lookup(query, start, length, view) : NULL;
    return name ? name->protocol : SURVEY_NONE;
}

/* In the lines below `c ? CASE`, at their indentation: the protocol of c. */
static uint32_t protocol_above(const Query *query, View *view) {
    const Lines *lines = &query->document->lines;
    int own = lines_indent(lines, query->spot.line);
    int column = own >= 0 ? own : (int)query->spot.column - 1;
    for (uint32_t line = query->spot.line - 1; line > 0; line--) {
        int indent = lines_indent(lines, line);
        size_t length = 0;
        const char *text = lines_line(lines, line, &length);
        bool is_code = indent >= 0 && strncmp(text + indent, "--", 2) != 0;
        if (is_code && indent < column) {
            while (length > 0 && text[length - 1] == ' ') {
                length--;
            }
            bool is_case = length >= 4 && memcmp(text + length - 4, "CASE", 4) == 0;
            return is_case && indent + 2 == column ? protocol_before(query, text, length, view)
                                                   : SURVEY_NONE;
        }
    }
    return SURVEY_NONE;
}

/* ---- units ---- */

static void add_units_of(const char *folder, json_t *list) {
    DIR *directory = opendir(folder);
    struct dirent *entry = NULL;
    while (directory && (entry = readdir(directory)) != NULL) {
        char *dot = strrchr(entry->d_name, '.');
        bool is_unit = dot && dot != entry->d_name && strcmp(dot, ".module") == 0;
        if (is_unit) {
            *dot = '\0';
            json_array_append_new(list, json_pack("{s:o, s:i}", "label", json_words(entry->d_name),
                                                  "kind", ITEM_MODULE));
        }
    }
    if (directory) {
        closedir(directory);
    }
}

static bool is_in_use(const char *line, size_t end) {
    size_t at = 0;
    while (at < end && line[at] == ' ') {
        at++;
    }
    return end - at >= 4 && memcmp(line + at, "#USE", 4) == 0;
}

static bool is_comment(const char *line, size_t end) {
    bool in_string = false;
    for (size_t i = 0; i + 1 < end; i++) {
        in_string = line[i] == '"' && (i == 0 || line[i - 1] != '*') ? !in_string : in_string;
        if (!in_string && line[i] == '-' && line[i + 1] == '-') {
            return true;
        }
    }
    return in_string;
}

/* ---- the answer ---- */

json_t *answer_completion(Query *query) {
    json_t *list = json_array();
    size_t length = 0;
    const char *line = lines_line(&query->document->lines, query->spot.line, &length);
    const char *word = NULL;
    size_t end = spot_byte(&query->document->lines, query->spot) - query_word(query, &word);
    View view;
    if (is_in_use(line, end)) {
        add_units_of(query->server->installation.stdlib, list);
        return list;
    }
    if (is_comment(line, end) || !query_view(query, &view)) {
        return list;
    }
    uint32_t protocol = protocol_before(query, line, end, &view);
    protocol = protocol == SURVEY_NONE ? protocol_above(query, &view) : protocol;
    if (protocol != SURVEY_NONE) {
        add_parts(query, &view, protocol, list);
    }
    json_t *seen = json_object();
    const Document *document = query->document;
    view = view_of(document, document->latest);
    add_names(query, &view, list, seen);
    if (!view.survey->is_whole && document->whole) {
        view = view_of(document, document->whole);
        add_names(query, &view, list, seen);
    }
    add_predefined(list, seen);
    json_decref(seen);
    add_keywords(list);
    return list;
}
