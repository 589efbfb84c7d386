/* usage_choice -- IF, CASE and ALT: each way begins with what was known before, under the condition
 * that chooses it. */
#include "usage.h"

#include "usage_phase.h"
#include "value.h"

/* Not the condition, where it was tested: its names may stand for something else later. */
static const IndexGuard *guard_of_next(UsageWalk *walk, const Node *condition) {
    const IndexGuard *outside = walk->here.guards;
    usage_guard(walk, condition, true);
    const IndexGuard *next = walk->here.guards;
    walk->here.guards = outside;
    return next;
}

/* Each choice is tried only when those before it were not true. */
void usage_if(UsageWalk *walk, const Node *node) {
    const IndexGuard *outside = walk->here.guards;
    usage_push_optional(walk, node->if_.replicator);
    const IndexGuard *before = outside;
    PhaseMeeting meeting = usage_phase_part(walk);
    ValueTest test = value_begin_test(walk, node);
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        if (choice->kind != NODE_CHOICE) {
            continue;
        }
        walk->here.guards = before;
        usage_phase_way(walk, &meeting);
        UsageScope scope = usage_open_scope(walk, &choice->choice.specs);
        const IndexGuard *next = before;
        if (choice->choice.condition) {
            usage_read(walk, choice->choice.condition);
            next = node->if_.replicator ? before : guard_of_next(walk, choice->choice.condition);
            usage_guard(walk, choice->choice.condition, false);
        }
        value_walk_tested(walk, choice->choice.process);
        usage_close_scope(walk, &scope);
        usage_phase_way_end(walk, &meeting);
        before = next;
    }
    walk->here.guards = outside;
    value_end_test(walk, &test);
    usage_phase_meet(walk, &meeting);
    usage_pop_optional(walk, node->if_.replicator);
}

static void walk_option(UsageWalk *walk, const Node *option, const Node *node) {
    UsageScope scope = usage_open_scope(walk, &option->option.specs);
    usage_guard_option(walk, node, option);
    value_walk_tested(walk, option->option.process);
    usage_close_scope(walk, &scope);
}

void usage_case(UsageWalk *walk, const Node *node) {
    usage_read(walk, node->case_.selector);
    const IndexGuard *outside = walk->here.guards;
    PhaseMeeting meeting = usage_phase_part(walk);
    ValueTest test = value_begin_test(walk, node);
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        if (option->kind == NODE_OPTION) {
            usage_phase_way(walk, &meeting);
            walk_option(walk, option, node);
            usage_phase_way_end(walk, &meeting);
            walk->here.guards = outside;
        }
    }
    value_end_test(walk, &test);
    usage_phase_meet(walk, &meeting);
}

static void walk_alternative(UsageWalk *walk, const Node *node) {
    UsageScope scope = usage_open_scope(walk, &node->alternative.specs);
    const IndexGuard *outside = walk->here.guards;
    if (node->alternative.condition) {
        usage_read(walk, node->alternative.condition);
        usage_guard(walk, node->alternative.condition, false);
    }
    usage_process(walk, node->alternative.guard);
    if (node->alternative.process) {
        usage_process(walk, node->alternative.process);
    }
    walk->here.guards = outside;
    usage_close_scope(walk, &scope);
}

void usage_alt(UsageWalk *walk, const Node *node) {
    usage_push_optional(walk, node->alt.replicator);
    PhaseMeeting meeting = usage_phase_part(walk);
    for (size_t i = 0; i < node->alt.alternatives.count; i++) {
        if (node->alt.alternatives.items[i]->kind == NODE_ALTERNATIVE) {
            usage_phase_way(walk, &meeting);
            walk_alternative(walk, node->alt.alternatives.items[i]);
            usage_phase_way_end(walk, &meeting);
        }
    }
    usage_phase_meet(walk, &meeting);
    usage_pop_optional(walk, node->alt.replicator);
}
