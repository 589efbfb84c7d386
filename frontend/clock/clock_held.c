/* clock_held -- a warning: a clock may be held up by a PAR whose branches on it have all ended.
 *
 * Holds:  PAR lends the registration of its process, and the last branch to end hands it back: from
 *         then to the end of the PAR nobody arrives on it (language.md 4.3). Where all branches
 *         that are on clocks of others are on the same ones, none is left that could wait. Where
 *         they are on different ones a neighbour on both may wait for the one, and a branch of
 *         the PAR for the neighbour on the other. */
#include "clock_walk.h"

/* Another process may wait for the phase of the clock beside this PAR. */
static bool has_neighbours(ClockWalk *walk, const Node *name) {
    const KnownClock *clock = clock_find(walk, name->name.symbol);
    return clock != NULL ? clock_has_others(walk, clock) : type_is_mobile(name->type);
}

/* A clock of others in one list that is not in the other; NULL: there is none. */
static const Node *missing_in(ClockWalk *walk, const NodeList *list, const NodeList *other) {
    for (size_t i = 0; i < list->count; i++) {
        const Node *name = list->items[i];
        if (has_neighbours(walk, name) && !clock_is_named(other, name->name.symbol)) {
            return name;
        }
    }
    return NULL;
}

static bool has_some(ClockWalk *walk, const NodeList *clocks) {
    const NodeList none = {NULL, 0, 0};
    return missing_in(walk, clocks, &none) != NULL;
}

static void report(ClockWalk *walk, const Node *par, const Node *held, const Node *branch) {
    const char *name = held->name.symbol->name->bytes;
    diag_report(walk->diag, DIAG_CLOCK_HELD_AT_END, par->at, name);
    diag_label(walk->diag, held->at, "'%s' has no more branches here when this one has ended",
               name);
    diag_label(walk->diag, branch->at, "this branch may go on without '%s'", name);
    diag_hint(walk->diag, "enrol all its branches on the same clocks, or let them end together");
}

/* The clocks of the PAR itself are lent to all. */
void clock_held(ClockWalk *walk, const Node *par) {
    const Node *first = NULL;
    const Node *first_enroll = NULL;
    const NodeList none = {NULL, 0, 0};
    bool lends_all = has_some(walk, &par->par.enrols);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *branch = par->par.body.items[i];
        const Node *enroll = node_enroll(branch);
        const NodeList *clocks = enroll != NULL ? &enroll->enroll.clocks : &none;
        if (!lends_all && !has_some(walk, clocks)) {
            continue;
        }
        if (first == NULL) {
            first = branch;
            first_enroll = enroll;
            continue;
        }
        const NodeList *before = first_enroll != NULL ? &first_enroll->enroll.clocks : &none;
        const Node *here = missing_in(walk, clocks, before);
        const Node *there = here == NULL ? missing_in(walk, before, clocks) : NULL;
        if (here != NULL || there != NULL) {
            report(walk, par, here != NULL ? here : there, here != NULL ? first : branch);
            return;
        }
    }
}
