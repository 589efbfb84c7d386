/* sizing -- see the header. */
#define _GNU_SOURCE

#include "sizing.h"

#include "diag_sink.h"
#include "driver.h"
#include "driver_file.h"
#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the child ---- */

static void write_sizes(Arena *arena, const char *object, const char *unit_name, int pipe) {
    RoutineSizes sizes = {0};
    FILE *to = fdopen(pipe, "w");
    if (!to || link_routine_sizes(arena, object, &sizes)) {
        return;
    }
    size_t prefix = strlen(unit_name);
    for (size_t i = 0; i < sizes.count; i++) {
        const RoutineSize *size = &sizes.items[i];
        if (strncmp(size->name, unit_name, prefix) == 0 && size->name[prefix] == '.') {
            fprintf(to, "%s %llu %llu\n", size->name + prefix + 1,
                    (unsigned long long)size->stack_bytes, (unsigned long long)size->process_bytes);
        }
    }
    fflush(to);
}

/* As a unit: then no routine is left out. */
static _Noreturn void measure(const Server *server, const Document *document, int pipe) {
    Arena *arena = arena_create();
    Options options = *server->options;
    options.sink = diag_sink_collect(arena, json_array());
    options.stage = STAGE_OBJECT;
    Unit *unit = analysis_unit(arena, &options, server, document, NULL);
    unit_export(unit);
    if (!unit_parse(unit) || !unit_check(unit) || unit_has_errors(unit)) {
        _exit(EXIT_ERRORS);
    }
    Backend backend = backend_open(&server->installation);
    NamelessFile object = nameless_file(arena, "occc-unit.o");
    if (!unit_generate(unit, &backend, OUTPUT_OBJECT, object.path)) {
        _exit(EXIT_ERRORS);
    }
    write_sizes(arena, object.path, unit_name_of(arena, document->path), pipe);
    _exit(EXIT_OK);
}

/* ---- in the server ---- */

static void start(Server *server, Document *document) {
    int ends[2];
    document->wants_sizes = false;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        analysis_child(parent);
        (void)!nice(10);
        measure(server, document, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    server->sizing = (Sizing){document, child, ends[0], arena_create(), ""};
}

static bool is_without_errors(const Document *document) {
    return document->is_current && document->latest->survey->is_whole;
}

void sizing_start(Server *server) {
    for (size_t i = server->documents.count; i-- > 0 && !server->sizing.document;) {
        Document *document = server->documents.items[i];
        if (server->wants_sizes && document->wants_sizes && !document->is_closed &&
            is_without_errors(document)) {
            start(server, document);
        }
    }
}

static void end_child(Sizing *sizing) {
    close(sizing->pipe);
    while (waitpid(sizing->child, NULL, 0) < 0 && errno == EINTR) {
    }
    sizing->document = NULL;
}

void sizing_cancel(Server *server, const Document *document) {
    Sizing *sizing = &server->sizing;
    if (sizing->document && (!document || sizing->document == document)) {
        kill(sizing->child, SIGKILL);
        end_child(sizing);
        arena_destroy(sizing->arena);
    }
}

static void finish(Server *server) {
    Sizing *sizing = &server->sizing;
    Document *document = sizing->document;
    if (document->sizes_arena) {
        arena_destroy(document->sizes_arena);
    }
    document->sizes_arena = sizing->arena;
    document->sizes = sizing->text;
    end_child(sizing);
    if (server->refreshes_lenses) {
        transport_request(&server->transport, "workspace/codeLens/refresh");
    }
}

void sizing_read(Server *server) {
    char bytes[4096];
    for (;;) {
        ssize_t got = read(server->sizing.pipe, bytes, sizeof bytes);
        if (got > 0) {
            server->sizing.text =
                arena_format(server->sizing.arena, "%s%.*s", server->sizing.text, (int)got, bytes);
        } else if (got == 0) {
            finish(server);
            return;
        } else if (errno != EINTR) {
            return;
        }
    }
}

const char *sizing_words(Arena *arena, const Document *document, const char *routine) {
    size_t length = strlen(routine);
    for (const char *line = document->sizes; line && *line; line = strchr(line, '\n') + 1) {
        unsigned long long stack = 0;
        unsigned long long process = 0;
        if (strncmp(line, routine, length) == 0 &&
            sscanf(line + length, " %llu %llu\n", &stack, &process) == 2) {
            return arena_format(arena, "stack %llu bytes, process %llu", stack, process);
        }
    }
    return NULL;
}
