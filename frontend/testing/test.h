/* test -- `occc test`: the tests of *_test.occ files.
 *
 * Owns:   the order: find files, read them, make their programs, run the tests, say what came out;
 *         once, or whenever a source changes.
 * Leaves: each step to its file.
 * Holds:  exit status 0: every test has passed. 1: one has failed, a file does not compile, or no
 *         test was found. 2: wrong usage. */
#ifndef OCCC_TEST_H
#define OCCC_TEST_H

#include "options.h"

int test_run(Arena *arena, const Options *options);

#endif
