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
/* emit_clock_registration -- of the clock that is named: a CLOCK, or a mobile one. */
LLVMValueRef emit_clock_registration(Emitter *emitter, Node *clock);
void emit_clock_enroll(Emitter *emitter, Node *enroll);
void emit_clock_next(Emitter *emitter, Node *next);
/* emit_clock_guard -- the registration of a clock of a NEXT guard, which must be resumed. */
LLVMValueRef emit_clock_guard(Emitter *emitter, Node *name);
/* emit_clock_is_over -- i1: has the phase in which it resumed ended? Only while alone. */
LLVMValueRef emit_clock_is_over(Emitter *emitter, LLVMValueRef registration);
/* emit_clocks_left_active -- at the end of a PROC: an error that the checks could not rule out. */
void emit_clocks_left_active(Emitter *emitter, const Node *proc);
void emit_clock_sync(Emitter *emitter, Node *sync);
void emit_clock_resume(Emitter *emitter, Node *resume);
void emit_clock_drop(Emitter *emitter, Node *drop);
void emit_clock_resign(Emitter *emitter, Node *resign);
LLVMValueRef emit_clock_phase(Emitter *emitter, Node *phase);

/* ---- hidden_clock.c ---- */
/* emit_hidden_clocks -- the actual for the clocks that a PROC does not see. */
LLVMValueRef emit_hidden_clocks(Emitter *emitter, Node *clocks);
/* emit_hidden_resume, emit_hidden_next -- on all the clocks that this PROC was given so. */
void emit_hidden_resume(Emitter *emitter);
void emit_hidden_next(Emitter *emitter, Location at);

/* ---- mobile_clock.c ---- */
/* emit_mobile_registration -- of a mobile clock; an error when the process is not enrolled. */
LLVMValueRef emit_mobile_registration(Emitter *emitter, Node *element);
/* emit_clock_is_in_state -- a run-time error when the registration is not in that state. */
void emit_clock_is_in_state(Emitter *emitter, LLVMValueRef registration, unsigned state,
                            ErrorKind error, Location at, const char *name);
/* emit_clock_is_active -- the same for the active state, where somebody else is to be enrolled. */
void emit_clock_is_active(Emitter *emitter, LLVMValueRef registration, Node *element);
LLVMValueRef emit_mobile_clock_defined(Emitter *emitter, LLVMValueRef object);
/* emit_mobile_clock -- MOBILE CLOCK: a new one, the process enrolled. */
LLVMValueRef emit_mobile_clock(Emitter *emitter, Location at);
/* emit_mobile_clock_enrol -- one more registration in `to`, for whoever receives it. */
void emit_mobile_clock_enrol(Emitter *emitter, Node *element, Place to);
LLVMValueRef emit_mobile_clock_copy(Emitter *emitter, LLVMValueRef object, LLVMValueRef site);
void emit_mobile_clock_drop(Emitter *emitter, Node *element);
void emit_mobile_clock_resign(Emitter *emitter, Node *resign);
/* emit_mobile_clock_enter, emit_mobile_clock_end -- the variable of an enrolled branch. */
void emit_mobile_clock_enter(Emitter *emitter, Node *name);
void emit_mobile_clock_end(Emitter *emitter, Place mine, Place outer);

#endif
