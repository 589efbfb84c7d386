/* debug -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "debug.h"

#include <errno.h>
#include <unistd.h>

static bool is_source(const char *word) {
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".occ") == 0;
}

int debug_run(Arena *arena, const Options *options) {
    Installation installation = installation_find(arena);
    Words words = {NULL, 0, 0};
    const char *const before[] = {"gdb", "-q", "-x", installation.processes};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        array_push(arena, &words, before[i]);
    }
    for (size_t i = 0; i < options->program_words.count; i++) {
        const char *word = options->program_words.items[i];
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
