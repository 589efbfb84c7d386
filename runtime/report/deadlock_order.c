/* deadlock_order -- a tree of parents, its branches in order. See deadlock_order.h. */
#include "deadlock_order.h"

#include "backtrace.h"
#include "deadlock_map.h"
#include "os.h"

#include <string.h>

typedef struct TreeNode {
    uint32_t parent, child, next; /* NO_NODE: none */
} TreeNode;

typedef struct Order {
    DeadlockGraph *graph;
    TreeNode *tree;
    WaitNode *sorted;
} Order;

/* ---- which of two siblings comes first ---- */

static int compare_numbers(int64_t left, int64_t right) {
    return (left > right) - (left < right);
}

static int compare_sites(const Site *left, const Site *right) {
    if (left == NULL || right == NULL || left == right) {
        return (left == NULL) - (right == NULL); /* ready ones come last */
    }
    int files = strcmp(left->file, right->file);
    int lines = compare_numbers(left->line, right->line);
    return files != 0 ? files : lines != 0 ? lines : compare_numbers(left->column, right->column);
}

static bool goes_first(const Order *order, uint32_t left, uint32_t right) {
    const WaitNode *one = &order->graph->nodes[left];
    const WaitNode *other = &order->graph->nodes[right];
    int roots = (other->process->join == NULL) - (one->process->join == NULL);
    int sites = compare_sites(one->site, other->site);
    int numbers = compare_numbers(one->process->index, other->process->index);
    return (roots != 0 ? roots : sites != 0 ? sites : numbers) <= 0;
}

/* ---- lists of siblings ---- */

static uint32_t merge(const Order *order, uint32_t left, uint32_t right) {
    uint32_t first = NO_NODE;
    uint32_t *link = &first;
    while (left != NO_NODE && right != NO_NODE) {
        uint32_t *taken = goes_first(order, left, right) ? &left : &right;
        *link = *taken;
        link = &order->tree[*taken].next;
        *taken = *link;
    }
    *link = left != NO_NODE ? left : right;
    return first;
}

enum { RUNS = 32 };

/* runs[i]: none, or 2 to the power of i siblings in order. */
static uint32_t sort(const Order *order, uint32_t siblings) {
    uint32_t runs[RUNS];
    for (size_t i = 0; i < RUNS; i++) {
        runs[i] = NO_NODE;
    }
    while (siblings != NO_NODE) {
        uint32_t run = siblings;
        siblings = order->tree[run].next;
        order->tree[run].next = NO_NODE;
        size_t i = 0;
        for (; runs[i] != NO_NODE; i++) {
            run = merge(order, runs[i], run);
            runs[i] = NO_NODE;
        }
        runs[i] = run;
    }
    uint32_t sorted = NO_NODE;
    for (size_t i = 0; i < RUNS; i++) {
        sorted = merge(order, runs[i], sorted);
    }
    return sorted;
}

/* ---- the tree ---- */

static uint32_t parent_of(const DeadlockGraph *graph, uint32_t index) {
    const Process *parent = backtrace_parent(graph->nodes[index].process);
    const PointerEntry *entry = parent != NULL ? map_slot(&graph->processes, parent) : NULL;
    return entry != NULL && entry->key != NULL && entry->value != index ? entry->value : NO_NODE;
}

/* Link siblings in the order of their blocks; returns those without a parent. */
static uint32_t build_tree(const Order *order) {
    uint32_t roots = NO_NODE;
    uint32_t count = order->graph->count;
    for (uint32_t i = 0; i < count; i++) {
        order->tree[i] = (TreeNode){parent_of(order->graph, i), NO_NODE, NO_NODE};
    }
    for (uint32_t i = count; i-- > 0;) {
        uint32_t parent = order->tree[i].parent;
        uint32_t *list = parent != NO_NODE ? &order->tree[parent].child : &roots;
        order->tree[i].next = *list;
        *list = i;
    }
    return roots;
}

/* Parents first. Returns how many: all, unless words of running processes made circles. */
static uint32_t collect(const Order *order, uint32_t roots) {
    TreeNode *tree = order->tree;
    uint32_t count = 0;
    uint32_t at = sort(order, roots);
    while (at != NO_NODE) {
        order->sorted[count++] = order->graph->nodes[at];
        tree[at].child = sort(order, tree[at].child);
        if (tree[at].child != NO_NODE) {
            at = tree[at].child;
            continue;
        }
        while (at != NO_NODE && tree[at].next == NO_NODE) {
            at = tree[at].parent;
        }
        at = at != NO_NODE ? tree[at].next : NO_NODE;
    }
    return count;
}

void deadlock_order(DeadlockGraph *graph) {
    size_t page = os_page_bytes();
    size_t bytes = graph->count * (sizeof(TreeNode) + sizeof(WaitNode));
    bytes = (bytes + page) / page * page;
    void *memory = os_memory_reserve(bytes);
    if (memory != NULL && os_memory_commit(memory, bytes)) {
        WaitNode *sorted = memory;
        Order order = {graph, (TreeNode *)(void *)(sorted + graph->count), sorted};
        if (collect(&order, build_tree(&order)) == graph->count) {
            memcpy(graph->nodes, sorted, graph->count * sizeof *sorted);
        }
    }
    for (uint32_t i = 0; i < graph->count; i++) {
        map_slot(&graph->processes, graph->nodes[i].process)->value = i;
    }
    if (memory != NULL) {
        os_memory_release(memory, bytes);
    }
}
