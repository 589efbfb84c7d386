/* run_cache -- the programs that `occc run` has made before.
 *
 * Owns:   the folder ($XDG_CACHE_HOME or ~/.cache)/occc, what stays in it, what must go.
 * Leaves: what goes into a key to run.c.
 * Holds:  the folder belongs to the user and nobody else may write there; a program in it is whole
 *         (it was renamed into place). Who uses one holds the folder's lock, shared, until it
 *         starts; who trims holds it alone, or does not trim. Where no such folder can be had,
 *         programs are made in a new folder under $TMPDIR that is removed before the program
 *         starts. */
#ifndef OCCC_RUN_CACHE_H
#define OCCC_RUN_CACHE_H

#include "arena.h"

#include <stdbool.h>

typedef struct RunCache {
    const char *folder;
    bool is_temporary;
    int lock; /* the folder; -1: none */
} RunCache;

RunCache run_cache_open(Arena *arena);
/* run_cache_path -- where the program of that key is or will be. */
const char *run_cache_path(Arena *arena, const RunCache *cache, const char *key);
/* run_cache_use -- true when the program is there; it counts as used now, and stays until it
 * starts. */
bool run_cache_use(const RunCache *cache, const char *path);
/* run_cache_trim -- after a program was added: the ones not used for longest go. */
void run_cache_trim(Arena *arena, const RunCache *cache);

#endif
