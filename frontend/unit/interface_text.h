/* interface_text -- the interface of a unit as text of the language.
 *
 * Owns:   which specifications of the outermost level other units may see, and their text; the
 *         names of routines for the linker.
 * Leaves: the record round the text to interface.h, summaries of routines to usage_text.c.
 * Holds:  the text is printed from the tokens that the grammar read, so whatever may stand at the
 *         outermost level travels as it was written. Of a routine only the heading travels, and a
 *         #BODY line that tells what the checks found out; INLINE routines and FUNCTION .. IS
 *         travel whole. Units that were used as source are records of their own before the unit's.
 */
#ifndef OCCC_INTERFACE_TEXT_H
#define OCCC_INTERFACE_TEXT_H

#include "compiler.h"
#include "interface.h"
#include "symbol.h"
#include "token_tape.h"
#include "unit.h"

typedef struct InterfaceRequest {
    const char *unit_name;
    const char *source; /* path of the unit's file */
} InterfaceRequest;

/* interface_text_name -- give every routine of the outermost level its name for the linker.
 * interface_text_write -- the unit's records, for the section. Both: a tree that passed all checks.
 */
void interface_text_name(Compiler *compiler, Node *unit, const char *unit_name);
const char *interface_text_write(Compiler *compiler, Node *unit, const InterfaceRequest *request,
                                 size_t *length);

#endif
