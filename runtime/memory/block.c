/* block -- chunks, size classes and large blocks. See block.h. */
#include "block.h"

#include "arch.h"
#include "error.h"
#include "os.h"
#include "paint.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_FIRST_BYTES = 64 * 1024,
    CHUNK_LAST_BYTES = OS_LARGE_PAGE_BYTES,
    CARVE_BYTES = 1024, /* how much is put on the free list at once */
    COLOUR_UNIT = 64,   /* a cache line */
    APART_BYTES = 64 * 1024,
    APART_ALWAYS_BYTES = 3 * COLOUR_UNIT,
    APART_RUN = 4, /* carvings for one starter */
    COLOURS = 32,
    CHAIN_BLOCKS = 32 /* blocks that go from one worker to another */
};

/* A block above SIZE_CLASS_LIMIT: [this header | gap | margin | stack | descriptor]. */
typedef struct LargeBlock {
    ListLink link;
    Process *process;
    size_t block_bytes;
    size_t margin_bytes; /* painted bytes below the stack (paint.h) */
} LargeBlock;

/* ---- the area ---- */

static bool area_reserve(BlockStore *store) {
    for (size_t bytes = (size_t)1 << 36; bytes >= (size_t)1 << 24; bytes >>= 1) {
        store->area = os_memory_reserve(bytes);
        if (store->area != NULL) {
            store->area_bytes = bytes;
            return true;
        }
    }
    return false;
}

static char *area_take(BlockStore *store, size_t size_bytes) {
    if (size_bytes > store->area_bytes - store->area_used) {
        return NULL;
    }
    char *base = store->area + store->area_used;
    if (!os_memory_commit(base, size_bytes)) {
        return NULL;
    }
    store->area_used += size_bytes;
    return base;
}

/* Go on at a large page; the addresses before it stay without memory. */
static void area_align(BlockStore *store) {
    uintptr_t at = (uintptr_t)store->area + store->area_used;
    size_t gap = -at % OS_LARGE_PAGE_BYTES;
    size_t left = store->area_bytes - store->area_used;
    store->area_used += gap < left ? gap : left;
}

char *block_store_begin(BlockStore *store, size_t low_bytes) {
    memset(store, 0, sizeof *store);
    list_init(&store->large);
    if (!area_reserve(store)) {
        return NULL;
    }
    store->area_used = os_page_bytes(); /* an unmapped page below the caller's part */
    char *low = area_take(store, low_bytes);
    if (low == NULL) {
        os_memory_release(store->area, store->area_bytes);
    }
    return low;
}

void block_store_end(BlockStore *store) {
    while (!list_is_empty(&store->large)) {
        LargeBlock *large = LIST_ENTRY(store->large.next, LargeBlock, link);
        list_remove(&large->link);
        free(large);
    }
    free(store->chunks);
    os_memory_release(store->area, store->area_bytes);
    memset(store, 0, sizeof *store);
}

/* ---- chunks ---- */

static size_t spacing_of(size_t block_bytes) {
    if (block_bytes % 128 != 0) {
        return block_bytes;
    }
    return block_bytes + (block_bytes >= 1024 ? COLOUR_UNIT : SIZE_CLASS_UNIT);
}

/* Whole cache lines, and an odd number where an even one would use few sets of the cache. */
static size_t spacing_apart(size_t block_bytes) {
    size_t lines = (block_bytes + COLOUR_UNIT - 1) / COLOUR_UNIT;
    return (lines >= 4 ? lines | 1 : lines) * COLOUR_UNIT;
}

static bool chunks_grow(BlockStore *store) {
    size_t capacity = store->chunk_capacity == 0 ? 64 : store->chunk_capacity * 2;
    Chunk *chunks = realloc(store->chunks, capacity * sizeof *chunks);
    if (chunks == NULL) {
        return false;
    }
    store->chunks = chunks;
    store->chunk_capacity = capacity;
    return true;
}

/* A new chunk of the class; its index + 1, or 0. */
static uint32_t chunk_add(BlockStore *store, size_t class, size_t size_bytes, size_t spacing) {
    if (store->chunk_count == store->chunk_capacity && !chunks_grow(store)) {
        return 0;
    }
    char *base = area_take(store, size_bytes);
    if (base == NULL) {
        return 0;
    }
    store->chunks[store->chunk_count++] =
        (Chunk){base, size_bytes, SIZE_CLASS_UNIT / 2, (uint32_t)(class * SIZE_CLASS_UNIT),
                (uint32_t)spacing};
    return (uint32_t)store->chunk_count;
}

