/* usage_phase -- how many NEXTs one process has passed; RESUME, NEXT, DROP, RESIGN. See
 * usage_phase.h. */
#include "usage_phase.h"

#include "check.h"

/* ---- lists ---- */

const UsagePhase *usage_phase_find(const UsagePhase *list, const Symbol *clock) {
    clock = symbol_object(clock);
    while (list && list->clock != clock) {
        list = list->next;
    }
    return list;
}

const UsagePhase *usage_phase_with(Arena *arena, const UsagePhase *list, const UsagePhase *old,
                                   UsagePhase changed) {
    if (!list) {
        return NULL;
    }
    UsagePhase *copy = arena_new(arena, UsagePhase);
    *copy = list == old ? changed : *list;
    copy->next = list == old ? old->next : usage_phase_with(arena, list->next, old, changed);
    return copy;
}

static const UsagePhase *with_new(UsageWalk *walk, const UsagePhase *list, const Symbol *clock,
                                  const IndexExpr *origin) {
    UsagePhase *phase = arena_new(walk->arena, UsagePhase);
    const IndexExpr *zero = index_constant(walk->arena, 0);
    *phase =
        (UsagePhase){.next = list, .clock = clock, .base = zero, .steps = zero, .origin = origin};
    return phase;
}

void usage_phase_declare(UsageWalk *walk, const Symbol *symbol) {
    if (!walk->alias && clock_is(symbol)) {
        walk->here.phases = with_new(walk, walk->here.phases, symbol, NULL);
    }
}

static const UsagePhase *without(Arena *arena, const UsagePhase *list, uint32_t latest) {
    if (!list) {
        return NULL;
    }
    const UsagePhase *rest = without(arena, list->next, latest);
    if (list->clock && list->clock->number > latest) {
        return rest;
    }
    if (rest == list->next) {
        return list;
    }
    UsagePhase *copy = arena_copy(arena, list, sizeof *list);
    copy->next = rest;
    return copy;
}

void usage_phase_forget(UsageWalk *walk, uint32_t latest) {
    walk->here.phases = without(walk->arena, walk->here.phases, latest);
}

/* Who calls the routine knows the phase in which it begins: the number of the parameter says that
 * it is the routine's own. */
static const UsagePhase *with_given(UsageWalk *walk, const UsagePhase *list, const Symbol *clock,
                                    const Symbol *routine) {
    const IndexExpr *origin = index_parameter(walk->arena, clock, routine->number, NULL);
    return with_new(walk, list, clock, origin);
}

const UsagePhase *usage_phase_routine(UsageWalk *walk, const Node *routine) {
    if (routine->kind != NODE_PROC || !routine->proc.info || !routine->proc.info->crosses_phase) {
        return NULL;
    }
    const ProcInfo *info = routine->proc.info;
    const UsagePhase *list = info->nexts_all ? with_new(walk, NULL, NULL, NULL) : NULL;
    for (size_t i = 0; i < info->free_names.count; i++) {
        const Symbol *clock = symbol_object(info->free_names.items[i]);
        if (clock_is(clock) && !usage_phase_find(list, clock)) {
            list = with_given(walk, list, clock, info->symbol);
        }
    }
    for (size_t i = 0; i < routine->proc.formals.count; i++) {
        const Node *formal = routine->proc.formals.items[i];
        if (formal->kind == NODE_FORMAL && clock_is(formal->formal.def->def.symbol)) {
            list = with_given(walk, list, formal->formal.def->def.symbol, info->symbol);
        }
    }
    return list;
}

/* ---- one entry ---- */

bool usage_phase_is_known(const UsagePhase *phase) {
    return phase->base->kind != INDEX_UNKNOWN && phase->steps->kind != INDEX_UNKNOWN;
}

const IndexExpr *usage_phase_number(Arena *arena, const UsagePhase *phase) {
    return usage_phase_is_known(phase)
               ? index_operator(arena, OPERATOR_ADD, phase->base, phase->steps)
               : NULL;
}

const IndexExpr *usage_phase_value(UsageWalk *walk, const UsagePhase *list, const Symbol *clock) {
    const UsagePhase *phase = usage_phase_find(list, clock);
    if (walk->alias || !phase || !usage_phase_is_known(phase) || phase->is_resumed ||
        phase->is_left || phase->is_frozen) {
        return NULL;
    }
    const IndexExpr *number = usage_phase_number(walk->arena, phase);
    return phase->origin ? index_operator(walk->arena, OPERATOR_ADD, phase->origin, number)
                         : number;
}

const IndexExpr *usage_phase_wrapped(UsageWalk *walk, const UsagePhase *list, const Symbol *clock) {
    const IndexExpr *phase = usage_phase_value(walk, list, clock);
    return phase ? index_operator(walk->arena, OPERATOR_PLUS, phase, index_constant(walk->arena, 0))
                 : NULL;
}

static bool same_entry(const UsagePhase *a, const UsagePhase *b) {
    return a->clock == b->clock && a->is_resumed == b->is_resumed && a->is_left == b->is_left &&
           a->is_frozen == b->is_frozen && index_same(a->base, b->base) &&
           index_same(a->steps, b->steps);
}

