/* loop_clone -- see the header. */
#include "loop_clone.h"

#include "edit.h"

static bool is_inside(const LoopClone *clone, LLVMBasicBlockRef block) {
    LLVMValueRef key = LLVMBasicBlockAsValue(block);
    return name_map_find(&clone->values, &key, sizeof key) != NULL;
}

static void set(LoopClone *clone, LLVMValueRef value, LLVMValueRef made) {
    *name_map_at(&clone->values, &value, sizeof value) = made;
}

LLVMValueRef loop_clone_of(const LoopClone *clone, LLVMValueRef value) {
    LLVMValueRef found = name_map_find(&clone->values, &value, sizeof value);
    return found != NULL ? found : value;
}

static LLVMBasicBlockRef block_of(const LoopClone *clone, LLVMBasicBlockRef block) {
    return LLVMValueAsBasicBlock(loop_clone_of(clone, LLVMBasicBlockAsValue(block)));
}

/* ---- may it be cloned? ---- */

static void collect(LoopClone *clone, FlowBlock *header, FlowBlock *latch) {
    LoopBlocks stack = {0};
    set(clone, LLVMBasicBlockAsValue(header->block), LLVMBasicBlockAsValue(header->block));
    array_push(clone->arena, &clone->loop, header);
    array_push(clone->arena, &stack, latch);
    while (stack.count > 0) {
        FlowBlock *block = stack.items[--stack.count];
        if (is_inside(clone, block->block)) {
            continue;
        }
        set(clone, LLVMBasicBlockAsValue(block->block), LLVMBasicBlockAsValue(block->block));
        array_push(clone->arena, &clone->loop, block);
        for (size_t i = 0; i < block->before.count; i++) {
            array_push(clone->arena, &stack, block->before.items[i]);
        }
    }
}

static bool is_used_well(const LoopClone *clone, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) == NULL && !is_inside(clone, LLVMGetInstructionParent(user))) {
            return false;
        }
    }
    return true;
}

static bool has_form(const LoopClone *clone, unsigned most) {
    unsigned count = 0;
    for (size_t i = 0; i < clone->loop.count; i++) {
        LLVMBasicBlockRef block = clone->loop.items[i]->block;
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
             each = LLVMGetNextInstruction(each)) {
            if (++count > most || !is_used_well(clone, each)) {
                return false;
            }
        }
        if (LLVMIsABranchInst(LLVMGetBasicBlockTerminator(block)) == NULL) {
            return false;
        }
    }
    return true;
}

bool loop_clone_find(LoopClone *clone, FlowBlock *header, FlowBlock *latch, unsigned most) {
    clone->values.arena = clone->arena;
    collect(clone, header, latch);
    return has_form(clone, most);
}

/* ---- cloning ---- */

static void clone_block(LoopClone *clone, LLVMBasicBlockRef block) {
    edit_at_end(clone->builder, block_of(clone, block));
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        LLVMValueRef made;
        if (LLVMIsAPHINode(each) != NULL) {
            made = LLVMBuildPhi(clone->builder, LLVMTypeOf(each), "");
        } else {
            made = LLVMInstructionClone(each);
            edit_insert(clone->builder, made);
        }
        set(clone, each, made);
    }
}

static void connect_phi(const LoopClone *clone, LLVMValueRef phi) {
    LLVMValueRef made = loop_clone_of(clone, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef value = loop_clone_of(clone, LLVMGetIncomingValue(phi, i));
        LLVMBasicBlockRef from = block_of(clone, LLVMGetIncomingBlock(phi, i));
        LLVMAddIncoming(made, &value, &from, 1);
    }
}

static void connect_block(const LoopClone *clone, LLVMBasicBlockRef block) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsAPHINode(each) != NULL) {
            connect_phi(clone, each);
            continue;
        }
        LLVMValueRef made = loop_clone_of(clone, each);
        for (int i = 0; i < LLVMGetNumOperands(each); i++) {
            LLVMValueRef part = LLVMGetOperand(each, (unsigned)i);
            LLVMSetOperand(made, (unsigned)i, loop_clone_of(clone, part));
        }
    }
}

/* A way out of the loop leads out of the clone too. */
static void leave(const LoopClone *clone, LLVMBasicBlockRef block, LLVMBasicBlockRef exit) {
    LLVMBasicBlockRef from = block_of(clone, block);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(exit); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        unsigned count = LLVMCountIncoming(phi);
        for (unsigned i = 0; i < count; i++) {
            if (LLVMGetIncomingBlock(phi, i) == block) {
                LLVMValueRef value = loop_clone_of(clone, LLVMGetIncomingValue(phi, i));
                LLVMAddIncoming(phi, &value, &from, 1);
            }
        }
    }
}

static void leave_block(const LoopClone *clone, LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        LLVMBasicBlockRef exit = LLVMGetSuccessor(branch, i);
        bool is_again = i > 0 && LLVMGetSuccessor(branch, 0) == exit;
        if (!is_inside(clone, exit) && !is_again) {
            leave(clone, block, exit);
        }
    }
}

void loop_clone_build(LoopClone *clone, const FlowBlock *before) {
    const LoopBlocks *loop = &clone->loop;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetBasicBlockParent(before->block)));
    for (size_t i = 0; i < loop->count; i++) {
        LLVMBasicBlockRef block = loop->items[i]->block;
        LLVMBasicBlockRef made = LLVMInsertBasicBlockInContext(context, loop->items[0]->block,
                                                               LLVMGetBasicBlockName(block));
        set(clone, LLVMBasicBlockAsValue(block), LLVMBasicBlockAsValue(made));
    }
    for (size_t i = 0; i < loop->count; i++) {
        clone_block(clone, loop->items[i]->block);
    }
    for (size_t i = 0; i < loop->count; i++) {
        connect_block(clone, loop->items[i]->block);
    }
    for (size_t i = 0; i < loop->count; i++) {
        leave_block(clone, loop->items[i]->block);
    }
    clone->header = block_of(clone, loop->items[0]->block);
}
