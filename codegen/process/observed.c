/* observed -- assignments to variables of a #PRAGMA INVARIANT (decision 0071).
 *
 * Holds:  under `occc explore` (runtime/explore/) the assignment is a step whose order others can
 *         see, at the first variable of the invariant. The condition is tested after it, while all
 *         others wait. In any other run the condition is not tested. */
#include "emit.h"
#include "layout_offsets.h"

static LLVMValueRef is_explored(Emitter *emitter) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_mode, "");
    LLVMValueRef mode = LLVMBuildLoad2(builder, emitter->i32, field, "mode");
    LLVMValueRef bit = LLVMBuildAnd(builder, mode, emit_i32(emitter, LAYOUT_MODE_EXPLORED), "");
    return LLVMBuildIsNotNull(builder, bit, "explored");
}

static bool has_gate(const Invariants *invariants, size_t before, const Node *object) {
    for (size_t i = 0; i < before; i++) {
        if (invariants->list.items[i]->object->name.symbol == object->name.symbol) {
            return true;
        }
    }
    return false;
}

void emit_observed_begin(Emitter *emitter, const Node *assign) {
    const Invariants *invariants = assign->assign.invariants;
    for (size_t i = 0; i < invariants->list.count; i++) {
        Node *object = invariants->list.items[i]->object;
        if (has_gate(invariants, i, object)) {
            continue;
        }
        emit_gate(emitter, emit_place(emitter, object).address, EXPLORE_CHANGE,
                  emit_site(emitter, WAIT_OUTPUT, assign->at, emit_object_name(emitter, object)));
    }
}

void emit_observed_end(Emitter *emitter, const Node *assign) {
    const Invariants *invariants = assign->assign.invariants;
    LLVMBasicBlockRef look = emit_block(emitter, "invariant.look");
    LLVMBasicBlockRef done = emit_block(emitter, "invariant.done");
    LLVMValueRef branch = LLVMBuildCondBr(emitter->builder, is_explored(emitter), look, done);
    emit_branch_weights(emitter, branch, 1, 1u << 20);
    emit_enter(emitter, look);
    for (size_t i = 0; i < invariants->list.count; i++) {
        LLVMValueRef holds = emit_scalar(emitter, invariants->list.items[i]->condition);
        emit_trap_unless(emitter, holds, ERROR_INVARIANT, assign->at,
                         invariants->list.items[i]->text, NULL, NULL, NULL);
    }
    emit_continue(emitter, done);
}
