/* deferral_plan -- which loops are given strips without checks, and what is tested of them.
 *
 * Owns:   the forms of instructions such a loop may consist of; the choice between the range of
 *         what goes in (deferral_range.c) and the checks themselves (deferral_flag.c); what can be
 *         taken back.
 * Holds:  nothing is changed here. A loop LLVM makes no vectors of would only lose: so accesses
 *         are to elements in a row, all in blocks that are always run, and no value is stored that
 *         depends on the last time round. No instruction can fail for values that a failed check
 *         lets through, and no address depends on such. */
#include "deferral_state.h"

#include "intrinsic.h"
#include "proof.h"

#define GRAIN          16u /* so many elements: those of some vectors */
#define FEWEST         32u /* iterations of a strip, unless each works on vectors */
#define GRAIN_OF_BYTES 32u
#define GRAIN_OF_ROWS  4u /* where an iteration has vectors of its own */
#define UNDO_DEPTH     16u

/* ---- forms ---- */

static bool is_plain_call(LLVMValueRef call) {
    static const char *const names[] = {"llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax",
                                        "llvm.fabs"};
    LLVMOpcode opcode;
    bool is_signed;
    unsigned called = intrinsic_called(call);
    bool is_plain = proof_checked_operation(call, &opcode, &is_signed);
    for (size_t i = 0; called != 0 && i < sizeof names / sizeof *names; i++) {
        is_plain = is_plain || called == intrinsic_number(names[i]);
    }
    return is_plain;
}

static bool is_long(LLVMValueRef value) {
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(value)) > 32;
}

/* By a number other than 0 and -1, and in a width that vectors have products of. */
static bool is_plain_division(LLVMValueRef value) {
    LLVMValueRef divisor = LLVMGetOperand(value, 1);
    int64_t number = LLVMIsAConstantInt(divisor) != NULL ? LLVMConstIntGetSExtValue(divisor) : 0;
    return number != 0 && number != -1 && !is_long(value);
}

static bool is_product_of_data(const CountedLoop *loop, LLVMValueRef operation) {
    return loop_nature(loop, operation) == NATURE_DATA &&
           LLVMIsAConstantInt(LLVMGetOperand(operation, 0)) == NULL &&
           LLVMIsAConstantInt(LLVMGetOperand(operation, 1)) == NULL;
}

static bool is_plain(const CountedLoop *loop, LLVMValueRef value) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool is_signed;
    switch (opcode) {
    case LLVMSDiv:
    case LLVMSRem:
    case LLVMUDiv:
    case LLVMURem: return is_plain_division(value);
    case LLVMMul: return !is_long(value) || !is_product_of_data(loop, value);
    case LLVMCall:
        return is_plain_call(value) &&
               !(proof_checked_operation(value, &opcode, &is_signed) && opcode == LLVMMul &&
                 is_long(LLVMGetOperand(value, 0)) && is_product_of_data(loop, value));
    case LLVMAdd:
    case LLVMSub:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv:
    case LLVMFNeg:
    case LLVMSelect:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMGetElementPtr:
    case LLVMExtractValue:
    case LLVMPHI:
    case LLVMLoad:
    case LLVMStore:
    case LLVMBr: return true;
    default: return false;
    }
}

static bool is_short(const CountedLoop *loop) {
    return LLVMIsAConstantInt(loop->limit) != NULL && LLVMConstIntGetZExtValue(loop->limit) < GRAIN;
}

bool deferral_is_plain(const CountedLoop *loop) {
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            if (!is_plain(loop, each)) {
                return false;
            }
        }
    }
    return !is_short(loop);
}

bool deferral_suits(Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    return deferral_is_plain(loop) && loop_memory_find(loop, deferral->layout, &deferral->memory);
}

uint64_t deferral_grain(const Deferral *deferral) {
    if (row_has_runs(deferral)) {
        return GRAIN_OF_ROWS;
    }
    for (size_t i = 0; i < deferral->memory.accesses.count; i++) {
        LLVMTypeRef type = deferral->memory.accesses.items[i].type;
        if (LLVMABISizeOfType(deferral->layout, type) < 4) {
            return GRAIN_OF_BYTES;
        }
    }
    return GRAIN;
}

uint64_t deferral_fewest(const Deferral *deferral) {
    uint64_t grain = deferral_grain(deferral);
    return grain == GRAIN ? FEWEST : grain;
}

/* ---- taking back ---- */

