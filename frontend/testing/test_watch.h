/* test_watch -- waiting until a source changes.
 *
 * Holds:  folders are watched, not files: an editor puts a new file in the place of the old.
 *         Changes that come close together are one. */
#ifndef OCCC_TEST_WATCH_H
#define OCCC_TEST_WATCH_H

#include "test_file.h"

typedef struct TestWatch {
    int descriptor;
    Words folders;
} TestWatch;

/* test_watch_begin -- from now on: before anything is read. */
TestWatch test_watch_begin(void);
/* test_watch_add -- the folders that were looked into, and those of the files' sources. */
void test_watch_add(Arena *arena, TestWatch *watch, const TestFiles *files);
/* test_watch_wait -- until something changes there. */
void test_watch_wait(const TestWatch *watch);

#endif
