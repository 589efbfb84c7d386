/* usage_pair -- two accesses of a PAR: whether they conflict, and whether they meet. See
 * usage_conflict.c. */
#include "usage_conflict.h"

#define PAIR_LIMIT 20000000 /* looked at */

/* Elements that are written to leave a mobile where it is, and as large. */
static bool is_inside(const UsageAccess *write, const UsageAccess *measure) {
    return measure->kind == USAGE_MEASURE && write->region.count > measure->region.count;
}

bool pair_uses_conflict(const UsageAccess *a, const UsageAccess *b) {
    if (a->kind == USAGE_WRITE || b->kind == USAGE_WRITE) {
        return !is_inside(a, b) && !is_inside(b, a); /* an end of a bundle is used and moved */
    }
    return a->kind == b->kind && a->kind != USAGE_READ && a->kind != USAGE_MEASURE;
}

/* The name outside of the PAR that an access goes through: e IS row[i]: in a branch goes through
 * row. */
static const Symbol *outer_name(const ParCheck *check, const UsageAccess *access) {
    const Symbol *name = access->name;
    while (name && name->number > check->latest) {
        name = symbol_abbreviated(name);
    }
    return name;
}

static bool is_named_outside(const ParCheck *check, const UsageAccess *access) {
    const Symbol *name = outer_name(check, access);
    return name && name != access->root;
}

/* old IS v[i]: new IS v[j]:   two names in scope are two parts: check_alias, or a check at run time
 * where they are introduced, saw to it. */
static bool names_apart(const ParCheck *check, const UsageAccess *a, const UsageAccess *b) {
    const Symbol *left = outer_name(check, a);
    const Symbol *right = outer_name(check, b);
    return left != right && is_named_outside(check, a) && is_named_outside(check, b) &&
           !a->root->permits_aliases;
}

bool pair_is_exhausted(const ParCheck *check) {
    return check->pairs > PAIR_LIMIT || check->pair.comparisons > check->last_comparison;
}

static IndexAnswer compare_parts(ParCheck *check, const Candidate *a, const Candidate *b) {
    int64_t difference = b->offset - a->offset;
    if (check->offsets &&
        index_offset_is_known(check->offsets, a->offset_class, b->offset_class, difference)) {
        return INDEX_DISJOINT;
    }
    if (pair_is_exhausted(check)) {
        return INDEX_IS_UNKNOWN;
    }
    check->pair.is_anywhere = check->offsets && a->offset_class && b->offset_class;
    IndexAnswer answer = index_compare(&a->access->region, &b->access->region, &check->pair);
    if (answer == INDEX_DISJOINT && check->offsets) {
        index_offset_note(check->offsets, a->offset_class, b->offset_class, difference);
    }
    return answer;
}

/* One of the two is in the block of a NEXT, while the others wait there. */
static bool is_in_block(const ParCheck *check, const Candidate *a, const Candidate *b) {
    const Symbol *blocks[] = {a->access->block, b->access->block};
    for (size_t i = 0; i < 2; i++) {
        if (blocks[i] && usage_phase_enrolls(check->par, a->component, blocks[i]) &&
            usage_phase_enrolls(check->par, b->component, blocks[i])) {
            return true;
        }
    }
    return false;
}

IndexAnswer pair_compare(ParCheck *check, const Candidate *a, const Candidate *b) {
    if (++check->pairs > PAIR_LIMIT) {
        return INDEX_IS_UNKNOWN;
    }
    if (names_apart(check, a->access, b->access) || is_in_block(check, a, b)) {
        return INDEX_DISJOINT;
    }
    return compare_parts(check, a, b);
}

bool pair_are_claimed(const ParCheck *check, const Candidate *a, const Candidate *b) {
    return a->access->locks &&
           usage_locks_exclude(check->walk, check->latest, a->access, b->access);
}

/* The loops that the expression is about, and that of the PAR: one further in may run in some
 * branches only. */
static const IndexLoop *loops_of(const ParCheck *check, const IndexExpr *expr,
                                 const IndexLoop *loops) {
    while (loops && loops->depth > check->pair.shared_depth && !index_mentions(expr, loops)) {
        loops = loops->outer;
    }
    return loops;
}

/* Every access chooses the same element in one dimension, another one in each branch: no pair needs
 * to be looked at. x[i][..] under PAR i is the usual case. */
static bool is_separated_by(ParCheck *check, const Candidate *group, size_t count, size_t which) {
    const IndexDimension *first = &group[0].access->region.dimensions[which];
    if (!first->from || first->length) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const IndexRegion *region = &group[i].access->region;
        if (region->count <= which || region->dimensions[which].length ||
            !index_same(region->dimensions[which].from, first->from)) {
            return false;
        }
    }
    IndexDimension *dimensions = arena_new_array(check->walk->arena, IndexDimension, which + 1);
    dimensions[which] = *first;
    IndexRegion region = {.dimensions = dimensions,
                          .count = which + 1,
                          .loops = loops_of(check, first->from, group[0].access->region.loops)};
    IndexAnswer answer = index_compare(&region, &region, &check->pair);
    return answer == INDEX_DISJOINT;
}

bool pair_are_separated(ParCheck *check, const Candidate *group, size_t count) {
    size_t dimensions = group[0].access->region.count;
    for (size_t i = 0; check->pair.is_replicated && count > 1 && i < dimensions; i++) {
        if (is_separated_by(check, group, count, i)) {
            return true;
        }
    }
    return false;
}
