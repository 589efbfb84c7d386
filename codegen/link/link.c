/* link -- see the header. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "link.h"

#include "../../frontend/base/text.h"
#include "command.h"
#include "layout_offsets.h"
#include "link_input.h"
#include "link_sizes.h"
#include "link_units.h"
#include "llvm_compat.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define VERSION_SYMBOL "occ_abi_version"

typedef struct Linker {
    Arena *arena;
    const LinkOptions *options;
    LinkInput *input;
    LinkWords archives; /* named on the command line */
    LinkWords chosen;   /* those of the optional objects and of the archives that are wanted */
    const char *sizes;  /* path of the object with the sizes */
    int sizes_file;     /* its descriptor; -1: none */
    bool has_debug;     /* one of the objects has debug information */
    LinkWords programs; /* symbols of the records of main PROCs */
    const char *target; /* what the linker writes: beside the output, then renamed */
} Linker;

/* ---- what is linked ---- */

static bool ends_with(const char *text, const char *end) {
    size_t length = strlen(text);
    size_t end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The archive of -lNAME in a directory of -L; NULL: left to the system's linker. */
static const char *find_library(const Linker *linker, const char *word) {
    const LinkWords *search = &linker->options->search;
    for (size_t i = 0; i < search->count; i++) {
        const char *path =
            arena_format(linker->arena, "%s/lib%s.a", search->items[i], word + strlen("-l"));
        if (access(path, R_OK) == 0) {
            return path;
        }
    }
    return NULL;
}

/* Add the optional objects that are wanted behind the others, and again each archive that stands
 * before an object that uses it. */
static const char *choose_optional(Linker *linker) {
    LinkWords wanted = {0};
    for (size_t i = 0; i < linker->options->optional.count; i++) {
        array_push(linker->arena, &wanted, linker->options->optional.items[i]);
    }
    for (size_t i = 0; i < linker->archives.count; i++) {
        array_push(linker->arena, &wanted, linker->archives.items[i]);
    }
    const char **chosen = arena_new_array(linker->arena, const char *, wanted.count + 1);
    size_t count = 0;
    const char *fault =
        link_input_add_optional(linker->input, wanted.items, wanted.count, chosen, &count);
    for (size_t i = 0; i < count; i++) {
        array_push(linker->arena, &linker->chosen, chosen[i]);
    }
    return fault;
}

static const char *read_inputs(Linker *linker) {
    const LinkWords *words = &linker->options->inputs;
    const char *fault = NULL;
    for (size_t i = 0; i < words->count && !fault; i++) {
        const char *path = words->items[i];
        if (strncmp(path, "-l", 2) == 0) {
            path = find_library(linker, path);
        } else if (path[0] == '-') {
            path = NULL;
        }
        fault = path && !ends_with(path, ".so") ? link_input_add(linker->input, path) : NULL;
        if (path && ends_with(path, ".a")) {
            array_push(linker->arena, &linker->archives, path);
        }
    }
    return fault;
}

static const char *check_versions(const Linker *linker) {
    for (size_t i = 0; i < linker->input->objects.count; i++) {
        const LinkObject *object = linker->input->objects.items[i];
        const StackTable *table = object->table;
        if (table && (table->abi_version != LAYOUT_ABI_VERSION ||
                      table->llvm_version != compat_llvm_version())) {
            return arena_format(linker->arena,
                                "'%s' was made by another version of occc (interface %u, LLVM %u; "
                                "this is interface %u, LLVM %u); compile it again",
                                object->name, table->abi_version, table->llvm_version,
                                (unsigned)LAYOUT_ABI_VERSION, compat_llvm_version());
        }
    }
    return NULL;
}

/* Only the user's objects: the runtime is not among them yet. */
static bool find_debug(const Linker *linker) {
    for (size_t i = 0; i < linker->input->objects.count; i++) {
        if (elf_find_section(&linker->input->objects.items[i]->elf, ".debug_info") != 0) {
            return true;
        }
    }
    return false;
}

/* The value of the runtime's version constant; 0: it has none. */
static uint32_t version_in(const LinkObject *object) {
    for (size_t i = 1; i < object->elf.symbol_count; i++) {
        const Elf64_Sym *symbol = &object->elf.symbols[i];
        size_t size;
        const uint8_t *bytes = elf_section_bytes(&object->elf, symbol->st_shndx, &size);
        if (bytes && strcmp(elf_symbol_name(&object->elf, symbol), VERSION_SYMBOL) == 0 &&
            symbol->st_value + 4 <= size) {
            uint32_t version;
            memcpy(&version, bytes + symbol->st_value, sizeof version);
            return version;
        }
    }
    return 0;
}

static const char *check_runtime(const Linker *linker) {
    const char *runtime = linker->options->runtime;
    LinkObject *member;
    const char *fault = link_input_find_member(linker->arena, runtime, VERSION_SYMBOL, &member);
    uint32_t version = member ? version_in(member) : 0;
    if (!fault && version != LAYOUT_ABI_VERSION) {
        fault =
            arena_format(linker->arena, "the runtime '%s' has interface %u, this compiler needs %u",
                         runtime, version, (unsigned)LAYOUT_ABI_VERSION);
    }
    return fault;
}

/* ---- the command ---- */

/* A file without a name: it vanishes when this process ends, however that happens. */
static const char *store_sizes(Linker *linker, ElfBytes object) {
    int file = memfd_create("occ-sizes.o", 0);
    size_t done = 0;
    while (file >= 0 && done < object.size) {
        ssize_t wrote = write(file, object.bytes + done, object.size - done);
        if (wrote <= 0) {
            break;
        }
        done += (size_t)wrote;
    }
    if (file < 0 || done < object.size) {
        return arena_format(linker->arena, "cannot store the sizes of processes: %s",
                            strerror(errno));
    }
    linker->sizes = arena_format(linker->arena, "/dev/fd/%d", file);
    linker->sizes_file = file;
    return NULL;
}

/* The words of $CC, or cc. */
static void add_linker_name(Linker *linker, LinkWords *words) {
    const char *name = getenv("CC");
    char *rest = arena_format(linker->arena, "%s", name ? name : "");
    char *saved = NULL;
    for (char *word = strtok_r(rest, " \t", &saved); word; word = strtok_r(NULL, " \t", &saved)) {
        array_push(linker->arena, words, word);
    }
    if (words->count == 0) {
        array_push(linker->arena, words, "cc");
    }
}

/* -lNAME for each library that a selected object names, each once. */
static void add_libraries(const Linker *linker, LinkWords *words) {
    size_t first = words->count;
    for (size_t i = 0; i < linker->input->objects.count; i++) {
        const ElfFile *object = &linker->input->objects.items[i]->elf;
        size_t section = elf_find_section(object, LIBRARIES_SECTION);
        size_t size = 0;
        const char *text = section ? (const char *)elf_section_bytes(object, section, &size) : NULL;
        while (size > 0) {
            const char *end = memchr(text, '\n', size);
            size_t length = end ? (size_t)(end - text) : size;
            const char *word = arena_format(linker->arena, "-l%.*s", (int)length, text);
            bool is_new = true;
            for (size_t k = first; k < words->count && is_new; k++) {
                is_new = strcmp(words->items[k], word) != 0;
            }
            if (is_new) {
                array_push(linker->arena, words, word);
            }
            size -= end ? length + 1 : length;
            text += length + 1;
        }
    }
}

/* Not position independent: the addresses in generated tables are then constants. Bound at once: a
 * lazily bound call would run the dynamic linker on a process's stack. */
static LinkWords make_command(Linker *linker) {
    LinkWords words = {0};
    Arena *arena = linker->arena;
    add_linker_name(linker, &words);
    const char *head[] = {"-no-pie", "-Wl,-z,now", "-o", linker->target, linker->sizes};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
        array_push(arena, &words, head[i]);
    }
    if (!linker->options->is_dry && !linker->has_debug) { /* the runtime's alone helps nobody */
        array_push(arena, &words, "-Wl,--strip-debug");
    }
    if (linker->programs.count > 0 && strcmp(linker->programs.items[0], PROGRAM_SYMBOL) != 0) {
        array_push(
            arena, &words,
            arena_format(arena, "-Wl,--defsym," PROGRAM_SYMBOL "=%s", linker->programs.items[0]));
    }
    for (size_t i = 0; i < linker->options->search.count; i++) {
        array_push(arena, &words, arena_format(arena, "-L%s", linker->options->search.items[i]));
    }
    for (size_t i = 0; i < linker->options->inputs.count; i++) {
        array_push(arena, &words, linker->options->inputs.items[i]);
    }
    const LinkWords *more = linker->options->is_dry ? &linker->options->optional : &linker->chosen;
    if (more->count > 1) { /* they may need each other */
        array_push(arena, &words, "-Wl,--start-group");
    }
    for (size_t i = 0; i < more->count; i++) {
        array_push(arena, &words, more->items[i]);
    }
    if (more->count > 1) {
        array_push(arena, &words, "-Wl,--end-group");
    }
    array_push(arena, &words, linker->options->runtime);
    add_libraries(linker, &words);
    array_push(arena, &words, "-lm");
    array_push(arena, &words, NULL);
    return words;
}

