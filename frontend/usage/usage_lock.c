/* usage_lock -- which MUTEXes are claimed round an access (language.md 4.4).
 *
 * Owns:   the chain of claims of a walk; two accesses that claims keep apart; claims in terms of a
 *         caller; a process that claims what it holds.
 * Holds:  a claim is known when its MUTEX is one variable, or one element whose subscripts do not
 *         change meanwhile. Accesses of two branches are apart when both are inside of a CLAIM of
 *         one MUTEX, which is declared outside of the PAR and not claimed round all of it; or when
 *         each claims the element of an array of MUTEX that has the number of the element it uses
 *         itself. */
#include "usage.h"

static bool is_known(const UsageLock *lock) {
    for (size_t i = 0; i < lock->count; i++) {
        const IndexDimension *dimension = &lock->dimensions[i];
        if (!dimension->from || dimension->length || dimension->from->kind == INDEX_UNKNOWN) {
            return false;
        }
    }
    return lock->root && lock->count == type_rank(lock->root->type);
}

static bool is_same(const UsageLock *left, const UsageLock *right) {
    if (left->root != right->root || left->count != right->count) {
        return false;
    }
    for (size_t i = 0; i < left->count; i++) {
        const IndexExpr *a = left->dimensions[i].from;
        const IndexExpr *b = right->dimensions[i].from;
        if (a->kind != INDEX_CONSTANT || b->kind != INDEX_CONSTANT || a->value != b->value) {
            return false;
        }
    }
    return true;
}

/* The same claim, for accesses of one process: what does not change is the same for both. */
static bool is_same_here(const UsageLock *left, const UsageLock *right) {
    if (left->root != right->root || left->count != right->count) {
        return false;
    }
    for (size_t i = 0; i < left->count; i++) {
        if (!index_equal(left->dimensions[i].from, right->dimensions[i].from)) {
            return false;
        }
    }
    return true;
}

/* ---- the chain ---- */

const char *usage_lock_words(UsageWalk *walk, const UsageLock *lock) {
    StringBuilder words = {.arena = walk->arena};
    string_append_format(&words, "%s", lock->root->name->bytes);
    for (size_t i = 0; i < lock->count; i++) {
        const IndexExpr *from = lock->dimensions[i].from;
        if (from->kind == INDEX_CONSTANT) {
            string_append_format(&words, "[%lld]", (long long)from->value);
        } else {
            string_append_format(&words, "[..]");
        }
    }
    return words.bytes;
}

static const UsageLock *find_held(const UsageWalk *walk, const UsageLock *wanted) {
    for (const UsageLock *at = walk->here.locks; at; at = at->outer) {
        if (is_same_here(at, wanted)) {
            return at;
        }
    }
    return NULL;
}

static void report_nested(UsageWalk *walk, const UsageLock *held, Location at, const Symbol *via) {
    Diag *diag = walk->compiler->diag;
    if (walk->is_silent || walk->alias) {
        return;
    }
    diag_report(diag, DIAG_USAGE_NESTED_CLAIM, at, usage_lock_words(walk, held));
    if (via) {
        diag_primary_label(diag, "'%s' claims it", via->name->bytes);
    }
    diag_label(diag, held->at, "it is claimed here");
    diag_hint(diag, "a process that claims what it holds waits for itself");
}

void usage_push_lock(UsageWalk *walk, const Node *mutex) {
    ObjectPart part = region_of(&walk->builder, mutex);
    UsageLock *lock = arena_new(walk->arena, UsageLock);
    *lock = (UsageLock){walk->here.locks, part.root, part.dimensions, part.count, mutex->at};
    if (!is_known(lock)) {
        return;
    }
    const UsageLock *held = find_held(walk, lock);
    if (held) {
        report_nested(walk, held, mutex->at, NULL);
    }
    walk->here.locks = lock;
}

void usage_check_nested(UsageWalk *walk, const UsageAccess *claim) {
    UsageLock lock = {NULL, claim->root, claim->region.dimensions, claim->region.count, claim->at};
    const UsageLock *held = is_known(&lock) ? find_held(walk, &lock) : NULL;
    if (held) {
        report_nested(walk, held, claim->at, claim->via);
    }
}

const UsageLock *usage_add_lock(UsageWalk *walk, const UsageLock *outer, const ObjectPart *part,
                                Location at) {
    UsageLock lock = {outer, part->root, part->dimensions, part->count, at};
    return is_known(&lock) ? arena_copy(walk->arena, &lock, sizeof lock) : outer;
}

/* ---- several accesses as one ---- */

static bool holds(const UsageLock *locks, const UsageLock *wanted) {
    for (; locks; locks = locks->outer) {
        if (is_same_here(locks, wanted)) {
            return true;
        }
    }
    return false;
}

bool usage_same_locks(const UsageLock *left, const UsageLock *right) {
    if (left == right) {
        return true;
    }
    for (const UsageLock *at = left; at; at = at->outer) {
        if (!holds(right, at)) {
            return false;
        }
    }
    for (const UsageLock *at = right; at; at = at->outer) {
        if (!holds(left, at)) {
            return false;
        }
    }
    return true;
}

const UsageLock *usage_common_locks(UsageWalk *walk, const UsageLock *left,
                                    const UsageLock *right) {
    if (usage_same_locks(left, right)) {
        return left;
    }
    const UsageLock *common = NULL;
    for (const UsageLock *at = left; at; at = at->outer) {
        if (holds(right, at)) {
            UsageLock *copy = arena_copy(walk->arena, at, sizeof *at);
            copy->outer = common;
            common = copy;
        }
    }
    return common;
}

/* ---- two branches ---- */

/* locks[e] is claimed, and x[..][e][..] used: which dimension of x, or SIZE_MAX. */
static size_t dimension_chosen(const UsageLock *lock, const UsageAccess *access) {
    const IndexExpr *index = lock->count == 1 ? lock->dimensions[0].from : NULL;
    for (size_t i = 0; index && i < access->region.count; i++) {
        const IndexDimension *dimension = &access->region.dimensions[i];
        if (dimension->from && !dimension->length && index_equal(dimension->from, index)) {
            return i;
        }
    }
    return SIZE_MAX;
}

static bool keeps_apart(const UsageLock *left, const UsageAccess *a, const UsageLock *right,
                        const UsageAccess *b) {
    if (left->root != right->root) {
        return false;
    }
    if (is_same(left, right)) {
        return true;
    }
    size_t chosen = dimension_chosen(left, a);
    return chosen != SIZE_MAX && chosen == dimension_chosen(right, b);
}

bool usage_locks_exclude(const UsageWalk *walk, uint32_t latest, const UsageAccess *a,
                         const UsageAccess *b) {
    for (const UsageLock *left = a->locks; left && left != walk->here.locks; left = left->outer) {
        for (const UsageLock *right = b->locks; right && right != walk->here.locks;
             right = right->outer) {
            if (left->root->number <= latest && keeps_apart(left, a, right, b)) {
                return true;
            }
        }
    }
    return false;
}
