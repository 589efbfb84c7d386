/* main -- start and end of the compiler.
 *
 * Owns:   nothing; reads the command line and hands it to the driver. */
#define _XOPEN_SOURCE 700

#include "diag_sink.h"
#include "driver.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* The file that -fdiagnostics-format=sarif-file is named after. */
static const char *first_source(const Options *options) {
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (options->inputs.items[i].kind == INPUT_SOURCE) {
            return options->inputs.items[i].word;
        }
    }
    return "occc";
}

static int run_driver(Arena *arena, Options *options) {
    options->sink = diag_sink_open(options->diag_format, first_source(options));
    int status = driver_run(arena, options);
    diag_sink_close(options->sink, status);
    return status;
}

static int run(Arena *arena, int count, char **words) {
    Options *options = options_parse(arena, count, words);
    if (!options) {
        return EXIT_USAGE;
    }
    bool is_printed = true;
    switch (options->command) {
    case COMMAND_COMPILE:
    case COMMAND_RUN:
    case COMMAND_EXPLAIN:
    case COMMAND_FORMAT:
    case COMMAND_VERSION: return run_driver(arena, options);
    case COMMAND_HELP: is_printed = options_print_help(); break;
    case COMMAND_TOPIC: is_printed = options_print_topic(options->topic); break;
    }
    if (!is_printed) {
        fatal("cannot write to standard output:");
    }
    return EXIT_OK;
}

#ifndef __SANITIZE_ADDRESS__
#define CRASH_STACK_BYTES (64 * 1024)

/* Nothing but what may be called in a signal handler. */
static void on_crash(int number) {
    static const char words[] =
        "occc: internal error: the compiler crashed\nThis is a fault of the compiler, not of your "
        "program. Please report it with the program that shows it.\n";
    ssize_t wrote = write(STDERR_FILENO, words, sizeof words - 1);
    (void)wrote;
    (void)number;
    _exit(EXIT_BUG);
}

/* A crash, also for want of stack, ends like every fault of ours: with what to do and status 70. */
static void catch_crashes(Arena *arena) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    stack_t stack = {.ss_sp = arena_allocate(arena, CRASH_STACK_BYTES),
                     .ss_size = CRASH_STACK_BYTES};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        sigaction(crashes[i], &action, NULL);
    }
}
#else
static void catch_crashes(Arena *arena) {
    (void)arena; /* the sanitizer says more */
}
#endif

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
    catch_crashes(arena);
    int status = run(arena, count, words);
    arena_destroy(arena);
    return status;
}
