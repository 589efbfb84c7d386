/* emit_process -- SEQ, IF, CASE, loops, PAR; the run queue and parking.
 *
 * Leaves: starting and joining, FORK to emit_sharing.h; what waits on channels to emit_channel.h.
 */
#ifndef OCCC_EMIT_PROCESS_H
#define OCCC_EMIT_PROCESS_H

#include "emitter.h"

/* ---- sequence.c, assignment.c, replicator.c ---- */
void emit_seq(Emitter *emitter, Node *seq);
/* emit_has_parts, emit_parts -- a SEQ too long for one routine (part.c). */
bool emit_has_parts(const Emitter *emitter, const Node *seq);
void emit_parts(Emitter *emitter, Node *seq);
void emit_if(Emitter *emitter, Node *if_);
void emit_case(Emitter *emitter, Node *case_);
void emit_while(Emitter *emitter, Node *while_);
void emit_assign(Emitter *emitter, Node *assign);

/* ---- preemption.c: loops that let others run ---- */
typedef enum LoopLook { LOOK_NEVER, LOOK_ALWAYS, LOOK_IN_BLOCKS } LoopLook;
/* loop_look_while, loop_look_counted -- where a loop looks for attention; *block: how many
 * iterations go between two looks, set with LOOK_IN_BLOCKS. The loop is a replicated SEQ or IF. */
LoopLook loop_look_while(Node *while_, unsigned *block);
LoopLook loop_look_counted(Node *loop, unsigned *block);
/* emit_look_for_attention -- yield if the worker is wanted. */
void emit_look_for_attention(Emitter *emitter);

/* A counted loop over a replicator; body is called once with the index bound. */
typedef struct ReplicatorLoop {
    LLVMValueRef base, count, step; /* i32, evaluated once; count checked not negative */
    LLVMValueRef iteration;         /* i32: 0 .. count-1 */
    LLVMValueRef index;             /* i32: base + iteration * step */
    LLVMBasicBlockRef header, exit, latch;
    LoopLook look;               /* LOOK_NEVER, unless set between values and begin */
    unsigned block;              /* LOOK_IN_BLOCKS: iterations of one */
    LLVMValueRef done, limit;    /* LOOK_IN_BLOCKS: first iteration of the block, and of the next */
    LLVMBasicBlockRef blocks;    /* LOOK_IN_BLOCKS: header of the loop over blocks */
    LLVMBasicBlockRef block_end; /* and its latch */
} ReplicatorLoop;
void emit_replicator_values(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_begin(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_end(Emitter *emitter, ReplicatorLoop *loop);
/* emit_replicator_iteration -- the index of this iteration, without a loop. */
void emit_replicator_iteration(Emitter *emitter, Node *replicator, ReplicatorLoop *loop,
                               unsigned iteration);
/* loop_unrolled_count -- how often the body of a replicated SEQ is emitted instead of a loop; 0: a
 * loop is emitted. */
unsigned loop_unrolled_count(const Emitter *emitter, Node *seq);

/* ---- parallel.c ---- */
void emit_par(Emitter *emitter, Node *par);

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