static void process_init(Process *process, Worker *worker, size_t class, uint8_t flags) {
    memset(process, 0, sizeof *process);
    process->entry_return = (void *)(uintptr_t)occ_process_end;
    process->worker = worker;
    process->size_class = (uint16_t)(class > UINT16_MAX ? UINT16_MAX : class);
    process->flags = flags;
}

static bool chunk_is_full(const Chunk *chunk) {
    return chunk->size_bytes - chunk->carved_bytes < chunk->spacing_bytes;
}

static Process *chunk_carve(Chunk *chunk, Worker *worker) {
    char *low = chunk->base + chunk->carved_bytes;
    Process *process = (void *)(low + chunk->block_bytes - BLOCK_DESCRIPTOR_BYTES);
    chunk->carved_bytes += chunk->spacing_bytes;
    process_init(process, worker, chunk->block_bytes / SIZE_CLASS_UNIT, 0);
    return process;
}

static Chunk *chunk_at(BlockStore *store, uint32_t number) {
    return number == 0 ? NULL : &store->chunks[number - 1];
}

/* The chunk being carved; a new one is twice as large as the one before. A class that has filled
 * one of the largest gets large pages from then on: a page fault for each 4 KiB costs more than
 * starting the processes in it, and less stays unused than is used. */
static Chunk *compact_chunk(BlockStore *store, size_t class) {
    Chunk *chunk = chunk_at(store, store->current[class]);
    if (chunk != NULL && !chunk_is_full(chunk)) {
        return chunk;
    }
    size_t size_bytes = chunk == NULL ? CHUNK_FIRST_BYTES : 2 * chunk->size_bytes;
    bool is_large_page = size_bytes > CHUNK_LAST_BYTES;
    if (is_large_page) {
        size_bytes = CHUNK_LAST_BYTES;
        area_align(store);
    }
    uint32_t number = chunk_add(store, class, size_bytes, spacing_of(class * SIZE_CLASS_UNIT));
    store->current[class] = number;
    chunk = chunk_at(store, number);
    if (is_large_page && chunk != NULL) {
        os_memory_want_large_pages(chunk->base, size_bytes);
    }
    return chunk;
}

/* NULL: blocks for this starter lie close together. */
static Chunk *apart_chunk(BlockStore *store, size_t class, const void *starter) {
    Apart *apart = &store->apart[class];
    apart->run = apart->starter == starter ? apart->run + 1 : 1;
    apart->starter = starter;
    size_t block_bytes = class * SIZE_CLASS_UNIT;
    if (rt_root.worker_count == 1 || (block_bytes < APART_ALWAYS_BYTES && apart->run > APART_RUN)) {
        return NULL;
    }
    if (apart->chunk == 0) {
        apart->chunk = chunk_add(store, class, APART_BYTES, spacing_apart(block_bytes));
    }
    Chunk *chunk = chunk_at(store, apart->chunk);
    return chunk == NULL || chunk_is_full(chunk) ? NULL : chunk;
}

/* Carve a few new blocks: the first is the result, the others are free. */
static Process *carve_small(BlockStore *store, Worker *worker, size_t class, const void *starter) {
    Chunk *chunk = apart_chunk(store, class, starter);
    chunk = chunk != NULL ? chunk : compact_chunk(store, class);
    if (chunk == NULL) {
        return NULL;
    }
    Process *first = chunk_carve(chunk, worker);
    Process **end = &worker->free[class];
    size_t carved = chunk->spacing_bytes;
    while (carved < CARVE_BYTES && !chunk_is_full(chunk)) {
        *end = chunk_carve(chunk, worker);
        end = &(*end)->next;
        carved += chunk->spacing_bytes;
    }
    return first;
}

/* ---- between workers ---- */

static void store_enter(BlockStore *store, const Worker *worker) {
    if (!worker_is_solo(worker)) {
        lock_take(&store->lock);
    }
}

static void store_leave(BlockStore *store, const Worker *worker) {
    if (!worker_is_solo(worker)) {
        lock_release(&store->lock);
    }
}

