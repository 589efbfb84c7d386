/* analysis -- see the header. */
#define _GNU_SOURCE

#include "analysis.h"

#include "diag_sink.h"
#include "driver.h"
#include "server.h"
#include "surveyor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- in the child ---- */

/* It has no handler for crashes: its end is enough. Standard output is the editor's. */
void analysis_child(pid_t parent) {
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        signal(crashes[i], SIG_DFL);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_BUG);
    }
    alarm(ANALYSIS_SECONDS);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
}

static const char *json_text(Arena *arena, json_t *value) {
    size_t size = json_dumpb(value, NULL, 0, JSON_COMPACT);
    char *text = arena_allocate(arena, size + 1);
    json_dumpb(value, text, size, JSON_COMPACT);
    return text;
}

Unit *analysis_unit(Arena *arena, const Options *options, const Server *server,
                    const Document *document, const char *text) {
    Unit *unit = unit_create(arena, options, &server->installation);
    for (size_t i = server->documents.count; i-- > 0;) {
        const Document *each = server->documents.items[i];
        bool is_other = text && each == document;
        if (!each->is_closed) {
            source_overlay(unit->compiler.sources, each->path, is_other ? text : each->lines.bytes,
                           is_other ? strlen(text) : each->lines.length);
        }
    }
    array_push(arena, &unit->paths, document->path);
    return unit;
}

static Unit *check_document(Arena *arena, Options *options, const Server *server,
                            const Document *document, const char *text) {
    options->stage = STAGE_CHECK;
    Unit *unit = analysis_unit(arena, options, server, document, text);
    unit_parse(unit);
    unit_check(unit);
    return unit;
}

static _Noreturn void analyse(const Server *server, const Document *document, int pipe) {
    Arena *arena = arena_create();
    json_t *diagnostics = json_array();
    Options options = *server->options;
    options.sink = diag_sink_collect(arena, diagnostics);
    Unit *unit = check_document(arena, &options, server, document, NULL);
    unit_has_errors(unit);
    SurveyBuilder survey;
    survey_make(&survey, &unit->compiler, unit->tree, json_text(arena, diagnostics));
    _exit(survey_write(&survey, pipe) ? EXIT_OK : EXIT_ERRORS);
}

/* ---- in the server ---- */

void analysis_start(Server *server, Document *document) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        document->has_failed = true;
        return;
    }
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        analysis_child(parent);
        analyse(server, document, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        document->has_failed = true;
        return;
    }
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    server->analysis = (Analysis){.document = document, .child = child, .pipe = ends[0]};
    server->analysis.arena = arena_create();
}

bool analysis_try(Server *server, const Document *document, const char *text) {
    pid_t parent = getpid();
    pid_t child = fork();
    if (child == 0) {
        analysis_child(parent);
        alarm(TRIAL_SECONDS);
        Arena *arena = arena_create();
        json_t *diagnostics = json_array();
        Options options = *server->options;
        options.sink = diag_sink_collect(arena, diagnostics);
        Unit *unit = check_document(arena, &options, server, document, text);
        _exit(unit_has_errors(unit) ? EXIT_ERRORS : EXIT_OK);
    }
    int status = 0;
    pid_t ended = -1;
    while (child > 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
    }
    return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_OK;
}

static void end_child(Analysis *analysis) {
    close(analysis->pipe);
    while (waitpid(analysis->child, NULL, 0) < 0 && errno == EINTR) {
    }
    analysis->document = NULL;
}

void analysis_cancel(Analysis *analysis) {
    if (analysis->document) {
        kill(analysis->child, SIGKILL);
        end_child(analysis);
        arena_destroy(analysis->arena);
    }
}

static void make_room(Analysis *analysis, size_t size) {
    if (analysis->capacity - analysis->length >= size) {
        return;
    }
    Arena *old = analysis->arena;
    size_t capacity = (analysis->length + size) * 2;
    analysis->arena = arena_create();
    char *bytes = arena_allocate(analysis->arena, capacity);
    if (analysis->length) {
        memcpy(bytes, analysis->bytes, analysis->length);
    }
    analysis->bytes = bytes;
    analysis->capacity = capacity;
    arena_destroy(old);
}

/* The document gets what came; a copy, for there was room for more. */
static void finish(Server *server) {
    Analysis *analysis = &server->analysis;
    Document *document = analysis->document;
    Arena *arena = arena_create();
    const char *bytes = arena_copy(arena, analysis->bytes, analysis->length);
    const Survey *survey = survey_read(arena, bytes, analysis->length);
    end_child(analysis);
    arena_destroy(analysis->arena);
    if (survey) {
        document_take(document, reading_create(arena, survey, &document->lines));
        diagnose_publish(server, document);
    } else {
        arena_destroy(arena);
        document->has_failed = true;
        diagnose_failure(server, document);
    }
}

bool analysis_read(Server *server) {
    enum { READ_SIZE = 256 * 1024 };
    Analysis *analysis = &server->analysis;
    for (;;) {
        make_room(analysis, READ_SIZE);
        ssize_t got = read(analysis->pipe, analysis->bytes + analysis->length, READ_SIZE);
        if (got > 0) {
            analysis->length += (size_t)got;
        } else if (got == 0) {
            finish(server);
            return true;
        } else if (errno != EINTR) {
            return false;
        }
    }
}
