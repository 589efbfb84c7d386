/* held_places -- see held_places.h. */
#include "held_places.h"

#include "placed_clock.h"
#include "placement.h"
#include "remote_end.h"
#include "shared_end.h"
#include "start_text.h"

/* Places -- the list being made. */
typedef struct Places {
    HeldPlace *places;
    size_t capacity, count;
} Places;

static PlaceKey key_of(PlaceKind kind, uint64_t number, uint32_t side, uint32_t machine) {
    return (PlaceKey){(uint64_t)kind | (uint64_t)side << 4 | (uint64_t)machine << 8, number};
}

static void add(Places *list, const HeldPlace *place) {
    if (list->count < list->capacity) {
        list->places[list->count] = *place;
    }
    list->count++;
}

uint32_t held_places_number(const Process *process) {
    return machine_of_process(process)->number;
}

/* ---- what is here ---- */

static const Process *user_of(const RemoteEnd *end) {
    return end->device.alt != NULL ? end->device.alt->process : end->device.waiter;
}

/* An unused end may be of either side. Each environment has both sides of a shared channel: only a
 * process that waits there is sure to use one. */
static void add_end(Places *list, const RemoteEnd *end) {
    const Process *user = user_of(end);
    if (end->twin != NULL && user == NULL) {
        return;
    }
    for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
        if (end->side == side || end->side == END_UNKNOWN) {
            add(list, &(HeldPlace){.key = key_of(PLACE_END, end->number, side, 0),
                                   .user = user,
                                   .channel = end->twin != NULL ? NULL : end->device.channel,
                                   .placement = end->copy != NULL ? end->copy->process : NULL});
        }
    }
}

static void add_ends(Places *list, const Machine *machine, bool are_homes) {
    const Table *ends = &machine->ends;
    for (TableEntry *at = table_first(ends); at != NULL; at = table_after(ends, at)) {
        if (remote_end_of_entry(at)->is_home == are_homes) {
            add_end(list, remote_end_of_entry(at));
        }
    }
}

static void add_placements(Places *list, const Machine *machine) {
    for (const Copy *copy = machine->copies; copy != NULL; copy = copy->next) {
        if (copy->process != NULL) {
            add(list, &(HeldPlace){
                          .key = key_of(PLACE_PLACEMENT, (uintptr_t)copy->agent, 0, copy->parent),
                          .user = copy->process});
        }
    }
}

static void add_turns(Places *list) {
    for (const RemoteEnd *end = shared_ends_first(); end != NULL; end = end->next_shared) {
        for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
            const Process *holder = shared_end_claim(end, side)->holder;
            if (end->turns[side].is_here && holder != NULL) {
                add(list,
                    &(HeldPlace){.key = key_of(PLACE_CLAIM, end->number, side, 0), .user = holder});
            }
        }
    }
}

static const Machine *machine_here(uint32_t number) {
    return &rt_machines.machines[placed_carrier.is_virtual ? number : 0];
}

static void add_clocks(Places *list) {
    for (const ClockHome *home = clock_homes_first(); home != NULL; home = clock_home_next(home)) {
        uint32_t machine;
        const Clock *clock = clock_home_clock(home, &machine);
        add(list, &(HeldPlace){.key = key_of(PLACE_CLOCK, (uintptr_t)home, 0, machine),
                               .user = placement_missing(machine_here(machine), clock),
                               .clock = clock});
    }
}

/* Of several with one key the first counts: an end in a placement comes before the home's. */
size_t held_places(HeldPlace *places, size_t capacity) {
    Places list = {places, capacity, 0};
    uint32_t here = placed_carrier.is_virtual ? rt_machines.count : 1;
    for (uint32_t i = 0; i < 2 * here; i++) {
        add_ends(&list, &rt_machines.machines[i % here], i >= here);
    }
    for (uint32_t i = 0; i < here; i++) {
        add_placements(&list, &rt_machines.machines[i]);
    }
    add_turns(&list);
    add_clocks(&list);
    return list.count;
}

/* ---- what is waited for ---- */

static bool end_awaited(const AwaitedPlace *awaited, PlaceKey *key) {
    const RemoteEnd *end = remote_end_of_channel(awaited->object);
    if (end == NULL) {
        return false;
    }
    bool is_output = awaited->process != NULL
                         ? end->twin != NULL && end->twin->device.waiter == awaited->process
                         : awaited->is_output;
    uint32_t shared = end->shared;
    const RemoteEnd *used = is_output && end->twin != NULL ? end->twin : end;
    uint32_t other = used->side == END_INPUT ? PLACED_SHARED_OUTPUT : PLACED_SHARED_INPUT;
    *key = key_of(PLACE_END, end->number, 1 - used->side, 0);
    return used->side != END_UNKNOWN && (shared & other) == 0;
}

static bool claim_awaited(const Claim *claim, PlaceKey *key) {
    for (const RemoteEnd *end = shared_ends_first(); end != NULL; end = end->next_shared) {
        for (uint32_t side = END_INPUT; side <= END_OUTPUT; side++) {
            if (shared_end_claim(end, side) == claim && claim->holder == NULL) {
                *key = key_of(PLACE_CLAIM, end->number, side, 0);
                return true;
            }
        }
    }
    return false;
}

bool held_places_awaited(const AwaitedPlace *awaited, PlaceKey *key) {
    uint64_t number = 0;
    uint32_t machine = 0;
    switch (awaited->kind) {
    case PLACE_END: return end_awaited(awaited, key);
    case PLACE_CLAIM: return claim_awaited(awaited->object, key);
    case PLACE_PLACEMENT:
        number = placement_agent(awaited->process);
        machine = machine_of_process(awaited->process)->number;
        break;
    case PLACE_CLOCK: number = clock_copy_home(awaited->object, &machine); break;
    }
    *key = key_of(awaited->kind, number, 0, machine);
    return number != 0;
}
