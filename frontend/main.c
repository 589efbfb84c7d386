/* main -- start and end of the compiler.
 *
 * Owns:   nothing; reads the command line and hands it to the driver. */
#define _XOPEN_SOURCE 700

#include "add.h"
#include "crash.h"
#include "debug.h"
#include "diag_sink.h"
#include "doc.h"
#include "driver.h"
#include "lsp.h"
#include "new.h"
#include "package.h"
#include "play.h"
#include "test.h"
#include "top.h"
#include "trace.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
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

/* The compiler soon needs again what it has freed: memory returned to the system would come back
 * page by page, each cleared. */
static void keep_memory(void) {
    enum { MEGABYTE = 1 << 20 };
    mallopt(M_MMAP_THRESHOLD, 32 * MEGABYTE);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, 16 * MEGABYTE);
}

static int run_driver(Arena *arena, Options *options) {
    keep_memory();
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
    case COMMAND_EXPLORE:
    case COMMAND_EXPLAIN:
    case COMMAND_FORMAT:
    case COMMAND_GRAPH:
    case COMMAND_EXPORT:
    case COMMAND_VERSION: return run_driver(arena, options);
    case COMMAND_DOC: return doc_run(arena, options);
    case COMMAND_TRACE: return trace_run(arena, options);
    case COMMAND_DEBUG: return debug_run(arena, options);
    case COMMAND_TOP: return top_run(arena, options);
    case COMMAND_SERVE: return lsp_run(arena, options);
    case COMMAND_PLAY: return play_run(arena, options);
    case COMMAND_TEST: return test_run(arena, options);
    case COMMAND_BUILD: return package_build(arena, options);
    case COMMAND_ADD: return add_run(arena, options);
    case COMMAND_NEW: return new_run(arena, options);
    case COMMAND_REPRODUCE: return crash_reproduce(arena, options->reproduces);
    case COMMAND_HELP: is_printed = options_print_help(); break;
    case COMMAND_TOPIC: is_printed = options_print_topic(options->topic); break;
    }
    if (!is_printed) {
        fatal("cannot write to standard output:");
    }
    return EXIT_OK;
}

/* A closed standard stream must stay unusable: no file of ours may get its number, and a write to
 * it must fail, so each is opened in the direction it is not used in. */
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
    /* A closed pipe and a file that may not grow are errors that are reported, and we wait for our
     * children ourselves. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    Arena *arena = arena_create();
    crash_catch(arena);
    int status = run(arena, count, words);
    arena_destroy(arena);
    return status;
}
