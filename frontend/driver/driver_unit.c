/* driver_unit -- one unit: its compiler, its passes, its main PROC, its code. See driver.h. */
#include "check.h"
#include "driver.h"
#include "driver_link.h"
#include "host_main.h"
#include "interface_text.h"
#include "pass.h"
#include "server.h"

#include <string.h>

/* ---- warnings ---- */

static const char *nearest_warning(Unit *unit, const char *word) {
    const char *prefixes[] = {"-Wno-error=", "-Werror=", "-Wno-", "-W"};
    size_t skip = 0;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && skip == 0; i++) {
        size_t length = strlen(prefixes[i]);
        skip = strncmp(word, prefixes[i], length) == 0 ? length : 0;
    }
    const Text *said = text_intern_string(unit->compiler.texts, word + skip);
    const char *nearest = NULL;
    unsigned best = 4;
    for (unsigned id = 0; id < DIAG_COUNT; id++) {
        const char *name = diag_name((DiagId)id);
        const Text *text = text_intern_string(unit->compiler.texts, name);
        unsigned distance = text_distance(said, text, best);
        if (distance < best) {
            best = distance;
            nearest = arena_format(unit->arena, "%.*s%s", (int)skip, word, name);
        }
    }
    return nearest;
}

static void set_warnings(Unit *unit) {
    for (size_t i = 0; i < unit->options->warnings.count; i++) {
        const char *word = unit->options->warnings.items[i];
        if (diag_set_warning(unit->compiler.diag, word)) {
            continue;
        }
        const char *near = nearest_warning(unit, word);
        if (near && strcmp(near, word) != 0) {
            driver_warning("unknown warning option '%s'; did you mean '%s'?", word, near);
        } else {
            driver_warning("'%s' does not fit: there is no such warning, or it is an error that "
                           "cannot be relaxed",
                           word);
        }
    }
}

/* ---- set-up ---- */

static DiagSettings diag_settings(const Options *options) {
    return (DiagSettings){
        .error_limit = options->error_limit,
        .warnings_are_errors = options->warnings_are_errors,
        .no_warnings = options->no_warnings,
        .has_parseable_fixits = options->has_parseable_fixits,
        .colour = options->colour,
        .sink = options->sink,
    };
}

Unit *unit_create(Arena *arena, const Options *options, const Installation *installation) {
    Unit *unit = arena_new(arena, Unit);
    unit->arena = arena;
    unit->options = options;
    unit->installation = installation;
    Compiler *compiler = &unit->compiler;
    compiler->arena = arena_create_within(arena);
    compiler->texts = text_table_create(arena);
    compiler->sources = source_map_create(arena);
    compiler->diag = diag_create(arena, compiler->sources, stderr, diag_settings(options));
    for (size_t i = 0; i < options->defines.count; i++) {
        array_push(arena, &compiler->defines, options->defines.items[i]);
    }
    for (size_t i = 0; i < options->include_directories.count; i++) {
        source_add_search_directory(compiler->sources, options->include_directories.items[i]);
    }
    source_add_search_directory(compiler->sources, installation->stdlib);
    compiler->units = units_of_options(arena, options, installation);
    set_warnings(unit);
    return unit;
}

/* ---- passes ---- */

static PassRequest pass_request(const Unit *unit) {
    return (PassRequest){
        .paths = unit->paths.items,
        .path_count = unit->paths.count,
        .stop_after = unit->options->stop_after,
        .print_after = unit->options->print_after,
        .verifies_each = unit->options->verify_each,
    };
}

bool unit_has_errors(Unit *unit) {
    diag_finish(unit->compiler.diag);
    return diag_error_count(unit->compiler.diag) > 0;
}

bool unit_parse(Unit *unit) {
    PassRequest request = pass_request(unit);
    unit->tree = pass_parse(&unit->compiler, &request);
    if (diag_error_count(unit->compiler.diag) == 0) {
        host_main_find(&unit->compiler, unit->tree);
        if (unit->options->stage != STAGE_CHECK) {
            host_main_add(&unit->compiler, unit->tree);
        }
    }
    return diag_error_count(unit->compiler.diag) == 0;
}

_Static_assert((int)MAIN_KEYBOARD == (int)ROLE_KEYBOARD && (int)MAIN_SCREEN == (int)ROLE_SCREEN &&
                   (int)MAIN_ERROR == (int)ROLE_ERROR,
               "the checks and the code generator number the roles alike");

