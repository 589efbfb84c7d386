/* syntax_foreign_form -- forms of other languages: declarations, casts, pointers, slices and
 * comments that are written with the characters of this one but do not mean what they mean there.
 *
 * Leaves: words and operators to syntax_foreign.c, forms of this language to syntax_form.c. */
#include "syntax_hint.h"

#include "among.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool report_unexpected(const Slip *slip, const char *shown, const char *hint) {
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, shown);
    diag_hint(slip->diag, "%s", hint);
    return true;
}

/* The n-th token before the one found; NULL when the statement is shorter. */
static const Token *token_before(const Slip *slip, size_t n) {
    return slip->count > n ? &slip->line[slip->count - 1 - n] : NULL;
}

/* ---- assignments ---- */

bool try_increment(const Slip *slip) {
    bool is_before = slip->count == 1 && slip->found->starts_line;
    if (!slip_is_operator(slip->found, "++") || !(slip->expected->has[TOKEN_ASSIGN] || is_before)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_INCREMENT, slip->found->at, "++");
    if (slip->count == 2 && slip->line[0].kind == TOKEN_NAME) {
        const char *name = slip->line[0].text->bytes;
        Location at = slip->found->at;
        at.column = slip->line[0].at.end_column;
        diag_fixit(slip->diag, at, arena_format(slip->parse->arena, " := %s + 1", name));
    } else {
        diag_hint(slip->diag, "write x := x + 1");
    }
    return true;
}

/* c <- x, x := <-c; but x < (n - 1) where a process stands is a comparison. */
bool try_arrow(const Slip *slip) {
    Location at = slip->found->at;
    if (slip->found->kind != TOKEN_LESS || slip_text_behind(slip, at, false)[0] != '-' ||
        !(slip->expected->has[TOKEN_ASSIGN] || slip_expects_operand(slip))) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ARROW, at);
    if (slip->expected->has[TOKEN_ASSIGN]) {
        at.end_column++;
        diag_fixit(slip->diag, at, "!");
    }
    return true;
}

/* c <: x   c :> x, of XC */
bool try_arrow_of_xc(const Slip *slip) {
    Location at = slip->found->at;
    char next = slip_text_behind(slip, at, false)[0];
    bool is_output = slip->found->kind == TOKEN_LESS && next == ':';
    bool is_input = slip->found->kind == TOKEN_COLON && next == '>';
    if (!slip->before || !(is_output || is_input)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ARROW, at);
    at.end_column++;
    diag_fixit(slip->diag, at, is_output ? "!" : "?");
    return true;
}

/* ---- inputs as values ---- */

/* IF over in ? x: read as the declaration of an end that lacks its ':'. */
static bool is_input_condition(const Slip *slip) {
    size_t count = slip->parse->block_heads.count;
    return count && slip->parse->block_heads.items[count - 1].kind == TOKEN_IF &&
           slip->found->kind == TOKEN_NL && slip->count >= 3 && slip->line[0].kind == TOKEN_NAME &&
           slip_line_has(slip, TOKEN_QUERY) && slip->expected->has[TOKEN_COLON];
}

/* y := in? * 2   out ! in? + 1 */
static bool is_input_before_operator(const Slip *slip) {
    const Token *name = token_before(slip, 2);
    return token_class(slip->found->kind) == CLASS_OPERATOR && name && slip->count > 4 &&
           slip->before->kind == TOKEN_QUERY && name->kind == TOKEN_NAME &&
           (slip_line_has(slip, TOKEN_ASSIGN) || slip_line_has(slip, TOKEN_BANG));
}

/* (in ? x)   y := in ? x   out ! in ? x; but b ? 1 : 2 is a choice of C. */
static bool is_input_operand(const Slip *slip, const Token **mark) {
    if (slip->found->kind == TOKEN_RPAREN && slip->count > 4) {
        *mark = &slip->line[slip->count - 3];
        return (*mark)->kind == TOKEN_QUERY && slip->line[slip->count - 5].kind == TOKEN_LPAREN;
    }
    if (is_input_before_operator(slip)) {
        *mark = slip->before;
        return true;
    }
    *mark = slip->found;
    const char *behind = slip_text_behind(slip, slip->found->at, true);
    return slip->found->kind == TOKEN_QUERY && slip->before && slip->before->kind == TOKEN_NAME &&
           (slip_line_has(slip, TOKEN_ASSIGN) || slip_line_has(slip, TOKEN_BANG)) &&
           isalpha((unsigned char)behind[0]) && behind[strcspn(behind, ":\n")] != ':';
}

