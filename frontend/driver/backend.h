/* backend -- the code generator, loaded when it is needed.
 *
 * Owns:   opening the shared object that holds codegen/ (and with it libLLVM), and the places where
 *         compiler, runtime and library are installed.
 * Holds:  commands that only read sources never open it: loading libLLVM takes longer than checking
 *         a program. Everything is found from the compiler's own path: BIN/occc
 *         has its parts in BIN/../lib/occ. */
#ifndef OCCC_BACKEND_H
#define OCCC_BACKEND_H

#include "../../codegen/codegen.h"
#include "../../codegen/link/link.h"

typedef struct Installation {
    const char *compiler;   /* the executable itself */
    const char *codegen;    /* libocccodegen.so */
    const char *runtime;    /* libocc-runtime.a */
    const char *mpi;        /* mpi.o; beside it mpi.link, the words that link it */
    const char *stdlib;     /* directory of #USE and #INCLUDE */
    const char *explain;    /* folder of the pages of occc explain */
    const char *processes;  /* what gdb is told of processes */
    const char *doc_files;  /* what the pages of occc doc have in common */
    const char *graph_page; /* what occc graph -o file.html puts a network into */
    const char *play;       /* folder of occc play: server, confine, page */
} Installation;

Installation installation_find(Arena *arena);

typedef struct Backend {
    bool (*unit)(Arena *arena, Arena *tree, const SourceMap *sources, Diag *diag, Node *unit,
                 const MainProcess *main_process, const CodegenOptions *options, const char *path);
} Backend;

/* backend_open -- fatal when the shared object cannot be loaded. */
Backend backend_open(const Installation *installation);

#endif
