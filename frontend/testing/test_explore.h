/* test_explore -- one test under every schedule (`occc test --explore`).
 *
 * Owns:   exploring its program, in a child; which end is told, and the list of its choices.
 * Leaves: the exploration to exploration.h, what a verdict is to test_run.h.
 * Holds:  a test has passed when every behaviour that was run ends as it should. What is told of
 *         one that has not is the wrong end that is nearest to the beginning. */
#ifndef OCCC_TEST_EXPLORE_H
#define OCCC_TEST_EXPLORE_H

#include "test_run.h"

/* test_explore -- in the child, in the folder of the file; `explored` is shared with the parent.
 * What is to be shown goes to standard output, the list of choices into `folder`. */
void test_explore(Arena *arena, const Options *options, const TestOutcome *outcome,
                  const char *folder, TestExplored *explored);
/* test_explored_make -- shared records. */
TestExplored *test_explored_make(size_t count);

#endif
