/* Our memcpy and its relatives do what the obvious loops do, at every short size, offset and
 * overlap and at some long ones. They are hidden: called by these names inside this program. */
#include "world.h"

enum { ROOM = 9000 };

static unsigned char left[ROOM];
static unsigned char right[ROOM];
static unsigned char wanted[ROOM];

static void fill(unsigned char *bytes, unsigned seed) {
    for (unsigned i = 0; i < ROOM; i++) {
        bytes[i] = (unsigned char)(i * 7 + seed + (i >> 8));
    }
}

/* Called through pointers: the compiler must not put its own code in their place. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
static void *(*volatile move)(void *, const void *, size_t) = memmove;
static void *(*volatile set)(void *, int, size_t) = memset;
static int (*volatile compare)(const void *, const void *, size_t) = memcmp;
static size_t (*volatile length)(const char *) = strlen;

static void check_copy(size_t size, size_t to, size_t from) {
    fill(left, 1);
    fill(right, 100);
    fill(wanted, 1);
    for (size_t i = 0; i < size; i++) {
        wanted[to + i] = right[from + i];
    }
    expect(copy(left + to, right + from, size) == left + to);
    for (size_t i = 0; i < ROOM; i++) {
        expect(left[i] == wanted[i]);
    }
}

static void check_move(size_t size, size_t to, size_t from) {
    fill(left, 3);
    fill(wanted, 3);
    fill(right, 3);
    for (size_t i = 0; i < size; i++) {
        wanted[to + i] = right[from + i];
    }
    expect(move(left + to, left + from, size) == left + to);
    for (size_t i = 0; i < ROOM; i++) {
        expect(left[i] == wanted[i]);
    }
}

static void check_set(size_t size, size_t to) {
    fill(left, 5);
    fill(wanted, 5);
    for (size_t i = 0; i < size; i++) {
        wanted[to + i] = 0xE7;
    }
    expect(set(left + to, 0x1E7, size) == left + to);
    for (size_t i = 0; i < ROOM; i++) {
        expect(left[i] == wanted[i]);
    }
}

static const size_t long_sizes[] = {129,  191,  192,  193,  255,  256,  257,  511, 1000,
                                    2047, 2048, 2049, 2111, 2112, 2113, 4000, 4096};
enum { LONG_SIZES = sizeof long_sizes / sizeof *long_sizes };

static void test_memory__copies(void) {
    for (size_t size = 0; size <= 140; size++) {
        check_copy(size, size % 17, size % 13);
        check_copy(size, 1, 0);
    }
    for (size_t i = 0; i < LONG_SIZES; i++) {
        check_copy(long_sizes[i], i % 16, (i * 3) % 16);
    }
}

static void test_memory__moves_over_itself(void) {
    static const size_t distances[] = {0, 1, 2, 7, 8, 15, 16, 31, 33, 63, 64, 65, 100, 129, 1000};
    for (size_t d = 0; d < sizeof distances / sizeof *distances; d++) {
        for (size_t size = 0; size <= 140; size += 1 + size / 20) {
            check_move(size, 3 + distances[d], 3);
            check_move(size, 3, 3 + distances[d]);
        }
        for (size_t i = 0; i < LONG_SIZES; i++) {
            check_move(long_sizes[i], 3 + distances[d], 3);
            check_move(long_sizes[i], 3, 3 + distances[d]);
        }
    }
}

static void test_memory__sets(void) {
    for (size_t size = 0; size <= 140; size++) {
        check_set(size, size % 19);
    }
    for (size_t i = 0; i < LONG_SIZES; i++) {
        check_set(long_sizes[i], i);
    }
}

static int sign(int value) {
    return (value > 0) - (value < 0);
}

static void test_memory__compares(void) {
    for (size_t size = 0; size <= 100; size++) {
        for (size_t different = 0; different <= size; different++) {
            fill(left, 9);
            memcpy(right + 1, left, ROOM - 1);
            expect(compare(left, right + 1, size) == 0);
            if (different < size) {
                right[1 + different] = 0x80;
                left[different] = 0x7F;
                right[1 + size] = 0; /* after it there may be anything */
                left[different + 1] = 0xFF;
                expect(sign(compare(left, right + 1, size)) == -1);
                expect(sign(compare(right + 1, left, size)) == 1);
            }
        }
    }
}

static void test_memory__measures(void) {
    for (size_t size = 0; size < 100; size++) {
        for (size_t offset = 0; offset < 20; offset++) {
            memset(left, 0xFF, ROOM);
            left[offset + size] = 0;
            left[offset == 0 ? ROOM - 1 : offset - 1] = 0;
            expect(length((const char *)left + offset) == size);
        }
    }
}

int main(void) {
    test_memory__copies();
    test_memory__moves_over_itself();
    test_memory__sets();
    test_memory__compares();
    test_memory__measures();
    return 0;
}
