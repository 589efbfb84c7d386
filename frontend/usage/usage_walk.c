/* usage_walk -- every process of the tree, in order: its accesses, the loops and conditions they
 * stand under; each PAR is checked when its components have been walked. */
#include "usage.h"

#include "alias.h"
#include "check.h"
#include "usage_phase.h"

static void read_optional(UsageWalk *walk, const Node *expression) {
    if (expression) {
        usage_read(walk, expression);
    }
}

/* ---- loops ---- */

/* The index is base + iteration * step. */
static const IndexExpr *index_value(UsageWalk *walk, const Ast_replicator *replicator,
                                    const IndexLoop *loop) {
    const IndexExpr *base = region_index(&walk->builder, replicator->base);
    const IndexExpr *iteration = index_loop(walk->arena, loop);
    if (replicator->step) {
        const IndexExpr *step = region_index(&walk->builder, replicator->step);
        iteration = index_operator(walk->arena, OPERATOR_MULTIPLY, iteration, step);
    }
    return index_operator(walk->arena, OPERATOR_ADD, base, iteration);
}

void usage_push_loop(UsageWalk *walk, const Node *node) {
    const Ast_replicator *replicator = &node->replicator;
    usage_read(walk, replicator->base);
    usage_read(walk, replicator->count);
    read_optional(walk, replicator->step);
    IndexLoop *loop = arena_new(walk->arena, IndexLoop);
    loop->outer = walk->loops;
    loop->depth = walk->loops ? walk->loops->depth + 1 : 0;
    loop->count = region_index(&walk->builder, replicator->count);
    loop->name = replicator->def->def.name->bytes;
    const IndexExpr *value = index_value(walk, replicator, loop);
    loop->value = value;
    walk->loops = loop;
    usage_define(walk, replicator->def);
    if (replicator->def->def.symbol) {
        replicator->def->def.symbol->usage = (void *)value;
    }
}

void usage_pop_loop(UsageWalk *walk) {
    walk->loops = walk->loops->outer;
}

static void push_optional(UsageWalk *walk, const Node *replicator) {
    if (replicator && replicator->kind == NODE_REPLICATOR) {
        usage_push_loop(walk, replicator);
    }
}

static void pop_optional(UsageWalk *walk, const Node *replicator) {
    if (replicator && replicator->kind == NODE_REPLICATOR) {
        usage_pop_loop(walk);
    }
}

/* ---- specifications ---- */

/* A VAL name of an array is another name for it; of one number it is a copy. */
static void mark_lasting(UsageWalk *walk, const Node *value, size_t start) {
    bool is_copied = !value->type || type_is_error(value->type) || type_is_scalar(value->type);
    for (size_t i = start; !is_copied && i < walk->accesses.count; i++) {
        walk->accesses.items[i].is_lasting = true;
    }
}

static void walk_abbreviation(UsageWalk *walk, const Node *node) {
    const Node *value = node->abbreviation.value;
    size_t start = walk->accesses.count;
    switch (node->abbreviation.mode) {
    case ABBREVIATION_REFERENCE:
    case ABBREVIATION_RESULT: usage_subscripts(walk, value); break;
    case ABBREVIATION_VAL:
        alias_introduce(walk, value->kind == NODE_SUBSCRIPT || value->kind == NODE_SEGMENT);
        usage_read(walk, value);
        alias_introduce(walk, false);
        mark_lasting(walk, value, start);
        break;
    case ABBREVIATION_INITIAL: usage_read(walk, value); break;
    }
    alias_abbreviation(walk, node, start);
}

/* What a VAL name stands for where it is introduced: private variables in it change later. */
static void keep_value(UsageWalk *walk, const Node *node) {
    Symbol *symbol = node->abbreviation.def->def.symbol;
    bool is_number = symbol && symbol->kind == SYMBOL_VALUE && !symbol->constant && symbol->type &&
                     type_is_integer(symbol->type) && node->abbreviation.form == FORM_IS;
    if (!walk->alias && is_number) {
        const IndexExpr *value = region_index(&walk->builder, node->abbreviation.value);
        symbol->usage = value->kind == INDEX_UNKNOWN ? NULL : (void *)value;
    }
}

