/* alternative -- what the files of ALT share: the plan of one ALT.
 *
 * alternative.c collects the guards and emits the processes behind them; alt_guard.c evaluates
 * conditions and items when the ALT is entered, as far as alt_plain.c says; alt_probe.c looks for a
 * ready guard without a record; alt_record.c makes the record and lets the runtime choose. */
#ifndef OCCC_ALTERNATIVE_H
#define OCCC_ALTERNATIVE_H

#include "emit.h"

#define ALT_MAX_DEPTH 16

/* AltEntry -- one guard of the text (a replicated one stands for many in the record). */
typedef struct AltEntry {
    Node *alternative;
    Node *alts[ALT_MAX_DEPTH]; /* the replicated ALTs round it, outermost first */
    size_t depth;
    ARRAY_OF(Node *) specs; /* specifications round it, in order, its own included */
    bool is_evaluated;      /* alt_evaluate has run: `on` and slots hold what it found */
    LLVMValueRef on;        /* i1 in memory: the condition; NULL: it has none, or a plain one */
    LLVMValueRef *slots;    /* frame slots of an output's scalars (emit_item_slot_type), or NULL */
} AltEntry;

typedef struct AltPlan {
    Node *alt;
    ARRAY_OF(AltEntry *) guards; /* in textual order: the number of a guard is its place here */
    size_t max_depth;
    NodeList late;         /* processes before the ALT that are emitted with it (alt_reading.c) */
    LLVMValueRef has_read; /* i1 in memory: they have run */
    LLVMValueRef slice;    /* i32 in memory: the alarm that was set when the others were let run */
    bool has_looked;       /* alt_probe has run */
    bool has_groups;       /* an ALT nested in a PRI ALT, or a PRI ALT in an ALT */
    size_t payload_words;  /* of an item in the record, for each guard */
    /* when depth is at most one: the chosen guard's number and replicator value, in memory (i32) */
    LLVMValueRef number_slot;
    LLVMValueRef index_slot;
    LLVMValueRef word_slot; /* i64: of its channel, when its partner is plain; else 0 */
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
/* alt_channel -- the channel of the guard; NULL for one without. */
Node *alt_channel(const Node *guard);
Node *alt_timer(const Node *guard); /* of t ? AFTER e, t ? x; or NULL */

/* ---- alt_plain.c ---- */
/* alt_is_plain -- evaluating the expression twice makes no difference, and leaving it out makes one
 * only if alt_may_fail. */
bool alt_is_plain(const Node *expression);
bool alt_has_plain_items(const Node *guard);
bool alt_may_fail(const Node *plain);
bool alt_may_items_fail(const Node *guard);
/* alt_fails_at_ends -- a plain expression that, if it fails at any index, fails at the first or the
 * last. */
bool alt_fails_at_ends(const Node *plain);

/* ---- alt_reading.c ---- */
/* alt_read_before -- read before the look what would otherwise be read late. */
void alt_read_before(Emitter *emitter, const AltPlan *plan);
/* alt_expect_reading -- nothing has been read in this ALT yet. */
void alt_expect_reading(Emitter *emitter, AltPlan *plan);
/* alt_guess_or_read -- the same before the others run. If they have all run once within this slice,
 * they will again: then the names get the earliest time possible, and the clock is read after the
 * others have run, if need be. */
void alt_guess_or_read(Emitter *emitter, AltPlan *plan);
/* alt_note_round -- the others have run within the slice of plan->slice. */
void alt_note_round(Emitter *emitter, const AltPlan *plan);
/* alt_read_late -- read unless this ALT has read already; is_chosen: no deadline is looked at any
 * more. */
void alt_read_late(Emitter *emitter, AltPlan *plan, bool is_chosen);

/* ---- alt_guard.c ---- */
/* alt_payload_words -- of the record, for an item of that type. */
size_t alt_payload_words(const Type *type);
/* alt_chooses_timer -- has the timer subscripts or a segment, which are checked at the entry? */
bool alt_chooses_timer(const Node *guard);
/* alt_make_slots -- where the items of output guards go; sets plan->payload_words. */
void alt_make_slots(Emitter *emitter, AltPlan *plan);
/* alt_evaluate -- condition and items of a guard that is not replicated, at the ALT's entry. */
void alt_evaluate(Emitter *emitter, AltEntry *entry);
/* alt_check_row -- the errors of a replicated guard that is looked at without a record. */
void alt_check_row(Emitter *emitter, const AltEntry *entry);
/* alt_is_on -- i1: the condition of the guard; NULL when it has none. */
LLVMValueRef alt_is_on(Emitter *emitter, const AltEntry *entry);

/* ---- alt_record.c ---- */
size_t alt_nesting(const Node *alt); /* replicators round the deepest guard */
LLVMValueRef alt_guard_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position);
/* Where the value of the outer replicator `level` of the guard at `position` lies. */
LLVMValueRef alt_outer_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                               size_t level);
/* Where word `word` of the items of the guard at `position` lies. */
LLVMValueRef alt_payload_address(Emitter *emitter, const AltPlan *plan, LLVMValueRef position,
                                 size_t word);
/* alt_select -- make and fill the record, let the runtime choose; may park. */
void alt_select(Emitter *emitter, AltPlan *plan);

/* ---- alt_probe.c ---- */
/* alt_can_probe -- may guards be looked at one by one, without evaluating all of them first? */
bool alt_can_probe(const AltPlan *plan);
/* alt_probe -- jump to `found` with number and index stored when a guard is ready; otherwise
 * emission goes on where nothing was found. */
void alt_probe(Emitter *emitter, AltPlan *plan, LLVMBasicBlockRef found);

#endif
