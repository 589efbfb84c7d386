/* condition -- evaluates #IF while it parses it.
 *
 * Holds: after the first error `is_bad` is set and no other is reported. */
#include "condition.h"

#include <string.h>

enum { MAX_DEPTH = 100 };

typedef struct Condition {
    const ConditionContext *context;
    const char *text;
    size_t length;
    size_t next; /* offset of the next character */
    Location at; /* of text[0] */
    int depth;
    bool is_bad;
} Condition;

static bool parse_condition(Condition *condition, bool is_live);

static Location place(const Condition *condition, size_t from, size_t to) {
    Location at = condition->at;
    at.column += (uint32_t)from;
    at.end_line = at.line;
    at.end_column = condition->at.column + (uint32_t)to;
    return at;
}

static void complain(Condition *condition, DiagId id, size_t from, size_t to, const char *words) {
    if (!condition->is_bad) {
        condition->is_bad = true;
        diag_report(condition->context->diag, id, place(condition, from, to), words);
    }
}

static void expected(Condition *condition, const char *words) {
    size_t to = condition->next < condition->length ? condition->next + 1 : condition->next;
    complain(condition, DIAG_DIRECTIVE_CONDITION, condition->next, to, words);
}

static void skip_blanks(Condition *condition) {
    while (condition->next < condition->length &&
           strchr(" \t\r", condition->text[condition->next])) {
        condition->next++;
    }
}

static bool is_named(char character) {
    return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z') ||
           (character >= '0' && character <= '9') || character == '.';
}

/* The length of the word, number or name at the next character; 0 when there is none. */
static size_t word_length(const Condition *condition) {
    size_t end = condition->next;
    if (end < condition->length && strchr("#$-", condition->text[end])) {
        end++;
    }
    while (end < condition->length && is_named(condition->text[end])) {
        end++;
    }
    return end - condition->next;
}

static bool take_word(Condition *condition, const char *word) {
    skip_blanks(condition);
    size_t length = strlen(word);
    if (word_length(condition) != length ||
        memcmp(condition->text + condition->next, word, length) != 0) {
        return false;
    }
    condition->next += length;
    return true;
}

static bool take_symbol(Condition *condition, const char *symbol) {
    skip_blanks(condition);
    size_t length = strlen(symbol);
    if (condition->length - condition->next < length ||
        memcmp(condition->text + condition->next, symbol, length) != 0) {
        return false;
    }
    condition->next += length;
    return true;
}

static bool parse_defined(Condition *condition) {
    bool has_bracket = take_symbol(condition, "(");
    skip_blanks(condition);
    size_t length = word_length(condition);
    if (length == 0) {
        expected(condition, "a name after DEFINED");
        return false;
    }
    const Text *name =
        text_intern(condition->context->texts, condition->text + condition->next, length);
    condition->next += length;
    if (has_bracket && !take_symbol(condition, ")")) {
        expected(condition, "')' after the name");
    }
    return define_find(condition->context->defines, name) != NULL;
}

/* An operand: where it stands, and its value; is_defined is false for a name without one. */
typedef struct Operand {
    size_t from;
    size_t to;
    const Text *name; /* NULL for a literal */
    bool is_defined;
    DefineValue value;
} Operand;

static Operand parse_operand(Condition *condition) {
    skip_blanks(condition);
    Operand operand = {.from = condition->next, .to = condition->next};
    const char *start = condition->text + condition->next;
    size_t length = word_length(condition);
    if (length == 0 && condition->next < condition->length && *start == '"') {
        const char *end = memchr(start + 1, '"', condition->length - condition->next - 1);
        length = end ? (size_t)(end - start) + 1 : 0;
    }
    if (length == 0) {
        expected(condition, "a name, a number or a string");
        return operand;
    }
    condition->next += length;
    operand.to = condition->next;
    operand.is_defined = define_parse(condition->context->texts, start, length, &operand.value);
    if (!operand.is_defined) {
        operand.name = text_intern(condition->context->texts, start, length);
        const DefineValue *value = define_find(condition->context->defines, operand.name);
        operand.is_defined = value != NULL;
        operand.value = value ? *value : (DefineValue){0};
    }
    return operand;
}

