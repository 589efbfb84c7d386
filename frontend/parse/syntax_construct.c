/* syntax_construct -- slips in the constructs of the language: what follows IF on its line, is
 * below a VALOF, outside every PROC, or alone on its line. */
#include "syntax_hint.h"

#include "among.h"

#include <string.h>

/* PAR PRI */
bool try_priority_behind(const Slip *slip) {
    TokenKind before = slip->before ? slip->before->kind : TOKEN_END;
    if (slip->found->kind != TOKEN_PRI || (before != TOKEN_PAR && before != TOKEN_ALT)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED, slip->found->at, "'PRI'");
    Location behind = slip->found->at;
    behind.column = slip->before->at.end_column;
    diag_fixit(slip->diag, slip_before(slip->before->at), "PRI ");
    diag_fixit(slip->diag, behind, "");
    return true;
}

/* IF x > 1   IF (x > 1) */
bool try_if_line(const Slip *slip) {
    if (slip->count < 2 || slip->line[0].kind != TOKEN_IF) {
        return false;
    }
    slip->parse->if_line_depth = slip->parse->depth + 1;
    diag_report(slip->diag, DIAG_SYNTAX_IF_LINE, slip->line[0].at);
    diag_hint(slip->diag, IF_HINT);
    return true;
}

/* A word that is a keyword only by what follows it, or a PROC named without its parentheses. */
bool try_lone_name(const Slip *slip) {
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
    if (slip->found->kind != TOKEN_NL || slip->count != 1) {
        return false;
    }
    bool is_guard = slip->expected->has[TOKEN_QUERY] && slip->expected->has[TOKEN_AMPERSAND];
    if (!slip->expected->has[TOKEN_ASSIGN]) {
        return is_guard && try_misspelt_keyword(slip, &slip->line[0]);
    }
    if (try_misspelt_keyword(slip, &slip->line[0])) {
        return true;
    }
    diag_report(slip->diag, DIAG_SYNTAX_LONE_NAME, slip->line[0].at, name->bytes);
    diag_hint(slip->diag, "a PROC is called with brackets: %s ()", name->bytes);
    return true;
}

bool try_if_else(const Slip *slip) {
    bool is_last = slip->found->kind == TOKEN_ELSE || slip->found->kind == TOKEN_TRUE;
    if (is_last && slip->parse->if_line_depth == slip->parse->depth + 1) {
        slip->parse->if_line_depth = 0; /* part of what was reported for its IF */
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

bool try_function_mark(const Slip *slip) {
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

bool try_valof_process(const Slip *slip) {
    if (!slip->expected->has[TOKEN_RESULT] || !slip->expected->has[TOKEN_OUTDENT] ||
        slip->expected->count != 2 || slip_is_layout(slip->found->kind)) {
        return false;
    }
    slip->parse->broken_is_choice = true; /* what stands below may be anything */
    diag_report(slip->diag, DIAG_SYNTAX_ONE_PROCESS, slip->found->at, "VALOF");
    diag_hint(slip->diag, "put them under SEQ; RESULT follows in the column of the process");
    return true;
}

/* Is the statement, as far as it was read, an expression? */
static bool is_value(const Slip *slip) {
    TokenKind first = slip->line[0].kind;
    TokenKind found = slip->found->kind;
    for (size_t i = 0; i < slip->count; i++) {
        if (AMONG(slip->line[i].kind, TOKEN_RESULT, TOKEN_ASSIGN, TOKEN_BANG, TOKEN_QUERY,
                  TOKEN_COLON)) {
            return false;
        }
    }
    bool is_lone = first == TOKEN_NAME && slip->count == 1 && found == TOKEN_NL;
    bool is_operand = slip->count == 1 && token_class(first) == CLASS_OPERAND;
    bool has_operator = token_class(found) == CLASS_OPERATOR && found != TOKEN_USER_OPERATOR;
    return is_lone || has_operator || (is_operand && first != TOKEN_NAME);
}

/* INT FUNCTION f (VAL INT x) above a value; other lines below it have the same fault. */
bool try_bare_function(const Slip *slip) {
    Parse *parse = slip->parse;
    if (parse->bare_depth == 0 || parse->depth < parse->bare_depth || slip->count == 0 ||
        !is_value(slip)) {
        return false;
    }
    if (parse->said_bare) {
        return true;
    }
    parse->said_bare = true;
    diag_report(slip->diag, DIAG_SYNTAX_FUNCTION_BODY, slip->line[0].at);
    if (parse->depth > parse->bare_depth) {
        diag_hint(slip->diag, "in a VALOF, a process sets a variable, and RESULT gives it: see "
                              "occc explain syntax-function-body");
        return true;
    }
    const char *text = slip_text_behind(slip, slip_before(slip->line[0].at), true);
    diag_hint(slip->diag, "a value alone stands in the heading: FUNCTION %s (..) IS %.*s:",
              parse->heading_name.text->bytes, (int)strcspn(text, "\r\n"), text);
    return true;
}

/* RESULT x below the heading of a FUNCTION: read as RESULT type name IS .. */
bool try_result_alone(const Slip *slip) {
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

bool try_outermost(const Slip *slip) {
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
