/* parse_state -- what grammar.y, parse.c, build.c and syntax_error.c share; nobody else includes
 * it.
 *
 * Recovery: at a syntax error bison drops states until one can shift `error`, then wants one of the
 * BROKEN tokens (grammar.y says where). parse_next_token skips the rest of the broken line, and the
 * blocks whose INDENT bison dropped, and supplies that token; so parser and layout agree again. */
#ifndef OCCC_PARSE_STATE_H
#define OCCC_PARSE_STATE_H

#include "ast.h"
#include "compiler.h"
#include "layout.h"

typedef struct Recovery {
    bool is_on;
    int dropped_levels; /* INDENTs that bison has dropped */
    bool takes_process; /* which tokens the state after `error` can shift */
    bool takes_process_head;
    bool takes_spec;
    bool takes_spec_head;
    bool takes_colon;
    bool wants_result; /* in a VALOF: lines up to RESULT are to be skipped */
} Recovery;

/* The tokens that could stand where an error was found. */
typedef struct ExpectedSet {
    bool has[TOKEN_KIND_COUNT];
    size_t count;
} ExpectedSet;

/* One process or choice too many: reported when all is read, since one in the wrong block puts
 * another into its block. */
typedef struct Surplus {
    DiagId id;
    Location first;
    Location surplus;      /* the first that is too many */
    const char *construct; /* TWO_PROCESSES: NULL */
    const char *what;      /* SYNTAX_ONE_COMPONENT: what the construct takes one of */
    const char *hint;      /* NULL: none */
} Surplus;

typedef struct Parse {
    Compiler *compiler;
    Arena *arena;
    SyntaxGate gate;
    Preprocessor *preprocessor;
    Layout *layout;
    const SourceFile *const *files;
    size_t file_count;
    size_t next_file;
    NodeList specs;              /* of the UNIT */
    ARRAY_OF(Token) line;        /* the tokens of the statement being read, without layout */
    bool line_has_ended;         /* its NL was handed out */
    Token above;                 /* the first token of the statement before */
    bool above_is_guard;         /* that statement has a ? or & */
    ARRAY_OF(Token) block_heads; /* of the blocks around: the word alone over each, or of no kind */
    int block_depth;             /* the depth of the block begun last */
    Token heading_name;          /* what the last heading of a definition defines */
    int bare_depth;              /* of the body of the FUNCTION it heads, until VALOF; else 0 */
    bool said_bare;              /* it was reported that this FUNCTION has no VALOF */
    Token last;                  /* the token handed to the grammar last */
    Token pushed_back;
    bool has_pushed_back;
    Token held; /* read ahead, to come after what is pushed back */
    bool has_held;
    int depth; /* INDENTs less OUTDENTs handed out */
    Recovery recovery;
    bool broken_is_spec;    /* the line just reported is a specification that lacks its ':' */
    bool broken_is_process; /* the line just reported is no specification, whatever it ends in */
    bool broken_is_choice;  /* the block it is in holds choices, where a process was expected */
    unsigned said_groups;   /* the groups of foreign words that were reported (syntax_foreign.c) */
    bool said_outermost;    /* it was reported that a process must be inside a PROC */
    int if_line_depth;      /* 1 + depth of an IF reported for what follows it on its line */
    int owed_colon;         /* the steps left until a ':' NL that stood in the wrong place is
                               handed out where it belongs: 3 OUTDENT, 2 ':', 1 NL, 0 done */
    ARRAY_OF(Surplus) surplus;
    ARRAY_OF(Node *) operator_uses; /* MONADIC and DYADIC with user operators */
    ARRAY_OF(const Text *) operator_definitions;
    Location recovered_at; /* where recovery began last; the same place twice: give up */
    TokenKind recovered_from;
    bool has_given_up;
} Parse;

/* parse_next_token -- for the grammar: layout's tokens, or one of BROKEN. */
void parse_next_token(Parse *parse, Token *token);
/* parse_recover_from -- a syntax error was found at parse->last. */
void parse_recover_from(Parse *parse, const Recovery *recovery);

/* syntax_error_report -- say what is wrong at parse->last. */
void syntax_error_report(Parse *parse, const ExpectedSet *expected);
/* syntax_error_depth -- the parser's stack is full. */
void syntax_error_depth(Parse *parse, Location at);
/* syntax_error_operators -- uses of user-defined operators that no FUNCTION defines: ==, &&... */
void syntax_error_operators(Parse *parse);
/* syntax_error_no_if -- true after a message about a word like IF over two or more IFs. */
bool syntax_error_no_if(Parse *parse, const Node *condition, const NodeList *below);
/* syntax_error_made_channel -- true after a message about c := make(chan int). */
bool syntax_error_made_channel(Parse *parse, const NodeList *targets, const NodeList *values);
/* syntax_error_common -- the slips that deserve words of their own; true when one was reported. */
bool syntax_error_common(Parse *parse, const ExpectedSet *expected);

int grammar_parse(Parse *parse); /* grammar.y */

#endif
