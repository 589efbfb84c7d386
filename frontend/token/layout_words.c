/* layout_words -- keywords by position: words that programs also use as names.
 *
 * Also what a line may begin and end with.
 *
 * Owns:  the rules below. `word` is taken as a keyword when
 *          CLOSE  element ? or !, to the end of the line       first in its line
 *          CLOSED element ? or !                               anywhere
 *          DROP, RESUME, NEXT  element {, element}             first in its line, NEXT also after &
 *          NEXT   alone in its line or after &                 not among choices, options, tags
 *          PHASE  element                                      anywhere
 *          PROCESSOR  operand                                  first in its line
 *          UNDEFINED  type                                     after ( or , of a PROC heading
 *        where an element begins with a name, and a line that ends in ':' is a declaration. A word
 *        that names a type or protocol of the program is never a keyword afterwards. */
#include "layout_state.h"

#include "among.h"

enum { LOOK_AHEAD_LIMIT = 512 };

static bool is_on_line(const Token *token) {
    return !token->starts_line && token->kind != TOKEN_END;
}

/* The index after the brackets that open at index, on the same line; index itself when none do. */
static size_t pass_brackets(Layout *layout, size_t index) {
    while (index < LOOK_AHEAD_LIMIT && layout_peek(layout, index)->kind == TOKEN_LBRACKET &&
           is_on_line(layout_peek(layout, index))) {
        int depth = 0;
        do {
            const Token *token = layout_peek(layout, index++);
            if (token->kind == TOKEN_LBRACKET) {
                depth++;
            } else if (token->kind == TOKEN_RBRACKET) {
                depth--;
            } else if (token->kind == TOKEN_END) {
                return index;
            }
        } while (depth > 0 && index < LOOK_AHEAD_LIMIT);
    }
    return index;
}

/* The index after `name {[subscript]}` on the same line; 0 when there is none. */
static size_t pass_element(Layout *layout) {
    const Token *token = layout_peek(layout, 0);
    if (token->kind != TOKEN_NAME || !is_on_line(token)) {
        return 0;
    }
    return pass_brackets(layout, 1);
}

static bool line_ends_in_colon(Layout *layout) {
    TokenKind last = TOKEN_NAME;
    for (size_t i = 0; i < LOOK_AHEAD_LIMIT && is_on_line(layout_peek(layout, i)); i++) {
        last = layout_peek(layout, i)->kind;
    }
    return last == TOKEN_COLON;
}

/* element {, element} up to the end of the line. */
static bool has_elements(Layout *layout) {
    size_t index = pass_element(layout);
    if (index == 0) {
        return false;
    }
    const Token *token = layout_peek(layout, index);
    return (!is_on_line(token) || token->kind == TOKEN_COMMA) && !line_ends_in_colon(layout);
}

/* element ?   element ! */
static bool has_end(Layout *layout) {
    size_t index = pass_element(layout);
    if (index == 0) {
        return false;
    }
    const Token *token = layout_peek(layout, index);
    return is_on_line(token) && (token->kind == TOKEN_QUERY || token->kind == TOKEN_BANG);
}

static bool has_operand(Layout *layout) {
    const Token *token = layout_peek(layout, 0);
    if (!is_on_line(token) || (token->kind != TOKEN_NAME && token->kind != TOKEN_INTEGER)) {
        return false;
    }
    const Token *next = layout_peek(layout, 1);
    bool is_declaration = token->kind == TOKEN_NAME && is_on_line(next) &&
                          (next->kind == TOKEN_COMMA || next->kind == TOKEN_IS ||
                           next->kind == TOKEN_RETYPES || next->kind == TOKEN_RESHAPES);
    return !is_declaration && !line_ends_in_colon(layout);
}

static bool begins_type(const Token *token) {
    return is_on_line(token) &&
           (token->kind == TOKEN_NAME || token->kind == TOKEN_VAL || token->kind == TOKEN_RESULT ||
            token->kind == TOKEN_BOX || token_class(token->kind) == CLASS_TYPE);
}

static bool stands_among_choices(const Layout *layout) {
    return layout->levels.items[layout->levels.count - 1].has_choices;
}

