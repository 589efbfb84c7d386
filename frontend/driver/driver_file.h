/* driver_file -- files the driver makes: nameless ones that vanish with the compiler, and outputs
 * that appear whole or not at all.
 *
 * Holds:  what the code generator writes goes to a nameless file in memory, reached by a path under
 *         /dev/fd, also by the linker; so nothing is left behind, whatever ends the compiler. */
#ifndef OCCC_DRIVER_FILE_H
#define OCCC_DRIVER_FILE_H

#include "arena.h"

#include <stdbool.h>

typedef struct NamelessFile {
    int descriptor;
    const char *path;
} NamelessFile;

/* nameless_file -- empty; `name` is only for /proc. Fatal when there is none to be had. */
NamelessFile nameless_file(Arena *arena, const char *name);
/* nameless_file_publish -- its contents become the file `path` ("-": standard output); false after
 * a message when that failed, and then `path` is as it was. */
bool nameless_file_publish(Arena *arena, const NamelessFile *file, const char *path);
/* file_publish -- the same for bytes in memory. */
bool file_publish(Arena *arena, const char *path, const void *bytes, size_t size);

#endif
