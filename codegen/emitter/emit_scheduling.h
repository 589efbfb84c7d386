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
LoopLook loop_look_while(const Emitter *emitter, Node *while_, unsigned *block);
LoopLook loop_look_counted(const Emitter *emitter, Node *loop, unsigned *block);
/* emit_look_for_attention -- yield if the worker is wanted. */
void emit_look_for_attention(Emitter *emitter);

/* ---- recursion_size.c ---- */
/* recursion_copies -- how many copies a routine is emitted as: recursive calls of it are on one block
 * for so many levels. */
unsigned recursion_copies(Node *routine, bool may_wait);
/* recursion_has_loops -- false: it surely has none. */
bool recursion_has_loops(Node *routine);

/* ---- run_queue.c: the only inlined dequeue and park code ---- */
void emit_enqueue(Emitter *emitter, LLVMValueRef process);
/* emit_put_first -- put a chain of processes before all ready ones. chain: address of the link to
 * the first; last_link: of the last one's link; both are equal if the chain is empty. */
void emit_put_first(Emitter *emitter, LLVMValueRef chain, LLVMValueRef last_link);
/* emit_if_alone -- go to `alone` when the worker is the only active one and undisturbed: then, and
 * only then, channel words, joins and the run queue may be touched by compiled code. */
void emit_if_alone(Emitter *emitter, LLVMBasicBlockRef alone, LLVMBasicBlockRef otherwise);
/* emit_let_others_run -- the ready processes run once, then emission goes on; jump to `nobody` when
 * there are none. Only while the worker is alone. */
void emit_let_others_run(Emitter *emitter, LLVMBasicBlockRef nobody);
/* emit_gate -- before an operation on the object whose order others can see; kind:
 * explore_kind.def. */
void emit_gate(Emitter *emitter, LLVMValueRef object, unsigned kind, LLVMValueRef site);
/* emit_if_several -- are several workers active? The result (i32), if so, is what Channel.owner
 * holds for channels of this worker. */
LLVMValueRef emit_if_several(Emitter *emitter, LLVMBasicBlockRef several, LLVMBasicBlockRef alone);
/* emit_park -- me waits for `object` at `site` (both stored), something else runs. The worker is
 * alone. */
void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site);
/* emit_defer -- a new process waits until its parent comes to the end of the PAR. */
void emit_defer(Emitter *emitter, LLVMValueRef process);
/* emit_park_for_branch -- run the newest deferred branch if it belongs to this join, else something
 * else. */
void emit_park_for_branch(Emitter *emitter, LLVMValueRef join, LLVMValueRef site);

#endif
