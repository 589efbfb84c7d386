/* vector_row -- where the elements of a vector loop are.
 *
 * Holds:  all accesses are within their arrays, so what is ahead by a number in the index is ahead
 *         by as many elements, whatever the width of the index. */
#include "edit.h"
#include "proof.h"
#include "vector_state.h"

#define SLOPE_DEPTH 8u
#define NOT_LINEAR  2

/* By how much it changes from one iteration to the next: -1, 0 or 1. */
static int slope_of(const VectorLoop *loop, LLVMValueRef value, unsigned depth) {
    if (!vector_is_inside(loop, value)) {
        return 0;
    }
    LLVMValueRef counter = loop_copy_of(loop->copy, loop->copy->loop->counter);
    if (value == counter || value == loop->copy->place) {
        return 1;
    }
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool is_sum = opcode == LLVMAdd || opcode == LLVMSub;
    bool is_width = opcode == LLVMZExt || opcode == LLVMSExt || opcode == LLVMTrunc;
    if (depth == 0 || (!is_sum && !is_width && opcode != LLVMMul && opcode != LLVMGetElementPtr)) {
        return NOT_LINEAR;
    }
    int left = slope_of(loop, LLVMGetOperand(value, 0), depth - 1);
    int right = is_width ? 0 : slope_of(loop, LLVMGetOperand(value, 1), depth - 1);
    if (left == NOT_LINEAR || right == NOT_LINEAR) {
        return NOT_LINEAR;
    }
    int sum = opcode == LLVMSub ? left - right : left + right;
    return (is_width || is_sum || sum == 0) && sum >= -1 && sum <= 1 ? sum : NOT_LINEAR;
}

/* The index without a number that is added. */
static void take_number(const VectorLoop *loop, VectorRow *row) {
    while (vector_is_inside(loop, row->stem)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(row->stem);
        if (opcode != LLVMAdd && opcode != LLVMSub) {
            return;
        }
        LLVMValueRef number = LLVMGetOperand(row->stem, 1);
        if (LLVMIsAConstantInt(number) == NULL) {
            return;
        }
        int64_t value = LLVMConstIntGetSExtValue(number);
        row->distance += opcode == LLVMAdd ? value : -value;
        row->stem = LLVMGetOperand(row->stem, 0);
    }
}

static LLVMTypeRef element_of(LLVMValueRef access) {
    return LLVMTypeOf(LLVMIsAStoreInst(access) != NULL ? LLVMGetOperand(access, 0) : access);
}

static bool row_of(const VectorLoop *loop, LLVMValueRef access, VectorRow *row) {
    LLVMValueRef address = LLVMGetOperand(access, LLVMIsAStoreInst(access) != NULL ? 1 : 0);
    *row = (VectorRow){.address = address, .element = element_of(access)};
    if (!vector_is_inside(loop, address) || LLVMIsAGetElementPtrInst(address) == NULL ||
        LLVMGetNumOperands(address) != 2 ||
        LLVMABISizeOfType(loop->deferral->layout, LLVMGetGEPSourceElementType(address)) !=
            LLVMABISizeOfType(loop->deferral->layout, row->element)) {
        return false;
    }
    row->base = LLVMGetOperand(address, 0);
    row->stem = LLVMGetOperand(address, 1);
    row->slope = slope_of(loop, row->stem, SLOPE_DEPTH);
    if (vector_is_inside(loop, row->stem) &&
        (LLVMIsAZExtInst(row->stem) != NULL || LLVMIsASExtInst(row->stem) != NULL)) {
        row->widening = LLVMGetInstructionOpcode(row->stem);
        row->stem = LLVMGetOperand(row->stem, 0);
    }
    take_number(loop, row);
    return (row->slope == 1 || row->slope == -1) && slope_of(loop, row->base, SLOPE_DEPTH) == 0;
}

