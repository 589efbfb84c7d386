/* test_run -- the tests of files, each in processes of its own.
 *
 * Owns:   which runs there are: every test with every seed and number of workers, or one that is
 *         explored; what became of them.
 * Leaves: processes to child_pool.h, saying it to test_report.h.
 * Holds:  a run has its file's folder as its own, OCC_SEED, OCC_WORKERS, OCC_TIME and OCC_TEST set,
 *         and reads nothing. It has passed when it ends with status 0. */
#ifndef OCCC_TEST_RUN_H
#define OCCC_TEST_RUN_H

#include "child_pool.h"
#include "coverage.h"
#include "test_file.h"

typedef enum Verdict {
    VERDICT_PASSED,
    VERDICT_ERROR,    /* a failed assertion, STOP, an index out of range ... */
    VERDICT_DEADLOCK, /* no process could go on */
    VERDICT_WORLD,    /* no memory, standard output closed ... */
    VERDICT_STATUS,   /* another exit status */
    VERDICT_SIGNAL,   /* a crash */
    VERDICT_TIMEOUT,
    VERDICT_NO_ERROR, /* it ended well, and should not have */
    VERDICT_OTHER     /* it ended as it should, but the report says something else */
} Verdict;

/* TestExplored -- of a test that is run under every schedule: test_explore.h. */
typedef struct TestExplored {
    uint32_t runners; /* that are wanted at once */
    bool is_over;     /* the rest is known */
    uint64_t behaviours;
    uint64_t wrong; /* of them */
    bool is_all;
    char bound[160]; /* why not */
    /* the end that is told */
    int status;
    int signal;
    bool has_timed_out;
    uint32_t steps;
    char schedule[256]; /* a file; empty: none was written */
} TestExplored;

typedef struct TestRun {
    const TestExplored *explored; /* NULL: it is one run */
    uint64_t seed;
    unsigned workers;
    Verdict verdict;
    ChildResult result;
} TestRun;

typedef struct TestOutcome {
    const TestFile *file;
    const TestCase *test;
    TestRun *runs;
    size_t run_count;
    size_t ended;
    size_t failed;
    double seconds; /* all runs together */
} TestOutcome;

typedef struct TestOutcomes {
    TestOutcome *items;
    size_t count;
    double seconds; /* from the first start to the last end */
} TestOutcomes;

/* test_is_wanted -- by --run. */
bool test_is_wanted(const Options *options, const TestCase *test);
/* test_run_all -- the wanted tests of the files that have programs; each is told to `ended`, in the
 * order of the text. */
TestOutcomes test_run_all(Arena *arena, const Options *options, const TestFiles *files,
                          Coverage *coverage, /* NULL: nothing is counted */
                          void (*ended)(const Options *options, const TestOutcome *outcome));
/* test_verdict -- of a run that has ended like that; a test that is to end in an error has passed
 * when it does, and says so. */
Verdict test_verdict(const TestCase *test, const ChildResult *result);
/* test_verdict_words -- "an error", "a deadlock" ... */
const char *test_verdict_words(Arena *arena, const TestRun *run);

#endif
