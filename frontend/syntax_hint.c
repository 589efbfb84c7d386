/* syntax_hint -- the slips of people who know other languages, each with a message and, where one
 * is sure, the text that mends it.
 *
 * Holds: each function looks at the token found, the statement up to it and what was expected, and
 *        returns true when it has reported. They are tried in the order of `rules`. */
#include "parse_state.h"

#include <string.h>

typedef struct Slip {
    Parse *parse;
    Diag *diag;
    const ExpectedSet *expected;
    const Token *found;
    const Token *line; /* the statement up to found, found included unless it is layout */
    size_t count;
    const Token *before; /* the token before found in its statement; NULL when it is the first */
} Slip;

/* ---- helpers ---- */

static bool is_layout(TokenKind kind) {
    return kind <= TOKEN_OUTDENT;
}

static bool expects_operand(const Slip *slip) {
    return slip->expected->has[TOKEN_INTEGER] && slip->expected->has[TOKEN_LPAREN];
}

static bool ends_operand(TokenKind kind) {
    switch ((int)kind) {
    case TOKEN_NAME:
    case TOKEN_INTEGER:
    case TOKEN_REAL_LITERAL:
    case TOKEN_BYTE_LITERAL:
    case TOKEN_STRING:
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_BOX:
    case TOKEN_TRUE:
    case TOKEN_FALSE: return true;
    default: return false;
    }
}

static const char *spelling(const Token *token) {
    return token->kind == TOKEN_USER_OPERATOR ? token->text->bytes : token_shown(token->kind);
}

static bool is_operator_spelled(const Token *token, const char *spelled) {
    return token->kind == TOKEN_USER_OPERATOR && strcmp(token->text->bytes, spelled) == 0;
}

static Location just_after(Location at) {
    return (Location){at.file, at.end_line, at.end_column, at.end_line, at.end_column};
}

static Location just_before(Location at) {
    return (Location){at.file, at.line, at.column, at.line, at.column};
}

/* ---- keywords in lower case ---- */

/* The keyword that a name would be in capitals; TOKEN_NAME when none. */
static TokenKind capital_keyword(const Token *token) {
    char upper[32];
    if (token->kind != TOKEN_NAME || !token->text || token->text->length >= sizeof upper) {
        return TOKEN_NAME;
    }
    bool has_lower = false;
    for (uint32_t i = 0; i <= token->text->length; i++) {
        char letter = token->text->bytes[i];
        bool is_lower = letter >= 'a' && letter <= 'z';
        has_lower = has_lower || is_lower;
        upper[i] = (char)(is_lower ? letter - 'a' + 'A' : letter);
    }
    if (!has_lower) {
        return TOKEN_NAME;
    }
    for (int kind = TOKEN_AFTER; kind < TOKEN_KIND_COUNT; kind++) {
        if (strcmp(token_shown((TokenKind)kind), upper) == 0) {
            return (TokenKind)kind;
        }
    }
    return TOKEN_NAME;
}

static bool report_lower_case(const Slip *slip, const Token *token, TokenKind kind) {
    diag_report(slip->diag, DIAG_SYNTAX_LOWER_CASE, token->at, token_shown(kind));
    diag_fixit(slip->diag, token->at, token_shown(kind));
    return true;
}

/* The word that begins the statement is used as a keyword and not as a variable. */
static bool is_used_as_keyword(const Slip *slip, TokenKind kind) {
    TokenKind second = slip->count > 1 ? slip->line[1].kind : TOKEN_NL;
    switch ((int)second) {
    case TOKEN_ASSIGN:
    case TOKEN_BANG:
    case TOKEN_QUERY:
    case TOKEN_COMMA:
    case TOKEN_LBRACKET:
    case TOKEN_SEMICOLON:
    case TOKEN_EQUAL: return false;
    case TOKEN_LPAREN: return kind == TOKEN_IF || kind == TOKEN_WHILE || kind == TOKEN_CASE;
    default: return true;
    }
}

