/* test_report_junit -- what came out, as the XML of JUnit, which CI systems show. See
 * test_report.h.
 *
 * Holds:  a file of tests is a testsuite; one that does not compile has a single testcase with an
 *         error. What XML cannot say, most control characters, is written as ?. */
#define _GNU_SOURCE

#include "driver_file.h"
#include "test_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Xml {
    Arena *arena;
    ARRAY_OF(char) text;
} Xml;

static void add(Xml *xml, const char *text) {
    for (; *text; text++) {
        array_push(xml->arena, &xml->text, *text);
    }
}

static void add_escaped(Xml *xml, const char *text) {
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;
        bool is_allowed = byte >= ' ' || byte == '\n' || byte == '\t';
        char plain[2] = {is_allowed && byte < 127 ? *text : '?', '\0'};
        switch (byte) {
        case '<': add(xml, "&lt;"); break;
        case '>': add(xml, "&gt;"); break;
        case '&': add(xml, "&amp;"); break;
        case '"': add(xml, "&quot;"); break;
        default: add(xml, plain); break;
        }
    }
}

static void add_attribute(Xml *xml, const char *name, const char *value) {
    add(xml, arena_format(xml->arena, " %s=\"", name));
    add_escaped(xml, value);
    add(xml, "\"");
}

static void add_number(Xml *xml, const char *name, size_t number) {
    add(xml, arena_format(xml->arena, " %s=\"%zu\"", name, number));
}

static void add_seconds(Xml *xml, double seconds) {
    add(xml, arena_format(xml->arena, " time=\"%.3f\"", seconds));
}

static void add_failure(Xml *xml, const TestOutcome *outcome) {
    const TestRun *run = test_first_failure(outcome);
    ErrorPlace place = test_error_place(xml->arena, run);
    const char *words = place.file ? place.words : test_verdict_words(xml->arena, run);
    add(xml, ">\n      <failure");
    add_attribute(xml, "type", test_verdict_words(xml->arena, run));
    add_attribute(xml, "message", words);
    add(xml, arena_format(xml->arena, ">OCC_SEED=%llu OCC_WORKERS=%u\n",
                          (unsigned long long)run->seed, run->workers));
    add_escaped(xml, run->result.text);
    add(xml, "</failure>\n    </testcase>\n");
}

static void add_test(Xml *xml, const TestOutcome *outcome) {
    add(xml, "    <testcase");
    add_attribute(xml, "classname", outcome->file->path);
    add_attribute(xml, "name", outcome->test->name);
    add_attribute(xml, "file", outcome->file->path);
    add_number(xml, "line", outcome->test->line);
    add_seconds(xml, outcome->seconds);
    if (outcome->failed > 0) {
        add_failure(xml, outcome);
    } else {
        add(xml, "/>\n");
    }
}

static void add_broken_file(Xml *xml, const TestFile *file) {
    add(xml, "  <testsuite");
    add_attribute(xml, "name", file->path);
    add(xml, " tests=\"1\" failures=\"0\" errors=\"1\">\n    <testcase");
    add_attribute(xml, "classname", file->path);
    add(xml, " name=\"compile\">\n      <error message=\"it does not compile\">");
    add_escaped(xml, file->said);
    add(xml, "</error>\n    </testcase>\n  </testsuite>\n");
}

static void add_file(Xml *xml, const TestFile *file, const TestOutcomes *outcomes) {
    size_t tests = 0;
    size_t failed = 0;
    double seconds = 0;
    for (size_t i = 0; i < outcomes->count; i++) {
        bool is_here = outcomes->items[i].file == file;
        tests += is_here;
        failed += is_here && outcomes->items[i].failed > 0;
        seconds += is_here ? outcomes->items[i].seconds : 0;
    }
    add(xml, "  <testsuite");
    add_attribute(xml, "name", file->path);
    add_number(xml, "tests", tests);
    add_number(xml, "failures", failed);
    add(xml, " errors=\"0\"");
    add_seconds(xml, seconds);
    add(xml, ">\n");
    for (size_t i = 0; i < outcomes->count; i++) {
        if (outcomes->items[i].file == file) {
            add_test(xml, &outcomes->items[i]);
        }
    }
    add(xml, "  </testsuite>\n");
}

bool test_report_junit(Arena *arena, const char *path, const TestFiles *files,
                       const TestOutcomes *outcomes) {
    Xml xml = {.arena = arena};
    TestCounts counts = test_count(files, outcomes);
    add(&xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
    add_number(&xml, "tests", counts.tests);
    add_number(&xml, "failures", counts.failed);
    add_number(&xml, "errors", counts.broken_files);
    add_seconds(&xml, outcomes->seconds);
    add(&xml, ">\n");
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].status != 0) {
            add_broken_file(&xml, &files->items[i]);
        } else {
            add_file(&xml, &files->items[i], outcomes);
        }
    }
    add(&xml, "</testsuites>\n");
    return file_publish(arena, path, xml.text.items, xml.text.count);
}
