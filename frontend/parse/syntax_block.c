/* syntax_block -- the ':' of definitions, blocks that are missing or too many. */
#include "syntax_hint.h"

enum { LINES_LOOKED_AT = 20 }; /* to find the next one that is not a comment */

/* ---- colons ---- */

/* A line with ':' above the token found, when the definition stands in column 1. */
static void offer_colon_line(const Slip *slip) {
    bool is_end = slip->found->kind == TOKEN_END;
    if (is_end || (slip->found->starts_line && slip->found->at.column == 1)) {
        bool is_own_line = slip->found->at.column == 1;
        diag_fixit(slip->diag, slip_before(slip->found->at), is_own_line ? ":\n" : "\n:\n");
    }
}

/* The first words of an included file do not end a definition: the place is the #INCLUDE. */
static Location place_in_own_file(const Slip *slip) {
    Location at = slip->found->at;
    uint32_t own = slip->parse->above.at.file;
    const SourceFile *file = source_file(slip->parse->compiler->sources, at.file);
    while (own && file && file->number != own && location_is_known(file->included_at)) {
        at = file->included_at;
        file = source_file(slip->parse->compiler->sources, at.file);
    }
    return file && file->number == own ? at : slip->found->at;
}

bool try_missing_colon(const Slip *slip) {
    if (!slip->expected->has[TOKEN_COLON]) {
        return false;
    }
    if (slip->found->kind == TOKEN_NL && slip->count > 0 && slip->line[0].kind != TOKEN_COLON) {
        slip->parse->broken_is_spec = true;
        diag_report(slip->diag, DIAG_SYNTAX_DECLARATION_COLON, slip->found->at);
        diag_fixit(slip->diag, slip_before(slip->found->at), ":");
        return true;
    }
    if (slip->expected->count == 1 &&
        (slip->found->starts_line || slip_is_layout(slip->found->kind)) &&
        slip->found->kind != TOKEN_NL) {
        diag_report(slip->diag, DIAG_SYNTAX_MISSING_COLON, place_in_own_file(slip));
        diag_hint(slip->diag, "a line with only ':' ends it, in the column of its first word");
        offer_colon_line(slip);
        return true;
    }
    return false;
}

/* A line that could be the last of a definition, and is not the heading of a block. */
static bool is_plain_statement(const Slip *slip) {
    TokenKind first = slip->line[0].kind;
    if (first == TOKEN_SKIP || first == TOKEN_STOP) {
        return true;
    }
    if (first != TOKEN_NAME) {
        return false;
    }
    for (size_t i = 1; i < slip->count; i++) {
        TokenKind kind = slip->line[i].kind;
        if (kind == TOKEN_ASSIGN || kind == TOKEN_BANG || kind == TOKEN_QUERY) {
            return true;
        }
    }
    return slip->line[1].kind == TOKEN_LPAREN && slip->before->kind == TOKEN_RPAREN;
}

/* The blanks in front of a line; UINT32_MAX for one that is empty or a comment, and past the end.
 */
static uint32_t indent_of(const Slip *slip, uint32_t file, uint32_t line) {
    size_t length = 0;
    const char *text = source_line(slip->parse->compiler->sources, file, line, &length);
    size_t at = 0;
    while (text && at < length && text[at] == ' ') {
        at++;
    }
    bool is_comment = text && at + 1 < length && text[at] == '-' && text[at + 1] == '-';
    return !text || at >= length || is_comment ? UINT32_MAX : (uint32_t)at;
}

/* Is the line below deeper than the heading, so that the definition continues? */
static bool definition_goes_on(const Slip *slip) {
    Location heading = slip->parse->heading_name.at;
    uint32_t file = slip->found->at.file;
    if (heading.file != file || !location_is_known(heading)) {
        return false;
    }
    uint32_t outer = indent_of(slip, file, heading.line);
    for (uint32_t i = 1; i <= LINES_LOOKED_AT; i++) {
        uint32_t indent = indent_of(slip, file, slip->found->at.line + i);
        if (indent != UINT32_MAX) {
            return outer != UINT32_MAX && indent > outer;
        }
    }
    return false;
}

bool try_closing_colon(const Slip *slip) {
    if (slip->found->kind != TOKEN_COLON || slip->found->starts_line || slip->count < 2 ||
        !slip->expected->has[TOKEN_NL]) {
        return false;
    }
    TokenClass class = token_class(slip->line[0].kind);
    if (class == CLASS_SPEC || class == CLASS_TYPE) {
        return false;
    }
    slip->parse->broken_is_process = slip->parse->depth > 0;
    if (is_plain_statement(slip) && !definition_goes_on(slip)) {
        diag_report(slip->diag, DIAG_SYNTAX_CLOSING_COLON, slip->found->at);
        slip->parse->owed_colon = 3;
    } else {
        diag_report(slip->diag, DIAG_SYNTAX_STRAY_COLON, slip->found->at);
        diag_fixit(slip->diag, slip->found->at, "");
    }
    return true;
}

/* What kind of line lacks its block, in words. */
static const char *head_words(const Slip *slip, const Token *head) {
    if (token_is_spelled(head->kind) && head->kind >= TOKEN_AFTER) {
        return token_shown(head->kind);
    }
    bool is_own_line = slip->count && head == &slip->line[0];
    bool is_guard = is_own_line
                        ? slip_line_has(slip, TOKEN_QUERY) || slip_line_has(slip, TOKEN_AMPERSAND)
                        : slip->parse->above_is_guard;
    return is_guard ? "this guard" : "this line";
}

