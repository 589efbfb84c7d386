/* vector_value -- values of a vector loop: of which vectors can be made, and how.
 *
 * Holds:  only operations that vectors of 16 bytes have an instruction or two for. */
#include "edit.h"
#include "vector_state.h"

/* ---- planning ---- */

static unsigned bits_of(LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static bool has_width(LLVMValueRef value) {
    unsigned width = bits_of(value);
    return width == 1 || width == 8 || width == 16 || width == 32;
}

static bool is_power_of_two(LLVMValueRef value) {
    uint64_t number = LLVMIsAConstantInt(value) != NULL ? LLVMConstIntGetZExtValue(value) : 0;
    return number != 0 && (number & (number - 1)) == 0 && number >> (bits_of(value) - 1) == 0;
}

static bool has_operation(LLVMValueRef value) {
    LLVMValueRef second = LLVMGetNumOperands(value) > 1 ? LLVMGetOperand(value, 1) : NULL;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMICmp:
    case LLVMSelect: return true;
    case LLVMMul: return bits_of(value) >= 16;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return bits_of(value) >= 16 && LLVMIsAConstantInt(second) != NULL;
    case LLVMSDiv: return bits_of(value) >= 16 && is_power_of_two(second);
    default: return false;
    }
}

static bool plan_input(VectorLoop *loop, LLVMValueRef value) {
    if (LLVMIsAConstant(value) != NULL) {
        return LLVMIsAConstantInt(value) != NULL;
    }
    array_push(loop->arena, &loop->inputs, value);
    return true;
}

static bool plan_new(VectorLoop *loop, LLVMValueRef value) {
    if (!has_width(value)) {
        return false;
    }
    if (!vector_is_inside(loop, value)) {
        return plan_input(loop, value);
    }
    if (value == loop_copy_of(loop->copy, loop->copy->loop->counter)) {
        return vector_plan(loop, vector_start(loop, value));
    }
    if (LLVMIsALoadInst(value) != NULL) {
        return true; /* all have been looked at */
    }
    bool is_planned = has_operation(value);
    for (unsigned i = 0; is_planned && i < (unsigned)LLVMGetNumOperands(value); i++) {
        is_planned = vector_plan(loop, LLVMGetOperand(value, i));
    }
    return is_planned;
}

bool vector_plan(VectorLoop *loop, LLVMValueRef value) {
    if (name_map_find(&loop->planned, &value, sizeof value) == NULL) {
        *name_map_at(&loop->planned, &value, sizeof value) = value;
        return plan_new(loop, value);
    }
    return true; /* or nothing becomes of the loop */
}

/* ---- building ---- */

LLVMTypeRef vector_type(const VectorLoop *loop, LLVMValueRef value) {
    return LLVMVectorType(LLVMTypeOf(value), loop->lanes);
}

LLVMValueRef *vector_new_parts(VectorLoop *loop, LLVMValueRef value) {
    LLVMValueRef *parts = arena_new_array(loop->arena, LLVMValueRef, loop->parts);
    *name_map_at(&loop->values, &value, sizeof value) = parts;
    return parts;
}

static LLVMValueRef numbers(const VectorLoop *loop, LLVMTypeRef type, uint64_t first,
                            uint64_t step) {
    LLVMValueRef *lanes = arena_new_array(loop->arena, LLVMValueRef, loop->lanes);
    for (unsigned i = 0; i < loop->lanes; i++) {
        lanes[i] = LLVMConstInt(type, first + i * step, 0);
    }
    return LLVMConstVector(lanes, loop->lanes);
}

LLVMValueRef vector_of_number(const VectorLoop *loop, LLVMTypeRef type, uint64_t number) {
    return numbers(loop, type, number, 0);
}

static bool is_masked(LLVMValueRef value) {
    return LLVMIsAInstruction(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMAnd &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1)) != NULL;
}

/* What does not change is spread out before the loop. */
static LLVMValueRef splat(const VectorLoop *loop, LLVMValueRef value) {
    if (LLVMIsAConstantInt(value) != NULL) {
        return numbers(loop, LLVMTypeOf(value), LLVMConstIntGetZExtValue(value), 0);
    }
    size_t i = 0;
    while (loop->inputs.items[i] != value) {
        i++;
    }
    LLVMValueRef parameter = LLVMGetParam(loop->routine, (unsigned)(loop->rows.count + 1 + i));
    edit_before(loop->builder, LLVMGetBasicBlockTerminator(loop->frame));
    if (is_masked(value)) { /* which says for a product that 16 bits hold it */
        parameter = LLVMBuildAnd(loop->builder, parameter, LLVMGetOperand(value, 1), "");
    }
    LLVMValueRef made = row_splat(loop->deferral, parameter, vector_type(loop, value));
    edit_before(loop->builder, loop->next);
    return made;
}

