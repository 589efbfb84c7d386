/* test_make -- the programs of files of tests. See test_file.h.
 *
 * Holds:  each file is compiled by a child of its own, so that what is said is said of that file.
 *         To link costs ten times as much as to compile: many files become one executable, which
 *         has a name for each. Files that do not go together are linked in two halves. */
#define _POSIX_C_SOURCE 200809L

#include "child_pool.h"
#include "driver_file.h"
#include "driver_link.h"
#include "test_main.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { GROUP_LIMIT = 25 };

typedef struct Object {
    TestFile *file;
    NamelessFile code; /* which a child fills */
} Object;

typedef struct Group {
    const Object *objects;
    size_t count;
} Group;

typedef struct Making {
    Arena *arena;
    const Options *options;
    const Installation *installation;
    Backend backend;
    Object *objects;
    ARRAY_OF(Group) groups; /* those behind the ones that are linked come from their failures */
    size_t first_group;     /* of those that are linked now */
} Making;

static void note_end(TestFile *file, const ChildResult *result) {
    file->status = result->status;
    file->said = result->length ? result->text : file->said;
}

/* ---- compiling ---- */

static int compile_in_child(void *context, size_t index) {
    const Making *making = context;
    const Object *object = &making->objects[index];
    TestFile *file = object->file;
    Unit *unit = test_file_parse(making->arena, making->options, making->installation, file);
    unit->is_one_of_many = true;
    if (unit_has_errors(unit)) {
        return EXIT_ERRORS; /* it was changed meanwhile */
    }
    bool is_good = unit_check(unit) && test_main_check(unit, file);
    is_good = !unit_has_errors(unit) && is_good &&
              unit_generate(unit, &making->backend, OUTPUT_OBJECT, object->code.path);
    return !unit_has_errors(unit) && is_good ? EXIT_OK : EXIT_ERRORS;
}

static void have_compiled(void *context, size_t index, const ChildResult *result) {
    const Making *making = context;
    note_end(making->objects[index].file, result);
}

/* ---- linking ---- */

/* Objects of units that the files use. */
static void add_used(UnitTable *units, const TestFile *file) {
    for (size_t i = 0; i < file->objects.count; i++) {
        const UnitFile *used = unit_file(units, file->objects.items[i]);
        if (used && used->records.count > 0 && !used->records.items[0]->used) {
            unit_add_record(units, used->records.items[0]);
        }
    }
}

static int link_group(const Making *making, const Group *group, const char *output) {
    Options *options = arena_copy(making->arena, making->options, sizeof *options);
    options->is_verbose = false; /* -v is about the tests */
    memset(&options->inputs, 0, sizeof options->inputs);
    for (size_t i = 0; i < group->count; i++) {
        Input input = {INPUT_OBJECT, group->objects[i].code.path};
        array_push(making->arena, &options->inputs, input);
    }
    for (size_t i = 0; i < making->options->inputs.count; i++) {
        array_push(making->arena, &options->inputs, making->options->inputs.items[i]);
    }
    UnitTable *units = units_of_options(making->arena, options, making->installation);
    for (size_t i = 0; i < group->count; i++) {
        add_used(units, group->objects[i].file);
    }
    LinkRequest request = {options, making->installation, units, NULL, output, true};
    return driver_link(making->arena, &request);
}

/* The names of an executable: one for each file. */
static int link_in_child(void *context, size_t index) {
    const Making *making = context;
    const Group *group = &making->groups.items[making->first_group + index];
    const char *output = group->objects[0].file->program;
    int status = link_group(making, group, output);
    for (size_t i = 1; i < group->count && status == EXIT_OK; i++) {
        bool is_named = link(output, group->objects[i].file->program) == 0 || errno == EEXIST;
        status = is_named ? EXIT_OK : EXIT_ERRORS;
    }
    return status;
}

static void add_group(Making *making, const Object *objects, size_t count) {
    Group group = {objects, count};
    array_push(making->arena, &making->groups, group);
}

static void have_linked(void *context, size_t index, const ChildResult *result) {
    Making *making = context;
    Group group = making->groups.items[making->first_group + index];
    if (result->status != EXIT_OK && group.count > 1) {
        add_group(making, group.objects, group.count / 2);
        add_group(making, group.objects + group.count / 2, group.count - group.count / 2);
        return;
    }
    for (size_t i = 0; i < group.count; i++) {
        TestFile *file = group.objects[i].file;
        if (result->status != EXIT_OK) {
            note_end(file, result);
        }
        file->is_made = result->status == EXIT_OK;
    }
}

/* ---- all of it ---- */

static bool is_to_make(const TestFile *file) {
    return file->program && !file->is_made && file->tests.count > 0;
}

/* Those that compiled, dealt out; the others go to the end. */
static void begin_groups(Making *making, size_t count, size_t width) {
    size_t good = 0;
    for (size_t i = 0; i < count; i++) {
        Object object = making->objects[i];
        if (object.file->status == EXIT_OK) {
            making->objects[i] = making->objects[good];
            making->objects[good++] = object;
        }
    }
    size_t size = making->options->coverage ? 1 : (good + width - 1) / width;
    for (size_t i = 0; i < good; i += size) {
        add_group(making, &making->objects[i], good - i < size ? good - i : size);
    }
}

static void make_some(Making *making, size_t count) {
    unsigned width = test_jobs(making->options);
    ChildWork compiling = {count, width, 0, making, compile_in_child, have_compiled};
    child_pool_run(making->arena, &compiling);
    begin_groups(making, count, width);
    while (making->first_group < making->groups.count) {
        size_t last = making->groups.count;
        ChildWork linking = {
            last - making->first_group, width, 0, making, link_in_child, have_linked};
        child_pool_run(making->arena, &linking);
        making->first_group = last;
    }
    for (size_t i = 0; i < count; i++) {
        close(making->objects[i].code.descriptor);
    }
}

void test_files_make(Arena *arena, const Options *options, TestFiles *files) {
    size_t limit = (size_t)GROUP_LIMIT * test_jobs(options);
    Installation installation = installation_find(arena);
    Making making = {.arena = arena, .options = options, .installation = &installation};
    making.objects = arena_new_array(arena, Object, limit);
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (is_to_make(&files->items[i])) {
            if (!making.backend.unit) { /* it need not be loaded when there is nothing to make */
                making.backend = backend_open(&installation);
            }
            making.objects[count++] =
                (Object){&files->items[i], nameless_file(arena, "occc-test.o")};
        }
        if (count > 0 && (count == limit || i + 1 == files->count)) {
            make_some(&making, count);
            count = 0;
        }
    }
}