bool try_input_value(const Slip *slip) {
    const Token *mark = slip->found;
    bool is_condition = is_input_condition(slip);
    if (is_condition) {
        mark = &slip->line[1];
        slip->parse->broken_is_process = true;
    } else if (!is_input_operand(slip, &mark)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_INPUT_VALUE, mark->at);
    diag_hint(slip->diag,
              is_condition ? "input first, and ask what came; whether something has come is for an "
                             "ALT: c ? x is a guard there"
                           : "input first, c ? x, and use x in the process that follows");
    return true;
}

/* ---- declarations ---- */

static bool is_type_word(const Token *token) {
    static const char *const words[] = {"int",  "char",  "float", "double", "long",
                                        "bool", "short", "byte",  "string"};
    for (size_t i = 0; token->kind == TOKEN_NAME && i < sizeof words / sizeof words[0]; i++) {
        if (token->text && strcasecmp(words[i], token->text->bytes) == 0) {
            return true;
        }
    }
    return token_class(token->kind) == CLASS_TYPE;
}

/* int main (   INT f ( */
bool try_routine_of_c(const Slip *slip) {
    if (slip->found->kind != TOKEN_LPAREN || slip->count != 3 || !is_type_word(&slip->line[0]) ||
        slip->line[1].kind != TOKEN_NAME) {
        return false;
    }
    return report_unexpected(slip, "'('",
                             "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)");
}