/* The row that has the same elements from somewhere on; NULL: there is none yet. */
static const VectorRow *find_row(const VectorLoop *loop, const VectorRow *row) {
    for (size_t i = 0; i < loop->rows.count; i++) {
        const VectorRow *other = &loop->rows.items[i];
        if (other->base == row->base && other->stem == row->stem &&
            other->widening == row->widening && other->element == row->element) {
            return other;
        }
    }
    return NULL;
}

bool vector_plan_row(VectorLoop *loop, LLVMValueRef access) {
    VectorRow row;
    if (!row_of(loop, access, &row) || !proof_is_plain_access(access)) {
        return false;
    }
    if (find_row(loop, &row) == NULL) {
        array_push(loop->arena, &loop->rows, row);
    }
    return true;
}

/* ---- in the caller ---- */

static LLVMValueRef at_start(const VectorLoop *loop, LLVMValueRef value) {
    if (!vector_is_inside(loop, value)) {
        return value;
    }
    if (LLVMIsAPHINode(value) != NULL) {
        return vector_start(loop, value);
    }
    LLVMValueRef made = LLVMInstructionClone(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
        LLVMSetOperand(made, i, at_start(loop, LLVMGetOperand(value, i)));
    }
    edit_insert(loop->builder, made);
    return made;
}

LLVMValueRef vector_begin(const VectorLoop *loop, const VectorRow *row) {
    edit_before(loop->builder, LLVMGetBasicBlockTerminator(loop->before));
    return at_start(loop, row->address);
}

/* ---- in the routine ---- */

/* The address of the part, of which the lowest element is the last where the row falls. */
static LLVMValueRef address_of(const VectorLoop *loop, LLVMValueRef access, unsigned part,
                               int *slope) {
    VectorRow own;
    row_of(loop, access, &own);
    const VectorRow *row = find_row(loop, &own);
    LLVMBuilderRef builder = loop->builder;
    int64_t ahead = part * loop->lanes;
    LLVMValueRef place = loop->place;
    if (own.slope < 0) {
        ahead = -(ahead + loop->lanes - 1);
        place = LLVMBuildNeg(builder, place, "");
    }
    LLVMValueRef begin = LLVMGetParam(loop->routine, (unsigned)(row - loop->rows.items));
    LLVMValueRef number =
        LLVMConstInt(LLVMTypeOf(place), (uint64_t)(ahead + own.distance - row->distance), 1);
    LLVMValueRef address = LLVMBuildGEP2(builder, own.element, begin, &place, 1, "");
    *slope = own.slope;
    return LLVMBuildGEP2(builder, own.element, address, &number, 1, "");
}

/* From the other end, if the row falls. */
static LLVMValueRef in_order(const VectorLoop *loop, LLVMValueRef vector, int slope) {
    if (slope > 0) {
        return vector;
    }
    LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(vector)));
    LLVMValueRef *mask = arena_new_array(loop->arena, LLVMValueRef, loop->lanes);
    for (unsigned i = 0; i < loop->lanes; i++) {
        mask[i] = LLVMConstInt(index, loop->lanes - 1 - i, 0);
    }
    return LLVMBuildShuffleVector(loop->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask, loop->lanes), "");
}

void vector_load(VectorLoop *loop, LLVMValueRef load) {
    LLVMValueRef *parts = vector_new_parts(loop, load);
    int slope;
    for (unsigned i = 0; i < loop->parts; i++) {
        LLVMValueRef address = address_of(loop, load, i, &slope);
        parts[i] = LLVMBuildLoad2(loop->builder, vector_type(loop, load), address, "");
        LLVMSetAlignment(parts[i], LLVMGetAlignment(load));
        parts[i] = in_order(loop, parts[i], slope);
    }
}

void vector_store(VectorLoop *loop, LLVMValueRef store) {
    LLVMValueRef *parts = vector_parts(loop, LLVMGetOperand(store, 0));
    int slope;
    for (unsigned i = 0; i < loop->parts; i++) {
        LLVMValueRef address = address_of(loop, store, i, &slope);
        LLVMValueRef part = in_order(loop, parts[i], slope);
        LLVMSetAlignment(LLVMBuildStore(loop->builder, part, address), LLVMGetAlignment(store));
    }
}
