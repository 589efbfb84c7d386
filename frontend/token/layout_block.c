/* layout_block -- the block of a new line: deeper, the same, or an outer one.
 *
 * Owns:   the columns of the open blocks, and what a line at a wrong column was meant to be.
 * Leaves: which lines are continued, and brackets, to layout.c. */
#include "layout_state.h"

static Level *top_level(Layout *layout) {
    return &layout->levels.items[layout->levels.count - 1];
}

/* The level's right column counts only while no block around it stands there. */
static bool stands_at(const Layout *layout, size_t index, int32_t column) {
    const Level *level = &layout->levels.items[index];
    return column == level->column || column == level->other_column ||
           (column == level->right_column && (index == 0 || column > level[-1].column));
}

static size_t top_index(const Layout *layout) {
    return layout->levels.count - 1;
}

void layout_begin_statement(Layout *layout, const Token *token) {
    layout->statement = (Statement){.column = token->indent, .at = token->at, .first = token->kind};
}

/* SKIP can have a block below it, as a guard. A statement with an error may be anything. */
bool layout_statement_is_closed(const Layout *layout) {
    const Statement *statement = &layout->statement;
    const SyntaxGate *gate = layout->context.gate;
    bool is_bad = gate->file == statement->at.file && gate->line >= statement->at.line;
    bool is_process = layout->levels.items[top_index(layout)].has_processes &&
                      statement->first == TOKEN_NAME && !statement->has_case &&
                      !statement->has_definition &&
                      (statement->has_communication || statement->last == TOKEN_RPAREN);
    return !is_bad && (is_process || statement->has_assignment || statement->last == TOKEN_COLON ||
                       statement->first == TOKEN_STOP);
}

/* A line that lacks a word of its heading may still be a definition: DATA r, INT f (VAL INT x). */
static bool may_be_heading(TokenKind first) {
    return first == TOKEN_NAME || first == TOKEN_DATA || token_class(first) == CLASS_TYPE;
}

static void open_level(Layout *layout, const Token *token) {
    const Level *outer = top_level(layout);
    int32_t right_column = outer->right_column + LAYOUT_STEP;
    bool is_right = token->indent == right_column || token->indent == outer->column + LAYOUT_STEP;
    if (outer->other_column >= 0 && token->indent == outer->other_column + LAYOUT_STEP) {
        is_right = true; /* below a line whose own column was reported */
        right_column = token->indent;
    }
    if (!is_right) {
        layout_report_indent(layout, token, right_column,
                             "a block stands two spaces deeper than the line above it");
    }
    if (layout->levels.count > LAYOUT_MAX_DEPTH) {
        layout_die_of_depth(layout, DIAG_LAYOUT_DEPTH, token->at);
        return;
    }
    const Statement *head = &layout->statement;
    Level level = {.column = token->indent, .right_column = right_column, .other_column = -1};
    level.has_choices = head->first == TOKEN_IF || head->first == TOKEN_CASE || head->has_case;
    level.has_processes = !head->has_alt && !level.has_choices &&
                          (head->first == TOKEN_SEQ || head->first == TOKEN_PAR ||
                           head->first == TOKEN_WHILE || head->has_proc);
    const SyntaxGate *gate = layout->context.gate;
    bool is_unread = gate->file == head->at.file && gate->line == head->at.line;
    level.is_valof = head->first == TOKEN_VALOF;
    level.is_of_protocol = head->first == TOKEN_PROTOCOL;
    level.has_parts =
        head->last == TOKEN_RECORD || (head->first == TOKEN_CASE && outer->is_of_protocol);
    level.is_definition = head->has_definition || (is_unread && may_be_heading(head->first));
    array_push(layout->context.arena, &layout->levels, level);
    layout_emit_layout(layout, TOKEN_INDENT, token->at);
}

void layout_close_levels(Layout *layout, size_t count, Location at) {
    while (layout->levels.count > count) {
        layout->levels.count--;
        layout_emit_layout(layout, TOKEN_OUTDENT, at);
    }
}

/* A line deeper than its block. */
static void indent_line(Layout *layout, const Token *token) {
    if (!layout_statement_is_closed(layout)) {
        open_level(layout, token);
        return;
    }
    layout_report_indent(layout, token, top_level(layout)->right_column,
                         "the line above opens no block");
    top_level(layout)->other_column = token->indent;
}

static const char colon_hint[] = "the ':' stands under the first word of what it ends";

/* Where the line after this one begins. */
static int32_t next_line_column(Layout *layout) {
    size_t i = 0;
    while (!layout_peek(layout, i)->starts_line && layout_peek(layout, i)->kind != TOKEN_END) {
        i++;
    }
    return layout_peek(layout, i)->indent;
}

