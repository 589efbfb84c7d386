/* test_report_junit -- what came out, as the XML of JUnit, which CI systems show. See
 * test_report.h.
 *
 * Holds:  a file of tests is a testsuite; one that does not compile has a single testcase with an
 *         error. What XML cannot say, most control characters, is written as ?. */
#define _GNU_SOURCE

#include "driver_file.h"
#include "test_report.h"
#include "text_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_attribute(TextBuilder *xml, const char *name, const char *value) {
    text_add(xml, " %s=\"", name);
    text_add_escaped(xml, value, strlen(value), true);
    text_add(xml, "\"");
}

static void add_number(TextBuilder *xml, const char *name, size_t number) {
    text_add(xml, " %s=\"%zu\"", name, number);
}

static void add_seconds(TextBuilder *xml, double seconds) {
    text_add(xml, " time=\"%.3f\"", seconds);
}

static void add_failure(TextBuilder *xml, const TestOutcome *outcome) {
    const TestRun *run = test_first_failure(outcome);
    ErrorPlace place = test_error_place(xml->arena, run);
    const char *words = place.file ? place.words : test_verdict_words(xml->arena, run);
    text_add(xml, ">\n      <failure");
    add_attribute(xml, "type", test_verdict_words(xml->arena, run));
    add_attribute(xml, "message", words);
    if (run->explored) {
        text_add(xml, ">OCC_CHOICES=%s\n", run->explored->schedule);
    } else {
        text_add(xml, ">OCC_SEED=%llu OCC_WORKERS=%u\n", (unsigned long long)run->seed,
                 run->workers);
    }
    text_add_escaped(xml, run->result.text, strlen(run->result.text), true);
    text_add(xml, "</failure>\n    </testcase>\n");
}

static void add_test(TextBuilder *xml, const TestOutcome *outcome) {
    text_add(xml, "    <testcase");
    add_attribute(xml, "classname", outcome->file->path);
    add_attribute(xml, "name", outcome->test->name);
    add_attribute(xml, "file", outcome->file->path);
    add_number(xml, "line", outcome->test->line);
    add_seconds(xml, outcome->seconds);
    if (outcome->failed > 0) {
        add_failure(xml, outcome);
    } else {
        text_add(xml, "/>\n");
    }
}

static void add_broken_file(TextBuilder *xml, const TestFile *file) {
    text_add(xml, "  <testsuite");
    add_attribute(xml, "name", file->path);
    text_add(xml, " tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase");
    add_attribute(xml, "classname", file->path);
    text_add(xml, " name=\"compile\">\n      <error message=\"it does not compile\">");
    text_add_escaped(xml, file->said, strlen(file->said), true);
    text_add(xml, "</error>\n    </testcase>\n  </testsuite>\n");
}

static void add_file(TextBuilder *xml, const TestFile *file, const TestOutcomes *outcomes) {
    size_t tests = 0;
    size_t failed = 0;
    double seconds = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        bool is_here = outcomes->items[i].file == file;
        tests += is_here;
        failed += is_here && outcomes->items[i].failed > 0;
        seconds += is_here ? outcomes->items[i].seconds : 0;
    }
    text_add(xml, "  <testsuite");
    add_attribute(xml, "name", file->path);
    add_number(xml, "tests", tests);
    add_number(xml, "failures", failed);
    text_add(xml, " errors=\"0\"");
    add_seconds(xml, seconds);
    text_add(xml, ">\n");
    for (size_t i = 0; i < outcomes->count; i++) {
        if (outcomes->items[i].file == file) {
            add_test(xml, &outcomes->items[i]);
        }
    }
    text_add(xml, "  </testsuite>\n");
}

bool test_report_junit(Arena *arena, const char *path, const TestFiles *files,
                       const TestOutcomes *outcomes) {
    TextBuilder xml = {.arena = arena};
    TestCounts counts = test_count(files, outcomes);
    text_add(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_number(&xml, "tests", counts.tests);
    add_number(&xml, "failures", counts.failed);
    add_number(&xml, "errors", counts.broken_files);
    add_seconds(&xml, outcomes->seconds);
    text_add(&xml, ">\n");
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].status != 0) {
            add_broken_file(&xml, &files->items[i]);
        } else {
            add_file(&xml, &files->items[i], outcomes);
        }
    }
    text_add(&xml, "</testsuites>\n");
    return file_publish(arena, path, xml.items, xml.count);
}
