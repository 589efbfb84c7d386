/* mobile -- the slow half of taking and giving back. See mobile.h.
 *
 * Holds:  under a sanitizer every block is an object of malloc and no list holds any (limit 0), so
 *         that leaks, double frees and uses after free are seen. */
#include "mobile.h"

#include "error.h"
#include "report.h"
#include "setting.h"
#include "stress.h"
#include "worker.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    LIST_LIMIT = 256,
    CHUNK_BYTES = 64 * 1024,
    CARVED_BYTES = 4096, /* of one class at a time */
    POISON_BYTE = 0xDD
};

#ifdef RT_SANITIZE
enum { USES_LISTS = 0 };
#else
enum { USES_LISTS = 1 };
#endif

/* MobileChunk -- blocks of several classes, one after the other up to `end`. */
typedef struct MobileChunk {
    struct MobileChunk *next;
    char *end;
} MobileChunk;

/* What the workers share. */
typedef struct Depot {
    pthread_mutex_t lock;
    Mobile *free[MOBILE_CLASS_LIMIT + 1]; /* lists of lists, each ends at depth 0 */
    int64_t made[MOBILE_CLASS_LIMIT + 1]; /* blocks, ever */
    MobileChunk *chunks;                  /* newest first: blocks are made at its end */
    size_t chunk_left;
    MobileStore *stores;
    int64_t outside; /* blocks of malloc in use */
} Depot;

static Depot depot = {.lock = PTHREAD_MUTEX_INITIALIZER};

void mobile_store_begin(MobileStore *store) {
    memset(store, 0, sizeof *store);
    store->limit = USES_LISTS ? LIST_LIMIT : 0;
    pthread_mutex_lock(&depot.lock);
    store->next = depot.stores;
    depot.stores = store;
    pthread_mutex_unlock(&depot.lock);
}

void mobile_store_end(MobileStore *store) {
    pthread_mutex_lock(&depot.lock);
    MobileStore **link = &depot.stores;
    while (*link != store) {
        link = &(*link)->next;
    }
    *link = store->next;
    pthread_mutex_unlock(&depot.lock);
}

/* ---- blocks of malloc ---- */

void *mobile_take_outside(size_t size_bytes) {
    Mobile *block = malloc(size_bytes);
    if (block != NULL) {
        __atomic_fetch_add(&depot.outside, 1, __ATOMIC_RELAXED);
        block->size_class = 0;
    }
    return block;
}

static Mobile *take_outside(Process *me, size_t size_bytes, const Site *site) {
    Mobile *block = mobile_take_outside(size_bytes);
    if (block == NULL) {
        rt_error_no_memory(me, site, size_bytes);
    }
    return block;
}

static void give_outside(Mobile *block) {
    __atomic_fetch_sub(&depot.outside, 1, __ATOMIC_RELAXED);
    free(block);
}

/* ---- blocks of a class ---- */

static void push(Mobile **list, Mobile *block) {
    block->depth = *list != NULL ? (*list)->depth + 1 : 0;
    block->next = *list;
    *list = block;
}

/* The first list of the depot; the rest stays. */
static Mobile *take_list(unsigned class) {
    Mobile *first = depot.free[class];
    Mobile *last = first;
    while (last != NULL && last->depth > 0) {
        last = last->next;
    }
    if (last != NULL) {
        depot.free[class] = last->next;
        last->next = NULL;
    }
    return first;
}

static bool add_chunk(void) {
    MobileChunk *chunk = malloc(CHUNK_BYTES);
    if (chunk == NULL) {
        return false;
    }
    *chunk = (MobileChunk){depot.chunks, (char *)(chunk + 1)};
    depot.chunks = chunk;
    depot.chunk_left = CHUNK_BYTES - sizeof *chunk;
    return true;
}

static size_t class_bytes(unsigned class) {
    return (size_t) class * SIZE_CLASS_UNIT;
}

/* Some new blocks; NULL: no memory. */
static Mobile *carve(unsigned class) {
    size_t bytes = class_bytes(class);
    if (depot.chunk_left < bytes && !add_chunk()) {
        return NULL;
    }
    Mobile *list = NULL;
    for (size_t made = 0; made < CARVED_BYTES && depot.chunk_left >= bytes; made += bytes) {
        Mobile *block = (Mobile *)(void *)depot.chunks->end;
        memset(block, 0, sizeof *block);
        block->size_class = (uint16_t) class;
        push(&list, block);
        depot.chunks->end += bytes;
        depot.chunk_left -= bytes;
        depot.made[class]++;
    }
    return list;
}

void *rt_mobile_allocate(Process *me, int64_t size_bytes, const Site *site) {
    size_t bytes = (size_t)size_bytes;
    size_t class = (bytes + SIZE_CLASS_UNIT - 1) / SIZE_CLASS_UNIT;
    if (!USES_LISTS || class > MOBILE_CLASS_LIMIT) {
        return take_outside(me, bytes, site);
    }
    MobileStore *store = me->worker->mobiles;
    pthread_mutex_lock(&depot.lock);
    Mobile *list = take_list((unsigned)class);
    if (list == NULL) {
        list = carve((unsigned)class);
    }
    pthread_mutex_unlock(&depot.lock);
    if (list == NULL) {
        rt_error_no_memory(me, site, bytes);
    }
    store->free[class] = list->next;
    return list;
}

