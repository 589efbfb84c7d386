/* test_file -- reading files of tests and making their programs. See the header. */
#define _GNU_SOURCE

#include "test_file.h"

#include "child_pool.h"
#include "driver_file.h"
#include "file.h"
#include "run.h"
#include "test_main.h"

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
    const Backend *backend;
    const RunCache *cache;
    TestFiles *files;
    int *answers; /* a nameless file for each, which the child fills */
    size_t *todo; /* the files that this pass is about, by index */
} Pass;

static TestFile *file_of(const Pass *pass, size_t index) {
    return &pass->files->items[pass->todo[index]];
}

/* ---- in the child ---- */

/* The options as they are for a program of this file alone. */
static const Options *options_for(const Pass *pass, const TestFile *file) {
    Options *options = arena_copy(pass->arena, pass->options, sizeof *options);
    Input source = {INPUT_SOURCE, file->path};
    memset(&options->inputs, 0, sizeof options->inputs);
    array_push(pass->arena, &options->inputs, source);
    for (size_t i = 0; i < pass->options->inputs.count; i++) {
        array_push(pass->arena, &options->inputs, pass->options->inputs.items[i]);
    }
    options->is_verbose = false; /* -v is about the tests */
    return options;
}

/* When it has no errors, its tests are in *file. */
static Unit *read_unit(const Pass *pass, TestFile *file) {
    const Options *options = options_for(pass, file);
    Unit *unit = unit_create(pass->arena, options, pass->installation);
    unit->needs_main = true;
    array_push(pass->arena, &unit->paths, file->path);
    if (unit_parse(unit) && unit->tree->kind == NODE_UNIT) {
        memset(&file->tests, 0, sizeof file->tests);
        test_main_find(unit, file);
        test_main_add(unit, file);
    }
    return unit;
}

/* The answer, line by line: s and a source, p and the path of the program, t and a test, e and
 * how that is to end. */
static void write_answer(const Unit *unit, const TestFile *file, int answer) {
    FILE *to = fdopen(answer, "w");
    if (!to) {
        fatal("cannot write what was read:");
    }
    const SourceMap *sources = unit->compiler.sources;
    for (uint32_t i = 1; i <= source_file_count(sources); i++) {
        fprintf(to, "s%s\n", source_file(sources, i)->path);
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
    Unit *unit = read_unit(pass, file);
    bool is_read = !unit_has_errors(unit);
    if (is_read) {
        file->program = run_cache_path(pass->arena, pass->cache, run_key(unit));
    }
    write_answer(unit, file, pass->answers[index]);
    return is_read ? EXIT_OK : EXIT_ERRORS;
}

static int make_in_child(void *context, size_t index) {
    const Pass *pass = context;
    TestFile *file = file_of(pass, index);
    const char *program = file->program;
    Unit *unit = read_unit(pass, file);
    if (unit_has_errors(unit)) {
        return EXIT_ERRORS; /* it was changed meanwhile */
    }
    bool is_good = unit_check(unit) && test_main_check(unit, file);
    is_good = !unit_has_errors(unit) && is_good;
    return is_good ? run_make(unit, pass->backend, program) : EXIT_ERRORS;
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
        case 'p': file->program = line + 1; break;
        case 't': take_test(pass, file, line + 1); break;
        case 'e': take_expected(file, line + 1); break;
        default: bug("an answer that nobody gives: %s", line);
        }
    }
    file->is_made = file->program && run_cache_has(file->program);
}

static void note_status(TestFile *file, const ChildResult *result) {
    file->status = result->status;
    file->said = result->length ? result->text : "";
}

static void have_read(void *context, size_t index, const ChildResult *result) {
    const Pass *pass = context;
    TestFile *file = file_of(pass, index);
    note_status(file, result);
    take_answer(pass, file, pass->answers[index]);
    close(pass->answers[index]);
}

static void have_made(void *context, size_t index, const ChildResult *result) {
    TestFile *file = file_of(context, index);
    note_status(file, result);
    file->is_made = result->status == EXIT_OK;
}

static unsigned width_of(const Options *options) {
    return options->test.jobs ? options->test.jobs : child_pool_width();
}

void test_files_read(Arena *arena, const Options *options, const RunCache *cache,
                     TestFiles *files) {
    Installation installation = installation_find(arena);
    Pass pass = {arena, options, &installation, NULL, cache, files, NULL, NULL};
    pass.answers = arena_new_array(arena, int, files->count);
    pass.todo = arena_new_array(arena, size_t, files->count);
    for (size_t i = 0; i < files->count; i++) {
        pass.todo[i] = i;
        pass.answers[i] = memfd_create("occc-tests", MFD_CLOEXEC);
        if (pass.answers[i] < 0) {
            fatal("cannot make a temporary file:");
        }
    }
    ChildWork work = {files->count, width_of(options), 0, &pass, read_in_child, have_read};
    child_pool_run(arena, &work);
}

void test_files_make(Arena *arena, const Options *options, TestFiles *files) {
    Installation installation = installation_find(arena);
    Pass pass = {arena, options, &installation, NULL, NULL, files, NULL, NULL};
    pass.todo = arena_new_array(arena, size_t, files->count);
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (files->items[i].program && !files->items[i].is_made && files->items[i].tests.count) {
            pass.todo[count++] = i;
        }
    }
    if (count == 0) {
        return; /* and the code generator need not be loaded */
    }
    Backend backend = backend_open(&installation);
    pass.backend = &backend;
    ChildWork work = {count, width_of(options), 0, &pass, make_in_child, have_made};
    child_pool_run(arena, &work);
}
