/* test -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "test_report.h"
#include "test_run.h"

#include <string.h>
#include <unistd.h>

/* Messages of the compiler come through a pipe: whether they are for a terminal is known here. */
static const Options *with_colour(Arena *arena, const Options *options) {
    Options *copy = arena_copy(arena, options, sizeof *options);
    if (copy->colour < 0) {
        copy->colour = isatty(STDOUT_FILENO) == 1;
    }
    return copy;
}

static bool write_reports(Arena *arena, const Options *options, const TestFiles *files,
                          const TestOutcomes *outcomes) {
    const TestOptions *test = &options->test;
    bool is_written = !test->junit || test_report_junit(arena, test->junit, files, outcomes);
    return (!test->json || test_report_json(arena, test->json, files, outcomes)) && is_written;
}

static int run_once(Arena *arena, const Options *options, const RunCache *cache) {
    TestFiles files = {0};
    if (!test_files_find(arena, options, &files)) {
        return EXIT_ERRORS;
    }
    test_files_read(arena, options, cache, &files);
    if (!options->test.lists) {
        test_files_make(arena, options, &files);
    }
    test_report_files(&files);
    if (options->test.lists) {
        test_report_list(options, &files);
        TestOutcomes none = {0};
        return test_count(&files, &none).broken_files ? EXIT_ERRORS : EXIT_OK;
    }
    TestOutcomes outcomes = test_run_all(arena, options, &files, test_report_outcome);
    test_report_end(&files, &outcomes);
    TestCounts counts = test_count(&files, &outcomes);
    if (counts.tests == 0 && counts.broken_files == 0) {
        driver_error("no tests were found");
    }
    bool is_written = write_reports(arena, options, &files, &outcomes);
    bool is_good = counts.tests > 0 && counts.failed == 0 && counts.broken_files == 0;
    return is_good && is_written ? EXIT_OK : EXIT_ERRORS;
}

int test_run(Arena *arena, const Options *options) {
    RunCache cache = run_cache_open(arena, RUN_CACHE_TESTS);
    run_cache_hold(&cache);
    int status = run_once(arena, with_colour(arena, options), &cache);
    run_cache_close(arena, &cache);
    run_cache_trim(arena, &cache);
    return status;
}
