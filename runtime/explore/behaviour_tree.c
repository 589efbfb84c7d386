/* behaviour_tree -- a tree of steps, each below the one before it. See behaviour_tree.h. */
#include "behaviour_tree.h"

static ExploreNode *at_place(ExploreRegion *region, uint64_t place) {
    return (void *)((char *)region + place);
}

static const ExploreEvent *event_of(const SearchRun *run, uint32_t step) {
    uint32_t chosen;
    uint32_t count;
    return search_chosen(run, step, &chosen, &count);
}

static ExploreNode *find_child(ExploreRegion *region, const ExploreNode *node,
                               const ExploreEvent *event) {
    for (uint64_t place = node->child; place != 0;) {
        ExploreNode *child = at_place(region, place);
        if (explore_is_same(&child->event, event)) {
            return child;
        }
        place = child->next;
    }
    return NULL;
}

static ExploreNode *add_child(ExploreRegion *region, ExploreNode *node, const ExploreEvent *event) {
    ExploreNode *child = common_memory_take(sizeof *child);
    child->event = *event;
    child->next = node->child;
    node->child = common_memory_place(region, child);
    region->node_count++;
    return child;
}

void behaviour_tree_add(ExploreRegion *region, const SearchRun *run, const ExploreEnd *end) {
    ExploreNode *node = &region->tree;
    uint32_t step = 0;
    for (; step < run->step_count; step++) {
        ExploreNode *child = find_child(region, node, event_of(run, step));
        if (child == NULL) {
            break;
        }
        node = child;
    }
    if (region->node_count + (run->step_count - step) > region->node_limit) {
        region->is_tree_full = 1;
        return;
    }
    for (; step < run->step_count; step++) {
        node = add_child(region, node, event_of(run, step));
    }
    node->end = common_memory_place(region, end);
}
