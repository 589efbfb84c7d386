/* file -- reading and writing files: only here does the compiler ask the system for it.
 *
 * Holds:  an interrupted call is made again. A call that fails leaves errno. "-" is standard
 *         input. */
#ifndef OCCC_FILE_H
#define OCCC_FILE_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct FileText {
    char *bytes; /* with a NUL after them */
    size_t length;
} FileText;

/* file_read -- the whole file; EFBIG from a gigabyte on. */
bool file_read(Arena *arena, const char *path, FileText *text);
/* file_read_start -- its first bytes, at most `size`; returns how many. */
size_t file_read_start(const char *path, void *bytes, size_t size);
/* file_is_there -- can it be opened, and is it no directory? */
bool file_is_there(const char *path);

/* file_write_all -- write to an open descriptor. */
bool file_write_all(int descriptor, const void *bytes, size_t size);
/* file_write -- replace the contents of the file. */
bool file_write(const char *path, const void *bytes, size_t size);

#endif
