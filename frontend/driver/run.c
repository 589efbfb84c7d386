/* run -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "run.h"

#include "diag_sink.h"
#include "digest.h"
#include "driver_file.h"
#include "driver_link.h"
#include "explore_alts.h"
#include "run_cache.h"
#include "version.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

/* ---- the key ---- */

static void add_options(Digest *digest, const Options *options) {
    uint64_t numbers[] = {
        options->optimisation,   options->optimises_for_size,  options->debug,
        options->no_checks,      options->stop_mode,           options->is_static,
        options->is_mpi,         options->warnings_are_errors, options->no_warnings,
        options->check_reals,    options->frame_pointer,       options->coverage,
        options->placed_survive, options->passes_off,          options_explores(options)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        digest_add_number(digest, numbers[i]);
    }
    digest_add_string(digest, options->cpu);
    digest_add_string(digest, getenv("CC"));
    digest_add_strings(digest, options->defines.items, options->defines.count);
    digest_add_strings(digest, options->warnings.items, options->warnings.count);
    digest_add_strings(digest, options->library_directories.items,
                       options->library_directories.count);
    for (size_t i = 0; i < options->inputs.count; i++) {
        const Input *input = &options->inputs.items[i];
        digest_add_string(digest, input->word);
        if (input->kind == INPUT_OBJECT) {
            digest_add_file(digest, input->word);
        }
    }
}

const char *run_key(const Unit *unit) {
    Digest digest;
    digest_begin(&digest);
    digest_add_string(&digest, OCCC_VERSION);
    digest_add_file(&digest, unit->installation->compiler);
    digest_add_file(&digest, unit->installation->codegen);
    digest_add_file(&digest, unit->installation->runtime);
    add_options(&digest, unit->options);
    for (uint32_t number = 1; number <= source_file_count(unit->compiler.sources); number++) {
        const SourceFile *file = source_file(unit->compiler.sources, number);
        digest_add_string(&digest, file->path);
        digest_add_number(&digest, file->length);
        digest_add(&digest, file->bytes, file->length);
    }
    const UnitTable *units = unit->compiler.units;
    for (size_t i = 0; i < units->used.count; i++) {
        if (units->used.items[i]->object) {
            digest_add_file(&digest, units->used.items[i]->object);
        }
    }
    char *hex = arena_allocate(unit->arena, DIGEST_HEX_LENGTH + 1);
    digest_end(&digest, hex);
    return hex;
}

/* ---- making and starting the program ---- */

/* The program of this key, and the one of the same key whose checks had warnings. */
typedef struct CachedPaths {
    const char *plain;
    const char *warned;
} CachedPaths;

int run_make(Unit *unit, const Backend *backend, const char *output) {
    NamelessFile file = nameless_file(unit->arena, "occc-unit.o");
    if (!unit_generate(unit, backend, OUTPUT_OBJECT, file.path) || unit_has_errors(unit)) {
        diag_finish(unit->compiler.diag);
        return EXIT_ERRORS;
    }
    LinkRequest request = {
        unit->options, unit->installation, unit->compiler.units, file.path, output, false};
    int status = driver_link(unit->arena, &request);
    close(file.descriptor);
    return status;
}

/* The path it went to in *made. */
static int build(Unit *unit, const CachedPaths *paths, const char **made) {
    bool is_ready = unit_check(unit);
    if (unit_has_errors(unit) || !is_ready) {
        return EXIT_ERRORS;
    }
    Backend backend = backend_open(unit->installation);
    *made = diag_warning_count(unit->compiler.diag) > 0 ? paths->warned : paths->plain;
    return run_make(unit, &backend, *made);
}

static char **program_words(const Unit *unit) {
    const Words *words = &unit->options->program_words;
    char **result = arena_new_array(unit->arena, char *, words->count + 2);
    result[0] = arena_format(unit->arena, "%s", unit->paths.items[0]);
    for (size_t i = 0; i < words->count; i++) {
        result[i + 1] = arena_format(unit->arena, "%s", words->items[i]);
    }
    return result;
}

/* The program stays until all its runs are done. */
static int explore(const Unit *unit, const ExploreBounds *bounds, const RunCache *cache,
                   const char *path) {
    diag_sink_close(unit->options->sink, EXIT_OK);
    int status = explore_program(unit->arena, path, program_words(unit), bounds);
    if (cache->is_temporary) {
        unlink(path);
        rmdir(cache->folder);
    }
    return status;
}