void usage_specifications(UsageWalk *walk, const NodeList *specifications) {
    for (size_t i = 0; i < specifications->count; i++) {
        const Node *node = specifications->items[i];
        if (node->kind == NODE_ABBREVIATION) {
            walk_abbreviation(walk, node);
            usage_define(walk, node->abbreviation.def);
            keep_value(walk, node);
            usage_follow_initial(walk, node);
        } else if (node->kind == NODE_DECLARATION) {
            for (size_t k = 0; k < node->declaration.names.count; k++) {
                usage_define(walk, node->declaration.names.items[k]);
                usage_phase_declare(walk, node->declaration.names.items[k]->def.symbol);
            }
        } else if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
            usage_routine(walk, node);
        }
    }
}

typedef struct Scope {
    size_t mark;
    size_t followed;
    size_t start; /* accesses of the specifications */
    size_t end;
    uint32_t latest;
} Scope;

static Scope open_scope(UsageWalk *walk, const NodeList *specifications) {
    Scope scope = {.mark = alias_open(walk),
                   .followed = walk->followed.count,
                   .start = walk->accesses.count,
                   .latest = walk->latest};
    usage_specifications(walk, specifications);
    scope.end = walk->accesses.count;
    return scope;
}

/* What VAL abbreviations of arrays name is read to the end of their scope. */
static void close_scope(UsageWalk *walk, const Scope *scope) {
    usage_phase_span(walk, scope->start, scope->end);
    usage_phase_forget(walk, scope->latest);
    usage_follow_back(walk, scope->followed);
    alias_close(walk, scope->mark);
}

/* ---- simple processes ---- */

static void walk_assign(UsageWalk *walk, const Node *node) {
    for (size_t i = 0; i < node->assign.values.count; i++) {
        usage_read(walk, node->assign.values.items[i]);
    }
    for (size_t i = 0; i < node->assign.targets.count; i++) {
        usage_subscripts(walk, node->assign.targets.items[i]);
        usage_element(walk, node->assign.targets.items[i], USAGE_WRITE);
    }
    for (size_t i = 0; i < node->assign.targets.count && i < node->assign.values.count; i++) {
        alias_assign(walk, node->assign.targets.items[i], node->assign.values.items[i]);
    }
    if (node->assign.targets.count > 1 && !walk->alias) {
        usage_check_targets(walk, node);
    }
    usage_private_assign(walk, node);
}

static void walk_channel(UsageWalk *walk, const Node *channel, UsageKind kind) {
    usage_subscripts(walk, channel);
    usage_element(walk, channel, kind);
}

void usage_end(UsageWalk *walk, const Node *end) {
    bool is_input = end->end.direction == DIRECTION_INPUT;
    walk_channel(walk, end->end.channel, is_input ? USAGE_INPUT : USAGE_OUTPUT);
}

static void walk_inputs(UsageWalk *walk, const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        const Node *array = item;
        if (item->kind == NODE_COUNTED) {
            usage_subscripts(walk, item->counted.count);
            usage_element(walk, item->counted.count, USAGE_WRITE);
            array = item->counted.array;
        }
        size_t start = walk->accesses.count;
        usage_subscripts(walk, array);
        if (item->kind == NODE_COUNTED) {
            alias_counted(walk, item, start);
        }
        usage_element(walk, array, USAGE_WRITE);
    }
}

static void walk_input(UsageWalk *walk, const Node *node) {
    if (!node->input.is_timer) {
        walk_channel(walk, node->input.channel, USAGE_INPUT);
    }
    walk_inputs(walk, &node->input.items);
}

static void walk_output(UsageWalk *walk, const Node *node) {
    walk_channel(walk, node->output.channel, USAGE_OUTPUT);
    for (size_t i = 0; i < node->output.items.count; i++) {
        const Node *item = node->output.items.items[i];
        if (item->kind == NODE_COUNTED) {
            usage_read(walk, item->counted.count);
            usage_read(walk, item->counted.array);
        } else if (item->kind != NODE_TAG_USE) {
            usage_read(walk, item);
        }
    }
}

static void walk_input_case(UsageWalk *walk, const Node *node) {
    walk_channel(walk, node->input_case.channel, USAGE_INPUT);
    PhaseMeeting meeting = usage_phase_part(walk);
    for (size_t i = 0; i < node->input_case.variants.count; i++) {
        const Node *variant = node->input_case.variants.items[i];
        if (variant->kind != NODE_VARIANT) {
            continue;
        }
        usage_phase_way(walk, &meeting);
        Scope scope = open_scope(walk, &variant->variant.specs);
        walk_inputs(walk, &variant->variant.items);
        usage_process(walk, variant->variant.process);
        if (variant->variant.after) {
            usage_process(walk, variant->variant.after);
        }
        close_scope(walk, &scope);
        usage_phase_way_end(walk, &meeting);
    }
    usage_phase_meet(walk, &meeting);
}