static bool try_lower_case(const Slip *slip) {
    if (slip->count == 0) {
        return false;
    }
    TokenKind first = capital_keyword(&slip->line[0]);
    if (first == TOKEN_FOR && slip->count > 1 && slip->line[1].kind != TOKEN_ASSIGN) {
        diag_report(slip->diag, DIAG_SYNTAX_LOOP, slip->line[0].at);
        return true;
    }
    TokenClass class = token_class(first);
    if (first != TOKEN_NAME && is_used_as_keyword(slip, first) &&
        (class == CLASS_PROCESS || class == CLASS_SPEC || class == CLASS_TYPE ||
         first == TOKEN_ELSE)) {
        return report_lower_case(slip, &slip->line[0], first);
    }
    TokenKind kind = capital_keyword(slip->found);
    if (kind != TOKEN_NAME && slip->expected->has[kind]) {
        return report_lower_case(slip, slip->found, kind);
    }
    if (slip->before) {
        kind = capital_keyword(slip->before);
        class = token_class(kind);
        if (kind == TOKEN_NOT || (kind != TOKEN_NAME && class == CLASS_TYPE)) {
            return report_lower_case(slip, slip->before, kind);
        }
    }
    return false;
}

/* ---- assignment, comparison, declaration ---- */

static bool try_declaration_value(const Slip *slip) {
    bool is_value = slip->found->kind == TOKEN_ASSIGN || slip->found->kind == TOKEN_EQUAL;
    if (!is_value || !slip->expected->has[TOKEN_COLON] || !slip->expected->has[TOKEN_IS]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_VALUE, slip->found->at);
    diag_hint(slip->diag, "a variable with a first value is INITIAL INT x IS 5:  and a constant is "
                          "VAL INT x IS 5:");
    return true;
}

static bool try_assignment(const Slip *slip) {
    bool is_equal = slip->found->kind == TOKEN_EQUAL || is_operator_spelled(slip->found, "==");
    if (!is_equal || !slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ASSIGN, slip->found->at);
    diag_fixit(slip->diag, slip->found->at, ":=");
    return true;
}

static bool try_comparison(const Slip *slip) {
    if (slip->found->kind != TOKEN_ASSIGN || !slip->expected->has[TOKEN_EQUAL]) {
        return false;
    }
    for (size_t i = 1; i < slip->count; i++) {
        if (slip->line[i].starts_line) {
            return false; /* rather a line that goes on by mistake */
        }
    }
    diag_report(slip->diag, DIAG_SYNTAX_COMPARE, slip->found->at);
    diag_fixit(slip->diag, slip->found->at, "=");
    return true;
}

static bool try_increment(const Slip *slip) {
    if (!is_operator_spelled(slip->found, "++") || !slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_INCREMENT, slip->found->at, "++");
    diag_hint(slip->diag, "write x := x + 1");
    return true;
}

static bool try_arrow(const Slip *slip) {
    if (slip->found->kind != TOKEN_LESS ||
        !(slip->expected->has[TOKEN_ASSIGN] || expects_operand(slip))) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ARROW, slip->found->at);
    return true;
}

static bool try_semicolon(const Slip *slip) {
    if (slip->found->kind != TOKEN_SEMICOLON || slip->expected->has[TOKEN_SEMICOLON] ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->found->at);
    diag_fixit(slip->diag, slip->found->at, "");
    return true;
}

/* ---- operators without precedence ---- */

/* A token that an expression follows: where the search for its start ends. */
static bool precedes_expression(TokenKind kind) {
    switch ((int)kind) {
    case TOKEN_ASSIGN:
    case TOKEN_COMMA:
    case TOKEN_SEMICOLON:
    case TOKEN_COLON:
    case TOKEN_IS:
    case TOKEN_RETYPES:
    case TOKEN_RESHAPES:
    case TOKEN_BANG:
    case TOKEN_QUERY:
    case TOKEN_AMPERSAND:
    case TOKEN_BAR:
    case TOKEN_COUNT:
    case TOKEN_WHILE:
    case TOKEN_CASE:
    case TOKEN_IF:
    case TOKEN_FOR:
    case TOKEN_FROM:
    case TOKEN_STEP:
    case TOKEN_RESULT:
    case TOKEN_AT: return true;
    default: return false;
    }
}

