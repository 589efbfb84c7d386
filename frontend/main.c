/* main -- start and end of the compiler.
 *
 * Owns:   nothing; reads the command line and hands it to the driver. */
#define _POSIX_C_SOURCE 200809L

#include "driver.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

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

/* A standard stream that is closed stays unusable: no file of ours may take its number, and what is
 * written to it must fail, so each gets the direction it is not used in. */
static void occupy_standard_streams(void) {
    static const int wrong_way[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", wrong_way[stream]) < 0) {
            _exit(EXIT_ERRORS);
        }
    }
}

int main(int count, char **words) {
    occupy_standard_streams();
    /* A closed pipe is an error that is reported, and we wait for our children ourselves. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    Arena *arena = arena_create();
    int status = run(arena, count, words);
    arena_destroy(arena);
    return status;
}
