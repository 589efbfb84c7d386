/* test -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "manifest.h"
#include "test_report.h"
#include "test_run.h"
#include "test_watch.h"

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

/* ---- once ---- */

typedef struct Round {
    TestFiles files;
    TestOutcomes outcomes;
    CoveredFiles covered;
} Round;

/* What was asked for as files; false after a message. */
static bool write_reports(Arena *arena, const Options *options, const Round *round) {
    const TestOptions *test = &options->test;
    const TestFiles *files = &round->files;
    bool all = !test->junit || test_report_junit(arena, test->junit, files, &round->outcomes);
    all = (!test->json || test_report_json(arena, test->json, files, &round->outcomes)) && all;
    all =
        (!test->coverage_lcov || coverage_lcov(arena, test->coverage_lcov, &round->covered)) && all;
    return (!test->coverage_html || coverage_html(arena, test->coverage_html, &round->covered)) &&
           all;
}

static int exit_status(const Round *round) {
    TestCounts counts = test_count(&round->files, &round->outcomes);
    if (counts.tests == 0 && counts.broken_files == 0) {
        driver_error("no tests were found");
    }
    bool is_good = counts.tests > 0 && counts.failed == 0 && counts.broken_files == 0;
    return is_good ? EXIT_OK : EXIT_ERRORS;
}

static int list(Arena *arena, const Options *options, const RunCache *cache) {
    Round round = {0};
    if (!test_files_find(arena, options, &round.files)) {
        return EXIT_ERRORS;
    }
    test_files_read(arena, options, cache, &round.files);
    test_report_files(&round.files);
    test_report_list(options, &round.files);
    return test_count(&round.files, &round.outcomes).broken_files ? EXIT_ERRORS : EXIT_OK;
}

/* From files that are found to what is said of them. */
static void run_round(Arena *arena, const Options *options, Round *round) {
    test_files_make(arena, options, &round->files);
    test_report_files(&round->files);
    Coverage *coverage = options->coverage ? coverage_begin(arena) : NULL;
    round->outcomes = test_run_all(arena, options, &round->files, coverage, test_report_outcome);
    if (coverage) {
        round->covered = coverage_end(coverage);
        coverage_report(arena, &round->covered);
    }
    test_report_end(&round->files, &round->outcomes);
}

static int run_once(Arena *arena, const Options *options, const RunCache *cache) {
    Round round = {0};
    if (!test_files_find(arena, options, &round.files)) {
        return EXIT_ERRORS;
    }
    test_files_read(arena, options, cache, &round.files);
    run_round(arena, options, &round);
    int status = exit_status(&round);
    bool is_written = write_reports(arena, options, &round);
    return is_written ? status : EXIT_ERRORS;
}

/* ---- whenever something changes ---- */

/* The programs whose tests have all passed. */
static void note_passed(Arena *arena, const Round *round, Words *passed) {
    for (size_t i = 0; i < round->files.count; i++) {
        const TestFile *file = &round->files.items[i];
        bool all = file->is_made;
        for (size_t k = 0; k < round->outcomes.count; k++) {
            const TestOutcome *outcome = &round->outcomes.items[k];
            all = all && (outcome->file != file || outcome->failed == 0);
        }
        if (all) {
            array_push(arena, passed, arena_format(arena, "%s", file->program));
        }
    }
}

/* What passed before and has not changed is not run again. */
static void settle(Round *round, const Words *passed) {
    for (size_t i = 0; i < round->files.count; i++) {
        TestFile *file = &round->files.items[i];
        file->is_settled = file->program && words_have(passed, file->program);
    }
}

_Noreturn static void run_again_and_again(Arena *arena, const Options *options,
                                          const RunCache *cache) {
    TestWatch watch = test_watch_begin();
    Words passed = {0};
    for (;;) {
        Arena *scratch = arena_create();
        Round round = {0};
        test_files_find(scratch, options, &round.files);
        test_files_read(scratch, options, cache, &round.files);
        test_watch_add(arena, &watch, &round.files);
        settle(&round, &passed);
        run_round(scratch, options, &round);
        memset(&passed, 0, sizeof passed);
        note_passed(arena, &round, &passed);
        write_reports(scratch, options, &round);
        arena_destroy(scratch);
        test_watch_wait(&watch);
    }
}

/* In a package the folders of its units, and of those that it depends on, are searched too. */
static const Options *with_package(Arena *arena, const Options *options) {
    Manifests manifests = {0};
    const char *folder = manifest_find(arena);
    if (!folder || !manifest_read_all(arena, folder, &manifests)) {
        return folder ? NULL : options;
    }
    Options *copy = arena_copy(arena, options, sizeof *options);
    for (size_t i = 0; i < manifests.count; i++) {
        const Manifest *manifest = manifests.items[i];
        for (size_t k = 0; k < manifest->sources.count; k++) {
            array_push(arena, &copy->include_directories, manifest->sources.items[k]);
        }
        for (size_t k = 0; k < manifest->libraries.count; k++) {
            Input input = {INPUT_WORD, arena_format(arena, "-l%s", manifest->libraries.items[k])};
            array_push(arena, &copy->inputs, input);
        }
    }
    return copy;
}

int test_run(Arena *arena, const Options *options) {
    options = with_package(arena, with_colour(arena, options));
    if (!options) {
        return EXIT_ERRORS;
    }
    RunCache cache = run_cache_open(arena, RUN_CACHE_TESTS);
    run_cache_hold(&cache);
    if (options->test.watches) {
        run_again_and_again(arena, options, &cache);
    }
    int status =
        options->test.lists ? list(arena, options, &cache) : run_once(arena, options, &cache);
    run_cache_close(arena, &cache);
    run_cache_trim(arena, &cache);
    return status;
}
