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

/* run_key -- what the program of a unit depends on, after unit_parse: digits.
 * run_make -- the program of a unit that passed all checks: exit status. */
const char *run_key(const Unit *unit);
int run_make(Unit *unit, const Backend *backend, const char *output);

#endif
