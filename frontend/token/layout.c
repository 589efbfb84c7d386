/* layout -- the filter itself (docs/language.md 1.2).
 *
 * At the first token of a line, in this order:
 *   1. the line before ended in a token that continues it (layout_line_continues): nothing;
 *   2. inside brackets: nothing, unless the bracket holds a VALOF, whose lines count; a line that
 *      can only begin a statement shows that the bracket was never closed;
 *   3. otherwise NL, then the column decides: INDENT, OUTDENTs or nothing.
 *
 * Holds: levels.items[0] is the left margin and is never closed. */
#include "layout_state.h"

#include "among.h"

#include <string.h>

Layout *layout_create(const LexerContext *context, Preprocessor *preprocessor) {
    Layout *layout = arena_new(context->arena, Layout);
    layout->context = *context;
    layout->preprocessor = preprocessor;
    return layout;
}

void layout_begin(Layout *layout) {
    Level margin = {.column = 0, .right_column = 0, .other_column = -1};
    layout->levels.count = layout->brackets.count = layout->pragmas.count = 0;
    array_push(layout->context.arena, &layout->levels, margin);
    layout->read.count = layout->read_next = 0;
    layout->taken = layout->found = 0;
    layout->made.count = layout->made_next = 0;
    layout->shift = 0;
    layout->statement = (Statement){0};
    layout->is_started = false;
    layout->is_dead = false;
}

/* ---- queues ---- */

static void queue_push(Layout *layout, TokenList *queue, Token token) {
    array_push(layout->context.arena, queue, token);
}

/* An emptied queue is reused from its start, so it is as long as the longest look-ahead. */
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
    layout->taken++;
    return queue_take(&layout->read, &layout->read_next);
}

void layout_emit(Layout *layout, Token token) {
    layout->last_at = token.at;
    layout->last_text = token.text;
    layout->statement.last = token.kind;
    queue_push(layout, &layout->made, token);
}

void layout_emit_layout(Layout *layout, TokenKind kind, Location at) {
    Token token = {.kind = kind, .at = at};
    queue_push(layout, &layout->made, token);
}

/* NL stands just after the last token of its line. */
void layout_emit_newline(Layout *layout) {
    Location at = layout->last_at;
    at.line = at.end_line;
    at.column = at.end_column;
    at.end_column++;
    layout_emit_layout(layout, TOKEN_NL, at);
}

void layout_die_of_depth(Layout *layout, DiagId id, Location at) {
    if (syntax_gate_opens(layout->context.gate, at)) {
        diag_report(layout->context.diag, id, at, (int)LAYOUT_MAX_DEPTH);
    }
    layout->is_dead = true;
    layout_emit_layout(layout, TOKEN_END, at);
}

/* ---- brackets ---- */

static Bracket *top_bracket(Layout *layout) {
    return layout->brackets.count ? &layout->brackets.items[layout->brackets.count - 1] : NULL;
}

/* The ) of ( .. VALOF: ends the lines inside. */
static void close_layout_bracket(Layout *layout, Bracket *bracket, Location at) {
    layout_emit_newline(layout);
    layout_close_levels(layout, bracket->base + 1, at);
    layout->levels.count = bracket->base;
    layout->statement = bracket->statement;
    bracket->is_layout = false;
}

