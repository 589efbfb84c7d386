/* usage_block -- NEXT with a block: every branch comes to the same one, at the same time.
 *
 * Leaves: what the block may do to check_clock.c.
 * Holds:  each NEXT is noted with the phase that it ends. All branches pass as many NEXTs; so when
 *         no two different ones can end one phase, all are at the same in each. */
#include "usage_phase.h"

/* The NEXT itself as a subscript: its place. */
static const IndexExpr *place_of(Arena *arena, Location at) {
    return index_constant(arena, (int64_t)at.file << 40 | (int64_t)at.line << 12 | at.column);
}

/* Also after RESUME a NEXT ends the very phase that was resumed. */
static const UsagePhase *phases_ended(UsageWalk *walk, const UsagePhase *phase) {
    UsagePhase ended = *phase;
    ended.is_resumed = false;
    return phase->is_resumed ? usage_phase_with(walk->arena, walk->here.phases, phase, ended)
                             : walk->here.phases;
}

void usage_note_next(UsageWalk *walk, Symbol *clock, const Node *node) {
    const UsagePhase *phase = walk->alias ? NULL : usage_phase_find(walk->here.phases, clock);
    if (!phase || walk->here.stops) {
        return; /* behind STOP nobody comes to it */
    }
    IndexDimension *place = arena_new(walk->arena, IndexDimension);
    place->from = place_of(walk->arena, node->at);
    UsageAccess access = {.root = clock,
                          .kind = USAGE_NEXT,
                          .at = node->at,
                          .name = clock,
                          .phases = phases_ended(walk, phase),
                          .block = node->kind == NODE_NEXT && node->next.process ? clock : NULL};
    access.region = (IndexRegion){
        .dimensions = place, .count = 1, .loops = walk->loops, .guards = walk->here.guards};
    array_push(walk->arena, &walk->accesses, access);
}

typedef struct BlockCheck {
    UsageWalk *walk;
    const Node *par;
    const size_t *starts;
    IndexPair pair;
    const Symbol *clock;
    const UsagePhase *before;
    uint64_t budget;
} BlockCheck;

static void report(const BlockCheck *check, const UsageAccess *block, Location other,
                   const char *words) {
    Diag *diag = check->walk->compiler->diag;
    if (check->walk->here.is_doubtful) {
        return;
    }
    diag_report(diag, DIAG_CLOCK_BLOCK, block->at, check->clock->name->bytes);
    diag_label(diag, other, "%s", words);
    diag_hint(diag,
              "the block is run once by the last to arrive, so nobody may pass this phase of "
              "'%s' by another NEXT, or end before it",
              check->clock->name->bytes);
}

static const UsageAccess *first_block(const BlockCheck *check) {
    for (size_t i = check->starts[0]; i < check->starts[check->par->par.body.count]; i++) {
        const UsageAccess *access = &check->walk->accesses.items[i];
        if (access->kind == USAGE_NEXT && access->root == check->clock && access->block) {
            return access;
        }
    }
    return NULL;
}

/* The phase alone. */
static IndexRegion phase_of(const BlockCheck *check, size_t component, const UsageAccess *access) {
    Arena *arena = check->walk->arena;
    PhaseClocks one = {0};
    array_push(arena, &one, check->clock);
    const UsageAccess *phased =
        usage_phase_access(arena, &one, check->par, component, check->before, access);
    IndexRegion region = phased->region;
    region.count = 1;
    return region;
}

static bool is_same_next(const UsageAccess *a, const UsageAccess *b) {
    return a->region.count == 1 && b->region.count == 1 && a->region.dimensions[0].from &&
           b->region.dimensions[0].from &&
           index_equal(a->region.dimensions[0].from, b->region.dimensions[0].from);
}

static bool may_meet(BlockCheck *check, const UsageAccess *a, size_t component,
                     const UsageAccess *b, size_t other) {
    IndexRegion left = phase_of(check, component, a);
    IndexRegion right = phase_of(check, other, b);
    check->pair.is_thorough = true;
    return index_compare(&left, &right, &check->pair) != INDEX_DISJOINT;
}

/* Another NEXT that ends the same phase as this one with a block. */
static bool check_against(BlockCheck *check, const UsageAccess *block, size_t component) {
    for (size_t i = 0; i < check->par->par.body.count; i++) {
        for (size_t k = check->starts[i]; k < check->starts[i + 1]; k++) {
            const UsageAccess *other = &check->walk->accesses.items[k];
            bool is_other = other->kind == USAGE_NEXT && other->root == check->clock &&
                            (i != component || check->pair.is_replicated) &&
                            !is_same_next(block, other);
            if (is_other && may_meet(check, block, component, other, i)) {
                report(check, block, other->at, "a branch may be here instead");
                return false;
            }
        }
    }
    return true;
}

static void check_clock_blocks(BlockCheck *check, bool is_even) {
    const UsageAccess *block = first_block(check);
    if (!block) {
        return;
    }
    if (!is_even) {
        report(check, block, check->par->at,
               "branches of this PAR may pass different numbers of NEXTs");
        return;
    }
    for (size_t i = 0; i < check->par->par.body.count; i++) {
        for (size_t k = check->starts[i]; k < check->starts[i + 1]; k++) {
            const UsageAccess *access = &check->walk->accesses.items[k];
            if (access->kind == USAGE_NEXT && access->root == check->clock && access->block &&
                !check_against(check, access, i)) {
                return;
            }
        }
    }
}

/* All branches have passed as many NEXTs at their ends. */
static bool ends_alike(const BlockCheck *check, const UsagePhase *const *ends) {
    const UsagePhase *begin = usage_phase_find(check->before, check->clock);
    const IndexExpr *steps = NULL;
    for (size_t i = 0; begin && i < check->par->par.body.count; i++) {
        const UsagePhase *end = usage_phase_find(ends[i], check->clock);
        if (!usage_phase_enrolls(check->par, i, check->clock)) {
            continue;
        }
        if (!end || end->base != begin->base || !index_is_shared(end->steps, &check->pair) ||
            (steps && !index_equal(steps, end->steps))) {
            return false;
        }
        steps = end->steps;
    }
    return steps != NULL;
}

#define BUDGET 4000000

void usage_check_blocks(UsageWalk *walk, const Node *par, const size_t *starts, IndexPair pair,
                        const UsagePhase *before, const PhaseClocks *clocks,
                        const UsagePhase *const *ends) {
    for (size_t i = 0; i < clocks->count; i++) {
        BlockCheck check = {.walk = walk,
                            .par = par,
                            .starts = starts,
                            .pair = pair,
                            .clock = clocks->items[i],
                            .before = before,
                            .budget = BUDGET};
        check.pair.budget = &check.budget;
        check_clock_blocks(&check, ends_alike(&check, ends));
    }
}
