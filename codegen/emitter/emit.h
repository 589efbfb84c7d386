/* emit -- what every file that emits code includes: the shared context, and one prototype per
 * construct, by the folder that has its code.
 *
 * Leaves: what few files need to emit_sharing.h and emit_clock.h. */
#ifndef OCCC_EMIT_H
#define OCCC_EMIT_H

#include "emitter.h"

#include "emit_channel.h"
#include "emit_mobile.h"
#include "emit_process.h"
#include "emit_routine.h"
#include "emit_scheduling.h"
#include "emit_storage.h"
#include "emit_value.h"

/* ---- storage.c: the end of a scope ---- */
void emit_scope_end(Emitter *emitter, const NodeList *specifications);
/* emit_scope_release -- give back what they introduce, on a way out of the middle of the scope. */
void emit_scope_release(Emitter *emitter, const NodeList *specifications);

/* ---- trap.c: checks and sites ---- */
LLVMValueRef emit_site(Emitter *emitter, unsigned kind, Location at, const char *object);
/* emit_wait_site -- where the process waits; in a routine that is given its call's sites, there. */
LLVMValueRef emit_wait_site(Emitter *emitter, WaitReason reason, Location at, const char *object);
/* emit_call_sites -- what such a routine is given: a Site for each reason it may wait for. */
LLVMValueRef emit_call_sites(Emitter *emitter, Location at, const char *callee);
/* emit_sized_site -- a site for an item on CHAN OF ANY, with its size (i64); in the frame when the
 * size is not a constant. */
LLVMValueRef emit_sized_site(Emitter *emitter, unsigned kind, Location at, const char *object,
                             LLVMValueRef size);
/* emit_shaped_site -- a site for an item that owns something. */
LLVMValueRef emit_shaped_site(Emitter *emitter, unsigned kind, Location at, const char *object,
                              LLVMValueRef shape);
/* emit_trap_unless -- go on when ok is true, else occ_error (site, a, b, c); NULL value: 0. With
 * --no-checks nothing is emitted for kinds that are checks. */
void emit_trap_unless(Emitter *emitter, LLVMValueRef ok, ErrorKind kind, Location at,
                      const char *object, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
/* emit_trap_if -- the opposite: an error when `wrong` is true. */
void emit_trap_if(Emitter *emitter, LLVMValueRef wrong, ErrorKind kind, Location at,
                  const char *object, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
/* emit_error -- unconditional, always on (STOP, no choice); goes on in an unreachable block. The
 * value is NULL where the message has none. */
void emit_error(Emitter *emitter, ErrorKind kind, Location at, const char *object,
                LLVMValueRef value);
void emit_not_supported(Emitter *emitter, Location at, const char *construct);
LLVMValueRef emit_string(Emitter *emitter, const char *string); /* private constant, NUL-ended */

/* ---- coverage.c: nothing happens without -fcoverage ---- */
typedef enum CoverageKind {
    COVERAGE_PROCESS,
    COVERAGE_ROUTINE,
    COVERAGE_ALTERNATIVE, /* of an ALT */
    COVERAGE_CHOICE,      /* of an IF */
    COVERAGE_OPTION       /* of a CASE */
} CoverageKind;
/* emit_coverage -- count here that the part at `at` of the construct runs. */
void emit_coverage(Emitter *emitter, CoverageKind kind, Location at, Location construct);
void emit_coverage_end(Emitter *emitter);

/* ---- runtime_call.c ---- */
LLVMValueRef emit_runtime_call(Emitter *emitter, RuntimeCall call, LLVMValueRef *arguments);
LLVMValueRef emit_runtime_function(Emitter *emitter, const char *symbol); /* address of occ_... */

/* ---- debug.c: nothing happens without -g ---- */
void debug_begin(Emitter *emitter);
void debug_routine(Emitter *emitter, Location at, const char *name);
void debug_location(Emitter *emitter, Location at); /* for the instructions that follow */
void debug_variable(Emitter *emitter, Symbol *symbol, Binding *binding, unsigned argument);
void debug_end(Emitter *emitter);

/* ---- instruction.c: blocks, constants, globals, fields ---- */
LLVMBasicBlockRef emit_block(Emitter *emitter, const char *name); /* new block, not entered */
void emit_enter(Emitter *emitter, LLVMBasicBlockRef block);       /* continue there */
void emit_jump(Emitter *emitter, LLVMBasicBlockRef block);        /* br; unless terminated */
/* emit_continue -- go there (unless terminated), and continue there. */
void emit_continue(Emitter *emitter, LLVMBasicBlockRef block);
/* emit_merge -- emit_continue, and a phi there: `here` from here, `other` from the other way in. */
LLVMValueRef emit_merge(Emitter *emitter, LLVMBasicBlockRef block, LLVMValueRef other,
                        LLVMBasicBlockRef other_from, LLVMValueRef here, const char *name);
bool emit_is_terminated(Emitter *emitter);
/* emit_call_of -- call a function of the unit. */
LLVMValueRef emit_call_of(Emitter *emitter, LLVMValueRef function, LLVMValueRef *arguments,
                          unsigned count);
void emit_branch_weights(Emitter *emitter, LLVMValueRef branch, uint32_t taken, uint32_t not_taken);
LLVMValueRef emit_i32(Emitter *emitter, int64_t value);
LLVMValueRef emit_i64(Emitter *emitter, int64_t value);
/* emit_constant_global -- memory of the unit that holds the constant `value`. */
LLVMValueRef emit_constant_global(Emitter *emitter, LLVMValueRef value, const char *name);
LLVMValueRef emit_field(Emitter *emitter, LLVMValueRef base, unsigned offset, const char *name);
/* emit_load_field, emit_store_field -- a field of layout.def; returns the load or the store. */
LLVMValueRef emit_load_field(Emitter *emitter, LLVMTypeRef type, LLVMValueRef base, unsigned offset,
                             const char *name);
LLVMValueRef emit_load_pointer(Emitter *emitter, LLVMValueRef base, unsigned offset,
                               const char *name);
LLVMValueRef emit_store_field(Emitter *emitter, LLVMValueRef value, LLVMValueRef base,
                              unsigned offset);

#endif
