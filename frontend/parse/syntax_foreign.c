/* syntax_foreign -- words and operators of other languages; their forms are in
 * syntax_foreign_form.c. */
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

/* Words that come in pairs, and often: the second of one group is not said again. */
typedef enum WordGroup { GROUP_NONE, GROUP_BEGIN = 1, GROUP_REPEAT = 2, GROUP_TRY = 4 } WordGroup;

typedef struct ForeignWord {
    const char *word;
    const char *hint;
    WordGroup group;
} ForeignWord;

#define ROUTINE_HINT  "a routine is PROC p (VAL INT x) or INT FUNCTION f (VAL INT x)"
#define BLOCK_HINT    "a block is the lines two columns deeper than the line above it"
#define VARIABLE_HINT "a variable is INT x: or, with a first value, INITIAL INT x IS 5:"
#define CHOICE_HINT   "each condition stands on a line of its own below IF; the last is TRUE"
#define TRY_HINT      "an error ends the program: what may go wrong is tested by IF before it is done"
#define REST_HINT                                                                                  \
    "what is left over is ELSE in a CASE, TRUE in an IF, TRUE & SKIP at the end of a PRI ALT"

static const ForeignWord statement_words[] = {
    {"return", "a FUNCTION gives its values in the RESULT of its VALOF, a PROC in its parameters",
     GROUP_NONE},
    {"break", "a loop ends by its condition: WHILE going", GROUP_NONE},
    {"continue", "a loop ends by its condition: WHILE going", GROUP_NONE},
    {"repeat",
     "a loop that is left at its end is WHILE over a SEQ whose last process sets the condition",
     GROUP_REPEAT},
    {"until",
     "a loop that is left at its end is WHILE over a SEQ whose last process sets the condition",
     GROUP_REPEAT},
    {"loop", "a loop is written SEQ i = 0 FOR 10, or WHILE condition", GROUP_NONE},
    {"switch", "a choice by value is CASE x over its options", GROUP_NONE},
    {"match", "a choice by value is CASE x over its options", GROUP_NONE},
    {"select", "a choice between communications is ALT over its guards", GROUP_NONE},
    {"elseif", CHOICE_HINT, GROUP_NONE},
    {"elif", CHOICE_HINT, GROUP_NONE},
    {"elsif", CHOICE_HINT, GROUP_NONE},
    {"default", REST_HINT, GROUP_NONE},
    {"otherwise", REST_HINT, GROUP_NONE},
    {"pass", "a process that does nothing is SKIP", GROUP_NONE},
    {"var", VARIABLE_HINT, GROUP_NONE},
    {"let", VARIABLE_HINT, GROUP_NONE},
    {"auto", VARIABLE_HINT, GROUP_NONE},
    {"static", VARIABLE_HINT, GROUP_NONE},
    {"unsigned", "integers have a sign and a width: INT, INT16, INT32, INT64; a BYTE is 0 to 255",
     GROUP_NONE},
    {"const", "a constant is VAL INT x IS 5:", GROUP_NONE},
    {"import", "another file is read by #INCLUDE \"file\" or #USE \"unit\"", GROUP_NONE},
    {"include", "another file is read by #INCLUDE \"file\" or #USE \"unit\"", GROUP_NONE},
    {"from", "another file is read by #INCLUDE \"file\" or #USE \"unit\"", GROUP_NONE},
    {"package", "a file needs no heading; another one reads it by #USE \"unit\"", GROUP_NONE},
    {"module", "a file needs no heading; another one reads it by #USE \"unit\"", GROUP_NONE},
    {"program", "a file needs no heading; the program is the last PROC of its file", GROUP_NONE},
    {"func", ROUTINE_HINT, GROUP_NONE},
    {"def", ROUTINE_HINT, GROUP_NONE},
    {"fn", ROUTINE_HINT, GROUP_NONE},
    {"void", ROUTINE_HINT, GROUP_NONE},
    {"procedure", ROUTINE_HINT, GROUP_NONE},
    {"struct", "a record is DATA TYPE name over RECORD", GROUP_NONE},
    {"class",
     "a record is DATA TYPE name over RECORD; what has a life of its own is a PROC with channels",
     GROUP_NONE},
    {"typedef", "a type of its own is DATA TYPE name IS INT:", GROUP_NONE},
    {"type",
     "a record is DATA TYPE name over RECORD; another name is DATA TYPE name IS INT:", GROUP_NONE},
    {"enum", "names for numbers are constants, VAL INT red IS 0:, or the tags of a PROTOCOL",
     GROUP_NONE},
    {"go", "processes run at the same time under PAR", GROUP_NONE},
    {"spawn", "processes run at the same time under PAR", GROUP_NONE},
    {"defer", "what is done last is the last process of a SEQ", GROUP_NONE},
    {"try", TRY_HINT, GROUP_TRY},
    {"except", TRY_HINT, GROUP_TRY},
    {"catch", TRY_HINT, GROUP_TRY},
    {"finally", TRY_HINT, GROUP_TRY},
    {"goto", "there are no jumps: processes are put together by SEQ, IF, CASE and WHILE",
     GROUP_NONE},
    {"begin", BLOCK_HINT, GROUP_BEGIN},
    {"end", BLOCK_HINT, GROUP_BEGIN},
    {"end.", BLOCK_HINT, GROUP_BEGIN},
    {"then", BLOCK_HINT, GROUP_NONE},
    {"do", BLOCK_HINT, GROUP_NONE},
};

