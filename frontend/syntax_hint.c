/* syntax_hint -- the slips of people who know other languages, each with a message and, where one
 * is sure, the text that mends it.
 *
 * Holds: each function looks at the token found, the statement up to it and what was expected, and
 *        returns true when it has reported. They are tried in the order of `rules`. */
#include "syntax_hint.h"

#include <string.h>

/* ---- helpers ---- */

static bool is_layout(TokenKind kind) {
    return kind <= TOKEN_OUTDENT;
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

static Location just_after(Location at) {
    return (Location){at.file, at.end_line, at.end_column, at.end_line, at.end_column};
}

static Location just_before(Location at) {
    return (Location){at.file, at.line, at.column, at.line, at.column};
}

static bool slip_line_has(const Slip *slip, TokenKind kind) {
    for (size_t i = 0; i < slip->count; i++) {
        if (slip->line[i].kind == kind) {
            return true;
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
    bool is_equal = slip->found->kind == TOKEN_EQUAL || slip_is_operator(slip->found, "==");
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

/* `c ! x;` at the end of its line: the ';' promises another item. */
static bool try_last_semicolon(const Slip *slip) {
    if (slip->found->kind != TOKEN_NL || !slip->before || slip->before->kind != TOKEN_SEMICOLON) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->before->at);
    diag_fixit(slip->diag, slip->before->at, "");
    return true;
}

static bool try_semicolon(const Slip *slip) {
    if (slip->found->kind != TOKEN_SEMICOLON || slip->expected->has[TOKEN_SEMICOLON] ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->found->at);
    size_t length = 0;
    const char *text = source_line(slip->parse->compiler->sources, slip->found->at.file,
                                   slip->found->at.line, &length);
    size_t after = slip->found->at.end_column - 1;
    while (after < length && text[after] == ' ') {
        after++;
    }
    if (after >= length) {
        diag_fixit(slip->diag, slip->found->at, "");
    }
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
    if (!is_expression_only || !slip_expects_operand(slip) || !slip->before ||
        slip->expected->has[kind]) {
        return false;
    }
    if (slip->before->kind == TOKEN_SIZE && class == CLASS_TYPE) {
        diag_report(slip->diag, DIAG_TYPES_SIZE, slip->found->at, spelling(slip->found));
        diag_hint(slip->diag, "the bytes of a type are BYTESIN (%s), those of a value BYTESIN (x)",
                  spelling(slip->found));
        return true;
    }
    diag_report(slip->diag, DIAG_SYNTAX_PARENTHESES, slip->found->at, spelling(slip->found));
    diag_hint(slip->diag, "operators have no precedence: write ... (%s ...)",
              spelling(slip->found));
    return true;
}

/* ---- ':' and blocks ---- */

/* `c ! a, b` reads as the start of a declaration of ends: `CT! a, b:`. */
static bool try_item_commas(const Slip *slip) {
    if (slip->found->kind == TOKEN_COMMA && slip->expected->has[TOKEN_SEMICOLON] &&
        (slip_line_has(slip, TOKEN_BANG) || slip_line_has(slip, TOKEN_QUERY))) {
        diag_report(slip->diag, DIAG_SYNTAX_ITEMS, slip->found->at);
        diag_fixit(slip->diag, slip->found->at, ";");
        return true;
    }
    if (slip->found->kind != TOKEN_NL || slip->count < 5 || !slip->expected->has[TOKEN_COLON] ||
        (slip->line[1].kind != TOKEN_BANG && slip->line[1].kind != TOKEN_QUERY) ||
        slip->line[3].kind != TOKEN_COMMA) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ITEMS, slip->line[3].at);
    for (size_t i = 3; i < slip->count; i += 2) {
        diag_fixit(slip->diag, slip->line[i].at, ";");
    }
    return true;
}

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

/* A line that could be the last of a definition, and is no heading of a block. */
static bool is_plain_statement(const Slip *slip) {
    TokenKind first = slip->line[0].kind;
    if (first == TOKEN_SKIP || first == TOKEN_STOP) {
        return true;
    }
    if (first != TOKEN_NAME) {
        return false;
    }
    for (size_t i = 1; i < slip->count; i++) {
        TokenKind kind = slip->line[i].kind;
        if (kind == TOKEN_ASSIGN || kind == TOKEN_BANG || kind == TOKEN_QUERY) {
            return true;
        }
    }
    return slip->line[1].kind == TOKEN_LPAREN && slip->before->kind == TOKEN_RPAREN;
}

static bool try_closing_colon(const Slip *slip) {
    if (slip->found->kind != TOKEN_COLON || slip->found->starts_line || slip->count < 2 ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    TokenClass class = token_class(slip->line[0].kind);
    if (class == CLASS_SPEC || class == CLASS_TYPE) {
        return false;
    }
    slip->parse->broken_is_process = slip->parse->depth > 0;
    if (is_plain_statement(slip)) {
        diag_report(slip->diag, DIAG_SYNTAX_CLOSING_COLON, slip->found->at);
        slip->parse->owed_colon = 3;
    } else {
        diag_report(slip->diag, DIAG_SYNTAX_STRAY_COLON, slip->found->at);
        diag_fixit(slip->diag, slip->found->at, "");
    }
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

/* IF x > 1   IF (x > 1) */
static bool try_if_line(const Slip *slip) {
    if (slip->count < 2 || slip->line[0].kind != TOKEN_IF) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_IF_LINE, slip->line[0].at);
    diag_hint(slip->diag, "each condition stands on a line of its own, two columns deeper, over "
                          "what it chooses; the last is TRUE");
    return true;
}

/* A word that is a keyword only with what follows it, or a PROC named without its brackets. */
static bool try_lone_name(const Slip *slip) {
    static const struct {
        const char *word;
        const char *form;
    } words[] = {{"CLOSE", "CLOSE c! or CLOSE c?"},
                 {"CLOSED", "the guard CLOSED c? or CLOSED c!"},
                 {"RESUME", "RESUME c"},
                 {"DROP", "DROP c"},
                 {"NEXT", "NEXT, NEXT c or NEXT c, d"}};
    if (slip->count == 0 || slip->line[0].kind != TOKEN_NAME || !slip->line[0].text) {
        return false;
    }
    const Text *name = slip->line[0].text;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        bool is_used = slip->count > 1 && slip->line[1].kind != TOKEN_NAME;
        if (!is_used && strcmp(words[i].word, name->bytes) == 0) {
            diag_report(slip->diag, DIAG_SYNTAX_WORD_FORM, slip->line[0].at, words[i].word,
                        words[i].form);
            return true;
        }
    }
    if (slip->found->kind != TOKEN_NL || slip->count != 1 || !slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_LONE_NAME, slip->line[0].at, name->bytes);
    diag_hint(slip->diag, "a PROC is called with brackets: %s ()", name->bytes);
    return true;
}

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
        try_foreign_word,
        try_if_line,
        try_declaration_value,
        try_assignment,
        try_increment,
        try_arrow,
        try_comparison,
        try_semicolon,
        try_last_semicolon,
        try_precedence,
        try_operand_parentheses,
        try_operator_word,
        try_lone_name,
        try_item_commas,
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