/* The job of an MPI launcher, which is started instead of the program. */
static char **job_words(const Unit *unit, const char *path, char **program) {
    size_t count = 0;
    while (program[count]) {
        count++;
    }
    ARRAY_OF(char *) words = {0};
    char *ranks = arena_format(unit->arena, "%s", unit->options->ranks);
    if (unit->options->placed_survive) {
        setenv("OMPI_MCA_orte_enable_recovery", "1", 1);
    }
    char *head[] = {"mpirun", "--oversubscribe", "-n", ranks,
                    arena_format(unit->arena, "%s", path)};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        array_push(unit->arena, &words, head[i]);
    }
    for (size_t i = 1; i <= count; i++) {
        array_push(unit->arena, &words, program[i]);
    }
    return words.items;
}

static void start_job(const Unit *unit, const char *path, char **program) {
    if (geteuid() == 0) { /* else it refuses */
        setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
        setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    }
    execvp("mpirun", job_words(unit, path, program));
    fatal("cannot start mpirun:");
}

/* Does not come back when the program starts. */
static int start(const Unit *unit, const RunCache *cache, const char *path) {
    char **words = program_words(unit);
    diag_sink_close(unit->options->sink, EXIT_OK); /* standard error is the program's now */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (unit->options->ranks && unit->options->is_mpi) {
        start_job(unit, path, words);
    } else if (unit->options->ranks) {
        setenv("OCC_RANKS", unit->options->ranks, 1);
    }
    if (!cache->is_temporary) {
        execve(path, words, environ);
        fatal("cannot start the program '%s':", path);
    }
    int program = open(path, O_RDONLY | O_CLOEXEC);
    int reason = errno;
    unlink(path);
    rmdir(cache->folder);
    errno = reason;
    if (program >= 0) {
        fexecve(program, words, environ);
    }
    fatal("cannot start the program:");
}

static CachedPaths cached_paths(Unit *unit, const RunCache *cache) {
    const char *key = run_key(unit);
    return (CachedPaths){
        run_cache_path(unit->arena, cache, key),
        run_cache_path(unit->arena, cache, arena_format(unit->arena, "%s-warned", key))};
}

/* The path of the program when it was made before; NULL otherwise. Warnings are said on every run:
 * the checks are done again, which costs little. */
static const char *find_cached(Unit *unit, const RunCache *cache, const CachedPaths *paths) {
    if (run_cache_use(cache, paths->plain)) {
        diag_finish(unit->compiler.diag);
        return paths->plain;
    }
    if (run_cache_use(cache, paths->warned)) {
        if (!unit_check(unit)) {
            bug("the program was made before and has errors now");
        }
        diag_finish(unit->compiler.diag);
        return paths->warned;
    }
    return NULL;
}

static Unit *create_unit(Arena *arena, const Options *options, const Installation *installation) {
    Unit *unit = unit_create(arena, options, installation);
    unit->needs_main = true;
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind == INPUT_SOURCE) {
            array_push(arena, &unit->paths, options->inputs.items[i].word);
        }
    }
    return unit;
}

int run_program(Arena *arena, const Options *options, const Installation *installation) {
    Unit *unit = create_unit(arena, options, installation);
    bool is_parsed = unit_parse(unit);
    if (!is_parsed || options->is_dry) {
        CachedPaths nowhere = {"a.out", "a.out"};
        const char *made = NULL;
        return build(unit, &nowhere, &made);
    }
    ExploreBounds bounds = options->explore;
    if (options->command == COMMAND_EXPLORE) {
        bounds.tells_sizes = options->is_verbose;
        explore_alts(arena, unit->compiler.sources, unit->tree, &bounds);
    }
    RunCache cache = run_cache_open(arena, RUN_CACHE_PROGRAMS);
    CachedPaths paths = cached_paths(unit, &cache);
    const char *path = find_cached(unit, &cache, &paths);
    if (!path) {
        int status = build(unit, &paths, &path);
        if (status != EXIT_OK) {
            if (cache.is_temporary) {
                rmdir(cache.folder);
            }
            return status;
        }
        if (!cache.is_temporary) {
            run_cache_trim(arena, &cache);
        }
    }
    return options->command == COMMAND_EXPLORE ? explore(unit, &bounds, &cache, path)
                                               : start(unit, &cache, path);
}
