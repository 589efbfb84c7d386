/* test_file -- reading files of tests. See the header. */
#define _GNU_SOURCE

#include "test_file.h"

#include "child_pool.h"
#include "driver_file.h"
#include "file.h"
#include "run.h"
#include "test_main.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What the children of one pass share. */
typedef struct Pass {
    Arena *arena;
    const Options *options;
    const Installation *installation;
    const RunCache *cache;
    TestFiles *files;
    int *answers; /* a nameless file for each, which the child fills */
    size_t first; /* of the files that are read now */
} Pass;

static TestFile *file_of(const Pass *pass, size_t index) {
    return &pass->files->items[pass->first + index];
}

/* ---- in the child ---- */

/* The options as they are for a program of this file alone. */
static const Options *options_for(Arena *arena, const Options *all, const TestFile *file) {
    Options *options = arena_copy(arena, all, sizeof *options);
    Input source = {INPUT_SOURCE, file->path};
    memset(&options->inputs, 0, sizeof options->inputs);
    array_push(arena, &options->inputs, source);
    for (size_t i = 0; i < all->inputs.count; i++) {
        array_push(arena, &options->inputs, all->inputs.items[i]);
    }
    options->is_verbose = false; /* -v is about the tests */
    return options;
}

Unit *test_file_parse(Arena *arena, const Options *options, const Installation *installation,
                      TestFile *file) {
    Unit *unit = unit_create(arena, options_for(arena, options, file), installation);
    unit->needs_main = true;
    array_push(arena, &unit->paths, file->path);
    if (unit_parse(unit) && unit->tree->kind == NODE_UNIT) {
        memset(&file->tests, 0, sizeof file->tests);
        test_main_find(unit, file);
        test_main_add(unit, file);
    }
    return unit;
}

/* The answer, line by line: s and a source, o and an object that is used, p and the path of the
 * program, t and a test, e and how that is to end. */
static void write_answer(const Unit *unit, const TestFile *file, int answer) {
    FILE *to = fdopen(answer, "w");
    if (!to) {
        fatal("cannot write what was read:");
    }
    const SourceMap *sources = unit->compiler.sources;
    for (uint32_t i = 1; i <= source_file_count(sources); i++) {
        fprintf(to, "s%s\n", source_file(sources, i)->path);
    }
    const UnitTable *units = unit->compiler.units;
    for (size_t i = 0; i < units->used.count; i++) {
        if (units->used.items[i]->object) {
            fprintf(to, "o%s\n", units->used.items[i]->object);
        }
    }
    if (file->program) {
        fprintf(to, "p%s\n", file->program);
    }
    for (size_t i = 0; file->program && i < file->tests.count; i++) {
        const TestCase *test = &file->tests.items[i];
        fprintf(to, "t%u %u %s\n", test->line, test->column, test->name);
        if (test->expected_end) {
            fprintf(to, "e%s %s\n", test->expected_end, test->expected_words);
        }
    }
    if (fflush(to) != 0) {
        fatal("cannot write what was read:");
    }
}

static int read_in_child(void *context, size_t index) {
    const Pass *pass = context;
    TestFile *file = file_of(pass, index);
    Unit *unit = test_file_parse(pass->arena, pass->options, pass->installation, file);
    bool is_read = !unit_has_errors(unit);
    if (is_read) {
        file->program = run_cache_path(pass->arena, pass->cache, run_key(unit));
    }
    write_answer(unit, file, pass->answers[index]);
    return is_read ? EXIT_OK : EXIT_ERRORS;
}

/* ---- in the parent ---- */

static void take_test(const Pass *pass, TestFile *file, char *words) {
    TestCase test = {.number = (unsigned)file->tests.count};
    test.line = (unsigned)strtoul(words, &words, 10);
    test.column = (unsigned)strtoul(words, &words, 10);
    test.name = words + 1;
    array_push(pass->arena, &file->tests, test);
}

/* Of the test before it. */
static void take_expected(TestFile *file, char *words) {
    TestCase *test = &file->tests.items[file->tests.count - 1];
    char *blank = strchr(words, ' ');
    *blank = '\0';
    test->expected_end = words;
    test->expected_words = blank + 1;
}

static void take_answer(const Pass *pass, TestFile *file, int answer) {
    FileText text;
    const char *path = arena_format(pass->arena, "/dev/fd/%d", answer);
    if (!file_read(pass->arena, path, &text)) {
        fatal("cannot read what was read:");
    }
    char *line = text.bytes;
    for (char *end = strchr(line, '\n'); end; line = end + 1, end = strchr(line, '\n')) {
        *end = '\0';
        switch (line[0]) {
        case 's': array_push(pass->arena, &file->sources, line + 1); break;
        case 'o': array_push(pass->arena, &file->objects, line + 1); break;
        case 'p': file->program = line + 1; break;
        case 't': take_test(pass, file, line + 1); break;
        case 'e': take_expected(file, line + 1); break;
        default: bug("an answer that nobody gives: %s", line);
        }
    }
    file->is_made = file->program && run_cache_has(file->program);
}

static void have_read(void *context, size_t index, const ChildResult *result) {
    const Pass *pass = context;
    TestFile *file = file_of(pass, index);
    file->status = result->status;
    file->said = result->length ? result->text : "";
    take_answer(pass, file, pass->answers[index]);
    close(pass->answers[index]);
}

unsigned test_jobs(const Options *options) {
    return options->test.jobs ? options->test.jobs : child_pool_width();
}

/* A process may have a thousand files open, or fewer. */
enum { READ_LIMIT = 200 };

void test_files_read(Arena *arena, const Options *options, const RunCache *cache,
                     TestFiles *files) {
    Installation installation = installation_find(arena);
    Pass pass = {arena, options, &installation, cache, files, NULL, 0};
    pass.answers = arena_new_array(arena, int, READ_LIMIT);
    for (; pass.first < files->count; pass.first += READ_LIMIT) {
        size_t left = files->count - pass.first;
        size_t count = left < READ_LIMIT ? left : READ_LIMIT;
        for (size_t i = 0; i < count; i++) {
            pass.answers[i] = memfd_create("occc-tests", MFD_CLOEXEC);
            if (pass.answers[i] < 0) {
                fatal("cannot make a temporary file:");
            }
        }
        ChildWork work = {count, test_jobs(options), 0, &pass, read_in_child, have_read};
        child_pool_run(arena, &work);
    }
}