/* A line less deep than its block; floor: levels that must stay open. */
static void outdent_line(Layout *layout, const Token *token, size_t floor) {
    size_t target = layout->levels.count;
    while (target > floor && token->indent < layout->levels.items[target - 1].column &&
           !stands_at(layout, target - 1, token->indent)) {
        target--;
    }
    if (target == 1 && token->indent < layout->levels.items[0].column) {
        layout->levels.items[0].column = token->indent; /* the first line was too deep: reported */
    } else if (!stands_at(layout, target - 1, token->indent)) {
        if (token->kind == TOKEN_COLON) {
            layout_report_indent(layout, token, layout->levels.items[target - 1].right_column,
                                 colon_hint);
        } else {
            layout_report_outdent(layout, token);
        }
        if (token->kind != TOKEN_COLON && target < layout->levels.count &&
            token->indent > layout->levels.items[target - 1].column &&
            next_line_column(layout) != layout->levels.items[target - 1].column + LAYOUT_STEP) {
            target++; /* stay in the block that is just too deep */
        }
        layout->levels.items[target - 1].other_column = token->indent;
    }
    layout_close_levels(layout, target, token->at);
}

/* The block of the innermost definition, but none further out than `floor`; the innermost block if
 * no heading of a definition could be read. */
static size_t block_of_definition(const Layout *layout, size_t floor) {
    size_t i = top_index(layout);
    while (i >= floor && i > 0) {
        if (layout->levels.items[i].is_definition) {
            return i;
        }
        i--;
    }
    return top_index(layout);
}

/* A `:` on its own line ends the innermost definition, so it stands at the column of its heading:
 * that of the line above, if that is a heading without a block. */
static bool is_misplaced_colon(const Layout *layout, const Token *token, size_t floor) {
    size_t block = block_of_definition(layout, floor);
    const Statement *above = &layout->statement;
    bool ends_heading = above->has_definition && !above->has_is && above->column == token->indent;
    return token->kind == TOKEN_COLON && block >= floor && !ends_heading &&
           (token->indent > layout->levels.items[block].column ||
            stands_at(layout, block, token->indent)) &&
           !stands_at(layout, block - 1, token->indent);
}

/* The block of a heading in the right column, after a wrong column was taken for the right one. */
static bool opens_block_beside(const Layout *layout, const Token *token) {
    const Level *top = &layout->levels.items[top_index(layout)];
    const Statement *head = &layout->statement;
    bool is_heading = head->first == TOKEN_SEQ || head->first == TOKEN_PAR ||
                      head->first == TOKEN_WHILE || head->first == TOKEN_IF ||
                      head->first == TOKEN_CASE || head->has_alt || head->has_definition;
    bool is_wrong_column = token->indent == top->other_column ||
                           (token->indent == top->column && head->column == top->right_column);
    return is_heading && is_wrong_column && token->indent == head->column + LAYOUT_STEP;
}

/* Is a block open right of `column`, or would the line before open one? */
static bool is_open_right_of(const Layout *layout, int32_t column, int32_t wanted) {
    if (wanted == layout->statement.column + LAYOUT_STEP && wanted > column &&
        !layout_statement_is_closed(layout)) {
        return true;
    }
    for (size_t i = layout->levels.count; i-- > 0 && layout->levels.items[i].column > column;) {
        if (layout->levels.items[i].column == wanted) {
            return true;
        }
    }
    return false;
}

static bool opens_block(TokenKind first) {
    return first == TOKEN_SEQ || first == TOKEN_PAR || first == TOKEN_WHILE || first == TOKEN_IF ||
           first == TOKEN_CASE || first == TOKEN_ALT || first == TOKEN_PRI || first == TOKEN_PROC ||
           first == TOKEN_TRUE;
}

/* 1 for an opening bracket, -1 for a closing one. */
static int bracket_change(TokenKind kind) {
    bool opens = kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_CONSTRUCTOR;
    bool closes = kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET;
    return opens - closes;
}

/* Is the line that the i-th token begins a heading, and the line below it not deeper? */
static bool lacks_block(Layout *layout, size_t i) {
    const Token *head = layout_peek(layout, i);
    TokenKind kind = head->kind;
    int32_t indent = head->indent;
    do {
        i++;
    } while (!layout_peek(layout, i)->starts_line && layout_peek(layout, i)->kind != TOKEN_END);
    return opens_block(kind) && layout_peek(layout, i)->indent <= indent;
}

/* The line is left of its block, and the next line in a block that this one would close although it
 * opens none: the slip is in this line. Returns the column of the next line, or -1. */
static int32_t column_where_meant(Layout *layout, const Token *token) {
    if (token->indent >= top_level(layout)->column || token->kind == TOKEN_COLON ||
        token->kind == TOKEN_PRAGMA) {
        return -1;
    }
    bool has_assignment = false;
    int brackets = bracket_change(token->kind);
    TokenKind last = token->kind;
    for (size_t i = 0;; i++) {
        const Token *next = layout_peek(layout, i);
        if (next->kind == TOKEN_END || (next->starts_line && brackets > 0) ||
            (next->starts_line && opens_block(token->kind) &&
             next->indent == token->indent + 2 * LAYOUT_STEP)) { /* a line between is missing */
            return -1;
        }
        brackets += bracket_change(next->kind);
        if (next->starts_line) {
            bool opens_none = has_assignment || next->indent > token->indent + LAYOUT_STEP;
            bool is_slip = opens_none && next->kind != TOKEN_COLON && !lacks_block(layout, i) &&
                           !layout_cannot_begin_line(next->kind) && !layout_line_continues(last) &&
                           is_open_right_of(layout, token->indent, next->indent);
            return is_slip ? next->indent : -1;
        }
        has_assignment = has_assignment || next->kind == TOKEN_ASSIGN;
        last = next->kind;
    }
}

