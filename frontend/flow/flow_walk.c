/* flow_walk -- processes in the order of execution. */
#include "flow.h"

/* ---- specifications ---- */

static void walk_abbreviation(Flow *flow, const Node *node) {
    const Node *value = node->abbreviation.value;
    switch (node->abbreviation.mode) {
    case ABBREVIATION_VAL: flow_read(flow, value); return;
    case ABBREVIATION_INITIAL:
        flow_read(flow, value);
        flow_declare(flow, node->abbreviation.def->def.symbol, true);
        flow_fact_declare(flow, node->abbreviation.def->def.symbol, value);
        return;
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT: flow_subscripts(flow, value); return;
    }
}

static void walk_specification(Flow *flow, const Node *node) {
    if (node->kind == NODE_DECLARATION) {
        for (size_t i = 0; i < node->declaration.names.count; i++) {
            flow_declare(flow, node->declaration.names.items[i]->def.symbol, false);
        }
    } else if (node->kind == NODE_ABBREVIATION) {
        walk_abbreviation(flow, node);
    } else if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        flow_routine(flow, node);
    } else if (node->kind == NODE_PLACE) { /* memory of others */
        flow_write(flow, node->place.element);
        if (node->place.at) {
            flow_read(flow, node->place.at);
        }
    }
}

void flow_specifications(Flow *flow, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        walk_specification(flow, list->items[i]);
    }
}

/* ---- simple processes ---- */

static void read_values(Flow *flow, const NodeList *values, bool is_move) {
    for (size_t i = 0; i < values->count; i++) {
        if ((values->items[i]->kind == NODE_MOVE) == is_move) {
            flow_read(flow, values->items[i]);
        }
    }
}

/* What moves is evaluated last, after the subscripts of the targets too. */
static void walk_assign(Flow *flow, const Node *node) {
    const NodeList *targets = &node->assign.targets;
    read_values(flow, &node->assign.values, false);
    for (size_t i = 0; i < targets->count; i++) {
        flow_subscripts(flow, targets->items[i]);
    }
    read_values(flow, &node->assign.values, true);
    for (size_t i = 0; i < targets->count; i++) {
        flow_set(flow, targets->items[i]);
    }
    for (size_t i = 0; targets->count == node->assign.values.count && i < targets->count; i++) {
        flow_fact_set(flow, targets->items[i], node->assign.values.items[i]);
    }
}

static void write_items(Flow *flow, const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            flow_write(flow, item->counted.count);
            flow_write(flow, item->counted.array);
        } else {
            flow_write(flow, item);
        }
    }
}

/* The channels of an end, or of a mobile array, go where it goes. */
void flow_use_channel(Flow *flow, const Node *channel) {
    FlowVariable *variable = flow_root(flow, channel);
    if (variable && type_owns(variable->symbol->type)) {
        flow_read_variable(flow, variable, channel->at, NULL);
    }
}

static void use_channel(Flow *flow, const Node *channel) {
    flow_subscripts(flow, channel);
    flow_use_channel(flow, channel);
}

static void walk_output(Flow *flow, const Node *node) {
    use_channel(flow, node->output.channel);
    for (size_t i = 0; i < node->output.items.count; i++) {
        const Node *item = node->output.items.items[i];
        if (item->kind != NODE_TAG_USE) {
            flow_read(flow, item);
        }
    }
}

static void walk_variants(Flow *flow, const Node *node) {
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
    use_channel(flow, node->input_case.channel);
    FlowSet trusted = flow_trust(flow);
    FlowMeeting meeting = flow_meeting(flow);
    for (size_t i = 0; i < node->input_case.variants.count; i++) {
        const Node *variant = node->input_case.variants.items[i];
        if (variant->kind != NODE_VARIANT) {
            continue;
        }
        size_t mark = flow_open(flow);
        flow->state = flow_state_copy(flow->arena, &before);
        flow_specifications(flow, &variant->variant.specs);
        write_items(flow, &variant->variant.items);
        flow_process(flow, variant->variant.process);
        if (variant->variant.after) {
            flow_process(flow, variant->variant.after);
        }
        flow_close(flow, mark);
        flow_state_join(flow->arena, &after, &flow->state);
        flow_meeting_add(flow, &meeting);
    }
    flow_meeting_end(flow, &meeting);
    flow->trusted = trusted;
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

/* ---- loops ---- */

bool flow_replicator(Flow *flow, const Node *node) {
    if (!node || node->kind != NODE_REPLICATOR) {
        return false;
    }
    flow_read(flow, node->replicator.base);
    flow_read(flow, node->replicator.count);
    if (node->replicator.step) {
        flow_read(flow, node->replicator.step);
    }
    return true;
}

static bool runs_at_least_once(const Flow *flow, const Node *replicator) {
    return flow_fact_is_positive(flow, replicator->replicator.count);
}

static void walk_list(Flow *flow, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        bool was_dead = flow->state.is_dead;
        flow_process(flow, list->items[i]);
        if (!was_dead && flow->state.is_dead && i + 1 < list->count) {
            flow_report_unreachable(flow, list->items[i + 1], list->items[i]);
        }
    }
}

