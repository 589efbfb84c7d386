/* layout_report -- messages about indentation, in columns of the file the user sees. */
#include "layout_state.h"

#include <string.h>

static bool gate_opens(const Layout *layout, const Token *token) {
    return syntax_gate_opens(layout->context.gate, token->at);
}

/* Offer a fix-it: the indentation of the token's line, with the blanks it should have; the lines
 * below it move along. */
static void offer_indent(const Layout *layout, const Token *token, int32_t expected) {
    if (expected < 0 || expected >= 80) {
        return;
    }
    if (!token->has_tab) {
        diag_fixit_margin(layout->context.diag, token->at, (uint32_t)expected, true);
        return;
    }
    Location blanks = token->at;
    blanks.end_line = blanks.line;
    blanks.end_column = blanks.column;
    blanks.column = 1;
    diag_fixit(layout->context.diag, blanks,
               arena_format(layout->context.arena, "%*s", (int)expected, ""));
}

void layout_report_indent(Layout *layout, const Token *token, int32_t expected, const char *hint) {
    if (!gate_opens(layout, token)) {
        return;
    }
    int32_t wanted = expected - token->file_indent;
    int32_t found = token->indent - token->file_indent;
    diag_report(layout->context.diag, token->has_tab ? DIAG_LAYOUT_TAB : DIAG_LAYOUT_INDENT,
                token->at, (int)wanted, (int)found);
    diag_hint(layout->context.diag, "%s",
              token->has_tab ? "indent with spaces, two for each level" : hint);
    offer_indent(layout, token, wanted);
}

void layout_report_heading(Layout *layout, const Token *token, const char *heading) {
    if (gate_opens(layout, token)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_HEADING, token->at);
        diag_hint(layout->context.diag,
                  "the ':' below it ends a definition: above it stands a line such as %s", heading);
    }
}

void layout_report_outdent(Layout *layout, const Token *token) {
    if (!gate_opens(layout, token)) {
        return;
    }
    StringBuilder columns = {.arena = layout->context.arena};
    size_t count = layout->levels.count;
    size_t first = count > 6 ? count - 6 : 0;
    for (size_t i = first; i < count; i++) {
        string_append_format(&columns, "%s%d", i == first ? "" : ", ",
                             (int)(layout->levels.items[i].right_column - token->file_indent));
    }
    diag_report(layout->context.diag, DIAG_LAYOUT_OUTDENT, token->at,
                (int)(token->indent - token->file_indent));
    diag_hint(layout->context.diag, "the blocks open here stand at %s", columns.bytes);
}

void layout_report_first_line(Layout *layout, const Token *token) {
    if (gate_opens(layout, token)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_FIRST, token->at,
                    (int)(token->indent - token->file_indent));
        offer_indent(layout, token, 0);
    }
}

/* <-c   *p = 1   - or a line that goes on */
static const char *operator_words(Layout *layout, const Token *token) {
    const Token *next = layout_peek(layout, 0);
    bool is_joined = !next->starts_line && next->at.column == token->at.end_column;
    if (token->kind == TOKEN_LESS && is_joined && next->kind == TOKEN_SUBTRACT) {
        return "an input is c ? x: it waits for a message and puts it into a variable";
    }
    if (token->kind == TOKEN_MULTIPLY && is_joined && next->kind == TOKEN_NAME) {
        return "there are no pointers: a parameter without VAL is the variable itself";
    }
    return "a line goes on on the next one when it ends in an operator, ',', ';' or ':='";
}

void layout_report_operator(Layout *layout, const Token *token) {
    if (gate_opens(layout, token)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_OPERATOR_FIRST, token->at,
                    token->kind == TOKEN_USER_OPERATOR ? token->text->bytes
                                                       : token_shown(token->kind));
        diag_hint(layout->context.diag, "%s", operator_words(layout, token));
    }
}

void layout_report_delay(Layout *layout, const Token *token) {
    if (gate_opens(layout, token)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_OPERATOR_FIRST, token->at,
                    token_shown(token->kind));
        diag_hint(layout->context.diag, "a guard that waits for a time is an input from a TIMER: "
                                        "tim ? AFTER t");
    }
}

void layout_report_late_colon(Layout *layout, const Token *token) {
    Location end = layout->last_at;
    end.line = end.end_line;
    end.column = end.end_column;
    if (syntax_gate_opens(layout->context.gate, end)) {
        diag_report(layout->context.diag, DIAG_SYNTAX_DECLARATION_COLON, end);
        diag_label(layout->context.diag, token->at, "a line cannot begin with this one");
        diag_fixit(layout->context.diag, end, ":");
        diag_fixit(layout->context.diag, token->at, "");
    }
    syntax_gate_note(layout->context.gate, token->at);
}

void layout_report_second_statement(Layout *layout, const Token *token) {
    const char *words = token->kind == TOKEN_NAME && token->text
                            ? arena_format(layout->context.arena, "'%s'", token->text->bytes)
                            : token_shown(token->kind);
    diag_report(layout->context.diag, DIAG_SYNTAX_EXPECTED, token->at, "the end of the line",
                words);
    diag_hint(layout->context.diag, "what a specification belongs to stands on the next line");
    Location gap = layout->last_at;
    gap.line = gap.end_line;
    gap.column = gap.end_column;
    gap.end_column = token->at.column;
    int32_t column = layout->statement.column - token->file_indent;
    if (column >= 0 && column < 80) {
        diag_fixit(layout->context.diag, gap,
                   arena_format(layout->context.arena, "\n%*s", (int)column, ""));
    }
}

void layout_report_continuation(Layout *layout, const Token *token) {
    if (!gate_opens(layout, token)) {
        return;
    }
    diag_report(layout->context.diag, DIAG_LAYOUT_CONTINUATION, token->at,
                (int)(layout->statement.column - token->file_indent),
                (int)(token->indent - token->file_indent));
    diag_label(layout->context.diag, layout->last_at, "the line goes on after this");
}

void layout_report_bracket(Layout *layout, const Bracket *bracket, const Token *token) {
    if (syntax_gate_opens(layout->context.gate, bracket->at)) {
        diag_report(layout->context.diag, DIAG_LAYOUT_BRACKET, bracket->at,
                    token_shown(bracket->kind));
        if (token->kind != TOKEN_END) {
            diag_label(layout->context.diag, token->at, "this begins a new line of the program");
        }
    }
}
