/* package -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "package.h"

#include "child_pool.h"
#include "digest.h"
#include "driver.h"
#include "file.h"
#include "folder.h"
#include "package_unit.h"
#include "seconds.h"
#include "version.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Build {
    Arena *arena;
    const Options *options;
    Installation installation;
    Manifests manifests;
    const char *folder;  /* of what is made: .../build */
    const char *objects; /* build/objects/KEY */
    PackageUnits units;
    bool has_backend;
    size_t compiled;
    size_t linked;
    bool has_failed;
} Build;

/* Work for the children of one step: the words of a command line of occc, or of ar. */
typedef struct Step {
    Build *build;
    ARRAY_OF(Words) commands;
    ARRAY_OF(const char *) about;
    ChildResult *results;
} Step;

/* ---- keys ---- */

static const char *end_key(Arena *arena, Digest *digest) {
    char hex[DIGEST_HEX_LENGTH + 1];
    digest_end(digest, hex);
    return arena_format(arena, "%.16s", hex);
}

/* What is the same for all objects. */
static const char *objects_key(const Build *build) {
    Digest digest;
    digest_begin(&digest);
    digest_add_string(&digest, OCCC_VERSION);
    digest_add_file(&digest, build->installation.codegen);
    digest_add_file(&digest, build->installation.runtime);
    digest_add_file(&digest, build->installation.stdlib);
    digest_add_strings(&digest, build->manifests.items[0]->options.items,
                       build->manifests.items[0]->options.count);
    digest_add_strings(&digest, build->options->build_words.items,
                       build->options->build_words.count);
    return end_key(build->arena, &digest);
}

/* ---- steps ---- */

static void push_all(Arena *arena, Words *to, const Words *from) {
    for (size_t i = 0; i < from->count; i++) {
        array_push(arena, to, from->items[i]);
    }
}

/* The words that every command of the package has. */
static Words common_words(const Build *build) {
    Words words = {0};
    push_all(build->arena, &words, &build->manifests.items[0]->options);
    push_all(build->arena, &words, &build->options->build_words);
    for (size_t i = 0; i < build->manifests.count; i++) {
        const Words *sources = &build->manifests.items[i]->sources;
        for (size_t k = 0; k < sources->count; k++) {
            array_push(build->arena, &words, "-I");
            array_push(build->arena, &words, sources->items[k]);
        }
    }
    return words;
}

static int run_command(void *context, size_t index) {
    const Step *step = context;
    const Words *words = &step->commands.items[index];
    Arena *arena = step->build->arena;
    char **list = arena_new_array(arena, char *, words->count + 2);
    for (size_t i = 0; i < words->count; i++) {
        list[i + 1] = arena_format(arena, "%s", words->items[i]);
    }
    list[0] = arena_format(arena, "occc");
    if (strcmp(words->items[0], "ar") == 0) {
        execvp("ar", list + 1);
        fatal("cannot run ar:");
    }
    Options *options = options_parse(arena, (int)words->count + 1, list);
    return options ? driver_run(arena, options) : EXIT_USAGE;
}

static void command_ended(void *context, size_t index, const ChildResult *result) {
    Step *step = context;
    step->results[index] = *result;
    step->build->has_failed = step->build->has_failed || result->status != 0;
}

/* All commands at once; what they print in the order of the commands. */
static void run_step(Build *build, Step *step) {
    if (step->commands.count == 0) {
        return;
    }
    step->build = build;
    step->results = arena_new_array(build->arena, ChildResult, step->commands.count);
    unsigned jobs = build->options->test.jobs;
    ChildWork work = {step->commands.count, jobs ? jobs : child_pool_width(), 0, step, run_command,
                      command_ended};
    child_pool_run(build->arena, &work);
    for (size_t i = 0; i < step->commands.count; i++) {
        if (build->options->is_verbose) {
            printf("%s\n", step->about.items[i]);
            fflush(stdout);
        }
        fputs(step->results[i].text, stderr);
    }
}

static void add_command(Build *build, Step *step, Words words, const char *about) {
    array_push(build->arena, &step->commands, words);
    array_push(build->arena, &step->about, about);
}