/* ---- constructions ---- */

static void walk_list(UsageWalk *walk, const NodeList *list) {
    size_t followed = walk->followed.count;
    for (size_t i = 0; i < list->count; i++) {
        usage_statement(walk, list);
        usage_test_statement(walk, list, i);
        usage_process(walk, list->items[i]);
        usage_follow_statement(walk, list->items[i]);
    }
    usage_follow_back(walk, followed);
}

/* NEXT and its relatives change what a variable of MOBILE CLOCK holds; a CLOCK must not have two
 * names either, but who may use it in a PAR is checked by itself. */
static void walk_clocks(UsageWalk *walk, const Node *node) {
    NodeList clocks = node_clocks((Node *)node);
    for (size_t i = 0; i < clocks.count; i++) {
        bool is_noted =
            clocks.items[i]->type && (walk->alias || type_is_mobile(clocks.items[i]->type));
        if (is_noted) {
            usage_subscripts(walk, clocks.items[i]);
            usage_element(walk, clocks.items[i], USAGE_WRITE);
        }
    }
}

/* An enrolled branch has a variable of its own for a MOBILE CLOCK: the process lends its own. */
static void forget_enrolled(UsageWalk *walk, const NodeList *clocks, size_t start) {
    for (size_t i = 0; i < clocks->count; i++) {
        const Symbol *symbol = clocks->items[i]->name.symbol;
        size_t kept = start;
        for (size_t k = start; k < walk->accesses.count; k++) {
            const UsageAccess *access = &walk->accesses.items[k];
            if (access->name != symbol || access->kind == USAGE_NEXT) {
                walk->accesses.items[kept++] = *access;
            }
        }
        walk->accesses.count = kept;
    }
}

static void walk_lent(UsageWalk *walk, const NodeList *clocks) {
    for (size_t i = 0; i < clocks->count; i++) {
        if (clocks->items[i]->type && (walk->alias || type_is_mobile(clocks->items[i]->type))) {
            usage_element(walk, clocks->items[i], USAGE_WRITE);
        }
    }
}

/* After the branches: those outside must not use meanwhile what is lent. */
static void walk_all_lent(UsageWalk *walk, const Node *par) {
    walk_lent(walk, &par->par.enrols);
    for (size_t i = 0; i < par->par.body.count; i++) {
        const Node *enroll = node_enroll(par->par.body.items[i]);
        if (enroll) {
            walk_lent(walk, &enroll->enroll.clocks);
        }
    }
}

static void walk_par(UsageWalk *walk, const Node *node) {
    size_t count = node->par.body.count;
    size_t *starts = arena_new_array(walk->arena, size_t, count + 1);
    uint32_t latest = walk->latest;
    const UsagePhase *outside = walk->phases;
    const UsagePhase *before = usage_phase_origin(walk->arena, outside);
    const UsagePhase **ends = arena_new_array(walk->arena, const UsagePhase *, count + 1);
    bool stops = walk->stops;
    const UsageUniform *uniform = walk->uniform;
    size_t followed = walk->followed.count;
    bool shows = usage_follow_par(walk, node);
    walk->pars++;
    SteadyNames steady = usage_steady_begin(walk, node);
    uint32_t own = walk->own;
    walk->own = latest;
    push_optional(walk, node->par.replicator);
    if (!walk->alias && outside && usage_phase_is_replicated(node)) {
        walk->uniform = usage_uniform(walk, node, latest);
    }
    for (size_t i = 0; i < count; i++) {
        starts[i] = walk->accesses.count;
        usage_phase_component(walk, node, i, before);
        usage_process(walk, node->par.body.items[i]);
        forget_enrolled(walk, &node->par.enrols, starts[i]);
        ends[i] = walk->phases;
    }
    starts[count] = walk->accesses.count;
    walk->stops = stops;
    walk->uniform = uniform;
    usage_phase_joined(walk, node, outside, before, ends, latest);
    if (!walk->alias) {
        usage_check_par(walk, node, starts, latest, before, ends);
    }
    walk_all_lent(walk, node);
    walk->own = own;
    pop_optional(walk, node->par.replicator);
    usage_steady_end(&steady);
    walk->pars--;
    walk->shows_assigned = shows;
    usage_follow_back(walk, followed);
}

/* Not the condition, where it was tested: its names may stand for something else later. */
static const IndexGuard *guard_of_next(UsageWalk *walk, const Node *condition) {
    const IndexGuard *outside = walk->guards;
    usage_guard(walk, condition, true);
    const IndexGuard *next = walk->guards;
    walk->guards = outside;
    return next;
}