bool deferral_depends_on(const Deferral *deferral, LLVMValueRef value, LLVMValueRef part) {
    NameMap seen = {.arena = deferral->arena};
    ARRAY_OF(LLVMValueRef) stack = {0};
    array_push(deferral->arena, &stack, value);
    while (stack.count > 0) {
        LLVMValueRef each = stack.items[--stack.count];
        bool is_choice = LLVMIsAPHINode(each) != NULL &&
                         LLVMGetInstructionParent(each) != deferral->loop.header->block &&
                         loop_nature(&deferral->loop, each) == NATURE_DATA;
        if (each == part || is_choice) {
            return true;
        }
        void **slot = name_map_at(&seen, &each, sizeof each);
        if (*slot != NULL || loop_nature(&deferral->loop, each) != NATURE_DATA) {
            continue;
        }
        *slot = each;
        int count = LLVMGetNumOperands(each);
        for (int i = 0; i < count; i++) {
            LLVMValueRef operand = LLVMGetOperand(each, (unsigned)i);
            if (LLVMIsAInstruction(operand) != NULL) {
                array_push(deferral->arena, &stack, operand);
            }
        }
    }
    return false;
}

/* Is the value what was read, plus and minus others? Marks the operations on the way. */
static bool can_undo(Deferral *deferral, LLVMValueRef value, LLVMValueRef read, unsigned depth) {
    if (value == read) {
        return true;
    }
    if (depth == 0 || LLVMIsAInstruction(value) == NULL) {
        return false;
    }
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef operation = proof_operation(value, &opcode, &is_signed);
    if (operation == NULL || (opcode != LLVMAdd && opcode != LLVMSub)) {
        return false;
    }
    LLVMValueRef left = LLVMGetOperand(operation, 0);
    LLVMValueRef right = LLVMGetOperand(operation, 1);
    bool is_right = opcode == LLVMAdd && !deferral_depends_on(deferral, left, read);
    if (deferral_depends_on(deferral, is_right ? left : right, read) ||
        !can_undo(deferral, is_right ? right : left, read, depth - 1)) {
        return false;
    }
    *name_map_at(&deferral->undone, &value, sizeof value) = is_right ? right : left;
    return true;
}

static void plan_undoing(Deferral *deferral) {
    const LoopMemory *memory = &deferral->memory;
    if (memory->again != AGAIN_READING || memory->read == NULL || memory->stores != 1 ||
        !can_undo(deferral, LLVMGetOperand(memory->written->instruction, 0),
                  memory->read->instruction, UNDO_DEPTH)) {
        deferral->undone = (NameMap){.arena = deferral->arena};
    }
}

/* ---- tests ---- */

static LLVMValueRef result_of(LLVMValueRef operation) {
    for (LLVMUseRef use = LLVMGetFirstUse(operation); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef part = LLVMGetUser(use);
        if (LLVMIsAExtractValueInst(part) != NULL && LLVMGetIndices(part)[0] == 0) {
            return part;
        }
    }
    return NULL;
}

static bool is_signed_operation(LLVMValueRef condition) {
    LLVMOpcode opcode;
    bool is_signed = false;
    LLVMValueRef operation = deferral_operation(condition);
    return operation != NULL && proof_checked_operation(operation, &opcode, &is_signed) &&
           is_signed;
}

static bool is_of_sum(const Deferral *deferral, const DeferredCheck *check) {
    LLVMValueRef operation = deferral_operation(check->condition);
    LLVMValueRef result = operation != NULL ? result_of(operation) : NULL;
    return result != NULL && name_map_find(&deferral->sum_of, &result, sizeof result) != NULL;
}

/* A check that cannot be gathered by itself: of a product, a sum over iterations, not always run.
 */
static bool needs_range(const Deferral *deferral, const DeferredCheck *check) {
    LLVMOpcode opcode;
    bool is_signed;
    proof_checked_operation(deferral_operation(check->condition), &opcode, &is_signed);
    return opcode == LLVMMul ||
           !loop_is_always(&deferral->loop, LLVMGetInstructionParent(check->branch)) ||
           is_of_sum(deferral, check);
}

static void choose_width(Deferral *deferral) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(deferral->loop.counter));
    deferral->wide = LLVMInt64TypeInContext(context);
    for (size_t i = 0; i < deferral->checks.count; i++) {
        LLVMValueRef operation = deferral_operation(deferral->checks.items[i].condition);
        if (operation != NULL && is_long(LLVMGetOperand(operation, 0))) {
            deferral->wide = LLVMInt128TypeInContext(context);
        }
    }
}

