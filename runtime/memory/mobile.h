/* mobile -- memory of mobile objects: data, bundles, mobile processes.
 *
 * Owns:   blocks by size class, their way between workers, the count of those in use, a sum over
 *         what they hold.
 * Leaves: the hot halves of taking and giving back to compiled code
 *         (codegen/mobile/mobile_memory.c), what a block holds to whoever took it, large arrays
 *         that do not move to heap_object.h.
 * Holds:  a block is in use, on the free list of one worker, or in the depot. A worker frees what
 *         another one made to its own list; a list that is full goes to the depot as a whole, and a
 *         worker whose list is empty looks there before it makes new blocks: so a pipeline over two
 *         workers needs no more blocks than its messages and two lists. In a chain of free blocks
 *         `depth` counts down to 0 at the end of each list. */
#ifndef RT_MOBILE_H
#define RT_MOBILE_H

#include "layout.h"

typedef struct Mobile Mobile;
typedef struct MobileStore MobileStore;

struct Mobile {
    uint16_t size_class; /* block bytes / 16; 0: larger than any class */
    union {
        int32_t counts[MOBILE_COUNTS]; /* in use */
        struct __attribute__((packed)) {
            uint32_t depth; /* free: blocks behind it in its list */
            Mobile *next;
        };
    };
};

struct MobileStore {
    uint32_t limit; /* depth at which a list goes to the depot */
    uint32_t reserved;
    Mobile *free[MOBILE_CLASS_LIMIT + 1];
    MobileStore *next; /* of all stores */
};

/* Each worker has one, from its start to the end of the program (or, in tests, of the world). */
void mobile_store_begin(MobileStore *store);
void mobile_store_end(MobileStore *store);

/* mobile_take -- a block, off the worker's list if there is one. */
void *mobile_take(Process *me, size_t size_bytes, const Site *site);

/* A block from malloc, for a caller without a process; NULL: no memory is left. */
void *mobile_take_outside(size_t size_bytes);

/* abi.def */
void *rt_mobile_allocate(Process *me, int64_t size_bytes, const Site *site);
void *rt_mobile_resize(Process *me, void *mobile, int64_t size_bytes, int32_t count,
                       const Site *site);
void rt_mobile_release(Process *me, void *mobile);
/* Are the two names of types (codegen/mobile/box.c) equal? */
int32_t rt_mobile_is(Process *me, void *type, void *wanted);

/* At the end of a program that ran to its end: nothing may be in use. With OCC_COUNT_MOBILES=1
 * (the test suites) what is left is reported; the exit status is then not 0. */
bool mobile_check_returned(void);

/* mobile_sum -- what `digest` makes of each block in use, added up, while no process runs. False:
 * there are blocks of malloc's besides, which cannot be found. */
typedef uint64_t (*MobileDigest)(const void *memory, size_t bytes);
bool mobile_sum(MobileDigest digest, uint64_t *sum);

#endif