static bool is_keyword_here(Layout *layout, TokenKind kind, const Token *token) {
    bool is_first = token->starts_line;
    bool is_guard = layout->statement.last == TOKEN_AMPERSAND;
    if (kind == TOKEN_CLOSE) {
        return is_first && has_end(layout) && !line_ends_in_colon(layout);
    }
    if (kind == TOKEN_CLOSED) {
        return has_end(layout) && !(is_first && line_ends_in_colon(layout));
    }
    if (kind == TOKEN_DROP || kind == TOKEN_RESUME) {
        return is_first && has_elements(layout);
    }
    if (kind == TOKEN_NEXT) {
        if (!is_first && !is_guard) {
            return false;
        }
        return is_on_line(layout_peek(layout, 0)) ? has_elements(layout)
                                                  : is_guard || !stands_among_choices(layout);
    }
    if (kind == TOKEN_PHASE) {
        return pass_element(layout) != 0 && !(is_first && line_ends_in_colon(layout));
    }
    if (kind == TOKEN_PROCESSOR) {
        return is_first && has_operand(layout);
    }
    return kind == TOKEN_UNDEFINED && layout->statement.has_proc &&
           begins_type(layout_peek(layout, 0)) &&
           (layout->statement.last == TOKEN_LPAREN || layout->statement.last == TOKEN_COMMA);
}

/* [i = base FOR ...: the heading of an array constructor. */
static bool begins_constructor(Layout *layout) {
    if (layout_peek(layout, 0)->kind != TOKEN_NAME || layout_peek(layout, 1)->kind != TOKEN_EQUAL) {
        return false;
    }
    int depth = 0;
    for (size_t i = 2; i < LOOK_AHEAD_LIMIT; i++) {
        TokenKind kind = layout_peek(layout, i)->kind;
        if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET) {
            depth++;
        } else if (kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET) {
            depth--;
        }
        if (depth < 0 || kind == TOKEN_END || (depth == 0 && kind == TOKEN_COMMA)) {
            return false;
        }
        if (depth == 0 && kind == TOKEN_FOR) {
            return true;
        }
    }
    return false;
}

TokenKind layout_promote(Layout *layout, const Token *token) {
    if (token->kind == TOKEN_LBRACKET) {
        return begins_constructor(layout) ? TOKEN_CONSTRUCTOR : TOKEN_LBRACKET;
    }
    if (token->kind != TOKEN_NAME || !token->text) {
        return token->kind;
    }
    TokenKind kind = contextual_find(layout->context.keywords, token->text);
    if (kind == TOKEN_NAME || layout->is_taken[kind]) {
        return TOKEN_NAME;
    }
    if (layout->statement.last == TOKEN_TYPE || layout->statement.last == TOKEN_PROTOCOL) {
        layout->is_taken[kind] = true;
        return TOKEN_NAME;
    }
    return is_keyword_here(layout, kind, token) ? kind : TOKEN_NAME;
}

/* ---- what a line may begin and end with ---- */

bool layout_line_continues(TokenKind kind) {
    return token_class(kind) == CLASS_OPERATOR ||
           AMONG(kind, TOKEN_COMMA, TOKEN_SEMICOLON, TOKEN_ASSIGN, TOKEN_IS, TOKEN_RETYPES,
                 TOKEN_RESHAPES, TOKEN_FROM, TOKEN_FOR, TOKEN_STEP, TOKEN_COUNT, TOKEN_LPAREN,
                 TOKEN_LBRACKET, TOKEN_CONSTRUCTOR, TOKEN_BAR, TOKEN_TILDE, TOKEN_NOT, TOKEN_BITNOT,
                 TOKEN_SIZE, TOKEN_ROUND, TOKEN_TRUNC, TOKEN_OF, TOKEN_AT, TOKEN_EXTENDS,
                 TOKEN_IMPLEMENTS);
}

/* A line cannot begin with one of these: it was broken before the operator. */
bool layout_cannot_begin_line(TokenKind kind) {
    bool may_be_monadic = /* -1 may be an option */
        AMONG(kind, TOKEN_SUBTRACT, TOKEN_MINUS, TOKEN_USER_OPERATOR);
    return !may_be_monadic &&
           (token_class(kind) == CLASS_OPERATOR ||
            AMONG(kind, TOKEN_COMMA, TOKEN_SEMICOLON, TOKEN_ASSIGN, TOKEN_IS, TOKEN_FOR,
                  TOKEN_COUNT, TOKEN_AMPERSAND, TOKEN_BANG, TOKEN_QUERY));
}

bool layout_only_begins_statement(TokenKind kind) {
    return kind == TOKEN_COLON || kind == TOKEN_PROC || kind == TOKEN_PROTOCOL ||
           kind == TOKEN_DATA || kind == TOKEN_PLACE || token_class(kind) == CLASS_PROCESS;
}
