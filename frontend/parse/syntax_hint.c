/* syntax_hint -- the slips of people who know other languages, each with a message and, where one
 * is sure, the text that mends it.
 *
 * Holds: each function looks at the token found, the statement up to it and what was expected, and
 *        returns true when it has reported. They are tried in the order of `rules`. */
#include "syntax_hint.h"

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

/* ---- assignment, comparison, declaration ---- */

static bool try_declaration_value(const Slip *slip) {
    bool is_value = slip->found->kind == TOKEN_ASSIGN || slip->found->kind == TOKEN_EQUAL;
    if (!is_value || !slip->expected->has[TOKEN_COLON] || !slip->expected->has[TOKEN_IS]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_VALUE, slip->found->at);
    diag_hint(slip->diag, "a variable with a first value is INITIAL INT x IS 5:  and a constant is "
                          "VAL INT x IS 5:");
    if (token_class(slip->line[0].kind) == CLASS_TYPE && !slip_line_has(slip, TOKEN_COMMA)) {
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
            return false; /* rather a line that goes on by mistake */
        }
    }
    const Token *open = open_bracket(slip);
    if (open) { /* x[1 := 3 */
        diag_report(slip->diag, DIAG_LAYOUT_BRACKET, open->at, token_shown(open->kind));
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

static bool try_semicolon(const Slip *slip) {
    if (slip->found->kind == TOKEN_SEMICOLON && slip->expected->has[TOKEN_COLON] &&
        token_class(slip->line[0].kind) == CLASS_TYPE) { /* INT x; */
        diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_COLON, slip->found->at);
        diag_fixit(slip->diag, slip->found->at, ":");
        return true;
    }
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

/* ---- the rest ---- */

/* IF x > 1   IF (x > 1) */
static bool try_if_line(const Slip *slip) {
    if (slip->count < 2 || slip->line[0].kind != TOKEN_IF) {
        return false;
    }
    slip->parse->if_line_depth = slip->parse->depth + 1;
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
    if (try_misspelt_keyword(slip, &slip->line[0])) {
        return true;
    }
    diag_report(slip->diag, DIAG_SYNTAX_LONE_NAME, slip->line[0].at, name->bytes);
    diag_hint(slip->diag, "a PROC is called with brackets: %s ()", name->bytes);
    return true;
}

static bool try_if_else(const Slip *slip) {
    bool is_last = slip->found->kind == TOKEN_ELSE || slip->found->kind == TOKEN_TRUE;
    if (is_last && slip->parse->if_line_depth == slip->parse->depth + 1) {
        slip->parse->if_line_depth = 0; /* part of what was said of its IF */
        return true;
    }
    if (slip->found->kind != TOKEN_ELSE || !slip->found->starts_line) {
        return false;
    }
    bool is_variant = !slip->expected->has[TOKEN_TRUE] && !slip->expected->has[TOKEN_SEQ] &&
                      slip->expected->has[TOKEN_NAME];
    if (is_variant) {
        diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, "'ELSE'");
        diag_hint(slip->diag, "variants of an input are chosen by their tags; a tag that has no "
                              "variant is an error when it arrives");
        return true;
    }
    if (slip->expected->has[TOKEN_SKIP] && !slip->expected->has[TOKEN_SEQ]) { /* in an ALT */
        diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, "'ELSE'");
        diag_hint(slip->diag, "the guard of an ALT that is always ready is TRUE & SKIP");
        diag_fixit(slip->diag, slip->found->at, "TRUE & SKIP");
        return true;
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
        slip->expected->count != 2 || slip_is_layout(slip->found->kind)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ONE_PROCESS, slip->found->at, "VALOF");
    diag_hint(slip->diag, "put them under SEQ; RESULT follows in the column of the process");
    return true;
}

/* RESULT x below the heading of a FUNCTION: read as RESULT type name IS .. */
static bool try_result_alone(const Slip *slip) {
    const ExpectedSet *expected = slip->expected;
    if (slip->count < 2 || slip->line[0].kind != TOKEN_RESULT || !expected->has[TOKEN_NAME] ||
        !expected->has[TOKEN_QUERY] || !expected->has[TOKEN_BANG]) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_FUNCTION_BODY, slip->line[0].at);
    diag_hint(slip->diag, "VALOF stands above a process and RESULT, which stand two columns "
                          "deeper; the short form is INT FUNCTION f (VAL INT x) IS x + x:");
    return true;
}

static bool try_outermost(const Slip *slip) {
    if (slip->parse->depth != 0 || slip->count == 0 ||
        !(slip->found->kind == TOKEN_ASSIGN ||
          (slip->found->starts_line && token_class(slip->found->kind) == CLASS_PROCESS &&
           slip->expected->has[TOKEN_PROC]))) {
        return false;
    }
    if (!slip->parse->said_outermost) { /* once: a whole program may stand there */
        slip->parse->said_outermost = true;
        diag_report(slip->diag, DIAG_SYNTAX_OUTERMOST, slip->line[0].at);
        diag_hint(slip->diag, "the program is a PROC: PROC main (CHAN BYTE screen!), its process "
                              "two columns deeper, and a line with ':'");
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
        try_lower_case,
        try_choice_above,
        try_foreign_word,
        try_if_line,
        try_declaration_value,
        try_abbreviation,
        try_assignment,
        try_increment,
        try_arrow,
        try_element,
        try_comparison,
        try_semicolon,
        try_last_semicolon,
        try_precedence,
        try_operand_parentheses,
        try_operator_word,
        try_segment,
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
    };
    Slip slip = slip_create(parse, expected);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i](&slip)) {
            return true;
        }
    }
    return false;
}
