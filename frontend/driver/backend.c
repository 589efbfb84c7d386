/* backend -- see the header. */
#define _POSIX_C_SOURCE 200809L

#include "backend.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define PATH_LIMIT 4096

/* The folder a path is in. */
static const char *folder_of(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    return arena_format(arena, "%.*s", slash ? (int)(slash - path) : 0, path);
}

Installation installation_find(Arena *arena) {
    char *path = arena_allocate(arena, PATH_LIMIT);
    ssize_t length = readlink("/proc/self/exe", path, PATH_LIMIT - 1);
    if (length <= 0) {
        fatal("cannot find out where occc is installed (/proc/self/exe):");
    }
    path[length] = '\0';
    const char *prefix = folder_of(arena, folder_of(arena, path));
    const char *parts = arena_format(arena, "%s/lib/occ", prefix);
    return (Installation){
        .compiler = path,
        .codegen = arena_format(arena, "%s/libocccodegen.so", parts),
        .runtime = arena_format(arena, "%s/libocc-runtime.a", parts),
        .mpi = arena_format(arena, "%s/mpi.o", parts),
        .stdlib = arena_format(arena, "%s/stdlib", parts),
        .explain = arena_format(arena, "%s/explain", parts),
        .processes = arena_format(arena, "%s/processes.py", parts),
        .doc_files = arena_format(arena, "%s/doc", parts),
        .graph_page = arena_format(arena, "%s/graph.html", parts),
        .play = arena_format(arena, "%s/play", parts),
    };
}

/* A function of the shared object, into a pointer to function. */
static void find_function(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    if (!address) {
        fatal("the code generator does not fit this compiler: %s", dlerror());
    }
    memcpy(function, &address, sizeof address);
}

Backend backend_open(const Installation *installation) {
    void *library = dlopen(installation->codegen, RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        fatal("cannot load the code generator: %s", dlerror());
    }
    Backend backend;
    find_function(library, "codegen_unit", (void *)&backend.unit);
    return backend;
}
