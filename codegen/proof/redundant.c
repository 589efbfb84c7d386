/* redundant -- see the header.
 *
 * A check is a branch with one successor that ends in the error report (trap.c), whatever its
 * condition comes from. Checks that are proved are removed when all of a function have been looked
 * at, so that each can be a fact for the others. An operation that is proved not to overflow
 * becomes a plain one marked so, which later passes use. */
#include "redundant.h"

#include "edit.h"
#include "llvm_compat.h"
#include "proof.h"

#define CONDITION_DEPTH 4u

/* Work -- on the current function, and what has been found in all of them. */
typedef struct Work {
    Prover *prover;
    const FlowGraph *graph;
    ProofModule *module;
    Arena *arena;
    LLVMBuilderRef builder;
    ARRAY_OF(LLVMValueRef) checks;     /* branches that always pass */
    ARRAY_OF(LLVMValueRef) operations; /* checked ones that never overflow, each once */
    NameMap listed;                    /* those in operations */
    ARRAY_OF(LLVMValueRef) sums;       /* unchecked ones that never wrap */
    const NameMap *only;               /* branches to look at; NULL: all */
} Work;

/* ---- comparisons ---- */

static bool is_at_most(Work *work, LLVMValueRef a, int64_t distance, LLVMValueRef b,
                       FlowBlock *at) {
    return prover_at_most(work->prover, a, distance, b, at);
}

static bool is_natural(Work *work, LLVMValueRef value, FlowBlock *at) {
    return prover_at_least(work->prover, value, 0, at);
}

static bool comparison_holds(Work *work, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b,
                             FlowBlock *at) {
    switch (predicate) {
    case LLVMIntSLT: return is_at_most(work, a, 1, b, at);
    case LLVMIntSLE: return is_at_most(work, a, 0, b, at);
    case LLVMIntSGT: return is_at_most(work, b, 1, a, at);
    case LLVMIntSGE: return is_at_most(work, b, 0, a, at);
    case LLVMIntULT: return is_natural(work, a, at) && is_at_most(work, a, 1, b, at);
    case LLVMIntULE: return is_natural(work, a, at) && is_at_most(work, a, 0, b, at);
    case LLVMIntUGT: return is_natural(work, b, at) && is_at_most(work, b, 1, a, at);
    case LLVMIntUGE: return is_natural(work, b, at) && is_at_most(work, b, 0, a, at);
    case LLVMIntNE: return is_at_most(work, a, 1, b, at) || is_at_most(work, b, 1, a, at);
    case LLVMIntEQ: return is_at_most(work, a, 0, b, at) && is_at_most(work, b, 0, a, at);
    }
    return false;
}

/* ---- overflow ---- */

/* The least of a few bounds that the value's magnitude does not exceed; 0: none of them. */
static int64_t size_bound(Work *work, LLVMValueRef value, FlowBlock *at) {
    static const int64_t bounds[] = {255, 4095, 46340, 1048575, 8388607};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (prover_not_above(work->prover, value, bounds[i], at) &&
            prover_at_least(work->prover, value, -bounds[i], at)) {
            return bounds[i];
        }
    }
    return 0;
}

static bool product_is_below(Work *work, LLVMValueRef call, int64_t high, FlowBlock *at) {
    int64_t left = size_bound(work, LLVMGetOperand(call, 0), at);
    int64_t right = left != 0 ? size_bound(work, LLVMGetOperand(call, 1), at) : 0;
    return right != 0 && left * right <= high;
}

/* Below half of the unsigned range sums do not overflow; nor does left - right if right <= left. */
static bool fits_without_sign(Work *work, LLVMValueRef call, LLVMOpcode opcode, FlowBlock *at) {
    LLVMValueRef left = LLVMGetOperand(call, 0);
    LLVMValueRef right = LLVMGetOperand(call, 1);
    if (opcode == LLVMMul || !is_natural(work, right, at)) {
        return false;
    }
    return opcode == LLVMAdd ? is_natural(work, left, at) : is_at_most(work, right, 0, left, at);
}

static bool never_overflows(Work *work, LLVMValueRef call, FlowBlock *at) {
    LLVMOpcode opcode;
    bool is_signed;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(call, 0)));
    if (!proof_checked_operation(call, &opcode, &is_signed) || width > 32) {
        return false;
    }
    int64_t high = (INT64_C(1) << (width - 1)) - 1;
    if (!is_signed) {
        return fits_without_sign(work, call, opcode, at);
    }
    return prover_is_within(work->prover, call, opcode, -high - 1, high, at) ||
           (opcode == LLVMMul && product_is_below(work, call, high, at));
}

/* An operation can become a plain one only if its proof holds where it stands. */
static bool needs_no_flag(Work *work, LLVMValueRef call, FlowBlock *at) {
    if (!never_overflows(work, call, at)) {
        return false;
    }
    void **listed = name_map_at(&work->listed, &call, sizeof call);
    if (LLVMGetInstructionParent(call) == at->block && *listed == NULL) {
        *listed = call;
        array_push(work->arena, &work->operations, call);
    }
    return true;
}

/* ---- conditions ---- */

