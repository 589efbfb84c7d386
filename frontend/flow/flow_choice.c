/* flow_choice -- IF, CASE and ALT: paths that part and meet again. */
#include "flow.h"

/* Its condition stands under those before it not being TRUE. */
static void walk_choice(Flow *flow, const Node *choice, bool is_first, FlowTruth *truth) {
    FlowSet trusted = is_first ? flow->trusted : flow_trust(flow);
    const Node *condition = choice->choice.condition;
    flow_specifications(flow, &choice->choice.specs);
    *truth = condition ? flow_truth(condition) : FLOW_OPEN;
    if (condition) {
        flow_read(flow, condition);
    }
    if (*truth == FLOW_FALSE) {
        flow_report_condition(flow, condition, "the choice is never taken");
    }
    FlowSet outside = flow_trust(flow);
    flow_process(flow, choice->choice.process);
    flow->trusted = is_first ? outside : trusted;
}

/* Without a true condition an IF is STOP. */
void flow_if(Flow *flow, const Node *node) {
    flow_replicator(flow, node->if_.replicator);
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
    FlowMeeting meeting = flow_meeting(flow);
    const Node *last = NULL; /* the choice that is always taken */
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        if (choice->kind != NODE_CHOICE) {
            continue;
        }
        if (last) {
            flow_report_unreachable(flow, choice->choice.process, last);
            break;
        }
        FlowTruth truth = FLOW_OPEN;
        size_t mark = flow_open(flow);
        flow->state = flow_state_copy(flow->arena, &before);
        walk_choice(flow, choice, i == 0, &truth);
        flow_close(flow, mark);
        flow_state_join(flow->arena, &after, &flow->state);
        flow_meeting_add(flow, &meeting);
        last = truth == FLOW_TRUE ? choice->choice.condition : NULL;
    }
    flow_meeting_end(flow, &meeting);
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

void flow_case(Flow *flow, const Node *node) {
    flow_read(flow, node->case_.selector);
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
    FlowSet trusted = flow_trust(flow);
    FlowMeeting meeting = flow_meeting(flow);
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        if (option->kind != NODE_OPTION) {
            continue;
        }
        size_t mark = flow_open(flow);
        flow->state = flow_state_copy(flow->arena, &before);
        flow_specifications(flow, &option->option.specs);
        flow_process(flow, option->option.process);
        flow_close(flow, mark);
        flow_state_join(flow->arena, &after, &flow->state);
        flow_meeting_add(flow, &meeting);
    }
    flow_meeting_end(flow, &meeting);
    flow->trusted = trusted;
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

static void walk_alternative(Flow *flow, const Node *node) {
    size_t mark = flow_open(flow);
    const Node *condition = node->alternative.condition;
    flow_specifications(flow, &node->alternative.specs);
    if (condition) {
        flow_read(flow, condition);
        if (flow_truth(condition) == FLOW_FALSE) {
            flow_report_condition(flow, condition, "the guard is never ready");
        }
    }
    FlowSet trusted = condition ? flow_trust(flow) : flow->trusted;
    flow_process(flow, node->alternative.guard);
    FlowSet guarded = condition ? flow->trusted : flow_trust(flow);
    if (node->alternative.process) {
        flow_process(flow, node->alternative.process);
    }
    flow->trusted = condition ? trusted : guarded;
    flow_close(flow, mark);
}

/* In a PRI ALT nothing after it is ever chosen. */
static bool is_always_ready(const Node *alternative) {
    const Node *condition = alternative->alternative.condition;
    return alternative->alternative.guard->kind == NODE_SKIP &&
           (!condition || flow_truth(condition) == FLOW_TRUE);
}

void flow_alt(Flow *flow, const Node *node) {
    bool is_replicated = flow_replicator(flow, node->alt.replicator);
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
    FlowMeeting meeting = flow_meeting(flow);
    const Node *ready = NULL;
    for (size_t i = 0; i < node->alt.alternatives.count; i++) {
        const Node *alternative = node->alt.alternatives.items[i];
        if (alternative->kind != NODE_ALTERNATIVE) {
            continue;
        }
        if (ready) {
            flow_report_unreachable(flow, alternative->alternative.guard, ready);
            break;
        }
        flow->state = flow_state_copy(flow->arena, &before);
        walk_alternative(flow, alternative);
        flow_state_join(flow->arena, &after, &flow->state);
        flow_meeting_add(flow, &meeting);
        bool is_last = node->alt.is_pri && !is_replicated;
        ready = is_last && is_always_ready(alternative) ? alternative->alternative.guard : NULL;
    }
    flow_meeting_end(flow, &meeting);
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}