/* Flags need no bounds, and never fail without reason; a range takes fewer operations. */
static bool is_cheaper_as_range(const Deferral *deferral, unsigned flags) {
    return row_has_runs(deferral) || (deferral->may_be_long && range_cost(deferral) < flags);
}

/* The signed operations by their range; false: they are left to flags, if that is possible. */
static bool plan_ranges(Deferral *deferral, const DeferredChecks *checks) {
    unsigned cost = 0;
    bool is_planned = true;
    bool is_needed = false;
    for (size_t i = 0; is_planned && i < checks->count; i++) {
        const DeferredCheck *check = &checks->items[i];
        if (is_signed_operation(check->condition)) {
            LLVMValueRef operation = deferral_operation(check->condition);
            LLVMValueRef result = result_of(operation);
            is_planned = result != NULL && range_plan(deferral, result);
            is_needed = is_needed || needs_range(deferral, check);
            cost += flag_cost(operation);
        }
    }
    if (is_planned) {
        range_settle(deferral);
        is_planned = is_needed || is_cheaper_as_range(deferral, cost);
    }
    if (!is_planned) {
        range_forget(deferral);
    }
    return is_planned;
}

/* What says by its sign alone whether it is in range is left to that. */
static void plan_differences(Deferral *deferral, DeferredChecks *others) {
    for (size_t i = 0; i < deferral->checks.count; i++) {
        const DeferredCheck *check = &deferral->checks.items[i];
        if (lane_tells(deferral, deferral_operation(check->condition))) {
            continue;
        }
        if (is_of_sum(deferral, check) || !difference_plan(deferral, check)) {
            array_push(deferral->arena, others, *check);
        }
    }
}

static bool plan_tests(Deferral *deferral) {
    DeferredChecks others = {0};
    plan_differences(deferral, &others);
    bool are_ranged = plan_ranges(deferral, &others);
    for (size_t i = 0; i < others.count; i++) {
        DeferredCheck check = others.items[i];
        bool is_signed = is_signed_operation(check.condition);
        if (is_signed && are_ranged) {
            continue;
        }
        if ((is_signed && needs_range(deferral, &check)) || !flag_plan(deferral, check) ||
            is_of_sum(deferral, &check)) {
            return false;
        }
    }
    return true;
}

void deferral_begin(Deferral *deferral) {
    NameMap none = {.arena = deferral->arena};
    deferral->group_of = deferral->sum_of = deferral->starts = none;
    deferral->bounds = deferral->undone = deferral->planned = deferral->products = none;
}

bool deferral_plan(Deferral *deferral) {
    choose_width(deferral);
    if (!guard_plan(deferral) || !term_find_sums(deferral)) {
        return false;
    }
    lane_plan(deferral);
    if (!plan_tests(deferral)) {
        return false;
    }
    plan_undoing(deferral);
    return true;
}

static bool plan_again(const Deferral *deferral, Deferral *other, bool is_natural) {
    NameMap none = {.arena = deferral->arena};
    *other = *deferral;
    other->is_natural = is_natural;
    other->factors.items = NULL;
    other->factors.count = other->factors.capacity = 0;
    other->products = none;
    other->groups.items = NULL;
    other->ranged.items = NULL;
    other->flags.items = NULL;
    other->differences.items = NULL;
    other->differences.count = other->differences.capacity = 0;
    other->results.items = NULL;
    other->groups.count = other->groups.capacity = 0;
    other->ranged.count = other->ranged.capacity = 0;
    other->flags.count = other->flags.capacity = 0;
    other->results.count = other->results.capacity = 0;
    other->planned = other->group_of = other->bounds = none;
    other->is_variable = false;
    other->slack = 0;
    return plan_tests(other) && other->groups.count > 0;
}

static bool plan_products(const Deferral *deferral, Deferral *first, bool is_natural) {
    if (!plan_again(deferral, first, is_natural) || first->slack != 0) {
        return false;
    }
    product_plan(first);
    return first->products.count > 0;
}

bool deferral_plan_first(const Deferral *deferral, Deferral *first) {
    if (deferral->ranged.count == 0 && !deferral->may_be_long) {
        return false;
    }
    bool has_products = plan_products(deferral, first, false);
    if (has_products && product_is_of_elements(first)) {
        has_products = plan_products(deferral, first, true);
    } else if (has_products && deferral->makes_vectors && deferral->memory.stores > 0 &&
               deferral->memory.again == AGAIN_FREELY) {
        return false; /* C takes products of 32 bits too */
    }
    return has_products || plan_again(deferral, first, true);
}