static bool holds(Work *work, LLVMValueRef condition, bool is_true, FlowBlock *at, unsigned depth) {
    if (depth == 0 || LLVMIsAInstruction(condition) == NULL) {
        return LLVMIsAConstantInt(condition) != NULL && LLVMIsNull(condition) != is_true;
    }
    LLVMValueRef left = LLVMGetOperand(condition, 0);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(condition);
    LLVMValueRef right = LLVMGetNumOperands(condition) > 1 ? LLVMGetOperand(condition, 1) : NULL;
    switch (opcode) {
    case LLVMICmp: {
        LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
        predicate = is_true ? predicate : proof_contrary(predicate);
        return comparison_holds(work, predicate, left, right, at);
    }
    case LLVMXor:
        return holds(work, right, true, at, 0) && holds(work, left, !is_true, at, depth - 1);
    case LLVMAnd:
    case LLVMOr:
        return is_true == (opcode == LLVMAnd) ? holds(work, left, is_true, at, depth - 1) &&
                                                    holds(work, right, is_true, at, depth - 1)
                                              : holds(work, left, is_true, at, depth - 1) ||
                                                    holds(work, right, is_true, at, depth - 1);
    case LLVMExtractValue:
        return !is_true && LLVMGetIndices(condition)[0] == 1 && needs_no_flag(work, left, at);
    default: return false;
    }
}

/* ---- checks ---- */

static bool ends_in_report(LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    return last != NULL && LLVMIsAUnreachableInst(last) != NULL;
}

bool branch_is_check(LLVMValueRef branch, bool *when) {
    if (branch == NULL || LLVMIsABranchInst(branch) == NULL || !LLVMIsConditional(branch)) {
        return false;
    }
    *when = ends_in_report(LLVMGetSuccessor(branch, 1));
    return *when != ends_in_report(LLVMGetSuccessor(branch, 0));
}

static void look_at_block(Work *work, FlowBlock *block) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(block->block);
    bool when;
    if (work->only != NULL && name_map_find(work->only, &branch, sizeof branch) == NULL) {
        return;
    }
    if (branch_is_check(branch, &when) && LLVMIsAInstruction(LLVMGetCondition(branch)) != NULL &&
        holds(work, LLVMGetCondition(branch), when, block, CONDITION_DEPTH)) {
        array_push(work->arena, &work->checks, branch);
    }
}

static void remove_check(LLVMValueRef branch) {
    bool when = false;
    branch_is_check(branch, &when);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetCondition(branch));
    LLVMSetCondition(branch, LLVMConstInt(type, when, 0));
}

/* ---- operations ---- */

static void replace_operations(Work *work) {
    for (size_t i = 0; i < work->operations.count; i++) {
        proof_make_plain(work->builder, work->operations.items[i]);
    }
}

/* The unchecked sums that answers relied on. */
static void list_exact_sums(Work *work, LLVMBasicBlockRef block) {
    for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        if (proof_is_exact(work->prover, each)) {
            array_push(work->arena, &work->sums, each);
        }
    }
}

/* ---- functions ---- */

static bool has_checks(LLVMValueRef function) {
    bool when;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block != NULL;
         block = LLVMGetNextBasicBlock(block)) {
        if (branch_is_check(LLVMGetBasicBlockTerminator(block), &when)) {
            return true;
        }
    }
    return false;
}

static void look_at_function(Work *work, LLVMValueRef function) {
    work->prover = proof_module_prover(work->module, function);
    work->graph = prover_graph(work->prover);
    for (size_t i = 0; i < work->graph->order.count; i++) {
        look_at_block(work, work->graph->order.items[i]);
    }
}

static void note_exact_sums(Work *work, LLVMValueRef function) {
    work->prover = proof_module_prover(work->module, function);
    work->graph = prover_graph(work->prover);
    for (size_t j = 0; j < work->graph->order.count; j++) {
        list_exact_sums(work, work->graph->order.items[j]->block);
    }
}

/* Remove what has been proved. */
static void change(Work *work, LLVMModuleRef module) {
    for (size_t i = 0; i < work->sums.count; i++) {
        LLVMSetNSW(work->sums.items[i], 1);
    }
    for (size_t i = 0; i < work->checks.count; i++) {
        remove_check(work->checks.items[i]);
    }
    work->builder = edit_open(module);
    replace_operations(work);
    edit_close(work->builder);
}

void redundant_checks_remove_of(LLVMModuleRef module, const LLVMValueRef *branches, size_t count) {
    Arena *arena = arena_create();
    NameMap only = {.arena = arena};
    NameMap functions = {.arena = arena};
    Work work = {
        .arena = arena, .module = proof_module_create(arena), .listed.arena = arena, .only = &only};
    for (size_t i = 0; i < count; i++) {
        *name_map_at(&only, &branches[i], sizeof *branches) = branches[i];
    }
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(branches[i]));
        void **seen = name_map_at(&functions, &function, sizeof function);
        if (*seen == NULL) {
            *seen = function;
            look_at_function(&work, function);
        }
    }
    change(&work, module);
    arena_destroy(arena);
}

/* Every function is looked at before any is changed: their provers ask each other. */
void redundant_checks_remove(LLVMModuleRef module) {
    Arena *arena = arena_create();
    Work work = {.arena = arena, .module = proof_module_create(arena), .listed.arena = arena};
    ARRAY_OF(LLVMValueRef) functions = {0};
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function) && !compat_is_left_alone(function) &&
            has_checks(function)) {
            array_push(arena, &functions, function);
            look_at_function(&work, function);
        }
    }
    for (size_t i = 0; i < functions.count; i++) {
        note_exact_sums(&work, functions.items[i]);
    }
    change(&work, module);
    arena_destroy(arena);
}
