/* mobile -- what mobile variables hold (language.md 2.9, decision 0008).
 *
 * Owns:   the contents of a mobile, new objects.
 * Leaves: release, forget and clone to mobile_parts.c, blocks to mobile_memory.c, values that go
 *         into owners to mobile_value.c.
 * Holds:  a mobile is the address of its header, NULL when undefined. An undefined dynamic array
 *         reads as one without elements. Counts never change while an object lives, so their loads
 *         are marked and leave loops that release nothing. */
#include "emit_clock.h"
#include "layout_offsets.h"
#include "llvm_compat.h"

#define CHANNEL_POINTER_BYTES 8

/* ---- the contents ---- */

/* Stands for an undefined array: a header whose counts are 0. */
static LLVMValueRef nothing(Emitter *emitter) {
    LLVMValueRef global = LLVMGetNamedGlobal(emitter->module, "occ.nothing");
    if (global == NULL) {
        LLVMTypeRef type = LLVMArrayType2(emitter->i64, emit_mobile_header_bytes(MAX_RANK) / 8);
        global = emit_constant_global(emitter, LLVMConstNull(type), "occ.nothing");
        LLVMSetAlignment(global, 16);
    }
    return global;
}

static LLVMValueRef load_count(Emitter *emitter, LLVMValueRef header, unsigned dimension) {
    LLVMValueRef field = emit_field(emitter, header, OFFSET_Mobile_counts + 4 * dimension, "");
    LLVMValueRef count = LLVMBuildLoad2(emitter->builder, emitter->i32, field, "count");
    emit_mark_count(emitter, count);
    return count;
}

Place emit_object_content(Emitter *emitter, const Type *mobile, LLVMValueRef object) {
    Place place = {.type = type_content(mobile)};
    unsigned open = type_open_dimensions(place.type);
    for (unsigned i = 0; i < open; i++) {
        place.counts[i] = load_count(emitter, object, i);
    }
    place.address = emit_field(emitter, object, emit_mobile_header_bytes(open), "content");
    return place;
}

LLVMValueRef emit_is_something(Emitter *emitter, Place content) {
    unsigned offset = emit_mobile_header_bytes(type_open_dimensions(content.type));
    LLVMValueRef empty = emit_field(emitter, nothing(emitter), offset, "");
    return LLVMBuildICmp(emitter->builder, LLVMIntNE, content.address, empty, "");
}

/* An object of constant size is made when it is first written to, unless its type is recursive: a
 * write must not change the shape of a tree. */
static bool is_made_by_writing(const Type *content) {
    return !type_has_open_dimension(content) && !type_is_recursive(content);
}

static LLVMValueRef object_to_write(Emitter *emitter, Place mobile, Location at, const char *name) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef make = emit_block(emitter, "mobile.make");
    LLVMBasicBlockRef ready = emit_block(emitter, "mobile.ready");
    LLVMValueRef old = emit_load(emitter, mobile);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, old, ""), make, ready);
    emit_enter(emitter, make);
    LLVMValueRef made = emit_fresh_object(emitter, mobile.type, NULL, at, name);
    emit_store(emitter, made, mobile);
    return emit_merge(emitter, ready, old, before, made, "object");
}

Place emit_content(Emitter *emitter, Place place, Node *element) {
    if (!type_is_mobile(place.type)) {
        return place;
    }
    if (type_is_clock(type_content(place.type))) {
        LLVMValueRef registration = emit_mobile_registration(emitter, element);
        emit_clock_is_active(emitter, registration, element);
        return (Place){.address = registration, .type = type_content(place.type)};
    }
    const char *name = emit_object_name(emitter, element);
    if (emitter->is_target && is_made_by_writing(type_content(place.type))) {
        LLVMValueRef object = object_to_write(emitter, place, element->at, name);
        return emit_object_content(emitter, place.type, object);
    }
    LLVMValueRef object = emit_load(emitter, place);
    LLVMValueRef is_null = LLVMBuildIsNull(emitter->builder, object, "");
    if (type_has_open_dimension(type_content(place.type))) {
        object = LLVMBuildSelect(emitter->builder, is_null, nothing(emitter), object, "object");
    } else {
        LLVMValueRef is_defined = LLVMBuildNot(emitter->builder, is_null, "");
        emit_trap_unless(emitter, is_defined, ERROR_UNDEFINED_MOBILE, element->at, name, NULL, NULL,
                         NULL);
    }
    return emit_object_content(emitter, place.type, object);
}

Place emit_data_place(Emitter *emitter, Node *element) {
    return emit_content(emitter, emit_place(emitter, element), element);
}

Place emit_target(Emitter *emitter, Node *element) {
    bool was_target = emitter->is_target;
    emitter->is_target = true;
    Place place = emit_place(emitter, element);
    emitter->is_target = was_target;
    return place;
}

Place emit_data_target(Emitter *emitter, Node *element) {
    bool was_target = emitter->is_target;
    emitter->is_target = true;
    Place place = emit_data_place(emitter, element);
    emitter->is_target = was_target;
    return place;
}

LLVMValueRef emit_defined(Emitter *emitter, Node *defined) {
    LLVMValueRef object = emit_load(emitter, emit_place(emitter, defined->defined.operand));
    if (type_is_clock(type_content(defined->defined.operand->type))) {
        return emit_mobile_clock_defined(emitter, object);
    }
    return LLVMBuildIsNotNull(emitter->builder, object, "defined");
}

