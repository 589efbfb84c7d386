/* emit_process -- any process; SEQ, IF, CASE, loops, PAR.
 *
 * Leaves: starting and joining, FORK to emit_sharing.h; what waits on channels to emit_channel.h.
 */
#ifndef OCCC_EMIT_PROCESS_H
#define OCCC_EMIT_PROCESS_H

#include "emitter.h"

/* ---- process.c: the switch ---- */
void emit_process(Emitter *emitter, Node *process);
/* emit_specification -- bind what it introduces; pair with emit_scope_end for the heap objects. */
void emit_specification(Emitter *emitter, Node *specification);

/* ---- sequence.c, storage/assignment.c ---- */
void emit_seq(Emitter *emitter, Node *seq);
void emit_if(Emitter *emitter, Node *if_);
/* emit_choices -- those from `first` to before `past` are tried in order; the one taken goes to
 * `end`. False: control cannot reach the code behind them. */
bool emit_choices(Emitter *emitter, const NodeList *choices, size_t first, size_t past,
                  LLVMBasicBlockRef end);
void emit_case(Emitter *emitter, Node *case_);
void emit_while(Emitter *emitter, Node *while_);
void emit_assign(Emitter *emitter, Node *assign);
/* Before and after an assignment that an invariant looks at (observed.c). */
void emit_observed_begin(Emitter *emitter, const Node *assign);
void emit_observed_end(Emitter *emitter, const Node *assign);

/* ---- part.c: a SEQ or an IF too long for one routine, by `parts` from the checks ---- */
bool emit_has_parts(const Emitter *emitter, const struct ParInfo *parts);
void emit_seq_parts(Emitter *emitter, const Node *seq);
/* emit_if_parts -- as emit_choices. */
bool emit_if_parts(Emitter *emitter, const Node *if_, LLVMBasicBlockRef end);

/* ---- unrolling.c ---- */
/* loop_unrolled_count -- how often the body of a replicated SEQ is emitted instead of a loop; 0: a
 * loop is emitted. */
unsigned loop_unrolled_count(const Emitter *emitter, Node *seq);

/* ---- parallel.c ---- */
void emit_par(Emitter *emitter, Node *par);

#endif
