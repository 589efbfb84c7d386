/* usage_phase_flow -- phases where ways part and meet again: loops, choices, PAR. See
 * usage_phase.h.
 *
 * Holds: an iteration begins at a number that stands for itself until the loop has been walked:
 *        then it is put in, a multiple of the iteration where each passes as many NEXTs. Ways that
 *        have passed different numbers meet at one that is not known. */
#include "usage_phase.h"

/* ---- does it go on to other phases ---- */

static void find_move(Node **slot, void *data) {
    bool *found = data;
    const Node *node = *slot;
    if (node->kind == NODE_CALL && node->call.callee->kind == NODE_NAME) {
        const Symbol *callee = node->call.callee->name.symbol;
        const Node *routine = callee ? callee->definition : NULL;
        *found = *found || (routine && routine->kind == NODE_PROC && routine->proc.info &&
                            routine->proc.info->crosses_phase);
    }
    *found = *found || node->kind == NODE_NEXT || node->kind == NODE_SYNC ||
             node->kind == NODE_RESUME || node->kind == NODE_DROP || node->kind == NODE_RESIGN;
    if (!*found && node->kind != NODE_PROC && node->kind != NODE_FUNCTION) {
        node_visit_children((Node *)node, find_move, data);
    }
}

bool usage_phase_moves(const Node *process) {
    bool found = false;
    Node *node = (Node *)process;
    find_move(&node, &found);
    return found;
}

/* ---- loops ---- */

static size_t count_phases(const UsagePhase *list) {
    size_t count = 0;
    for (; list; list = list->next) {
        count++;
    }
    return count;
}

IndexExpr *usage_phase_unknown(UsageWalk *walk) {
    IndexExpr *expr = arena_new(walk->arena, IndexExpr);
    *expr = (IndexExpr){.kind = INDEX_PARAMETER, .name = expr, .value = walk->latest};
    return expr;
}

/* A WHILE: its count is not known and the same for all, since it bounds nobody. */
static void push_open_loop(UsageWalk *walk) {
    IndexLoop *loop = arena_new(walk->arena, IndexLoop);
    loop->outer = walk->loops;
    loop->depth = walk->loops ? walk->loops->depth + 1 : 0;
    loop->count = index_parameter(walk->arena, loop, 0, NULL);
    walk->loops = loop;
}

static const UsagePhase *begin_iteration(UsageWalk *walk, const UsagePhase *list,
                                         IndexExpr **starts, const PhaseLoop *loop) {
    if (!list) {
        return NULL;
    }
    UsagePhase *phase = arena_copy(walk->arena, list, sizeof *list);
    *starts = usage_phase_unknown(walk);
    const IndexExpr *before = index_operator(walk->arena, OPERATOR_ADD, list->base, list->steps);
    phase->base = index_operator(walk->arena, OPERATOR_ADD, before, *starts);
    phase->steps = index_constant(walk->arena, 0);
    phase->head = loop;
    phase->next = begin_iteration(walk, list->next, starts + 1, loop);
    return phase;
}

PhaseLoopMark usage_phase_loop_begin(UsageWalk *walk, const Node *body, const Node *times,
                                     bool is_counted) {
    PhaseLoopMark mark = {.before = walk->here.phases,
                          .times = times,
                          .stops = walk->here.stops,
                          .latest = walk->latest};
    if (walk->alias || !walk->here.phases || !usage_phase_moves(body)) {
        return mark;
    }
    if (!is_counted) {
        push_open_loop(walk);
    }
    mark.starts = arena_new_array(walk->arena, IndexExpr *, count_phases(walk->here.phases) + 1);
    mark.loop = arena_new(walk->arena, PhaseLoop);
    walk->here.phases = mark.begun =
        begin_iteration(walk, walk->here.phases, mark.starts, mark.loop);
    return mark;
}

