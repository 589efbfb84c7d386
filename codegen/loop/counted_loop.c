/* counted_loop -- see the header. */
#include "counted_loop.h"

#include "edit.h"
#include "loop_shape.h"
#include "redundant.h"

/* ---- the blocks ---- */

bool loop_has_block(const CountedLoop *loop, LLVMBasicBlockRef block) {
    return name_map_find(&loop->inside, &block, sizeof block) != NULL;
}

bool loop_is_always(const CountedLoop *loop, LLVMBasicBlockRef block) {
    const FlowBlock *found = name_map_find(&loop->inside, &block, sizeof block);
    return found != NULL && flow_dominates(found, loop->latch);
}

bool loop_always_runs_all(const CountedLoop *loop) {
    for (size_t i = 1; i < loop->blocks.count; i++) {
        if (!loop_is_always(loop, loop->blocks.items[i]->block)) {
            return false;
        }
    }
    return true;
}

static void order_blocks(CountedLoop *loop) {
    for (size_t i = loop->header->order - 1; i < loop->graph->order.count; i++) {
        FlowBlock *block = loop->graph->order.items[i];
        if (loop_has_block(loop, block->block)) {
            array_push(loop->arena, &loop->blocks, block);
        }
    }
}

/* ---- the counter ---- */

LLVMValueRef loop_start(const CountedLoop *loop, LLVMValueRef phi) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == loop->latch->block);
}

LLVMValueRef loop_last(const CountedLoop *loop, LLVMValueRef phi) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) != loop->latch->block);
}

static bool is_one(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL && LLVMConstIntGetZExtValue(value) == 1;
}

static bool counts_by_one(const CountedLoop *loop, LLVMValueRef phi) {
    LLVMValueRef last = loop_last(loop, phi);
    if (LLVMIsAInstruction(last) == NULL || LLVMGetInstructionOpcode(last) != LLVMAdd) {
        return false;
    }
    LLVMValueRef left = LLVMGetOperand(last, 0);
    LLVMValueRef right = LLVMGetOperand(last, 1);
    return (left == phi && is_one(right)) || (right == phi && is_one(left));
}

static bool is_outside(const CountedLoop *loop, LLVMValueRef value) {
    return LLVMIsAInstruction(value) == NULL ||
           !loop_has_block(loop, LLVMGetInstructionParent(value));
}

static bool find_counter(CountedLoop *loop) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->header->block);
    if (LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMValueRef condition = LLVMGetCondition(branch);
    loop->body = LLVMGetSuccessor(branch, 0);
    loop->exit = LLVMGetSuccessor(branch, 1);
    if (LLVMIsAICmpInst(condition) == NULL || !loop_has_block(loop, loop->body) ||
        loop_has_block(loop, loop->exit)) {
        return false;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    loop->is_signed = predicate == LLVMIntSLT || predicate == LLVMIntSLE;
    loop->includes_limit = predicate == LLVMIntSLE;
    loop->counter = LLVMGetOperand(condition, 0);
    loop->limit = LLVMGetOperand(condition, 1);
    return (loop->is_signed || predicate == LLVMIntULT) && LLVMIsAPHINode(loop->counter) != NULL &&
           LLVMGetInstructionParent(loop->counter) == loop->header->block &&
           is_outside(loop, loop->limit) && counts_by_one(loop, loop->counter);
}

/* ---- natures ---- */

LoopNature loop_nature(const CountedLoop *loop, LLVMValueRef value) {
    uintptr_t known = (uintptr_t)name_map_find(&loop->natures, &value, sizeof value);
    return known == 0 ? NATURE_FIXED : (LoopNature)(known - 1);
}

static LoopNature nature_of(const CountedLoop *loop, LLVMValueRef instruction) {
    if (instruction == loop->counter) {
        return NATURE_COUNTED;
    }
    if (LLVMIsAPHINode(instruction) != NULL || LLVMIsALoadInst(instruction) != NULL) {
        return NATURE_DATA;
    }
    LoopNature nature = NATURE_FIXED;
    int count = LLVMGetNumOperands(instruction);
    for (int i = 0; i < count; i++) {
        LoopNature part = loop_nature(loop, LLVMGetOperand(instruction, (unsigned)i));
        nature = part > nature ? part : nature;
    }
    return nature;
}

/* Definitions come before uses, but for phis. */
static void find_natures(CountedLoop *loop) {
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            uintptr_t nature = nature_of(loop, each) + 1;
            *name_map_at(&loop->natures, &each, sizeof each) = (void *)nature;
        }
    }
}

LLVMValueRef loop_value_at(const CountedLoop *loop, LLVMBuilderRef builder, LLVMValueRef value,
                           LLVMValueRef counter) {
    if (value == loop->counter) {
        return counter;
    }
    if (is_outside(loop, value)) {
        return value;
    }
    LLVMValueRef copy = LLVMInstructionClone(value);
    int count = LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++) {
        LLVMValueRef part = LLVMGetOperand(value, (unsigned)i);
        LLVMSetOperand(copy, (unsigned)i, loop_value_at(loop, builder, part, counter));
    }
    edit_insert(builder, copy);
    return copy;
}

/* ---- checks ---- */

bool loop_check(const CountedLoop *loop, LLVMValueRef branch, bool *when) {
    return branch_is_check(branch, when) &&
           loop_has_block(loop, LLVMGetSuccessor(branch, *when ? 0 : 1));
}

/* The header asks for more; the others go on within the loop or report an error. */
static bool has_one_exit(const CountedLoop *loop) {
    bool when;
    for (size_t i = 1; i < loop->blocks.count; i++) {
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->blocks.items[i]->block);
        if (LLVMIsABranchInst(branch) == NULL) {
            return false;
        }
        for (unsigned j = 0; j < LLVMGetNumSuccessors(branch); j++) {
            if (!loop_has_block(loop, LLVMGetSuccessor(branch, j)) &&
                !loop_check(loop, branch, &when)) {
                return false;
            }
        }
    }
    return true;
}

bool counted_loop_find(Arena *arena, FlowGraph *graph, FlowBlock *header, CountedLoop *loop) {
    LoopEdges edges = loop_edges(header);
    *loop = (CountedLoop){.arena = arena,
                          .graph = graph,
                          .header = header,
                          .latch = edges.latch,
                          .before = edges.before};
    loop->inside.arena = loop->natures.arena = arena;
    if (edges.back != 1 || edges.entries != 1 ||
        !loop_collect(arena, header, edges.latch, &loop->inside, NULL) || !find_counter(loop)) {
        return false;
    }
    order_blocks(loop);
    if (!has_one_exit(loop)) {
        return false;
    }
    find_natures(loop);
    return true;
}
