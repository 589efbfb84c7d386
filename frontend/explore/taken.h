/* taken -- which alternatives of ALTs some behaviour has taken. */
#ifndef OCCC_TAKEN_H
#define OCCC_TAKEN_H

#include "arena.h"
#include "occ/explore.h"

#include <stdbool.h>

typedef struct Taken {
    uint64_t *words; /* a bit for each site and alternative */
} Taken;

/* Alternatives of an ALT that are told apart: later ones count as taken. */
enum { TAKEN_ALTERNATIVES = 64 };

void taken_begin(Taken *taken, Arena *arena);
/* taken_add -- the event has happened, for both its sides. */
void taken_add(Taken *taken, const ExploreEvent *event);
/* taken_has -- the alternative of the ALT at that place. */
bool taken_has(const Taken *taken, const ExploreRegion *region, const char *file, uint32_t line,
               uint32_t column, uint32_t alternative);

#endif
