/* block -- the blocks that processes and stack segments live in.
 *
 * Owns:   memory for blocks [stack | descriptor], by size class; walking over all of them.
 * Leaves: the hot halves of taking and giving back to compiled code and switch.S, through
 *         Worker.free; the system stack to worker.c; painting to paint.h.
 * Holds:  a chunk holds blocks of one size class, packed, in one reserved area; so all blocks can
 *         be walked, and one is free exactly when its sp is 0. Blocks above SIZE_CLASS_LIMIT are
 *         allocated singly and listed. Memory is touched only as blocks are carved, so a few
 *         processes cost a few pages and a million cost their bytes; a class that has 4 MB goes on
 *         in large pages. Chunks are never given back. A free block belongs to the worker on whose
 *         list it is; the pool belongs to none.
 *
 *   chunk:  | stack, descriptor | stack, descriptor | ...   descriptors at 8 modulo 16
 *
 * Spacing: blocks that follow each other at a multiple of a large power of two would share a few
 * cache sets; such sizes get a small gap (7 ns a hop became 20 at 4 KiB). So do
 * those of 128 bytes: a hop in a ring of 1 000 000 took 170 to 200 ns, with the gap 50 to 65. */
#ifndef RT_BLOCK_H
#define RT_BLOCK_H

#include "layout.h"
#include "list.h"
#include "lock.h"

enum {
    BLOCK_MIN_BYTES = 96,        /* descriptor and the words of a new stack */
    BLOCK_DESCRIPTOR_BYTES = 64, /* sizeof (Process) */
    SMALL_CLASSES = SIZE_CLASS_LIMIT + 1
};

typedef struct Chunk {
    char *base;
    size_t size_bytes;
    size_t carved_bytes; /* from base: blocks that have been handed out once */
    uint32_t block_bytes;
    uint32_t spacing_bytes;
} Chunk;

/* Apart -- blocks that share no cache line, the first of a class when there are several workers. A
 * line used by two workers costs each of them some thirty communications. But padding would slow
 * down programs of many processes, which need every byte of the cache. So it is used for blocks of
 * three lines or more, and for small ones whose starter has not started many in a row: those are
 * parts of something that may move as a whole. */
typedef struct Apart {
    const void *starter; /* of the last that were carved */
    uint32_t chunk;      /* index + 1 */
    uint32_t run;        /* times that this starter has found no free block */
} Apart;

typedef struct BlockStore {
    char *area; /* reserved addresses, given memory from the low end */
    size_t area_bytes;
    size_t area_used;
    Chunk *chunks;
    size_t chunk_count;
    size_t chunk_capacity;
    Lock lock;                       /* over all of it, when not solo */
    Process *pool[SMALL_CLASSES];    /* free, in chains: what one worker has too many of */
    uint32_t current[SMALL_CLASSES]; /* index + 1 of the chunk being carved */
    Apart apart[SMALL_CLASSES];
    ListLink large;
    size_t large_count;
    struct PaintRecord *paint; /* or NULL (paint.h) */
} BlockStore;

/* Begin with an area whose low end, `low_bytes` long, is the caller's (the system stack lies below
 * the blocks, so that a debugger can unwind from it to them). NULL: no memory. */
char *block_store_begin(BlockStore *store, size_t low_bytes);
void block_store_end(BlockStore *store);

/* A block for the worker, for a process that `starter` starts; sp is 0. NULL: out of memory. */
Process *block_take(BlockStore *store, Worker *worker, const void *starter, size_t size_bytes);
/* Give back one that occ_process_end may not put on the free list itself. */
void block_give_back(BlockStore *store, Worker *worker, Process *process);

/* abi.def and switch.S */
Process *rt_block_allocate(Process *me, int64_t size_bytes, const Site *site);
void rt_block_free(Worker *worker, Process *process);

static inline size_t block_class(size_t size_bytes) {
    return (size_bytes + SIZE_CLASS_UNIT - 1) / SIZE_CLASS_UNIT;
}

size_t block_bytes(const Process *process);
/* First byte of the block's stack, which ends at the descriptor. */
char *block_stack_low(const Process *process);

/* How many bytes of blocks have ever been handed out, except large ones. */
size_t block_store_bytes(BlockStore *store);

/* Walk all blocks, free ones included; NULL ends. */
typedef struct BlockCursor {
    const BlockStore *store;
    size_t chunk;
    size_t offset;
    const ListLink *large;
} BlockCursor;

BlockCursor block_first(const BlockStore *store);
Process *block_next(BlockCursor *cursor);
/* The block whose bytes include the address, or NULL. */
Process *block_find(const BlockStore *store, const void *address);
/* Check the invariants (rt_check). */
void block_store_check(const BlockStore *store, const Worker *worker);

#endif
