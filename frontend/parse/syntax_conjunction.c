/* syntax_conjunction -- && and || between conditions: the whole condition as it is written here.
 *
 * Holds: the tokens to the right are not read yet, so both sides are taken from the characters of
 *        the line. A condition that mixes both is shown, not mended: only the writer knows which
 *        comes first. */
#include "syntax_hint.h"

#include "among.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

typedef struct Scan {
    const char *text;
    size_t length;
    size_t at;
    int depth;
} Scan;

/* The next character outside of strings and brackets; false at the end of the condition: the end of
 * the line, a comment, a closing bracket of what is around it, a separator. */
static bool scan_next(Scan *scan) {
    while (scan->at < scan->length) {
        char c = scan->text[scan->at];
        bool is_comment =
            c == '-' && scan->at + 1 < scan->length && scan->text[scan->at + 1] == '-';
        bool is_separator = scan->depth == 0 && (c == ',' || c == ';' || c == ':' || c == '\r');
        if (is_comment || is_separator) {
            return false;
        }
        if (c == '"' || c == '\'') {
            const char *end = memchr(scan->text + scan->at + 1, c, scan->length - scan->at - 1);
            scan->at = end ? (size_t)(end - scan->text) + 1 : scan->length;
            continue;
        }
        scan->depth += (c == '(' || c == '[') - (c == ')' || c == ']');
        if (scan->depth < 0) {
            return false;
        }
        if (scan->depth == 0 && c != ')' && c != ']') {
            return true;
        }
        scan->at++;
    }
    return false;
}

/* How AND and OR are spelled, here and in other languages; longer spellings first. */
static const char *const words_of_and[] = {"&&", "ANDALSO", "AND"};
static const char *const words_of_or[] = {"||", "ORELSE", "OR"};
enum { WORD_COUNT = 3 };

/* The length of the word from the list that begins here; 0: none does. */
static size_t word_here(const Scan *scan, const char *const words[]) {
    bool is_inside = scan->at > 0 && text_is_of_name(scan->text[scan->at - 1]);
    for (size_t i = 0; i < WORD_COUNT; i++) {
        size_t length = strlen(words[i]);
        size_t end = scan->at + length;
        bool fits =
            end <= scan->length && strncasecmp(scan->text + scan->at, words[i], length) == 0;
        bool is_word = isalpha((unsigned char)words[i][0]);
        bool goes_on = is_word && end < scan->length && text_is_of_name(scan->text[end]);
        if (fits && !goes_on && !(is_word && is_inside)) {
            return length;
        }
    }
    return 0;
}

/* Translates operators of C that are spelled differently here. */
static void add_words(StringBuilder *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        bool has_two = i + 1 < length;
        if (has_two && strncmp(text + i, "==", 2) == 0) {
            string_append_format(out, "=");
            i++;
        } else if (has_two && strncmp(text + i, "!=", 2) == 0) {
            string_append_format(out, "<>");
            i++;
        } else if (text[i] == '!') {
            string_append_format(out, "NOT ");
        } else {
            string_append_format(out, "%c", text[i]);
        }
    }
}

/* One side, in brackets unless it is one name or stands in brackets already. */
static void add_operand(StringBuilder *out, const char *text, size_t length) {
    while (length && text[0] == ' ') {
        text++;
        length--;
    }
    while (length && text[length - 1] == ' ') {
        length--;
    }
    bool is_simple = true;
    for (Scan scan = {.text = text, .length = length}; scan_next(&scan); scan.at++) {
        is_simple = is_simple && !strchr(" <>=!+-*/\\~", text[scan.at]);
    }
    string_append_format(out, "%s", is_simple ? "" : "(");
    add_words(out, text, length);
    string_append_format(out, "%s", is_simple ? "" : ")");
}

/* The condition from the column on, with AND or OR; NULL when it has both. *end: behind it. */
static const char *rewrite(const Slip *slip, Location start, bool is_and, uint32_t *end) {
    size_t length = 0;
    const char *line = source_line(slip->parse->compiler->sources, start.file, start.line, &length);
    Scan scan = {.text = line, .length = length, .at = start.column - 1};
    StringBuilder out = {.arena = slip->parse->arena};
    size_t first = scan.at;
    for (; scan_next(&scan); scan.at++) {
        size_t size = word_here(&scan, is_and ? words_of_and : words_of_or);
        if (word_here(&scan, is_and ? words_of_or : words_of_and)) {
            return NULL;
        }
        if (size) {
            add_operand(&out, line + first, scan.at - first);
            string_append_format(&out, is_and ? " AND " : " OR ");
            scan.at += size - 1;
            first = scan.at + 1;
        }
    }
    size_t last = scan.at;
    while (last > first && line[last - 1] == ' ') {
        last--;
    }
    add_operand(&out, line + first, last - first);
    *end = (uint32_t)last + 1;
    return last > first ? out.bytes : NULL;
}

