/* file -- reading and writing files: the one door to the system for it.
 *
 * Holds:  a call that a signal interrupts is made again. What fails leaves errno. "-" is standard
 *         input. */
#ifndef OCCC_FILE_H
#define OCCC_FILE_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct FileText {
    char *bytes; /* and a NUL behind them */
    size_t length;
} FileText;

/* file_read -- the whole of it; EFBIG from a gigabyte on. */
bool file_read(Arena *arena, const char *path, FileText *text);
/* file_read_start -- its first bytes, at most `size`: how many there were. */
size_t file_read_start(const char *path, void *bytes, size_t size);
/* file_is_there -- it can be opened, and is no directory. */
bool file_is_there(const char *path);

/* file_write_all -- to an open descriptor. */
bool file_write_all(int descriptor, const void *bytes, size_t size);
/* file_write -- over what was in the file. */
bool file_write(const char *path, const void *bytes, size_t size);

#endif
