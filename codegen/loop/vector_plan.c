/* vector_plan -- of which loops vectors are made, and what is gathered in them.
 *
 * Holds:  a sum or an OR comes to the same in any order, if nothing else is done with what it is on
 *         the way; but for what gathers the lanes of a sum (deferral_lane.c). Nothing is read where
 *         something was written before in the same iteration, nor written twice. */
#include "edit.h"
#include "vector_state.h"

#define VECTOR_BYTES 16u

bool vector_is_inside(const VectorLoop *loop, LLVMValueRef value) {
    LLVMBasicBlockRef block =
        LLVMIsAInstruction(value) != NULL ? LLVMGetInstructionParent(value) : NULL;
    return block != NULL && (block == loop->header || block == loop->body);
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
    return LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == from ? 0 : 1);
}

LLVMValueRef vector_start(const VectorLoop *loop, LLVMValueRef phi) {
    return incoming(phi, loop->before);
}

/* ---- planning: sums ---- */

/* The one user of the value in the loop; NULL: there are several. */
static LLVMValueRef single_user(const VectorLoop *loop, LLVMValueRef value) {
    LLVMValueRef found = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (vector_is_inside(loop, user) && user != loop->seen) {
            if (found != NULL) {
                return NULL;
            }
            found = user;
        }
    }
    return found;
}

static bool is_used_behind(const VectorLoop *loop, LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
        if (!vector_is_inside(loop, LLVMGetUser(use))) {
            return true;
        }
    }
    return false;
}

/* The terms of an OR one by one: each then takes one operation of two operands. */
static bool plan_bits(VectorLoop *loop, VectorSum *sum, LLVMValueRef value) {
    if (LLVMIsAConstantInt(value) != NULL && LLVMIsNull(value)) {
        return true;
    }
    if (vector_is_inside(loop, value) && LLVMGetInstructionOpcode(value) == LLVMOr &&
        single_user(loop, value) != NULL) {
        return plan_bits(loop, sum, LLVMGetOperand(value, 0)) &&
               plan_bits(loop, sum, LLVMGetOperand(value, 1));
    }
    VectorTerm term = {LLVMOr, value};
    array_push(loop->arena, &sum->terms, term);
    return vector_plan(loop, value);
}

/* Adds the term by which the sum becomes `operation`. */
static bool plan_term(VectorLoop *loop, VectorSum *sum, LLVMValueRef so_far,
                      LLVMValueRef operation) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(operation);
    bool is_or = opcode == LLVMOr;
    if ((!is_or && opcode != LLVMAdd && opcode != LLVMSub) ||
        (sum->terms.count > 0 && sum->is_or != is_or)) {
        return false;
    }
    bool is_first = LLVMGetOperand(operation, 0) == so_far;
    if (opcode == LLVMSub && !is_first) {
        return false;
    }
    sum->is_or = is_or;
    if (is_or) {
        return plan_bits(loop, sum, LLVMGetOperand(operation, is_first));
    }
    VectorTerm term = {opcode, LLVMGetOperand(operation, is_first)};
    array_push(loop->arena, &sum->terms, term);
    return vector_plan(loop, term.value);
}

static bool plan_sum(VectorLoop *loop, LLVMValueRef phi) {
    VectorSum sum = {.phi = phi, .is_used = is_used_behind(loop, phi)};
    LLVMValueRef so_far = phi;
    LLVMValueRef last = sum.last = incoming(phi, loop->body);
    while (so_far != last) {
        LLVMValueRef operation = single_user(loop, so_far);
        if (operation == NULL || LLVMIsAPHINode(operation) != NULL ||
            !plan_term(loop, &sum, so_far, operation)) {
            return false;
        }
        so_far = operation;
    }
    array_push(loop->arena, &loop->sums, sum);
    return sum.terms.count > 0 && single_user(loop, last) == phi;
}

/* What gathers the lanes of a sum: they begin as the sum does. */
static bool plan_lanes_seen(VectorLoop *loop) {
    VectorSum sum = {.phi = loop->gatherer, .last = loop->seen, .is_or = true, .is_used = true};
    bool is_first = LLVMGetOperand(loop->seen, 0) == loop->gatherer;
    VectorTerm term = {LLVMOr, LLVMGetOperand(loop->seen, is_first)};
    bool is_found = false;
    for (size_t i = 0; i < loop->sums.count; i++) {
        VectorSum *each = &loop->sums.items[i];
        if (each->last == term.value && LLVMIsAConstantInt(vector_start(loop, each->phi))) {
            each->first = LLVMConstIntGetZExtValue(vector_start(loop, each->phi));
            is_found = true;
        }
    }
    array_push(loop->arena, &sum.terms, term);
    array_push(loop->arena, &loop->sums, sum);
    return is_found;
}

static bool plan_sums(VectorLoop *loop) {
    LLVMValueRef counter = loop_copy_of(loop->copy, loop->copy->loop->counter);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(loop->header); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        if (phi != counter && phi != loop->copy->place && phi != loop->gatherer &&
            !plan_sum(loop, phi)) {
            return false;
        }
    }
    if (loop->gatherer != NULL && !plan_lanes_seen(loop)) {
        return false;
    }
    for (size_t i = 0; i < loop->sums.count; i++) {
        loop->results += loop->sums.items[i].is_used;
    }
    return loop->results > 0 && loop->results <= VECTOR_RESULTS;
}

