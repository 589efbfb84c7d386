/* syntax_hint -- what the files with messages for common slips share; syntax_error.c is their
 * caller.
 *
 * Each try_... function looks at the token found, the statement up to it and what was expected, and
 * returns true when it has reported. */
#ifndef OCCC_SYNTAX_HINT_H
#define OCCC_SYNTAX_HINT_H

#include "parse_state.h"

typedef struct Slip {
    Parse *parse;
    Diag *diag;
    const ExpectedSet *expected;
    const Token *found;
    const Token *line; /* the statement up to found, found included unless it is layout */
    size_t count;
    const Token *before; /* the token before found in its statement; NULL when it is the first */
} Slip;

/* Keywords in lower case, words and forms of other languages (syntax_foreign.c). */
bool try_lower_case(const Slip *slip);
bool try_foreign_word(const Slip *slip);
bool try_operator_word(const Slip *slip);
bool try_increment(const Slip *slip);
bool try_arrow(const Slip *slip);
/* slip_expects_operand -- an expression could begin at the token found. */
bool slip_expects_operand(const Slip *slip);
bool slip_is_operator(const Token *token, const char *spelled);

#endif