/* What is wrong with them is said once, not by every child. */
static bool options_are_good(const Build *build) {
    Words words = common_words(build);
    char **list = arena_new_array(build->arena, char *, words.count + 3);
    for (size_t i = 0; i < words.count; i++) {
        list[i + 1] = arena_format(build->arena, "%s", words.items[i]);
    }
    list[0] = arena_format(build->arena, "occc");
    list[words.count + 1] = arena_format(build->arena, "-v"); /* no file is needed */
    return options_parse(build->arena, (int)words.count + 2, list) != NULL;
}

/* ---- units ---- */

static void add_compilation(Build *build, Step *step, const PackageUnit *unit) {
    Arena *arena = build->arena;
    Words words = common_words(build);
    Words used = package_unit_closure(arena, &build->units, unit);
    push_all(arena, &words, &used);
    array_push(arena, &words, "-c");
    array_push(arena, &words, "-o");
    array_push(arena, &words, unit->object);
    array_push(arena, &words, unit->path);
    add_command(build, step, words, arena_format(arena, "compile %s", unit->path));
}

/* Those of one level, of which none needs another. */
static void make_level(Build *build, unsigned level) {
    Step step = {0};
    ARRAY_OF(PackageUnit *) stale = {0};
    for (size_t i = 0; i < build->units.count; i++) {
        PackageUnit *unit = &build->units.items[i];
        if (unit->level != level) {
            continue;
        }
        package_unit_look(build->arena, &build->units, unit);
        if (!unit->digest) {
            array_push(build->arena, &stale, unit);
            add_compilation(build, &step, unit);
        }
    }
    if (stale.count > 0 && !build->has_backend) {
        backend_open(&build->installation); /* the children have it then */
        build->has_backend = true;
    }
    run_step(build, &step);
    for (size_t i = 0; i < stale.count; i++) {
        if (step.results[i].status == 0) {
            package_unit_look(build->arena, &build->units, stale.items[i]);
        }
    }
    build->compiled += stale.count;
}

/* ---- programs and the library ---- */

/* What a result is made from; it is made again when that is not what its key file says. */
static const char *result_key(const Build *build, const Words *words) {
    Digest digest;
    digest_begin(&digest);
    digest_add_string(&digest, build->objects);
    for (size_t i = 0; i < words->count; i++) {
        digest_add_string(&digest, words->items[i]);
        if (string_has_suffix(words->items[i], ".o")) {
            digest_add_file(&digest, words->items[i]);
        }
    }
    return end_key(build->arena, &digest);
}

static bool is_made(const Build *build, const char *key_path, const char *key, const char *result) {
    FileText text;
    return access(result, F_OK) == 0 && access(key_path, F_OK) == 0 &&
           file_read(build->arena, key_path, &text) && strcmp(text.bytes, key) == 0;
}

/* A result that is to be made, and the file that says from what it was. */
typedef struct Result {
    const char *key_path;
    const char *key;
} Result;

typedef ARRAY_OF(Result) Results;

static void add_result(Build *build, Step *step, Results *results, Words words,
                       const char *result) {
    const char *part = strrchr(result, '/') + 1;
    Result one = {arena_format(build->arena, "%s/objects/%s.key", build->folder, part),
                  result_key(build, &words)};
    if (!is_made(build, one.key_path, one.key, result)) {
        array_push(build->arena, results, one);
        add_command(build, step, words, arena_format(build->arena, "link %s", result));
    }
}

static void add_program(Build *build, Step *step, Results *results,
                        const ManifestProgram *program) {
    Arena *arena = build->arena;
    const PackageUnit *unit = package_unit_of_path(&build->units, program->main);
    const char *output = arena_format(arena, "%s/bin/%s", build->folder, program->name);
    Words words = common_words(build);
    Words used = package_unit_closure(arena, &build->units, unit);
    array_push(arena, &words, unit->object);
    push_all(arena, &words, &used);
    for (size_t i = 0; i < build->manifests.count; i++) {
        const Words *libraries = &build->manifests.items[i]->libraries;
        for (size_t k = 0; k < libraries->count; k++) {
            array_push(arena, &words, arena_format(arena, "-l%s", libraries->items[k]));
        }
    }
    array_push(arena, &words, "-o");
    array_push(arena, &words, output);
    add_result(build, step, results, words, output);
}

