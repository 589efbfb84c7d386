/* syntax_error -- wording: "expected an expression, found ':='" in the user's words.
 *
 * Owns:   how a set of tokens is summed up, what the found token is called in messages.
 * Leaves: the slips that have messages of their own to syntax_hint.c, hints to syntax_form.c. */
#include "syntax_hint.h"

#include "among.h"

#include <string.h>

enum { MAX_LISTED = 5, MAX_SHOWN = 30 };

/* ---- what was found ---- */

static const char *quoted_source(Parse *parse, const Token *token) {
    size_t length = 0;
    const char *line =
        source_line(parse->compiler->sources, token->at.file, token->at.line, &length);
    size_t start = token->at.column - 1;
    size_t end = token->at.end_line == token->at.line ? token->at.end_column - 1 : length;
    if (start >= end || end > length) {
        return token_shown(token->kind);
    }
    const char *ellipsis = end - start > MAX_SHOWN ? "..." : "";
    size_t shown = end - start > MAX_SHOWN ? MAX_SHOWN : end - start;
    return arena_format(parse->arena, "'%.*s%s'", (int)shown, line + start, ellipsis);
}

static const char *found_words(Parse *parse, const Token *token) {
    bool is_layout = AMONG(token->kind, TOKEN_NL, TOKEN_INDENT, TOKEN_OUTDENT, TOKEN_END);
    return is_layout ? token_shown(token->kind) : quoted_source(parse, token);
}

/* ---- what was expected ---- */

typedef struct WordList {
    const char *words[TOKEN_KIND_COUNT];
    size_t count;
} WordList;

static void add_words(WordList *list, const char *words) {
    list->words[list->count++] = words;
}

/* A summary that covers whole classes of tokens. */
typedef struct Summary {
    bool has_process;
    bool has_spec;
    bool has_expression;
    bool has_type;
    bool has_operator;
    bool is_after_operand; /* what may follow an operand, subscripts and decorations included */
} Summary;

static Summary summarise(const ExpectedSet *expected) {
    Summary summary = {
        .has_process = expected->has[TOKEN_SEQ] && expected->has[TOKEN_SKIP],
        .has_spec = expected->has[TOKEN_PROC] && expected->has[TOKEN_VAL],
        .has_expression = expected->has[TOKEN_INTEGER] && expected->has[TOKEN_LPAREN],
        .has_operator = expected->has[TOKEN_ADD] && expected->has[TOKEN_MULTIPLY],
    };
    summary.has_type = expected->has[TOKEN_INT] && expected->has[TOKEN_BOOL] &&
                       !summary.has_process && !summary.has_spec && !summary.has_expression;
    summary.is_after_operand =
        !summary.has_expression && !summary.has_type && !summary.has_process &&
        (expected->has[TOKEN_NL] || expected->has[TOKEN_COLON] || expected->has[TOKEN_COMMA] ||
         expected->has[TOKEN_RPAREN] || expected->has[TOKEN_RBRACKET] || expected->has[TOKEN_FOR] ||
         expected->has[TOKEN_FROM]);
    return summary;
}

static bool is_covered(const Summary *summary, TokenKind kind) {
    bool any_start = summary->has_process || summary->has_spec;
    if ((kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET) && summary->is_after_operand) {
        return true;
    }
    if (kind == TOKEN_SUBTRACT || kind == TOKEN_MINUS || kind == TOKEN_USER_OPERATOR ||
        kind == TOKEN_EXTENDED_QUERY) {
        return summary->has_expression || summary->has_operator;
    }
    switch (token_class(kind)) {
    case CLASS_RECOVERY: return true;
    case CLASS_OPERAND:
        return summary->has_expression || any_start ||
               (summary->has_type &&
                (kind == TOKEN_NAME || kind == TOKEN_LBRACKET || kind == TOKEN_BOX));
    case CLASS_MONADIC: return summary->has_expression;
    case CLASS_OPERATOR: return summary->has_operator;
    case CLASS_TYPE: return summary->has_type || any_start || summary->has_expression;
    case CLASS_PROCESS: return summary->has_process;
    case CLASS_SPEC: return any_start;
    case CLASS_OTHER: return kind == TOKEN_ELSE && any_start;
    }
    return false;
}

