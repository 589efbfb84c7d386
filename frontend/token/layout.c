/* layout -- the filter itself (docs/language.md 1.2).
 *
 * At the first token of a line, in this order:
 *   1. the line before ended in a token that goes on (layout_line_continues): nothing;
 *   2. inside brackets: nothing, unless the bracket holds a VALOF, whose lines count; a line that
 *      can only begin a statement shows that the bracket was never closed;
 *   3. otherwise NL, then the column decides: INDENT, OUTDENTs or nothing.
 *
 * Holds: levels.items[0] is the left margin and is never closed. */
#include "layout_state.h"

#include <string.h>

enum { MAX_DEPTH = 250, INDENT_STEP = 2 };

Layout *layout_create(const LexerContext *context, Preprocessor *preprocessor) {
    Layout *layout = arena_new(context->arena, Layout);
    layout->context = *context;
    layout->preprocessor = preprocessor;
    return layout;
}

void layout_begin(Layout *layout) {
    Level margin = {.column = 0, .right_column = 0, .other_column = -1};
    layout->levels.count = 0;
    array_push(layout->context.arena, &layout->levels, margin);
    layout->brackets.count = 0;
    layout->pragmas.count = 0;
    layout->read.count = layout->read_next = 0;
    layout->made.count = layout->made_next = 0;
    layout->statement = (Statement){0};
    layout->is_started = false;
    layout->is_dead = false;
}

/* ---- queues ---- */

static void queue_push(Layout *layout, TokenList *queue, Token token) {
    array_push(layout->context.arena, queue, token);
}

/* An emptied queue starts anew, so it stays as long as the longest look-ahead. */
static Token queue_take(TokenList *queue, size_t *next) {
    Token token = queue->items[(*next)++];
    if (*next == queue->count) {
        queue->count = 0;
        *next = 0;
    }
    return token;
}

const Token *layout_peek(Layout *layout, size_t index) {
    while (layout->read.count - layout->read_next <= index) {
        Token token;
        preprocess_next(layout->preprocessor, &token);
        queue_push(layout, &layout->read, token);
    }
    return &layout->read.items[layout->read_next + index];
}

Token layout_read(Layout *layout) {
    layout_peek(layout, 0);
    return queue_take(&layout->read, &layout->read_next);
}

void layout_emit(Layout *layout, Token token) {
    layout->last_at = token.at;
    layout->last_text = token.text;
    layout->statement.last = token.kind;
    queue_push(layout, &layout->made, token);
}

static void emit_layout(Layout *layout, TokenKind kind, Location at) {
    Token token = {.kind = kind, .at = at};
    queue_push(layout, &layout->made, token);
}

/* NL stands just after the last token of its line. */
static void emit_newline(Layout *layout) {
    Location at = layout->last_at;
    at.line = at.end_line;
    at.column = at.end_column;
    at.end_column++;
    emit_layout(layout, TOKEN_NL, at);
}

static void die_of_depth(Layout *layout, DiagId id, Location at) {
    if (syntax_gate_opens(layout->context.gate, at)) {
        diag_report(layout->context.diag, id, at, (int)MAX_DEPTH);
    }
    layout->is_dead = true;
    emit_layout(layout, TOKEN_END, at);
}

/* ---- blocks ---- */

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

static void begin_statement(Layout *layout, const Token *token) {
    layout->statement = (Statement){.column = token->indent, .at = token->at, .first = token->kind};
}

/* SKIP can have a block below it, as a guard. One that was complained about may be anything. */
bool layout_statement_is_closed(const Layout *layout) {
    const Statement *statement = &layout->statement;
    const SyntaxGate *gate = layout->context.gate;
    bool is_bad = gate->file == statement->at.file && gate->line >= statement->at.line;
    bool is_process = layout->levels.items[top_index(layout)].has_processes &&
                      statement->first == TOKEN_NAME && !statement->has_case &&
                      (statement->has_communication || statement->last == TOKEN_RPAREN);
    return !is_bad && (is_process || statement->has_assignment || statement->last == TOKEN_COLON ||
                       statement->first == TOKEN_STOP);
}

