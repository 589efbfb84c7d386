/* index_memo -- answers given before: the same question is asked once.
 *
 * Twenty phases that do the same to ten arrays ask the same thing two hundred times. A question is
 * written as numbers: loops and parameters count in the order in which they appear, so that other
 * loops of the same form make the same question, and of subscripts that are never negative only the
 * difference of their constants is written. What was proved disjoint is kept, and what nothing
 * could decide. Where there is an example to be shown the question is asked again. */
#include "usage_index.h"

#include <string.h>

#define QUESTION_LIMIT 600 /* numbers */
#define NAME_LIMIT     32  /* loops or parameters */
#define SLOT_COUNT     4096
#define KEPT_LIMIT     (SLOT_COUNT / 2)

typedef struct Slot {
    uint64_t hash;
    const int64_t *numbers; /* NULL: empty */
    size_t count;
    IndexKept kept;
} Slot;

struct IndexMemo {
    Arena *arena;
    size_t count;
    Slot *slots; /* NULL: nothing was asked yet */
};

IndexMemo *index_memo(Arena *arena) {
    IndexMemo *memo = arena_new(arena, IndexMemo);
    memo->arena = arena;
    return memo;
}

/* ---- a question as numbers ---- */

typedef struct Question {
    const IndexPair *pair;
    size_t count;
    int64_t numbers[QUESTION_LIMIT];
    const IndexLoop *loops[NAME_LIMIT];
    size_t loop_count;
    const IndexExpr *parameters[NAME_LIMIT];
    size_t parameter_count;
    bool has_failed; /* too long */
} Question;

/* What a number begins; kinds of expressions come first. */
enum { WORD_NOTHING = 100, WORD_KNOWN, WORD_GUARD, WORD_CHOICE };

static void write_number(Question *question, int64_t number) {
    if (question->count == QUESTION_LIMIT) {
        question->has_failed = true;
        return;
    }
    question->numbers[question->count++] = number;
}

static void write_expr(Question *question, const IndexExpr *expr);

/* Its form where it is met first; its number from then on. */
static void write_loop(Question *question, const IndexLoop *loop) {
    for (size_t i = 0; i < question->loop_count; i++) {
        if (question->loops[i] == loop) {
            write_number(question, WORD_KNOWN);
            write_number(question, (int64_t)i);
            return;
        }
    }
    if (question->loop_count == NAME_LIMIT) {
        question->has_failed = true;
        return;
    }
    question->loops[question->loop_count++] = loop;
    unsigned shared = question->pair->shared_depth;
    write_number(question, INDEX_LOOP);
    write_number(question, (loop->depth >= shared) + (loop->depth > shared) + (4 * loop->is_some));
    write_expr(question, loop->count);
    write_expr(question, loop->value);
}

static void write_parameter(Question *question, const IndexExpr *parameter) {
    size_t i = 0;
    while (i < question->parameter_count && !index_equal(question->parameters[i], parameter)) {
        i++;
    }
    if (i == NAME_LIMIT) {
        question->has_failed = true;
        return;
    }
    question->parameters[i] = parameter;
    question->parameter_count += i == question->parameter_count;
    write_number(question, INDEX_PARAMETER);
    write_number(question, (int64_t)i);
    write_number(question, index_is_shared(parameter, question->pair));
}

static void write_expr(Question *question, const IndexExpr *expr) {
    if (!expr || question->has_failed) {
        write_number(question, WORD_NOTHING);
        return;
    }
    switch (expr->kind) {
    case INDEX_CONSTANT:
        write_number(question, INDEX_CONSTANT);
        write_number(question, expr->value);
        return;
    case INDEX_LOOP: write_loop(question, expr->loop); return;
    case INDEX_PARAMETER: write_parameter(question, expr); return;
    case INDEX_OPERATOR:
        write_number(question, INDEX_OPERATOR);
        write_number(question, expr->op);
        write_expr(question, expr->left);
        write_expr(question, expr->right);
        return;
    case INDEX_LOOKUP:
        write_number(question, INDEX_LOOKUP);
        write_number(question, (int64_t)(intptr_t)expr->table);
        write_expr(question, expr->left);
        return;
    case INDEX_ELEMENT:
        write_number(question, INDEX_ELEMENT);
        write_expr(question, expr->right);
        write_expr(question, expr->left);
        return;
    case INDEX_UNKNOWN: write_number(question, INDEX_UNKNOWN); return;
    }
}

/* Is the place of no matter, as long as the other is as far from it? A subscript that may be
 * negative is not one. */
static bool is_relative(const IndexDimension *part, bool is_phase) {
    int64_t offset = 0;
    return part->from && !part->within &&
           (is_phase || (index_is_natural(index_take_offset(part->from, &offset)) && offset >= 0));
}

