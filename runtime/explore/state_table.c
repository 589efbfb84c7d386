/* state_table -- a table of digests, and a list of steps. See state_table.h. */
#include "state_table.h"

#include "atomic.h"

typedef struct Slot {
    uint64_t digest; /* 0: free */
    uint32_t number; /* 0: not numbered yet */
} Slot;

/* In common memory, except for the pointer to it. */
typedef struct StateTable {
    ExploreRegion *region;
    Slot slots[EXPLORE_STATES * 2];
} StateTable;

static StateTable *table;

void state_table_begin(ExploreRegion *region) {
    if (region->recognises_states != 0) {
        table = common_memory_take(sizeof *table);
        table->region = region;
    }
}

static uint32_t number_of(const Slot *slot) {
    uint32_t number;
    do {
        number = atomic_get_acquire(&slot->number);
    } while (number == 0);
    return number;
}

StateSeen state_table_see(uint64_t digest, uint32_t *number) {
    size_t at = (digest >> 8) % (EXPLORE_STATES * 2);
    for (;; at = (at + 1) % (EXPLORE_STATES * 2)) {
        Slot *slot = &table->slots[at];
        uint64_t found = atomic_get_acquire(&slot->digest);
        if (found == 0 && atomic_get_relaxed(&table->region->state_count) >= EXPLORE_STATES) {
            return STATE_NO_ROOM;
        }
        if (found == 0 && atomic_cas(&slot->digest, &found, digest)) {
            *number = atomic_add(&table->region->state_count, 1u) + 1;
            atomic_set_release(&slot->number, *number);
            return STATE_NEW;
        }
        if (found == digest) {
            *number = number_of(slot);
            return STATE_KNOWN;
        }
    }
}

/* ---- steps ---- */

static void add_step(const ExploreStateStep *step) {
    ExploreRegion *region = table->region;
    if (region->node_count == region->node_limit) {
        region->is_tree_full = 1;
        return;
    }
    ExploreStateStep *added = common_memory_take(sizeof *added);
    *added = *step;
    added->next = region->state_steps;
    region->state_steps = common_memory_place(region, added);
    region->node_count++;
}

void state_table_add_steps(const SearchRun *run, const ExploreEnd *end) {
    uint32_t first = run->prefix_count > 0 ? run->prefix_count - 1 : 0;
    for (uint32_t i = first; i < run->step_count; i++) {
        uint32_t chosen;
        uint32_t count;
        bool is_last = i + 1 == run->step_count;
        ExploreStateStep step = {.event = *search_chosen(run, i, &chosen, &count),
                                 .from = search_state(run, i),
                                 .to = is_last ? run->last_state : search_state(run, i + 1)};
        step.end = step.to == 0 ? common_memory_place(table->region, end) : 0;
        add_step(&step);
    }
}
