/* run_cache -- the programs that `occc run` and `occc test` have made before.
 *
 * Owns:   the folder ($XDG_CACHE_HOME or ~/.cache)/occc, and tests in it; what stays in it, what
 *         must go.
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

typedef enum RunCacheKind { RUN_CACHE_PROGRAMS, RUN_CACHE_TESTS } RunCacheKind;

typedef struct RunCache {
    const char *folder;
    bool is_temporary;
    int lock;     /* the folder; -1: none */
    size_t limit; /* of programs */
} RunCache;

RunCache run_cache_open(Arena *arena, RunCacheKind kind);
/* run_cache_path -- where the program of that key is or will be. */
const char *run_cache_path(Arena *arena, const RunCache *cache, const char *key);
/* run_cache_use -- true when the program is there; it counts as used now, and stays until it
 * starts. */
bool run_cache_use(const RunCache *cache, const char *path);
/* run_cache_hold -- what is there stays until we end; run_cache_has: it is there, and counts as
 * used. */
void run_cache_hold(const RunCache *cache);
bool run_cache_has(const char *path);
/* run_cache_close -- a temporary one goes, with what is in it. */
void run_cache_close(Arena *arena, const RunCache *cache);
/* run_cache_trim -- after a program was added: the ones not used for longest go. */
void run_cache_trim(Arena *arena, const RunCache *cache);

#endif
