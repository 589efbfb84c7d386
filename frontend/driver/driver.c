/* driver -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "driver.h"

#include "deadlock.h"
#include "driver_file.h"
#include "driver_link.h"
#include "driver_output.h"
#include "explain.h"
#include "export.h"
#include "format.h"
#include "graph.h"
#include "pass.h"
#include "run.h"
#include "version.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- one unit ---- */

/* Through all passes. False: there is nothing to generate; *status says whether that is a failure.
 */
static bool check_unit(Unit *unit, int *status) {
    unit_parse(unit);
    bool is_ready = unit_check(unit);
    *status = unit_has_errors(unit) ? EXIT_ERRORS : EXIT_OK;
    return is_ready && *status == EXIT_OK;
}

static int check_only(Arena *arena, const Options *options, const Installation *installation,
                      const char *path) {
    Unit *unit = unit_create(arena, options, installation);
    array_push(arena, &unit->paths, path);
    int status;
    check_unit(unit, &status);
    const char *target = output_default(arena, path, OUTPUT_OBJECT);
    if (status == EXIT_OK && options->writes_dependencies && !depend_write(unit, target)) {
        return EXIT_ERRORS;
    }
    return status == EXIT_OK && options->checks_deadlock ? deadlock_check(unit, path) : status;
}

static int compile_separately(Arena *arena, const Options *options,
                              const Installation *installation, const char *path) {
    CodegenOutput kind = output_kind(options);
    const char *output = output_of_unit(arena, options, path);
    Unit *unit = unit_create(arena, options, installation);
    array_push(arena, &unit->paths, path);
    unit_export(unit);
    int status;
    if (!check_unit(unit, &status) || options->is_dry) {
        return status;
    }
    if (!output_is_unread(unit, output)) {
        return EXIT_ERRORS;
    }
    if (kind != OUTPUT_OBJECT && unit->main_process.proc) {
        unit_keep_to_itself(unit); /* to be read: the program, not all that others could call */
    }
    Backend backend = backend_open(installation);
    NamelessFile file = nameless_file(arena, "occc-output");
    /* the output last: make takes a new one for complete */
    bool is_done = unit_generate(unit, &backend, kind, file.path) && !unit_has_errors(unit) &&
                   (!options->writes_dependencies || depend_write(unit, output)) &&
                   nameless_file_publish(arena, &file, output);
    if (!is_done) {
        diag_finish(unit->compiler.diag);
    }
    return is_done ? EXIT_OK : EXIT_ERRORS;
}

/* -MM: what the output would depend on; nothing is checked. */
static int list_dependencies(Arena *arena, const Options *options, const Installation *installation,
                             const char *path) {
    Unit *unit = unit_create(arena, options, installation);
    array_push(arena, &unit->paths, path);
    unit_parse(unit);
    bool has_errors = unit_has_errors(unit);
    bool is_done = !has_errors && depend_write(unit, output_default(arena, path, OUTPUT_OBJECT));
    return is_done ? EXIT_OK : EXIT_ERRORS;
}

/* ---- programs ---- */

static Unit *program_unit(Arena *arena, const Options *options, const Installation *installation) {
    Unit *unit = unit_create(arena, options, installation);
    unit->needs_main = true;
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind == INPUT_SOURCE) {
            array_push(arena, &unit->paths, options->inputs.items[i].word);
        } else if (options->inputs.items[i].kind == INPUT_OBJECT) {
            unit->needs_main = false; /* an object may have it */
        }
    }
    return unit;
}

static int make_program(Arena *arena, const Options *options, const Installation *installation) {
    const char *output = output_of_program(options);
    Unit *unit = program_unit(arena, options, installation);
    const char *made = NULL;
    int status = EXIT_OK;
    if (unit->paths.count && !check_unit(unit, &status)) {
        return status;
    }
    if (!options->is_dry && !output_is_unread(unit, output)) {
        return EXIT_ERRORS;
    }
    if (unit->paths.count) {
        NamelessFile file = nameless_file(arena, "occc-unit.o");
        if (!options->is_dry) {
            Backend backend = backend_open(installation);
            if (!unit_generate(unit, &backend, OUTPUT_OBJECT, file.path)) {
                diag_finish(unit->compiler.diag);
                return EXIT_ERRORS;
            }
        }
        diag_finish(unit->compiler.diag);
        made = file.path;
    }
    LinkRequest request = {options, installation, unit->compiler.units, made, output, false};
    status = driver_link(arena, &request);
    if (status == EXIT_OK && options->writes_dependencies && unit->paths.count &&
        !depend_write(unit, output)) {
        status = EXIT_ERRORS;
    }
    return status;
}

