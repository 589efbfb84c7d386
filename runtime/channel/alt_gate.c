/* alt_gate -- the events of an ALT. See alt_gate.h. */
#include "alt_gate.h"

#include "alt.h"
#include "alt_look.h"
#include "clock.h"
#include "device.h"
#include "gate.h"
#include "process.h"

/* Part of the guards, treated as one ALT or PRI ALT. */
typedef struct Part {
    GateOp *op;
    const Alt *alt;
    uint32_t from;
    uint32_t end;
    bool is_pri;
} Part;

static const GateKind alt_kind;

static void say(const Part *part, uint32_t position, ExploreKind kind, const Process *partner) {
    gate_event(&(GateEvent){.op = part->op,
                            .guard = position,
                            .kind = kind,
                            .alternative = part->alt->guards[position].alternative,
                            .plain_partner = partner,
                            .object = kind <= EXPLORE_CLOSED && kind != EXPLORE_TIMER &&
                                              kind != EXPLORE_SKIP
                                          ? part->alt->guards[position].object
                                          : NULL});
}

/* ---- channels ---- */

static bool is_opposite(const AltGuard *guard, const AltGuard *other) {
    return guard->object == other->object &&
           ((guard->kind == GUARD_INPUT && other->kind == GUARD_OUTPUT) ||
            (guard->kind == GUARD_OUTPUT && other->kind == GUARD_INPUT));
}

/* Pairs with guards of ALTs at the other end, each once: by the one that came later. */
static void say_alts(const Part *part, uint32_t position) {
    const AltGuard *guard = &part->alt->guards[position];
    for (GateOp *op = gate_first(); op != part->op; op = op->next) {
        const Alt *other = op->object;
        for (uint32_t i = 0; op->kind == &alt_kind && i < other->count; i++) {
            if (is_opposite(guard, &other->guards[i])) {
                gate_event(&(GateEvent){.op = part->op,
                                        .partner = op,
                                        .guard = position,
                                        .partner_guard = i,
                                        .kind = guard->kind == GUARD_INPUT ? EXPLORE_INPUT
                                                                           : EXPLORE_OUTPUT,
                                        .alternative = guard->alternative,
                                        .partner_alternative = other->guards[i].alternative});
            }
        }
    }
}

/* Both ends are the process's own: nobody can come. */
static bool has_both_ends(const Alt *alt, const AltGuard *guard) {
    for (uint32_t i = 0; i < alt->count; i++) {
        if (is_opposite(guard, &alt->guards[i])) {
            return true;
        }
    }
    return false;
}

static void say_channel(const Part *part, uint32_t position) {
    const AltGuard *guard = &part->alt->guards[position];
    const Channel *channel = guard->object;
    uintptr_t word = atomic_get_acquire(&channel->word);
    bool is_input = guard->kind == GUARD_INPUT;
    ExploreKind kind = is_input ? EXPLORE_INPUT : EXPLORE_OUTPUT;
    uintptr_t tag = channel_tag(word);
    if (word == 0) {
        if (!has_both_ends(part->alt, guard)) {
            say_alts(part, position);
        }
    } else if (tag == (is_input ? TAG_OUTPUT_WAITING : TAG_INPUT_WAITING)) {
        say(part, position, kind, channel_pointer(word));
    } else if (tag == TAG_CLOSED) {
        if (!rt_alt_handles_closed(part->alt, channel)) {
            say(part, position, kind, NULL);
        }
    } else if (tag == TAG_DEVICE) {
        Device *device = device_of(word);
        if (device->kind->is_ready(device) &&
            !(device_is_closed(device) && rt_alt_handles_closed(part->alt, channel))) {
            say(part, position, kind, NULL);
        }
    }
}

/* ---- all guards ---- */

static bool is_past(const Part *part, const AltGuard *guard) {
    Ticks due = ticks_after(part->op->since, (int32_t)(intptr_t)guard->object);
    return ticks_reached((Ticks){rt_root.time.now_us}, due);
}

