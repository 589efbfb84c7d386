/* common_memory -- pieces of a power of two. See common_memory.h. */
#define _GNU_SOURCE
#include "common_memory.h"

#include "atomic.h"
#include "ending.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { CLASSES = 48, SMALLEST_BITS = 6, SPINS = 100 };

typedef struct Piece {
    struct Piece *next;
} Piece;

/* Pool -- the memory behind the record. */
typedef struct Pool {
    uint32_t holder; /* of the lock; 0: nobody */
    char *next;
    char *end;
    Piece *unused[CLASSES];
} Pool;

static Pool *pool;

ExploreRegion *common_memory_begin(void) {
    struct stat status;
    void *memory = MAP_FAILED;
    if (fstat(EXPLORE_REGION_FD, &status) == 0 && (size_t)status.st_size > sizeof(ExploreRegion)) {
        memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, EXPLORE_REGION_FD, 0);
    }
    ExploreRegion *region = memory;
    if (memory == MAP_FAILED || region->version != EXPLORE_VERSION) {
        rt_fatal("OCC_EXPLORE is for occc explore: there is no record of this version", 0);
    }
    char *behind = (char *)memory + (sizeof *region + 63) / 64 * 64;
    pool = (void *)behind;
    pool->next = behind + (sizeof *pool + 63) / 64 * 64;
    pool->end = (char *)memory + status.st_size;
    return region;
}

static unsigned class_of(size_t bytes) {
    unsigned bits = SMALLEST_BITS;
    while ((size_t)1 << bits < bytes) {
        bits++;
    }
    return bits;
}

void *common_memory_take(size_t bytes) {
    unsigned bits = class_of(bytes);
    Piece *piece = pool->unused[bits];
    if (piece != NULL) {
        pool->unused[bits] = piece->next;
        memset(piece, 0, bytes);
        return piece;
    }
    if ((size_t)(pool->end - pool->next) < (size_t)1 << bits) {
        rt_fatal("exploring: the common memory is full", 0);
    }
    void *memory = pool->next;
    pool->next += (size_t)1 << bits;
    return memory;
}

void common_memory_give_back(void *memory, size_t bytes) {
    unsigned bits = class_of(bytes);
    Piece *piece = memory;
    piece->next = pool->unused[bits];
    pool->unused[bits] = piece;
}

void common_memory_lock(uint32_t runner) {
    uint32_t nobody = 0;
    for (unsigned spins = 0; !atomic_cas(&pool->holder, &nobody, runner); spins++) {
        nobody = 0;
        if (spins % SPINS == SPINS - 1) {
            (void)sched_yield();
        }
    }
}

void common_memory_unlock(void) {
    atomic_set_release(&pool->holder, 0u);
}

uint32_t common_memory_holder(void) {
    return atomic_get_acquire(&pool->holder);
}
