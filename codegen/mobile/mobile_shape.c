/* mobile_shape -- the structure of an owner, as a constant of the unit: a channel between machines
 * takes an object apart by it, and rebuilds it on the other one (runtime/placed/owned_text.h).
 *
 * Owns:   the Shape of each type (runtime/core/machines.h).
 * Leaves: the sites that point to it to trap.c and channel/wire.c.
 * Holds:  a type may contain itself, so a Shape exists before its parts. */
#include "emit_sharing.h"
#include "layout_offsets.h"

static LLVMTypeRef part_type(Emitter *emitter) {
    LLVMTypeRef members[] = {emitter->ptr, emitter->i32, emitter->i32};
    return LLVMStructTypeInContext(emitter->context, members, 3, 0);
}

static LLVMTypeRef shape_type(Emitter *emitter, size_t parts) {
    LLVMTypeRef members[] = {emitter->i64,
                             emitter->i64,
                             emitter->i32,
                             emitter->i32,
                             emitter->i32,
                             emitter->i32,
                             LLVMArrayType2(part_type(emitter), parts)};
    return LLVMStructTypeInContext(emitter->context, members, 7, 0);
}

/* ---- parts ---- */

static size_t count_parts(const Type *leaf) {
    size_t count = leaf->kind == TYPE_MOBILE || leaf->kind == TYPE_BUNDLE_END;
    for (size_t i = 0; leaf->kind == TYPE_RECORD && i < leaf->record.field_count; i++) {
        count += type_owns(leaf->record.fields[i].type);
    }
    return count;
}

static LLVMValueRef shape_of(Emitter *emitter, const Type *type);

static LLVMValueRef part(Emitter *emitter, LLVMValueRef shape, uint64_t offset, unsigned kind) {
    LLVMValueRef fields[] = {shape, emit_i32(emitter, (int64_t)offset), emit_i32(emitter, kind)};
    return LLVMConstStructInContext(emitter->context, fields, 3, 0);
}

static void fill_parts(Emitter *emitter, const Type *leaf, LLVMValueRef *parts) {
    size_t count = 0;
    if (leaf->kind == TYPE_MOBILE) {
        parts[count++] =
            part(emitter, shape_of(emitter, type_content(leaf)), 0, LAYOUT_PART_OBJECT);
    } else if (leaf->kind == TYPE_BUNDLE_END) {
        parts[count++] = part(emitter, emit_end_shape(emitter, leaf), 0, LAYOUT_PART_END);
    }
    for (size_t i = 0; leaf->kind == TYPE_RECORD && i < leaf->record.field_count; i++) {
        const TypeField *field = &leaf->record.fields[i];
        if (type_owns(field->type)) {
            parts[count++] =
                part(emitter, shape_of(emitter, field->type), field->offset, LAYOUT_PART_INLINE);
        }
    }
}

/* ---- shapes ---- */

static uint64_t fixed_elements(const Type *type) {
    uint64_t count = 1;
    for (const Type *at = type_base(type); at->kind == TYPE_ARRAY;
         at = type_base(at->array.element)) {
        count *= at->array.count == ARRAY_OPEN ? 1 : (uint64_t)at->array.count;
    }
    return count;
}

static void fill(Emitter *emitter, LLVMValueRef shape, const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    size_t count = count_parts(leaf);
    LLVMValueRef *parts = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    fill_parts(emitter, leaf, parts);
    unsigned open = type_open_dimensions(type);
    LLVMValueRef fields[] = {emit_i64(emitter, (int64_t)type_size(leaf)),
                             emit_i64(emitter, (int64_t)fixed_elements(type)),
                             emit_i32(emitter, open),
                             emit_i32(emitter, emit_mobile_header_bytes(open)),
                             emit_i32(emitter, (int64_t)count),
                             emit_i32(emitter, !type_is_all_data(type)),
                             LLVMConstArray2(part_type(emitter), parts, count)};
    LLVMSetInitializer(shape, LLVMConstStructInContext(emitter->context, fields, 7, 0));
}

static LLVMValueRef shape_of(Emitter *emitter, const Type *type) {
    for (size_t i = 0; i < emitter->shapes.count; i++) {
        if (type_equal(emitter->shapes.items[i].type, type)) {
            return emitter->shapes.items[i].function;
        }
    }
    LLVMTypeRef record = shape_type(emitter, count_parts(type_base(type_leaf(type))));
    LLVMValueRef shape = LLVMAddGlobal(emitter->module, record, "shape");
    LLVMSetLinkage(shape, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(shape, 1);
    MobileFunction one = {type, shape};
    array_push(emitter->arena, &emitter->shapes, one);
    fill(emitter, shape, type);
    return shape;
}

LLVMValueRef emit_shape(Emitter *emitter, const Type *type) {
    return type_can_leave(type) ? shape_of(emitter, type) : NULL;
}