/* False for a name that nobody defined: no comparison with it holds, not even <>. */
static bool check_defined(Condition *condition, const Operand *operand) {
    if (!operand->is_defined && !condition->is_bad && operand->name) {
        const char *name = operand->name->bytes;
        diag_report(condition->context->diag, DIAG_DIRECTIVE_UNDEFINED,
                    place(condition, operand->from, operand->to), name);
        diag_hint(condition->context->diag, "DEFINED (%s) asks without this warning", name);
    }
    return operand->is_defined;
}

static bool check_comparable(Condition *condition, const Operand *operand) {
    bool is_plain = operand->is_defined && operand->value.kind == DEFINE_PLAIN;
    if (is_plain) {
        complain(condition, DIAG_DIRECTIVE_NO_VALUE, operand->from, operand->to,
                 operand->name ? operand->name->bytes : "");
    }
    return check_defined(condition, operand) && !is_plain;
}

static int compare_values(const DefineValue *left, const DefineValue *right) {
    if (left->kind == DEFINE_STRING) {
        return strcmp(left->string->bytes, right->string->bytes);
    }
    return left->number < right->number ? -1 : left->number > right->number;
}

static bool parse_comparison(Condition *condition, bool is_live) {
    static const char *const symbols[] = {"<>", "<=", ">=", "=", "<", ">"};
    Operand left = parse_operand(condition);
    size_t symbol = 0;
    while (symbol < 6 && !take_symbol(condition, symbols[symbol])) {
        symbol++;
    }
    if (symbol == 6) {
        return is_live && check_defined(condition, &left) &&
               (left.value.kind != DEFINE_NUMBER || left.value.number != 0);
    }
    Operand right = parse_operand(condition);
    if (!is_live) {
        return false;
    }
    bool left_counts = check_comparable(condition, &left);
    bool right_counts = check_comparable(condition, &right);
    if (!left_counts || !right_counts) {
        return false;
    }
    if (!condition->is_bad && left.value.kind != right.value.kind) {
        complain(condition, DIAG_DIRECTIVE_NOT_COMPARABLE, left.from, right.to, "");
    }
    if (condition->is_bad) {
        return false;
    }
    int order = compare_values(&left.value, &right.value);
    const bool results[] = {order != 0, order <= 0, order >= 0, order == 0, order<0, order> 0};
    return results[symbol];
}

static bool parse_primary(Condition *condition, bool is_live) {
    bool is_true = false;
    if (++condition->depth > MAX_DEPTH) {
        expected(condition, "fewer brackets");
    }
    if (condition->is_bad) {
        is_true = false;
    } else if (take_symbol(condition, "(")) {
        is_true = parse_condition(condition, is_live);
        if (!take_symbol(condition, ")")) {
            expected(condition, "')'");
        }
    } else if (take_word(condition, "NOT")) {
        is_true = !parse_primary(condition, is_live);
    } else if (take_word(condition, "DEFINED")) {
        is_true = parse_defined(condition);
    } else {
        is_true = parse_comparison(condition, is_live);
    }
    condition->depth--;
    return is_true;
}

static bool parse_condition(Condition *condition, bool is_live) {
    bool is_true = parse_primary(condition, is_live);
    while (!condition->is_bad) {
        if (take_word(condition, "AND")) {
            is_true = parse_primary(condition, is_live && is_true) && is_true;
        } else if (take_word(condition, "OR")) {
            is_true = parse_primary(condition, is_live && !is_true) || is_true;
        } else {
            break;
        }
    }
    return is_true;
}

bool condition_evaluate(const ConditionContext *context, const char *text, size_t length,
                        Location at) {
    Condition condition = {.context = context, .text = text, .length = length, .at = at};
    bool is_true = parse_condition(&condition, true);
    skip_blanks(&condition);
    if (condition.next < condition.length) {
        expected(&condition, "the end of the line");
    }
    return is_true && !condition.is_bad;
}
