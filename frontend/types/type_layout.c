/* type_layout -- bytes: widths of scalars, sizes of objects, offsets in records.
 *
 * Holds: INT is 32 bits on every machine; only this file says so. Nothing is aligned to more than 4
 *        bytes, as on the 32-bit machines whose record layouts programs RETYPE; a size that does
 *        not fit 63 bits is kept at SIZE_LIMIT and refused by the checks. */
#include "types.h"

#define INT_BITS      32
#define RECORD_ALIGN  4
#define POINTER_BYTES 8  /* a channel of an array of channels, a mobile */
#define MUTEX_BYTES   24 /* layout.def: Claim */
#define SYNC_BYTES    64 /* Sync */
#define SIZE_LIMIT    (UINT64_MAX >> 1)

unsigned type_bits(const Type *scalar) {
    switch (type_base(scalar)->kind) {
    case TYPE_BOOL:
    case TYPE_BYTE: return 8;
    case TYPE_INT16:
    case TYPE_UINT16: return 16;
    case TYPE_INT:
    case TYPE_UINT: return INT_BITS;
    case TYPE_INT32:
    case TYPE_UINT32:
    case TYPE_REAL32: return 32;
    case TYPE_INT64:
    case TYPE_UINT64:
    case TYPE_REAL64: return 64;
    case TYPE_KINDS_WITHOUT_PARTS:
    case TYPE_ARRAY:
    case TYPE_RECORD:
    case TYPE_NAMED:
    case TYPE_CHANNEL:
    case TYPE_PORT:
    case TYPE_COUNTED:
    case TYPE_SEQUENCE:
    case TYPE_VARIANT:
    case TYPE_MOBILE:
    case TYPE_BUNDLE:
    case TYPE_BUNDLE_END:
    case TYPE_PROC_TYPE:
    case TYPE_MOBILE_CHAN:
    case TYPE_TUPLE: return 0;
    }
    return 0;
}

bool type_is_signed(const Type *integer) {
    TypeKind kind = type_base(integer)->kind;
    return kind == TYPE_INT || kind == TYPE_INT16 || kind == TYPE_INT32 || kind == TYPE_INT64;
}

static uint64_t multiply_sizes(uint64_t count, uint64_t size) {
    return size != 0 && count > SIZE_LIMIT / size ? SIZE_LIMIT : count * size;
}

uint64_t type_size(const Type *type) {
    const Type *base = type_base(type);
    if (type_is_scalar(base)) {
        return type_bits(base) / 8;
    }
    if (base->kind == TYPE_ARRAY) {
        if (base->array.count == ARRAY_OPEN) {
            return 0;
        }
        return multiply_sizes((uint64_t)base->array.count, type_size(base->array.element));
    }
    if (base->kind == TYPE_RECORD) {
        return base->record.size_bytes;
    }
    if (base->kind == TYPE_PORT) {
        return type_size(base->element);
    }
    if (base->kind == TYPE_MUTEX || base->kind == TYPE_SYNC) {
        return base->kind == TYPE_MUTEX ? MUTEX_BYTES : SYNC_BYTES;
    }
    if (base->kind == TYPE_TIMER || base->kind == TYPE_ERROR || base->kind == TYPE_TUPLE) {
        return 0;
    }
    return POINTER_BYTES;
}

uint64_t type_first_bytes(const Type *protocol) {
    while (protocol->kind == TYPE_SEQUENCE) {
        protocol = protocol->sequence.items[0];
    }
    return protocol->kind == TYPE_VARIANT   ? 1
           : protocol->kind == TYPE_COUNTED ? type_size(protocol->counted.count)
           : protocol->kind == TYPE_ANY || type_has_open_dimension(protocol) ? 0
                                                                             : type_size(protocol);
}

uint32_t type_align(const Type *type) {
    const Type *leaf = type_base(type_leaf(type));
    if (leaf->kind == TYPE_RECORD) {
        return leaf->record.align_bytes;
    }
    uint64_t size = type_size(leaf);
    return size == 0 ? 1 : size > RECORD_ALIGN ? RECORD_ALIGN : (uint32_t)size;
}

bool type_lay_out(Type *record) {
    uint64_t offset = 0;
    uint32_t align = 1;
    bool is_too_large = false;
    for (size_t i = 0; i < record->record.field_count; i++) {
        TypeField *field = &record->record.fields[i];
        uint32_t field_align = record->record.is_packed ? 1 : type_align(field->type);
        align = field_align > align ? field_align : align;
        offset = (offset + field_align - 1) / field_align * field_align;
        field->offset = offset > UINT32_MAX ? UINT32_MAX : (uint32_t)offset;
        uint64_t size = type_size(field->type);
        is_too_large = is_too_large || size > UINT32_MAX || offset + size > UINT32_MAX;
        offset = is_too_large ? UINT32_MAX : offset + size;
        record->record.owns = record->record.owns || type_owns(field->type);
    }
    offset = (offset + align - 1) / align * align;
    record->record.align_bytes = align;
    record->record.size_bytes = offset > UINT32_MAX ? UINT32_MAX : (uint32_t)offset;
    return !is_too_large && offset <= UINT32_MAX;
}