static void open_level(Layout *layout, const Token *token) {
    const Level *outer = top_level(layout);
    int32_t right_column = outer->right_column + INDENT_STEP;
    bool is_right = token->indent == right_column || token->indent == outer->column + INDENT_STEP;
    if (outer->other_column >= 0 && token->indent == outer->other_column + INDENT_STEP) {
        is_right = true; /* below a line whose own column was reported */
        right_column = token->indent;
    }
    if (!is_right) {
        layout_report_indent(layout, token, right_column,
                             "a block stands two spaces deeper than the line above it");
    }
    if (layout->levels.count > MAX_DEPTH) {
        die_of_depth(layout, DIAG_LAYOUT_DEPTH, token->at);
        return;
    }
    const Statement *head = &layout->statement;
    Level level = {.column = token->indent, .right_column = right_column, .other_column = -1};
    level.has_choices = head->first == TOKEN_IF || head->first == TOKEN_CASE || head->has_case;
    level.has_processes = !head->has_alt && !level.has_choices &&
                          (head->first == TOKEN_SEQ || head->first == TOKEN_PAR ||
                           head->first == TOKEN_WHILE || head->has_proc);
    array_push(layout->context.arena, &layout->levels, level);
    emit_layout(layout, TOKEN_INDENT, token->at);
}

static void close_levels(Layout *layout, size_t count, Location at) {
    while (layout->levels.count > count) {
        layout->levels.count--;
        emit_layout(layout, TOKEN_OUTDENT, at);
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
        layout->levels.items[0].column = token->indent; /* the first line stood too deep: said */
    } else if (!stands_at(layout, target - 1, token->indent)) {
        if (token->kind == TOKEN_COLON) {
            layout_report_indent(layout, token, layout->levels.items[target - 1].right_column,
                                 colon_hint);
        } else {
            layout_report_outdent(layout, token);
        }
        if (token->kind != TOKEN_COLON && target < layout->levels.count &&
            token->indent > layout->levels.items[target - 1].column &&
            next_line_column(layout) != layout->levels.items[target - 1].column + INDENT_STEP) {
            target++; /* stay in the block that is just too deep */
        }
        layout->levels.items[target - 1].other_column = token->indent;
    }
    close_levels(layout, target, token->at);
}

/* A line of its own `:` closes a block, so it stands at the column of the block around. */
static bool is_misplaced_colon(Layout *layout, const Token *token, size_t floor) {
    size_t top = top_index(layout);
    return token->kind == TOKEN_COLON && top >= floor &&
           (token->indent > top_level(layout)->column || stands_at(layout, top, token->indent)) &&
           !stands_at(layout, top - 1, token->indent);
}

/* The block of a heading in the right column, where a wrong column was taken for right before. */
static bool opens_block_beside(const Layout *layout, const Token *token) {
    const Level *top = &layout->levels.items[top_index(layout)];
    const Statement *head = &layout->statement;
    bool is_heading = head->first == TOKEN_SEQ || head->first == TOKEN_PAR ||
                      head->first == TOKEN_WHILE || head->first == TOKEN_IF ||
                      head->first == TOKEN_CASE || head->has_alt || head->has_proc;
    bool is_wrong_column = token->indent == top->other_column ||
                           (token->indent == top->column && head->column == top->right_column);
    return is_heading && is_wrong_column && token->indent == head->column + INDENT_STEP;
}

