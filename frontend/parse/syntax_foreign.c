/* syntax_foreign -- words and operators of other languages; their forms are in
 * syntax_foreign_form.c. */
#include "syntax_hint.h"

#include "among.h"
#include "foreign_word.h"

#include <string.h>
#include <strings.h>

bool slip_expects_operand(const Slip *slip) {
    return slip->expected->has[TOKEN_INTEGER] && slip->expected->has[TOKEN_LPAREN];
}

bool slip_is_operator(const Token *token, const char *spelled) {
    return token->kind == TOKEN_USER_OPERATOR && strcmp(token->text->bytes, spelled) == 0;
}

/* ---- words of other languages ---- */

typedef const ForeignWord *FindWord(const char *word, size_t length);

static bool report_word(const Slip *slip, const Token *token, FindWord *find) {
    bool is_operator = token->kind == TOKEN_IN || token->kind == TOKEN_OF;
    bool is_keyword = (is_operator && slip->expected->has[TOKEN_ADD]) || token->kind == TOKEN_TYPE;
    const char *word = token->kind == TOKEN_NAME && token->text ? token->text->bytes
                       : is_keyword                             ? token_shown(token->kind)
                                                                : NULL;
    const ForeignWord *foreign = word ? find(word, strlen(word)) : NULL;
    if (!foreign) {
        return false;
    }
    unsigned group = (unsigned)foreign->group;
    if (!(slip->parse->said_groups & group)) {
        diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, token->at, word);
        diag_hint(slip->diag, "%s", foreign->hint);
    }
    slip->parse->said_groups |= group;
    return true;
}

/* Words that are called or come before a bracket in their own languages too. */
static bool takes_bracket(const char *word) {
    static const char *const words[] = {"return", "switch", "let", "par", "fun", "func"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(word, words[i]) == 0) {
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
    const Text *word = slip->line[0].kind == TOKEN_NAME ? slip->line[0].text : NULL;
    if (word && strcmp(word->bytes, "par") == 0 && slip->found->kind == TOKEN_NL) {
        return false; /* PAR in small letters */
    }
    if (second == TOKEN_LPAREN && word) {
        is_used = !takes_bracket(word->bytes);
    }
    if (is_used || !report_word(slip, &slip->line[0], foreign_statement)) {
        return false;
    }
    slip->parse->broken_is_spec =
        word && (strcasecmp(word->bytes, "var") == 0 || strcasecmp(word->bytes, "const") == 0 ||
                 strcasecmp(word->bytes, "let") == 0 || strcasecmp(word->bytes, "auto") == 0 ||
                 strcasecmp(word->bytes, "static") == 0);
    return true;
}

/* else if x > 1 */
bool try_else_if(const Slip *slip) {
    const Token *first = slip->count ? &slip->line[0] : NULL;
    bool is_else =
        first && (first->kind == TOKEN_ELSE ||
                  (first->kind == TOKEN_NAME && strcasecmp(first->text->bytes, "else") == 0));
    if (!is_else || strncasecmp(slip_text_behind(slip, first->at, true), "if ", 3) != 0) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, first->at, "else if");
    diag_hint(slip->diag, "%s", foreign_statement("elif", 4)->hint);
    return true;
}

/* y := if x > 1 then 3 else 4: read as a conversion of x to a type if. */
bool try_word_before_operand(const Slip *slip) {
    for (size_t i = 1; i + 1 < slip->count; i++) {
        bool begins = AMONG(slip->line[i - 1].kind, TOKEN_ASSIGN, TOKEN_BANG, TOKEN_LPAREN,
                            TOKEN_COMMA, TOKEN_IS, TOKEN_RESULT);
        TokenClass next = token_class(slip->line[i + 1].kind);
        bool is_before_operand = next == CLASS_OPERAND || next == CLASS_MONADIC ||
                                 slip->line[i + 1].kind == TOKEN_LPAREN;
        if (begins && is_before_operand && report_word(slip, &slip->line[i], foreign_operand)) {
            return true;
        }
    }
    return false;
}

/* PROC p (streaming chanend c): two words before the name of a formal. */
bool try_word_of_formal(const Slip *slip) {
    bool is_heading = slip_line_has(slip, TOKEN_PROC) || slip_line_has(slip, TOKEN_FUNCTION);
    if (!is_heading || slip->found->kind != TOKEN_NAME || slip->count < 4 ||
        slip->before->kind != TOKEN_NAME) {
        return false;
    }
    bool is_end = strcmp(slip->before->text->bytes, "chanend") == 0;
    if (is_end) {
        diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, slip->before->at, "chanend");
        diag_hint(slip->diag, "the end of a channel is CHAN INT c? or CHAN INT c!");
    }
    return is_end || report_word(slip, slip->before - 1, foreign_statement);
}

/* After an operand; x as BYTE was read as a conversion of as to a type x. */
bool try_operator_word(const Slip *slip) {
    const Token *before = slip->before;
    if (!before || before->kind == TOKEN_COMMA) {
        return false;
    }
    if (report_word(slip, slip->found, foreign_operator) ||
        (slip->line[0].kind == TOKEN_NAME && report_word(slip, slip->found, foreign_operand))) {
        return true;
    }
    const Token *operand = slip->count > 2 ? before - 1 : NULL;
    bool is_behind_operand =
        operand && (operand->kind == TOKEN_NAME || token_class(operand->kind) == CLASS_OPERAND ||
                    operand->kind == TOKEN_RPAREN);
    return before->kind == TOKEN_NAME && !before->starts_line &&
           ((is_behind_operand && report_word(slip, before, foreign_operator)) ||
            report_word(slip, before, foreign_operand));
}

static void report_made_channel(Diag *diag, Location at) {
    diag_report(diag, DIAG_SYNTAX_FOREIGN_WORD, at, "make");
    diag_hint(diag, "a channel is declared before the process that uses it: CHAN INT c:");
}

/* c := make(chan INT) */
bool try_made_channel(const Slip *slip) {
    const Token *make = slip->count > 4 ? slip->before - 2 : NULL;
    if (!make || make->kind != TOKEN_NAME || strcmp(make->text->bytes, "make") != 0 ||
        slip->before->kind != TOKEN_NAME || strcmp(slip->before->text->bytes, "chan") != 0) {
        return false;
    }
    report_made_channel(slip->diag, make->at);
    slip->parse->broken_is_spec = true;
    return true;
}

/* c := make(chan int) reads as a call with a conversion; no other error is reported about what it
 * would have made. */
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
    report_made_channel(parse->compiler->diag, name->at);
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
    {"==", OPERATOR_EQUAL, "="},     {"&&", OPERATOR_AND, "AND"},  {"||", OPERATOR_OR, "OR"},
    {"%", OPERATOR_REMAINDER, "\\"}, {"^", OPERATOR_BITXOR, "><"}, {"!!", OPERATOR_NOT, "NOT"},
};

bool syntax_operator_is_defined(const Parse *parse, const Text *text) {
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
    size_t count = parse->compiler->reads_one_file ? 0 : parse->operator_uses.count;
    for (size_t i = 0; i < count; i++) { /* else it may be defined elsewhere */
        Node *node = parse->operator_uses.items[i];
        const Text *text = node->kind == NODE_DYADIC    ? node->dyadic.operator_text
                           : node->kind == NODE_MONADIC ? node->monadic.operator_text
                                                        : NULL;
        if (text && !syntax_operator_is_defined(parse, text)) {
            report_operator(parse, node, text);
        }
    }
}
