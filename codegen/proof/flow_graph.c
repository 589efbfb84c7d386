/* flow_graph -- see the header.
 *
 * Dominators by the iteration of Cooper, Harvey and Kennedy. The walks keep their own stacks, so
 * that a long function cannot overflow the compiler's. */
#include "flow_graph.h"

static FlowBlock *block_at(FlowGraph *graph, LLVMBasicBlockRef block) {
    void **slot = name_map_at(&graph->blocks, &block, sizeof block);
    if (*slot == NULL) {
        FlowBlock *made = arena_new(graph->arena, FlowBlock);
        made->block = block;
        *slot = made;
    }
    return *slot;
}

FlowBlock *flow_graph_block(const FlowGraph *graph, LLVMBasicBlockRef block) {
    FlowBlock *found = name_map_find(&graph->blocks, &block, sizeof block);
    return found != NULL && found->order != 0 ? found : NULL;
}

/* ---- order ---- */

/* Walk -- a block whose successors are being visited. */
typedef struct Walk {
    FlowBlock *block;
    unsigned next;
} Walk;

typedef ARRAY_OF(Walk) WalkStack;

static void push_once(FlowGraph *graph, WalkStack *stack, FlowBlock *block) {
    if (block->enter == 0) {
        block->enter = 1;
        array_push(graph->arena, stack, ((Walk){block, 0}));
    }
}

/* Every block that the entry reaches, each after all its successors except over back-edges. */
static void walk_post_order(FlowGraph *graph, LLVMValueRef function) {
    WalkStack stack = {0};
    push_once(graph, &stack, block_at(graph, LLVMGetEntryBasicBlock(function)));
    while (stack.count > 0) {
        Walk *top = &stack.items[stack.count - 1];
        LLVMValueRef last = LLVMGetBasicBlockTerminator(top->block->block);
        if (last != NULL && top->next < LLVMGetNumSuccessors(last)) {
            FlowBlock *after = block_at(graph, LLVMGetSuccessor(last, top->next++));
            array_push(graph->arena, &after->before, top->block);
            push_once(graph, &stack, after);
        } else {
            array_push(graph->arena, &graph->order, top->block);
            stack.count--;
        }
    }
}

static void reverse_order(FlowGraph *graph) {
    size_t count = graph->order.count;
    for (size_t i = 0; i < count / 2; i++) {
        FlowBlock *swapped = graph->order.items[i];
        graph->order.items[i] = graph->order.items[count - 1 - i];
        graph->order.items[count - 1 - i] = swapped;
    }
    for (size_t i = 0; i < count; i++) {
        graph->order.items[i]->order = (unsigned)i + 1;
    }
}

/* ---- dominators ---- */

static FlowBlock *common_dominator(FlowBlock *a, FlowBlock *b) {
    while (a != b) {
        while (a->order > b->order) {
            a = a->dominator;
        }
        while (b->order > a->order) {
            b = b->dominator;
        }
    }
    return a;
}

static FlowBlock *dominator_now(FlowBlock *entry, FlowBlock *block) {
    FlowBlock *found = NULL;
    for (size_t i = 0; i < block->before.count; i++) {
        FlowBlock *before = block->before.items[i];
        if (before == entry || before->dominator != NULL) {
            found = found == NULL ? before : common_dominator(found, before);
        }
    }
    return found;
}

static void find_dominators(FlowGraph *graph) {
    FlowBlock *entry = graph->order.items[0];
    bool is_changed = true;
    while (is_changed) {
        is_changed = false;
        for (size_t i = 1; i < graph->order.count; i++) {
            FlowBlock *block = graph->order.items[i];
            FlowBlock *found = dominator_now(entry, block);
            is_changed = is_changed || found != block->dominator;
            block->dominator = found;
        }
    }
    for (size_t i = 1; i < graph->order.count; i++) {
        FlowBlock *block = graph->order.items[i];
        array_push(graph->arena, &block->dominator->dominates, block);
    }
}

/* Number the blocks so that a block's span contains those of all it dominates. */
static void number_tree(FlowGraph *graph) {
    WalkStack stack = {0};
    unsigned clock = 0;
    array_push(graph->arena, &stack, ((Walk){graph->order.items[0], 0}));
    while (stack.count > 0) {
        Walk *top = &stack.items[stack.count - 1];
        if (top->next == 0) {
            top->block->enter = ++clock;
        }
        if (top->next < top->block->dominates.count) {
            FlowBlock *child = top->block->dominates.items[top->next++];
            array_push(graph->arena, &stack, ((Walk){child, 0}));
        } else {
            top->block->leave = ++clock;
            stack.count--;
        }
    }
}

FlowGraph *flow_graph_create(Arena *arena, LLVMValueRef function) {
    FlowGraph *graph = arena_new(arena, FlowGraph);
    graph->arena = arena;
    graph->blocks.arena = arena;
    walk_post_order(graph, function);
    reverse_order(graph);
    find_dominators(graph);
    number_tree(graph);
    return graph;
}

bool flow_dominates(const FlowBlock *a, const FlowBlock *b) {
    return a->enter <= b->enter && b->leave <= a->leave;
}
