/* loop_copy -- see the header.
 *
 * Blocks and instructions are copied in reverse post-order, so that definitions come before uses;
 * what phis get over edges is filled in last. Of a branch with a condition that is settled the way
 * taken is left. */
#include "loop_copy.h"

#include "edit.h"
#include "llvm_compat.h"
#include "proof.h"

LLVMValueRef loop_copy_of(const LoopCopy *copy, LLVMValueRef value) {
    LLVMValueRef found = name_map_find(&copy->values, &value, sizeof value);
    return found != NULL ? found : value;
}

static void set_copy(LoopCopy *copy, LLVMValueRef value, LLVMValueRef made) {
    *name_map_at(&copy->values, &value, sizeof value) = made;
}

LLVMBasicBlockRef loop_copy_block(const LoopCopy *copy, LLVMBasicBlockRef block) {
    return name_map_find(&copy->blocks, &block, sizeof block);
}

LLVMBasicBlockRef loop_copy_latch(const LoopCopy *copy) {
    return loop_copy_block(copy, copy->loop->latch->block);
}

void loop_copy_at_end(const LoopCopy *copy) {
    edit_before(copy->builder, LLVMGetBasicBlockTerminator(loop_copy_latch(copy)));
}

/* ---- operations ---- */

/* The operand of an operation to be undone that holds what was there before; NULL: it is not. */
static LLVMValueRef undone_part(const LoopCopy *copy, LLVMValueRef value) {
    return copy->kind == LOOP_COPY_UNDOING ? name_map_find(copy->undone, &value, sizeof value)
                                           : NULL;
}

static bool is_signed_call(LLVMValueRef operation) {
    LLVMOpcode opcode;
    bool is_signed = false;
    return proof_checked_operation(operation, &opcode, &is_signed) && is_signed;
}

/* The operand that is natural of a product of numbers of 16 bits; NULL: it is no such product. */
static LLVMValueRef natural_part(const LoopCopy *copy, LLVMValueRef value) {
    return copy->products != NULL ? name_map_find(copy->products, &value, sizeof value) : NULL;
}

static LLVMValueRef build_product(LoopCopy *copy, LLVMValueRef natural, LLVMValueRef other) {
    LLVMTypeRef type = LLVMTypeOf(natural);
    LLVMTypeRef narrow = LLVMInt16TypeInContext(LLVMGetTypeContext(type));
    LLVMValueRef most = LLVMConstInt(type, 0x7FFF, 0);
    LLVMValueRef left =
        copy->factors != NULL ? name_map_find(copy->factors, &natural, sizeof natural) : NULL;
    if (left == NULL) {
        left = LLVMBuildAnd(copy->builder, loop_copy_of(copy, natural), most, "");
    }
    LLVMValueRef right = LLVMBuildTrunc(copy->builder, loop_copy_of(copy, other), narrow, "");
    right = LLVMBuildSExt(copy->builder, right, type, "");
    return LLVMBuildNSWMul(copy->builder, left, right, "");
}

/* What was before + other is taken back by - other. */
static LLVMValueRef build_operation(LoopCopy *copy, LLVMValueRef value, LLVMValueRef operation,
                                    LLVMOpcode opcode) {
    LLVMValueRef left = LLVMGetOperand(operation, 0);
    LLVMValueRef right = LLVMGetOperand(operation, 1);
    LLVMValueRef part = undone_part(copy, value);
    if (part != NULL) {
        right = part == left ? right : left;
        left = part;
        opcode = opcode == LLVMAdd ? LLVMSub : LLVMAdd;
    }
    LLVMValueRef natural = natural_part(copy, value);
    if (natural != NULL) {
        return build_product(copy, natural, natural == left ? right : left);
    }
    LLVMValueRef made = LLVMBuildBinOp(copy->builder, opcode, loop_copy_of(copy, left),
                                       loop_copy_of(copy, right), "");
    bool is_counted = loop_nature(copy->loop, operation) != NATURE_DATA;
    if (is_counted && LLVMIsAInstruction(made) != NULL && is_signed_call(operation)) {
        LLVMSetNSW(made, 1); /* its check was asked before */
    }
    return made;
}

/* A part of what a checked operation gives: its value, or a flag that is never up. */
static bool copy_part(LoopCopy *copy, LLVMValueRef value) {
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef call = LLVMGetOperand(value, 0);
    if (!proof_checked_operation(call, &opcode, &is_signed)) {
        return false;
    }
    set_copy(copy, value,
             LLVMGetIndices(value)[0] == 0 ? build_operation(copy, value, call, opcode)
                                           : LLVMConstNull(LLVMTypeOf(value)));
    return true;
}

static void clone(LoopCopy *copy, LLVMValueRef value) {
    LLVMValueRef made = LLVMInstructionClone(value);
    int count = LLVMGetNumOperands(value);
    for (int i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
        LLVMSetOperand(made, (unsigned)i, loop_copy_of(copy, operand));
    }
    if (loop_nature(copy->loop, value) == NATURE_DATA) {
        compat_drop_promises(made);
    }
    edit_insert(copy->builder, made);
    set_copy(copy, value, made);
}

/* Branches are made anew, and of a checked operation the parts are copied alone. */
static bool is_left_out(const LoopCopy *copy, LLVMValueRef value) {
    LLVMOpcode opcode;
    bool is_signed;
    return LLVMIsATerminatorInst(value) != NULL ||
           proof_checked_operation(value, &opcode, &is_signed) ||
           (copy->kind == LOOP_COPY_READING && LLVMIsAStoreInst(value) != NULL);
}