/* A block is open there right of `column`, or would be opened below the line before. */
static bool is_open_right_of(const Layout *layout, int32_t column, int32_t wanted) {
    if (wanted == layout->statement.column + INDENT_STEP && wanted > column &&
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

/* The line stands left of its block, and the next one in a block that this one would close, though
 * this one opens none: the slip is here, not there. Gives the column of the next line, or -1. */
static int32_t column_where_meant(Layout *layout, const Token *token) {
    if (token->indent >= top_level(layout)->column || token->kind == TOKEN_COLON ||
        token->kind == TOKEN_PRAGMA) {
        return -1;
    }
    bool has_assignment = false;
    int brackets = 0;
    TokenKind last = token->kind;
    for (size_t i = 0;; i++) {
        const Token *next = layout_peek(layout, i);
        if (next->kind == TOKEN_END || (next->starts_line && brackets > 0) ||
            (next->starts_line && opens_block(token->kind) &&
             next->indent == token->indent + 2 * INDENT_STEP)) { /* a line between is not there */
            return -1;
        }
        brackets += next->kind == TOKEN_LPAREN || next->kind == TOKEN_LBRACKET ||
                    next->kind == TOKEN_CONSTRUCTOR;
        brackets -= next->kind == TOKEN_RPAREN || next->kind == TOKEN_RBRACKET;
        if (next->starts_line) {
            bool opens_none = has_assignment || next->indent > token->indent + INDENT_STEP;
            bool is_slip = opens_none && next->kind != TOKEN_COLON &&
                           !layout_cannot_begin_line(next->kind) && !layout_line_continues(last) &&
                           is_open_right_of(layout, token->indent, next->indent);
            return is_slip ? next->indent : -1;
        }
        has_assignment = has_assignment || next->kind == TOKEN_ASSIGN;
        last = next->kind;
    }
}

/* NL was given out: what the column of the new line says. */
static void take_column(Layout *layout, const Token *token, size_t floor) {
    if (is_misplaced_colon(layout, token, floor)) {
        const Level *around = &layout->levels.items[layout->levels.count - 2];
        layout_report_indent(layout, token, around->right_column, colon_hint);
        close_levels(layout, layout->levels.count - 1, token->at);
    } else if (opens_block_beside(layout, token)) {
        open_level(layout, token);
    } else if (stands_at(layout, top_index(layout), token->indent)) {
        if (top_index(layout) == 0 && token->indent == top_level(layout)->right_column) {
            top_level(layout)->column = token->indent; /* the margin is right from here on */
        }
    } else if (token->indent > top_level(layout)->column) {
        indent_line(layout, token);
    } else {
        outdent_line(layout, token, floor);
    }
    begin_statement(layout, token);
}

static void new_line(Layout *layout, const Token *token, size_t floor) {
    emit_newline(layout);
    int32_t meant = column_where_meant(layout, token);
    if (meant < 0) {
        take_column(layout, token, floor);
        return;
    }
    layout_report_indent(layout, token, meant, "the lines around it stand deeper");
    Token moved = *token;
    moved.indent = meant;
    take_column(layout, &moved, floor);
}

/* ---- brackets ---- */

static Bracket *top_bracket(Layout *layout) {
    return layout->brackets.count ? &layout->brackets.items[layout->brackets.count - 1] : NULL;
}

/* The ) of ( .. VALOF: ends the lines inside. */
static void close_layout_bracket(Layout *layout, Bracket *bracket, Location at) {
    emit_newline(layout);
    close_levels(layout, bracket->base + 1, at);
    layout->levels.count = bracket->base;
    layout->statement = bracket->statement;
    bracket->is_layout = false;
}

static void open_layout_bracket(Layout *layout, Bracket *bracket, const Token *token) {
    if (layout->levels.count > MAX_DEPTH) {
        die_of_depth(layout, DIAG_LAYOUT_DEPTH, token->at);
        return;
    }
    bracket->is_layout = true;
    bracket->base = layout->levels.count;
    bracket->statement = layout->statement;
    Level level = {.column = bracket->column, .right_column = bracket->column, .other_column = -1};
    array_push(layout->context.arena, &layout->levels, level);
    layout->statement.has_assignment = false;
    layout->statement.has_communication = false;
    layout->statement.has_alt = false;
    layout->statement.first = TOKEN_VALOF;
    new_line(layout, token, layout->levels.count);
}

/* Give the grammar the closing brackets that the text lacks. */
static void close_all_brackets(Layout *layout, const Token *token) {
    if (layout->brackets.count) {
        layout_report_bracket(layout, top_bracket(layout), token);
    }
    while (layout->brackets.count) {
        Bracket *bracket = top_bracket(layout);
        if (bracket->is_layout) {
            close_layout_bracket(layout, bracket, token->at);
        }
        TokenKind closer = bracket->kind == TOKEN_LPAREN ? TOKEN_RPAREN : TOKEN_RBRACKET;
        Location at = layout->last_at;
        at.line = at.end_line;
        at.column = at.end_column;
        layout_emit(layout, (Token){.kind = closer, .at = at});
        layout->brackets.count--;
    }
}

static void track_bracket(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    if (bracket && bracket->column < 0) {
        bracket->column = token->indent;
    }
    switch ((int)token->kind) {
    case TOKEN_LPAREN:
    case TOKEN_LBRACKET:
    case TOKEN_CONSTRUCTOR:
        if (layout->brackets.count >= MAX_DEPTH) {
            die_of_depth(layout, DIAG_LAYOUT_BRACKET_DEPTH, token->at);
        } else {
            Bracket opened = {.kind = token->kind, .at = token->at, .column = -1};
            array_push(layout->context.arena, &layout->brackets, opened);
        }
        break;
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
        if (bracket) {
            layout->brackets.count--;
        }
        break;
    default: break;
    }
}

/* ---- lines ---- */

static bool is_open_column(const Layout *layout, int32_t column) {
    for (size_t i = 0; i < layout->levels.count; i++) {
        if (stands_at(layout, i, column)) {
            return true;
        }
    }
    return false;
}

/* A new line inside brackets, none of which holds a VALOF whose lines count. */
static void line_in_brackets(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    TokenKind last = layout->statement.last;
    bool may_hold_lines = bracket->kind == TOKEN_LPAREN && bracket->column >= 0 &&
                          (last == TOKEN_VALOF || last == TOKEN_COLON);
    if (may_hold_lines && token->indent >= bracket->column) {
        open_layout_bracket(layout, bracket, token);
        return;
    }
    bool is_left =
        token->indent < layout->statement.column && is_open_column(layout, token->indent);
    bool is_lost =
        layout_only_begins_statement(token->kind) ||
        (token->indent <= layout->statement.column && (!layout_line_continues(last) || is_left) &&
         token->kind != TOKEN_RPAREN && token->kind != TOKEN_RBRACKET);
    if (is_lost) {
        if (last == TOKEN_COLON) {
            layout->brackets.count = 0; /* the grammar has complained about the ':' */
        } else {
            close_all_brackets(layout, token);
        }
        new_line(layout, token, 1);
    } else if (token->indent < layout->statement.column) {
        layout_report_continuation(layout, token);
    }
}

/* A new line inside ( .. VALOF. */
static void line_in_layout_bracket(Layout *layout, Bracket *bracket, const Token *token) {
    if (token->kind == TOKEN_RPAREN) {
        return; /* the bracket closes below */
    }
    if (token->indent < bracket->column) {
        close_all_brackets(layout, token);
        new_line(layout, token, 1);
    } else {
        new_line(layout, token, bracket->base + 1);
    }
}

static void first_line(Layout *layout, const Token *token) {
    layout->is_started = true;
    Level *margin = &layout->levels.items[0];
    if (token->indent != margin->column) {
        layout_report_first_line(layout, token);
        margin->column = token->indent;
    }
    begin_statement(layout, token);
}

static void start_line(Layout *layout, const Token *token) {
    if (layout->is_started) {
        new_line(layout, token, 1);
    } else {
        first_line(layout, token);
    }
}

/* A #PRAGMA may stand at any column: it belongs to the block of the line after it, or to its own
 * when that is deeper (it then is the last line there). */
static void place_pragmas(Layout *layout, const Token *token) {
    for (size_t i = 0; i < layout->pragmas.count; i++) {
        Token pragma = layout->pragmas.items[i];
        if (pragma.indent <= token->indent || !is_open_column(layout, pragma.indent)) {
            pragma.indent = token->indent;
        }
        start_line(layout, &pragma);
        layout_emit(layout, pragma);
    }
    layout->pragmas.count = 0;
}

/* `x ++` and a line that is no deeper: rather an increment of another language. */
static bool is_increment(const Layout *layout, const Token *token) {
    const Text *last = layout->last_text;
    return layout->statement.last == TOKEN_USER_OPERATOR && last &&
           strcmp(last->bytes, "++") == 0 && token->indent <= layout->statement.column;
}

static void handle_line_start(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    bool is_foreign =
        layout->statement.last == TOKEN_SEMICOLON && layout->statement.has_assignment; /* x := 1; */
    bool goes_on = token->kind == TOKEN_IMPLEMENTS ||
                   (layout_line_continues(layout->statement.last) && !is_foreign &&
                    !layout_only_begins_statement(token->kind) && !is_increment(layout, token));
    if (!layout->is_started) {
        place_pragmas(layout, token);
        start_line(layout, token);
    } else if (bracket && bracket->is_layout && !goes_on) {
        line_in_layout_bracket(layout, bracket, token);
    } else if (bracket && !bracket->is_layout) {
        line_in_brackets(layout, token);
    } else if (goes_on && token->indent < layout->statement.column) {
        layout_report_continuation(layout, token);
        if (!bracket && is_open_column(layout, token->indent)) {
            syntax_gate_note(layout->context.gate, layout->last_at); /* it lacks its end: said */
            place_pragmas(layout, token);
            start_line(layout, token);
        }
    } else if (goes_on) {
        return;
    } else if (!bracket && layout_cannot_begin_line(token->kind)) {
        layout_report_operator(layout, token);
    } else {
        place_pragmas(layout, token);
        start_line(layout, token);
    }
}

/* ASM and GUY: everything deeper than the word is theirs. */
static void swallow_assembly(Layout *layout, const Token *opener) {
    preprocess_set_quiet(layout->preprocessor, true);
    for (;;) {
        const Token *token = layout_peek(layout, 0);
        if (token->kind == TOKEN_END || (token->starts_line && token->indent <= opener->indent &&
                                         token->kind != TOKEN_PRAGMA)) {
            break;
        }
        layout_read(layout);
    }
    preprocess_set_quiet(layout->preprocessor, false);
}

static void handle_end(Layout *layout, Token *end) {
    if (layout->brackets.count) {
        close_all_brackets(layout, end);
    }
    end->indent = 0;
    place_pragmas(layout, end);
    if (layout->is_started) {
        emit_newline(layout);
    }
    close_levels(layout, 1, end->at);
    layout->is_dead = true;
    emit_layout(layout, TOKEN_END, end->at);
}

static void track_statement(Layout *layout, const Token *token) {
    Statement *statement = &layout->statement;
    if (token->starts_line && statement->last == TOKEN_END) {
        statement->first = token->kind; /* of a line just begun, with its final kind */
    }
    statement->has_case = statement->has_case || token->kind == TOKEN_CASE;
    statement->has_proc = statement->has_proc || token->kind == TOKEN_PROC;
    bool communicates = token->kind == TOKEN_BANG || token->kind == TOKEN_QUERY;
    statement->has_communication = (statement->has_communication || communicates) &&
                                   layout->brackets.count == 0 &&
                                   token->kind != TOKEN_EXTENDED_QUERY;
    statement->has_alt = statement->has_alt || token->kind == TOKEN_ALT;
    statement->has_assignment =
        statement->has_assignment || (token->kind == TOKEN_ASSIGN && layout->brackets.count == 0);
}

static void handle_token(Layout *layout, Token token) {
    if (token.kind == TOKEN_PRAGMA) {
        queue_push(layout, &layout->pragmas, token);
        return;
    }
    if (token.kind == TOKEN_END) {
        handle_end(layout, &token);
        return;
    }
    if (token.starts_line && layout_skip_headless(layout, &token)) {
        return;
    }
    TokenKind before = layout->statement.last;
    if (token.starts_line) {
        handle_line_start(layout, &token);
    }
    layout_supply_process(layout, &token, before);
    Bracket *bracket = top_bracket(layout);
    if (token.kind == TOKEN_RPAREN && bracket && bracket->is_layout) {
        close_layout_bracket(layout, bracket, token.at);
    }
    token.kind = layout_promote(layout, &token);
    track_statement(layout, &token);
    if (layout->is_dead) {
        return;
    }
    track_bracket(layout, &token);
    layout_emit(layout, token);
    if (token.kind == TOKEN_ASM || token.kind == TOKEN_GUY) {
        swallow_assembly(layout, &token);
    }
}

void layout_next(Layout *layout, Token *token) {
    while (layout->made.count == layout->made_next) {
        if (layout->is_dead) {
            *token = (Token){.kind = TOKEN_END, .at = layout->last_at};
            return;
        }
        handle_token(layout, layout_read(layout));
    }
    *token = queue_take(&layout->made, &layout->made_next);
}