/* Add the events of the guard. True: it is certainly ready. */
static bool say_guard(const Part *part, uint32_t position) {
    const AltGuard *guard = &part->alt->guards[position];
    switch (guard->kind) {
    case GUARD_INPUT:
    case GUARD_OUTPUT: say_channel(part, position); return false;
    case GUARD_CLOSED:
        if (rt_channel_is_closed(guard->object)) {
            say(part, position, EXPLORE_CLOSED, NULL);
        }
        return false;
    case GUARD_CLOCK:
    case GUARD_CLOCKS:
        if (clock_guard_is_over(guard)) {
            say(part, position, EXPLORE_NEXT, NULL);
        }
        return false;
    case GUARD_SKIP: say(part, position, EXPLORE_SKIP, NULL); return true;
    case GUARD_TIMER:
        if (is_past(part, guard)) {
            say(part, position, EXPLORE_TIMER, NULL);
            return true;
        }
        return false;
    default: return false;
    }
}

/* True: one of them is certainly ready. */
static bool say_part(const Part *part) {
    bool is_certain = false;
    for (uint32_t at = part->from; at < part->end; at += alt_entries_at(part->alt, at)) {
        const AltGuard *guard = &part->alt->guards[at];
        if (guard->kind == GUARD_GROUP) {
            Part inner = {part->op, part->alt, at + 1, at + alt_entries_at(part->alt, at),
                          guard->index != 0};
            is_certain = say_part(&inner) || is_certain;
        } else {
            is_certain = say_guard(part, at) || is_certain;
        }
        if (part->is_pri && is_certain) {
            return true;
        }
    }
    return is_certain;
}

static void offer(GateOp *op) {
    const Alt *alt = op->object;
    Part all = {op, alt, 0, alt->count, alt->is_pri != 0};
    (void)say_part(&all);
}

/* The nearest of the ALT's times. */
static bool wakes(const GateOp *op, Ticks *due) {
    const Alt *alt = op->object;
    bool is_there = false;
    for (uint32_t i = 0; i < alt->count; i++) {
        const AltGuard *guard = &alt->guards[i];
        if (guard->kind != GUARD_TIMER) {
            continue;
        }
        Ticks its = ticks_after(op->since, (int32_t)(intptr_t)guard->object);
        if (!is_there || its.us < due->us) {
            *due = its;
            is_there = true;
        }
    }
    return is_there;
}

/* ---- taking one ---- */

static void switch_off_others(Alt *alt, uint32_t kept) {
    uint32_t end = kept + rt_alt_entries(&alt->guards[kept]);
    for (uint32_t i = 0; i < alt->count; i++) {
        if (i < kept || i >= end) {
            alt->guards[i].kind = GUARD_OFF;
        }
    }
    alt->flags &= ~(uint32_t)ALT_HAS_GROUPS;
}

/* The saved context goes on as that of an ALT that has waited (calls.S). */
static Process *perform(GateOp *op, const GateEvent *event) {
    Process *me = op->process;
    Alt *alt = op->object;
    if (event != NULL) {
        switch_off_others(alt, event->guard);
    }
    Process *next = rt_alt_select(me, alt, op->site);
    if (next != NULL) {
        return next;
    }
    alt->nearest = alt->chosen;
    process_carries(me, alt);
    return me;
}

/* Guards that are off give GATE_NONE. */
static bool use(const GateOp *op, uint32_t number, GateUse *use) {
    const Alt *alt = op->object;
    if (number >= alt->count) {
        return false;
    }
    const AltGuard *guard = &alt->guards[number];
    *use = (GateUse){.end = GATE_NONE, .object = guard->object};
    switch (guard->kind) {
    case GUARD_INPUT:
        use->end = GATE_INPUT;
        use->kind = EXPLORE_INPUT;
        break;
    case GUARD_OUTPUT:
        use->end = GATE_OUTPUT;
        use->kind = EXPLORE_OUTPUT;
        break;
    case GUARD_CLOSED:
        use->end = GATE_CLOSED;
        use->kind = EXPLORE_CLOSED;
        break;
    case GUARD_CLOCK:
    case GUARD_CLOCKS: use->end = GATE_EVERY; break;
    default: break;
    }
    return true;
}

static const GateKind alt_kind = {offer, perform, wakes, use};

Process *alt_gate_park(Process *me, Alt *alt, const Site *site) {
    GateOp what = {.object = alt, .site = site};
    alt->chosen = alt->nearest = 0; /* remains of the last choice are not part of a state */
    alt->winner = NULL;
    return gate_park(me, &alt_kind, &what);
}
