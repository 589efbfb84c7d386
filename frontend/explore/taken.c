/* taken -- see the header. */
#include "taken.h"

#include <string.h>

void taken_begin(Taken *taken, Arena *arena) {
    taken->words = arena_new_array(arena, uint64_t, EXPLORE_SITES);
}

static void add(Taken *taken, uint16_t site, uint16_t alternative) {
    if (alternative < TAKEN_ALTERNATIVES) {
        taken->words[site] |= UINT64_C(1) << alternative;
    }
}

void taken_add(Taken *taken, const ExploreEvent *event) {
    add(taken, event->site, event->alternative);
    if (event->partner != 0) {
        add(taken, event->partner_site, event->partner_alternative);
    }
}

bool taken_has(const Taken *taken, const ExploreRegion *region, const char *file, uint32_t line,
               uint32_t column, uint32_t alternative) {
    if (alternative >= TAKEN_ALTERNATIVES) {
        return true;
    }
    for (size_t i = 1; i < EXPLORE_SITES; i++) {
        const ExploreSite *site = &region->sites[i];
        if (site->line == line && site->column == column && (taken->words[i] >> alternative & 1) &&
            strncmp(site->file, file, sizeof site->file - 1) == 0) {
            return true;
        }
    }
    return false;
}