bool usage_phase_same(const UsagePhase *left, const UsagePhase *right) {
    while (left != right && left && right && same_entry(left, right)) {
        left = left->next;
        right = right->next;
    }
    return left == right;
}

/* ---- the processes of clocks ---- */

/* A constant in front of what varies stays one number: branches that part meet again. */
static const IndexExpr *plus_one(Arena *arena, const IndexExpr *steps) {
    int64_t offset = 0;
    const IndexExpr *varying = index_take_offset(steps, &offset);
    if (steps->kind == INDEX_CONSTANT) {
        return index_constant(arena, steps->value + 1);
    }
    return index_operator(arena, OPERATOR_ADD, varying, index_constant(arena, offset + 1));
}

static UsagePhase next_phase(Arena *arena, const UsagePhase *phase, Location at) {
    UsagePhase changed = *phase;
    changed.steps = plus_one(arena, phase->steps);
    changed.is_resumed = false;
    changed.since = at;
    changed.head = NULL;
    return changed;
}

static void change(UsageWalk *walk, const UsagePhase *old, UsagePhase changed) {
    walk->here.phases = usage_phase_with(walk->arena, walk->here.phases, old, changed);
}

static void pass_next(UsageWalk *walk, const Symbol *clock, Location at) {
    const UsagePhase *phase = usage_phase_find(walk->here.phases, clock);
    if (phase) {
        change(walk, phase, next_phase(walk->arena, phase, at));
    }
}

static Symbol *named_clock(const Node *name) {
    return name->kind == NODE_NAME ? symbol_object(name->name.symbol) : NULL;
}

/* The block is run before anybody goes on. */
static void walk_next_block(UsageWalk *walk, const Node *node) {
    const Symbol *outside = walk->here.block;
    walk->here.block = node->next.clocks.count > 0 ? named_clock(node->next.clocks.items[0]) : NULL;
    usage_process(walk, node->next.process);
    walk->here.block = outside;
}

static void walk_next(UsageWalk *walk, const Node *node) {
    for (size_t i = 0; i < node->next.clocks.count; i++) {
        Symbol *clock = named_clock(node->next.clocks.items[i]);
        if (clock) {
            usage_note_next(walk, clock, node);
        }
    }
    if (node->next.process) {
        walk_next_block(walk, node);
    }
    for (size_t i = 0; i < node->next.clocks.count; i++) {
        const Symbol *clock = named_clock(node->next.clocks.items[i]);
        if (clock) {
            pass_next(walk, clock, node->at);
        }
    }
    if (node->next.is_hidden) {
        pass_next(walk, NULL, node->at);
    }
}

static void mark(UsageWalk *walk, const Node *name, bool is_resumed) {
    const Symbol *clock = named_clock(name);
    const UsagePhase *phase = clock ? usage_phase_find(walk->here.phases, clock) : NULL;
    if (phase) {
        UsagePhase changed = *phase;
        changed.is_resumed = phase->is_resumed || is_resumed;
        changed.is_left = phase->is_left || !is_resumed;
        change(walk, phase, changed);
    }
}

void usage_phase_clock(UsageWalk *walk, const Node *node) {
    if (walk->here.block) {
        return; /* an error, reported */
    }
    if (node->kind == NODE_NEXT) {
        walk_next(walk, node);
    } else if (node->kind == NODE_SYNC) {
        Symbol *clock = named_clock(node->sync.element);
        if (clock) {
            usage_note_next(walk, clock, node);
            pass_next(walk, clock, node->at);
        }
    } else {
        NodeList clocks = node_clocks((Node *)node);
        for (size_t i = 0; i < clocks.count; i++) {
            mark(walk, clocks.items[i], node->kind == NODE_RESUME);
        }
    }
}

/* It leaves for the time of the block; then it is in whatever phase has come. */
void usage_phase_resign(UsageWalk *walk, const Node *node) {
    mark(walk, node->resign.element, false);
    usage_process(walk, node->resign.process);
    const Symbol *clock = named_clock(node->resign.element);
    const UsagePhase *phase = clock ? usage_phase_find(walk->here.phases, clock) : NULL;
    if (phase) {
        UsagePhase changed = *phase;
        changed.steps = usage_phase_unknown(walk);
        changed.is_uncertain = true;
        change(walk, phase, changed);
    }
}

/* ---- what is read for as long as a name stands for it ---- */

static const UsagePhase *span(Arena *arena, const UsagePhase *list, const UsagePhase *now) {
    if (!list) {
        return NULL;
    }
    UsagePhase *copy = arena_copy(arena, list, sizeof *list);
    const UsagePhase *end = usage_phase_find(now, list->clock);
    bool is_same = end && index_same(end->base, list->base) &&
                   index_same(end->steps, list->steps) && !end->is_left;
    copy->is_left = list->is_left || !is_same;
    copy->is_resumed = list->is_resumed || (end && end->is_resumed);
    copy->next = span(arena, list->next, now);
    return copy;
}

void usage_phase_span(UsageWalk *walk, size_t start, size_t end) {
    for (size_t i = start; i < end; i++) {
        UsageAccess *access = &walk->accesses.items[i];
        if (access->is_of_val_array && !usage_phase_same(access->phases, walk->here.phases)) {
            access->phases = span(walk->arena, access->phases, walk->here.phases);
        }
    }
}