/* Once more, for what moved away in the first round; once in all, so that nested loops cost little.
 */
static bool begin_later_round(Flow *flow, const FlowState *before) {
    if (flow->is_later_round || flow->state.is_dead ||
        !flow_set_grew(&before->gone, &flow->state.gone)) {
        return false;
    }
    flow->is_later_round = true;
    return true;
}

/* The body of a loop, which is sure to run or not. */
typedef struct Body {
    FlowLoop loop;
    FlowState before;
    FlowSet trusted;
    FlowMeeting meeting;
    bool is_sure;
} Body;

static void begin_body(Flow *flow, Body *body, const Node *loop, bool is_sure) {
    body->is_sure = is_sure;
    body->before = flow_state_copy(flow->arena, &flow->state);
    body->trusted = is_sure ? flow->trusted : flow_trust(flow);
    body->meeting = flow_meeting(flow);
    flow_loop_open(flow, &body->loop, loop);
    flow_fact_begin_body(flow);
}

static void end_body(Flow *flow, Body *body) {
    flow_loop_close(flow);
    flow_meeting_add(flow, &body->meeting);
    flow_meeting_end(flow, &body->meeting);
    if (!body->is_sure) {
        flow->trusted = body->trusted;
        flow_state_join(flow->arena, &flow->state, &body->before);
    }
}

static void walk_seq(Flow *flow, const Node *node) {
    const Node *replicator = node->seq.replicator;
    if (!flow_replicator(flow, replicator)) {
        walk_list(flow, &node->seq.body);
        return;
    }
    Body body;
    begin_body(flow, &body, node, runs_at_least_once(flow, replicator));
    walk_list(flow, &node->seq.body);
    if (begin_later_round(flow, &body.before)) {
        walk_list(flow, &node->seq.body);
        flow->is_later_round = false;
    }
    end_body(flow, &body);
}

static void walk_while(Flow *flow, const Node *node) {
    const Node *condition = node->while_.condition;
    FlowTruth truth = flow_truth(condition);
    flow_read(flow, condition);
    if (truth == FLOW_FALSE) {
        flow_report_condition(flow, condition, "the loop never runs");
    }
    Body body;
    begin_body(flow, &body, node, flow_fact_holds(flow, condition));
    flow_process(flow, node->while_.process);
    if (begin_later_round(flow, &body.before)) {
        flow_read(flow, condition);
        flow_process(flow, node->while_.process);
        flow->is_later_round = false;
    }
    end_body(flow, &body);
    if (flow->state.is_dead) {
        flow_state_join(flow->arena, &flow->state, &body.before);
    }
    flow->state.is_dead = body.before.is_dead || truth == FLOW_TRUE;
}

static void walk_while_input(Flow *flow, const Node *node) {
    Body body;
    begin_body(flow, &body, node, false);
    flow_process(flow, node->while_input.input);
    if (node->while_input.process) {
        flow_process(flow, node->while_input.process);
    }
    if (begin_later_round(flow, &body.before)) {
        flow_process(flow, node->while_input.input);
        if (node->while_input.process) {
            flow_process(flow, node->while_input.process);
        }
        flow->is_later_round = false;
    }
    end_body(flow, &body);
}

/* Branches of a replicated PAR tell themselves apart by the index: what one sets counts as set. */
static void walk_par(Flow *flow, const Node *node) {
    const Node *replicator = node->par.replicator;
    bool is_replicated = flow_replicator(flow, replicator);
    FlowState before = flow->state;
    FlowState after = flow_state_copy(flow->arena, &before);
    FlowSet cleared = flow_set_copy(flow->arena, &before.gone); /* not set by any branch */
    FlowSet phased = flow_phases_open(flow, node);
    bool is_sure = !is_replicated || runs_at_least_once(flow, replicator);
    FlowSet trusted = is_sure ? flow->trusted : flow_trust(flow);
    FlowMeeting meeting = flow_meeting(flow);
    for (size_t i = 0; i < node->par.body.count; i++) {
        flow->state = flow_state_copy(flow->arena, &before);
        flow_process(flow, node->par.body.items[i]);
        flow_meeting_add(flow, &meeting);
        if (is_sure) {
            flow_state_both(flow->arena, &after, &flow->state);
        }
        flow_set_clear(&cleared, &before.gone, &flow->state.gone);
        if (is_replicated) {
            flow_set_unite(flow->arena, &after.some, &flow->state.some);
            flow_set_unite(flow->arena, &after.all, &flow->state.some);
        }
    }
    flow_phases_close(flow, phased);
    flow_meeting_end(flow, &meeting);
    flow->trusted = is_sure ? flow->trusted : trusted;
    flow_set_clear(&after.gone, &before.gone, &cleared);
    flow->state = after;
}

