/* syntax_foreign -- words, operators and forms of other languages. */
#include "syntax_hint.h"

#include <string.h>
#include <strings.h>

bool slip_expects_operand(const Slip *slip) {
    return slip->expected->has[TOKEN_INTEGER] && slip->expected->has[TOKEN_LPAREN];
}

bool slip_is_operator(const Token *token, const char *spelled) {
    return token->kind == TOKEN_USER_OPERATOR && strcmp(token->text->bytes, spelled) == 0;
}

/* ---- words of other languages ---- */

typedef struct ForeignWord {
    const char *word;
    const char *hint;
} ForeignWord;

static const ForeignWord statement_words[] = {
    {"return", "a FUNCTION gives its values in the RESULT of its VALOF, a PROC in its parameters"},
    {"break", "a loop ends by its condition: WHILE going"},
    {"continue", "a loop ends by its condition: WHILE going"},
    {"switch", "a choice by value is CASE x over its options"},
    {"select", "a choice between communications is ALT over its guards"},
    {"var", "a variable is INT x: or, with a first value, INITIAL INT x IS 5:"},
    {"let", "a variable is INT x: or, with a first value, INITIAL INT x IS 5:"},
    {"const", "a constant is VAL INT x IS 5:"},
    {"import", "another file is read by #INCLUDE \"file\" or #USE \"unit\""},
    {"include", "another file is read by #INCLUDE \"file\" or #USE \"unit\""},
    {"package", "a file needs no heading; another one reads it by #USE \"unit\""},
    {"module", "a file needs no heading; another one reads it by #USE \"unit\""},
    {"func", "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"},
    {"def", "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"},
    {"fn", "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"},
    {"void", "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"},
    {"struct", "a record is DATA TYPE name over RECORD"},
    {"typedef", "a type of its own is DATA TYPE name IS INT:"},
    {"go", "processes run at the same time under PAR"},
    {"spawn", "processes run at the same time under PAR"},
    {"begin", "a block is the lines two columns deeper than the line above it"},
    {"end", "a block is the lines two columns deeper than the line above it"},
    {"then", "a block is the lines two columns deeper than the line above it"},
    {"do", "a block is the lines two columns deeper than the line above it"},
};

static const ForeignWord operator_words[] = {
    {"mod", "the remainder is a \\ b or a REM b"},
    {"div", "the quotient is a / b"},
    {"xor", "exclusive or of bits is a >< b"},
    {"shl", "a shift is a << b or a >> b"},
    {"shr", "a shift is a << b or a >> b"},
    {"in", "membership is asked by a loop or by CASE"},
    {"then", "what is done stands two columns deeper on the next line"},
    {"do", "what is done stands two columns deeper on the next line"},
    {"to", "a replicator counts: i = 0 FOR 10 is 0 to 9"},
};

static bool report_word(const Slip *slip, const Token *token, const ForeignWord *words,
                        size_t count) {
    if (token->kind != TOKEN_NAME || !token->text) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcasecmp(words[i].word, token->text->bytes) == 0) {
            diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, token->at, token->text->bytes);
            diag_hint(slip->diag, "%s", words[i].hint);
            return true;
        }
    }
    return false;
}

/* At the start of a statement; not where the word is used as a variable or called. */
bool try_foreign_word(const Slip *slip) {
    if (slip->count == 0) {
        return false;
    }
    TokenKind second = slip->count > 1 ? slip->line[1].kind : TOKEN_NL;
    bool is_used = second == TOKEN_ASSIGN || second == TOKEN_BANG || second == TOKEN_QUERY ||
                   second == TOKEN_LBRACKET || second == TOKEN_COMMA || second == TOKEN_EQUAL;
    const Text *word = slip->line[0].text;
    if (second == TOKEN_LPAREN && slip->line[0].kind == TOKEN_NAME && word) {
        is_used = strcmp(word->bytes, "return") != 0 && strcmp(word->bytes, "switch") != 0;
    }
    return !is_used && report_word(slip, &slip->line[0], statement_words,
                                   sizeof statement_words / sizeof statement_words[0]);
}

/* After an operand. */
bool try_operator_word(const Slip *slip) {
    return slip->before && slip->before->kind != TOKEN_COMMA &&
           report_word(slip, slip->found, operator_words,
                       sizeof operator_words / sizeof operator_words[0]);
}

