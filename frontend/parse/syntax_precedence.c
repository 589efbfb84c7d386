/* syntax_precedence -- two operators side by side: which parentheses are offered.
 *
 * Holds: the fix-it follows what other languages would read where they agree (the product before
 *        the sum, from the left among equals); where they do not, both ways are shown. */
#include "syntax_hint.h"

#include "among.h"

/* ---- the expression before the operator ---- */

static bool ends_operand(TokenKind kind) {
    return AMONG(kind, TOKEN_NAME, TOKEN_INTEGER, TOKEN_REAL_LITERAL, TOKEN_BYTE_LITERAL,
                 TOKEN_STRING, TOKEN_RPAREN, TOKEN_RBRACKET, TOKEN_BOX, TOKEN_TRUE, TOKEN_FALSE);
}

/* A token that an expression follows: where the search for its start ends. */
static bool precedes_expression(TokenKind kind) {
    return AMONG(kind, TOKEN_ASSIGN, TOKEN_COMMA, TOKEN_SEMICOLON, TOKEN_COLON, TOKEN_IS,
                 TOKEN_RETYPES, TOKEN_RESHAPES, TOKEN_BANG, TOKEN_QUERY, TOKEN_AMPERSAND, TOKEN_BAR,
                 TOKEN_COUNT, TOKEN_WHILE, TOKEN_CASE, TOKEN_IF, TOKEN_FOR, TOKEN_FROM, TOKEN_STEP,
                 TOKEN_RESULT, TOKEN_AT);
}

size_t slip_expression_start(const Slip *slip, size_t end) {
    int depth = 0;
    size_t start = end;
    while (start > 0) {
        TokenKind kind = slip->line[start - 1].kind;
        if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET) {
            depth++;
        } else if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_CONSTRUCTOR) {
            depth--;
        }
        if (depth < 0 || (depth == 0 && precedes_expression(kind))) {
            break;
        }
        start--;
    }
    return start;
}

/* ---- which operator the writer meant to come first ---- */

enum { COMPARISON = 3 };

/* How tightly operators bind in the languages that have precedence; 0: no common opinion. */
static int level_of(TokenKind kind) {
    static const signed char levels[TOKEN_KIND_COUNT] = {[TOKEN_MULTIPLY] = 5,
                                                         [TOKEN_DIVIDE] = 5,
                                                         [TOKEN_REMAINDER] = 5,
                                                         [TOKEN_TIMES] = 5,
                                                         [TOKEN_ADD] = 4,
                                                         [TOKEN_SUBTRACT] = 4,
                                                         [TOKEN_PLUS] = 4,
                                                         [TOKEN_MINUS] = 4,
                                                         [TOKEN_EQUAL] = COMPARISON,
                                                         [TOKEN_NOT_EQUAL] = COMPARISON,
                                                         [TOKEN_LESS] = COMPARISON,
                                                         [TOKEN_LESS_EQUAL] = COMPARISON,
                                                         [TOKEN_GREATER] = COMPARISON,
                                                         [TOKEN_GREATER_EQUAL] = COMPARISON,
                                                         [TOKEN_NOT] = 2,
                                                         [TOKEN_AND] = 1,
                                                         [TOKEN_OR] = 1};
    return levels[kind];
}

/* The last operator between start and end outside of brackets, or a NOT at start; end: none. */
static size_t left_operator(const Slip *slip, size_t start, size_t end) {
    size_t found = slip->line[start].kind == TOKEN_NOT ? start : end;
    int depth = 0;
    for (size_t i = start; i < end; i++) {
        TokenKind kind = slip->line[i].kind;
        depth += kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_CONSTRUCTOR;
        depth -= kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET;
        if (depth == 0 && i > start && token_class(kind) == CLASS_OPERATOR) {
            found = i;
        }
    }
    return found;
}

static bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '#';
}

/* Its tokens are not read yet, so by its characters: a name or number with what stands in brackets
 * behind it. */
uint32_t slip_operand_end(const Slip *slip) {
    size_t length = 0;
    Location at = slip->found->at;
    const char *line = source_line(slip->parse->compiler->sources, at.file, at.line, &length);
    size_t i = at.end_column - 1;
    while (i < length && line[i] == ' ') {
        i++;
    }
    size_t start = i;
    while (i < length && is_word_character(line[i])) {
        i++;
    }
    int depth = 0;
    for (; i < length && (depth > 0 || line[i] == '(' || line[i] == '['); i++) {
        depth += line[i] == '(' || line[i] == '[';
        depth -= line[i] == ')' || line[i] == ']';
        if (line[i] == '"' || line[i] == '\'' || (unsigned char)line[i] >= 128) {
            return 0;
        }
    }
    bool is_end = slip->found->kind == TOKEN_CLOSED && i < length;
    i += is_end && (line[i] == '!' || line[i] == '?');
    return depth == 0 && i > start ? (uint32_t)i + 1 : 0;
}

static void offer_parentheses(const Slip *slip, size_t start) {
    size_t end = slip->count - 1;
    size_t left = left_operator(slip, start, end);
    int right_level = level_of(slip->found->kind);
    int left_level = left == end ? 9 : level_of(slip->line[left].kind);
    bool is_chain = left_level == COMPARISON && right_level == COMPARISON;
    bool is_left = left == end || (slip->line[left].kind == slip->found->kind && !is_chain) ||
                   (right_level > 0 && left_level >= right_level && !is_chain);
    Location first = slip->line[start].at;
    Location before = slip->before->at;
    if (first.line != slip->found->at.line || before.end_line != first.line) {
        return;
    }
    uint32_t right_end = slip_operand_end(slip);
    if (is_left) {
        diag_fixit(slip->diag, slip_before(first), "(");
        diag_fixit(slip->diag, slip_after(before), ")");
    } else if (left_level > 0 && left_level < right_level && right_end) {
        Location after = slip->found->at;
        after.column = after.end_column = right_end;
        diag_fixit(slip->diag, slip_before(slip->line[left + 1].at), "(");
        diag_fixit(slip->diag, after, ")");
    } else if (is_chain) {
        diag_hint(slip->diag, "write (a %s b) AND (b %s c)", slip_spelling(&slip->line[left]),
                  slip_spelling(slip->found));
    } else {
        diag_hint(slip->diag, "write (a %s b) %s c or a %s (b %s c)",
                  slip_spelling(&slip->line[left]), slip_spelling(slip->found),
                  slip_spelling(&slip->line[left]), slip_spelling(slip->found));
    }
}

/* ---- the rule ---- */

bool try_precedence(const Slip *slip) {
    bool is_after_type = token_class(slip->before ? slip->before->kind : TOKEN_NL) == CLASS_TYPE;
    if (is_after_type && slip->expected->has[TOKEN_NAME]) {
        return false; /* VAL INT REM: a name is due */
    }
    if (token_class(slip->found->kind) != CLASS_OPERATOR || !slip->before ||
        !(ends_operand(slip->before->kind) || is_after_type) ||
        slip->expected->has[slip->found->kind] || slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    size_t start = slip_expression_start(slip, slip->count - 1);
    if (start + 2 > slip->count - 1) {
        return false; /* one operand only: something else is wrong */
    }
    diag_report(slip->diag, DIAG_SYNTAX_PRECEDENCE, slip->found->at);
    diag_label(slip->diag, location_join(slip->line[start].at, slip->before->at),
               "this is complete before '%s'", slip_spelling(slip->found));
    offer_parentheses(slip, start);
    return true;
}
