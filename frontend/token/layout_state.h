/* layout_state -- what the files of the layout filter share; nobody else includes it. */
#ifndef OCCC_LAYOUT_STATE_H
#define OCCC_LAYOUT_STATE_H

#include "array.h"
#include "layout.h"

/* An open block. After a bad indentation the lines of the block may be at any of the three columns,
 * so that one slip is reported once. */
typedef struct Level {
    int32_t column;
    int32_t right_column; /* where it should stand */
    int32_t other_column; /* a wrong column that was reported already; -1: none */
    bool is_definition;   /* it is below the heading of a definition, and ends at its ':' */
    bool is_valof;        /* of a VALOF: a process, and RESULT */
    bool has_choices;     /* its lines are choices, options, variants or tags, not processes */
    bool has_processes;   /* its lines are certainly processes and specifications */
    bool is_of_protocol;  /* below PROTOCOL p: a CASE, and its tags deeper */
    bool has_parts;       /* its lines are fields or tags: only a ':' can be left of them */
} Level;

/* What is known of the statement being read. */
typedef struct Statement {
    int32_t column;
    Location at; /* of its first token */
    TokenKind first;
    TokenKind last;
    bool has_case;
    bool has_assignment;
    bool has_communication; /* ! or ? outside of brackets, and no CASE or ?? */
    bool has_alt;
    bool has_definition; /* it contains PROC, FUNCTION, PROTOCOL or TYPE */
    bool has_is;
    bool is_parted; /* it follows a declaration on its line: reported */
    bool has_proc;  /* it contains PROC: its brackets hold formals */
} Statement;

typedef struct Bracket {
    TokenKind kind;
    Location at;
    int32_t column;      /* of the first token inside; -1: none yet */
    bool is_layout;      /* ( .. VALOF: lines count inside */
    size_t base;         /* is_layout: number of levels outside */
    Statement statement; /* is_layout: the statement outside */
} Bracket;

enum { LAYOUT_MAX_DEPTH = 250, LAYOUT_STEP = 2 };

typedef ARRAY_OF(Token) TokenList;

struct Layout {
    LexerContext context;
    Preprocessor *preprocessor;
    ARRAY_OF(Level) levels;
    ARRAY_OF(Bracket) brackets;
    Statement statement;
    Location last_at; /* of the token given out last */
    const Text *last_text;
    bool is_started;                 /* a token of this file was seen */
    bool has_lost_heading;           /* a block without its heading was reported */
    bool is_dead;                    /* nested too deep: nothing but the end follows */
    bool is_taken[TOKEN_KIND_COUNT]; /* contextual keywords that the program uses as type names */
    TokenList read;                  /* looked at, not yet handled */
    size_t read_next;
    uint64_t taken;          /* tokens so far; plus an index into `read`: a position */
    int32_t searched_margin; /* for the line found at position `found` (layout_missing.c) */
    uint64_t found;
    TokenList made; /* ready to be given out */
    size_t made_next;
    TokenList pragmas; /* waiting for the line they stand before */
    int32_t shift; /* how far the current block is left of its place, as reported; 0: it is not */
    int32_t shift_column; /* of the line above the block; a line that is not deeper ends it */
};

/* layout_peek -- the index-th token that will be handled next (0: the very next). */
const Token *layout_peek(Layout *layout, size_t index);
/* layout_read -- take the very next token. */
Token layout_read(Layout *layout);
/* layout_promote -- the keyword that a name or [ is in this place; otherwise its own kind. Called
 * when its line break has been handled, before it becomes part of `statement`. */
TokenKind layout_promote(Layout *layout, const Token *token);
/* layout_line_continues -- does a line that ends in this token continue on the next? */
bool layout_line_continues(TokenKind kind);
/* layout_cannot_begin_line -- is it an operator before which a line cannot be broken? */
bool layout_cannot_begin_line(TokenKind kind);
/* layout_only_begins_statement -- does it begin a statement, and never stand in brackets? */
bool layout_only_begins_statement(TokenKind kind);

/* layout_emit -- a token for the grammar; the others: NL, INDENT, OUTDENT. */
void layout_emit(Layout *layout, Token token);
void layout_emit_layout(Layout *layout, TokenKind kind, Location at);
void layout_emit_newline(Layout *layout);
/* layout_die_of_depth -- report nesting that is too deep; nothing but the end follows. */
void layout_die_of_depth(Layout *layout, DiagId id, Location at);

/* layout_new_line -- end the line before, and open or close blocks by the column of the token;
 * levels below `floor` stay open. */
void layout_new_line(Layout *layout, const Token *token, size_t floor);
void layout_begin_statement(Layout *layout, const Token *token);
/* layout_close_levels -- until `count` are open. */
void layout_close_levels(Layout *layout, size_t count, Location at);
/* layout_is_open_column -- may a line be at that column? */
bool layout_is_open_column(const Layout *layout, int32_t column);
/* layout_line_below -- the first token of the line below the one being handled, or the end. */
const Token *layout_line_below(Layout *layout);
/* layout_has_block -- is the line below the one that the token begins deeper? */
bool layout_has_block(Layout *layout, const Token *token);
/* layout_is_declaration -- a declaration or abbreviation, not the heading of a block. */
bool layout_is_declaration(const Statement *statement);
/* layout_follow_shift -- move the line that the token begins to where it was meant to be. */
void layout_follow_shift(Layout *layout, Token *token);
/* layout_statement_is_closed -- can the statement so far have no block below it? */
bool layout_statement_is_closed(const Layout *layout);
/* layout_skip_headless -- if the token begins the body of a definition whose heading is missing:
 * report that, and skip all up to the ':' that ends it. */
bool layout_skip_headless(Layout *layout, const Token *token);

/* layout_mend_closing -- ';' in place of the ':' of a definition is reported and becomes one. */
void layout_mend_closing(Layout *layout, Token *token);

/* layout_is_result -- the token, the last one taken, begins the RESULT of a VALOF. */
bool layout_is_result(Layout *layout, const Token *token);
/* layout_supply_process -- for a VALOF without a process; `last`: the token before this one. */
void layout_supply_process(Layout *layout, const Token *token, TokenKind last);

/* Messages; each makes sure that a line gets only one of them. */
void layout_report_indent(Layout *layout, const Token *token, int32_t expected, const char *hint);
void layout_report_heading(Layout *layout, const Token *token, const char *heading);
void layout_report_outdent(Layout *layout, const Token *token);
void layout_report_first_line(Layout *layout, const Token *token);
void layout_report_operator(Layout *layout, const Token *token);
void layout_report_delay(Layout *layout, const Token *token);
/* layout_report_late_colon -- the token is the ':' of the line before. */
void layout_report_late_colon(Layout *layout, const Token *token);
/* layout_report_second_statement -- the token follows a declaration on its line. */
void layout_report_second_statement(Layout *layout, const Token *token);
void layout_report_continuation(Layout *layout, const Token *token);
void layout_report_bracket(Layout *layout, const Bracket *bracket, const Token *token);

#endif
