/* deferral_row -- sizes of elements that one iteration reads beside each other, gathered in
 * vectors.
 *
 * Owns:   which elements those are: at one address and constant distances from it, such as those of
 *         a row of a matrix, read by an inner loop that was emitted one iteration after the other.
 * Holds:  LLVM makes no vectors of such a loop, for what one element is to the next iteration lies
 *         a row ahead; within an iteration it makes some of the sums, but not of sizes beside them.
 *         What is loaded here the iteration loads as well, each time, so it may be loaded; and no
 *         store is in between, for nothing is written where such elements are read. */
#include "deferral_state.h"

#include "intrinsic.h"

#define VECTOR_BITS 128u

/* Place -- where a load reads that does not go from element to element with the counter. */
typedef struct Place {
    const LoopAccess *access;
    LLVMValueRef base; /* or NULL: see the access */
    int64_t offset;    /* in elements */
} Place;

static bool place_of(const Deferral *deferral, LLVMValueRef value, Place *place) {
    const LoopAccess *access = loop_access_of(&deferral->memory, value);
    if (access == NULL || access->moves) {
        return false;
    }
    *place = (Place){access, NULL, access->distance};
    if (access->slope != 0) {
        return true;
    }
    LLVMValueRef address = place->base = access->address;
    if (LLVMIsAGetElementPtrInst(address) != NULL && LLVMGetNumOperands(address) == 2 &&
        LLVMGetGEPSourceElementType(address) == access->type &&
        LLVMIsAConstantInt(LLVMGetOperand(address, 1)) != NULL) {
        place->base = LLVMGetOperand(address, 0);
        place->offset = LLVMConstIntGetSExtValue(LLVMGetOperand(address, 1));
    }
    return true;
}

static bool are_of_row(const Place *a, const Place *b) {
    return a->access->type == b->access->type && a->base == b->base &&
           (a->base != NULL || loop_access_same_row(a->access, b->access));
}

bool row_is_same(const Deferral *deferral, LLVMValueRef a, LLVMValueRef b) {
    Place one, other;
    return place_of(deferral, a, &one) && place_of(deferral, b, &other) && are_of_row(&one, &other);
}

/* The value of the list that is `distance` elements behind this one; NULL: none that is left. */
static LLVMValueRef *neighbour_of(const Deferral *deferral, RowValues *values, LLVMValueRef value,
                                  int64_t distance) {
    Place place, other;
    place_of(deferral, value, &place);
    for (size_t i = 0; i < values->count; i++) {
        LLVMValueRef *slot = &values->items[i];
        if (*slot != NULL && place_of(deferral, *slot, &other) && are_of_row(&place, &other) &&
            other.offset == place.offset + distance) {
            return slot;
        }
    }
    return NULL;
}

static unsigned lanes_of(LLVMValueRef value) {
    return VECTOR_BITS / LLVMGetIntTypeWidth(LLVMTypeOf(value));
}

/* Takes as many elements as a vector has, from this one on, out of the list. */
static bool take_run(const Deferral *deferral, RowValues *values, LLVMValueRef first) {
    unsigned lanes = lanes_of(first);
    Place place;
    if (lanes < 2 || !place_of(deferral, first, &place) ||
        neighbour_of(deferral, values, first, -1) != NULL) {
        return false;
    }
    for (unsigned i = 1; i < lanes; i++) {
        if (neighbour_of(deferral, values, first, (int64_t)i) == NULL) {
            return false;
        }
    }
    for (unsigned i = 0; i < lanes; i++) {
        *neighbour_of(deferral, values, first, (int64_t)i) = NULL;
    }
    return true;
}

void row_take_runs(const Deferral *deferral, RowValues *values, RowValues *firsts) {
    bool is_taken = true;
    while (is_taken) {
        is_taken = false;
        for (size_t i = 0; i < values->count; i++) {
            LLVMValueRef first = values->items[i];
            if (first != NULL && take_run(deferral, values, first)) {
                array_push(deferral->arena, firsts, first);
                is_taken = true;
            }
        }
    }
}

bool row_has_runs(const Deferral *deferral) {
    RowValues values = {0};
    RowValues firsts = {0};
    for (size_t i = 0; i < deferral->groups.count; i++) {
        array_push(deferral->arena, &values, deferral->groups.items[i].value);
    }
    row_take_runs(deferral, &values, &firsts);
    return firsts.count > 0;
}

/* ---- vectors ---- */

LLVMTypeRef row_type(LLVMValueRef first) {
    return LLVMVectorType(LLVMTypeOf(first), lanes_of(first));
}

/* The element of the vector that the iteration loads last. */
static LLVMValueRef last_loaded(const Deferral *deferral, LLVMValueRef first) {
    const LoopAccess *last = loop_access_of(&deferral->memory, first);
    Place begin, place;
    place_of(deferral, first, &begin);
    for (size_t i = 0; i < deferral->memory.accesses.count; i++) {
        const LoopAccess *access = &deferral->memory.accesses.items[i];
        bool is_of_vector = !access->is_store && place_of(deferral, access->instruction, &place) &&
                            are_of_row(&begin, &place) && place.offset >= begin.offset &&
                            place.offset < begin.offset + lanes_of(first);
        last = is_of_vector && access->place > last->place ? access : last;
    }
    return last->instruction;
}

/* Behind the elements, or LLVM would take them out of the vector; and before anything is written,
 * so that the vector is loaded once where LLVM makes one of the elements too. */
LLVMValueRef row_load(const Deferral *deferral, const LoopCopy *copy, LLVMValueRef first) {
    LLVMValueRef last = loop_copy_of(copy, last_loaded(deferral, first));
    edit_before(deferral->builder, LLVMGetNextInstruction(last));
    LLVMValueRef address = LLVMGetOperand(loop_copy_of(copy, first), 0);
    LLVMValueRef loaded = LLVMBuildLoad2(deferral->builder, row_type(first), address, "row");
    LLVMSetAlignment(loaded, LLVMGetAlignment(first));
    loop_copy_at_end(copy);
    return loaded;
}

LLVMValueRef row_splat(const Deferral *deferral, LLVMValueRef value, LLVMTypeRef type) {
    LLVMTypeRef index = LLVMInt32TypeInContext(LLVMGetTypeContext(type));
    LLVMTypeRef mask = LLVMVectorType(index, LLVMGetVectorSize(type));
    LLVMValueRef one = LLVMBuildInsertElement(deferral->builder, LLVMGetPoison(type), value,
                                              LLVMConstNull(index), "");
    return LLVMBuildShuffleVector(deferral->builder, one, LLVMGetPoison(type), LLVMConstNull(mask),
                                  "");
}

LLVMValueRef row_reduce(const Deferral *deferral, const char *name, LLVMValueRef vector) {
    return intrinsic_call(deferral->builder, name, LLVMTypeOf(vector), &vector, 1);
}
