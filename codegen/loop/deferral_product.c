/* deferral_product -- strips whose products are of numbers of 16 bits.
 *
 * Holds:  vectors have no product of 32 bits before SSE4.1, where it takes seven instructions; but
 *         a x b for a in 0 .. 2^15 - 1 and b in -2^15 .. 2^15 - 1 is one (pmaddwd), if both are
 *         seen to be. So in the first form of a strip, whatever they are, a becomes a /\ 32767 and
 *         b its last 16 bits: sizes say afterwards whether that changed them. a is a value that
 *         does not change in the loop or, of two elements, either, which are natural then. Such a
 *         value is asked beforehand; LLVM must not learn by that, nor otherwise, that the AND
 *         changes nothing: without it no product of 16 bits is seen. */
#include "deferral_state.h"

#include "proof.h"

#define WIDTH 32u

static bool is_number(LLVMValueRef value) {
    return LLVMIsAConstantInt(value) != NULL;
}

/* ---- planning ---- */

static bool is_factor(const Deferral *deferral, LLVMValueRef value) {
    return loop_nature(&deferral->loop, value) == NATURE_FIXED && !is_number(value);
}

static DeferredGroup *group_of(const Deferral *deferral, LLVMValueRef value) {
    uintptr_t index = (uintptr_t)name_map_find(&deferral->group_of, &value, sizeof value);
    return index != 0 ? &deferral->groups.items[index - 1] : NULL;
}

/* The operation of a product of 32 bits, or NULL. */
static LLVMValueRef product_of(LLVMValueRef value) {
    LLVMOpcode opcode;
    bool is_signed;
    LLVMValueRef operation = proof_operation(value, &opcode, &is_signed);
    bool is_product = operation != NULL && opcode == LLVMMul && is_signed &&
                      LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
                      LLVMGetIntTypeWidth(LLVMTypeOf(value)) == WIDTH;
    return is_product ? operation : NULL;
}

/* Which operand is to be natural; NULL: the product has another form. */
static LLVMValueRef natural_operand(const Deferral *deferral, LLVMValueRef value) {
    LLVMValueRef operation = product_of(value);
    if (operation == NULL) {
        return NULL;
    }
    LLVMValueRef left = LLVMGetOperand(operation, 0);
    LLVMValueRef right = LLVMGetOperand(operation, 1);
    bool is_left = group_of(deferral, left) != NULL;
    bool is_right = group_of(deferral, right) != NULL;
    if (is_left && is_right) {
        return left;
    }
    return is_left && is_factor(deferral, right)   ? right
           : is_right && is_factor(deferral, left) ? left
                                                   : NULL;
}

static void keep_small(const Deferral *deferral, LLVMValueRef value) {
    DeferredGroup *group = group_of(deferral, value);
    if (group != NULL) {
        group->is_small = true;
    }
}

static void add_product(Deferral *deferral, LLVMValueRef value, LLVMValueRef natural) {
    LLVMValueRef operation = product_of(value);
    keep_small(deferral, LLVMGetOperand(operation, 0));
    keep_small(deferral, LLVMGetOperand(operation, 1));
    *name_map_at(&deferral->products, &value, sizeof value) = natural;
    if (group_of(deferral, natural) == NULL) {
        array_push(deferral->arena, &deferral->factors, natural);
    }
}

void product_plan(Deferral *deferral) {
    const CountedLoop *loop = &deferral->loop;
    for (size_t i = 0; i < loop->blocks.count; i++) {
        for (LLVMValueRef each = LLVMGetFirstInstruction(loop->blocks.items[i]->block);
             each != NULL; each = LLVMGetNextInstruction(each)) {
            LLVMValueRef natural = natural_operand(deferral, each);
            if (natural != NULL) {
                add_product(deferral, each, natural);
            }
        }
    }
}

bool product_is_of_elements(const Deferral *deferral) {
    return deferral->products.count > deferral->factors.count;
}

/* ---- a strip ---- */

static LLVMValueRef factor_of(Deferral *deferral, size_t index) {
    return loop_value_at(&deferral->loop, deferral->builder, deferral->factors.items[index], NULL);
}

LLVMValueRef product_begin(Deferral *deferral) {
    LLVMValueRef all = NULL;
    for (size_t i = 0; i < deferral->factors.count; i++) {
        LLVMValueRef factor = factor_of(deferral, i);
        LLVMValueRef most = LLVMConstInt(LLVMTypeOf(factor), SMALL - 1, 0);
        LLVMValueRef is_small = LLVMBuildICmp(deferral->builder, LLVMIntULE, factor, most, "");
        all = deferral_both(deferral, all, is_small);
    }
    return all;
}

/* The value, of which nothing is known. */
static LLVMValueRef build_unknown(LLVMBuilderRef builder, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef signature = LLVMFunctionType(type, &type, 1, 0);
    char same[] = "=r,0";
    char nothing[] = "";
    LLVMValueRef code = LLVMGetInlineAsm(signature, nothing, 0, same, sizeof same - 1, 0, 0,
                                         LLVMInlineAsmDialectATT, 0);
    return LLVMBuildCall2(builder, signature, code, &value, 1, "");
}

void product_factors(Deferral *deferral, NameMap *small) {
    for (size_t i = 0; i < deferral->factors.count; i++) {
        LLVMValueRef factor = factor_of(deferral, i);
        LLVMValueRef most = LLVMConstInt(LLVMTypeOf(factor), SMALL - 1, 0);
        LLVMValueRef unknown = build_unknown(deferral->builder, factor);
        LLVMValueRef key = deferral->factors.items[i];
        *name_map_at(small, &key, sizeof key) = LLVMBuildAnd(deferral->builder, unknown, most, "");
    }
}
