/* usage_phase_pair -- the phases of accesses as subscripts, for the branches of one PAR; what the
 * user is told about them. See usage_phase.h. */
#include "usage_phase.h"

#define EVER_AFTER ((int64_t)1 << 30) /* phases */

/* ---- the clocks of a PAR ---- */

static void add_clocks(Arena *arena, const Node *par, const NodeList *names, PhaseClocks *clocks) {
    for (size_t i = 0; i < names->count; i++) {
        const Symbol *clock =
            names->items[i]->kind == NODE_NAME ? symbol_object(names->items[i]->name.symbol) : NULL;
        size_t enrolled = 0;
        for (size_t k = 0; clock && k < par->par.body.count; k++) {
            enrolled += usage_phase_enrolls(par, k, clock);
        }
        bool is_known = false;
        for (size_t k = 0; k < clocks->count; k++) {
            is_known = is_known || clocks->items[k] == clock;
        }
        if (!is_known && (enrolled > 1 || (enrolled == 1 && par->par.replicator))) {
            array_push(arena, clocks, clock);
        }
    }
}

void usage_phase_clocks(Arena *arena, const Node *par, PhaseClocks *clocks) {
    add_clocks(arena, par, &par->par.enrols, clocks);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        if (enroll) {
            add_clocks(arena, par, &enroll->enroll.clocks, clocks);
        }
    }
}

/* ---- the phase as a subscript ---- */

/* What is added to the number in which the branches began: all of them are made by adding to it. */
static const IndexExpr *since_origin(Arena *arena, const IndexExpr *number,
                                     const IndexExpr *origin) {
    if (number == origin) {
        return index_constant(arena, 0);
    }
    bool is_sum = number->kind == INDEX_OPERATOR && number->op == OPERATOR_ADD;
    const IndexExpr *rest = is_sum ? since_origin(arena, number->left, origin) : NULL;
    return rest ? index_operator(arena, OPERATOR_ADD, rest, number->right) : NULL;
}

static IndexDimension dimension_of(Arena *arena, const UsagePhase *phase,
                                   const UsagePhase *before) {
    IndexDimension part = {NULL, NULL, NULL};
    part.from = phase ? usage_phase_number(arena, phase) : NULL;
    if (part.from && before && before->base->kind != INDEX_CONSTANT) {
        part.from = since_origin(arena, part.from, before->base);
    }
    if (part.from && (phase->is_left || phase->is_resumed)) {
        part.length = index_constant(arena, phase->is_left ? EVER_AFTER : 2);
    }
    return part;
}

const UsageAccess *usage_phase_access(Arena *arena, const PhaseClocks *clocks, const Node *par,
                                      size_t component, const UsagePhase *before,
                                      const UsageAccess *access) {
    size_t count = clocks->count;
    if (count == 0) {
        return access;
    }
    UsageAccess *phased = arena_copy(arena, access, sizeof *access);
    IndexRegion *region = &phased->region;
    IndexDimension *parts = arena_new_array(arena, IndexDimension, count + region->count);
    for (size_t i = 0; i < count; i++) {
        bool is_enrolled = usage_phase_enrolls(par, component, clocks->items[i]);
        if (is_enrolled) {
            const Symbol *clock = clocks->items[i];
            parts[i] = dimension_of(arena, usage_phase_find(access->phases, clock),
                                    usage_phase_find(before, clock));
        }
    }
    for (size_t i = 0; i < region->count; i++) {
        parts[count + i] = region->dimensions[i];
    }
    region->dimensions = parts;
    region->count += count;
    region->phases = count;
    phased->plain = access;
    return phased;
}

/* ---- for the user ---- */

static bool same_place(Location left, Location right) {
    return left.file == right.file && left.line == right.line;
}

static const char *place_words(Arena *arena, const UsagePhase *phase) {
    const char *word = phase->clock->type->kind == TYPE_BARRIER ? "SYNC" : "NEXT";
    return phase->since.line
               ? arena_format(arena, "after the %s in line %u", word, phase->since.line)
               : arena_format(arena, "before the first %s", word);
}

/* The places of the NEXTs that an access may come after; 0: before all. */
static bool may_follow(const UsagePhase *phase, Location next) {
    return same_place(phase->since, next) ||
           (phase->head && phase->head->last.line && same_place(phase->head->last, next));
}

static void explain_clock(UsageWalk *walk, const UsagePhase *a, const UsagePhase *b) {
    Diag *diag = walk->compiler->diag;
    const char *name = a->clock->name->bytes;
    if (!usage_phase_is_known(a) || !usage_phase_is_known(b) || a->is_uncertain ||
        b->is_uncertain) {
        diag_hint(diag,
                  "the phase of '%s' is not known here: branches may have passed different "
                  "numbers of NEXTs",
                  name);
        return;
    }
    if (same_place(a->since, b->since) || may_follow(a, b->since)) {
        diag_hint(diag, "both are in the phase of '%s' %s", name, place_words(walk->arena, b));
    } else if (may_follow(b, a->since)) {
        diag_hint(diag, "both are in the phase of '%s' %s", name, place_words(walk->arena, a));
    } else {
        diag_hint(diag, "both may be in the same phase of '%s': the one %s, the other %s", name,
                  place_words(walk->arena, a), place_words(walk->arena, b));
    }
    if (a->is_left || b->is_left) {
        diag_hint(diag, "nobody waits for a process that has left '%s'", name);
    } else if (a->is_resumed || b->is_resumed) {
        diag_hint(diag, "what follows RESUME may be in the next phase, too");
    }
}

#define CLOCKS_EXPLAINED 3

void usage_phase_explain(UsageWalk *walk, const PhaseClocks *clocks, const UsageAccess *first,
                         const UsageAccess *second) {
    for (size_t i = 0; clocks && i < clocks->count && i < CLOCKS_EXPLAINED; i++) {
        const UsagePhase *a = usage_phase_find(first->phases, clocks->items[i]);
        const UsagePhase *b = usage_phase_find(second->phases, clocks->items[i]);
        if (a && b && !a->is_frozen && !b->is_frozen) {
            explain_clock(walk, a, b);
        }
    }
}
