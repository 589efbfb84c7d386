/* first_loop -- what loops write: one iteration is walked for the element that it writes.
 *
 * Holds:  in a loop that counts up by one, the elements that earlier iterations wrote are known
 *         (Part.below); a read that relies on this is valid only if the body writes the whole of
 *         its element, which is known at its end. */
#include "first_walk.h"

/* ---- which element ---- */

typedef struct LoopSearch {
    Walk *walk;
    const Symbol *index;
    LoopSubscript found;
} LoopSearch;

static void search_target(LoopSearch *search, const Node *target) {
    if (!search->found.is_found) {
        search->found = part_loop_subscript(search->walk->part, target, search->index);
    }
}

static void search_targets(LoopSearch *search, const NodeList *targets) {
    for (size_t i = 0; i < targets->count; i++) {
        search_target(search, targets->items[i]);
    }
}

/* Find the first write to an element that the index chooses. */
static void search_write(Node **child, void *context) {
    LoopSearch *search = context;
    Node *node = *child;
    if (node->kind == NODE_ASSIGN) {
        search_targets(search, &node->assign.targets);
    } else if (node->kind == NODE_INPUT) {
        search_targets(search, &node->input.items);
    } else if (node->kind == NODE_CALL) {
        search_targets(search, &node->call.actuals);
    } else if (node->kind == NODE_ABBREVIATION) {
        search_target(search, node->abbreviation.value);
    } else if (!search->found.is_found) {
        node_visit_children(node, search_write, search);
    }
}

/* Range -- of a replicator: from `first` to before `end`, when both are known. */
typedef struct Range {
    int64_t first, end;
    bool is_known;
    bool is_upward; /* by one */
    bool is_any;    /* at least one iteration */
    bool is_size;   /* from 0 for the SIZE of the part */
} Range;

static Range range_of(Part *part, const Node *replicator) {
    Range range = {0};
    const Node *base = replicator->replicator.base;
    const Node *count = replicator->replicator.count;
    const Node *step = replicator->replicator.step;
    range.is_upward = step == NULL || (step->constant != NULL && step->constant->integer == 1);
    bool is_downward = step != NULL && step->constant != NULL && step->constant->integer == -1;
    if (base->constant == NULL || (!range.is_upward && !is_downward)) {
        return range;
    }
    range.first = base->constant->integer;
    if (count->constant == NULL) {
        range.is_size = range.is_upward && range.first == 0 && count->kind == NODE_SIZE &&
                        part_is_exactly(part, count->size.operand);
        return range;
    }
    int64_t length = count->constant->integer;
    range.first -= is_downward ? length - 1 : 0;
    range.end = range.first + length;
    range.is_known = range.is_any = length > 0;
    return range;
}

static void fill_range(Part *part, const Range *range, const LoopSubscript *subscript) {
    int64_t offset = subscript->offset;
    if (range->is_size && offset == 0 && !subscript->is_negative) {
        part->is_whole = true;
    } else if (range->is_known && subscript->is_negative) {
        part_fill(part, offset - (range->end - 1), offset - range->first + 1);
    } else if (range->is_known) {
        part_fill(part, range->first + offset, range->end + offset);
    }
}

/* The body writes the element that `subscript` chooses, in order if is_sequence. */
static void walk_element(Walk *walk, const NodeList *body, const Symbol *index,
                         const LoopSubscript *subscript, const Range *range, bool is_sequence) {
    Part *outer = walk->part;
    Part saved = *outer;
    bool is_ordered = is_sequence && range->is_upward && !subscript->is_negative &&
                      (range->is_known || range->is_size) &&
                      range->first + subscript->offset <= outer->filled;
    outer->counter = index;
    outer->below = is_ordered ? subscript->offset : INT64_MIN;
    outer->relies = false;
    Part element = {.symbol = outer->symbol,
                    .type = type_element(type_base(outer->type), 1),
                    .outer = outer,
                    .index = index,
                    .offset = subscript->offset,
                    .is_negative = subscript->is_negative};
    walk->part = &element;
    first_walk_each(walk, body);
    walk->part = outer;
    bool is_wrong = element.fails || (outer->relies && !element.is_whole);
    outer->fails = outer->fails || is_wrong;
    outer->counter = saved.counter;
    outer->below = saved.below;
    outer->relies = saved.relies;
    if (element.is_whole) {
        fill_range(outer, range, subscript);
    }
}

void first_walk_loop(Walk *walk, const Node *replicator, const NodeList *body, bool is_sequence) {
    if (replicator->kind != NODE_REPLICATOR) {
        walk->part->fails = true;
        return;
    }
    const Symbol *index = replicator->replicator.def->def.symbol;
    first_read(walk, replicator->replicator.base);
    first_read(walk, replicator->replicator.count);
    first_read(walk, replicator->replicator.step);
    LoopSearch search = {walk, index, {0, false, false}};
    for (size_t i = 0; i < body->count && !search.found.is_found; i++) {
        Node *process = body->items[i];
        search_write(&process, &search);
    }
    Range range = range_of(walk->part, replicator);
    if (search.found.is_found) {
        walk_element(walk, body, index, &search.found, &range, is_sequence);
        return;
    }
    Part before = *walk->part;
    first_walk_each(walk, body);
    if (!range.is_any) {
        before.fails = walk->part->fails;
        *walk->part = before;
    }
}