/* ---- the switch ---- */

static void walk_block(Flow *flow, const Node *node) {
    size_t mark = flow_open(flow);
    flow_specifications(flow, &node->block.specs);
    flow_process(flow, node->block.process);
    flow_close(flow, mark);
}

static void walk_claim(Flow *flow, const Node *node) {
    const Node *element = node->claim.element;
    bool is_mutex = element->type && type_is_mutex(element->type);
    if (type_is_bundle_end(element->type)) { /* it must be defined */
        flow_read(flow, element);
    } else {
        use_channel(flow, element);
    }
    flow->mutexes += is_mutex;
    flow_process(flow, node->claim.process);
    flow->mutexes -= is_mutex;
}

static void read_list(Flow *flow, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        flow_read(flow, list->items[i]);
    }
}

static void optional_process(Flow *flow, const Node *process) {
    if (process) {
        flow_process(flow, process);
    }
}

static void walk_next(Flow *flow, const Node *node) {
    flow_next_phase(flow);
    if (!node->next.is_all) { /* it passes over clocks that are undefined */
        read_list(flow, &node->next.clocks);
    }
    optional_process(flow, node->next.process);
}

static void walk_extended(Flow *flow, const Node *node) {
    flow_process(flow, node->extended_input.input);
    optional_process(flow, node->extended_input.during);
    optional_process(flow, node->extended_input.after);
}

void flow_process(Flow *flow, const Node *node) {
    switch (node->kind) {
    case NODE_BLOCK: walk_block(flow, node); return;
    case NODE_STOP: flow->state.is_dead = true; return;
    case NODE_ASSIGN: walk_assign(flow, node); return;
    case NODE_FORK:
        read_values(flow, &node->fork.actuals, false);
        read_values(flow, &node->fork.actuals, true);
        return;
    case NODE_INPUT:
        use_channel(flow, node->input.channel);
        write_items(flow, &node->input.items);
        return;
    case NODE_OUTPUT: walk_output(flow, node); return;
    case NODE_INPUT_CASE: walk_variants(flow, node); return;
    case NODE_DELAY:
        flow_subscripts(flow, node->delay.timer);
        flow_read(flow, node->delay.time);
        return;
    case NODE_CALL:
        if (node->call.callee->kind == NODE_NAME) {
            flow_call(flow, node, node->call.callee->name.symbol, &node->call.actuals);
        }
        return;
    case NODE_SEQ: walk_seq(flow, node); return;
    case NODE_PAR: walk_par(flow, node); return;
    case NODE_ALT: flow_alt(flow, node); return;
    case NODE_IF: flow_if(flow, node); return;
    case NODE_CASE: flow_case(flow, node); return;
    case NODE_WHILE: walk_while(flow, node); return;
    case NODE_WHILE_INPUT: walk_while_input(flow, node); return;
    case NODE_EXTENDED_INPUT: walk_extended(flow, node); return;
    case NODE_FORKING: flow_process(flow, node->forking.process); return;
    case NODE_CLAIM: walk_claim(flow, node); return;
    case NODE_SYNC:
        flow_next_phase(flow);
        flow_read(flow, node->sync.element);
        return;
    case NODE_NEXT: walk_next(flow, node); return;
    case NODE_RESUME: read_list(flow, &node->resume.clocks); return;
    case NODE_DROP: read_list(flow, &node->drop.clocks); return;
    case NODE_RESIGN:
        flow_read(flow, node->resign.element);
        flow_process(flow, node->resign.process);
        return;
    case NODE_ENROLL:
        read_list(flow, &node->enroll.clocks);
        flow_process(flow, node->enroll.process);
        return;
    case NODE_CLOSE: flow_read(flow, node->close.end); return;
    case NODE_PROCESSOR:
        flow_read(flow, node->processor.number);
        flow_process(flow, node->processor.process);
        return;
    case NODE_SKIP:
    case NODE_SUSPEND:
    case NODE_ASM:
    case NODE_DYNCALL: return;                                    /* nothing, or refused */
    case NODE_KINDS_OF_EXPRESSION: flow_read(flow, node); return; /* CLOSED as a guard */
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return; /* no processes */
    case NODE_KIND_COUNT: bug("node of no kind");
    }
}
