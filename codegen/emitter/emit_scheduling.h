/* emit_scheduling -- the run queue, parking, and loops that let others run.
 *
 * Leaves: what waits for what to the folders of the constructs. */
#ifndef OCCC_EMIT_SCHEDULING_H
#define OCCC_EMIT_SCHEDULING_H

#include "emitter.h"

/* ---- preemption.c: loops that let others run ---- */
typedef enum LoopLook { LOOK_NEVER, LOOK_ALWAYS, LOOK_IN_BLOCKS } LoopLook;
/* loop_look_while, loop_look_counted -- where a loop looks for attention; *block: how many
 * iterations go between two looks, set with LOOK_IN_BLOCKS. The loop is a replicated SEQ or IF. */
LoopLook loop_look_while(Node *while_, unsigned *block);
LoopLook loop_look_counted(Node *loop, unsigned *block);
/* emit_look_for_attention -- yield if the worker is wanted. */
void emit_look_for_attention(Emitter *emitter);

/* ---- run_queue.c: the only inlined dequeue and park code ---- */
void emit_enqueue(Emitter *emitter, LLVMValueRef process);
/* emit_put_first -- a chain of them, in front of all that are ready: where the link to the first
 * is, and the link of the last; the same place when there are none. */
void emit_put_first(Emitter *emitter, LLVMValueRef chain, LLVMValueRef last_link);
/* emit_if_alone -- go to `alone` when the worker is the only active one and undisturbed: then, and
 * only then, channel words, joins and the run queue may be touched by compiled code. */
void emit_if_alone(Emitter *emitter, LLVMBasicBlockRef alone, LLVMBasicBlockRef otherwise);
/* emit_let_others_run -- those that are ready run once, then emission goes on; jump to `nobody`
 * when there are none. The worker is alone. */
void emit_let_others_run(Emitter *emitter, LLVMBasicBlockRef nobody);
/* emit_gate -- an operation follows whose order at the object others can see; kind:
 * explore_kind.def.
 */
void emit_gate(Emitter *emitter, LLVMValueRef object, unsigned kind, LLVMValueRef site);
/* emit_if_several -- are several workers active? The result, i32, is then what Channel.owner is in
 * channels of this one. */
LLVMValueRef emit_if_several(Emitter *emitter, LLVMBasicBlockRef several, LLVMBasicBlockRef alone);
/* emit_park -- me waits for `object` at `site` (both stored), something else runs. The worker is
 * alone. */
void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site);
/* emit_defer -- a new process waits until its parent comes to the end of the PAR. */
void emit_defer(Emitter *emitter, LLVMValueRef process);
/* emit_park_for_branch -- run the newest that is deferred if it is a branch of this join, else
 * something else. */
void emit_park_for_branch(Emitter *emitter, LLVMValueRef join, LLVMValueRef site);

#endif
