/* export_text -- names in models. See the header. */
#include "export_text.h"

#include <inttypes.h>

enum { NAME_BYTES = 24 };

static const char *name_of(Arena *arena, const char *what, unsigned number, const char *name) {
    char kept[NAME_BYTES + 1];
    size_t length = 0;
    for (; name[length] && length < NAME_BYTES; length++) {
        char byte = name[length];
        bool is_kept = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9');
        kept[length] = is_kept ? byte : '_';
    }
    kept[length] = '\0';
    return arena_format(arena, "%s%u_%s", what, number, kept);
}

const char *export_channel_name(Arena *arena, const SkeletonChannel *channel) {
    return name_of(arena, channel->is_mutex ? "m" : "c", channel->number, channel->name);
}

const char *export_variable_name(Arena *arena, const SkeletonVariable *variable) {
    return name_of(arena, "i", variable->number, variable->name);
}

static const char *operator_text(Operator op, const ExportWords *words) {
    static const char *const operators[OPERATOR_COUNT] = {
        [OPERATOR_ADD] = "+",         [OPERATOR_PLUS] = "+",       [OPERATOR_SUBTRACT] = "-",
        [OPERATOR_MINUS] = "-",       [OPERATOR_NEGATE] = "-",     [OPERATOR_MULTIPLY] = "*",
        [OPERATOR_TIMES] = "*",       [OPERATOR_DIVIDE] = "/",     [OPERATOR_REMAINDER] = "%",
        [OPERATOR_EQUAL] = "==",      [OPERATOR_NOT_EQUAL] = "!=", [OPERATOR_LESS] = "<",
        [OPERATOR_LESS_EQUAL] = "<=", [OPERATOR_GREATER] = ">",    [OPERATOR_GREATER_EQUAL] = ">=",
    };
    return op == OPERATOR_AND ? words->both : op == OPERATOR_OR ? words->either : operators[op];
}

const char *export_value(Arena *arena, const SkeletonValue *value, const ExportWords *words) {
    switch (value->kind) {
    case VALUE_NUMBER: return arena_format(arena, "%" PRId64, value->number);
    case VALUE_VARIABLE: return export_variable_name(arena, value->variable);
    case VALUE_ANY: return "true";
    default: break;
    }
    const char *right = export_value(arena, value->right, words);
    return value->op == OPERATOR_NOT
               ? arena_format(arena, "(%s%s)", words->no, right)
               : arena_format(arena, "(%s %s %s)", export_value(arena, value->left, words),
                              operator_text(value->op, words), right);
}
