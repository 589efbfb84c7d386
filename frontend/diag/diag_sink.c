/* diag_sink -- see the header. */
#define _GNU_SOURCE

#include "diag_sink.h"

#include "diag_json.h"
#include "text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct DiagSink {
    Arena *arena;
    DiagFormat format;
    FILE *stream;     /* NULL once the sink is closed */
    const char *path; /* sarif-file: what the stream writes */
    int captured;     /* the memory file that descriptor 2 is; -1: none */
    SarifRun run;
    json_t *collected; /* diag_sink_collect; else NULL */
};

/* ---- descriptor 2 ---- */

/* The stream becomes the old standard error; descriptor 2 becomes a file in memory. */
static void capture_stderr(DiagSink *sink) {
    int old = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    sink->captured = memfd_create("occc-stderr", MFD_CLOEXEC);
    sink->stream = old >= 0 ? fdopen(old, "w") : NULL;
    if (!sink->stream || sink->captured < 0 || dup2(sink->captured, STDERR_FILENO) < 0) {
        fatal("cannot redirect standard error:");
    }
}

static void restore_stderr(const DiagSink *sink) {
    if (sink->captured >= 0) {
        dup2(fileno(sink->stream), STDERR_FILENO);
    }
}

/* What was written to descriptor 2 so far; NULL when nothing was. */
static char *captured_text(const DiagSink *sink) {
    off_t size = sink->captured >= 0 ? lseek(sink->captured, 0, SEEK_END) : 0;
    if (size <= 0) {
        return NULL;
    }
    char *text = arena_allocate(sink->arena, (size_t)size + 1);
    ssize_t got = pread(sink->captured, text, (size_t)size, 0);
    text[got > 0 ? got : 0] = '\0';
    return text;
}

/* "occc: error: no such file" is an error; a line without such a word is a note. */
static const char *level_of(const char *line) {
    bool is_error = strstr(line, "error:") || strstr(line, "internal error");
    return is_error ? "error" : strstr(line, "warning:") ? "warning" : "note";
}

static void take_line(DiagSink *sink, const char *line) {
    if (sink->format == DIAG_FORMAT_JSON) {
        json_t *value =
            json_pack("{s:s, s:o}", "severity", level_of(line), "message", json_words(line));
        json_dumpf(value, sink->stream, JSON_COMPACT);
        fputc('\n', sink->stream);
        json_decref(value);
    } else {
        sarif_notify(&sink->run, level_of(line), line);
    }
}

static void take_captured(DiagSink *sink) {
    char *rest = captured_text(sink);
    while (rest && *rest) {
        char *line = strsep(&rest, "\n");
        if (*line) {
            take_line(sink, line);
        }
    }
}

/* ---- life ---- */

static void close_at_exit(int status, void *sink) {
    diag_sink_close(sink, status);
}

static const char *sarif_path(Arena *arena, const char *source) {
    const char *name = path_name(source);
    return arena_format(arena, "%s.sarif", strcmp(name, "-") == 0 ? "stdin" : name);
}

DiagSink *diag_sink_open(DiagFormat format, const char *source) {
    if (format == DIAG_FORMAT_TEXT) {
        return NULL;
    }
    Arena *arena = arena_create(); /* outlives all others: the sink may be closed at exit */
    DiagSink *sink = arena_new(arena, DiagSink);
    sink->arena = arena;
    sink->format = format;
    sink->captured = -1;
    sarif_begin(&sink->run);
    if (format == DIAG_FORMAT_SARIF_FILE) {
        sink->path = sarif_path(arena, source);
        sink->stream = fopen(sink->path, "we");
        if (!sink->stream) {
            fatal("cannot write '%s':", sink->path);
        }
    } else {
        capture_stderr(sink);
    }
    on_exit(close_at_exit, sink);
    return sink;
}

DiagSink *diag_sink_collect(Arena *arena, json_t *into) {
    DiagSink *sink = arena_new(arena, DiagSink);
    sink->arena = arena;
    sink->format = DIAG_FORMAT_JSON;
    sink->captured = -1;
    sink->collected = into;
    return sink;
}

void diag_sink_take(DiagSink *sink, const DiagRecord *record, const SourceMap *sources) {
    if (sink->collected) {
        json_array_append_new(sink->collected, json_record(record, sources));
        return;
    }
    if (sink->format != DIAG_FORMAT_JSON) {
        sarif_add(&sink->run, record, sources);
        return;
    }
    json_t *value = json_record(record, sources);
    json_dumpf(value, sink->stream, JSON_COMPACT);
    fputc('\n', sink->stream);
    json_decref(value);
}

void diag_sink_close(DiagSink *sink, int status) {
    if (!sink || !sink->stream) {
        return;
    }
    take_captured(sink);
    if (sink->format != DIAG_FORMAT_JSON) {
        json_t *document = sarif_end(&sink->run, status);
        json_dumpf(document, sink->stream, JSON_INDENT(2));
        fputc('\n', sink->stream);
        json_decref(document);
    }
    restore_stderr(sink);
    bool is_written = !ferror(sink->stream);
    is_written = fclose(sink->stream) == 0 && is_written;
    sink->stream = NULL;
    if (!is_written && sink->path) {
        fprintf(stderr, "occc: cannot write '%s'\n", sink->path);
    }
}