/* x : INT: */
bool try_declaration_of_pascal(const Slip *slip) {
    if (slip->found->kind != TOKEN_COLON || slip->count != 2 || slip->line[0].kind != TOKEN_NAME ||
        !isalpha((unsigned char)slip_text_behind(slip, slip->found->at, true)[0])) {
        return false;
    }
    const char *behind = slip_text_behind(slip, slip->found->at, true);
    size_t length =
        strspn(behind, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.");
    if (behind[length] == '(') {
        slip->parse->broken_is_process = true;
        return report_unexpected(slip, "':'",
                                 "a routine of another file is called by its name "
                                 "alone; #INCLUDE or #USE makes it known");
    }
    slip->parse->broken_is_spec = true;
    return report_unexpected(slip, "':'", "the type of a variable stands before it: INT x:");
}

/* FUNCTION f (VAL INT x) */
bool try_function_without_type(const Slip *slip) {
    if (slip->found->kind != TOKEN_FUNCTION || slip->count != 1) {
        return false;
    }
    return report_unexpected(slip, "'FUNCTION'",
                             "it begins with the type of its result: INT FUNCTION f (VAL INT x)");
}

static bool is_heading(const Slip *slip) {
    return slip_line_has(slip, TOKEN_PROC) || slip_line_has(slip, TOKEN_FUNCTION);
}

#define FORMAL_HINT                                                                                \
    "a parameter is VAL INT x, a value, INT x, the variable itself, or CHAN INT c?, the end of a " \
    "channel"

/* (VAL INT x = 3)   (x: INT) */
bool try_formal_value(const Slip *slip) {
    if (!is_heading(slip) || !slip->before || slip->before->kind != TOKEN_NAME ||
        !slip_line_has(slip, TOKEN_LPAREN) || slip_line_has(slip, TOKEN_RPAREN)) {
        return false;
    }
    bool is_value = slip->found->kind == TOKEN_EQUAL || slip->found->kind == TOKEN_ASSIGN;
    if (is_value || slip->found->kind == TOKEN_COLON) {
        return report_unexpected(
            slip, arena_format(slip->parse->arena, "'%s'", token_shown(slip->found->kind)),
            is_value ? "a parameter has no value of its own: each call gives one" : FORMAL_HINT);
    }
    return false;
}

/* (x INT)   (c chan int)   (INOUT INT x) */
bool try_formal_order(const Slip *slip) {
    bool is_chan = slip->before && slip->before->kind == TOKEN_NAME &&
                   strcmp(slip->before->text->bytes, "chan") == 0;
    if (slip->found->kind == TOKEN_LESS && is_heading(slip) && slip->before &&
        slip->before->kind == TOKEN_NAME) {
        return report_unexpected(slip, "'<'", "the end of a channel is CHAN INT c? or CHAN INT c!");
    }
    const Token *before = token_before(slip, is_chan ? 3 : 2);
    if (!before || (before->kind != TOKEN_LPAREN && before->kind != TOKEN_COMMA) ||
        slip->found->starts_line || slip->before->kind != TOKEN_NAME || !is_heading(slip) ||
        !is_type_word(slip->found)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, "a type");
    diag_hint(slip->diag, FORMAL_HINT);
    return true;
}

/* ---- operands and operators ---- */

/* (BYTE) x */
bool try_cast(const Slip *slip) {
    const Token *opening = token_before(slip, 2);
    if (slip->found->kind != TOKEN_RPAREN || !opening || opening->kind != TOKEN_LPAREN ||
        token_class(slip->before->kind) != CLASS_TYPE) {
        return false;
    }
    report_unexpected(slip, "')'", "a conversion is the type before what it converts: INT x");
    diag_fixit(slip->diag, opening->at, "");
    diag_fixit(slip->diag, slip->found->at, "");
    return true;
}

/* INT *p:   *p   2 ** 3   char *s */
bool try_star(const Slip *slip) {
    if (slip->found->kind != TOKEN_MULTIPLY || !slip->before) {
        return false;
    }
    if (slip->count == 2 && slip->before->kind == TOKEN_NAME &&
        strcmp(slip->before->text->bytes, "char") == 0) {
        return report_unexpected(slip, "'*'",
                                 "a text is VAL []BYTE s IS \"abc\":, as a parameter VAL []BYTE s");
    }
    if (is_heading(slip) && slip->before->kind == TOKEN_LPAREN) { /* (*args) */
        return report_unexpected(slip, "'*'",
                                 "a routine has so many parameters: an array, VAL []INT xs, takes "
                                 "any number");
    }
    bool is_power = slip->before->kind == TOKEN_MULTIPLY;
    bool is_pointer = slip->count == 2 && is_type_word(&slip->line[0]);
    if (!is_pointer && !slip_expects_operand(slip)) {
        return false;
    }
    return report_unexpected(slip, "'*'",
                             is_power ? "there is no operator for powers: POWER (x, y) of reals"
                                      : "there are no pointers: a parameter without VAL is the "
                                        "variable itself");
}

/* An operator could be here, so a name or value is before it. */
static bool is_behind_operand(const Slip *slip) {
    bool is_complete =
        slip->before && !slip->found->starts_line &&
        AMONG(slip->before->kind, TOKEN_NAME, TOKEN_INTEGER, TOKEN_RPAREN, TOKEN_RBRACKET) &&
        slip_line_has(slip, TOKEN_ASSIGN);
    return is_complete || (slip->expected->has[TOKEN_ADD] && slip->expected->has[TOKEN_MULTIPLY]);
}

/* f (&x)   x & y   x | y : on bits or on conditions, which is not known yet. */
bool try_ampersand(const Slip *slip) {
    TokenKind kind = slip->found->kind;
    if (kind == TOKEN_AMPERSAND && is_behind_operand(slip)) {
        return report_unexpected(slip, "'&'",
                                 "the bits that both have are a /\\ b; of conditions: a AND b");
    }
    if (kind == TOKEN_BAR && is_behind_operand(slip)) {
        return report_unexpected(slip, "'|'",
                                 "the bits that one of two has are a \\/ b; of conditions: a OR b");
    }
    if (kind == TOKEN_BAR && slip_expects_operand(slip)) {
        return report_unexpected(
            slip, "'|'", "a routine has a name, and is no value: INT FUNCTION f (VAL INT x) IS x:");
    }
    if (kind != TOKEN_AMPERSAND || !slip_expects_operand(slip)) {
        return false;
    }
    report_unexpected(slip, "'&'", "a parameter without VAL is the variable itself");
    Location mark = slip->found->at;
    bool is_mutable = strncmp(slip_text_behind(slip, mark, false), "mut ", 4) == 0;
    mark.end_column += is_mutable ? 4 : 0;
    diag_fixit(slip->diag, mark, "");
    return true;
}

/* !b where a value is expected; vec![1, 2] */
bool try_not(const Slip *slip) {
    bool is_macro = slip->found->kind == TOKEN_BANG && slip->before &&
                    slip->before->kind == TOKEN_NAME && slip_line_has(slip, TOKEN_ASSIGN) &&
                    slip_text_behind(slip, slip->found->at, false)[0] == '[';
    if (is_macro) {
        return report_unexpected(slip, "'!'", "a table of values is [1, 2, 3]");
    }
    if (slip->found->kind != TOKEN_BANG || !slip_expects_operand(slip) || is_behind_operand(slip) ||
        !isalpha((unsigned char)slip_text_behind(slip, slip->found->at, true)[0])) {
        return false;
    }
    report_unexpected(slip, "'!'", "'not' is written NOT, of the bits of an integer ~");
    diag_fixit(slip->diag, slip->found->at, "NOT ");
    return true;
}

/* x := c?   x := b ? 1 : 2   out ! b ? 1 : 2   f (b ? 1 : 2) */
bool try_question_mark(const Slip *slip) {
    const char *behind = slip_text_behind(slip, slip->found->at, true);
    bool is_choice = memchr(behind, ':', strcspn(behind, "\n")) != NULL && !is_heading(slip);
    if (slip->found->kind != TOKEN_QUERY || !(is_choice || slip_line_has(slip, TOKEN_ASSIGN))) {
        return false;
    }
    char next = slip_text_behind(slip, slip->found->at, true)[0];
    bool is_last = next == '\0' || next == '\r';
    return report_unexpected(
        slip, "'?'",
        is_last ? "an input is a process of its own: c ? x"
                : "a choice of values is made by IF or CASE, each with an assignment");
}

/* a[1:4] */
bool try_slice(const Slip *slip) {
    return slip->found->kind == TOKEN_COLON && slip->before &&
           slip->expected->has[TOKEN_RBRACKET] &&
           report_unexpected(slip, "':'",
                             "a segment is [a FROM first FOR count]: [a FROM 1 FOR 3]");
}

/* tim ? t + 1000   c ? x & x > 0   a ? x AND b ? y */
bool try_input_expression(const Slip *slip) {
    TokenKind kind = slip->found->kind;
    bool is_sum =
        kind == TOKEN_ADD || kind == TOKEN_PLUS || kind == TOKEN_SUBTRACT || kind == TOKEN_MINUS;
    bool is_guard = kind == TOKEN_AMPERSAND || kind == TOKEN_AND || kind == TOKEN_OR;
    if (slip->count < 4 || slip->line[1].kind != TOKEN_QUERY || !(is_sum || is_guard)) {
        return false;
    }
    return report_unexpected(
        slip, arena_format(slip->parse->arena, "'%s'", token_shown(kind)),
        is_sum ? "an input names variables; waiting for a time is tim ? AFTER t PLUS n"
               : "a guard has one input; its condition stands before it: ready & c ? x");
}

/* ---- comments ---- */

/* (* .. *)   """ .. """ */
bool try_comment(const Slip *slip) {
    if (slip->found->kind == TOKEN_STRING && slip->found->starts_line && slip->count == 1 &&
        slip->expected->has[TOKEN_SEQ]) {
        return report_unexpected(slip, "a text", "a comment begins with --");
    }
    if (slip->count == 1 && slip->found->starts_line && slip_is_operator(slip->found, "%")) {
        diag_report(slip->diag, DIAG_LEXICAL_COMMENT, slip->found->at, "%");
        diag_fixit(slip->diag, slip->found->at, "--");
        return true;
    }
    if (slip->found->kind != TOKEN_LPAREN ||
        slip_text_behind(slip, slip->found->at, false)[0] != '*') {
        return false;
    }
    diag_report(slip->diag, DIAG_LEXICAL_COMMENT, slip->found->at, "(*");
    Location opening = slip->found->at;
    opening.end_column++;
    diag_fixit(slip->diag, opening, "--");
    return true;
}
