/* alt_doubt -- long rows in which mostly nobody is when the ALT comes to them.
 *
 * Owns:   whether the one process that is ready runs before the look instead of after it.
 * Leaves: letting it run, and the look behind that, to alt_probe.c.
 * Holds:  a look in vain costs as much as the row is long, so it foretells some more. It is no
 *         worse than a process that comes to its ALT later; where more than one process would run
 *         before the ALT looks, it looks first. */
#include "alt_probe.h"
#include "layout_offsets.h"

enum {
    DOUBTS = 15, /* ALTs that a look in vain tells something of */
    OFTEN = 1000 /* for each time: what is laid out for the doubt is not to slow down short rows */
};

/* The count stays in memory: it is asked for only where the row is long, and in a register it would
 * have to be moved along everywhere. */
static LLVMValueRef load_doubts(Emitter *emitter, const Probe *probe) {
    LLVMValueRef doubts = alt_load_i32(emitter, probe->doubts);
    LLVMSetVolatile(doubts, 1);
    return doubts;
}

static void store_doubts(Emitter *emitter, const Probe *probe, LLVMValueRef doubts) {
    LLVMSetVolatile(LLVMBuildStore(emitter->builder, doubts, probe->doubts), 1);
}

bool alt_may_doubt(const AltPlan *plan) {
    const AltEntry *entry = plan->guards.items[0];
    const Node *guard = entry->alternative->alternative.guard;
    return plan->guards.count == 1 && entry->depth > 0 && alt_channel(guard) != NULL &&
           guard->kind != NODE_CLOSED;
}

void alt_look_in_vain(Emitter *emitter, const Probe *probe) {
    if (probe->doubts != NULL) {
        store_doubts(emitter, probe, emit_i32(emitter, DOUBTS));
    }
}

void alt_doubt(Emitter *emitter, const Probe *probe) {
    LLVMBuilderRef builder = emitter->builder;
    if (probe->doubts == NULL) {
        return;
    }
    LLVMBasicBlockRef doubt = emit_block(emitter, "doubt");
    LLVMBasicBlockRef some = emit_block(emitter, "doubt.some");
    LLVMBasicBlockRef one = emit_block(emitter, "doubt.one");
    LLVMBasicBlockRef look = emit_block(emitter, "doubt.none");
    LLVMBasicBlockRef is_new_row = emit_block(emitter, "doubt.long");
    LLVMValueRef is_new =
        LLVMBuildNot(builder, LLVMBuildLoad2(builder, emitter->i1, probe->tried, ""), "");
    LLVMValueRef is_long =
        LLVMBuildICmp(builder, LLVMIntUGT, probe->total, emit_i32(emitter, ALT_SHORT_ROW), "long");
    LLVMBuildCondBr(builder, LLVMBuildAnd(builder, is_new, is_long, ""), is_new_row, look);
    emit_enter(emitter, is_new_row);
    LLVMValueRef doubts = load_doubts(emitter, probe);
    LLVMValueRef sure = LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, doubts, ""), look, doubt);
    emit_branch_weights(emitter, sure, OFTEN, 1);
    emit_enter(emitter, doubt);
    LLVMValueRef head = emit_head(emitter);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, head, ""), look, some);
    emit_enter(emitter, some);
    LLVMValueRef behind = emit_load_pointer(emitter, head, OFFSET_Process_next, "behind");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, behind, ""), one, look);
    emit_enter(emitter, one);
    store_doubts(emitter, probe, LLVMBuildSub(builder, doubts, emit_i32(emitter, 1), ""));
    emit_jump(emitter, probe->others);
    emit_enter(emitter, look);
}