/* The element of a row that is gone through from its begin; NULL: the value is no such address. */
static LLVMValueRef build_address(const LoopCopy *copy, LLVMValueRef value) {
    LLVMValueRef row = copy->rows != NULL ? name_map_find(copy->rows, &value, sizeof value) : NULL;
    if (row == NULL) {
        return NULL;
    }
    LLVMValueRef place = copy->place;
    return LLVMBuildInBoundsGEP2(copy->builder, LLVMGetGEPSourceElementType(value), row, &place, 1,
                                 "");
}

static void copy_instruction(LoopCopy *copy, LLVMValueRef value) {
    if (is_left_out(copy, value)) {
        return;
    }
    LLVMValueRef made = NULL;
    if (LLVMIsAPHINode(value) != NULL) {
        set_copy(copy, value, LLVMBuildPhi(copy->builder, LLVMTypeOf(value), ""));
    } else if (LLVMIsAExtractValueInst(value) != NULL && copy_part(copy, value)) {
        return;
    } else if ((made = build_address(copy, value)) != NULL) {
        set_copy(copy, value, made);
    } else if (undone_part(copy, value) != NULL || natural_part(copy, value) != NULL) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
        set_copy(copy, value, build_operation(copy, value, value, opcode));
    } else {
        clone(copy, value);
    }
}

/* ---- edges ---- */

/* By the place, of which LLVM sees how often the loop is run. */
static void copy_header_branch(const LoopCopy *copy, LLVMBasicBlockRef exit) {
    LLVMValueRef more = LLVMBuildICmp(copy->builder, LLVMIntULT, copy->place, copy->end, "");
    LLVMBuildCondBr(copy->builder, more, loop_copy_block(copy, copy->loop->body), exit);
}

static void copy_branch(LoopCopy *copy, LLVMValueRef branch) {
    bool when;
    LLVMBasicBlockRef then = loop_copy_block(copy, LLVMGetSuccessor(branch, 0));
    if (!LLVMIsConditional(branch)) {
        LLVMBuildBr(copy->builder, then);
    } else if (loop_check(copy->loop, branch, &when)) {
        LLVMBuildBr(copy->builder, loop_copy_block(copy, LLVMGetSuccessor(branch, !when)));
    } else {
        LLVMBuildCondBr(copy->builder, loop_copy_of(copy, LLVMGetCondition(branch)), then,
                        loop_copy_block(copy, LLVMGetSuccessor(branch, 1)));
    }
}

static void fill_phi(LoopCopy *copy, LLVMValueRef phi) {
    LLVMValueRef made = loop_copy_of(copy, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = loop_copy_block(copy, LLVMGetIncomingBlock(phi, i));
        if (from != NULL) {
            LLVMValueRef value = loop_copy_of(copy, LLVMGetIncomingValue(phi, i));
            LLVMAddIncoming(made, &value, &from, 1);
        }
    }
}

static void fill_phis(LoopCopy *copy, const NameMap *starts, LLVMBasicBlockRef from) {
    const CountedLoop *loop = copy->loop;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        LLVMValueRef phi = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
        for (; LLVMIsAPHINode(phi) != NULL; phi = LLVMGetNextInstruction(phi)) {
            if (i == 0) {
                LLVMValueRef start = name_map_find(starts, &phi, sizeof phi);
                LLVMAddIncoming(loop_copy_of(copy, phi), &start, &from, 1);
            }
            fill_phi(copy, phi);
        }
    }
}

/* ---- places ---- */

static void begin_places(LoopCopy *copy, LLVMValueRef count, LLVMBasicBlockRef from) {
    LLVMTypeRef word = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(count)));
    LLVMValueRef none = LLVMConstNull(word);
    edit_at_end(copy->builder, from);
    copy->end = LLVMBuildZExt(copy->builder, count, word, "");
    edit_at_end(copy->builder, copy->entry);
    copy->place = LLVMBuildPhi(copy->builder, word, "place");
    LLVMAddIncoming(copy->place, &none, &from, 1);
}

static void step_places(LoopCopy *copy) {
    loop_copy_at_end(copy);
    LLVMBasicBlockRef latch = loop_copy_latch(copy);
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(copy->place), 1, 0);
    LLVMValueRef next = LLVMBuildNSWAdd(copy->builder, copy->place, one, "");
    LLVMAddIncoming(copy->place, &next, &latch, 1);
}

/* ---- all of it ---- */

void loop_copy(LoopCopy *copy, const NameMap *starts, LLVMValueRef count, LLVMBasicBlockRef from,
               LLVMBasicBlockRef exit) {
    const CountedLoop *loop = copy->loop;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(count));
    copy->values.arena = copy->blocks.arena = loop->arena;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        LLVMBasicBlockRef block = loop->blocks.items[i]->block;
        *name_map_at(&copy->blocks, &block, sizeof block) = LLVMInsertBasicBlockInContext(
            context, loop->header->block, i == 0 ? "strip" : "strip.part");
    }
    copy->entry = loop_copy_block(copy, loop->header->block);
    copy->exit = exit;
    begin_places(copy, count, from);
    for (size_t i = 0; i < loop->blocks.count; i++) {
        LLVMBasicBlockRef block = loop->blocks.items[i]->block;
        edit_at_end(copy->builder, loop_copy_block(copy, block));
        for (LLVMValueRef each = LLVMGetFirstInstruction(block); each != NULL;
             each = LLVMGetNextInstruction(each)) {
            copy_instruction(copy, each);
        }
        if (i == 0) {
            copy_header_branch(copy, exit);
        } else {
            copy_branch(copy, LLVMGetBasicBlockTerminator(block));
        }
    }
    fill_phis(copy, starts, from);
    step_places(copy);
}
