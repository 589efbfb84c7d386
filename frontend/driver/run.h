/* run -- `occc run`: compile into a private cache, then become the program.
 *
 * Holds:  the program replaces the compiler, so exit status, signals, debuggers and core files are
 *         those of a program built with -o. The sources are parsed on every run, because only that
 *         tells which files belong to the program; their text, the options and the compiler itself
 *         are the key. */
#ifndef OCCC_RUN_H
#define OCCC_RUN_H

#include "driver.h"

/* run_program -- returns only when there is no program to run: the exit status. */
int run_program(Arena *arena, const Options *options, const Installation *installation);

#endif
