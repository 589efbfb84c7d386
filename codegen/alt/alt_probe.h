/* alt_probe -- what the files that look for a ready guard share.
 *
 * alt_probe.c decides whether and how often to look, alt_look.c looks at one guard after the other,
 * alt_together.c at several channels at once, alt_row.c at those of one replicated guard. */
#ifndef OCCC_ALT_PROBE_H
#define OCCC_ALT_PROBE_H

#include "alternative.h"

/* A row of up to so many channels is looked at in a few ns. */
enum { ALT_SHORT_ROW = 16 };

typedef struct Probe {
    AltPlan *plan;
    ReplicatorLoop *loops; /* of each replicated guard's ALT, by guard */
    LLVMValueRef *starts;  /* i32: position of each guard's first instance */
    LLVMValueRef total;    /* i32 */
    LLVMValueRef position; /* i32 in memory */
    LLVMValueRef limit;    /* i32 in memory: where the current round ends */
    LLVMValueRef mark;     /* i32: our worker's mark when several are active; NULL: we are alone */
    LLVMValueRef tried;    /* i1 in memory: the others have run */
    LLVMValueRef doubts;   /* i32 in memory (alt_doubt.c); NULL: the look always comes first */
    LLVMBasicBlockRef found;
    LLVMBasicBlockRef next;   /* look at the next position */
    LLVMBasicBlockRef slow;   /* nothing is ready, or not plainly: let others run and look again */
    LLVMBasicBlockRef others; /* let others run, and look then */
    LLVMBasicBlockRef wait;   /* let the runtime look */
} Probe;

/* ---- alt_deadline.c ---- */
/* alt_can_be_late -- may the ALT let others run before it tells the runtime of its deadlines? Not a
 * PRI ALT with another guard after a timer: that guard is not looked at here. */
bool alt_can_be_late(const AltPlan *plan);
/* alt_look_at_deadlines -- go to `other` unless all deadlines come after the next alarm. */
void alt_look_at_deadlines(Emitter *emitter, const AltPlan *plan, LLVMBasicBlockRef other);

/* ---- alt_doubt.c ---- */
/* alt_may_doubt -- is the ALT one row of channels and nothing else? */
bool alt_may_doubt(const AltPlan *plan);
/* alt_look_in_vain -- note that the first look found nobody. */
void alt_look_in_vain(Emitter *emitter, const Probe *probe);
/* alt_doubt -- before the first look, go to probe->others if the look is likely to be in vain.
 * Called where the worker is alone. */
void alt_doubt(Emitter *emitter, const Probe *probe);

/* ---- alt_look.c ---- */
/* alt_group_width -- guards of one replicated ALT stand together and share its replicator: position
 * p of the group is instance p / width, guard p \ width, so that the order is that of the record.
 */
size_t alt_group_width(const AltPlan *plan, size_t first);
/* alt_random_start -- i32: a random position below the limit. */
LLVMValueRef alt_random_start(Emitter *emitter, LLVMValueRef limit);
/* alt_take -- choose guard `number` of the text, at the value of its replicator (or NULL); word:
 * the channel's, which names a plain partner, or NULL. */
void alt_take(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index, LLVMValueRef word);
/* alt_take_skip -- take a SKIP guard; but now and then, by the count of polls, leave it to the
 * runtime, so that a loop that polls lets others run. */
void alt_take_skip(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index);
/* alt_look_at_condition -- go to `off` unless the guard is on (alt_is_on). */
void alt_look_at_condition(Emitter *emitter, LLVMValueRef is_on, LLVMBasicBlockRef off);
/* alt_is_partner -- i1: does a plain partner of the guard wait in the channel with this word? */
LLVMValueRef alt_is_partner(Emitter *emitter, const Node *guard, LLVMValueRef word);
/* alt_look_at_all -- jumps to probe->found, slow or wait, or to `nothing`. */
void alt_look_at_all(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing);

/* ---- alt_together.c ---- */
/* alt_can_look_together -- a fair ALT over one replicated channel guard or a few others. */
bool alt_can_look_together(const AltPlan *plan);
/* alt_look_together -- as alt_look_at_all. */
void alt_look_together(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing);
LLVMValueRef alt_load_word(Emitter *emitter, Node *channel); /* i64: who is in it */
/* alt_take_partner -- alt_take if the word names a plain partner; anybody else is left to the
 * runtime. */
void alt_take_partner(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index,
                      LLVMValueRef word);

/* ---- alt_row.c ---- */
/* alt_look_at_row -- as alt_look_at_all, of a fair ALT over one replicated channel guard. */
void alt_look_at_row(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing);

#endif
