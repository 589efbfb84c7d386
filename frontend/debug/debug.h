/* debug -- `occc debug`: gdb with what it needs to know of processes (processes.py).
 *
 * Leaves: everything to gdb; its words are handed on as they are. */
#ifndef OCCC_DEBUG_H
#define OCCC_DEBUG_H

#include "driver.h"

/* debug_run -- becomes gdb; returns an exit status when that is not to be had. */
int debug_run(Arena *arena, const Options *options);

#endif
