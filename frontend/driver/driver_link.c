/* driver_link -- see the header. */
#define _XOPEN_SOURCE 700

#include "driver_link.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where units are ---- */

/* -lNAME as an archive in a directory of -L; NULL: the system's business. */
static const char *library_path(Arena *arena, const Options *options, const char *word) {
    for (size_t i = 0; strncmp(word, "-l", 2) == 0 && i < options->library_directories.count; i++) {
        const char *path =
            arena_format(arena, "%s/lib%s.a", options->library_directories.items[i], word + 2);
        if (access(path, R_OK) == 0) {
            return path;
        }
    }
    return NULL;
}

static const char *input_path(Arena *arena, const Options *options, const Input *input) {
    switch (input->kind) {
    case INPUT_SOURCE: return NULL;
    case INPUT_OBJECT: return input->word;
    case INPUT_WORD: return library_path(arena, options, input->word);
    }
    return NULL;
}

bool units_has_input(UnitTable *units, const Options *options, const Input *input) {
    const char *path = input_path(units->arena, options, input);
    return path && unit_file(units, path);
}

UnitTable *units_of_options(Arena *arena, const Options *options,
                            const Installation *installation) {
    UnitTable *table = unit_table_create(arena);
    table->stops = options->stop_mode;
    for (size_t i = 0; i < options->include_directories.count; i++) {
        array_push(arena, &table->directories, options->include_directories.items[i]);
    }
    for (size_t i = 0; i < options->library_directories.count; i++) {
        array_push(arena, &table->directories, options->library_directories.items[i]);
    }
    array_push(arena, &table->directories, installation->stdlib);
    for (size_t i = 0; i < options->inputs.count; i++) {
        const char *path = input_path(arena, options, &options->inputs.items[i]);
        if (path) {
            array_push(arena, &table->objects, path);
        }
    }
    return table;
}

/* ---- what is linked ---- */

typedef struct Linking {
    Arena *arena;
    const LinkRequest *request;
    LinkOptions options;
    ARRAY_OF(const char *) present; /* real paths of what is linked already */
} Linking;

static bool note_present(Linking *linking, const char *path) {
    char room[PATH_MAX];
    const char *real = realpath(path, room);
    const char *own = arena_format(linking->arena, "%s", real ? real : path);
    for (size_t i = 0; i < linking->present.count; i++) {
        if (strcmp(linking->present.items[i], own) == 0) {
            return false;
        }
    }
    array_push(linking->arena, &linking->present, own);
    return true;
}

static void add_inputs(Linking *linking) {
    const Options *options = linking->request->options;
    const char *made = linking->request->made;
    for (size_t i = 0; i < options->inputs.count; i++) {
        const Input *input = &options->inputs.items[i];
        if (input->kind == INPUT_OBJECT) {
            note_present(linking, input->word);
        }
        const char *library =
            input->kind == INPUT_WORD ? library_path(linking->arena, options, input->word) : NULL;
        if (library) {
            note_present(linking, library);
        }
        if (input->kind != INPUT_SOURCE) {
            array_push(linking->arena, &linking->options.inputs, input->word);
        } else if (made) {
            array_push(linking->arena, &linking->options.inputs, made);
            made = NULL;
        }
    }
}

/* What the units of the objects use; those found are looked into as well. */
static void add_used(Linking *linking) {
    UnitTable *units = linking->request->units;
    ARRAY_OF(const char *) queue = {0};
    for (size_t i = 0; i < units->used.count; i++) {
        const char *object = units->used.items[i]->object;
        if (object && note_present(linking, object)) {
            array_push(linking->arena, &linking->options.optional, object);
            array_push(linking->arena, &queue, object);
        }
    }
    for (size_t i = 0; i < units->objects.count; i++) {
        array_push(linking->arena, &queue, units->objects.items[i]);
    }
    for (size_t i = 0; i < queue.count; i++) {
        const UnitFile *file = unit_file(units, queue.items[i]);
        for (size_t k = 0; file && !file->fault && k < file->records.count; k++) {
            const UnitRecord *record = file->records.items[k];
            for (size_t n = 0; n < record->interface->uses.count; n++) {
                UnitAnswer answer = UNIT_NOWHERE;
                const InterfaceUse *use = &record->interface->uses.items[n];
                const UnitRecord *other = unit_search_use(units, record, use, &answer);
                if (other && other->object != file->path && note_present(linking, other->object)) {
                    array_push(linking->arena, &linking->options.optional, other->object);
                    array_push(linking->arena, &queue, other->object);
                }
            }
        }
    }
}

/* The carrier, and the words that link it. False: it was not made. */
static bool add_mpi(Linking *linking) {
    const char *object = linking->request->installation->mpi;
    const char *list = arena_format(linking->arena, "%.*slink", (int)strlen(object) - 1, object);
    FILE *file = fopen(list, "r");
    if (!file) {
        return false;
    }
    array_push(linking->arena, &linking->options.inputs, object);
    char word[4096];
    while (fscanf(file, "%4095s", word) == 1) {
        array_push(linking->arena, &linking->options.inputs,
                   arena_format(linking->arena, "%s", word));
    }
    (void)fclose(file);
    return true;
}

int driver_link(Arena *arena, const LinkRequest *request) {
    const Options *options = request->options;
    Linking linking = {.arena = arena, .request = request};
    linking.options.output = request->output;
    linking.options.runtime = request->installation->runtime;
    linking.options.is_verbose = options->is_verbose;
    linking.options.has_programs = request->has_programs;
    linking.options.is_dry = options->is_dry;
    for (size_t i = 0; i < options->library_directories.count; i++) {
        array_push(arena, &linking.options.search, options->library_directories.items[i]);
    }
    if (options->is_static) {
        array_push(arena, &linking.options.inputs, "-static");
    }
    if (options_explores(options)) { /* runtime/explore/choice.c */
        array_push(arena, &linking.options.inputs, "-Wl,-u,runner_begin");
    }
    add_inputs(&linking);
    if (options->is_mpi && !add_mpi(&linking)) {
        driver_error("this occc was made without MPI: install libopenmpi-dev and make it again");
        return EXIT_ERRORS;
    }
    add_used(&linking);
    const char *fault = link_program(arena, &linking.options);
    if (fault) {
        driver_error("%s", fault);
    }
    return fault ? EXIT_ERRORS : EXIT_OK;
}
