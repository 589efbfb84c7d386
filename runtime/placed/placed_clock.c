/* placed_clock -- see placed_clock.h. */
#include "placed_clock.h"

#include "atomic.h"
#include "clock.h"
#include "start_text.h"
#include "world.h"

struct ClockHome {
    ClockHome *next; /* the next home that has a placement */
    Machine *machine;
    Registration *member; /* the branch's */
    uint32_t to;          /* the machine that ARRIVED came from */
    uint64_t copy;
    bool is_waited; /* GO is still to be sent */
};

struct ClockCopy {
    ClockCopy *next;
    Clock clock;
    Registration lender;
    Machine *machine;
    const Copy *copy;
    uint64_t home;
    bool has_arrived, has_gone;
};

static ClockHome *all_homes;
static ClockCopy *all_copies;

/* ---- at home ---- */

static uint32_t clocks_of(const PlacedPar *par) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < par->count; i++) {
        count += par->names[i].kind == PLACED_CLOCK;
    }
    return count;
}

ClockHome *clock_homes_make(Machine *machine, const PlacedPar *par, Registration *const *members) {
    uint32_t count = clocks_of(par);
    ClockHome *homes = count > 0 ? machine_memory(count * sizeof *homes) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        homes[i] = (ClockHome){.next = all_homes, .machine = machine, .member = members[i]};
        all_homes = &homes[i];
    }
    return homes;
}

ClockText clock_home_text(const ClockHome *homes, uint32_t index) {
    return (ClockText){(uintptr_t)&homes[index], homes[index].member->phase};
}

void clock_homes_end(ClockHome *homes, const PlacedPar *par) {
    uint32_t count = clocks_of(par);
    for (ClockHome **at = &all_homes; *at != NULL;) {
        bool is_of_it = *at >= homes && *at < homes + count;
        if (is_of_it) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
    machine_free(homes);
}

static void look_at_home(ClockHome *home) {
    if (!home->is_waited || !clock_is_over(home->member)) {
        return;
    }
    home->is_waited = false;
    home->member->phase++;
    home->member->state = REGISTRATION_ACTIVE;
    Message *go = message_make(MESSAGE_GO, 0, 0);
    go->number = home->copy;
    message_send(home->machine, home->to, go);
}

/* A placement says nothing of its clocks once it has said that it has ended. */
static void hear_at_home(Worker *worker, ClockHome *home, const Message *message) {
    home->is_waited = message->kind == MESSAGE_ARRIVED;
    home->to = message->from;
    home->copy = message->turn;
    if (home->is_waited) {
        rt_clock_resume(&worker->main_process, home->member);
    } else {
        rt_clock_leave(&worker->main_process, home->member);
    }
}

/* Waking ALTs leaves the world, so it is entered again. */
void clock_homes_lose(Worker *worker, ClockHome *homes, const PlacedPar *par) {
    uint32_t count = clocks_of(par);
    for (uint32_t i = 0; i < count; i++) {
        if (homes[i].member->state == REGISTRATION_ACTIVE || homes[i].is_waited) {
            homes[i].is_waited = false;
            rt_clock_leave(&worker->main_process, homes[i].member);
            world_enter(worker);
        }
    }
}

/* ---- in the placement ---- */

size_t clock_copy_bytes(void) {
    return sizeof(ClockCopy);
}

Registration *clock_copy_make(void *memory, Machine *machine, const Copy *copy,
                              const ClockText *text) {
    ClockCopy *made = memory;
    *made = (ClockCopy){.next = all_copies, .machine = machine, .copy = copy, .home = text->home};
    all_copies = made;
    clock_begin_placed(&made->clock, &made->lender, (uint32_t)text->phase);
    return &made->lender;
}

void clock_copies_end(const Copy *copy) {
    for (ClockCopy **at = &all_copies; *at != NULL;) {
        if ((*at)->copy == copy) {
            *at = (*at)->next;
        } else {
            at = &(*at)->next;
        }
    }
}

bool placed_clock_is(const void *clock) {
    const ClockCopy *copy = all_copies;
    while (copy != NULL && (const void *)&copy->clock != clock) {
        copy = copy->next;
    }
    return copy != NULL;
}

static void tell_home(const ClockCopy *copy, MessageKind kind) {
    Message *message = message_make(kind, 0, 0);
    message->number = copy->home;
    message->turn = (uintptr_t)copy;
    message_send(copy->machine, copy->copy->parent, message);
}

static void look_at_copy(ClockCopy *copy) {
    uint64_t word = atomic_get_seq(&copy->clock.word);
    if (clock_unarrived_in(word) != 1 || copy->has_gone) {
        return;
    }
    if (clock_registered_in(word) == 1) {
        copy->has_gone = true;
        tell_home(copy, MESSAGE_GONE);
    } else if (!copy->has_arrived) {
        copy->has_arrived = true;
        tell_home(copy, MESSAGE_ARRIVED);
    }
}

/* ---- both ---- */

void placed_clock_look(void) {
    for (ClockHome *home = all_homes; home != NULL; home = home->next) {
        look_at_home(home);
    }
    for (ClockCopy *copy = all_copies; copy != NULL; copy = copy->next) {
        look_at_copy(copy);
    }
}

/* Waking ALTs leaves the world, so it is entered again. */
void placed_clock_hear(Worker *worker, const Message *message) {
    if (message->kind == MESSAGE_GO) {
        ClockCopy *copy = (ClockCopy *)(uintptr_t)message->number;
        copy->has_arrived = false;
        clock_arrive(worker, &copy->clock);
    } else {
        hear_at_home(worker, (ClockHome *)(uintptr_t)message->number, message);
    }
    world_enter(worker);
}

/* ---- for reports ---- */

const ClockHome *clock_homes_first(void) {
    return all_homes;
}

const ClockHome *clock_home_next(const ClockHome *home) {
    return home->next;
}

const Clock *clock_home_clock(const ClockHome *home, uint32_t *machine) {
    *machine = home->machine->number;
    return home->member->clock;
}

bool clock_homes_miss(const ClockHome *homes, const PlacedPar *par, const Clock *clock) {
    uint32_t count = clocks_of(par);
    for (uint32_t i = 0; i < count; i++) {
        const Registration *member = homes[i].member;
        if (member->clock == clock && member->state == REGISTRATION_ACTIVE &&
            ((member->phase ^ clock_phase_in(clock->word)) & CLOCK_PHASE_MASK) == 0) {
            return true;
        }
    }
    return false;
}

uint64_t clock_copy_home(const void *clock, uint32_t *machine) {
    for (const ClockCopy *copy = all_copies; copy != NULL; copy = copy->next) {
        if ((const void *)&copy->clock == clock) {
            *machine = copy->copy->parent;
            return copy->home;
        }
    }
    return 0;
}
