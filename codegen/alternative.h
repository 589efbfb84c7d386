/* alternative -- what the three files of ALT share: the plan of one ALT.
 *
 * alternative.c collects the guards and emits the processes behind them, alt_probe.c looks for a
 * guard that is ready without any record, alt_record.c makes the record and lets the runtime
 * choose. */
#ifndef OCCC_ALTERNATIVE_H
#define OCCC_ALTERNATIVE_H

#include "emit.h"

#define ALT_MAX_DEPTH 16

/* AltEntry -- one guard of the text (a replicated one stands for many of the record). */
typedef struct AltEntry {
    Node *alternative;
    Node *alts[ALT_MAX_DEPTH]; /* replicated ALTs round it, outermost first */
    size_t depth;
    ARRAY_OF(Node *) specs; /* round it, in order, its own included */
} AltEntry;

typedef struct AltPlan {
    Node *alt;
    ARRAY_OF(AltEntry *) guards; /* in textual order: the number of a guard is its place here */
    size_t max_depth;
    /* when depth is at most one: the chosen guard's number and replicator value, in memory (i32) */
    LLVMValueRef number_slot;
    LLVMValueRef index_slot;
    /* the record */
    LLVMValueRef record;
    LLVMValueRef heap;     /* the record, when it is not in the frame */
    LLVMValueRef capacity; /* i32 */
    LLVMValueRef position; /* i32 in memory: guards filled */
    size_t filled;         /* guards of the text filled */
    Symbol *replicators[ALT_MAX_DEPTH];
    size_t depth;
} AltPlan;

LLVMValueRef alt_load_i32(Emitter *emitter, LLVMValueRef slot);
Symbol *alt_replicator(const Node *alt);

/* ---- alt_record.c ---- */
size_t alt_nesting(const Node *alt); /* replicators round the deepest guard */
LLVMValueRef alt_guard_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position);
/* Where the value of the outer replicator `level` of the guard at `position` lies. */
LLVMValueRef alt_outer_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                               size_t level);
/* alt_select -- make and fill the record, let the runtime choose; may park. */
void alt_select(Emitter *emitter, AltPlan *plan);

/* ---- alt_probe.c ---- */
/* alt_can_probe -- may guards be looked at one by one, without evaluating all of them first? */
bool alt_can_probe(const AltPlan *plan);
/* alt_probe -- jump to `found` with number and index stored when a guard is ready; otherwise
 * emission goes on where nothing was found. */
void alt_probe(Emitter *emitter, AltPlan *plan, LLVMBasicBlockRef found);

#endif