/* ---- the line ---- */

static bool has_source(const Options *options) {
    bool is_found = false;
    for (size_t i = 0; i < options->inputs.count; i++) {
        is_found = is_found || options->inputs.items[i].kind == INPUT_SOURCE;
    }
    return is_found;
}

static int for_each_source(Arena *arena, const Options *options, const Installation *installation) {
    int status = EXIT_OK;
    UnitTable *units = units_of_options(arena, options, installation);
    for (size_t i = 0; i < options->inputs.count; i++) {
        const Input *input = &options->inputs.items[i];
        int one = EXIT_OK;
        if (input->kind != INPUT_SOURCE && has_source(options) &&
            units_has_input(units, options, input)) {
            continue; /* #USE looks into it */
        }
        if (input->kind != INPUT_SOURCE) {
            driver_warning("%s: 'linker' input unused", input->word);
        } else if (options->writes_only_dependencies) {
            one = list_dependencies(arena, options, installation, input->word);
        } else if (options->stage == STAGE_CHECK || options->stop_after) {
            one = check_only(arena, options, installation, input->word);
        } else {
            one = compile_separately(arena, options, installation, input->word);
        }
        status = one > status ? one : status;
    }
    return status;
}

static bool inputs_are_there(const Options *options) {
    bool all = true;
    for (size_t i = 0; i < options->inputs.count; i++) {
        const Input *input = &options->inputs.items[i];
        if (input->kind == INPUT_WORD || strcmp(input->word, "-") == 0) {
            continue;
        }
        if (access(input->word, F_OK) != 0) {
            driver_error("no such file or directory: '%s'", input->word);
            all = false;
        }
    }
    return all;
}

static bool passes_are_known(const Options *options) {
    const char *names[] = {options->stop_after, options->print_after};
    for (size_t i = 0; i < 2; i++) {
        if (names[i] && !pass_is_known(names[i])) {
            driver_error(
                "there is no pass '%s': parse, types, effects, clock, alias, usage, unused, "
                "flow",
                names[i]);
            return false;
        }
    }
    return true;
}

static int print_version(const Installation *installation) {
    printf("occc %s\nTarget: x86_64-linux-gnu\nRuntime: %s\n", OCCC_VERSION, installation->runtime);
    if (fflush(stdout) != 0) {
        fatal("cannot write to standard output:");
    }
    return EXIT_OK;
}

int driver_run(Arena *arena, const Options *options) {
    Installation installation = installation_find(arena);
    if (options->command == COMMAND_VERSION) {
        return print_version(&installation);
    }
    if (options->command == COMMAND_EXPLAIN) {
        return explain_run(arena, options, &installation);
    }
    if (options->is_verbose || options->is_dry) {
        fprintf(stderr, "occc %s\n", OCCC_VERSION);
    }
    if (!passes_are_known(options)) {
        return EXIT_USAGE;
    }
    if (!inputs_are_there(options)) {
        return EXIT_ERRORS;
    }
    if (options->inputs.count == 0) {
        return EXIT_OK; /* -v alone */
    }
    if (options->command == COMMAND_FORMAT) {
        return format_run(arena, options, &installation);
    }
    if (options->command == COMMAND_GRAPH) {
        return graph_run(arena, options, &installation);
    }
    if (options->command == COMMAND_EXPORT) {
        return export_run(arena, options, &installation);
    }
    if (options_makes_and_runs(options) && !options->stop_after) {
        return run_program(arena, options, &installation);
    }
    if (!outputs_are_apart(arena, options)) {
        return EXIT_ERRORS;
    }
    if (options->stage == STAGE_PROGRAM && !options->stop_after) {
        return make_program(arena, options, &installation);
    }
    return for_each_source(arena, options, &installation);
}
