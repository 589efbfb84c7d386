/* loop_cell -- see the header.
 *
 * A cell is a parameter or a variable of the routine as a whole, never an element: it is there
 * whether the loop runs or not. */
#include "loop_cell.h"

#include "edit.h"
#include "loop_memory.h"
#include "proof.h"

/* Accesses -- all of a loop to one cell. */
typedef struct Accesses {
    LLVMValueRef cell, write;
    ARRAY_OF(LLVMValueRef) reads; /* all before the write */
} Accesses;

static LLVMValueRef address_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) != NULL ? 1 : 0);
}

static bool is_access(LLVMValueRef instruction) {
    return LLVMIsALoadInst(instruction) != NULL || LLVMIsAStoreInst(instruction) != NULL;
}

/* One more access of the loop; false: it is not known to be apart from the cell, or not in order.
 */
static bool add_access(const CountedLoop *loop, Accesses *accesses, LLVMValueRef access) {
    LLVMValueRef address = address_of(access);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(accesses->write, 0));
    if (address != accesses->cell) {
        return loop_are_different_objects(loop_root_of(address), accesses->cell);
    }
    if (!proof_is_plain_access(access) || !loop_is_always(loop, LLVMGetInstructionParent(access))) {
        return false;
    }
    if (access == accesses->write) {
        return true;
    }
    bool is_read = LLVMIsALoadInst(access) != NULL && LLVMTypeOf(access) == type;
    if (is_read) {
        array_push(loop->arena, &accesses->reads, access);
    }
    return is_read;
}

static bool find_accesses(const CountedLoop *loop, Accesses *accesses) {
    bool is_written = false;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            size_t count = accesses->reads.count;
            if (is_access(each) && !add_access(loop, accesses, each)) {
                return false;
            }
            if (is_written && accesses->reads.count > count) {
                return false; /* it would be what has just been written */
            }
            is_written = is_written || each == accesses->write;
        }
    }
    return true;
}

static bool is_cell(const CountedLoop *loop, LLVMValueRef write) {
    LLVMValueRef address = LLVMGetOperand(write, 1);
    bool is_variable = LLVMIsAAllocaInst(address) != NULL || LLVMIsAArgument(address) != NULL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(write, 0));
    return is_variable && LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
           loop_nature(loop, LLVMGetOperand(write, 0)) == NATURE_DATA;
}

/* Where the loop leads when it has ended: a block of its own. */
static LLVMBasicBlockRef split_exit(const CountedLoop *loop, LLVMBuilderRef builder) {
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(loop->counter));
    LLVMBasicBlockRef made = LLVMInsertBasicBlockInContext(context, loop->exit, "loop.done");
    LLVMSetSuccessor(LLVMGetBasicBlockTerminator(loop->header->block), 1, made);
    edit_at_end(builder, made);
    LLVMValueRef leads = LLVMBuildBr(builder, loop->exit);
    edit_before(builder, leads);
    return made;
}

static void promote(const CountedLoop *loop, LLVMBuilderRef builder, const Accesses *accesses) {
    LLVMValueRef value = LLVMGetOperand(accesses->write, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned alignment = LLVMGetAlignment(accesses->write);
    edit_before(builder, LLVMGetBasicBlockTerminator(loop->before->block));
    LLVMValueRef first = LLVMBuildLoad2(builder, type, accesses->cell, "");
    LLVMSetAlignment(first, alignment);
    edit_before(builder, LLVMGetFirstInstruction(loop->header->block));
    LLVMValueRef phi = LLVMBuildPhi(builder, type, "cell");
    for (size_t i = 0; i < accesses->reads.count; i++) {
        LLVMReplaceAllUsesWith(accesses->reads.items[i], phi);
        LLVMInstructionEraseFromParent(accesses->reads.items[i]);
    }
    value = LLVMGetOperand(accesses->write, 0);
    LLVMAddIncoming(phi, &first, &loop->before->block, 1);
    LLVMAddIncoming(phi, &value, &loop->latch->block, 1);
    LLVMInstructionEraseFromParent(accesses->write);
    split_exit(loop, builder);
    LLVMSetAlignment(LLVMBuildStore(builder, phi, accesses->cell), alignment);
}

static LLVMValueRef find_cell(const CountedLoop *loop, Accesses *accesses) {
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            if (LLVMIsAStoreInst(each) == NULL || !is_cell(loop, each)) {
                continue;
            }
            *accesses = (Accesses){.cell = LLVMGetOperand(each, 1), .write = each};
            if (find_accesses(loop, accesses) && accesses->reads.count > 0) {
                return each;
            }
        }
    }
    return NULL;
}

bool loop_cells_promote(const CountedLoop *loop, LLVMBuilderRef builder) {
    Accesses accesses;
    if (LLVMIsAPHINode(LLVMGetFirstInstruction(loop->exit)) != NULL ||
        find_cell(loop, &accesses) == NULL) {
        return false;
    }
    promote(loop, builder, &accesses);
    return true;
}