/* Each choice is tried only when those before it were not true. */
static void walk_if(UsageWalk *walk, const Node *node) {
    const IndexGuard *outside = walk->guards;
    push_optional(walk, node->if_.replicator);
    const IndexGuard *before = outside;
    PhaseMeeting meeting = usage_phase_part(walk);
    TestedNames tested = usage_test_begin(walk, node);
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        if (choice->kind != NODE_CHOICE) {
            continue;
        }
        walk->guards = before;
        usage_phase_way(walk, &meeting);
        Scope scope = open_scope(walk, &choice->choice.specs);
        const IndexGuard *next = before;
        if (choice->choice.condition) {
            usage_read(walk, choice->choice.condition);
            next = node->if_.replicator ? before : guard_of_next(walk, choice->choice.condition);
            usage_guard(walk, choice->choice.condition, false);
        }
        usage_tested(walk, choice->choice.process);
        close_scope(walk, &scope);
        usage_phase_way_end(walk, &meeting);
        before = next;
    }
    walk->guards = outside;
    usage_test_end(walk, &tested);
    usage_phase_meet(walk, &meeting);
    pop_optional(walk, node->if_.replicator);
}

static void walk_option(UsageWalk *walk, const Node *option, const Node *node) {
    Scope scope = open_scope(walk, &option->option.specs);
    usage_guard_option(walk, node, option);
    usage_tested(walk, option->option.process);
    close_scope(walk, &scope);
}

static void walk_case(UsageWalk *walk, const Node *node) {
    usage_read(walk, node->case_.selector);
    const IndexGuard *outside = walk->guards;
    PhaseMeeting meeting = usage_phase_part(walk);
    TestedNames tested = usage_test_begin(walk, node);
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        if (option->kind == NODE_OPTION) {
            usage_phase_way(walk, &meeting);
            walk_option(walk, option, node);
            usage_phase_way_end(walk, &meeting);
            walk->guards = outside;
        }
    }
    usage_test_end(walk, &tested);
    usage_phase_meet(walk, &meeting);
}

static void walk_alternative(UsageWalk *walk, const Node *node) {
    Scope scope = open_scope(walk, &node->alternative.specs);
    const IndexGuard *outside = walk->guards;
    if (node->alternative.condition) {
        usage_read(walk, node->alternative.condition);
        usage_guard(walk, node->alternative.condition, false);
    }
    usage_process(walk, node->alternative.guard);
    if (node->alternative.process) {
        usage_process(walk, node->alternative.process);
    }
    walk->guards = outside;
    close_scope(walk, &scope);
}

static void walk_alt(UsageWalk *walk, const Node *node) {
    push_optional(walk, node->alt.replicator);
    PhaseMeeting meeting = usage_phase_part(walk);
    for (size_t i = 0; i < node->alt.alternatives.count; i++) {
        if (node->alt.alternatives.items[i]->kind == NODE_ALTERNATIVE) {
            usage_phase_way(walk, &meeting);
            walk_alternative(walk, node->alt.alternatives.items[i]);
            usage_phase_way_end(walk, &meeting);
        }
    }
    usage_phase_meet(walk, &meeting);
    pop_optional(walk, node->alt.replicator);
}

static void walk_seq(UsageWalk *walk, const Node *node) {
    if (!node->seq.replicator || node->seq.replicator->kind != NODE_REPLICATOR) {
        walk_list(walk, &node->seq.body);
        return;
    }
    size_t followed = walk->followed.count;
    usage_push_loop(walk, node->seq.replicator);
    usage_follow_hide_changed(walk, node);
    PhaseLoopMark mark =
        usage_phase_loop_begin(walk, node, node->seq.replicator->replicator.count, true);
    usage_private_loop(walk, &node->seq.body, mark.before);
    walk_list(walk, &node->seq.body);
    usage_private_loop_end(walk, &node->seq.body);
    usage_phase_loop_end(walk, &mark, true);
    usage_pop_loop(walk);
    usage_follow_back(walk, followed);
}

static void walk_iteration(UsageWalk *walk, const Node *node) {
    if (node->kind == NODE_WHILE) {
        const IndexGuard *outside = walk->guards;
        TestedNames tested = usage_test_begin(walk, node);
        usage_read(walk, node->while_.condition);
        usage_guard(walk, node->while_.condition, false);
        usage_tested(walk, node->while_.process);
        usage_test_end(walk, &tested);
        walk->guards = outside;
        return;
    }
    usage_process(walk, node->while_input.input);
    if (node->while_input.process) {
        usage_process(walk, node->while_input.process);
    }
}