static const ForeignWord operator_words[] = {
    {"mod", "the remainder is a \\ b or a REM b", GROUP_NONE},
    {"div", "the quotient is a / b", GROUP_NONE},
    {"xor", "exclusive or of bits is a >< b", GROUP_NONE},
    {"shl", "a shift is a << b or a >> b", GROUP_NONE},
    {"shr", "a shift is a << b or a >> b", GROUP_NONE},
    {"in", "membership is asked by a loop or by CASE", GROUP_NONE},
    {"then", "what is done stands two columns deeper on the next line", GROUP_NONE},
    {"do", "what is done stands two columns deeper on the next line", GROUP_NONE},
    {"to", "a replicator counts: i = 0 FOR 10 is 0 to 9", GROUP_NONE},
    {"downto", "a replicator counts, down too: i = 9 FOR 10 STEP -1 is 9 to 0", GROUP_NONE},
    {"of", "the options of a CASE stand below it, two columns deeper", GROUP_NONE},
};

static bool report_word(const Slip *slip, const Token *token, const ForeignWord *words,
                        size_t count) {
    bool is_operator = token->kind == TOKEN_IN || token->kind == TOKEN_OF;
    bool is_keyword = (is_operator && slip->expected->has[TOKEN_ADD]) || token->kind == TOKEN_TYPE;
    const char *word = token->kind == TOKEN_NAME && token->text ? token->text->bytes
                       : is_keyword                             ? token_shown(token->kind)
                                                                : NULL;
    for (size_t i = 0; word && i < count; i++) {
        if (strcasecmp(words[i].word, word) == 0) {
            unsigned group = (unsigned)words[i].group;
            if (!(slip->parse->said_groups & group)) {
                diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, token->at, word);
                diag_hint(slip->diag, "%s", words[i].hint);
            }
            slip->parse->said_groups |= group;
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
    if (is_used || !report_word(slip, &slip->line[0], statement_words,
                                sizeof statement_words / sizeof statement_words[0])) {
        return false;
    }
    slip->parse->broken_is_spec =
        word && (strcasecmp(word->bytes, "var") == 0 || strcasecmp(word->bytes, "const") == 0);
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
    diag_hint(slip->diag, "%s", CHOICE_HINT);
    return true;
}

/* After an operand. */
bool try_operator_word(const Slip *slip) {
    return slip->before && slip->before->kind != TOKEN_COMMA &&
           report_word(slip, slip->found, operator_words,
                       sizeof operator_words / sizeof operator_words[0]);
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
