/* stack_table -- the table of functions that the link step of occc puts into every program.
 *
 * Owns:   its form. The runtime unwinds process stacks by it (backtrace.c): the return address of
 *         the call in `function` that contains a program counter lies `frame_bytes` above the
 *         stack pointer at any of its calls.
 * Holds:  one row for every function of the program that runs on process stacks; in no order. A
 *         program that is linked without the table (a test of the runtime) has no names. */
#ifndef OCC_STACK_TABLE_H
#define OCC_STACK_TABLE_H

#include <stdint.h>

typedef struct OccStackRow {
    const void *function; /* its first byte */
    uint32_t frame_bytes; /* below the return address */
    const char *name;     /* its symbol: unit.outer.inner; ".par<n>" a branch of a PAR in it, */
} OccStackRow;            /* ".segment" the entry of a recursive call */

extern const OccStackRow occ_stack_table[] __attribute__((weak));
extern const uint32_t occ_stack_table_count __attribute__((weak));

#endif
