/* fold_predefined -- predefined functions on words whose actuals are constants (language.md 1.8).
 *
 * Owns:   which of them are constants, and their values: bit for bit those of the code that
 *         codegen/value/predefined_word.c and predefined_bits.c emit.
 * Holds:  a call that would be an error is not constant: it is left to run time. */
#include "fold.h"

enum { WORD_BITS = 32, OPERANDS = 3, BYTE_BITS = 8 };

typedef struct Words {
    int64_t value[OPERANDS]; /* sign-extended */
} Words;

static uint32_t word(int64_t value) {
    return (uint32_t)(uint64_t)value;
}

static int64_t as_signed(uint32_t bits) {
    return (int32_t)bits;
}

static bool is_count(int64_t places) {
    return places >= 0 && places <= WORD_BITS;
}

static uint32_t reversed(uint32_t bits) {
    uint32_t result = 0;
    for (unsigned i = 0; i < WORD_BITS; i++) {
        result |= (bits >> i & 1) << (WORD_BITS - 1 - i);
    }
    return result;
}

static int64_t ones(uint32_t bits) {
    int64_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* The register after the `steps` highest bits of the data have passed through it. */
static uint32_t checksum(uint32_t data, uint32_t crc, uint32_t generator, unsigned steps) {
    for (unsigned i = 0; i < steps; i++) {
        bool is_leaving = crc >> (WORD_BITS - 1) != 0;
        crc = (crc << 1 | data >> (WORD_BITS - 1)) ^ (is_leaving ? generator : 0);
        data <<= 1;
    }
    return crc;
}

/* To nearest, ties to even. */
static int64_t fraction_product(int64_t left, int64_t right) {
    int64_t product = left * right;
    int64_t unit = INT64_C(1) << (WORD_BITS - 1);
    int64_t below = product >> (WORD_BITS - 1);
    int64_t rest = product - below * unit;
    bool is_up = rest > unit / 2 || (rest == unit / 2 && (below & 1) != 0);
    return below + is_up;
}

static uint32_t rotated(uint32_t bits, unsigned places) {
    places %= WORD_BITS;
    return places == 0 ? bits : bits << places | bits >> (WORD_BITS - places);
}

/* The value before it is cut to a word; false: no such function, or an error. */
static bool evaluate(unsigned id, const Words *words, int64_t *value) {
    int64_t a = words->value[0];
    int64_t b = words->value[1];
    int64_t carry = words->value[2] & 1;
    switch (id) {
    case PREDEFINED_LONGADD: *value = a + b + carry; return true;
    case PREDEFINED_LONGSUB: *value = a - b - carry; return true;
    case PREDEFINED_FRACMUL: *value = fraction_product(a, b); return true;
    case PREDEFINED_ASHIFTLEFT:
        *value = is_count(b) ? a * (INT64_C(1) << b) : 0;
        return is_count(b);
    case PREDEFINED_ASHIFTRIGHT: *value = is_count(b) ? a >> b : 0; return is_count(b);
    case PREDEFINED_ROTATELEFT:
        *value = is_count(b) ? as_signed(rotated(word(a), (unsigned)b)) : 0;
        return is_count(b);
    case PREDEFINED_ROTATERIGHT:
        *value = is_count(b) ? as_signed(rotated(word(a), WORD_BITS - (unsigned)b)) : 0;
        return is_count(b);
    case PREDEFINED_BITCOUNT: *value = as_signed(word(ones(word(a)) + b)); return true;
    case PREDEFINED_BITREVWORD: *value = as_signed(reversed(word(a))); return true;
    case PREDEFINED_BITREVNBITS:
        *value = is_count(b) && b > 0 ? as_signed(reversed(word(a)) >> (WORD_BITS - b)) : 0;
        return is_count(b);
    case PREDEFINED_CRCWORD:
    case PREDEFINED_CRCBYTE:
        *value = as_signed(checksum(word(a), word(b), word(words->value[2]),
                                    id == PREDEFINED_CRCWORD ? WORD_BITS : BYTE_BITS));
        return true;
    }
    return false;
}

const Constant *fold_predefined(Fold *fold, unsigned id, Node *const *actuals, size_t count) {
    Words words = {{0}};
    for (size_t i = 0; i < count; i++) {
        const Constant *actual = i < OPERANDS ? fold_value(fold, actuals[i]) : NULL;
        if (!actual || actual->type->kind != TYPE_INT) {
            return NULL;
        }
        words.value[i] = actual->integer;
    }
    int64_t value = 0;
    const Type *integer = type_primitive(TYPE_INT);
    if (!evaluate(id, &words, &value) || !constant_fits(integer, value)) {
        return NULL;
    }
    return constant_integer(fold->arena, integer, value);
}