/* A unit that is not linked here may be a library: then nothing is said about its last PROC. */
static void find_main(Unit *unit) {
    Compiler compiler = unit->compiler;
    FILE *nowhere = NULL;
    if (!unit->needs_main) {
        nowhere = fopen("/dev/null", "w");
        DiagSettings settings = diag_settings(unit->options);
        settings.sink = NULL;
        compiler.diag =
            diag_create(unit->arena, compiler.sources, nowhere ? nowhere : stderr, settings);
    }
    MainChannel roles[MAIN_CHANNEL_LIMIT];
    MainProcess *found = &unit->main_process;
    found->proc = check_find_main(&compiler, unit->tree, roles, &found->role_count);
    for (size_t i = 0; found->proc && i < found->role_count; i++) {
        found->roles[i] = (MainRole)roles[i];
    }
    if (nowhere) {
        fclose(nowhere);
    }
}

bool unit_check(Unit *unit) {
    PassRequest request = pass_request(unit);
    if (!pass_check(&unit->compiler, unit->tree, &request)) {
        return false;
    }
    if (diag_error_count(unit->compiler.diag) == 0) {
        server_check(&unit->compiler, unit->tree);
    }
    if (unit->options->stage != STAGE_CHECK) {
        find_main(unit);
    }
    return diag_error_count(unit->compiler.diag) == 0;
}

/* ---- code ---- */

/* Characters that symbols cannot have become dots. */
const char *unit_name_of(Arena *arena, const char *path) {
    char *stem = arena_format(arena, "%s", path_name(path));
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem) {
        *dot = '\0';
    }
    for (char *c = stem; *c; c++) {
        bool is_letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!is_letter && !(*c >= '0' && *c <= '9')) {
            *c = '.';
        }
    }
    return strcmp(path, "-") == 0 ? "stdin" : stem;
}

void unit_export(Unit *unit) {
    const char *main_file = unit->paths.items[unit->paths.count - 1];
    Arena *arena = arena_create_within(unit->compiler.arena);
    unit->compiler.tape = arena_new(arena, TokenTape);
    unit->compiler.tape->arena = arena;
    unit->compiler.units->own_name = unit_name_of(unit->arena, main_file);
}

void unit_keep_to_itself(Unit *unit) {
    if (unit->compiler.tape) {
        arena_destroy(unit->compiler.tape->arena);
        unit->compiler.tape = NULL;
    }
}

/* The names of #PRAGMA LINK, a line each. */
static const char *libraries_text(const Unit *unit) {
    const char *text = "";
    for (size_t i = 0; i < unit->compiler.libraries.count; i++) {
        text = arena_format(unit->arena, "%s%s\n", text, unit->compiler.libraries.items[i]);
    }
    return text;
}

bool unit_generate(Unit *unit, const Backend *backend, CodegenOutput output, const char *path) {
    const Options *options = unit->options;
    const char *main_file = unit->paths.items[unit->paths.count - 1];
    CodegenOptions codegen = {
        .unit_name = unit_name_of(unit->arena, main_file),
        .main_file = main_file,
        .optimisation = options->optimisation,
        .for_size = options->optimises_for_size,
        .debug = options->debug,
        .checks = !options->no_checks,
        .coverage = options->coverage,
        .keeps_no_turns = options_explores(options),
        .stop_mode = options->stop_mode,
        .placed_survive = options->placed_survive,
        .frame_pointer = options->frame_pointer,
        .check_reals = options->check_reals,
        .passes_off = options->passes_off,
        .verify_each = options->verify_each,
        .fault = (CodegenFault)options->fault,
        .reproduces = options->reproduces,
        .output = output,
        .target_cpu = options->cpu,
        .libraries = libraries_text(unit),
        .is_one_of_many = unit->is_one_of_many,
    };
    if (unit->compiler.tape) {
        InterfaceRequest request = {codegen.unit_name, main_file};
        interface_text_name(&unit->compiler, unit->tree, codegen.unit_name);
        size_t *length = &codegen.interface_length;
        const char *text = interface_text_write(&unit->compiler, unit->tree, &request, length);
        codegen.interface = arena_copy(unit->arena, text, *length);
        unit_keep_to_itself(unit);
    }
    Node *tree = unit->tree;
    unit->tree = NULL;
    return backend->unit(unit->arena, unit->compiler.arena, unit->compiler.sources,
                         unit->compiler.diag, tree, &unit->main_process, &codegen, path);
}