/* The units of the package itself, without the programs. */
static void add_library(Build *build, Step *step, Results *results) {
    Arena *arena = build->arena;
    const Manifest *manifest = build->manifests.items[0];
    const char *output = arena_format(arena, "%s/lib/lib%s.a", build->folder, manifest->library);
    Words words = {0};
    array_push(arena, &words, "ar");
    array_push(arena, &words, "rcsD");
    array_push(arena, &words, output);
    for (size_t i = 0; i < build->units.count; i++) {
        const PackageUnit *unit = &build->units.items[i];
        bool is_program = false;
        for (size_t k = 0; k < manifest->programs.count; k++) {
            is_program = is_program || strcmp(manifest->programs.items[k].main, unit->path) == 0;
        }
        if (!is_program) {
            array_push(arena, &words, unit->object);
        }
    }
    size_t before = step->commands.count;
    add_result(build, step, results, words, output);
    if (step->commands.count > before) {
        unlink(output); /* ar would keep members of units that are gone */
    }
}

static void make_results(Build *build) {
    const Manifest *manifest = build->manifests.items[0];
    Step step = {0};
    Results results = {0};
    folder_make(build->arena, arena_format(build->arena, "%s/bin", build->folder));
    for (size_t i = 0; i < manifest->programs.count; i++) {
        add_program(build, &step, &results, &manifest->programs.items[i]);
    }
    if (manifest->library) {
        folder_make(build->arena, arena_format(build->arena, "%s/lib", build->folder));
        add_library(build, &step, &results);
    }
    run_step(build, &step);
    for (size_t i = 0; i < results.count; i++) {
        const Result *result = &results.items[i];
        if (step.results[i].status == 0 &&
            !file_write(result->key_path, result->key, strlen(result->key))) {
            fatal("cannot write '%s':", result->key_path);
        }
    }
    build->linked = results.count;
}

/* ---- the whole ---- */

static void report(const Build *build, double seconds) {
    const Manifest *manifest = build->manifests.items[0];
    if (build->compiled == 0 && build->linked == 0) {
        printf("%s is up to date\n", manifest->name);
    } else {
        printf("%s: %zu of %zu units compiled, in %.2f s\n", manifest->name, build->compiled,
               build->units.count, seconds);
    }
    fflush(stdout);
}

/* What is made is the same from wherever it is made: paths in it begin in the package's folder.
 * Editors know the line from make. */
static bool enter(Arena *arena, const char *folder) {
    char *room = arena_allocate(arena, PATH_MAX);
    if (chdir(folder) != 0 || !getcwd(room, PATH_MAX)) {
        driver_error("cannot go to the folder '%s'", folder);
        return false;
    }
    printf("occc: Entering directory '%s'\n", room);
    return true;
}

int package_build(Arena *arena, const Options *options) {
    double began = seconds_now();
    const char *folder = manifest_find(arena);
    if (!folder) {
        driver_error("there is no " MANIFEST_NAME " here or above; 'occc new' makes a package");
        return EXIT_ERRORS;
    }
    if (*folder && !enter(arena, folder)) {
        return EXIT_ERRORS;
    }
    Build build = {.arena = arena, .options = options};
    build.installation = installation_find(arena);
    if (!manifest_read_all(arena, "", &build.manifests)) {
        return EXIT_ERRORS;
    }
    if (!options_are_good(&build)) {
        return EXIT_USAGE;
    }
    build.folder = "build";
    build.objects = arena_format(arena, "%s/objects/%s", build.folder, objects_key(&build));
    folder_make(arena, build.objects);
    if (!package_units_find(arena, &build.manifests, build.objects, &build.units)) {
        return EXIT_ERRORS;
    }
    for (unsigned level = 0; level < build.units.levels && !build.has_failed; level++) {
        make_level(&build, level);
    }
    if (!build.has_failed) {
        make_results(&build);
    }
    if (build.has_failed) {
        return EXIT_ERRORS;
    }
    report(&build, seconds_now() - began);
    return EXIT_OK;
}