static void print_command(const LinkWords *words) {
    for (size_t i = 0; i + 1 < words->count; i++) {
        fprintf(stderr, " \"%s\"", words->items[i]);
    }
    fputc('\n', stderr);
}

static bool is_plain_output(const char *path) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

static const char *run_command(Linker *linker, const LinkWords *words) {
    CommandGuard guard = command_guard();
    int status = command_run(&guard, (char *const *)(const void *)words->items);
    const char *fault = NULL;
    if (status < 0) {
        fault = arena_format(linker->arena, "cannot run the linker '%s': %s", words->items[0],
                             strerror(errno));
    } else if (status > 0) {
        fault = arena_format(linker->arena,
                             "linker command failed with exit code %d (use -v to see invocation)",
                             status);
    }
    bool is_beside = linker->target != linker->options->output;
    if (!fault && is_beside && rename(linker->target, linker->options->output) != 0) {
        fault = arena_format(linker->arena, "unable to open output file '%s': '%s'",
                             linker->options->output, strerror(errno));
    }
    if (fault && is_beside) {
        unlink(linker->target);
    }
    command_release(&guard);
    return fault;
}

static const char *check_output(const Linker *linker) {
    const char *output = linker->options->output;
    const char *slash = strrchr(output, '/');
    const char *directory =
        slash ? arena_format(linker->arena, "%.*s", (int)(slash - output + 1), output) : ".";
    struct stat status;
    int reason = 0;
    if (stat(output, &status) == 0 && S_ISDIR(status.st_mode)) {
        reason = EISDIR;
    } else if (is_plain_output(output) && access(directory, W_OK) != 0) {
        reason = errno;
    }
    return reason ? arena_format(linker->arena, "unable to open output file '%s': '%s'", output,
                                 strerror(reason))
                  : NULL;
}

