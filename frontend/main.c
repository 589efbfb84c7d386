/* main -- start and end of the compiler.
 *
 * Owns:   nothing; reads the command line and hands it to the driver. */
#include "driver.h"

#include <signal.h>
#include <stdio.h>

static int run(Arena *arena, int count, char **words) {
    const Options *options = options_parse(arena, count, words);
    if (!options) {
        return EXIT_USAGE;
    }
    if (options->command == COMMAND_HELP) {
        if (!options_print_help()) {
            fatal("cannot write to standard output:");
        }
        return EXIT_OK;
    }
    return driver_run(arena, options);
}

int main(int count, char **words) {
    /* A closed pipe is an error that is reported, and we wait for our children ourselves. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    Arena *arena = arena_create();
    int status = run(arena, count, words);
    arena_destroy(arena);
    return status;
}