static void add_summary(WordList *list, const Summary *summary) {
    if (summary->has_process) {
        add_words(list, "a process");
    } else if (summary->has_expression) {
        add_words(list, "an expression");
    }
    if (summary->has_spec && !summary->has_process) {
        add_words(list, "a specification");
    }
    if (summary->has_type) {
        add_words(list, "a type");
    }
    if (summary->has_operator) {
        add_words(list, "an operator");
    }
}

/* After `c !` and `c ?` a FUNCTION whose result is a channel end could follow; but the writer means
 * to communicate. */
static bool communicates(const ExpectedSet *expected) {
    return expected->has[TOKEN_FUNCTION] && !expected->has[TOKEN_PROC] &&
           (expected->has[TOKEN_INTEGER] || expected->has[TOKEN_CASE]);
}

static bool begins_function(TokenKind kind) {
    return kind == TOKEN_FUNCTION || kind == TOKEN_INLINE || kind == TOKEN_REC ||
           kind == TOKEN_RECURSIVE || kind == TOKEN_COMMA;
}

static void list_expected(Parse *parse, const ExpectedSet *expected, WordList *list) {
    Summary summary = summarise(expected);
    add_summary(list, &summary);
    for (int kind = TOKEN_PRAGMA; kind < TOKEN_KIND_COUNT; kind++) {
        bool begins_element = kind == TOKEN_LBRACKET && expected->has[TOKEN_NAME];
        bool is_unlikely =
            begins_element || (begins_function((TokenKind)kind) && communicates(expected));
        if (expected->has[kind] && !is_unlikely && !is_covered(&summary, (TokenKind)kind)) {
            const char *shown = token_shown((TokenKind)kind);
            add_words(list, token_is_spelled((TokenKind)kind)
                                ? arena_format(parse->arena, "'%s'", shown)
                                : shown);
        }
    }
    for (int kind = TOKEN_END; kind <= TOKEN_OUTDENT; kind++) {
        if (expected->has[kind] && !(kind == TOKEN_END && summary.has_spec)) {
            add_words(list, token_shown((TokenKind)kind));
        }
    }
}

static const char *join_words(Parse *parse, const WordList *list) {
    StringBuilder text = {.arena = parse->arena};
    for (size_t i = 0; i < list->count; i++) {
        const char *between = i == 0 ? "" : i + 1 == list->count ? " or " : ", ";
        string_append_format(&text, "%s%s", between, list->words[i]);
    }
    return text.bytes;
}

/* ---- the report ---- */

/* A statement of several lines: say why it continues here. */
static void note_continuation(Parse *parse) {
    for (size_t i = parse->line.count; i-- > 1;) {
        if (parse->line.items[i].starts_line) {
            diag_label(parse->compiler->diag, parse->line.items[i - 1].at,
                       "the line goes on after this");
            return;
        }
    }
}

/* The other separator: items of a communication and of protocols are separated by ';', all else by
 * ','. */
static void offer_separator(Parse *parse, const ExpectedSet *expected) {
    const Token *token = &parse->last;
    Diag *diag = parse->compiler->diag;
    bool begins_formal = token->kind == TOKEN_VAL || token->kind == TOKEN_CHAN ||
                         token_class(token->kind) == CLASS_TYPE;
    size_t count = parse->line.count;
    if (begins_formal && expected->has[TOKEN_COMMA] && expected->has[TOKEN_RPAREN] && count > 1) {
        Location gap = parse->line.items[count - 2].at;
        gap.line = gap.end_line;
        gap.column = gap.end_column;
        diag_fixit(diag, gap, ",");
    } else if (token->kind == TOKEN_COMMA && expected->has[TOKEN_SEMICOLON]) {
        diag_fixit(diag, token->at, ";");
    } else if (token->kind == TOKEN_SEMICOLON && expected->has[TOKEN_COMMA] &&
               !expected->has[TOKEN_RBRACKET]) {
        diag_fixit(diag, token->at, ",");
    } else if (token->kind == TOKEN_COMMA && expected->has[TOKEN_RBRACKET]) {
        diag_hint(diag, "each subscript has brackets of its own: a[i][j]");
        Location comma = token->at;
        size_t length = 0;
        const char *line = source_line(parse->compiler->sources, comma.file, comma.line, &length);
        comma.end_column += comma.end_column <= length && line[comma.end_column - 1] == ' ';
        diag_fixit(diag, comma, "][");
    }
}