/* ---- new objects ---- */

/* size * factor, as i64; NULL size: factor. An overflow counts as out of memory. */
static LLVMValueRef checked_product(Emitter *emitter, LLVMValueRef size, LLVMValueRef factor,
                                    Location at, const char *name) {
    LLVMValueRef operands[] = {size, factor};
    LLVMValueRef both =
        emit_intrinsic(emitter, "llvm.umul.with.overflow", emitter->i64, operands, 2);
    LLVMValueRef overflows = LLVMBuildExtractValue(emitter->builder, both, 1, "");
    emit_trap_if(emitter, overflows, ERROR_NO_MEMORY, at, name, emit_i64(emitter, INT64_MAX), NULL,
                 NULL);
    return LLVMBuildExtractValue(emitter->builder, both, 0, "");
}

/* Bytes of the contents; rank 1 of at most 2^31 elements of a known size cannot overflow. */
static LLVMValueRef content_bytes(Emitter *emitter, Place content, Location at, const char *name) {
    unsigned open = type_open_dimensions(content.type);
    if (open <= 1) {
        return emit_size_bytes(emitter, content);
    }
    Place rest = {.type = content.type};
    for (unsigned i = 0; i < open; i++) {
        rest.counts[i] = emit_i32(emitter, 1);
    }
    LLVMValueRef size = emit_size_bytes(emitter, rest);
    for (unsigned i = 0; i < open; i++) {
        LLVMValueRef count = emit_widen_count(emitter, content.counts[i]);
        size = checked_product(emitter, size, count, at, name);
    }
    return size;
}

/* An array of channels is the pointers to them followed by the channels, in one object. */
static LLVMValueRef with_channels(Emitter *emitter, LLVMValueRef pointer_bytes, Location at,
                                  const char *name) {
    LLVMValueRef count = LLVMBuildUDiv(emitter->builder, pointer_bytes,
                                       emit_i64(emitter, CHANNEL_POINTER_BYTES), "");
    return checked_product(emitter, count, emit_i64(emitter, CHANNEL_POINTER_BYTES + SIZE_Channel),
                           at, name);
}

static void make_channels(Emitter *emitter, LLVMValueRef pointers, LLVMValueRef pointer_bytes) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "channels");
    LLVMBasicBlockRef done = emit_block(emitter, "channels.made");
    LLVMValueRef count =
        LLVMBuildUDiv(builder, pointer_bytes, emit_i64(emitter, CHANNEL_POINTER_BYTES), "channels");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, count, ""), done, some);
    emit_enter(emitter, some);
    LLVMValueRef stores =
        LLVMBuildInBoundsGEP2(builder, emitter->i8, pointers, &pointer_bytes, 1, "stores");
    LLVMValueRef bytes = LLVMBuildMul(builder, count, emit_i64(emitter, SIZE_Channel), "");
    LLVMBuildMemSet(builder, stores, LLVMConstNull(emitter->i8), bytes, 8);
    emit_channel_pointers(emitter, stores, pointers, count, SIZE_Channel, NULL);
    emit_continue(emitter, done);
}

LLVMValueRef emit_mobile_object(Emitter *emitter, const Type *mobile, const LLVMValueRef *counts,
                                Location at, const char *name) {
    Place content = {.type = type_content(mobile)};
    unsigned open = type_open_dimensions(content.type);
    for (unsigned i = 0; i < open; i++) {
        content.counts[i] = counts[i];
    }
    LLVMValueRef bytes = content_bytes(emitter, content, at, name);
    bool has_channels = type_is_channel(content.type);
    LLVMValueRef all = has_channels ? with_channels(emitter, bytes, at, name) : bytes;
    LLVMValueRef header = emit_i64(emitter, emit_mobile_header_bytes(open));
    LLVMValueRef size = LLVMBuildNUWAdd(emitter->builder, all, header, "");
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, at, name);
    LLVMValueRef object = emit_mobile_block(emitter, size, counts, open, site);
    LLVMValueRef first = emit_field(emitter, object, emit_mobile_header_bytes(open), "");
    bool is_record = type_base(content.type)->kind == TYPE_RECORD;
    if (has_channels) {
        make_channels(emitter, first, bytes);
    } else if (type_owns(content.type) || is_record) {
        LLVMBuildMemSet(emitter->builder, first, LLVMConstNull(emitter->i8), bytes,
                        emit_content_align(open));
    }
    return object;
}

LLVMValueRef emit_fresh_object(Emitter *emitter, const Type *mobile, const LLVMValueRef *counts,
                               Location at, const char *name) {
    LLVMValueRef object = emit_mobile_object(emitter, mobile, counts, at, name);
    Place content = emit_object_content(emitter, mobile, object);
    bool is_clear = type_owns(content.type) || type_is_channel(content.type) ||
                    type_base(content.type)->kind == TYPE_RECORD;
    if (!is_clear) {
        LLVMBuildMemSet(emitter->builder, content.address, LLVMConstNull(emitter->i8),
                        emit_size_bytes(emitter, content),
                        emit_content_align(type_open_dimensions(content.type)));
    }
    return object;
}
