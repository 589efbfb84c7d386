/* answer_tokens -- what each name is, for its colour; what is written and which end of a channel is
 * used are modifiers. Keywords, numbers and comments the editor's grammar knows. */
#include "answer.h"

/* In the order of the legend. */
enum {
    TOKEN_VARIABLE,
    TOKEN_PARAMETER,
    TOKEN_FUNCTION,
    TOKEN_TYPE,
    TOKEN_INTERFACE,
    TOKEN_PROPERTY,
    TOKEN_ENUM_MEMBER,
    TOKEN_CHANNEL
};
static const char *const types[] = {"variable",  "parameter", "function",   "type",
                                    "interface", "property",  "enumMember", "channel"};
enum {
    MODIFIER_DECLARATION = 1,
    MODIFIER_READONLY = 2,
    MODIFIER_MODIFICATION = 4,
    MODIFIER_INPUT = 8,
    MODIFIER_OUTPUT = 16,
    MODIFIER_LIBRARY = 32
};
static const char *const modifiers[] = {"declaration", "readonly", "modification",
                                        "input",       "output",   "defaultLibrary"};

json_t *answer_tokens_legend(void) {
    json_t *type_names = json_array();
    json_t *modifier_names = json_array();
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        json_array_append_new(type_names, json_string(types[i]));
    }
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        json_array_append_new(modifier_names, json_string(modifiers[i]));
    }
    return json_pack("{s:o, s:o}", "tokenTypes", type_names, "tokenModifiers", modifier_names);
}

static int type_of(const SurveyName *name) {
    switch ((NameKind)name->kind) {
    case NAME_VARIABLE:
    case NAME_CONSTANT:
    case NAME_REPLICATOR: return TOKEN_VARIABLE;
    case NAME_CHANNEL: return TOKEN_CHANNEL;
    case NAME_PARAMETER: return TOKEN_PARAMETER;
    case NAME_PROC:
    case NAME_FUNCTION: return TOKEN_FUNCTION;
    case NAME_PROTOCOL: return TOKEN_INTERFACE;
    case NAME_TYPE: return TOKEN_TYPE;
    case NAME_FIELD: return TOKEN_PROPERTY;
    case NAME_TAG: return TOKEN_ENUM_MEMBER;
    }
    return TOKEN_VARIABLE;
}

static int modifiers_of(const SurveyName *name, const SurveyUse *use) {
    int set = name->at.file != 1 ? MODIFIER_LIBRARY : 0;
    set |= name->kind == NAME_CONSTANT || name->kind == NAME_REPLICATOR ? MODIFIER_READONLY : 0;
    switch ((UseRole)use->role) {
    case USE_DEFINITION: set |= MODIFIER_DECLARATION; break;
    case USE_WRITE: set |= MODIFIER_MODIFICATION; break;
    case USE_INPUT: set |= MODIFIER_INPUT; break;
    case USE_OUTPUT: set |= MODIFIER_OUTPUT; break;
    case USE_READ:
    case USE_CALL:
    case USE_TYPE: break;
    }
    return set;
}

json_t *answer_tokens(Query *query) {
    View view;
    json_t *data = json_array();
    json_int_t line = 0;
    json_int_t column = 0;
    bool is_known = query_view(query, &view);
    for (uint32_t i = 0; is_known && i < view.survey->count.uses; i++) {
        const SurveyUse *use = &view.survey->uses[i];
        Location at = use->at;
        if (at.file != 1 || !view_now(&view, &at)) {
            continue;
        }
        json_t *start = position_value(&query->document->lines, at.line, at.column);
        json_int_t own_line = json_integer_value(json_object_get(start, "line"));
        json_int_t own_column = json_integer_value(json_object_get(start, "character"));
        json_decref(start);
        const SurveyName *name = &view.survey->names[use->name];
        json_int_t entry[] = {own_line - line, own_line == line ? own_column - column : own_column,
                              at.end_column - at.column, type_of(name), modifiers_of(name, use)};
        for (size_t k = 0; k < 5; k++) {
            json_array_append_new(data, json_integer(entry[k]));
        }
        line = own_line;
        column = own_column;
    }
    return json_pack("{s:o}", "data", data);
}