/* A chain that a worker gave away: the chains of a class are linked by `data`. */
static Process *take_chain(BlockStore *store, Worker *worker, size_t class) {
    Process *first = store->pool[class];
    if (first != NULL) {
        store->pool[class] = first->data;
    }
    for (Process *block = first; block != NULL; block = block->next) {
        block->worker = worker;
    }
    return first;
}

static Process *take_small(BlockStore *store, Worker *worker, size_t class, const void *starter) {
    Process *first = worker->free[class];
    if (first == NULL) {
        store_enter(store, worker);
        first = take_chain(store, worker, class);
        if (first == NULL) {
            first = carve_small(store, worker, class, starter);
            store_leave(store, worker);
            return first;
        }
        store_leave(store, worker);
    }
    worker->free[class] = first->next;
    return first;
}

/* A worker that ends more processes of a class than it starts gives blocks away now and then. */
static void hand_on(BlockStore *store, Worker *worker, size_t class) {
    worker->returned[class] = 0;
    Process *first = worker->free[class];
    Process *last = NULL;
    Process *at = first;
    for (unsigned i = 0; i < 2 * CHAIN_BLOCKS; i++) {
        if (at == NULL) {
            return;
        }
        last = i < CHAIN_BLOCKS ? at : last;
        at = at->next;
    }
    worker->free[class] = last->next;
    last->next = NULL;
    store_enter(store, worker);
    first->data = store->pool[class];
    store->pool[class] = first;
    store_leave(store, worker);
}

/* ---- large blocks ---- */

static LargeBlock *large_of(const Process *process) {
    /* the header's address is kept in the word that a stack never reaches: see take_large */
    return *(LargeBlock *const *)(const void *)((const char *)process + BLOCK_DESCRIPTOR_BYTES);
}

static Process *take_large(BlockStore *store, Worker *worker, size_t class) {
    size_t block_bytes = class * SIZE_CLASS_UNIT;
    size_t margin = store->paint != NULL ? PAINT_MARGIN_BYTES : 0;
    size_t colour = store->large_count % COLOURS * COLOUR_UNIT;
    size_t head = (sizeof(LargeBlock) + colour + 15) / 16 * 16;
    char *memory = malloc(head + margin + block_bytes + 16);
    if (memory == NULL) {
        return NULL;
    }
    LargeBlock *large = (void *)memory;
    Process *process = (void *)(memory + head + margin + block_bytes + 8 - BLOCK_DESCRIPTOR_BYTES);
    *large = (LargeBlock){{NULL, NULL}, process, block_bytes, margin};
    store_enter(store, worker);
    list_append(&store->large, &large->link);
    store->large_count++;
    store_leave(store, worker);
    bool is_small = class <= SIZE_CLASS_LIMIT; /* painted: the free lists are not used */
    process_init(process, worker, is_small ? SIZE_CLASS_LIMIT + 1 : class, PROCESS_IS_LARGE);
    memcpy((char *)process + BLOCK_DESCRIPTOR_BYTES, &large, sizeof large);
    if (store->paint != NULL) {
        paint_block(block_stack_low(process) - margin, margin + block_bytes);
        process_init(process, worker, is_small ? SIZE_CLASS_LIMIT + 1 : class, PROCESS_IS_LARGE);
    }
    return process;
}

static void give_back_large(BlockStore *store, Worker *worker, Process *process) {
    LargeBlock *large = large_of(process);
    if (store->paint != NULL) {
        paint_measure(store->paint, process, large->margin_bytes);
    }
    store_enter(store, worker);
    list_remove(&large->link);
    store_leave(store, worker);
    free(large);
}

/* ---- the interface ---- */

Process *block_take(BlockStore *store, Worker *worker, const void *starter, size_t size_bytes) {
    size_t class = block_class(size_bytes < BLOCK_MIN_BYTES ? BLOCK_MIN_BYTES : size_bytes);
    if (class > SIZE_CLASS_LIMIT || store->paint != NULL) {
        return take_large(store, worker, class);
    }
    return take_small(store, worker, class, starter);
}

void block_give_back(BlockStore *store, Worker *worker, Process *process) {
    process->sp = NULL;
    process->wait = NULL; /* for the next process here: it has not parked yet */
    if ((process->flags & PROCESS_IS_LARGE) != 0) {
        give_back_large(store, worker, process);
        return;
    }
    size_t class = process->size_class;
    process->next = worker->free[class];
    worker->free[class] = process;
    if (!worker_is_solo(worker) && ++worker->returned[class] >= RETURNED_MANY) {
        hand_on(store, worker, class);
    }
}

