/* syntax_hint -- the slips of people who know other languages, each with a message and, where one
 * is certain, a fix-it.
 *
 * Holds: each function looks at the token found, the statement up to it and what was expected, and
 *        returns true when it has reported. They are tried in the order of `rules`. */
#include "syntax_hint.h"

#include <ctype.h>
#include <string.h>

/* ---- what the rules share ---- */

bool slip_is_layout(TokenKind kind) {
    return kind <= TOKEN_OUTDENT;
}

const char *slip_spelling(const Token *token) {
    return token->kind == TOKEN_USER_OPERATOR ? token->text->bytes : token_shown(token->kind);
}

Location slip_after(Location at) {
    return (Location){at.file, at.end_line, at.end_column, at.end_line, at.end_column};
}

Location slip_before(Location at) {
    return (Location){at.file, at.line, at.column, at.line, at.column};
}

bool slip_line_has(const Slip *slip, TokenKind kind) {
    for (size_t i = 0; i < slip->count; i++) {
        if (slip->line[i].kind == kind) {
            return true;
        }
    }
    return false;
}

const char *slip_text_behind(const Slip *slip, Location at, bool skips_blanks) {
    size_t length = 0;
    const char *line = source_line(slip->parse->compiler->sources, at.file, at.end_line, &length);
    size_t place = at.end_column - 1;
    while (skips_blanks && place < length && line[place] == ' ') {
        place++;
    }
    return place < length ? line + place : "";
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
    const char *behind = slip_text_behind(slip, slip->found->at, false);
    bool is_one = !slip_line_has(slip, TOKEN_COMMA) && !memchr(behind, ',', strcspn(behind, "\n"));
    if (token_class(slip->line[0].kind) == CLASS_TYPE && is_one) {
        diag_fixit(slip->diag, slip_before(slip->line[0].at), "INITIAL ");
        diag_fixit(slip->diag, slip->found->at, "IS");
    }
    return true;
}

/* VAL INT x = 5: */
static bool try_abbreviation(const Slip *slip) {
    bool is_value = slip->found->kind == TOKEN_ASSIGN || slip->found->kind == TOKEN_EQUAL;
    if (!is_value || slip->line[0].kind != TOKEN_VAL || slip_line_has(slip, TOKEN_IS) ||
        slip_line_has(slip, TOKEN_RETYPES)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, slip->found->at, "'IS'",
                slip->found->kind == TOKEN_EQUAL ? "'='" : "':='");
    diag_fixit(slip->diag, slip->found->at, "IS");
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

/* a (0) := 1 */
static bool try_element(const Slip *slip) {
    if (slip->found->kind != TOKEN_ASSIGN || slip->count < 5 || !slip->before ||
        slip->line[0].kind != TOKEN_NAME || slip->line[1].kind != TOKEN_LPAREN ||
        slip->before->kind != TOKEN_RPAREN || slip_line_has(slip, TOKEN_COMMA)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, slip->line[1].at, "'['", "'('");
    diag_hint(slip->diag, "an element of an array is chosen by brackets: %s[i]",
              slip->line[0].text->bytes);
    Location opening = slip->line[1].at;
    opening.column = slip->line[0].at.end_column;
    diag_fixit(slip->diag, opening, "[");
    diag_fixit(slip->diag, slip->before->at, "]");
    return true;
}

/* The bracket of a left side that is not closed; NULL when all are. */
static const Token *open_bracket(const Slip *slip) {
    const Token *open = NULL;
    for (size_t i = 0; i < slip->count; i++) {
        TokenKind kind = slip->line[i].kind;
        if (kind == TOKEN_LBRACKET) {
            open = &slip->line[i];
        } else if (kind == TOKEN_RBRACKET || kind == TOKEN_LPAREN) {
            open = NULL;
        }
    }
    return open;
}

static bool try_comparison(const Slip *slip) {
    if (slip->found->kind != TOKEN_ASSIGN || !slip->expected->has[TOKEN_EQUAL]) {
        return false;
    }
    for (size_t i = 1; i < slip->count; i++) {
        if (slip->line[i].starts_line) {
            return false; /* probably a line that is continued by mistake */
        }
    }
    const Token *open = open_bracket(slip);
    if (open) { /* x[1 := 3 */
        diag_report(slip->diag, DIAG_LAYOUT_BRACKET, open->at, token_shown(open->kind));
        diag_fixit(slip->diag, slip_after(slip->before->at), "]");
        return true;
    }
    if (slip->count > 2 && slip->line[1].kind == TOKEN_ASSIGN) { /* x := y := 3 */
        diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, "':='");
        diag_hint(slip->diag, "an assignment has no value; several at once are a, b := x, x");
        return true;
    }
    diag_report(slip->diag, DIAG_SYNTAX_COMPARE, slip->found->at);
    diag_fixit(slip->diag, slip->found->at, "=");
    return true;
}