/* The condition of a WHILE, or its input, and the process. */
static void walk_while(UsageWalk *walk, const Node *node) {
    bool is_while = node->kind == NODE_WHILE;
    PhaseLoopMark mark =
        usage_phase_loop_begin(walk, node, is_while ? node->while_.condition : NULL, false);
    NodeList body = {NULL, 0, 0};
    Node *process = is_while ? node->while_.process : NULL;
    if (mark.starts && process) { /* it is among the loops */
        body = (NodeList){&process, 1, 1};
    }
    size_t followed = walk->followed.count;
    bool is_counted = usage_follow_while(walk, node);
    walk->whiles += !mark.starts;
    usage_private_loop(walk, &body, mark.before);
    walk_iteration(walk, node);
    usage_private_loop_end(walk, &body);
    walk->whiles -= !mark.starts;
    usage_phase_loop_end(walk, &mark, false);
    if (is_counted) {
        usage_pop_loop(walk);
    }
    usage_follow_back(walk, followed);
}

static void walk_call(UsageWalk *walk, const Node *node) {
    if (node->call.callee->kind == NODE_NAME) {
        usage_call(walk, node, node->call.callee->name.symbol, &node->call.actuals);
    }
}

static void walk_block(UsageWalk *walk, const Node *node) {
    Scope scope = open_scope(walk, &node->block.specs);
    usage_private_declare(walk, node);
    usage_process(walk, node->block.process);
    close_scope(walk, &scope);
}

static void walk_extended(UsageWalk *walk, const Node *node) {
    usage_process(walk, node->extended_input.input);
    if (node->extended_input.during) {
        usage_process(walk, node->extended_input.during);
    }
    if (node->extended_input.after) {
        usage_process(walk, node->extended_input.after);
    }
}

static void walk_claim(UsageWalk *walk, const Node *node) {
    usage_subscripts(walk, node->claim.element);
    if (node->claim.element->type && type_is_data(node->claim.element->type)) {
        usage_element(walk, node->claim.element, USAGE_READ);
    }
    if (node->claim.claimed && node->claim.claimed->number > walk->latest) {
        walk->latest = node->claim.claimed->number;
    }
    const UsageLock *outside = walk->locks;
    if (node->claim.element->type && type_is_mutex(node->claim.element->type)) {
        usage_element(walk, node->claim.element, USAGE_CLAIM);
        usage_push_lock(walk, node->claim.element);
    }
    usage_process(walk, node->claim.process);
    walk->locks = outside;
}

void usage_process(UsageWalk *walk, const Node *node) {
    switch ((int)node->kind) {
    case NODE_BLOCK: walk_block(walk, node); return;
    case NODE_ASSIGN: walk_assign(walk, node); return;
    case NODE_INPUT: walk_input(walk, node); return;
    case NODE_OUTPUT: walk_output(walk, node); return;
    case NODE_INPUT_CASE: walk_input_case(walk, node); return;
    case NODE_DELAY: usage_read(walk, node->delay.time); return;
    case NODE_CALL: walk_call(walk, node); return;
    case NODE_SEQ: walk_seq(walk, node); return;
    case NODE_PAR: walk_par(walk, node); return;
    case NODE_ALT: walk_alt(walk, node); return;
    case NODE_IF: walk_if(walk, node); return;
    case NODE_CASE: walk_case(walk, node); return;
    case NODE_EXTENDED_INPUT: walk_extended(walk, node); return;
    case NODE_FORK: usage_fork(walk, node); return;
    case NODE_FORKING: usage_forking(walk, node); return;
    case NODE_CLAIM: walk_claim(walk, node); return;
    case NODE_ENROLL: {
        size_t start = walk->accesses.count;
        usage_process(walk, node->enroll.process);
        forget_enrolled(walk, &node->enroll.clocks, start);
        return;
    }
    case NODE_RESIGN:
        walk_clocks(walk, node);
        usage_phase_resign(walk, node);
        return;
    case NODE_NEXT:
    case NODE_SYNC:
    case NODE_RESUME:
    case NODE_DROP:
        walk_clocks(walk, node);
        usage_phase_clock(walk, node);
        return;
    case NODE_STOP: walk->stops = true; return;
    case NODE_CLOSE: usage_end(walk, node->close.end); return;
    case NODE_CLOSED: usage_end(walk, node->closed.end); return; /* a guard */
    case NODE_WHILE_INPUT:
    case NODE_WHILE: walk_while(walk, node); return;
    }
}
