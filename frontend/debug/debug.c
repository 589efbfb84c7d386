/* debug -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "debug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_source(const char *word) {
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".occ") == 0;
}

/* A script that stands beside processes.py. */
static const char *script_beside(Arena *arena, const Installation *installation, const char *name) {
    const char *slash = strrchr(installation->processes, '/');
    return arena_format(arena, "%.*s/%s", (int)(slash - installation->processes),
                        installation->processes, name);
}

static void add_words(Arena *arena, Words *words, const char *const *more, size_t count) {
    for (size_t i = 0; i < count; i++) {
        array_push(arena, words, more[i]);
    }
}

/* The editor's two descriptors are kept for dap.py; gdb reads commands from a pipe that nobody
 * writes to and never ends, and writes to standard error. */
static bool prepare_adapter(Arena *arena) {
    int silence[2];
    int input = dup(STDIN_FILENO);
    int output = dup(STDOUT_FILENO);
    char own[4096];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (input < 0 || output < 0 || length < 0 || pipe(silence) != 0 ||
        dup2(silence[0], STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        driver_error("cannot prepare the adapter");
        return false;
    }
    own[length] = '\0';
    setenv("OCC_DAP", arena_format(arena, "%d,%d", input, output), 1);
    setenv("OCC_DAP_COMPILER", own, 1);
    return true;
}

int debug_run(Arena *arena, const Options *options) {
    Installation installation = installation_find(arena);
    Words words = {NULL, 0, 0};
    const char *const before[] = {"gdb", "-q",
                                  "-x",  installation.processes,
                                  "-x",  script_beside(arena, &installation, "stepping.py")};
    const char *const adapter[] = {"-nx", "-x", script_beside(arena, &installation, "dap.py")};
    add_words(arena, &words, before, sizeof before / sizeof *before);
    for (size_t i = 0; i < options->program_words.count; i++) {
        const char *word = options->program_words.items[i];
        if (strcmp(word, "--dap") == 0) {
            if (!prepare_adapter(arena)) {
                return EXIT_ERRORS;
            }
            add_words(arena, &words, adapter, sizeof adapter / sizeof *adapter);
            continue;
        }
        if (is_source(word)) {
            driver_error("'%s' is a text; debug the program: occc -g %s -o prog, occc debug ./prog",
                         word, word);
            return EXIT_USAGE;
        }
        array_push(arena, &words, word);
    }
    array_push(arena, &words, NULL);
    execvp("gdb", (char *const *)(void *)words.items);
    driver_error(errno == ENOENT ? "'gdb' is not installed (Debian: apt install gdb)"
                                 : "cannot run 'gdb'");
    return EXIT_ERRORS;
}
