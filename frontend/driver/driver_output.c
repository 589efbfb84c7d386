/* driver_output -- the files that a run writes. See driver_output.h. */
#define _POSIX_C_SOURCE 200809L

#include "driver_output.h"

#include "array.h"
#include "unit.h"

#include <string.h>
#include <sys/stat.h>

#define DEFAULT_PROGRAM "a.out"

/* ---- names ---- */

CodegenOutput output_kind(const Options *options) {
    if (options->emits_llvm) {
        return options->stage == STAGE_ASSEMBLY ? OUTPUT_LLVM_IR : OUTPUT_BITCODE;
    }
    return options->stage == STAGE_ASSEMBLY ? OUTPUT_ASSEMBLY : OUTPUT_OBJECT;
}

static const char *suffix_of(CodegenOutput output) {
    switch (output) {
    case OUTPUT_OBJECT: return "o";
    case OUTPUT_ASSEMBLY: return "s";
    case OUTPUT_LLVM_IR: return "ll";
    case OUTPUT_BITCODE: return "bc";
    }
    return "o";
}

/* hello.occ -> hello.o in the current directory. */
const char *output_default(Arena *arena, const char *source, CodegenOutput output) {
    const char *name = path_name(source);
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    return arena_format(arena, "%.*s.%s", length, name, suffix_of(output));
}

const char *output_of_unit(Arena *arena, const Options *options, const char *source) {
    return options->output ? options->output : output_default(arena, source, output_kind(options));
}

const char *output_of_program(const Options *options) {
    return options->output ? options->output : DEFAULT_PROGRAM;
}

/* ---- one file under two names ---- */

/* Standard output and devices may be written any number of times. */
static bool is_kept(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode));
}

static bool is_same(const char *one, const char *other) {
    struct stat first;
    struct stat second;
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static bool overwrites(const char *output, const char *input) {
    if (!is_kept(output) || strcmp(input, "-") == 0 || !is_same(output, input)) {
        return false;
    }
    driver_error("input file '%s' is the same as output file", input);
    return true;
}

/* ---- before anything is read ---- */

/* Planned -- what will be written so far, each with what it is made of. */
typedef struct Planned {
    Arena *arena;
    const Options *options;
    Words paths;
    Words purposes;
    bool is_right;
} Planned;

static void plan(Planned *planned, const char *path, const char *purpose) {
    for (size_t i = 0; i < planned->options->inputs.count; i++) {
        const Input *input = &planned->options->inputs.items[i];
        if (input->kind != INPUT_WORD && overwrites(path, input->word)) {
            planned->is_right = false;
            return;
        }
    }
    for (size_t i = 0; is_kept(path) && i < planned->paths.count; i++) {
        const char *other = planned->paths.items[i];
        if (strcmp(path, other) == 0 || is_same(path, other)) {
            driver_error("'%s' would be written twice: for %s and for %s", path,
                         planned->purposes.items[i], purpose);
            planned->is_right = false;
            return;
        }
    }
    array_push(planned->arena, &planned->paths, path);
    array_push(planned->arena, &planned->purposes, purpose);
}

static void plan_rule(Planned *planned, const char *target, const char *source) {
    plan(planned, depend_path(planned->arena, planned->options, target),
         arena_format(planned->arena, "the dependencies of '%s'", source));
}

static void plan_unit(Planned *planned, const char *source) {
    const Options *options = planned->options;
    const char *object = output_default(planned->arena, source, OUTPUT_OBJECT);
    if (options->writes_only_dependencies) {
        plan_rule(planned, object, source);
        return;
    }
    const char *output = output_of_unit(planned->arena, options, source);
    if (options->stage == STAGE_CHECK || options->stop_after) {
        output = object;
    } else {
        plan(planned, output, arena_format(planned->arena, "'%s'", source));
    }
    if (options->writes_dependencies) {
        plan_rule(planned, output, source);
    }
}

static void plan_program(Planned *planned) {
    const char *output = output_of_program(planned->options);
    plan(planned, output, "the program");
    if (planned->options->writes_dependencies) {
        plan_rule(planned, output, output);
    }
}

bool outputs_are_apart(Arena *arena, const Options *options) {
    Planned planned = {.arena = arena, .options = options, .is_right = true};
    bool makes_program = options->stage == STAGE_PROGRAM && !options->stop_after &&
                         !options->writes_only_dependencies;
    if (makes_program) {
        plan_program(&planned);
    }
    for (size_t i = 0; !makes_program && i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind == INPUT_SOURCE) {
            plan_unit(&planned, options->inputs.items[i].word);
        }
    }
    return planned.is_right;
}

/* ---- once all is read ---- */

bool output_is_unread(const Unit *unit, const char *path) {
    const SourceMap *sources = unit->compiler.sources;
    const UnitTable *units = unit->compiler.units;
    for (uint32_t number = 1; number <= source_file_count(sources); number++) {
        const SourceFile *file = source_file(sources, number);
        if (!file->is_generated && overwrites(path, file->path)) {
            return false;
        }
    }
    for (size_t i = 0; i < units->objects.count; i++) {
        if (overwrites(path, units->objects.items[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < units->used.count; i++) {
        const char *object = units->used.items[i]->object;
        if (object && overwrites(path, object)) {
            return false;
        }
    }
    return true;
}
