/* lower_type -- our types in LLVM's terms: registers, memory, sizes.
 *
 * Owns:   what a scalar is in a register and in memory, loads and stores, sizes at run time.
 * Leaves: offsets in records and fixed sizes to types.h, constants to constant_data.c.
 * Holds:  a load or store promises no alignment. A reference may lead into a PACKED record or a
 *         RETYPES'd array of bytes, and the callee cannot see that. Where the object itself is in
 *         sight LLVM finds its alignment without us, and the processors we know read a scalar
 *         at any address at the same cost. */
#include "emit.h"
#include "layout_offsets.h"
#include "llvm_compat.h"

#include <string.h>

#define ANY_ALIGNMENT 1

LLVMTypeRef lower_memory(Emitter *emitter, const Type *type) {
    const Type *base = type_base(type);
    if (!type_is_scalar(base)) {
        return emitter->ptr; /* channels and mobiles */
    }
    if (type_is_real(base)) {
        return type_bits(base) == 32 ? emitter->f32 : emitter->f64;
    }
    return LLVMIntTypeInContext(emitter->context, type_bits(base));
}

LLVMTypeRef lower_scalar(Emitter *emitter, const Type *type) {
    return type_base(type)->kind == TYPE_BOOL ? emitter->i1 : lower_memory(emitter, type);
}

LLVMTypeRef lower_object(Emitter *emitter, const Type *type) {
    if (type_is_scalar(type)) {
        return lower_memory(emitter, type);
    }
    return LLVMArrayType2(emitter->i8, type_size(type));
}

/* ---- loads and stores ---- */

/* An owner is never read or written as data: RETYPES and CHAN ANY refuse it. So a store of data
 * does not change the addresses of mobile arrays, and their loads leave loops. Memory that changes
 * from one kind to the other is filled or copied without a mark. */
static LLVMMetadataRef access_tag(Emitter *emitter, const char *name) {
    LLVMContextRef context = emitter->context;
    LLVMMetadataRef zero = LLVMValueAsMetadata(emit_i64(emitter, 0));
    LLVMMetadataRef root = LLVMMDStringInContext2(context, "occam", 5);
    LLVMMetadataRef root_node = LLVMMDNodeInContext2(context, &root, 1);
    LLVMMetadataRef type[] = {LLVMMDStringInContext2(context, name, strlen(name)), root_node, zero};
    LLVMMetadataRef type_node = LLVMMDNodeInContext2(context, type, 3);
    LLVMMetadataRef tag[] = {type_node, type_node, zero};
    return LLVMMDNodeInContext2(context, tag, 3);
}

static void mark_access(Emitter *emitter, LLVMValueRef access, const Type *type) {
    bool is_read = emitter->options->optimisation > 0;
    if (!is_read || (!type_is_scalar(type) && !type_owns(type))) {
        return;
    }
    LLVMMetadataRef *tag = type_owns(type) ? &emitter->owner_access : &emitter->data_access;
    if (*tag == NULL) {
        *tag = access_tag(emitter, type_owns(type) ? "owner" : "data");
    }
    compat_set_metadata(emitter->context, access, "tbaa", *tag);
}

/* An alias scope list of one scope: that of counts. */
static LLVMMetadataRef count_scope(Emitter *emitter) {
    LLVMContextRef context = emitter->context;
    LLVMMetadataRef domain_name = LLVMMDStringInContext2(context, "occam", strlen("occam"));
    LLVMMetadataRef domain = LLVMMDNodeInContext2(context, &domain_name, 1);
    LLVMMetadataRef scope[] = {
        LLVMMDStringInContext2(context, "occam.counts", strlen("occam.counts")), domain};
    LLVMMetadataRef list = LLVMMDNodeInContext2(context, scope, 2);
    return LLVMMDNodeInContext2(context, &list, 1);
}

/* A count of a mobile array changes only where the object is made, resized or released, and those
 * stores are not marked. It is not `invariant.load`: after the release its word is reused. */
void emit_mark_count(Emitter *emitter, LLVMValueRef load) {
    if (emitter->count_access == NULL) {
        emitter->count_access = access_tag(emitter, "count");
    }
    compat_set_metadata(emitter->context, load, "tbaa", emitter->count_access);
    compat_set_metadata(emitter->context, load, "alias.scope", count_scope(emitter));
}

