/* literal -- values of numbers, escapes and what is wrong with them. */
#include "literal.h"

#include <assert.h>
#include <string.h>

static void expect_bytes(const char *raw, bool is_string, LiteralFault fault, size_t where,
                         const char *bytes, size_t length) {
    Arena *arena = arena_create();
    StringBuilder builder = {.arena = arena};
    size_t at = 0;
    assert(literal_decode(raw, strlen(raw), is_string, &builder, &at) == fault);
    assert(fault == LITERAL_GOOD || at == where);
    assert(builder.length == length);
    assert(length == 0 || memcmp(builder.bytes, bytes, length) == 0);
    arena_destroy(arena);
}

static void test_literal__decodes_escapes(void) {
    expect_bytes("", true, LITERAL_GOOD, 0, "", 0);
    expect_bytes("a*nb*N", true, LITERAL_GOOD, 0, "a\nb\n", 4);
    expect_bytes("*c*t*s*'*\"**", true, LITERAL_GOOD, 0, "\r\t '\"*", 6);
    expect_bytes("*#00*#FF", true, LITERAL_GOOD, 0, "\0\xFF", 2);
    expect_bytes("*labc", true, LITERAL_GOOD, 0, "\003abc", 4);
}

static void test_literal__names_the_fault(void) {
    expect_bytes("ab*q", true, LITERAL_UNKNOWN_ESCAPE, 2, "ab", 2);
    expect_bytes("*#fF", true, LITERAL_LOWER_CASE_HEX, 0, "\xFF", 1);
    expect_bytes("*#1", true, LITERAL_INCOMPLETE_HEX, 0, "", 0);
    expect_bytes("a*l", true, LITERAL_MISPLACED_LENGTH, 1, "a\0", 2);
    expect_bytes("*l", false, LITERAL_UNKNOWN_ESCAPE, 0, "", 0);
}

static void test_literal__numbers_have_64_bits(void) {
    uint64_t value = 0;
    assert(literal_decimal("18446744073709551615", 20, &value) && value == UINT64_MAX);
    assert(!literal_decimal("18446744073709551616", 20, &value));
    assert(literal_hex("FFFFFFFFFFFFFFFF", 16, &value) && value == UINT64_MAX);
    assert(literal_hex("0001F", 5, &value) && value == 31);
    assert(!literal_hex("10000000000000000", 17, &value));
}

int main(void) {
    test_literal__decodes_escapes();
    test_literal__names_the_fault();
    test_literal__numbers_have_64_bits();
    return 0;
}