/* The index of the first token of the expression that ends just before `end`. */
static size_t expression_start(const Slip *slip, size_t end) {
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

static bool try_precedence(const Slip *slip) {
    if (token_class(slip->found->kind) != CLASS_OPERATOR || !slip->before ||
        !(ends_operand(slip->before->kind) || token_class(slip->before->kind) == CLASS_TYPE) ||
        slip->expected->has[slip->found->kind] || slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    size_t start = expression_start(slip, slip->count - 1);
    if (start + 2 > slip->count - 1) {
        return false; /* one operand only: something else is wrong */
    }
    diag_report(slip->diag, DIAG_SYNTAX_PRECEDENCE, slip->found->at);
    Location left = location_join(slip->line[start].at, slip->before->at);
    diag_label(slip->diag, left, "this is complete before '%s'", spelling(slip->found));
    if (left.line == left.end_line && left.line == slip->found->at.line) {
        diag_fixit(slip->diag, just_before(left), "(");
        diag_fixit(slip->diag, just_after(left), ")");
    }
    return true;
}

static bool try_operand_parentheses(const Slip *slip) {
    TokenKind kind = slip->found->kind;
    TokenClass class = token_class(kind);
    bool is_expression_only = class == CLASS_MONADIC || class == CLASS_TYPE ||
                              kind == TOKEN_SUBTRACT || kind == TOKEN_MINUS ||
                              kind == TOKEN_USER_OPERATOR;
    if (!is_expression_only || !expects_operand(slip) || !slip->before ||
        slip->expected->has[kind]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_PARENTHESES, slip->found->at, spelling(slip->found));
    diag_hint(slip->diag, "operators have no precedence: write ... (%s ...)",
              spelling(slip->found));
    return true;
}

/* ---- ':' and blocks ---- */

static bool try_missing_colon(const Slip *slip) {
    if (!slip->expected->has[TOKEN_COLON]) {
        return false;
    }
    if (slip->found->kind == TOKEN_NL && slip->count > 0 && slip->line[0].kind != TOKEN_COLON) {
        diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_COLON, slip->found->at);
        diag_fixit(slip->diag, just_before(slip->found->at), ":");
        return true;
    }
    if (slip->expected->count == 1 && (slip->found->starts_line || is_layout(slip->found->kind)) &&
        slip->found->kind != TOKEN_NL) {
        diag_report(slip->diag, DIAG_SYNTAX_MISSING_COLON, slip->found->at);
        diag_hint(slip->diag, "a line with only ':' ends it, in the column of its first word");
        return true;
    }
    return false;
}

static bool try_closing_colon(const Slip *slip) {
    if (slip->found->kind != TOKEN_COLON || slip->found->starts_line ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    TokenClass class = slip->count ? token_class(slip->line[0].kind) : CLASS_OTHER;
    if (class == CLASS_SPEC || class == CLASS_TYPE) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_CLOSING_COLON, slip->found->at);
    slip->parse->owed_colon = 3;
    return true;
}

static bool try_missing_block(const Slip *slip) {
    if (!slip->expected->has[TOKEN_INDENT] || slip->expected->count != 1) {
        return false;
    }
    const Token *head =
        is_layout(slip->found->kind) && slip->count ? &slip->line[0] : &slip->parse->above;
    if (!location_is_known(head->at)) {
        return false;
    }
    const char *name = token_is_spelled(head->kind) && head->kind >= TOKEN_AFTER
                           ? token_shown(head->kind)
                           : "this line";
    diag_report(slip->diag, DIAG_SYNTAX_MISSING_BLOCK, head->at, name);
    diag_label(slip->diag, slip->found->at, "expected two spaces deeper");
    return true;
}

static bool try_unexpected_block(const Slip *slip) {
    if (slip->found->kind != TOKEN_INDENT) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED_BLOCK, slip->found->at);
    if (slip->count) {
        diag_label(slip->diag, location_join(slip->line[0].at, slip->line[slip->count - 1].at),
                   "this line is complete");
    }
    return true;
}

static bool try_specification_last(const Slip *slip) {
    if ((slip->found->kind != TOKEN_OUTDENT && slip->found->kind != TOKEN_END) ||
        !slip->expected->has[TOKEN_SKIP] || slip->count == 0 ||
        slip->line[slip->count - 1].kind != TOKEN_COLON) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SPECIFICATION_LAST, slip->line[0].at);
    return true;
}

/* ---- the rest ---- */