static void open_layout_bracket(Layout *layout, Bracket *bracket, const Token *token) {
    if (layout->levels.count > LAYOUT_MAX_DEPTH) {
        layout_die_of_depth(layout, DIAG_LAYOUT_DEPTH, token->at);
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
    if (AMONG(token->kind, TOKEN_LPAREN, TOKEN_LBRACKET, TOKEN_CONSTRUCTOR)) {
        if (layout->brackets.count >= LAYOUT_MAX_DEPTH) {
            layout_die_of_depth(layout, DIAG_LAYOUT_BRACKET_DEPTH, token->at);
        } else {
            Bracket opened = {.kind = token->kind, .at = token->at, .column = -1};
            array_push(layout->context.arena, &layout->brackets, opened);
        }
    } else if (bracket && AMONG(token->kind, TOKEN_RPAREN, TOKEN_RBRACKET)) {
        layout->brackets.count--;
    }
}

/* ---- lines ---- */

/* A line that tabs put left of its bracket: it belongs to the open block; RESULT to the VALOF in
 * the bracket. */
static void line_of_tabs(Layout *layout, const Bracket *bracket, const Token *token) {
    size_t innermost = layout->levels.count - 1;
    bool ends_valof = token->kind == TOKEN_RESULT && innermost > bracket->base + 1;
    const Level *level = &layout->levels.items[ends_valof ? bracket->base + 1 : innermost];
    layout_report_indent(layout, token, level->right_column, "");
    Token moved = *token;
    moved.indent = level->column;
    layout_new_line(layout, &moved, bracket->base + 1);
}

/* A new line inside ( .. VALOF. */
static void line_in_layout_bracket(Layout *layout, Bracket *bracket, const Token *token) {
    if (token->kind == TOKEN_RPAREN) {
        return; /* the bracket closes below */
    }
    if (token->indent < bracket->column && token->has_tab) {
        line_of_tabs(layout, bracket, token);
    } else if (token->indent < bracket->column) {
        close_all_brackets(layout, token);
        layout_new_line(layout, token, 1);
    } else {
        layout_new_line(layout, token, bracket->base + 1);
    }
}

static void first_line(Layout *layout, const Token *token) {
    layout->is_started = true;
    Level *margin = &layout->levels.items[0];
    if (token->indent != margin->column) {
        layout_report_first_line(layout, token);
        margin->column = token->indent;
    }
    layout_begin_statement(layout, token);
}

static void start_line(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    if (bracket && bracket->is_layout) {
        line_in_layout_bracket(layout, bracket, token);
    } else if (layout->is_started) {
        layout_new_line(layout, token, 1);
    } else {
        first_line(layout, token);
    }
}

/* A #PRAGMA may stand at any column: it belongs to the block of the line after it, or to its own
 * when that is deeper (it then is the last line there). */
static void place_pragmas(Layout *layout, const Token *token) {
    for (size_t i = 0; i < layout->pragmas.count; i++) {
        Token pragma = layout->pragmas.items[i];
        if (pragma.indent <= token->indent || !layout_is_open_column(layout, pragma.indent)) {
            pragma.indent = token->indent;
        }
        start_line(layout, &pragma);
        layout_emit(layout, pragma);
    }
    layout->pragmas.count = 0;
}

/* A new line inside brackets, none of which holds a VALOF whose lines count. */
static void line_in_brackets(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    TokenKind last = layout->statement.last;
    bool may_hold_lines = bracket->kind == TOKEN_LPAREN && bracket->column >= 0 &&
                          (last == TOKEN_VALOF || last == TOKEN_COLON);
    if (may_hold_lines && token->indent >= bracket->column) {
        open_layout_bracket(layout, bracket, token);
        place_pragmas(layout, token);
        start_line(layout, token);
        return;
    }
    bool is_left =
        token->indent < layout->statement.column && layout_is_open_column(layout, token->indent);
    bool is_lost =
        layout_only_begins_statement(token->kind) ||
        (token->indent <= layout->statement.column && (!layout_line_continues(last) || is_left) &&
         token->kind != TOKEN_RPAREN && token->kind != TOKEN_RBRACKET);
    if (is_lost) {
        if (last == TOKEN_COLON) {
            layout->brackets.count = 0; /* the grammar has reported the ':' */
        } else {
            close_all_brackets(layout, token);
        }
        layout_new_line(layout, token, 1);
    } else if (token->indent < layout->statement.column) {
        layout_report_continuation(layout, token);
    }
}

/* `x ++` and a line that is no deeper: probably an increment of another language. */
static bool is_increment(const Layout *layout, const Token *token) {
    const Text *last = layout->last_text;
    return layout->statement.last == TOKEN_USER_OPERATOR && last &&
           strcmp(last->bytes, "++") == 0 && token->indent <= layout->statement.column;
}

/* FOR i = 0 TO 10: a loop of another language, not the rest of a replicator. */
static bool is_loop(Layout *layout, const Token *token) {
    TokenKind after = layout_peek(layout, 1)->kind;
    return token->kind == TOKEN_FOR && layout_peek(layout, 0)->kind == TOKEN_NAME &&
           (after == TOKEN_EQUAL || after == TOKEN_ASSIGN || after == TOKEN_NAME);
}

bool layout_is_declaration(const Statement *statement) {
    TokenKind first = statement->first;
    bool is_word = token_class(first) == CLASS_SPEC && first != TOKEN_PRAGMA &&
                   first != TOKEN_RESULT; /* that of a VALOF */
    bool is_specification = is_word || token_class(first) == CLASS_TYPE || first == TOKEN_BOX ||
                            first == TOKEN_LBRACKET || statement->has_is;
    bool is_heading = statement->has_definition && !statement->has_is; /* FUNCTION f () IS e */
    return is_specification && !is_heading && !statement->has_assignment &&
           !statement->has_communication;
}

/* INT x, and the ':' on a line of its own below it. */
static bool is_late_colon(Layout *layout, const Token *token) {
    const Token *next = layout_peek(layout, 0);
    return token->kind == TOKEN_COLON && (next->starts_line || next->kind == TOKEN_END) &&
           token->indent >= layout->statement.column && layout->statement.last != TOKEN_COLON &&
           layout_is_declaration(&layout->statement);
}

/* AFTER t, with a block below it: a guard that forgot its timer, not the rest of an expression. */
static bool is_bare_delay(Layout *layout, const Token *token) {
    return token->kind == TOKEN_AFTER && layout_has_block(layout, token);
}

/* Has the line a block, or is it the only candidate for the process of a specification? */
static bool is_line_of_its_own(Layout *layout, const Token *token) {
    bool is_process = layout->statement.last == TOKEN_COLON &&
                      layout_is_declaration(&layout->statement) &&
                      layout_line_below(layout)->indent < token->indent;
    return is_process ||
           (token->indent > layout->statement.column && layout_has_block(layout, token));
}

/* CASE x OF, and an option with its block; PROC p () IS, and its process. */
static bool is_below_foreign_word(Layout *layout, const Token *token) {
    const Statement *head = &layout->statement;
    bool is_case = head->last == TOKEN_OF && head->first == TOKEN_CASE;
    return is_case ? layout_has_block(layout, token) : head->last == TOKEN_IS && head->has_proc;
}

static void handle_line_start(Layout *layout, const Token *token) {
    Bracket *bracket = top_bracket(layout);
    bool is_foreign =
        layout->statement.last == TOKEN_SEMICOLON && layout->statement.has_assignment; /* x := 1; */
    bool goes_on = token->kind == TOKEN_IMPLEMENTS ||
                   (layout_line_continues(layout->statement.last) && !is_foreign &&
                    !is_below_foreign_word(layout, token) &&
                    !layout_only_begins_statement(token->kind) && !is_increment(layout, token));
    if (!layout->is_started) {
        place_pragmas(layout, token);
        start_line(layout, token);
    } else if (bracket && bracket->is_layout && !goes_on) {
        if (token->kind != TOKEN_RPAREN) {
            place_pragmas(layout, token);
        }
        line_in_layout_bracket(layout, bracket, token);
    } else if (bracket && !bracket->is_layout) {
        line_in_brackets(layout, token);
    } else if (goes_on && token->indent < layout->statement.column) {
        layout_report_continuation(layout, token);
        if (!bracket && layout_is_open_column(layout, token->indent)) {
            syntax_gate_note(layout->context.gate, layout->last_at); /* no end: reported */
            place_pragmas(layout, token);
            start_line(layout, token);
        }
    } else if (goes_on) {
        return;
    } else if (!bracket && is_late_colon(layout, token)) {
        layout_report_late_colon(layout, token);
    } else if (!bracket && is_bare_delay(layout, token)) {
        layout_report_delay(layout, token);
        place_pragmas(layout, token);
        start_line(layout, token);
    } else if (!bracket && layout_cannot_begin_line(token->kind) && !is_loop(layout, token)) {
        layout_report_operator(layout, token);
        if (is_line_of_its_own(layout, token)) {
            place_pragmas(layout, token);
            start_line(layout, token);
        }
    } else {
        place_pragmas(layout, token);
        start_line(layout, token);
    }
}

/* ')' at the end of a line before RESULT, with lines of the same VALOF below: one too many. */
static bool goes_on_below(Layout *layout, const Bracket *bracket, const Token *closing) {
    const Token *next = layout_peek(layout, 0);
    return !closing->starts_line && layout->statement.first != TOKEN_RESULT && next->starts_line &&
           next->kind != TOKEN_END && next->indent > bracket->column;
}

/* ASM and GUY: everything deeper than the word belongs to them. */
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
        layout_emit_newline(layout);
    }
    layout_close_levels(layout, 1, end->at);
    layout->is_dead = true;
    layout_emit_layout(layout, TOKEN_END, end->at);
}

