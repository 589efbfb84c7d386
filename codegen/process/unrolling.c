/* unrolling -- replicated SEQs of a few iterations, emitted one after the other.
 *
 * Owns:   which ones: those that only compute, and so little that the code is hardly longer than a
 *         loop: the taps of a filter, the rows of a small matrix. Some more inside a loop.
 * Holds:  the loop around them then is an innermost one: its checks may be tested once for many
 *         iterations (codegen/loop), and it can be vectorised. */
#include "emit.h"

#define ITERATIONS_MOST 16
#define ITERATIONS_FEW  4    /* so many are unrolled outside of loops as well */
#define NODES_MOST      512u /* of all iterations together */

/* Size -- what would be emitted: nodes, and whether all of them may be emitted several times. */
typedef struct Size {
    uint64_t nodes;
    bool is_simple;
    bool has_operation;      /* perhaps with a check that strips put off */
    int64_t iterations_most; /* of a loop, for it to be unrolled */
} Size;

static int64_t few_iterations(const Node *seq, int64_t most) {
    const Node *replicator = seq->seq.replicator;
    const Constant *count = replicator->replicator.count->constant;
    bool is_plain = replicator->replicator.step == NULL && count != NULL;
    return is_plain && count->integer <= most ? count->integer : 0;
}

static void add_node(Node **child, void *context);

static void add_children(Node *node, Size *size, uint64_t times) {
    Size part = {.is_simple = true, .iterations_most = size->iterations_most};
    node_visit_children(node, add_node, &part);
    size->nodes += 1 + (part.nodes * times);
    size->has_operation = size->has_operation || part.has_operation;
    size->is_simple = size->is_simple && part.is_simple && size->nodes <= NODES_MOST;
}

static void add_node(Node **child, void *context) {
    Size *size = context;
    Node *node = *child;
    if (node->constant != NULL || !size->is_simple) {
        size->nodes++;
        return;
    }
    switch (node->kind) {
    case NODE_SEQ:
        if (node->seq.replicator != NULL) {
            int64_t count = few_iterations(node, size->iterations_most);
            size->is_simple = count > 0;
            add_children(node, size, (uint64_t)count);
            return;
        }
        break;
    case NODE_ASSIGN: size->is_simple = node->assign.invariants == NULL; break;
    case NODE_IF: size->is_simple = node->if_.replicator == NULL; break;
    case NODE_DYADIC: size->has_operation = true; break;
    case NODE_CHOICE:
    case NODE_REPLICATOR:
    case NODE_DEF:
    case NODE_SKIP:
    case NODE_NAME:
    case NODE_MONADIC:
    case NODE_CONVERSION:
    case NODE_SIZE:
    case NODE_SUBSCRIPT:
    case NODE_EXPRESSION_LIST: break;
    default: size->is_simple = false; break;
    }
    add_children(node, size, 1);
}

/* Within a loop, more iterations are unrolled: that makes the loop around them the innermost. */
unsigned loop_unrolled_count(const Emitter *emitter, Node *seq) {
    bool is_for_speed = emitter->options->optimisation >= 2 && !emitter->options->for_size;
    int64_t most = emitter->routine->loops > 0 ? ITERATIONS_MOST : ITERATIONS_FEW;
    int64_t count = is_for_speed ? few_iterations(seq, most) : 0;
    Size size = {.is_simple = count > 0, .iterations_most = most};
    if (count > 0) {
        add_children(seq, &size, (uint64_t)count);
    }
    bool is_worth = count <= ITERATIONS_FEW || size.has_operation;
    return size.is_simple && is_worth ? (unsigned)count : 0;
}
