/* layout_missing -- missing lines, where those around them show it.
 *
 * The body of a definition without its heading is deeper than a line that opens no block, and the
 * ':' that ends it is at the column of that line. Its parameters are unknown, so it is left out of
 * the program.
 * A RESULT after VALOF or a specification that is no abbreviation lacks the process before it: SKIP
 * is put there.
 * ';' on a line of its own below the end of a block is the ':' of a definition. */
#include "layout_state.h"

#include "among.h"

/* The index of the next token that begins a line at the margin or left of it. The last result is
 * kept: a whole file may be right of its margin, and each of its lines asks. */
static size_t next_at_margin(Layout *layout, int32_t margin) {
    if (layout->searched_margin == margin && layout->found > layout->taken) {
        return (size_t)(layout->found - layout->taken) - 1;
    }
    size_t i = 0;
    const Token *next = layout_peek(layout, i);
    while (next->kind != TOKEN_END && (!next->starts_line || next->indent > margin)) {
        next = layout_peek(layout, ++i);
    }
    layout->searched_margin = margin;
    layout->found = layout->taken + i + 1;
    return i;
}

static bool is_body_of_definition(Layout *layout, const Token *token, int32_t margin) {
    size_t i = next_at_margin(layout, margin);
    const Token *next = layout_peek(layout, i);
    bool is_heading = token->kind == TOKEN_PROC || token->kind == TOKEN_PROTOCOL ||
                      token->kind == TOKEN_DATA || token->indent == margin + 1;
    if (token->kind == TOKEN_COLON || is_heading || next->kind != TOKEN_COLON ||
        next->indent != margin) {
        return false;
    }
    next = layout_peek(layout, i + 1);
    return next->starts_line || next->kind == TOKEN_END;
}

static const char *heading_of(Layout *layout, const Token *first, int32_t margin) {
    if (AMONG(first->kind, TOKEN_RECORD, TOKEN_PACKED, TOKEN_MOBILE)) {
        return "DATA TYPE name";
    }
    const Token *token = first;
    for (size_t i = 0; token->indent > margin; i++) {
        if (token->starts_line && token->kind == TOKEN_VALOF && token->indent == first->indent) {
            return "INT FUNCTION name (parameters)";
        }
        token = layout_peek(layout, i);
    }
    return "PROC name (parameters)";
}

static void skip_body(Layout *layout, int32_t margin) {
    const Token *next = layout_peek(layout, 0);
    while (!next->starts_line || next->indent > margin) {
        layout_read(layout);
        next = layout_peek(layout, 0);
    }
    layout_read(layout); /* the ':' */
}

bool layout_skip_headless(Layout *layout, const Token *token) {
    int32_t margin = layout->levels.items[layout->levels.count - 1].column;
    bool may_belong = layout->is_started && (!layout_statement_is_closed(layout) ||
                                             layout_line_continues(layout->statement.last));
    if (layout->brackets.count || may_belong || token->indent <= margin ||
        !is_body_of_definition(layout, token, margin)) {
        return false;
    }
    layout_report_heading(layout, token, heading_of(layout, token, margin));
    layout->has_lost_heading = true;
    skip_body(layout, margin);
    return true;
}

bool layout_has_lost_heading(const Layout *layout) {
    return layout->has_lost_heading;
}

static bool is_abbreviation(Layout *layout) {
    const Token *token = layout_peek(layout, 0);
    for (size_t i = 0; !token->starts_line && token->kind != TOKEN_END; i++) {
        if (token->kind == TOKEN_IS) {
            return true;
        }
        token = layout_peek(layout, i + 1);
    }
    return false;
}

bool layout_is_result(Layout *layout, const Token *token) {
    return token->kind == TOKEN_RESULT && token->starts_line && !is_abbreviation(layout);
}

void layout_supply_process(Layout *layout, const Token *token, TokenKind last) {
    bool is_next = last == TOKEN_VALOF || last == TOKEN_COLON;
    if (!is_next || !layout_is_result(layout, token)) {
        return;
    }
    if (syntax_gate_opens(layout->context.gate, token->at)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_VALOF_PROCESS, token->at);
        diag_hint(layout->context.diag, "write SKIP above it when there is nothing to do, or the "
                                        "short form: INT FUNCTION f (VAL INT x) IS x + x:");
    }
    layout_emit(layout, (Token){.kind = TOKEN_SKIP, .at = token->at});
    layout_emit(layout, (Token){.kind = TOKEN_NL, .at = token->at});
}

void layout_mend_closing(Layout *layout, Token *token) {
    const Token *next = layout_peek(layout, 0);
    bool is_alone = token->starts_line && (next->starts_line || next->kind == TOKEN_END);
    if (token->kind != TOKEN_SEMICOLON || !is_alone || !layout->is_started ||
        layout->brackets.count || token->indent >= layout->statement.column ||
        !layout_is_open_column(layout, token->indent)) {
        return;
    }
    token->kind = TOKEN_COLON;
    if (syntax_gate_opens(layout->context.gate, token->at)) {
        diag_report(layout->context.diag, DIAG_SYNTAX_MISSING_COLON, token->at);
        diag_fixit(layout->context.diag, token->at, ":");
    }
}