void rt_mobile_release(Process *me, void *mobile) {
    Mobile *block = mobile;
    unsigned class = block->size_class;
    if (class == 0) {
        give_outside(block);
        return;
    }
    if (RT_STRESS_POISON) {
        memset(block + 1, POISON_BYTE, class_bytes(class) - sizeof *block);
    }
    MobileStore *store = me->worker->mobiles;
    Mobile *full = store->free[class];
    if (full != NULL && full->depth + 1 >= store->limit) {
        Mobile *last = full;
        while (last->depth > 0) {
            last = last->next;
        }
        pthread_mutex_lock(&depot.lock);
        last->next = depot.free[class];
        depot.free[class] = full;
        pthread_mutex_unlock(&depot.lock);
        store->free[class] = NULL;
    }
    push(&store->free[class], block);
}

/* ---- another size ---- */

/* An array that grows a little at a time gets half as much again. */
static size_t generous(size_t wanted, size_t had) {
    return wanted > had && wanted - had < had / 4 ? wanted + wanted / 2 : wanted;
}

static size_t block_bytes_of(const Mobile *block) {
    return block->size_class != 0 ? class_bytes(block->size_class)
                                  : malloc_usable_size((void *)block);
}

void *mobile_take(Process *me, size_t size_bytes, const Site *site) {
    size_t class = (size_bytes + SIZE_CLASS_UNIT - 1) / SIZE_CLASS_UNIT;
    Mobile **list = class <= MOBILE_CLASS_LIMIT ? &me->worker->mobiles->free[class] : NULL;
    if (list == NULL || *list == NULL) {
        return rt_mobile_allocate(me, (int64_t)size_bytes, site);
    }
    Mobile *block = *list;
    *list = block->next;
    return block;
}

void *rt_mobile_resize(Process *me, void *mobile, int64_t size_bytes, int32_t count,
                       const Site *site) {
    Mobile *block = mobile;
    size_t wanted = (size_t)size_bytes;
    size_t had = block_bytes_of(block);
    size_t bytes = generous(wanted, had);
    bool is_outside = block->size_class == 0 && bytes > MOBILE_CLASS_LIMIT * SIZE_CLASS_UNIT;
    if (wanted > had && is_outside) {
        block = realloc(block, bytes);
        if (block == NULL) {
            rt_error_no_memory(me, site, wanted);
        }
    } else if (wanted > had) {
        Mobile *larger = mobile_take(me, bytes, site);
        uint16_t class = larger->size_class;
        memcpy(larger, block, had);
        larger->size_class = class;
        rt_mobile_release(me, block);
        block = larger;
    }
    block->counts[0] = count;
    return block;
}

/* ---- counting ---- */

/* A block given back twice makes an endless chain. */
static int64_t count_chain(const Mobile *block, int64_t made) {
    int64_t count = 0;
    for (; block != NULL && count <= made; block = block->next) {
        count++;
    }
    return count;
}

/* Blocks in use; exact only while no process runs. */
static int64_t count_in_use(void) {
    int64_t in_use = __atomic_load_n(&depot.outside, __ATOMIC_RELAXED);
    for (unsigned class = 0; class <= MOBILE_CLASS_LIMIT; class ++) {
        in_use += depot.made[class] - count_chain(depot.free[class], depot.made[class]);
        for (const MobileStore *store = depot.stores; store != NULL; store = store->next) {
            in_use -= count_chain(store->free[class], depot.made[class]);
        }
    }
    return in_use;
}

bool mobile_check_returned(void) {
    if (!setting_is("OCC_COUNT_MOBILES", "1")) {
        return true;
    }
    int64_t in_use = count_in_use();
    if (in_use != 0) {
        report_line("occ: %lld mobile objects were not given back\n", (long long)in_use);
    }
    return in_use == 0;
}

/* ---- what they hold ---- */

static uint64_t sum_of_chain(const Mobile *block, MobileDigest digest) {
    uint64_t sum = 0;
    for (; block != NULL; block = block->next) {
        sum += digest(block, block_bytes_of(block));
    }
    return sum;
}

static uint64_t sum_of_chunk(const MobileChunk *chunk, MobileDigest digest) {
    uint64_t sum = 0;
    for (const char *at = (const char *)(chunk + 1); at < chunk->end;) {
        const Mobile *block = (const void *)at;
        sum += digest(block, block_bytes_of(block));
        at += block_bytes_of(block);
    }
    return sum;
}

/* Sum over all blocks that are not free. */
bool mobile_sum(MobileDigest digest, uint64_t *sum) {
    *sum = 0;
    for (const MobileChunk *chunk = depot.chunks; chunk != NULL; chunk = chunk->next) {
        *sum += sum_of_chunk(chunk, digest);
    }
    for (unsigned class = 0; class <= MOBILE_CLASS_LIMIT; class ++) {
        *sum -= sum_of_chain(depot.free[class], digest);
        for (const MobileStore *store = depot.stores; store != NULL; store = store->next) {
            *sum -= sum_of_chain(store->free[class], digest);
        }
    }
    return depot.outside == 0;
}

int32_t rt_mobile_is(Process *me, void *type, void *wanted) {
    (void)me;
    return type == wanted || strcmp(type, wanted) == 0;
}