/* ---- forms of other languages ---- */

bool try_increment(const Slip *slip) {
    if (!slip_is_operator(slip->found, "++") || !slip->expected->has[TOKEN_ASSIGN]) {
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

/* x < (n - 1) where a process stands is a comparison, not c <- x. */
static bool is_before_minus(const Slip *slip) {
    Location at = slip->found->at;
    size_t length = 0;
    const char *line = source_line(slip->parse->compiler->sources, at.file, at.line, &length);
    return line && at.column < length && line[at.column] == '-';
}

bool try_arrow(const Slip *slip) {
    if (slip->found->kind != TOKEN_LESS || !is_before_minus(slip) ||
        !(slip->expected->has[TOKEN_ASSIGN] || slip_expects_operand(slip))) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_ARROW, slip->found->at);
    size_t length = 0;
    Location at = slip->found->at;
    const char *line = source_line(slip->parse->compiler->sources, at.file, at.line, &length);
    if (slip->expected->has[TOKEN_ASSIGN] && at.end_column <= length &&
        line[at.end_column - 1] == '-') { /* c <- x */
        at.end_column++;
        diag_fixit(slip->diag, at, "!");
    }
    return true;
}

/* c := make(chan int) reads as a call with a conversion; what it would have made is not asked for
 * again. */
bool syntax_error_made_channel(Parse *parse, const NodeList *targets, const NodeList *values) {
    const Node *call = values->count == 1 ? values->items[0] : NULL;
    const Node *name = call && call->kind == NODE_FUNCTION_CALL ? call->function_call.callee : NULL;
    if (!name || name->kind != NODE_NAME || strcmp(name->name.name->bytes, "make") != 0 ||
        call->function_call.actuals.count == 0) {
        return false;
    }
    const Node *what = call->function_call.actuals.items[0];
    const Node *type = what->kind == NODE_CONVERSION ? what->conversion.type_expr : NULL;
    if (!type || type->kind != NODE_TYPE_NAMED ||
        strcmp(type->type_named.name->bytes, "chan") != 0) {
        return false;
    }
    diag_report(parse->compiler->diag, DIAG_SYNTAX_FOREIGN_WORD, name->at, name->name.name->bytes);
    diag_hint(parse->compiler->diag, "a channel is declared before the process that uses it: "
                                     "CHAN INT c:");
    for (size_t i = 0; i < targets->count; i++) {
        if (targets->items[i]->kind == NODE_NAME) {
            array_push(parse->arena, &parse->compiler->unread_names, targets->items[i]->name.name);
        }
    }
    return true;
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

/* Where the operator stands: between the operands of a DYADIC, at the start of a MONADIC. */
static Location operator_place(Parse *parse, const Node *node, const Text *text) {
    Location at = node->at;
    if (node->kind == NODE_DYADIC) {
        at.line = node->dyadic.left->at.end_line;
        at.column = node->dyadic.left->at.end_column;
    }
    size_t length = 0;
    const char *line = source_line(parse->compiler->sources, at.file, at.line, &length);
    const char *found = at.column - 1 <= length ? strstr(line + at.column - 1, text->bytes) : NULL;
    if (!found || (size_t)(found - line) >= length) {
        return node->at;
    }
    at.column = (uint32_t)(found - line) + 1;
    at.end_line = at.line;
    at.end_column = at.column + text->length;
    return at;
}

static void report_operator(Parse *parse, Node *node, const Text *text) {
    Diag *diag = parse->compiler->diag;
    Location at = operator_place(parse, node, text);
    const Replacement *meant = NULL;
    for (size_t i = 0; i < sizeof replacements / sizeof replacements[0]; i++) {
        if (strcmp(replacements[i].written, text->bytes) == 0) {
            meant = &replacements[i];
        }
    }
    if (meant) {
        diag_report(diag, DIAG_LEXICAL_OPERATOR, at, text->bytes);
        diag_hint(diag, "in this language it is written %s", meant->word);
        diag_fixit(diag, at, meant->word);
    } else {
        diag_report(diag, DIAG_SYNTAX_OPERATOR_UNKNOWN, at, text->bytes);
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