/* `c ! x;` at the end of its line: the ';' promises another item, so the next line belongs to it.
 */
static bool try_last_semicolon(const Slip *slip) {
    for (size_t i = 1; i < slip->count; i++) {
        if (slip->line[i].starts_line && slip->line[i - 1].kind == TOKEN_SEMICOLON) {
            diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->line[i - 1].at);
            diag_fixit(slip->diag, slip->line[i - 1].at, "");
            return true;
        }
    }
    if (slip->found->kind != TOKEN_NL || !slip->before || slip->before->kind != TOKEN_SEMICOLON) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->before->at);
    diag_fixit(slip->diag, slip->before->at, "");
    return true;
}

/* INT x;   INT x; y: */
static void report_declaration_semicolon(const Slip *slip) {
    bool is_last = slip_text_behind(slip, slip->found->at, true)[0] == '\0';
    if (is_last) {
        diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_COLON, slip->found->at);
    } else {
        diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, slip->found->at, "','", "';'");
    }
    diag_fixit(slip->diag, slip->found->at, is_last ? ":" : ",");
}

static bool try_semicolon(const Slip *slip) {
    if (slip->found->kind == TOKEN_SEMICOLON && slip->expected->has[TOKEN_COLON] &&
        token_class(slip->line[0].kind) == CLASS_TYPE) {
        report_declaration_semicolon(slip);
        return true;
    }
    if (slip->found->kind != TOKEN_SEMICOLON || slip->expected->has[TOKEN_SEMICOLON] ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SEMICOLON, slip->found->at);
    if (slip_text_behind(slip, slip->found->at, true)[0] == '\0') {
        diag_fixit(slip->diag, slip->found->at, "");
    }
    return true;
}

/* ---- operands ---- */

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
        diag_report(slip->diag, DIAG_TYPES_SIZE, slip->found->at, slip_spelling(slip->found));
        diag_hint(slip->diag, "the bytes of a type are BYTESIN (%s), those of a value BYTESIN (x)",
                  slip_spelling(slip->found));
        return true;
    }
    diag_report(slip->diag, DIAG_SYNTAX_PARENTHESES, slip->found->at, slip_spelling(slip->found));
    diag_hint(slip->diag, "operators have no precedence: write ... (%s ...)",
              slip_spelling(slip->found));
    bool is_word = isupper((unsigned char)slip_text_behind(slip, slip->found->at, true)[0]);
    uint32_t end = is_word ? 0 : slip_operand_end(slip); /* INT ROUND x */
    if (end > 0) {
        Location behind = slip_after(slip->found->at);
        behind.column = behind.end_column = end;
        diag_fixit(slip->diag, slip_before(slip->found->at), "(");
        diag_fixit(slip->diag, behind, ")");
    }
    return true;
}

