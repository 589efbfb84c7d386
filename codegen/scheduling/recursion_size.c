/* recursion_size -- how a recursive routine is spread over copies, by its size.
 *
 * Owns:   the measure of a routine in the tree.
 * Leaves: the copies to recursion.c, what they mean for loops to preemption.c. */
#include "emit_scheduling.h"

enum {
    COPIES_OF_SMALL = 8,
    COPIES_OF_MEDIUM = 4,
    COPIES_OF_LOOPS = 2,
    SMALL_NODES = 80,
    MEDIUM_NODES = 300
};

typedef struct Measure {
    unsigned nodes;
    bool has_routine; /* nested routines are emitted only once */
    unsigned loops;
} Measure;

static void measure(Node **slot, void *context) {
    Measure *sum = context;
    Node *node = *slot;
    sum->has_routine = sum->has_routine || node->kind == NODE_PROC || node->kind == NODE_FUNCTION;
    sum->loops += node->kind == NODE_WHILE || node->kind == NODE_REPLICATOR;
    sum->nodes++;
    if (sum->nodes <= MEDIUM_NODES && !sum->has_routine) {
        node_visit_children(node, measure, sum);
    }
}

static Measure measure_routine(Node *routine) {
    Measure sum = {0, false, 0};
    node_visit_children(routine, measure, &sum);
    return sum;
}

unsigned recursion_copies(Node *routine, bool may_wait) {
    if (may_wait || !node_info(routine)->is_recursive_used) {
        return 1;
    }
    Measure sum = measure_routine(routine);
    if (sum.has_routine || sum.nodes > MEDIUM_NODES) {
        return 1;
    }
    if (sum.loops > 1) {
        return COPIES_OF_LOOPS; /* little of its time goes into calls */
    }
    return sum.nodes > SMALL_NODES ? COPIES_OF_MEDIUM : COPIES_OF_SMALL;
}

bool recursion_has_loops(Node *routine) {
    Measure sum = measure_routine(routine);
    return sum.loops > 0 || sum.has_routine || sum.nodes > MEDIUM_NODES;
}
