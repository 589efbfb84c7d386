/* emit_clock -- CLOCK and BARRIER, for the files that meet them (clock.c).
 *
 * Holds:  a name of a CLOCK or BARRIER is bound to the address of a Registration. */
#ifndef OCCC_EMIT_CLOCK_H
#define OCCC_EMIT_CLOCK_H

#include "emit.h"

void emit_clock_declaration(Emitter *emitter, Symbol *symbol);
/* emit_clocks_lend -- before the branches of a PAR start; branches: i64. */
void emit_clocks_lend(Emitter *emitter, const NodeList *clocks, LLVMValueRef branches);
/* emit_clocks_enter, emit_clocks_end -- around the process of a branch that is enrolled. */
void emit_clocks_enter(Emitter *emitter, const NodeList *clocks);
void emit_clocks_end(Emitter *emitter, const NodeList *clocks);
LLVMValueRef emit_clock_registration(Emitter *emitter, const Node *clock);
void emit_clock_enroll(Emitter *emitter, Node *enroll);
void emit_clock_next(Emitter *emitter, Node *next);
void emit_clock_sync(Emitter *emitter, Node *sync);
void emit_clock_resume(Emitter *emitter, Node *resume);
void emit_clock_drop(Emitter *emitter, Node *drop);
void emit_clock_resign(Emitter *emitter, Node *resign);
LLVMValueRef emit_clock_phase(Emitter *emitter, Node *phase);

#endif