/* The part of the condition that was read has the same fault: drop its operator uses. */
static void forget_uses(Parse *parse, uint32_t line) {
    for (size_t i = 0; i < parse->operator_uses.count; i++) {
        Node *use = parse->operator_uses.items[i];
        if (use->at.line == line) {
            use->kind = NODE_BROKEN;
        }
    }
}

static void offer_condition(const Slip *slip, bool is_and) {
    size_t start = slip_expression_start(slip, slip->count - 1);
    Location whole = slip->line[start].at;
    uint32_t end = 0;
    const char *written =
        whole.line == slip->found->at.line ? rewrite(slip, whole, is_and, &end) : NULL;
    if (written) {
        whole.end_line = whole.line;
        whole.end_column = end;
        diag_fixit(slip->diag, whole, written);
    } else {
        diag_hint(slip->diag, "where AND and OR meet, brackets say which comes first: "
                              "((a > 0) AND (b > 0)) OR c");
    }
}

/* i >= 0 AND i < 3: the words are right, the parentheses are missing. */
static bool lacks_brackets(const Slip *slip) {
    TokenKind found = slip->found->kind;
    if ((found != TOKEN_AND && found != TOKEN_OR) || slip->expected->has[found] || !slip->before ||
        slip->expected->has[TOKEN_ASSIGN]) {
        return false;
    }
    bool compares = false;
    for (size_t i = slip_expression_start(slip, slip->count - 1); i + 1 < slip->count; i++) {
        TokenKind kind = slip->line[i].kind;
        compares = compares || AMONG(kind, TOKEN_EQUAL, TOKEN_NOT_EQUAL, TOKEN_LESS,
                                     TOKEN_LESS_EQUAL, TOKEN_GREATER, TOKEN_GREATER_EQUAL);
        if (kind == TOKEN_NOT || kind == TOKEN_AND || kind == TOKEN_OR) {
            return false;
        }
    }
    return compares;
}

/* && and || that no FUNCTION defines; `and` after an operand. */
static bool is_foreign(const Slip *slip) {
    const Token *found = slip->found;
    if (slip_is_operator(found, "&&") || slip_is_operator(found, "||")) {
        return !syntax_operator_is_defined(slip->parse, found->text);
    }
    static const char *const words[] = {"and", "or", "andalso", "orelse"};
    for (size_t i = 0; found->kind == TOKEN_NAME && slip->before && i < 4; i++) {
        if (strcasecmp(found->text->bytes, words[i]) == 0) {
            return !slip->expected->has[TOKEN_AND] || i >= 2;
        }
    }
    return false;
}

bool try_conjunction(const Slip *slip) {
    bool is_foreign_word = is_foreign(slip);
    if (!is_foreign_word && !lacks_brackets(slip)) {
        return false;
    }
    const char *word = slip->found->text ? slip->found->text->bytes : "";
    bool is_and =
        slip->found->kind == TOKEN_AND || tolower((unsigned char)word[0]) == 'a' || word[0] == '&';
    if (!is_foreign_word) {
        diag_report(slip->diag, DIAG_SYNTAX_PRECEDENCE, slip->found->at);
    } else if (slip->found->kind == TOKEN_NAME) {
        diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, slip->found->at, word);
    } else {
        diag_report(slip->diag, DIAG_LEXICAL_OPERATOR, slip->found->at, word);
    }
    if (is_foreign_word) {
        diag_hint(slip->diag, is_and ? "'and' is written AND, between conditions in brackets"
                                     : "'or' is written OR, between conditions in brackets; a "
                                       "parallel is PAR over an indented block");
    }
    bool is_process = slip->before && slip->before->kind == TOKEN_RPAREN &&
                      slip->expected->has[TOKEN_NL] && slip->line[0].kind == TOKEN_NAME &&
                      slip->line[1].kind == TOKEN_LPAREN && !slip->expected->has[TOKEN_ADD];
    if (slip->before && !is_process) {
        offer_condition(slip, is_and);
    }
    forget_uses(slip->parse, slip->found->at.line);
    return true;
}
