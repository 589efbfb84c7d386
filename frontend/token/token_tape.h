/* token_tape -- the tokens that the grammar has read, kept until the interface of the unit is
 * written (interface_text.h). */
#ifndef OCCC_TOKEN_TAPE_H
#define OCCC_TOKEN_TAPE_H

#include "array.h"
#include "token.h"

typedef struct TokenTape {
    Arena *arena;                   /* its own: it outlives the tree */
    ARRAY_OF(Token) tokens;         /* with NL, INDENT and OUTDENT */
    ARRAY_OF(const char *) defines; /* those added by the text: name, or name value */
} TokenTape;

#endif