static void build_same(VectorLoop *loop, LLVMValueRef value) {
    LLVMValueRef made = splat(loop, value);
    LLVMValueRef *parts = vector_new_parts(loop, value);
    for (unsigned i = 0; i < loop->parts; i++) {
        parts[i] = made;
    }
}

static void build_counter(VectorLoop *loop, LLVMValueRef counter) {
    LLVMTypeRef type = LLVMTypeOf(counter);
    LLVMValueRef start = vector_parts(loop, vector_start(loop, counter))[0];
    LLVMValueRef *parts = vector_new_parts(loop, counter);
    edit_before(loop->builder, LLVMGetBasicBlockTerminator(loop->frame));
    start = LLVMBuildAdd(loop->builder, start, numbers(loop, type, 0, 1), "");
    edit_before(loop->builder, LLVMGetFirstInstruction(loop->loop));
    parts[0] = LLVMBuildPhi(loop->builder, LLVMTypeOf(start), "");
    edit_before(loop->builder, loop->next);
    for (unsigned i = 1; i < loop->parts; i++) {
        LLVMValueRef ahead = numbers(loop, type, i * loop->lanes, 0);
        parts[i] = LLVMBuildAdd(loop->builder, parts[0], ahead, "");
    }
    LLVMValueRef step = numbers(loop, type, loop->parts * loop->lanes, 0);
    LLVMValueRef next = LLVMBuildAdd(loop->builder, parts[0], step, "");
    LLVMAddIncoming(parts[0], &start, &loop->frame, 1);
    LLVMAddIncoming(parts[0], &next, &loop->loop, 1);
}

static LLVMValueRef build_part(const VectorLoop *loop, LLVMValueRef value, LLVMValueRef *operands) {
    LLVMBuilderRef builder = loop->builder;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    switch (opcode) {
    case LLVMICmp:
        return LLVMBuildICmp(builder, LLVMGetICmpPredicate(value), operands[0], operands[1], "");
    case LLVMSelect: return LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
        return LLVMBuildCast(builder, opcode, operands[0], vector_type(loop, value), "");
    default: return LLVMBuildBinOp(builder, opcode, operands[0], operands[1], "");
    }
}

static void build_operation(VectorLoop *loop, LLVMValueRef value) {
    LLVMValueRef *of[3] = {NULL};
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        of[i] = vector_parts(loop, LLVMGetOperand(value, i));
    }
    LLVMValueRef *parts = vector_new_parts(loop, value);
    for (unsigned part = 0; part < loop->parts; part++) {
        LLVMValueRef operands[3] = {NULL};
        for (unsigned i = 0; i < count; i++) {
            operands[i] = of[i][part];
        }
        parts[part] = build_part(loop, value, operands);
    }
}

/* The last bits of a number as a number: of a product of such LLVM sees that 16 bits do. */
static bool is_cut(LLVMValueRef value) {
    LLVMValueRef part = LLVMIsASExtInst(value) != NULL ? LLVMGetOperand(value, 0) : NULL;
    return part != NULL && LLVMIsATruncInst(part) != NULL &&
           LLVMTypeOf(LLVMGetOperand(part, 0)) == LLVMTypeOf(value);
}

static void build_cut(VectorLoop *loop, LLVMValueRef value) {
    LLVMValueRef part = LLVMGetOperand(value, 0);
    LLVMValueRef *whole = vector_parts(loop, LLVMGetOperand(part, 0));
    LLVMValueRef *parts = vector_new_parts(loop, value);
    LLVMValueRef places = vector_of_number(loop, LLVMTypeOf(value), bits_of(value) - bits_of(part));
    for (unsigned i = 0; i < loop->parts; i++) {
        LLVMValueRef high = LLVMBuildShl(loop->builder, whole[i], places, "");
        parts[i] = LLVMBuildAShr(loop->builder, high, places, "");
    }
}

LLVMValueRef *vector_parts(VectorLoop *loop, LLVMValueRef value) {
    if (name_map_find(&loop->values, &value, sizeof value) == NULL) {
        if (!vector_is_inside(loop, value)) {
            build_same(loop, value);
        } else if (LLVMIsAPHINode(value) != NULL) {
            build_counter(loop, value);
        } else if (is_cut(value)) {
            build_cut(loop, value);
        } else {
            build_operation(loop, value);
        }
    }
    return name_map_find(&loop->values, &value, sizeof value);
}
