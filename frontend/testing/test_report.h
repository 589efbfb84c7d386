/* test_report -- what came out, for people and for programs. */
#ifndef OCCC_TEST_REPORT_H
#define OCCC_TEST_REPORT_H

#include "test_run.h"

typedef struct TestCounts {
    size_t tests;
    size_t failed;
    size_t runs;
    uint64_t behaviours; /* with --explore */
    size_t bounded;      /* tests of which not all were run */
    size_t broken_files; /* those that the compiler refuses */
} TestCounts;

/* The place and words of an error in what a run printed. */
typedef struct ErrorPlace {
    const char *file; /* NULL: there is none */
    unsigned line;
    unsigned column;
    const char *words;
} ErrorPlace;

TestCounts test_count(const TestFiles *files, const TestOutcomes *outcomes);
ErrorPlace test_error_place(Arena *arena, const TestRun *run);
/* The first run of a test that failed. */
const TestRun *test_first_failure(const TestOutcome *outcome);

/* ---- on standard output ---- */
void test_report_files(const TestFiles *files);
void test_report_outcome(const Options *options, const TestOutcome *outcome);
void test_report_end(const TestFiles *files, const TestOutcomes *outcomes);
void test_report_list(const Options *options, const TestFiles *files);

/* ---- files: false after a message ---- */
bool test_report_junit(Arena *arena, const char *path, const TestFiles *files,
                       const TestOutcomes *outcomes);
bool test_report_json(Arena *arena, const char *path, const TestFiles *files,
                      const TestOutcomes *outcomes);

#endif
