/* deferral_order -- in which order strips go through rows.
 *
 * Holds:  what only sums up elements comes to the same in any order, as its sums wrap and what is
 *         gathered is gathered by OR. Elements read backwards cost a shuffle for each vector. So
 *         where all that depends on the counter is where elements are, in the copy the one of the
 *         strip's last iteration is read first. A single sum is bound by the instructions of its
 *         loop, of which LLVM spends a third on counting: so rows are gone through by one place
 *         that has the width of addresses, and four vectors are worked at side by side. Loops that
 *         do little else are bound by them too: LLVM takes two vectors. The loop of vectors has
 *         one copy of its body: more are no faster. Where what is written is narrower than what it
 *         is made of, LLVM would fill vectors of the wider ones, and write pieces: so it is told
 *         to fill the narrow ones. */
#include "deferral_state.h"
#include "llvm_compat.h"

#define VECTORS      4u /* of a sum and of what is gathered: half of the registers */
#define PAIR         2u
#define VECTOR_BYTES 16u
#define LITTLE       14u /* operations */

static LLVMValueRef first_phi(const CountedLoop *loop) {
    return LLVMGetFirstInstruction(loop->header->block);
}

/* Elements of rows that fall by one, or a variable. */
static bool is_of_falling_row(const Deferral *deferral, const LoopAccess *access) {
    LLVMValueRef address = access->address;
    if (loop_nature(&deferral->loop, address) == NATURE_FIXED) {
        return true;
    }
    if (access->moves || LLVMIsAGetElementPtrInst(address) == NULL ||
        LLVMGetNumOperands(address) != 2 ||
        LLVMABISizeOfType(deferral->layout, LLVMGetGEPSourceElementType(address)) !=
            LLVMABISizeOfType(deferral->layout, access->type)) {
        return false;
    }
    LLVMValueRef index = LLVMGetOperand(address, 1);
    LLVMOpcode opcode = LLVMIsAInstruction(index) ? LLVMGetInstructionOpcode(index) : LLVMAdd;
    bool is_widened = opcode == LLVMZExt || opcode == LLVMSExt;
    return loop_nature(&deferral->loop, LLVMGetOperand(address, 0)) == NATURE_FIXED &&
           loop_slope(&deferral->loop, is_widened ? LLVMGetOperand(index, 0) : index) == -1;
}

static bool reads_falling_rows(const Deferral *deferral) {
    const LoopMemory *memory = &deferral->memory;
    bool do_fall = memory->stores == 0 && memory->accesses.count > 0;
    for (size_t i = 0; do_fall && i < memory->accesses.count; i++) {
        do_fall = is_of_falling_row(deferral, &memory->accesses.items[i]);
    }
    return do_fall;
}

/* Is the value, if it depends on data, made of nothing that the counter says itself? */
static bool is_of_data_alone(const CountedLoop *loop, LLVMValueRef value) {
    if (loop_nature(loop, value) != NATURE_DATA || LLVMIsALoadInst(value) != NULL ||
        LLVMIsATerminatorInst(value) != NULL) {
        return true;
    }
    int count = LLVMGetNumOperands(value);
    bool is_alone = true;
    for (int i = 0; is_alone && i < count; i++) {
        is_alone = loop_nature(loop, LLVMGetOperand(value, (unsigned)i)) != NATURE_COUNTED;
    }
    return is_alone;
}

static bool uses_no_counter(const CountedLoop *loop) {
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            if (!is_of_data_alone(loop, each)) {
                return false;
            }
        }
    }
    return true;
}

/* Does nothing that is summed up depend on sums so far? */
static bool is_sum_of_elements(const Deferral *deferral, const DeferredSum *sum) {
    const CountedLoop *loop = &deferral->loop;
    bool is_of_elements = true;
    for (size_t i = 0; is_of_elements && i < sum->terms.count; i++) {
        LLVMValueRef phi = first_phi(loop);
        for (; is_of_elements && LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
            is_of_elements = !deferral_depends_on(deferral, sum->terms.items[i], phi);
        }
    }
    return is_of_elements;
}

