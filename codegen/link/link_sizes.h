/* link_sizes -- the constants that only the whole program can give: the bytes of each process's
 * block, and the table of functions for backtraces.
 *
 * Holds:  a body X is the body of a process when an object wants the symbol X$stk. Its block is
 *         [stack | descriptor]: round16 (bound (X), at least the words a start needs) and the
 *         descriptor (decision 0001); X's own return address is the descriptor's first word. */
#ifndef OCCC_LINK_SIZES_H
#define OCCC_LINK_SIZES_H

#include "elf_section.h"
#include "link.h"
#include "link_input.h"

/* link_sizes -- the object that defines every X$stk, occ_stack_table and occ_stack_table_count, and
 * for several programs occ_programs, a table of their records that ends with NULL.
 * NULL, or why a process has no size. */
const char *link_sizes(Arena *arena, const LinkInput *input, const LinkWords *programs,
                       ElfBytes *object);

#endif
