/* test_main -- the tests in a file's tree, and the main PROC that calls one of them.
 *
 * Holds:  the main PROC is text of the language, behind the file's own: it is checked like the
 *         rest. It has the standard channels that any test of the file has. */
#ifndef OCCC_TEST_MAIN_H
#define OCCC_TEST_MAIN_H

#include "driver.h"
#include "test_file.h"

/* test_main_find -- the tests of the unit's own file, in the order of the text. */
void test_main_find(Unit *unit, TestFile *file);
/* test_main_add -- the main PROC, into the tree: before the checks. */
void test_main_add(Unit *unit, const TestFile *file);
/* test_main_check -- after the checks of types: false when a test has parameters that nobody gives
 * it; that has been reported. */
bool test_main_check(Unit *unit, const TestFile *file);

#endif