/* x := v FROM 2 FOR 5 */
static bool try_segment(const Slip *slip) {
    TokenKind kind = slip->found->kind;
    bool is_replicated = kind == TOKEN_FOR && token_class(slip->line[0].kind) == CLASS_PROCESS;
    bool is_element =
        slip->before && (slip->before->kind == TOKEN_NAME || slip->before->kind == TOKEN_RBRACKET);
    if ((kind != TOKEN_FROM && kind != TOKEN_FOR) || is_replicated || !is_element) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at,
                kind == TOKEN_FROM ? "'FROM'" : "'FOR'");
    slip->parse->broken_is_spec = slip->parse->broken_is_spec || slip_line_has(slip, TOKEN_IS) ||
                                  slip_line_has(slip, TOKEN_RETYPES) ||
                                  slip_line_has(slip, TOKEN_RESHAPES);
    const Text *name = slip->before->kind == TOKEN_NAME ? slip->before->text : NULL;
    diag_hint(slip->diag, "a segment stands in brackets: [%s%s FOR n]", name ? name->bytes : "v",
              kind == TOKEN_FROM ? " FROM i" : "");
    return true;
}

/* ---- ':' and blocks ---- */

/* INT x: x := 1 */
static bool try_second_statement(const Slip *slip) {
    if (!slip->before || slip->before->kind != TOKEN_COLON || slip->found->starts_line ||
        slip_is_layout(slip->found->kind) || slip->expected->count != 1) {
        return false;
    }
    TokenClass class = token_class(slip->found->kind);
    const char *word =
        slip->found->kind == TOKEN_NAME ? slip->found->text->bytes : slip_spelling(slip->found);
    diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, slip->found->at, "the end of the line",
                arena_format(slip->parse->arena, "'%s'", word));
    diag_hint(slip->diag, "one statement stands in a line; what follows a specification stands "
                          "below it, in the same column");
    slip->parse->broken_is_process = class != CLASS_TYPE && class != CLASS_SPEC;
    return true;
}

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

Slip slip_create(Parse *parse, const ExpectedSet *expected) {
    Slip slip = {.parse = parse,
                 .diag = parse->compiler->diag,
                 .expected = expected,
                 .found = &parse->last,
                 .line = parse->line.items,
                 .count = parse->line.count};
    if (slip_is_layout(slip.found->kind)) {
        slip.before = slip.count ? &slip.line[slip.count - 1] : NULL;
    } else {
        slip.before = slip.count > 1 ? &slip.line[slip.count - 2] : NULL;
    }
    return slip;
}

bool syntax_error_common(Parse *parse, const ExpectedSet *expected) {
    static bool (*const rules[])(const Slip *) = {
        try_comment,
        try_routine_of_c,
        try_formal_order,
        try_formal_value,
        try_word_of_formal,
        try_made_channel,
        try_else_if,
        try_conjunction,
        try_foreign_word,
        try_lower_case,
        try_choice_above,
        try_if_line,
        try_misspelt_head,
        try_declaration_value,
        try_abbreviation,
        try_assignment,
        try_increment,
        try_arrow,
        try_arrow_of_xc,
        try_input_value,
        try_element,
        try_comparison,
        try_semicolon,
        try_last_semicolon,
        try_bare_function,
        try_star,
        try_word_before_operand,
        try_precedence,
        try_cast,
        try_ampersand,
        try_not,
        try_operand_parentheses,
        try_operator_word,
        try_segment,
        try_slice,
        try_input_expression,
        try_question_mark,
        try_function_without_type,
        try_process_beside,
        try_priority_behind,
        try_second_statement,
        try_lone_name,
        try_item_commas,
        try_missing_colon,
        try_closing_colon,
        try_body_beside,
        try_missing_block,
        try_specification_last,
        try_unexpected_block,
        try_if_else,
        try_function_mark,
        try_result_alone,
        try_outermost,
        try_valof_process,
        try_declaration_of_pascal,
    };
    Slip slip = slip_create(parse, expected);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i](&slip)) {
            return true;
        }
    }
    return false;
}