static void write_dimension(Question *question, const IndexDimension *part) {
    write_number(question, WORD_NOTHING);
    for (; part; part = part->within) {
        write_expr(question, part->from);
        write_expr(question, part->length);
        write_number(question, part->within ? WORD_KNOWN : WORD_NOTHING);
    }
}

static void write_relative(Question *question, const IndexDimension *left,
                           const IndexDimension *right) {
    int64_t first = 0;
    int64_t second = 0;
    write_number(question, WORD_KNOWN);
    write_expr(question, index_take_offset(left->from, &first));
    write_expr(question, index_take_offset(right->from, &second));
    write_number(question, second - first);
    write_expr(question, left->length);
    write_expr(question, right->length);
}

static void write_dimensions(Question *question, const IndexRegion *left,
                             const IndexRegion *right) {
    for (size_t i = 0; i < left->count && i < right->count && !question->has_failed; i++) {
        const IndexDimension *a = &left->dimensions[i];
        const IndexDimension *b = &right->dimensions[i];
        if (index_is_plain(a, b)) {
            continue;
        }
        if (is_relative(a, i < left->phases) && is_relative(b, i < right->phases)) {
            write_relative(question, a, b);
        } else {
            write_dimension(question, a);
            write_dimension(question, b);
        }
    }
    write_number(question, WORD_NOTHING);
}

static void write_guards(Question *question, const IndexGuard *guard) {
    for (; guard && !question->has_failed; guard = guard->outer) {
        write_number(question, guard->is_choice ? WORD_CHOICE : WORD_GUARD);
        if (guard->is_choice) {
            write_guards(question, guard->either);
            write_guards(question, guard->other);
            continue;
        }
        write_number(question, guard->op);
        write_number(question, guard->is_negated);
        write_expr(question, guard->left);
        write_expr(question, guard->right);
    }
    write_number(question, WORD_NOTHING);
}

static void write_loops(Question *question, const IndexLoop *loop) {
    for (; loop; loop = loop->outer) {
        write_loop(question, loop);
    }
    write_number(question, WORD_NOTHING);
}

static void write_question(Question *question, const IndexRegion *left, const IndexRegion *right) {
    const IndexPair *pair = question->pair;
    write_number(question, pair->is_replicated);
    write_number(question, pair->is_anywhere);
    write_loops(question, left->loops);
    write_loops(question, right->loops);
    write_dimensions(question, left, right);
    write_guards(question, left->guards);
    write_guards(question, right->guards);
}

/* ---- the answers ---- */

static uint64_t hash_of(const Question *question) {
    uint64_t hash = 14695981039346656037U;
    for (size_t i = 0; i < question->count; i++) {
        hash = (hash ^ (uint64_t)question->numbers[i]) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29;
    }
    return hash;
}

static bool is_same(const Slot *slot, const Question *question, uint64_t hash) {
    return slot->hash == hash && slot->count == question->count &&
           memcmp(slot->numbers, question->numbers, question->count * sizeof(int64_t)) == 0;
}

/* Where the question is, or would be. */
static Slot *place_of(const IndexMemo *memo, const Question *question, uint64_t hash) {
    size_t at = hash % SLOT_COUNT;
    while (memo->slots[at].numbers && !is_same(&memo->slots[at], question, hash)) {
        at = (at + 1) % SLOT_COUNT;
    }
    return &memo->slots[at];
}

static void ask(Question *question, const IndexRegion *left, const IndexRegion *right,
                const IndexPair *pair) {
    question->pair = pair;
    question->count = question->loop_count = question->parameter_count = 0;
    question->has_failed = false;
    write_question(question, left, right);
}

IndexKept *index_memo_find(IndexMemo *memo, const IndexRegion *left, const IndexRegion *right,
                           const IndexPair *pair) {
    Question question;
    if (!memo->slots) {
        memo->slots = arena_new_array(memo->arena, Slot, SLOT_COUNT);
    }
    ask(&question, right, left, pair); /* what is apart is so the other way round, too */
    Slot *slot = question.has_failed ? NULL : place_of(memo, &question, hash_of(&question));
    if (slot && slot->numbers) {
        return &slot->kept;
    }
    ask(&question, left, right, pair);
    if (question.has_failed) {
        return NULL;
    }
    uint64_t hash = hash_of(&question);
    slot = place_of(memo, &question, hash);
    if (!slot->numbers && memo->count == KEPT_LIMIT) {
        return NULL;
    }
    if (!slot->numbers) {
        memo->count++;
        slot->hash = hash;
        slot->count = question.count;
        slot->numbers = arena_copy(memo->arena, question.numbers, question.count * sizeof(int64_t));
    }
    return &slot->kept;
}