static const char *blanks(const Slip *slip, uint32_t count) {
    return arena_format(slip->parse->arena, "%*s", (int)count, "");
}

/* Nothing that could be the block follows: it is SKIP, or was forgotten. */
static void offer_skip(const Slip *slip, const Token *head) {
    for (size_t i = 0; i < slip->count; i++) {
        if (slip->line[i].kind == TOKEN_EXTENDED_QUERY) {
            diag_hint(slip->diag,
                      "below ?\? stands what runs while the sender waits; where nothing "
                      "does it is an ordinary input");
            diag_fixit(slip->diag, slip->line[i].at, "?");
            return;
        }
    }
    diag_hint(slip->diag, "a process that does nothing is SKIP");
    const Token *last = &slip->line[slip->count - 1];
    diag_fixit(slip->diag, slip_after(last->at),
               arena_format(slip->parse->arena, "\n%sSKIP", blanks(slip, head->at.column + 1)));
}

/* The next line is a process at the column of the head: it was meant to be below it. */
static void offer_deeper(const Slip *slip, const Token *head) {
    const Token *found = slip->found;
    bool is_process =
        token_class(head->kind) == CLASS_PROCESS || token_class(found->kind) == CLASS_PROCESS;
    if (!is_process || !found->starts_line || found->at.column != head->at.column) {
        diag_hint(slip->diag, "what belongs to a line stands below it, two columns deeper; a "
                              "process that does nothing is SKIP");
        return;
    }
    diag_fixit_margin(slip->diag, found->at, head->at.column + 1, false);
}

/* SEQ SKIP   PAR ( */
bool try_process_beside(const Slip *slip) {
    TokenKind head = slip->count ? slip->line[0].kind : TOKEN_END;
    bool is_head = head == TOKEN_SEQ || head == TOKEN_PAR || head == TOKEN_ALT;
    bool is_process = token_class(slip->found->kind) == CLASS_PROCESS;
    if (!is_head || slip->count != 2 || !(is_process || slip->found->kind == TOKEN_LPAREN)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, slip->found->at, "the end of the line",
                arena_format(slip->parse->arena, "'%s'", token_shown(slip->found->kind)));
    diag_hint(slip->diag, "what %s puts together stands below it, two columns deeper",
              token_shown(head));
    return true;
}

/* PROC p () SKIP, PROC p () :, INT FUNCTION f () VALOF -- the body is beside the heading. */
bool try_body_beside(const Slip *slip) {
    bool is_function = slip_line_has(slip, TOKEN_FUNCTION);
    bool is_heading = is_function || slip_line_has(slip, TOKEN_PROC);
    if (!is_heading || slip_line_has(slip, TOKEN_TYPE) || !slip->expected->has[TOKEN_NL] ||
        slip_is_layout(slip->found->kind) || !slip->before || slip->before->kind != TOKEN_RPAREN) {
        return false;
    }
    const Token *found = slip->found;
    const char *word = found->kind == TOKEN_NAME ? found->text->bytes : slip_spelling(found);
    diag_report(slip->diag, DIAG_SYNTAX_EXPECTED, found->at,
                is_function ? "'IS' or the end of the line" : "the end of the line",
                arena_format(slip->parse->arena, "'%s'", word));
    if (!is_function && token_class(found->kind) == CLASS_TYPE) {
        diag_hint(slip->diag, "a routine with a result is a FUNCTION: INT FUNCTION f (VAL INT x)");
        return true;
    }
    diag_hint(slip->diag, is_function
                              ? "the value of a FUNCTION is IS e:  in its heading, or a VALOF two "
                                "columns deeper in the lines below it"
                              : "the process of a PROC stands in the lines below its heading, two "
                                "columns deeper; a line with only ':' ends it");
    return true;
}

bool try_missing_block(const Slip *slip) {
    if (!slip->expected->has[TOKEN_INDENT] || slip->expected->count != 1) {
        return false;
    }
    bool is_last = slip_is_layout(slip->found->kind) && slip->count;
    const Token *head = is_last ? &slip->line[0] : &slip->parse->above;
    if (!location_is_known(head->at)) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_MISSING_BLOCK, head->at, head_words(slip, head));
    diag_label(slip->diag, slip->found->at, "expected two spaces deeper");
    if (is_last) {
        offer_skip(slip, head);
    } else {
        offer_deeper(slip, head);
    }
    return true;
}

bool try_unexpected_block(const Slip *slip) {
    if (slip->found->kind != TOKEN_INDENT) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_UNEXPECTED_BLOCK, slip->found->at);
    if (slip->count) {
        diag_label(slip->diag, location_join(slip->line[0].at, slip->line[slip->count - 1].at),
                   "this line is complete");
    }
    return true;
}

bool try_specification_last(const Slip *slip) {
    if ((slip->found->kind != TOKEN_OUTDENT && slip->found->kind != TOKEN_END) ||
        !slip->expected->has[TOKEN_SKIP] || slip->count < 2 ||
        slip->line[slip->count - 1].kind != TOKEN_COLON) {
        return false;
    }
    diag_report(slip->diag, DIAG_SYNTAX_SPECIFICATION_LAST, slip->line[0].at);
    return true;
}