static bool try_if_else(const Slip *slip) {
    if (slip->found->kind != TOKEN_ELSE) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_IF_ELSE, slip->found->at);
    diag_hint(slip->diag, "the condition of its last choice is TRUE; ELSE belongs to CASE");
    diag_fixit(slip->diag, slip->found->at, "TRUE");
    return true;
}

static bool try_function_mark(const Slip *slip) {
    if (!slip->before || slip->count != 2 || token_class(slip->found->kind) != CLASS_TYPE) {
        return false;
    }
    TokenKind mark = slip->before->kind;
    if (mark != TOKEN_REC && mark != TOKEN_RECURSIVE && mark != TOKEN_INLINE) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_FUNCTION_MARK, slip->before->at, token_shown(mark),
                token_shown(mark));
    return true;
}

static bool try_valof_process(const Slip *slip) {
    if (!slip->expected->has[TOKEN_RESULT] || !slip->expected->has[TOKEN_OUTDENT] ||
        slip->expected->count != 2 || is_layout(slip->found->kind)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ONE_PROCESS, slip->found->at, "VALOF");
    diag_hint(slip->diag, "put them under SEQ; RESULT follows in the column of the process");
    return true;
}

static bool try_outermost(const Slip *slip) {
    if (slip->parse->depth != 0 || slip->count == 0 ||
        !(slip->found->kind == TOKEN_ASSIGN ||
          (slip->found->starts_line && token_class(slip->found->kind) == CLASS_PROCESS &&
           slip->expected->has[TOKEN_PROC]))) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_OUTERMOST, slip->line[0].at);
    return true;
}

bool syntax_error_common(Parse *parse, const ExpectedSet *expected) {
    static bool (*const rules[])(const Slip *) = {
        try_lower_case,
        try_declaration_value,
        try_assignment,
        try_increment,
        try_arrow,
        try_comparison,
        try_semicolon,
        try_precedence,
        try_operand_parentheses,
        try_missing_colon,
        try_closing_colon,
        try_missing_block,
        try_specification_last,
        try_unexpected_block,
        try_if_else,
        try_function_mark,
        try_outermost,
        try_valof_process,
    };
    Slip slip = {.parse = parse,
                 .diag = parse->compiler->diag,
                 .expected = expected,
                 .found = &parse->last,
                 .line = parse->line.items,
                 .count = parse->line.count};
    if (is_layout(slip.found->kind)) {
        slip.before = slip.count ? &slip.line[slip.count - 1] : NULL;
    } else {
        slip.before = slip.count > 1 ? &slip.line[slip.count - 2] : NULL;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i](&slip)) {
            return true;
        }
    }
    return false;
}

/* ---- operators that no FUNCTION defines ---- */

typedef struct Replacement {
    const char *written;
    Operator op;
    const char *word;
} Replacement;

static const Replacement replacements[] = {
    {"==", OPERATOR_EQUAL, "="},  {"&&", OPERATOR_AND, "AND"}, {"%", OPERATOR_REMAINDER, "\\"},
    {"^", OPERATOR_BITXOR, "><"}, {"!!", OPERATOR_NOT, "NOT"},
};

static bool is_defined(const Parse *parse, const Text *text) {
    for (size_t i = 0; i < parse->operator_definitions.count; i++) {
        if (parse->operator_definitions.items[i] == text) {
            return true;
        }
    }
    return false;
}

static void report_operator(Parse *parse, Node *node, const Text *text) {
    diag_report(parse->compiler->diag, DIAG_SYNTAX_OPERATOR_UNKNOWN, node->at, text->bytes);
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++) {
        if (strcmp(replacements[i].written, text->bytes) == 0) {
            diag_hint(parse->compiler->diag, "in this language it is written %s",
                      replacements[i].word);
        }
    }
    node->kind = NODE_BROKEN;
}

void syntax_error_operators(Parse *parse) {
    for (size_t i = 0; i < parse->operator_uses.count; i++) {
        Node *node = parse->operator_uses.items[i];
        const Text *text = node->kind == NODE_DYADIC    ? node->dyadic.operator_text
                           : node->kind == NODE_MONADIC ? node->monadic.operator_text
                                                        : NULL;
        if (text && !is_defined(parse, text)) {
            report_operator(parse, node, text);
        }
    }
}
