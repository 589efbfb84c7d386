/* token_tape -- what the grammar has read, kept for the interface of the unit (interface_text.h).
 */
#ifndef OCCC_TOKEN_TAPE_H
#define OCCC_TOKEN_TAPE_H

#include "array.h"
#include "token.h"

typedef struct TokenTape {
    ARRAY_OF(Token) tokens;         /* with NL, INDENT and OUTDENT */
    ARRAY_OF(const char *) defines; /* at the end, and not at the beginning: name, or name value */
} TokenTape;

#endif