/* NEXTs in one iteration: *each, when every one passes as many. */
static bool is_even(const UsagePhase *begin, const UsagePhase *end, int64_t *each) {
    bool is_known = end && end->base == begin->base && end->steps->kind == INDEX_CONSTANT;
    *each = is_known ? end->steps->value : 0;
    return is_known;
}

/* NEXTs of all iterations; `times` says how many there are. */
static const IndexExpr *total(UsageWalk *walk, int64_t each, const Node *times, bool is_counted) {
    const IndexExpr *count = walk->loops->count;
    if (each == 0) {
        return index_constant(walk->arena, 0);
    }
    if (!is_counted || count->kind == INDEX_UNKNOWN) {
        count = usage_uniform_count(walk, times); /* a branch may leave earlier than others */
    } else if (count->kind == INDEX_CONSTANT && count->value < 0) {
        count = index_constant(walk->arena, 0);
    }
    return index_operator(walk->arena, OPERATOR_MULTIPLY, index_constant(walk->arena, each), count);
}

/* What lies outside of a loop or PAR. */
typedef struct Outside {
    unsigned depth;  /* of the loop */
    uint32_t latest; /* the last symbol outside */
} Outside;

static bool is_inner(const IndexExpr *leaf, const void *data) {
    const Outside *outside = data;
    return leaf->kind == INDEX_UNKNOWN ||
           (leaf->kind == INDEX_LOOP && leaf->loop->depth >= outside->depth) ||
           (leaf->kind == INDEX_PARAMETER && leaf->value > outside->latest);
}

/* usage_phase_unknown: another number in each iteration. */
static bool varies(const IndexExpr *leaf, const void *outside) {
    return is_inner(leaf, outside) || (leaf->kind == INDEX_PARAMETER && leaf->name == leaf);
}

/* The numbers at which the iterations begin are put in. */
static void settle_starts(UsageWalk *walk, const PhaseLoopMark *mark) {
    const IndexExpr *iteration = index_loop(walk->arena, walk->loops);
    const UsagePhase *begin = mark->begun;
    const Outside outside = {walk->loops->depth, mark->latest};
    for (size_t i = 0; begin; i++, begin = begin->next) {
        const UsagePhase *end = usage_phase_find(walk->here.phases, begin->clock);
        bool is_known = end && end->base == begin->base && !index_any(end->steps, varies, &outside);
        if (is_known) {
            bool is_zero = end->steps->kind == INDEX_CONSTANT && end->steps->value == 0;
            *mark->starts[i] =
                is_zero ? *end->steps
                        : *index_operator(walk->arena, OPERATOR_MULTIPLY, end->steps, iteration);
        }
    }
}

static const UsagePhase *end_loop(UsageWalk *walk, const PhaseLoopMark *mark,
                                  const UsagePhase *before, const UsagePhase *begin,
                                  bool is_counted) {
    if (!before) {
        return NULL;
    }
    const UsagePhase *end = usage_phase_find(walk->here.phases, before->clock);
    int64_t each = 0;
    UsagePhase *phase = arena_copy(walk->arena, before, sizeof *before);
    bool is_known = is_even(begin, end, &each);
    phase->steps = is_known ? index_operator(walk->arena, OPERATOR_ADD, before->steps,
                                             total(walk, each, mark->times, is_counted))
                            : usage_phase_unknown(walk);
    phase->is_uncertain = before->is_uncertain || !is_known || (each > 0 && !is_counted);
    phase->is_left = before->is_left || !end || end->is_left;
    phase->is_resumed = before->is_resumed || (end && end->is_resumed);
    if (end && end->since.line && end->head != mark->loop) {
        mark->loop->last = end->since;
        phase->since = end->since;
        phase->head = NULL;
    }
    phase->next = end_loop(walk, mark, before->next, begin->next, is_counted);
    return phase;
}

void usage_phase_loop_end(UsageWalk *walk, const PhaseLoopMark *mark, bool is_counted) {
    if (mark->starts) {
        settle_starts(walk, mark);
        walk->here.phases = end_loop(walk, mark, mark->before, mark->begun, is_counted);
        if (!is_counted) {
            usage_pop_loop(walk);
        }
    }
    walk->here.stops = mark->stops;
}

