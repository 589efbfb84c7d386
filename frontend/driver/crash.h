/* crash -- what is done when the compiler itself is wrong. */
#ifndef OCCC_CRASH_H
#define OCCC_CRASH_H

#include "arena.h"

/* crash_catch -- from now on a crash, also for want of stack, ends like every fault of ours: with
 * what to do and status 70. Nothing of the output has been written then: files get their names when
 * they are complete. */
void crash_catch(Arena *arena);

/* crash_reproduce -- occc --reproduce=pid: compile as far as the code generator what that occc,
 * which has crashed and waits, was told to; the code and the command are left in a file. */
int crash_reproduce(Arena *arena, long pid);

#endif
