/* loop_cell -- variables in memory that a counted loop reads and writes each time round.
 *
 * Holds:  such a variable is in a register while the loop runs, and in memory again when it has
 *         ended. An error leaves it as it was when the loop began: nobody reads it after that. */
#ifndef OCCC_LOOP_CELL_H
#define OCCC_LOOP_CELL_H

#include "counted_loop.h"

/* loop_cells_promote -- in a loop without calls of routines; true: something has changed. */
bool loop_cells_promote(const CountedLoop *loop, LLVMBuilderRef builder);

#endif