/* ---- choices ---- */

PhaseMeeting usage_phase_part(UsageWalk *walk) {
    return (PhaseMeeting){.before = walk->here.phases, .stops = walk->here.stops};
}

void usage_phase_way(UsageWalk *walk, const PhaseMeeting *meeting) {
    walk->here.phases = meeting->before;
    walk->here.stops = meeting->stops;
}

static const UsagePhase *meet(UsageWalk *walk, const UsagePhase *a, const UsagePhase *others) {
    if (!a) {
        return NULL;
    }
    const UsagePhase *b = usage_phase_find(others, a->clock);
    UsagePhase *phase = arena_copy(walk->arena, a, sizeof *a);
    bool is_same = b && (a->base == b->base || index_equal(a->base, b->base)) &&
                   (a->steps == b->steps || index_equal(a->steps, b->steps));
    phase->steps = is_same ? a->steps : usage_phase_unknown(walk);
    phase->is_uncertain = a->is_uncertain || !is_same || b->is_uncertain;
    phase->is_resumed = a->is_resumed || (b && b->is_resumed);
    phase->is_left = a->is_left || !b || b->is_left;
    phase->next = meet(walk, a->next, others);
    return phase;
}

void usage_phase_way_end(UsageWalk *walk, PhaseMeeting *meeting) {
    if (walk->here.stops) {
        return;
    }
    meeting->after = !meeting->falls || meeting->after == walk->here.phases
                         ? walk->here.phases
                         : meet(walk, meeting->after, walk->here.phases);
    meeting->falls = true;
}

void usage_phase_meet(UsageWalk *walk, const PhaseMeeting *meeting) {
    walk->here.phases = meeting->falls ? meeting->after : meeting->before;
    walk->here.stops = meeting->stops || !meeting->falls;
}

/* ---- PAR ---- */

static bool is_named(const NodeList *clocks, const Symbol *clock) {
    for (size_t i = 0; clock && i < clocks->count; i++) {
        if (clocks->items[i]->kind == NODE_NAME &&
            symbol_object(clocks->items[i]->name.symbol) == clock) {
            return true;
        }
    }
    return false;
}

bool usage_phase_enrolls(const Node *par, size_t component, const Symbol *clock) {
    const Node *enroll = node_enroll(par->par.body.items[component]);
    return is_named(&par->par.enrols, clock) || (enroll && is_named(&enroll->enroll.clocks, clock));
}

bool usage_phase_is_replicated(const Node *par) {
    const Node *replicator = par->par.replicator;
    return replicator && replicator->kind == NODE_REPLICATOR &&
           (par->par.enrols.count > 0 || node_enroll(par->par.body.items[0]));
}

static bool enrolls_any(const Node *par, const Symbol *clock) {
    for (size_t i = 0; i < par->par.body.count; i++) {
        if (usage_phase_enrolls(par, i, clock)) {
            return true;
        }
    }
    return false;
}

/* A BARRIER serves the only branch that names it: then the others do not hold it. */
static bool may_serve_one(const Node *par, const Symbol *clock) {
    return clock && clock->type->kind == TYPE_BARRIER && usage_phase_moves(par);
}

static const UsagePhase *enter(UsageWalk *walk, const Node *par, size_t component,
                               const UsagePhase *list) {
    if (!list) {
        return NULL;
    }
    UsagePhase *phase = arena_copy(walk->arena, list, sizeof *list);
    if (usage_phase_enrolls(par, component, list->clock)) {
        phase->is_resumed = phase->is_left = phase->is_frozen = phase->is_uncertain = false;
        phase->since = (Location){0};
        phase->head = NULL;
    } else {
        phase->is_frozen = true;
        phase->is_left =
            list->is_left || enrolls_any(par, list->clock) || may_serve_one(par, list->clock);
    }
    phase->next = enter(walk, par, component, list->next);
    return phase;
}