/* NL was given out: act on the column of the new line. */
static void take_column(Layout *layout, const Token *token, size_t floor) {
    if (is_misplaced_colon(layout, token, floor)) {
        size_t block = block_of_definition(layout, floor);
        layout_report_indent(layout, token, layout->levels.items[block - 1].right_column,
                             colon_hint);
        layout_close_levels(layout, block, token->at);
    } else if (opens_block_beside(layout, token)) {
        open_level(layout, token);
    } else if (stands_at(layout, top_index(layout), token->indent)) {
        if (top_index(layout) == 0 && token->indent == top_level(layout)->right_column) {
            top_level(layout)->column = token->indent; /* the margin from here on */
        }
    } else if (token->indent > top_level(layout)->column) {
        indent_line(layout, token);
    } else {
        outdent_line(layout, token, floor);
    }
    layout_begin_statement(layout, token);
}

/* The column of RESULT, in the block of its VALOF; -1: there is no VALOF. */
static int32_t column_of_result(Layout *layout, const Token *token) {
    for (size_t i = top_index(layout); i > 0 && layout_is_result(layout, token); i--) {
        const Level *level = &layout->levels.items[i];
        if (level->is_valof) {
            return stands_at(layout, i, token->indent) ? -1 : level->column;
        }
        if (level->is_definition) {
            break;
        }
    }
    return -1;
}

/* A field or tag at the column of RECORD or CASE: the column of its block; -1: it is none. */
static int32_t column_of_part(const Layout *layout, const Token *token) {
    size_t top = top_index(layout);
    bool is_left = layout->levels.items[top].has_parts && token->kind != TOKEN_COLON &&
                   token->kind != TOKEN_RECORD && token->kind != TOKEN_CASE &&
                   stands_at(layout, top - 1, token->indent);
    return is_left ? layout->levels.items[top].column : -1;
}

/* The process of a PROC or FUNCTION, after specifications, in the column of its heading: that of
 * its block, which may have come with it; -1: it is none. */
static int32_t column_of_body(Layout *layout, const Token *token) {
    size_t top = top_index(layout);
    const Statement *above = &layout->statement;
    bool is_specification =
        above->last == TOKEN_COLON && (layout_is_declaration(above) || above->first == TOKEN_COLON);
    bool is_process = token_class(token->kind) == CLASS_PROCESS || token->kind == TOKEN_VALOF;
    if (top == 0 || !layout->levels.items[top].is_definition || !is_process || !is_specification ||
        !stands_at(layout, top, above->column) || !stands_at(layout, top - 1, token->indent)) {
        return -1;
    }
    int32_t column = layout->levels.items[top].column;
    if (layout_line_below(layout)->indent == column) {
        layout->shift = column - token->indent;
        layout->shift_column = token->indent;
    }
    return column;
}

void layout_follow_shift(Layout *layout, Token *token) {
    if (!token->starts_line || layout->shift == 0) {
        return;
    }
    if (token->indent > layout->shift_column) {
        token->indent += layout->shift;
    } else {
        layout->shift = 0;
    }
}

void layout_new_line(Layout *layout, const Token *token, size_t floor) {
    layout_emit_newline(layout);
    int32_t meant = column_of_result(layout, token);
    const char *hint = "RESULT stands in the column of the process below VALOF";
    if (meant < 0) {
        meant = column_of_part(layout, token);
        hint = "fields and tags stand two columns deeper than the line above the first";
    }
    if (meant < 0) {
        meant = column_of_body(layout, token);
        hint = "after specifications the process of a definition stands in their column";
    }
    if (meant < 0) {
        meant = column_where_meant(layout, token);
        hint = "the lines around it stand deeper";
    }
    if (meant < 0) {
        take_column(layout, token, floor);
        return;
    }
    layout_report_indent(layout, token, meant, hint);
    Token moved = *token;
    moved.indent = meant;
    take_column(layout, &moved, floor);
}

bool layout_is_open_column(const Layout *layout, int32_t column) {
    for (size_t i = 0; i < layout->levels.count; i++) {
        if (stands_at(layout, i, column)) {
            return true;
        }
    }
    return false;
}

const Token *layout_line_below(Layout *layout) {
    size_t next = 0;
    while (!layout_peek(layout, next)->starts_line &&
           layout_peek(layout, next)->kind != TOKEN_END) {
        next++;
    }
    return layout_peek(layout, next);
}

bool layout_has_block(Layout *layout, const Token *token) {
    const Token *below = layout_line_below(layout);
    return below->kind != TOKEN_END && below->indent > token->indent;
}
