/* constant -- making constants, and their memory images.
 *
 * Leaves: operators to constant_operator.c, conversions to constant_convert.c. */
#include "constant.h"

#include "diag.h"

#include <string.h>

const Constant *constant_integer(Arena *arena, const Type *type, int64_t value) {
    Constant *constant = arena_new(arena, Constant);
    constant->type = type;
    constant->integer = value;
    return constant;
}

const Constant *constant_real(Arena *arena, const Type *type, double value) {
    Constant *constant = arena_new(arena, Constant);
    constant->type = type;
    constant->real = type_base(type)->kind == TYPE_REAL32 ? (double)(float)value : value;
    return constant;
}

const Constant *constant_image(Arena *arena, const Type *type, const uint8_t *bytes,
                               uint64_t size) {
    Constant *constant = arena_new(arena, Constant);
    constant->type = type;
    constant->image.bytes = bytes;
    constant->image.size_bytes = size;
    return constant;
}

bool constant_fits(const Type *type, int64_t value) {
    unsigned bits = type_bits(type);
    if (type_base(type)->kind == TYPE_BOOL) {
        return value == 0 || value == 1;
    }
    if (bits == 64) {
        return type_is_signed(type) || value >= 0;
    }
    if (type_is_signed(type)) {
        int64_t limit = (int64_t)1 << (bits - 1);
        return value >= -limit && value < limit;
    }
    return value >= 0 && value < (int64_t)1 << bits;
}

static void store_bits(uint64_t bits, size_t size, uint8_t *to) {
    for (size_t i = 0; i < size; i++) {
        to[i] = (uint8_t)(bits >> (8 * i));
    }
}

void constant_store(const Constant *constant, uint8_t *to) {
    const Type *base = type_base(constant->type);
    if (base->kind == TYPE_REAL32) {
        float value = (float)constant->real;
        uint32_t bits;
        memcpy(&bits, &value, sizeof bits);
        store_bits(bits, sizeof bits, to);
    } else if (base->kind == TYPE_REAL64) {
        uint64_t bits;
        memcpy(&bits, &constant->real, sizeof bits);
        store_bits(bits, sizeof bits, to);
    } else if (type_is_scalar(base)) {
        store_bits((uint64_t)constant->integer, (size_t)type_size(base), to);
    } else if (constant->image.size_bytes > 0) {
        memcpy(to, constant->image.bytes, (size_t)constant->image.size_bytes);
    }
}

static uint64_t load_bits(const uint8_t *from, size_t size) {
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint64_t)from[i] << (8 * i);
    }
    return bits;
}

static const Constant *load_real(Arena *arena, const Type *type, uint64_t bits) {
    if (type_bits(type) == 64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return constant_real(arena, type, value);
    }
    uint32_t half = (uint32_t)bits;
    float value;
    memcpy(&value, &half, sizeof value);
    return constant_real(arena, type, (double)value);
}

const Constant *constant_load(Arena *arena, const Type *type, const uint8_t *from) {
    uint64_t size = type_size(type);
    if (!type_is_scalar(type)) {
        return constant_image(arena, type, from, size);
    }
    uint64_t bits = load_bits(from, (size_t)size);
    if (type_is_real(type)) {
        return load_real(arena, type, bits);
    }
    if (type_is_signed(type) && size < 8 && (bits >> (8 * size - 1)) != 0) {
        bits |= ~(uint64_t)0 << (8 * size);
    }
    return constant_integer(arena, type, (int64_t)bits);
}