void usage_phase_component(UsageWalk *walk, const Node *par, size_t component,
                           const UsagePhase *before) {
    walk->here.phases = walk->alias ? NULL : enter(walk, par, component, before);
}

static bool always_runs(const Node *par) {
    const Node *replicator = par->par.replicator;
    if (!replicator || replicator->kind != NODE_REPLICATOR) {
        return true;
    }
    const Constant *count = replicator->replicator.count->constant;
    return count && count->integer > 0;
}

/* The furthest of two ends of one clock, whose branches began together. */
static const IndexExpr *furthest(const IndexExpr *a, const IndexExpr *b) {
    if (a->kind == INDEX_CONSTANT && b->kind == INDEX_CONSTANT) {
        return a->value > b->value ? a : b;
    }
    return a == b || index_equal(a, b) ? a : index_unknown();
}

const UsagePhase *usage_phase_origin(Arena *arena, const UsagePhase *list) {
    if (!list) {
        return NULL;
    }
    UsagePhase *phase = arena_copy(arena, list, sizeof *list);
    phase->base = index_operator(arena, OPERATOR_ADD, list->base, list->steps);
    phase->steps = index_constant(arena, 0);
    phase->next = usage_phase_origin(arena, list->next);
    return phase;
}

/* A PAR and how its branches have ended. */
typedef struct Join {
    UsageWalk *walk;
    const Node *par;
    const UsagePhase *const *ends;
    uint32_t latest;
} Join;

/* NEXTs that the branch has passed which has passed most; NULL: none is enrolled. */
static const IndexExpr *furthest_of(const Join *join, const UsagePhase *before, UsagePhase *after) {
    const IndexExpr *steps = NULL;
    for (size_t i = 0; i < join->par->par.body.count; i++) {
        const UsagePhase *end = usage_phase_find(join->ends[i], before->clock);
        if (!usage_phase_enrolls(join->par, i, before->clock)) {
            continue;
        }
        bool is_known = end && end->base == before->base;
        const IndexExpr *its = is_known ? end->steps : index_unknown();
        steps = steps ? furthest(steps, its) : its;
        after->is_left = after->is_left || !end || end->is_left;
        after->since = end ? end->since : after->since;
    }
    return steps;
}

/* The last branch to end hands the registration back, in the phase it has come to. */
static UsagePhase after_par(const Join *join, const UsagePhase *outside, const UsagePhase *before) {
    UsageWalk *walk = join->walk;
    const Node *replicator = join->par->par.replicator;
    bool is_replicated = replicator && replicator->kind == NODE_REPLICATOR;
    unsigned depth = (walk->loops ? walk->loops->depth + 1 : 0) - is_replicated;
    const Outside around = {depth, join->latest};
    UsagePhase phase = *outside;
    const IndexExpr *steps = furthest_of(join, before, &phase);
    bool is_known = steps && always_runs(join->par) && !index_any(steps, is_inner, &around);
    if (is_known) {
        phase.steps = index_operator(walk->arena, OPERATOR_ADD, outside->steps, steps);
    } else if (steps || may_serve_one(join->par, before->clock)) {
        phase.steps = usage_phase_unknown(walk);
        phase.is_uncertain = true;
    }
    return phase;
}

static const UsagePhase *join_list(const Join *join, const UsagePhase *outside,
                                   const UsagePhase *before) {
    if (!outside) {
        return NULL;
    }
    UsagePhase *phase = arena_new(join->walk->arena, UsagePhase);
    *phase = after_par(join, outside, before);
    phase->next = join_list(join, outside->next, before->next);
    return phase;
}

void usage_phase_joined(UsageWalk *walk, const Node *par, const UsagePhase *outside,
                        const UsagePhase *before, const UsagePhase *const *ends, uint32_t latest) {
    Join join = {walk, par, ends, latest};
    walk->here.phases = join_list(&join, outside, before);
}