Process *rt_block_allocate(Process *me, int64_t size_bytes, const Site *site) {
    Process *process = block_take(&rt_root.blocks, me->worker, me, (size_t)size_bytes);
    if (process == NULL) {
        rt_error_no_memory(me, site, (size_t)size_bytes);
    }
    return process;
}

void rt_block_free(Worker *worker, Process *process) {
    block_give_back(&rt_root.blocks, worker, process);
}

size_t block_bytes(const Process *process) {
    if ((process->flags & PROCESS_IS_LARGE) != 0) {
        return large_of(process)->block_bytes;
    }
    return (size_t)process->size_class * SIZE_CLASS_UNIT;
}

char *block_stack_low(const Process *process) {
    return (char *)(uintptr_t)process + BLOCK_DESCRIPTOR_BYTES - block_bytes(process);
}

/* ---- walking ---- */

size_t block_store_bytes(BlockStore *store) {
    size_t bytes = 0;
    lock_take(&store->lock);
    for (size_t i = 0; i < store->chunk_count; i++) {
        bytes += store->chunks[i].carved_bytes;
    }
    lock_release(&store->lock);
    return bytes;
}

BlockCursor block_first(const BlockStore *store) {
    return (BlockCursor){store, 0, SIZE_CLASS_UNIT / 2, store->large.next};
}

Process *block_next(BlockCursor *cursor) {
    const BlockStore *store = cursor->store;
    while (cursor->chunk < store->chunk_count) {
        const Chunk *chunk = &store->chunks[cursor->chunk];
        if (cursor->offset < chunk->carved_bytes) {
            char *low = chunk->base + cursor->offset;
            cursor->offset += chunk->spacing_bytes;
            return (void *)(low + chunk->block_bytes - BLOCK_DESCRIPTOR_BYTES);
        }
        cursor->chunk++;
        cursor->offset = SIZE_CLASS_UNIT / 2;
    }
    if (cursor->large == &store->large) {
        return NULL;
    }
    const LargeBlock *large = LIST_ENTRY(cursor->large, const LargeBlock, link);
    cursor->large = cursor->large->next;
    return large->process;
}

static Process *find_in_chunk(const Chunk *chunk, const char *address) {
    size_t offset = (size_t)(address - chunk->base);
    size_t first = SIZE_CLASS_UNIT / 2;
    if (offset < first || offset >= chunk->carved_bytes) {
        return NULL;
    }
    size_t low = first + (offset - first) / chunk->spacing_bytes * chunk->spacing_bytes;
    if (offset - low >= chunk->block_bytes) {
        return NULL; /* in the gap between two blocks */
    }
    return (void *)(chunk->base + low + chunk->block_bytes - BLOCK_DESCRIPTOR_BYTES);
}

static Process *find_large(const BlockStore *store, const char *address) {
    LIST_EACH(link, &store->large) {
        const LargeBlock *large = LIST_ENTRY(link, const LargeBlock, link);
        const char *low = block_stack_low(large->process);
        if (address >= low && address < low + large->block_bytes) {
            return large->process;
        }
    }
    return NULL;
}

Process *block_find(const BlockStore *store, const void *address) {
    const char *at = address;
    if (at < store->area || at >= store->area + store->area_bytes) {
        return find_large(store, at);
    }
    size_t low = 0; /* chunks lie in the order of their addresses */
    size_t high = store->chunk_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (at < store->chunks[middle].base) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (low == 0) {
        return NULL;
    }
    const Chunk *chunk = &store->chunks[low - 1];
    return at < chunk->base + chunk->size_bytes ? find_in_chunk(chunk, at) : NULL;
}

void block_store_check(const BlockStore *store, const Worker *worker) {
    BlockCursor cursor = block_first(store);
    for (Process *process = block_next(&cursor); process != NULL; process = block_next(&cursor)) {
        rt_check((uintptr_t)process % 16 == 8);
        rt_check(process->worker == worker || rt_root.worker_count > 1);
        rt_check(block_find(store, process) == process);
        rt_check(block_find(store, block_stack_low(process)) == process);
    }
    for (size_t class = 0; class < SMALL_CLASSES; class ++) {
        for (const Process *free = worker->free[class]; free != NULL; free = free->next) {
            rt_check(free->sp == NULL && free->size_class == class);
        }
    }
}
