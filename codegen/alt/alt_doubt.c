/* alt_doubt -- long rows of channels that are mostly empty when the ALT looks at them.
 *
 * Owns:   whether the one ready process runs before the look instead of after it.
 * Leaves: letting it run, and the look after that, to alt_probe.c.
 * Holds:  a look in vain costs as much as the row is long, so it predicts that the next are in vain
 *         too. Looking later is as if the process had come to its ALT later. Where more than one
 *         process is ready, the ALT looks first. */
#include "alt_probe.h"
#include "layout_offsets.h"

enum {
    DOUBTS = 15, /* looks for which one in vain is taken as a prediction */
    OFTEN = 1000 /* branch weight: the code for the doubt is not to slow down short rows */
};

/* The count stays in memory: it is read only where the row is long, and a register would have to be
 * saved everywhere. */
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
