/* flow_walk -- processes in the order of execution. */
#include "flow.h"

/* ---- specifications ---- */

static void walk_specification(Flow *flow, const Node *node) {
    switch ((int)node->kind) {
    case NODE_DECLARATION:
        for (size_t i = 0; i < node->declaration.names.count; i++) {
            flow_declare(flow, node->declaration.names.items[i]->def.symbol, false);
        }
        return;
    case NODE_ABBREVIATION:
        if (node->abbreviation.mode == ABBREVIATION_VAL ||
            node->abbreviation.mode == ABBREVIATION_INITIAL) {
            flow_read(flow, node->abbreviation.value);
            if (node->abbreviation.mode == ABBREVIATION_INITIAL) {
                flow_declare(flow, node->abbreviation.def->def.symbol, true);
            }
        } else {
            flow_subscripts(flow, node->abbreviation.value);
        }
        return;
    case NODE_PROC:
    case NODE_FUNCTION: flow_routine(flow, node); return;
    case NODE_PLACE: flow_write(flow, node->place.element); return; /* memory of others */
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
static void use_channel(Flow *flow, const Node *channel) {
    FlowVariable *variable = flow_root(channel);
    flow_subscripts(flow, channel);
    if (variable && type_owns(variable->symbol->type)) {
        flow_read_variable(flow, variable, channel->at, NULL);
    }
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
    }
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

/* ---- loops ---- */

static void read_replicator(Flow *flow, const Node *node) {
    flow_read(flow, node->replicator.base);
    flow_read(flow, node->replicator.count);
    if (node->replicator.step) {
        flow_read(flow, node->replicator.step);
    }
}

static bool is_replicated(const Node *replicator) {
    return replicator && replicator->kind == NODE_REPLICATOR;
}

static bool runs_at_least_once(const Node *replicator) {
    const Constant *count = replicator->replicator.count->constant;
    return count && count->integer > 0;
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

static void walk_seq(Flow *flow, const Node *node) {
    const Node *replicator = node->seq.replicator;
    if (!is_replicated(replicator)) {
        walk_list(flow, &node->seq.body);
        return;
    }
    read_replicator(flow, replicator);
    FlowLoop loop;
    FlowState before = flow_state_copy(flow->arena, &flow->state);
    flow_loop_open(flow, &loop, node);
    walk_list(flow, &node->seq.body);
    if (begin_later_round(flow, &before)) {
        walk_list(flow, &node->seq.body);
        flow->is_later_round = false;
    }
    flow_loop_close(flow);
    if (!runs_at_least_once(replicator)) {
        flow_state_join(flow->arena, &flow->state, &before);
    }
}

static void walk_while(Flow *flow, const Node *node) {
    const Node *condition = node->while_.condition;
    FlowTruth truth = flow_truth(condition);
    flow_read(flow, condition);
    if (truth == FLOW_FALSE) {
        flow_report_condition(flow, condition, "the loop never runs");
    }
    FlowLoop loop;
    FlowState before = flow_state_copy(flow->arena, &flow->state);
    flow_loop_open(flow, &loop, node);
    flow_process(flow, node->while_.process);
    if (begin_later_round(flow, &before)) {
        flow_read(flow, condition);
        flow_process(flow, node->while_.process);
        flow->is_later_round = false;
    }
    flow_loop_close(flow);
    flow_state_join(flow->arena, &flow->state, &before);
    flow->state.is_dead = before.is_dead || truth == FLOW_TRUE;
}

static void walk_while_input(Flow *flow, const Node *node) {
    FlowLoop loop;
    FlowState before = flow_state_copy(flow->arena, &flow->state);
    flow_loop_open(flow, &loop, node);
    flow_process(flow, node->while_input.input);
    if (node->while_input.process) {
        flow_process(flow, node->while_input.process);
    }
    if (begin_later_round(flow, &before)) {
        flow_process(flow, node->while_input.input);
        if (node->while_input.process) {
            flow_process(flow, node->while_input.process);
        }
        flow->is_later_round = false;
    }
    flow_loop_close(flow);
    flow_state_join(flow->arena, &flow->state, &before);
}

/* Branches of a replicated PAR tell themselves apart by the index: what one sets counts as set. */
static void walk_par(Flow *flow, const Node *node) {
    const Node *replicator = node->par.replicator;
    if (is_replicated(replicator)) {
        read_replicator(flow, replicator);
    }
    FlowState before = flow->state;
    FlowState after = flow_state_copy(flow->arena, &before);
    FlowSet cleared = flow_set_copy(flow->arena, &before.gone); /* not set by any branch */
    FlowSet phased = flow_phases_open(flow, node);
    for (size_t i = 0; i < node->par.body.count; i++) {
        flow->state = flow_state_copy(flow->arena, &before);
        flow_process(flow, node->par.body.items[i]);
        if (!is_replicated(replicator) || runs_at_least_once(replicator)) {
            flow_state_both(flow->arena, &after, &flow->state);
        }
        flow_set_clear(&cleared, &before.gone, &flow->state.gone);
        if (is_replicated(replicator)) {
            flow_set_unite(flow->arena, &after.some, &flow->state.some);
            flow_set_unite(flow->arena, &after.all, &flow->state.some);
        }
    }
    flow_phases_close(flow, phased);
    flow_set_clear(&after.gone, &before.gone, &cleared);
    flow->state = after;
}

/* ---- choices ---- */

static void walk_choice(Flow *flow, const Node *choice, FlowTruth *truth) {
    const Node *condition = choice->choice.condition;
    flow_specifications(flow, &choice->choice.specs);
    *truth = condition ? flow_truth(condition) : FLOW_OPEN;
    if (condition) {
        flow_read(flow, condition);
    }
    if (*truth == FLOW_FALSE) {
        flow_report_condition(flow, condition, "the choice is never taken");
    }
    flow_process(flow, choice->choice.process);
}

/* Without a true condition an IF is STOP. */
static void walk_if(Flow *flow, const Node *node) {
    if (is_replicated(node->if_.replicator)) {
        read_replicator(flow, node->if_.replicator);
    }
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
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
        walk_choice(flow, choice, &truth);
        flow_close(flow, mark);
        flow_state_join(flow->arena, &after, &flow->state);
        last = truth == FLOW_TRUE ? choice->choice.condition : NULL;
    }
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

static void walk_case(Flow *flow, const Node *node) {
    flow_read(flow, node->case_.selector);
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
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
    }
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
    flow_process(flow, node->alternative.guard);
    if (node->alternative.process) {
        flow_process(flow, node->alternative.process);
    }
    flow_close(flow, mark);
}

/* In a PRI ALT nothing after it is ever chosen. */
static bool is_always_ready(const Node *alternative) {
    const Node *condition = alternative->alternative.condition;
    return alternative->alternative.guard->kind == NODE_SKIP &&
           (!condition || flow_truth(condition) == FLOW_TRUE);
}

static void walk_alt(Flow *flow, const Node *node) {
    if (is_replicated(node->alt.replicator)) {
        read_replicator(flow, node->alt.replicator);
    }
    FlowState before = flow->state;
    FlowState after = {.is_dead = true};
    bool was_conditional = flow_choice_open(flow);
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
        bool is_last = node->alt.is_pri && !is_replicated(node->alt.replicator);
        ready = is_last && is_always_ready(alternative) ? alternative->alternative.guard : NULL;
    }
    flow_choice_close(flow, was_conditional);
    flow->state = after;
}

/* ---- the switch ---- */

static void walk_block(Flow *flow, const Node *node) {
    size_t mark = flow_open(flow);
    flow_specifications(flow, &node->block.specs);
    flow_process(flow, node->block.process);
    flow_close(flow, mark);
}

/* Processes of the beyond: their parts one after the other. */
static void walk_any(Node **slot, void *data) {
    const Node *node = *slot;
    bool is_process = node->kind >= NODE_BLOCK && node->kind <= NODE_DYNCALL;
    if (is_process) {
        flow_process(data, node);
    } else {
        flow_read(data, node);
    }
}

static void walk_claim(Flow *flow, const Node *node) {
    const Node *element = node->claim.element;
    bool is_mutex = element->type && type_is_mutex(element->type);
    use_channel(flow, element);
    flow->mutexes += is_mutex;
    flow_process(flow, node->claim.process);
    flow->mutexes -= is_mutex;
}

void flow_process(Flow *flow, const Node *node) {
    switch ((int)node->kind) {
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
    case NODE_DELAY: flow_read(flow, node->delay.time); return;
    case NODE_CALL:
        if (node->call.callee->kind == NODE_NAME) {
            flow_call(flow, node, node->call.callee->name.symbol, &node->call.actuals);
        }
        return;
    case NODE_SEQ: walk_seq(flow, node); return;
    case NODE_PAR: walk_par(flow, node); return;
    case NODE_ALT: walk_alt(flow, node); return;
    case NODE_IF: walk_if(flow, node); return;
    case NODE_CASE: walk_case(flow, node); return;
    case NODE_WHILE: walk_while(flow, node); return;
    case NODE_WHILE_INPUT: walk_while_input(flow, node); return;
    case NODE_SYNC: flow_next_phase(flow); break;
    case NODE_NEXT:
        flow_next_phase(flow);
        if (!node->next.is_all) {
            break;
        }
        if (node->next.process) {
            flow_process(flow, node->next.process);
        }
        return; /* passes over clocks that are undefined */
    case NODE_CLAIM:
        if (!type_is_bundle_end(node->claim.element->type)) {
            walk_claim(flow, node);
            return;
        }
        break; /* the end must be defined */
    }
    node_visit_children((Node *)node, walk_any, flow);
}
