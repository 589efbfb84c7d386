/* unrolling -- replicated SEQs of a few iterations, emitted one after the other.
 *
 * Owns:   which. Those that only compute, and so little that the code is hardly longer than that of
 *         the loop: the taps of a filter, the rows of a small matrix.
 * Holds:  the loop around them is then an innermost one: its checks may be tested once for many
 *         iterations (codegen/loop), and vectors made of it. */
#include "emit.h"

#define ITERATIONS_MOST 4
#define NODES_MOST      512u /* of all iterations together */

/* Size -- what would be emitted: nodes, and whether all of them may be emitted several times. */
typedef struct Size {
    uint64_t nodes;
    bool is_simple;
} Size;

static int64_t few_iterations(const Node *seq) {
    const Node *replicator = seq->seq.replicator;
    const Constant *count = replicator->replicator.count->constant;
    bool is_plain = replicator->replicator.step == NULL && count != NULL;
    return is_plain && count->integer <= ITERATIONS_MOST ? count->integer : 0;
}

static void add_node(Node **child, void *context);

static void add_children(Node *node, Size *size, uint64_t times) {
    Size part = {0, true};
    node_visit_children(node, add_node, &part);
    size->nodes += 1 + (part.nodes * times);
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
            int64_t count = few_iterations(node);
            size->is_simple = count > 0;
            add_children(node, size, (uint64_t)count);
            return;
        }
        break;
    case NODE_IF: size->is_simple = node->if_.replicator == NULL; break;
    case NODE_CHOICE:
    case NODE_REPLICATOR:
    case NODE_DEF:
    case NODE_ASSIGN:
    case NODE_SKIP:
    case NODE_NAME:
    case NODE_MONADIC:
    case NODE_DYADIC:
    case NODE_CONVERSION:
    case NODE_SIZE:
    case NODE_SUBSCRIPT:
    case NODE_EXPRESSION_LIST: break;
    default: size->is_simple = false; break;
    }
    add_children(node, size, 1);
}

/* Inside, a loop that is no longer one makes the loop around it the innermost. */
unsigned loop_unrolled_count(const Emitter *emitter, Node *seq) {
    bool is_for_speed = emitter->options->optimisation >= 2 && !emitter->options->for_size;
    int64_t count = is_for_speed ? few_iterations(seq) : 0;
    Size size = {0, count > 0};
    if (count > 0) {
        add_children(seq, &size, (uint64_t)count);
    }
    return size.is_simple ? (unsigned)count : 0;
}
