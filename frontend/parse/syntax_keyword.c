/* syntax_keyword -- keywords in lower case and misspelt. */
#include "syntax_hint.h"

#include "among.h"

#include <ctype.h>
#include <string.h>

/* ---- keywords in lower case ---- */

enum { MAX_KEYWORD = 32 }; /* bytes, the 0 at the end included */

/* The name in capitals; empty when longer than any keyword. True when it had lower-case letters. */
static bool put_in_capitals(const Text *name, char upper[MAX_KEYWORD]) {
    bool has_lower = false;
    upper[0] = '\0';
    for (uint32_t i = 0; name->length < MAX_KEYWORD && i <= name->length; i++) {
        char letter = name->bytes[i];
        bool is_lower = letter >= 'a' && letter <= 'z';
        has_lower = has_lower || is_lower;
        upper[i] = (char)(is_lower ? letter - 'a' + 'A' : letter);
    }
    return has_lower;
}

/* The keyword that the name in capitals is; TOKEN_NAME when none. */
static TokenKind capital_keyword(const Token *token) {
    char upper[MAX_KEYWORD];
    if (token->kind != TOKEN_NAME || !token->text || !put_in_capitals(token->text, upper)) {
        return TOKEN_NAME;
    }
    for (int kind = TOKEN_AFTER; kind < TOKEN_KIND_COUNT; kind++) {
        if (strcmp(token_shown((TokenKind)kind), upper) == 0) {
            return (TokenKind)kind;
        }
    }
    return TOKEN_NAME;
}

static bool report_lower_case(const Slip *slip, const Token *token, TokenKind kind) {
    diag_report(slip->diag, DIAG_SYNTAX_LOWER_CASE, token->at, token_shown(kind));
    diag_fixit(slip->diag, token->at, token_shown(kind));
    return true;
}

/* Is the first word of the statement used as a keyword and not as a variable? */
static bool is_used_as_keyword(const Slip *slip, TokenKind kind) {
    TokenKind second = slip->count > 1 ? slip->line[1].kind : TOKEN_NL;
    if (second == TOKEN_LPAREN) {
        return AMONG(kind, TOKEN_IF, TOKEN_WHILE, TOKEN_CASE);
    }
    return !AMONG(second, TOKEN_ASSIGN, TOKEN_BANG, TOKEN_QUERY, TOKEN_COMMA, TOKEN_LBRACKET,
                  TOKEN_SEMICOLON, TOKEN_EQUAL);
}

/* for i, v := range a   for x in a: */
static void hint_elements(const Slip *slip) {
    const char *behind = slip_text_behind(slip, slip->line[0].at, false);
    size_t length = strcspn(behind, "\n");
    const char *range = strstr(behind, " range");
    const char *in = strstr(behind, " in ");
    bool is_range = range && (size_t)(range - behind) < length;
    bool is_in = in && (size_t)(in - behind) < length;
    if (is_range || is_in) {
        diag_hint(slip->diag, "the elements of an array are a[i] below SEQ i = 0 FOR SIZE a");
    }
}

/* case 1:   case c ? x: */
static bool ends_with_colon(const Slip *slip) {
    const char *behind = slip_text_behind(slip, slip->line[0].at, true);
    size_t length = strcspn(behind, "\r\n");
    while (length > 0 && behind[length - 1] == ' ') {
        length--;
    }
    return length > 0 && behind[length - 1] == ':';
}

bool try_lower_case(const Slip *slip) {
    if (slip->count == 0) {
        return false;
    }
    TokenKind first = capital_keyword(&slip->line[0]);
    if (first == TOKEN_CASE && ends_with_colon(slip)) {
        diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, slip->line[0].at, "case");
        diag_hint(slip->diag,
                  "an option of a CASE is its value alone, a guard of an ALT its input; "
                  "what is chosen stands below it, two columns deeper");
        return true;
    }
    bool is_word = first == TOKEN_FOR && slip->count > 1 && slip->line[1].kind != TOKEN_ASSIGN;
    if (is_word || slip->line[0].kind == TOKEN_FOR) {
        diag_report(slip->diag, DIAG_SYNTAX_LOOP, slip->line[0].at);
        hint_elements(slip);
        slip->parse->broken_is_process = true; /* for i in a: */
        return true;
    }
    TokenClass class = token_class(first);
    if (first != TOKEN_NAME && is_used_as_keyword(slip, first) &&
        (class == CLASS_PROCESS || class == CLASS_SPEC || class == CLASS_TYPE ||
         first == TOKEN_ELSE)) {
        report_lower_case(slip, &slip->line[0], first);
        if (first == TOKEN_IF && slip->count > 1 && !slip_is_layout(slip->line[1].kind)) {
            diag_hint(slip->diag, IF_HINT);
        }
        return true;
    }
    TokenKind kind = capital_keyword(slip->found);
    bool is_rule = kind == TOKEN_FOR && slip_line_has(slip, TOKEN_LBRACKET) &&
                   slip_line_has(slip, TOKEN_ASSIGN); /* [x * x for x in a] */
    if (kind != TOKEN_NAME && slip->expected->has[kind] && !is_rule) {
        return report_lower_case(slip, slip->found, kind);
    }
    if (slip->before) {
        kind = capital_keyword(slip->before);
        class = token_class(kind);
        if (kind == TOKEN_NOT || (kind != TOKEN_NAME && class == CLASS_TYPE)) {
            return report_lower_case(slip, slip->before, kind);
        }
    }
    return false;
}