void emit_mark_keeps_counts(Emitter *emitter, LLVMValueRef call) {
    compat_set_metadata(emitter->context, call, "noalias", count_scope(emitter));
}

LLVMValueRef emit_load(Emitter *emitter, Place place) {
    LLVMTypeRef memory = lower_memory(emitter, place.type);
    LLVMValueRef value = LLVMBuildLoad2(emitter->builder, memory, place.address, "");
    LLVMSetAlignment(value, ANY_ALIGNMENT);
    mark_access(emitter, value, place.type);
    if (type_base(place.type)->kind == TYPE_BOOL) {
        return LLVMBuildICmp(emitter->builder, LLVMIntNE, value, LLVMConstNull(memory), "");
    }
    return value;
}

void emit_store(Emitter *emitter, LLVMValueRef value, Place place) {
    if (type_base(place.type)->kind == TYPE_BOOL) {
        value = LLVMBuildZExt(emitter->builder, value, emitter->i8, "");
    }
    LLVMValueRef store = LLVMBuildStore(emitter->builder, value, place.address);
    LLVMSetAlignment(store, ANY_ALIGNMENT);
    mark_access(emitter, store, place.type);
}

/* ---- sizes ---- */

LLVMValueRef emit_count(Emitter *emitter, Place place) {
    return emit_place_count(emitter, place, 0);
}

LLVMValueRef emit_widen_count(Emitter *emitter, LLVMValueRef count) {
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, count, emitter->i64, "");
    if (LLVMIsAZExtInst(wide) != NULL) {
        LLVMSetNNeg(wide, 1);
    }
    return wide;
}

LLVMValueRef emit_multiply_size(Emitter *emitter, LLVMValueRef left, LLVMValueRef right) {
    LLVMValueRef product = LLVMBuildMul(emitter->builder, left, right, "");
    if (LLVMIsAInstruction(product) != NULL) {
        LLVMSetNUW(product, 1);
        LLVMSetNSW(product, 1);
    }
    return product;
}

LLVMValueRef emit_size_bytes(Emitter *emitter, Place place) {
    uint64_t fixed = type_size(type_leaf(place.type));
    LLVMValueRef size = NULL;
    unsigned open = 0;
    const Type *type = type_base(place.type);
    for (; type->kind == TYPE_ARRAY; type = type_base(type->array.element)) {
        if (type->array.count != ARRAY_OPEN) {
            fixed *= (uint64_t)type->array.count;
            continue;
        }
        LLVMValueRef count = emit_widen_count(emitter, place.counts[open++]);
        size = size == NULL ? count : emit_multiply_size(emitter, size, count);
    }
    LLVMValueRef constant = emit_i64(emitter, (int64_t)fixed);
    return size == NULL ? constant : emit_multiply_size(emitter, size, constant);
}

const Type *dimension_type(const Type *type, unsigned dimension) {
    return type_base(type_element(type, dimension));
}

LLVMValueRef emit_place_count(Emitter *emitter, Place place, unsigned dimension) {
    unsigned open = 0;
    for (unsigned i = 0; i < dimension; i++) {
        open += dimension_type(place.type, i)->array.count == ARRAY_OPEN;
    }
    const Type *type = dimension_type(place.type, dimension);
    if (type->array.count != ARRAY_OPEN) {
        return emit_i32(emitter, type->array.count);
    }
    return place.counts[open];
}

unsigned emit_mobile_header_bytes(unsigned open) {
    if (open == 0) {
        return LAYOUT_MOBILE_FIXED_DATA;
    }
    unsigned more = open > LAYOUT_MOBILE_COUNTS ? open - LAYOUT_MOBILE_COUNTS : 0;
    return LAYOUT_MOBILE_DATA + (more + 3) / 4 * LAYOUT_SIZE_CLASS_UNIT;
}

unsigned emit_content_align(unsigned open) {
    return open == 0 ? LAYOUT_MOBILE_FIXED_DATA : LAYOUT_SIZE_CLASS_UNIT;
}