/* ---- planning: memory ---- */

static LLVMValueRef root_of(LLVMValueRef access) {
    return loop_root_of(LLVMGetOperand(access, LLVMIsAStoreInst(access) != NULL ? 1 : 0));
}

/* Might it read or write what was written before it in the same iteration? */
static bool meets_store(const VectorLoop *loop, LLVMValueRef access) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(loop->body); each != access;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsAStoreInst(each) != NULL &&
            !loop_are_different_objects(root_of(each), root_of(access))) {
            return true;
        }
    }
    return false;
}

static bool plan_memory(VectorLoop *loop) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(loop->body); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        bool is_store = LLVMIsAStoreInst(each) != NULL;
        if (LLVMIsACallInst(each) != NULL) {
            return false;
        }
        if ((is_store || LLVMIsALoadInst(each) != NULL) &&
            (meets_store(loop, each) || !vector_plan_row(loop, each) ||
             !vector_plan(loop, is_store ? LLVMGetOperand(each, 0) : each))) {
            return false;
        }
    }
    return true;
}

/* ---- planning: all of it ---- */

static bool leads_on(LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(branch) != NULL && !LLVMIsConditional(branch) &&
           LLVMIsAPHINode(LLVMGetFirstInstruction(block)) == NULL;
}

/* All but the header are run one after the other. */
static bool is_chain(const VectorLoop *loop) {
    const CountedLoop *old = loop->copy->loop;
    bool is_one = old->blocks.count > 1 && loop->header != loop->body;
    for (size_t i = 1; is_one && i < old->blocks.count; i++) {
        is_one = leads_on(loop_copy_block(loop->copy, old->blocks.items[i]->block));
    }
    return is_one;
}

/* They become one: without checks nothing keeps them apart. */
static void join_blocks(VectorLoop *loop) {
    const CountedLoop *old = loop->copy->loop;
    LLVMValueRef first = LLVMGetFirstInstruction(loop->body);
    for (size_t i = 1; i < old->blocks.count; i++) {
        LLVMBasicBlockRef block = loop_copy_block(loop->copy, old->blocks.items[i]->block);
        if (block == loop->body) {
            continue;
        }
        while (LLVMGetFirstInstruction(block) != LLVMGetBasicBlockTerminator(block)) {
            LLVMValueRef each = LLVMGetFirstInstruction(block);
            LLVMInstructionRemoveFromParent(each);
            edit_before(loop->builder, first);
            edit_insert(loop->builder, each);
        }
    }
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(loop->header), 0, loop->body);
    for (size_t i = 1; i < old->blocks.count; i++) {
        LLVMBasicBlockRef block = loop_copy_block(loop->copy, old->blocks.items[i]->block);
        if (block != loop->body) {
            LLVMDeleteBasicBlock(block);
        }
    }
}

static bool is_one_block(VectorLoop *loop) {
    loop->header = loop->copy->entry;
    loop->body = loop_copy_latch(loop->copy);
    if (is_chain(loop)) {
        join_blocks(loop);
        loop->gatherer = loop->deferral->lanes;
        loop->seen = loop->gatherer != NULL ? incoming(loop->gatherer, loop->body) : NULL;
        return true;
    }
    return false;
}

static unsigned widest_bytes(const VectorLoop *loop) {
    uint64_t widest = 1;
    for (size_t i = 0; i < loop->rows.count; i++) {
        uint64_t bytes = LLVMABISizeOfType(loop->deferral->layout, loop->rows.items[i].element);
        widest = bytes > widest ? bytes : widest;
    }
    for (size_t i = 0; i < loop->sums.count; i++) {
        LLVMTypeRef type = LLVMTypeOf(loop->sums.items[i].phi);
        uint64_t bytes = LLVMABISizeOfType(loop->deferral->layout, type);
        widest = bytes > widest ? bytes : widest;
    }
    return (unsigned)widest;
}

/* A strip has a multiple of the iterations that are made at once. */
static bool plan_lanes(VectorLoop *loop, CompatVectors vectors, unsigned grain) {
    loop->lanes = vectors.lanes != 0 ? vectors.lanes : VECTOR_BYTES / widest_bytes(loop);
    loop->parts = vectors.count != 0 ? vectors.count : 1;
    while (loop->parts > 1 && loop->lanes * loop->parts > grain) {
        loop->parts /= 2;
    }
    return loop->lanes > 1 && grain % (loop->lanes * loop->parts) == 0;
}

static bool suits_count(const Deferral *deferral, unsigned grain) {
    return LLVMIsAConstantInt(deferral->count) == NULL ||
           count_suits(grain, LLVMConstIntGetZExtValue(deferral->count));
}

bool vector_plan_loop(VectorLoop *loop, CompatVectors vectors, unsigned grain) {
    return suits_count(loop->deferral, grain) && is_one_block(loop) && plan_memory(loop) &&
           plan_sums(loop) && loop->rows.count + 1 + loop->inputs.count <= VECTOR_WORDS &&
           plan_lanes(loop, vectors, grain);
}