static void track_statement(Layout *layout, const Token *token) {
    Statement *statement = &layout->statement;
    if (token->starts_line && statement->last == TOKEN_END) {
        statement->first = token->kind; /* of a line just begun, with its final kind */
    }
    statement->has_case = statement->has_case || token->kind == TOKEN_CASE;
    statement->has_proc = statement->has_proc || token->kind == TOKEN_PROC;
    statement->has_definition = statement->has_definition || token->kind == TOKEN_PROC ||
                                token->kind == TOKEN_FUNCTION || token->kind == TOKEN_PROTOCOL ||
                                token->kind == TOKEN_TYPE;
    statement->has_is = statement->has_is || token->kind == TOKEN_IS;
    bool communicates = token->kind == TOKEN_BANG || token->kind == TOKEN_QUERY;
    statement->has_communication = (statement->has_communication || communicates) &&
                                   layout->brackets.count == 0 &&
                                   token->kind != TOKEN_EXTENDED_QUERY;
    statement->has_alt = statement->has_alt || token->kind == TOKEN_ALT;
    statement->has_assignment =
        statement->has_assignment || (token->kind == TOKEN_ASSIGN && layout->brackets.count == 0);
}

/* INT x: x := 1: what follows a declaration on its line is read as if it were on the next line. */
static void part_line(Layout *layout, Token *token) {
    if (token->starts_line || layout->brackets.count || layout->statement.last != TOKEN_COLON ||
        !layout_is_declaration(&layout->statement)) {
        return;
    }
    if (syntax_gate_opens(layout->context.gate, token->at)) {
        layout_report_second_statement(layout, token);
    } else if (!layout->statement.is_parted) {
        return; /* it is unclear what the line is */
    }
    token->starts_line = true;
    token->indent = layout->statement.column;
    layout_emit_newline(layout);
    layout_begin_statement(layout, token);
    layout->statement.is_parted = true;
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
    layout_follow_shift(layout, &token);
    TokenKind before = layout->statement.last;
    layout_mend_closing(layout, &token);
    if (token.starts_line) {
        handle_line_start(layout, &token);
    }
    part_line(layout, &token);
    layout_supply_process(layout, &token, before);
    Bracket *bracket = top_bracket(layout);
    bool is_last = token.kind == TOKEN_RPAREN && bracket && bracket->is_layout;
    bool is_surplus = is_last && goes_on_below(layout, bracket, &token);
    if (is_last && !is_surplus) {
        close_layout_bracket(layout, bracket, token.at);
    }
    token.kind = layout_promote(layout, &token);
    track_statement(layout, &token);
    if (layout->is_dead) {
        return;
    }
    if (!is_surplus) {
        track_bracket(layout, &token);
    }
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