/* m := MOBILE []INT */
static void hint_size(Parse *parse, const Token *token) {
    size_t count = parse->line.count;
    if (token->kind == TOKEN_BOX && count > 1 &&
        parse->line.items[count - 2].kind == TOKEN_MOBILE) {
        diag_hint(parse->compiler->diag, "a new array has a size: MOBILE [n]T");
    }
}

/* A choice where a process is expected: its IF is missing. */
static void hint_condition(Diag *diag, const Token *token, const ExpectedSet *expected) {
    bool is_condition = token->kind == TOKEN_LPAREN || token->kind == TOKEN_NOT ||
                        token->kind == TOKEN_TRUE || token->kind == TOKEN_FALSE;
    if (token->starts_line && is_condition && expected->has[TOKEN_SEQ] &&
        !expected->has[TOKEN_LPAREN]) {
        diag_hint(diag, "a condition stands below IF, its process below the condition");
    }
}

/* ps[i] (x) */
static void hint_activation(Parse *parse, const Token *token, const ExpectedSet *expected) {
    size_t count = parse->line.count;
    if (token->kind == TOKEN_LPAREN && expected->has[TOKEN_ASSIGN] && count > 1 &&
        parse->line.items[count - 2].kind == TOKEN_RBRACKET) {
        diag_hint(parse->compiler->diag, "a mobile process in an array or record is activated by "
                                         "a name of its own: p IS a[i]: and p (..)");
    }
}

/* INT STEP: a word of later versions of the language in a program that knows an earlier one. */
static void hint_keyword(Diag *diag, const Token *token, const ExpectedSet *expected) {
    bool is_name_due =
        expected->has[TOKEN_NAME] && !expected->has[TOKEN_INTEGER] && !expected->has[TOKEN_SEQ];
    bool is_word = token->kind >= TOKEN_AFTER && token->kind != TOKEN_IS;
    const char *word = token_shown(token->kind);
    if (is_name_due && is_word && !token->starts_line && word[0] >= 'A' && word[0] <= 'Z') {
        diag_hint(diag, "%s is a word of the language: a name is another", word);
    }
}

void syntax_error_report(Parse *parse, const ExpectedSet *expected) {
    const Token *token = &parse->last;
    Diag *diag = parse->compiler->diag;
    if (parse->has_given_up || !syntax_gate_opens(&parse->gate, token->at)) {
        return;
    }
    if (token->kind == TOKEN_TRACES || token->kind == TOKEN_TYPEHASHCHECK) {
        diag_report(diag, DIAG_NOT_SUPPORTED, token->at, token_shown(token->kind));
        return;
    }
    if (syntax_error_common(parse, expected)) {
        return;
    }
    WordList list = {.count = 0};
    list_expected(parse, expected, &list);
    const char *found = found_words(parse, token);
    bool is_listed = list.count > 0 && list.count <= MAX_LISTED;
    if (!is_listed && token->kind == TOKEN_NL) {
        diag_report(diag, DIAG_SYNTAX_INCOMPLETE, token->at);
    } else if (!is_listed) {
        diag_report(diag, DIAG_SYNTAX_UNEXPECTED, token->at, found);
        hint_size(parse, token);
        hint_keyword(diag, token, expected);
    } else {
        diag_report(diag, DIAG_SYNTAX_EXPECTED, token->at, join_words(parse, &list), found);
        hint_size(parse, token);
        hint_activation(parse, token, expected);
        hint_condition(diag, token, expected);
        hint_keyword(diag, token, expected);
    }
    Slip slip = slip_create(parse, expected);
    syntax_form_hint(&slip);
    note_continuation(parse);
    offer_separator(parse, expected);
}

void syntax_error_depth(Parse *parse, Location at) {
    if (!parse->has_given_up) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_DEPTH, at);
    }
    parse->has_given_up = true;
}
