/* usage_par -- a PAR: its components are walked one after the other, then checked against each
 * other; what is lent to them is used until all have ended. */
#include "usage.h"

#include "alias.h"
#include "usage_phase.h"
#include "value.h"

/* An enrolled branch has a variable of its own for a MOBILE CLOCK: the process lends its own. */
void usage_forget_enrolled(UsageWalk *walk, const NodeList *clocks, size_t start) {
    for (size_t i = 0; i < clocks->count; i++) {
        const Symbol *symbol = clocks->items[i]->name.symbol;
        size_t kept = start;
        for (size_t k = start; k < walk->accesses.count; k++) {
            const UsageAccess *access = &walk->accesses.items[k];
            if (access->name != symbol || access->kind == USAGE_NEXT) {
                walk->accesses.items[kept++] = *access;
            }
        }
        walk->accesses.count = kept;
    }
}

static void walk_lent(UsageWalk *walk, const NodeList *clocks) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (clocks->items[i]->type && (walk->alias || type_is_mobile(clocks->items[i]->type))) {
            usage_element(walk, clocks->items[i], USAGE_WRITE);
        }
    }
}

/* After the branches: those outside must not use meanwhile what is lent. */
static void walk_all_lent(UsageWalk *walk, const Node *par) {
    walk_lent(walk, &par->par.enrols);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        if (enroll) {
            walk_lent(walk, &enroll->enroll.clocks);
        }
    }
}

void usage_par(UsageWalk *walk, const Node *node) {
    size_t count = node->par.body.count;
    size_t *starts = arena_new_array(walk->arena, size_t, count + 1);
    uint32_t latest = walk->latest;
    const UsagePhase *outside = walk->here.phases;
    const UsagePhase *before = usage_phase_origin(walk->arena, outside);
    const UsagePhase **ends = arena_new_array(walk->arena, const UsagePhase *, count + 1);
    bool stops = walk->here.stops;
    const UsageUniform *uniform = walk->here.uniform;
    size_t followed = value_mark(walk);
    value_begin_par(walk, node);
    walk->here.pars++;
    value_fix_unchanged(walk, node);
    uint32_t own = walk->here.own;
    walk->here.own = latest;
    usage_push_optional(walk, node->par.replicator);
    if (!walk->alias && outside && usage_phase_is_replicated(node)) {
        walk->here.uniform = usage_uniform(walk, node, latest);
    }
    for (size_t i = 0; i < count; i++) {
        starts[i] = walk->accesses.count;
        usage_phase_component(walk, node, i, before);
        walk->here.stops =
            false; /* not with the branch before; one behind STOP is judged as well */
        usage_process(walk, node->par.body.items[i]);
        usage_forget_enrolled(walk, &node->par.enrols, starts[i]);
        ends[i] = walk->here.phases;
    }
    starts[count] = walk->accesses.count;
    walk->here.stops = stops;
    walk->here.uniform = uniform;
    usage_phase_joined(walk, node, outside, before, ends, latest);
    if (!walk->alias) {
        usage_check_par(walk, node, starts, latest, before, ends);
    }
    walk_all_lent(walk, node);
    walk->here.own = own;
    usage_pop_optional(walk, node->par.replicator);
    walk->here.pars--;
    value_restore(walk, followed);
}
