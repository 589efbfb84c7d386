/* arena -- bump allocation in chunks, or one malloc an object when ARENA_MALLOC is defined.
 *
 * Owns:  the chunks. A chunk comes from calloc, so the memory handed out is zero.
 * Holds: `free_bytes` starts at an aligned address and every size is rounded up to the alignment,
 *        hence every object is aligned. */
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chunks grow: most arenas hold only what is known of one routine, and each chunk is zeroed. */
enum { ALIGNMENT = 16, CHUNK_FIRST = 8 * 1024, CHUNK_MOST = 256 * 1024 };

typedef struct Chunk {
    struct Chunk *previous;
    size_t unused; /* keeps the payload aligned */
    _Alignas(ALIGNMENT) unsigned char payload[];
} Chunk;

struct Arena {
    Chunk *chunks;
    unsigned char *next_free;
    size_t free_bytes;
    size_t chunk_bytes; /* size of the next chunk */
    Arena *outer;       /* NULL: it lives until it is destroyed */
    Arena *inner;       /* the arenas that end with it, linked by `beside` */
    Arena *beside;
};

static _Noreturn void die_out_of_memory(void) {
    fputs("occc: out of memory\n", stderr);
    exit(1);
}

static Chunk *chunk_add(Arena *arena, size_t payload_bytes) {
    if (payload_bytes > SIZE_MAX - sizeof(Chunk)) {
        die_out_of_memory();
    }
    Chunk *chunk = calloc(1, sizeof(Chunk) + payload_bytes);
    if (!chunk) {
        die_out_of_memory();
    }
    chunk->previous = arena->chunks;
    arena->chunks = chunk;
    return chunk;
}

Arena *arena_create(void) {
    Arena *arena = calloc(1, sizeof *arena);
    if (!arena) {
        die_out_of_memory();
    }
    arena->chunk_bytes = CHUNK_FIRST;
    return arena;
}

Arena *arena_create_within(Arena *outer) {
    Arena *arena = arena_create();
    arena->outer = outer;
    arena->beside = outer->inner;
    outer->inner = arena;
    return arena;
}

static void leave(Arena *arena) {
    Arena **link = &arena->outer->inner;
    while (*link != arena) {
        link = &(*link)->beside;
    }
    *link = arena->beside;
}

void arena_destroy(Arena *arena) {
    while (arena->inner) {
        arena_destroy(arena->inner);
    }
    if (arena->outer) {
        leave(arena);
    }
    Chunk *chunk = arena->chunks;
    while (chunk) {
        Chunk *previous = chunk->previous;
        free(chunk);
        chunk = previous;
    }
    free(arena);
}

void *arena_allocate(Arena *arena, size_t size_bytes) {
#ifdef ARENA_MALLOC
    return chunk_add(arena, size_bytes)->payload;
#else
    if (size_bytes > SIZE_MAX - ALIGNMENT) {
        die_out_of_memory();
    }
    size_t rounded = (size_bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (rounded > arena->free_bytes) {
        if (rounded > arena->chunk_bytes / 4) {
            return chunk_add(arena, rounded)->payload; /* the current chunk stays in use */
        }
        arena->next_free = chunk_add(arena, arena->chunk_bytes)->payload;
        arena->free_bytes = arena->chunk_bytes;
        if (arena->chunk_bytes < CHUNK_MOST) {
            arena->chunk_bytes *= 2;
        }
    }
    void *object = arena->next_free;
    arena->next_free += rounded;
    arena->free_bytes -= rounded;
    return object;
#endif
}

void *arena_copy(Arena *arena, const void *from, size_t size_bytes) {
    void *copy = arena_allocate(arena, size_bytes);
    if (size_bytes) {
        memcpy(copy, from, size_bytes);
    }
    return copy;
}

char *arena_format(Arena *arena, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        die_out_of_memory();
    }
    char *text = arena_allocate(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}
