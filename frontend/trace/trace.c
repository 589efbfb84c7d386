/* trace -- the command. See the header. */
#define _POSIX_C_SOURCE 200809L

#include "trace.h"

#include "driver_file.h"

#include <unistd.h>

typedef void TraceWriter(FILE *out, const Trace *trace);

/* By the suffix of the output; NULL: it is none of ours. */
static TraceWriter *writer_of(const char *path) {
    static const struct {
        const char *suffix;
        TraceWriter *writer;
    } forms[] = {{".json", trace_json}, {".svg", trace_chart}, {".txt", trace_profile}};
    if (strcmp(path, "-") == 0) {
        return trace_profile;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (string_has_suffix(path, forms[i].suffix)) {
            return forms[i].writer;
        }
    }
    return NULL;
}

int trace_run(Arena *arena, const Options *options) {
    const char *path = options->output ? options->output : "-";
    TraceWriter *writer = writer_of(path);
    if (!writer) {
        driver_error("'%s': a trace becomes a .json, .svg or .txt file", path);
        return EXIT_USAGE;
    }
    const Trace *trace = trace_read(arena, options->topics.items[0]);
    if (!trace) {
        return EXIT_ERRORS;
    }
    NamelessFile file = nameless_file(arena, "occc-trace");
    FILE *out = fdopen(dup(file.descriptor), "w");
    if (!out) {
        fatal("cannot write the trace:");
    }
    writer(out, trace);
    bool is_written = fflush(out) == 0 && !ferror(out);
    fclose(out);
    if (!is_written) {
        fatal("cannot write the trace:");
    }
    return nameless_file_publish(arena, &file, path) ? EXIT_OK : EXIT_ERRORS;
}
