/* test_report -- what came out, on standard output. See the header.
 *
 * Holds:  of a test that failed several times the first failure is shown, and how to have it
 *         again. */
#define _GNU_SOURCE

#include "test_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_bounded(const TestOutcome *outcome) {
    const TestExplored *explored = outcome->runs[0].explored;
    return explored && !explored->is_all;
}

TestCounts test_count(const TestFiles *files, const TestOutcomes *outcomes) {
    TestCounts counts = {0};
    for (size_t i = 0; i < files->count; i++) {
        counts.broken_files += files->items[i].status != 0;
    }
    for (size_t i = 0; i < outcomes->count; i++) {
        counts.tests++;
        counts.failed += outcomes->items[i].failed > 0;
        counts.runs += outcomes->items[i].run_count;
        const TestExplored *explored = outcomes->items[i].runs[0].explored;
        counts.behaviours += explored ? explored->behaviours : 0;
        counts.bounded += is_bounded(&outcomes->items[i]);
    }
    return counts;
}

const TestRun *test_first_failure(const TestOutcome *outcome) {
    for (size_t i = 0; i < outcome->run_count; i++) {
        if (outcome->runs[i].verdict != VERDICT_PASSED) {
            return &outcome->runs[i];
        }
    }
    return NULL;
}

/* ---- the place of an error ---- */

/* file:line:column: error: words */
static bool read_place(Arena *arena, const char *line, size_t length, ErrorPlace *place) {
    static const char mark[] = ": error: ";
    const char *error = memmem(line, length, mark, strlen(mark));
    const char *colons[2] = {NULL, NULL};
    for (const char *at = error; at > line && !colons[0]; at--) {
        if (at < error && *at == ':') {
            colons[colons[1] ? 0 : 1] = at;
        }
    }
    if (!error || !colons[0]) {
        return false;
    }
    place->file = arena_format(arena, "%.*s", (int)(colons[0] - line), line);
    place->line = (unsigned)strtoul(colons[0] + 1, NULL, 10);
    place->column = (unsigned)strtoul(colons[1] + 1, NULL, 10);
    const char *words = error + strlen(mark);
    place->words = arena_format(arena, "%.*s", (int)(line + length - words), words);
    return place->line > 0;
}

ErrorPlace test_error_place(Arena *arena, const TestRun *run) {
    ErrorPlace place = {0};
    const char *line = run->result.text;
    while (line && *line && run->verdict != VERDICT_PASSED) {
        size_t length = strcspn(line, "\n");
        if (read_place(arena, line, length, &place)) {
            return place;
        }
        line += length + (line[length] == '\n');
    }
    return (ErrorPlace){0};
}

/* ---- on standard output ---- */

static void print_indented(const char *text) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        printf("    %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

void test_report_files(const TestFiles *files) {
    for (size_t i = 0; i < files->count; i++) {
        const TestFile *file = &files->items[i];
        fputs(file->said, stdout);
        if (file->status != 0) {
            printf("FAIL %s does not compile\n", file->path);
        } else if (file->tests.count == 0) {
            printf("%s has no tests: a test is a PROC whose name begins with test.\n", file->path);
        }
    }
    fflush(stdout);
}

/* What to add to the command line to see one run again. */
static void print_again(const TestOutcome *outcome, const TestRun *run) {
    if (run->explored) {
        printf("    again: OCC_CHOICES=%s occc test --run=%s %s\n", run->explored->schedule,
               outcome->test->name, outcome->file->path);
        return;
    }
    printf("    again: occc test --run=%s --seeds=%llu-%llu --workers=%u %s\n", outcome->test->name,
           (unsigned long long)run->seed, (unsigned long long)run->seed, run->workers,
           outcome->file->path);
}

static void print_failure(Arena *arena, const TestOutcome *outcome) {
    const TestRun *run = test_first_failure(outcome);
    printf("FAIL %s (%s:%u): %s", outcome->test->name, outcome->file->path, outcome->test->line,
           test_verdict_words(arena, run));
    if (outcome->run_count > 1) {
        printf(", %zu of %zu runs", outcome->failed, outcome->run_count);
    }
    if (run->explored) {
        printf(", %llu of %llu behaviours", (unsigned long long)run->explored->wrong,
               (unsigned long long)run->explored->behaviours);
    }
    printf("\n");
    print_indented(run->result.text);
    if (run->result.is_cut) {
        printf("    ... and more\n");
    }
    if (outcome->run_count > 1 || (run->explored && run->explored->schedule[0])) {
        print_again(outcome, run);
    }
}

/* Of a test that has passed, as far as it was explored. */
static void print_extent(const TestOutcome *outcome) {
    const TestExplored *explored = outcome->runs[0].explored;
    printf(", %llu behaviour%s", (unsigned long long)explored->behaviours,
           explored->behaviours == 1 ? "" : "s");
    if (!explored->is_all) {
        printf(", not all: %s", explored->bound);
    }
}

void test_report_outcome(const Options *options, const TestOutcome *outcome) {
    Arena *arena = arena_create();
    if (outcome->failed > 0) {
        print_failure(arena, outcome);
    } else if (options->is_verbose || is_bounded(outcome)) {
        printf("ok   %s (%s:%u) %.0f ms", outcome->test->name, outcome->file->path,
               outcome->test->line, outcome->seconds * 1000);
        if (outcome->runs[0].explored) {
            print_extent(outcome);
        }
        printf("\n");
        print_indented(options->is_verbose ? outcome->runs[0].result.text : "");
    }
    fflush(stdout);
    arena_destroy(arena);
}

void test_report_end(const TestFiles *files, const TestOutcomes *outcomes) {
    bool explores = outcomes->count > 0 && outcomes->items[0].runs[0].explored;
    TestCounts counts = test_count(files, outcomes);
    if (counts.broken_files > 0) {
        printf("%zu of %zu files do not compile\n", counts.broken_files, files->count);
    }
    printf("%s: %zu of %zu tests passed", counts.failed || counts.broken_files ? "FAIL" : "ok",
           counts.tests - counts.failed, counts.tests);
    if (counts.runs != counts.tests) {
        printf(", in %zu runs", counts.runs);
    }
    if (explores) {
        printf(", %llu behaviour%s, ", (unsigned long long)counts.behaviours,
               counts.behaviours == 1 ? "" : "s");
        printf(counts.bounded == 0   ? "all there are"
               : counts.bounded == 1 ? "not all of one test"
                                     : "not all of %zu tests",
               counts.bounded);
    }
    printf(", in %.2f s\n", outcomes->seconds);
    fflush(stdout);
}

void test_report_list(const Options *options, const TestFiles *files) {
    for (size_t i = 0; i < files->count; i++) {
        const TestFile *file = &files->items[i];
        for (size_t k = 0; k < file->tests.count; k++) {
            const TestCase *test = &file->tests.items[k];
            if (test_is_wanted(options, test)) {
                printf("%s:%u:%u: %s\n", file->path, test->line, test->column, test->name);
            }
        }
    }
    fflush(stdout);
}
