/* arena -- memory by lifetime.
 *
 * Owns:   every allocation of the compiler. Three lifetimes exist: *program* (options, sources,
 *         names, messages), *unit* (tree, types, symbols: until its code is in LLVM's hands) and
 *         *pass* (scratch of one pass). Nothing is freed one by one.
 * Leaves: growable sequences to array.h, interned names to text.h.
 * Holds:  memory is zeroed; alignment is 16; out of memory ends the compiler inside the allocator,
 *         so no caller checks. With ARENA_MALLOC defined each object has a malloc of its own, so
 *         that AddressSanitizer sees overruns. */
#ifndef OCCC_ARENA_H
#define OCCC_ARENA_H

#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_create(void);
/* arena_create_within -- an arena that ends with `outer`, unless it is destroyed before. */
Arena *arena_create_within(Arena *outer);
void arena_destroy(Arena *arena);
void *arena_allocate(Arena *arena, size_t size_bytes);
void *arena_copy(Arena *arena, const void *from, size_t size_bytes);
char *arena_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* arena_new(arena, Type) -- one zeroed object. */
#define arena_new(arena, Type) ((Type *)arena_allocate((arena), sizeof(Type)))
#define arena_new_array(arena, Type, count)                                                        \
    ((Type *)arena_allocate((arena), sizeof(Type) * (size_t)(count)))

#endif