/* The checks in order; the first fault ends the link. */
static const char *prepare(Linker *linker) {
    const char *fault = check_output(linker);
    fault = fault ? fault : read_inputs(linker);
    fault = fault ? fault : choose_optional(linker);
    linker->has_debug = find_debug(linker);
    fault = fault ? fault : check_versions(linker);
    fault = fault ? fault : link_units_check(linker->arena, linker->input);
    fault = fault ? fault
                  : link_units_main(linker->arena, linker->input, linker->options->has_programs,
                                    &linker->programs);
    fault = fault ? fault : check_runtime(linker);
    ElfBytes object = {NULL, 0};
    fault = fault ? fault : link_sizes(linker->arena, linker->input, &linker->programs, &object);
    return fault ? fault : store_sizes(linker, object);
}

const char *link_program(Arena *arena, const LinkOptions *options) {
    Linker linker = {.arena = arena, .options = options, .input = link_input_create(arena)};
    linker.sizes = "occ-sizes.o";
    linker.sizes_file = -1;
    linker.target = options->output;
    if (!options->is_dry) {
        const char *fault = prepare(&linker);
        if (fault) {
            return fault;
        }
        if (is_plain_output(options->output)) {
            linker.target = arena_format(arena, "%s.%ld", options->output, (long)getpid());
        }
    }
    LinkWords words = make_command(&linker);
    if (options->is_dry || options->is_verbose) {
        print_command(&words);
    }
    const char *fault = options->is_dry ? NULL : run_command(&linker, &words);
    if (linker.sizes_file >= 0) {
        close(linker.sizes_file); /* `occc run` becomes the program, which must not have it */
    }
    return fault;
}
