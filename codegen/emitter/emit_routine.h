/* emit_routine -- PROC and FUNCTION: the function being emitted, parameters, calls, names from
 * outside.
 *
 * Leaves: what only the files about routines know to routine.h. */
#ifndef OCCC_EMIT_ROUTINE_H
#define OCCC_EMIT_ROUTINE_H

#include "emitter.h"

/* ---- frame.c, routine.c, procedure.c, call.c ---- */
/* emit_routine_begin / _end -- suspend the routine being emitted, start another LLVM function. */
void emit_routine_begin(Emitter *emitter, Routine *routine, LLVMValueRef function, Node *node,
                        const char *proc_name, bool may_wait);
void emit_routine_end(Emitter *emitter);
/* emit_routine -- a definition: a nested routine at once, one at the outermost level when it is
 * called (a program) or by emit_pending_routines (a library). */
void emit_routine(Emitter *emitter, Node *routine);
void emit_pending_routines(Emitter *emitter);
/* emit_end_formals -- give back the copies made for INITIAL formals. */
void emit_end_formals(Emitter *emitter, Node *routine);
/* emit_block_size -- the global i32 `name$stk` of a process body, filled in by the link step. */
LLVMValueRef emit_block_size(Emitter *emitter, LLVMValueRef body);
void emit_call(Emitter *emitter, Node *call);
/* emit_routine_of -- the function of a PROC of the program, declared if need be. */
LLVMValueRef emit_routine_of(Emitter *emitter, Symbol *proc);
/* emit_actual -- the values that pass an actual to a formal; returns how many. named is set when
 * the actual is an object passed by address. */
size_t emit_actual(Emitter *emitter, Symbol *formal, Node *actual, LLVMValueRef *values,
                   NamedPlace *named);
/* emit_main_call -- call the program's main PROC with its channels. */
void emit_main_call(Emitter *emitter, Symbol *proc, LLVMValueRef *channels, size_t count);
/* emit_routine_call -- a call of a FUNCTION symbol with given actuals (user-defined operators). */
LLVMValueRef emit_routine_call(Emitter *emitter, Symbol *callee, const NodeList *actuals,
                               Place *results, size_t result_count, Location at);
/* emit_function_call -- returns a single scalar result; others are written to `results`. */
LLVMValueRef emit_function_call(Emitter *emitter, Node *call, Place *results, size_t result_count);
void emit_valof(Emitter *emitter, Node *valof, Place *results, LLVMValueRef *scalars,
                size_t result_count);

/* ---- emitter/me.c ---- */
/* emit_me_begin -- at the start of the routine (called by emit_routine_begin). */
void emit_me_begin(Emitter *emitter, Routine *routine);
/* emit_me -- the Process that runs this. Every preserve_none routine returns it in a register, and
 * emit_set_me makes that value the current one: no load from the frame is needed, which shortens
 * the critical path between two switches. */
LLVMValueRef emit_me(Emitter *emitter);
LLVMValueRef emit_worker(Emitter *emitter);
/* emit_head -- the first process of the worker's run queue: Worker.head, but in a register since
 * the last switch, so that the next switch does not wait for a load after the store. */
LLVMValueRef emit_head(Emitter *emitter);
void emit_set_head(Emitter *emitter, LLVMValueRef head); /* NULL: load it */
/* worker and head: NULL: load them. */
void emit_set_me(Emitter *emitter, LLVMValueRef me, LLVMValueRef worker, LLVMValueRef head);
/* emit_return_me -- the end of a routine that may wait. */
void emit_return_me(Emitter *emitter);
/* emit_return_nothing -- of a PROC: emit_return_me if it may wait. */
void emit_return_nothing(Emitter *emitter, bool may_wait);

/* ---- capture.c: a name as a list of IR values, for arguments and environments ---- */
#define CAPTURE_MAX (1 + MAX_RANK)
size_t capture_types(Emitter *emitter, const Symbol *symbol, LLVMTypeRef *types);
size_t capture_values(Emitter *emitter, Symbol *symbol, LLVMValueRef *values);
void capture_bind(Emitter *emitter, Symbol *symbol, const LLVMValueRef *values);

/* ---- attribute.c ---- */
/* emit_parameter_attributes -- of the `count` parameters that pass `symbol`, from `parameter`. */
void emit_parameter_attributes(Emitter *emitter, const Symbol *symbol, unsigned parameter,
                               size_t count);

#endif
