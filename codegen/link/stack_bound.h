/* stack_bound -- the deepest any call chain from a function can reach.
 *
 * Owns:   the walk over the call graph of the whole program.
 * Leaves: the table to stack_table.h, the size of a block to link.c.
 * Holds:  bound(f) counts the bytes below f's return address: its frame and, for each call, the 8
 *         bytes of the callee's return address and the callee's bound; a jump at the end of f (tail
 *         call) counts the callee's bound alone, since f's frame is gone by then. Routines of the
 *         runtime have the bound of abi.def or leaf.def. A recursion edge is no edge here: the
 *         runtime calls the body on a block of its own. */
#ifndef OCCC_STACK_BOUND_H
#define OCCC_STACK_BOUND_H

#include "stack_table.h"

typedef struct StackBounds StackBounds;

StackBounds *stack_bounds_create(Arena *arena, const StackTable *table);
/* stack_bound -- in *bytes. Returns NULL, or what stands in the way, naming the calls to it. */
const char *stack_bound(StackBounds *bounds, const char *function, uint64_t *bytes);

#endif