static bool only_sums(const Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    for (LLVMValueRef phi = first_phi(loop); LLVMIsAPHINode(phi) != NULL;
         phi = LLVMGetNextInstruction(phi)) {
        uintptr_t index = (uintptr_t)name_map_find(&deferral->sum_of, &phi, sizeof phi);
        if (phi != loop->counter &&
            (index == 0 || !is_sum_of_elements(deferral, &deferral->sums.items[index - 1]))) {
            return false;
        }
    }
    return true;
}

static bool falls_freely(const Deferral *deferral) {
    return reads_falling_rows(deferral) && loop_always_runs_all(&deferral->loop) &&
           uses_no_counter(&deferral->loop) && only_sums(deferral);
}

/* ---- few instructions ---- */

static bool is_single_sum(const Deferral *deferral) {
    return deferral->memory.stores == 0 && deferral->sums.count == 1 &&
           deferral->groups.count + deferral->flags.count <= 1;
}

/* Is it one that the vector has an instruction for? */
static bool is_operation(const CountedLoop *loop, LLVMValueRef value) {
    bool is_one = LLVMIsALoadInst(value) != NULL || LLVMIsAStoreInst(value) != NULL ||
                  LLVMIsABinaryOperator(value) != NULL || LLVMIsASelectInst(value) != NULL ||
                  LLVMIsACallInst(value) != NULL;
    return is_one && loop_nature(loop, value) == NATURE_DATA &&
           LLVMTypeOf(value) != LLVMInt1TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
}

static bool does_little(const Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    unsigned count = 0;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            count += is_operation(loop, each);
        }
    }
    return count <= LITTLE && !row_has_runs(deferral);
}

/* The smallest elements that are written, if they are made of wider ones; else 0. */
static unsigned narrowed_size(const Deferral *deferral) {
    unsigned least = 0;
    unsigned most = 0;
    for (size_t i = 0; i < deferral->memory.accesses.count; i++) {
        const LoopAccess *access = &deferral->memory.accesses.items[i];
        unsigned size = (unsigned)LLVMABISizeOfType(deferral->layout, access->type);
        if (!access->is_store) {
            most = size > most ? size : most;
        } else if (least == 0 || size < least) {
            least = size;
        }
    }
    return least < most ? least : 0;
}

CompatVectors order_vectors(const Deferral *deferral) {
    unsigned narrowed = narrowed_size(deferral);
    if (is_single_sum(deferral)) {
        return (CompatVectors){0, VECTORS};
    }
    if (narrowed != 0) {
        return (CompatVectors){VECTOR_BYTES / narrowed, 1};
    }
    return (CompatVectors){0, does_little(deferral) ? PAIR : 0};
}

void order_side_by_side(const Deferral *deferral, const LoopCopy *copy) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(deferral->loop.counter));
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop_copy_latch(copy));
    bool is_known = LLVMIsAConstantInt(deferral->count) != NULL;
    if (is_known && LLVMConstIntGetZExtValue(deferral->count) <
                        STRAIGHT) { /* LLVM would make straight code before it makes vectors */
        compat_unroll_as_vectors(context, branch);
    } else {
        compat_set_vectors(context, branch, order_vectors(deferral));
    }
}

void order_leave(LLVMBasicBlockRef latch) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(latch);
    compat_leave_loop(LLVMGetTypeContext(LLVMTypeOf(branch)), branch);
}

/* ---- rows ---- */

bool order_rows(Deferral *deferral, LLVMValueRef stop, NameMap *rows) {
    const CountedLoop *loop = &deferral->loop;
    LLVMBuilderRef builder = deferral->builder;
    bool is_turned = falls_freely(deferral);
    if (!is_turned && !is_single_sum(deferral)) {
        return false;
    }
    LLVMValueRef first = name_map_find(&deferral->starts, &loop->counter, sizeof loop->counter);
    if (is_turned) {
        first = LLVMBuildSub(builder, stop, LLVMConstInt(LLVMTypeOf(stop), 1, 0), "");
    }
    for (size_t i = 0; i < deferral->memory.accesses.count; i++) {
        const LoopAccess *access = &deferral->memory.accesses.items[i];
        LLVMValueRef address = access->address;
        if (access->moves || (is_turned && loop_nature(loop, address) == NATURE_COUNTED)) {
            *name_map_at(rows, &address, sizeof address) =
                loop_value_at(loop, builder, address, first);
        }
    }
    return rows->count > 0;
}