/* ---- misspelt keywords ---- */

/* The keyword of processes that a name is most like; TOKEN_NAME when none is. */
static TokenKind near_keyword(const Slip *slip, const Text *name) {
    static const TokenKind kinds[] = {TOKEN_SEQ,  TOKEN_PAR,  TOKEN_ALT,  TOKEN_IF,   TOKEN_WHILE,
                                      TOKEN_CASE, TOKEN_SKIP, TOKEN_STOP, TOKEN_CLAIM};
    TextTable *texts = slip->parse->compiler->texts;
    char capitals[MAX_KEYWORD];
    put_in_capitals(name, capitals);
    const Text *upper = text_intern_string(texts, capitals);
    TokenKind nearest = TOKEN_NAME;
    unsigned best = name->length > 4 ? 3 : 2;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && name->length > 1; i++) {
        const Text *word = text_intern_string(texts, token_shown(kinds[i]));
        unsigned distance = text_distance(upper, word, best);
        if (distance < best) {
            best = distance;
            nearest = kinds[i];
        }
    }
    return nearest;
}

bool try_misspelt_keyword(const Slip *slip, const Token *token) {
    TokenKind kind = token->text ? near_keyword(slip, token->text) : TOKEN_NAME;
    if (kind == TOKEN_NAME) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_LONE_NAME, token->at, token->text->bytes);
    diag_hint(slip->diag, "did you mean %s?", token_shown(kind));
    diag_fixit(slip->diag, token->at, token_shown(kind));
    return true;
}

static bool has_for_behind(const Slip *slip) {
    const char *rest = slip_text_behind(slip, slip->found->at, true);
    const char *word = strstr(rest, " FOR ");
    const char *end = strchr(rest, '\n');
    return word && (!end || word < end);
}

/* SEQQ i = 0 FOR 4   WHILEE x > 2: read as a type and a name. */
bool try_misspelt_head(const Slip *slip) {
    bool are_two = slip->count == 3 && slip->line[0].kind == TOKEN_NAME &&
                   slip->line[1].kind == TOKEN_NAME && !slip_is_layout(slip->found->kind);
    TokenKind kind = are_two ? near_keyword(slip, slip->line[0].text) : TOKEN_NAME;
    bool is_test =
        AMONG(kind, TOKEN_WHILE, TOKEN_CASE) &&
        (slip->found->kind == TOKEN_EQUAL || token_class(slip->found->kind) == CLASS_OPERATOR);
    bool is_replicated = AMONG(kind, TOKEN_SEQ, TOKEN_PAR, TOKEN_ALT, TOKEN_IF) &&
                         slip->found->kind == TOKEN_EQUAL && has_for_behind(slip);
    if (!is_test && !is_replicated) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_FOREIGN_WORD, slip->line[0].at, slip->line[0].text->bytes);
    diag_hint(slip->diag, "did you mean %s?", token_shown(kind));
    diag_fixit(slip->diag, slip->line[0].at, token_shown(kind));
    return true;
}

/* IFF, or `if`, over IFs that were meant as its choices. */
bool syntax_error_no_if(Parse *parse, const Node *condition, const NodeList *below) {
    bool are_ifs = condition->kind == NODE_NAME && below->count > 1;
    for (size_t i = 0; are_ifs && i < below->count; i++) {
        are_ifs = below->items[i]->kind == NODE_IF;
    }
    if (!are_ifs) {
        return false;
    }
    char upper[MAX_KEYWORD];
    const Text *name = condition->name.name;
    Slip slip = {.parse = parse, .diag = parse->compiler->diag};
    bool is_small = put_in_capitals(name, upper);
    if (is_small ? strcmp(upper, "IF") != 0 : near_keyword(&slip, name) != TOKEN_IF) {
        return false;
    }
    diag_report(slip.diag, DIAG_SYNTAX_FOREIGN_WORD, condition->at, name->bytes);
    diag_hint(slip.diag, "did you mean IF?");
    diag_fixit(slip.diag, condition->at, "IF");
    return true;
}

/* `if` among the choices of an IF was taken for a condition, and a choice below it is no process.
 */
bool try_choice_above(const Slip *slip) {
    size_t around = slip->parse->block_heads.count;
    const Token *head = around ? &slip->parse->block_heads.items[around - 1] : slip->found;
    if (head->kind != TOKEN_NAME || !head->text || slip->count == 0) {
        return false;
    }
    const char *name = head->text->bytes;
    bool is_capital = isupper((unsigned char)name[0]) && isupper((unsigned char)name[1]);
    bool may_be_if =
        is_capital || slip->parse->depth == slip->parse->block_depth; /* or the first */
    bool is_small = capital_keyword(head) == TOKEN_IF;
    slip->parse->broken_is_choice =
        is_small || (may_be_if && near_keyword(slip, head->text) == TOKEN_IF);
    if (is_small) {
        return report_lower_case(slip, head, TOKEN_IF);
    }
    return slip->parse->broken_is_choice && try_misspelt_keyword(slip, head);
}
