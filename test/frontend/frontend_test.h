/* frontend_test -- a compiler over texts in memory, and its messages as a string. */
#ifndef OCCC_FRONTEND_TEST_H
#define OCCC_FRONTEND_TEST_H

#include "compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bench {
    Compiler compiler;
    FILE *stream;
    char *messages; /* of bench_finish */
    size_t message_length;
} Bench;

static inline void bench_begin(Bench *bench) {
    memset(bench, 0, sizeof *bench);
    bench->stream = open_memstream(&bench->messages, &bench->message_length);
    Compiler *compiler = &bench->compiler;
    compiler->arena = arena_create();
    compiler->texts = text_table_create(compiler->arena);
    compiler->sources = source_map_create(compiler->arena);
    DiagSettings settings = {.error_limit = 20};
    compiler->diag = diag_create(compiler->arena, compiler->sources, bench->stream, settings);
}

/* The messages so far; bench->messages holds them. */
static inline const char *bench_messages(Bench *bench) {
    diag_finish(bench->compiler.diag);
    fflush(bench->stream);
    return bench->messages;
}

static inline void bench_end(Bench *bench) {
    fclose(bench->stream);
    free(bench->messages);
    arena_destroy(bench->compiler.arena);
}

#endif
