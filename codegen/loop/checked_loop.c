/* checked_loop -- see the header.
 *
 * LLVM unrolls a loop of unknown length and puts a second loop before it for what is left over. A
 * loop with checks leaves in several places, and each copy of its body keeps them all: it gets
 * longer, and hardly faster (decision 0048).
 *
 * Holds:  only innermost loops with one back-edge are marked, and none of which LLVM has been told
 *         something already. A loop of a few iterations, known beforehand, still becomes straight
 *         code. */
#include "checked_loop.h"

#include "llvm_compat.h"
#include "loop_shape.h"

#define FOLLOWED 4u /* jumps to a report: copies of a loop share it */

static bool ends_in_report(LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < FOLLOWED && LLVMIsABranchInst(last) != NULL; i++) {
        if (LLVMIsConditional(last)) {
            return false;
        }
        last = LLVMGetBasicBlockTerminator(LLVMGetSuccessor(last, 0));
    }
    return LLVMIsAUnreachableInst(last) != NULL;
}

static bool has_check(LLVMBasicBlockRef block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block);
    return LLVMIsABranchInst(branch) != NULL && LLVMIsConditional(branch) &&
           LLVMIsAConstant(LLVMGetCondition(branch)) == NULL &&
           (ends_in_report(LLVMGetSuccessor(branch, 0)) ||
            ends_in_report(LLVMGetSuccessor(branch, 1)));
}

static bool has_checks(const FlowBlock *header, const LoopBlocks *others) {
    bool is_found = has_check(header->block);
    for (size_t i = 0; !is_found && i < others->count; i++) {
        is_found = has_check(others->items[i]->block);
    }
    return is_found;
}

static void look_at_loop(Arena *arena, FlowBlock *header) {
    LoopEdges edges = loop_edges(header);
    if (edges.back != 1) {
        return;
    }
    NameMap inside = {.arena = arena};
    LoopBlocks others = {0};
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(edges.latch->block);
    if (!compat_is_described(branch) &&
        loop_collect(arena, header, edges.latch, &inside, &others) && has_checks(header, &others)) {
        compat_unroll_if_known(
            LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(header->block))),
            branch);
    }
}

static void look_at_function(LLVMValueRef function) {
    Arena *arena = arena_create();
    const FlowGraph *graph = flow_graph_create(arena, function);
    for (size_t i = 0; i < graph->order.count; i++) {
        look_at_loop(arena, graph->order.items[i]);
    }
    arena_destroy(arena);
}

void checked_loops_settle(LLVMModuleRef module) {
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function) && !compat_is_left_alone(function)) {
            look_at_function(function);
        }
    }
}
