/* test_report_json -- what came out, as JSON. See test_report.h.
 *
 *   {"version": 1, "passed": 11, "failed": 1, "runs": 12, "seconds": 0.21,
 *    "files": [{"file": "queue_test.occ", "compiles": true, "output": ""}],
 *    "tests": [{"name": "test.length", "file": "queue_test.occ", "line": 4, "column": 6,
 *               "status": "failed", "seconds": 0.002,
 *               "runs": [{"seed": 1, "workers": 1, "verdict": "error", "exit": 1, "seconds": 0.002,
 *                         "output": "...", "file": "queue_test.occ", "line": 9, "column": 5,
 *                         "message": "found 3, expected 4"}]}]}
 *
 * Of a run that passed there is no place; `signal` is there when one ended it. With --explore the
 * only run has, instead of a seed and workers, "behaviours": 6, "wrong": 1, "all": true, and
 * "choices": "queue_test-test.order.choices", "steps": 3 if one is wrong, "bound": "..." if they
 * are not all. */
#include "driver_file.h"
#include "test_report.h"

#include <jansson.h>
#include <string.h>

/* What a program prints may be no text: then every byte is a character of its own. */
static json_t *text_of(Arena *arena, const char *bytes) {
    json_t *text = json_string(bytes);
    if (text) {
        return text;
    }
    char *wide = arena_new_array(arena, char, 2 * strlen(bytes) + 1);
    char *to = wide;
    for (const unsigned char *at = (const unsigned char *)bytes; *at; at++) {
        if (*at >= 128) {
            *to++ = (char)(0xC0 | *at >> 6);
        }
        *to++ = (char)(*at >= 128 ? 0x80 | (*at & 0x3F) : *at);
    }
    return json_string(wide);
}

static void set_new(json_t *object, const char *name, json_t *value) {
    if (json_object_set_new(object, name, value) != 0) {
        fatal("out of memory");
    }
}

static json_t *number_of(size_t number) {
    return json_integer((json_int_t)number);
}

static void set_explored(Arena *arena, json_t *object, const TestExplored *explored) {
    set_new(object, "behaviours", number_of(explored->behaviours));
    set_new(object, "wrong", number_of(explored->wrong));
    set_new(object, "all", json_boolean(explored->is_all));
    if (!explored->is_all) {
        set_new(object, "bound", json_string(explored->bound));
    }
    if (explored->schedule[0]) {
        set_new(object, "choices", text_of(arena, explored->schedule));
        set_new(object, "steps", number_of(explored->steps));
    }
}

static json_t *run_of(Arena *arena, const TestRun *run) {
    json_t *object = json_object();
    if (run->explored) {
        set_explored(arena, object, run->explored);
    } else {
        set_new(object, "seed", number_of(run->seed));
        set_new(object, "workers", number_of(run->workers));
    }
    set_new(object, "verdict", json_string(test_verdict_words(arena, run)));
    set_new(object, "exit", json_integer(run->result.status));
    if (run->result.signal != 0) {
        set_new(object, "signal", json_integer(run->result.signal));
    }
    set_new(object, "seconds", json_real(run->result.seconds));
    set_new(object, "output", text_of(arena, run->result.text));
    ErrorPlace place = test_error_place(arena, run);
    if (place.file) {
        set_new(object, "file", text_of(arena, place.file));
        set_new(object, "line", number_of(place.line));
        set_new(object, "column", number_of(place.column));
        set_new(object, "message", text_of(arena, place.words));
    }
    return object;
}

static json_t *test_of(Arena *arena, const TestOutcome *outcome) {
    json_t *object = json_object();
    set_new(object, "name", json_string(outcome->test->name));
    set_new(object, "file", text_of(arena, outcome->file->path));
    set_new(object, "line", number_of(outcome->test->line));
    set_new(object, "column", number_of(outcome->test->column));
    set_new(object, "status", json_string(outcome->failed ? "failed" : "passed"));
    set_new(object, "seconds", json_real(outcome->seconds));
    json_t *runs = json_array();
    for (size_t i = 0; i < outcome->run_count; i++) {
        json_array_append_new(runs, run_of(arena, &outcome->runs[i]));
    }
    set_new(object, "runs", runs);
    return object;
}

static json_t *file_of(Arena *arena, const TestFile *file) {
    json_t *object = json_object();
    set_new(object, "file", text_of(arena, file->path));
    set_new(object, "compiles", json_boolean(file->status == 0));
    set_new(object, "output", text_of(arena, file->said));
    return object;
}

bool test_report_json(Arena *arena, const char *path, const TestFiles *files,
                      const TestOutcomes *outcomes) {
    TestCounts counts = test_count(files, outcomes);
    json_t *report = json_object();
    set_new(report, "version", json_integer(1));
    set_new(report, "passed", number_of(counts.tests - counts.failed));
    set_new(report, "failed", number_of(counts.failed));
    set_new(report, "runs", number_of(counts.runs));
    set_new(report, "seconds", json_real(outcomes->seconds));
    json_t *list = json_array();
    for (size_t i = 0; i < files->count; i++) {
        json_array_append_new(list, file_of(arena, &files->items[i]));
    }
    set_new(report, "files", list);
    list = json_array();
    for (size_t i = 0; i < outcomes->count; i++) {
        json_array_append_new(list, test_of(arena, &outcomes->items[i]));
    }
    set_new(report, "tests", list);
    size_t size = json_dumpb(report, NULL, 0, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    char *text = arena_allocate(arena, size + 1);
    json_dumpb(report, text, size, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    text[size] = '\n';
    json_decref(report);
    return file_publish(arena, path, text, size + 1);
}
