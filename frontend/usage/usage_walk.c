/* usage_walk -- every process of the tree, in order: its accesses, the loops and conditions they
 * stand under. */
#include "usage.h"

#include "alias.h"
#include "usage_phase.h"
#include "value.h"

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

void usage_begin_loop(UsageWalk *walk, const Node *node) {
    const Ast_replicator *replicator = &node->replicator;
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
        symbol_map_set(walk->arena, &walk->numbers, replicator->def->def.symbol, value);
    }
}

static void usage_push_loop(UsageWalk *walk, const Node *node) {
    usage_read(walk, node->replicator.base);
    usage_read(walk, node->replicator.count);
    read_optional(walk, node->replicator.step);
    usage_begin_loop(walk, node);
}

void usage_pop_loop(UsageWalk *walk) {
    walk->loops = walk->loops->outer;
}

void usage_push_optional(UsageWalk *walk, const Node *replicator) {
    if (replicator && replicator->kind == NODE_REPLICATOR) {
        usage_push_loop(walk, replicator);
    }
}

void usage_pop_optional(UsageWalk *walk, const Node *replicator) {
    if (replicator && replicator->kind == NODE_REPLICATOR) {
        usage_pop_loop(walk);
    }
}

/* ---- specifications ---- */

/* A VAL name of an array is another name for it; of one number it is a copy. */
static void mark_lasting(UsageWalk *walk, const Node *value, size_t start) {
    bool is_copied = !value->type || type_is_error(value->type) || type_is_scalar(value->type);
    for (size_t i = start; !is_copied && i < walk->accesses.count; i++) {
        walk->accesses.items[i].is_of_val_array = true;
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
    bool is_value = symbol && symbol->kind == SYMBOL_VALUE && !symbol->constant && symbol->type &&
                    !type_is_error(symbol->type) && node->abbreviation.form == FORM_IS;
    if (walk->alias || !is_value) {
        return;
    }
    if (type_is_integer(symbol->type)) {
        const IndexExpr *value = region_index(&walk->builder, node->abbreviation.value);
        symbol_map_set(walk->arena, &walk->numbers, symbol,
                       value->kind == INDEX_UNKNOWN ? NULL : value);
    } else if (type_base(symbol->type)->kind == TYPE_BOOL) {
        usage_keep_truth(walk, symbol, node->abbreviation.value);
    }
}

void usage_specifications(UsageWalk *walk, const NodeList *specifications) {
    for (size_t i = 0; i < specifications->count; i++) {
        const Node *node = specifications->items[i];
        if (node->kind == NODE_ABBREVIATION) {
            walk_abbreviation(walk, node);
            usage_define(walk, node->abbreviation.def);
            keep_value(walk, node);
            value_after_initial(walk, node);
        } else if (node->kind == NODE_DECLARATION) {
            for (size_t k = 0; k < node->declaration.names.count; k++) {
                usage_define(walk, node->declaration.names.items[k]);
                usage_phase_declare(walk, node->declaration.names.items[k]->def.symbol);
            }
        } else if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
            usage_routine(walk, node);
        } else if (node->kind == NODE_PLACE) {
            usage_subscripts(walk, node->place.element);
            read_optional(walk, node->place.at);
        }
    }
}

UsageScope usage_open_scope(UsageWalk *walk, const NodeList *specifications) {
    UsageScope scope = {.mark = alias_open(walk),
                        .values = value_mark(walk),
                        .start = walk->accesses.count,
                        .latest = walk->latest};
    usage_specifications(walk, specifications);
    scope.end = walk->accesses.count;
    return scope;
}

/* What VAL abbreviations of arrays name is read to the end of their scope. */
void usage_close_scope(UsageWalk *walk, const UsageScope *scope) {
    usage_phase_span(walk, scope->start, scope->end);
    usage_phase_forget(walk, scope->latest);
    value_restore(walk, scope->values);
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
    value_count_assign(walk, node);
}

static void walk_channel(UsageWalk *walk, const Node *channel, UsageKind kind) {
    usage_subscripts(walk, channel);
    usage_element(walk, channel, kind);
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
    if (node->input.is_timer) {
        usage_subscripts(walk, node->input.channel);
    } else {
        walk_channel(walk, node->input.channel, USAGE_INPUT);
    }
    walk_inputs(walk, &node->input.items);
}

/* A port is a place of the machine: what is output to it may be what another process inputs. */
static void walk_output(UsageWalk *walk, const Node *node) {
    const Type *type = node->output.channel->type;
    walk_channel(walk, node->output.channel,
                 type && type_is_port(type) ? USAGE_WRITE : USAGE_OUTPUT);
    for (size_t i = 0; i < node->output.items.count; i++) {
        usage_read(walk, node->output.items.items[i]);
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
        UsageScope scope = usage_open_scope(walk, &variant->variant.specs);
        walk_inputs(walk, &variant->variant.items);
        usage_process(walk, variant->variant.process);
        if (variant->variant.after) {
            usage_process(walk, variant->variant.after);
        }
        usage_close_scope(walk, &scope);
        usage_phase_way_end(walk, &meeting);
    }
    usage_phase_meet(walk, &meeting);
}

/* ---- constructions ---- */

static void walk_list(UsageWalk *walk, const NodeList *list) {
    size_t followed = value_mark(walk);
    const IndexGuard *outside = walk->here.guards;
    for (size_t i = 0; i < list->count; i++) {
        usage_statement(walk, list);
        value_next_statement(walk, list, i);
        usage_process(walk, list->items[i]);
        value_after_statement(walk, list->items[i]);
    }
    value_restore(walk, followed);
    walk->here.guards = outside;
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

static void walk_seq(UsageWalk *walk, const Node *node) {
    if (!node->seq.replicator || node->seq.replicator->kind != NODE_REPLICATOR) {
        walk_list(walk, &node->seq.body);
        return;
    }
    size_t followed = value_mark(walk);
    usage_push_loop(walk, node->seq.replicator);
    value_forget_changed(walk, node);
    PhaseLoopMark mark =
        usage_phase_loop_begin(walk, node, node->seq.replicator->replicator.count, true);
    value_begin_loop(walk, &node->seq.body, mark.before);
    walk_list(walk, &node->seq.body);
    value_end_loop(walk, &node->seq.body);
    usage_phase_loop_end(walk, &mark, true);
    usage_pop_loop(walk);
    value_restore(walk, followed);
}

static void walk_iteration(UsageWalk *walk, const Node *node) {
    if (node->kind == NODE_WHILE) {
        const IndexGuard *outside = walk->here.guards;
        ValueTest test = value_begin_test(walk, node);
        usage_read(walk, node->while_.condition);
        usage_guard(walk, node->while_.condition, false);
        value_walk_tested(walk, node->while_.process);
        value_end_test(walk, &test);
        walk->here.guards = outside;
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
    size_t followed = value_mark(walk);
    bool is_counted = value_begin_while(walk, node);
    if (!mark.starts) {
        value_hide_loop(walk, true);
    }
    value_begin_loop(walk, &body, mark.before);
    walk_iteration(walk, node);
    value_end_loop(walk, &body);
    if (!mark.starts) {
        value_hide_loop(walk, false);
    }
    usage_phase_loop_end(walk, &mark, false);
    if (is_counted) {
        usage_pop_loop(walk);
    }
    value_restore(walk, followed);
}

static void walk_call(UsageWalk *walk, const Node *node) {
    if (node->call.callee->kind == NODE_NAME) {
        usage_call(walk, node, node->call.callee->name.symbol, &node->call.actuals);
    }
}

static void walk_block(UsageWalk *walk, const Node *node) {
    UsageScope scope = usage_open_scope(walk, &node->block.specs);
    value_declare_counters(walk, node);
    usage_process(walk, node->block.process);
    usage_close_scope(walk, &scope);
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
    const UsageLock *outside = walk->here.locks;
    const Type *type = node->claim.element->type;
    if (type && type_is_error(type)) {
        return; /* it may have been meant for a MUTEX: nobody knows what is kept apart */
    }
    if (type && type_is_mutex(type)) {
        usage_element(walk, node->claim.element, USAGE_CLAIM);
        usage_push_lock(walk, node->claim.element);
    }
    usage_process(walk, node->claim.process);
    walk->here.locks = outside;
}

/* c ? i; x[i]   What stands below an input or behind an item comes after it: what it changes is not
 * known there. */
static void walk_after_input(UsageWalk *walk, const Node *node,
                             void (*walk_node)(UsageWalk *, const Node *)) {
    size_t followed = value_mark(walk);
    value_forget_changed(walk, node);
    walk_node(walk, node);
    value_restore(walk, followed);
}

static void walk_enroll(UsageWalk *walk, const Node *node) {
    size_t start = walk->accesses.count;
    usage_process(walk, node->enroll.process);
    usage_forget_enrolled(walk, &node->enroll.clocks, start);
}

void usage_process(UsageWalk *walk, const Node *node) {
    switch (node->kind) {
    case NODE_BLOCK: walk_block(walk, node); return;
    case NODE_ASSIGN: walk_assign(walk, node); return;
    case NODE_INPUT: walk_after_input(walk, node, walk_input); return;
    case NODE_OUTPUT: walk_output(walk, node); return;
    case NODE_INPUT_CASE: walk_after_input(walk, node, walk_input_case); return;
    case NODE_DELAY:
        usage_subscripts(walk, node->delay.timer);
        usage_read(walk, node->delay.time);
        return;
    case NODE_CALL: walk_call(walk, node); return;
    case NODE_SEQ: walk_seq(walk, node); return;
    case NODE_PAR: usage_par(walk, node); return;
    case NODE_ALT: walk_after_input(walk, node, usage_alt); return;
    case NODE_IF: usage_if(walk, node); return;
    case NODE_CASE: usage_case(walk, node); return;
    case NODE_EXTENDED_INPUT: walk_after_input(walk, node, walk_extended); return;
    case NODE_FORK: usage_fork(walk, node); return;
    case NODE_FORKING: usage_forking(walk, node); return;
    case NODE_CLAIM: walk_claim(walk, node); return;
    case NODE_ENROLL: walk_enroll(walk, node); return;
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
    case NODE_STOP: walk->here.stops = true; return;
    case NODE_CLOSE: usage_read(walk, node->close.end); return;
    case NODE_WHILE_INPUT:
    case NODE_WHILE: walk_while(walk, node); return;
    case NODE_PROCESSOR:
        usage_read(walk, node->processor.number);
        usage_process(walk, node->processor.process);
        return;
    case NODE_SKIP:
    case NODE_SUSPEND:
    case NODE_ASM:
    case NODE_DYNCALL: return;                                     /* nothing, or refused */
    case NODE_KINDS_OF_EXPRESSION: usage_read(walk, node); return; /* CLOSED as a guard */
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_WAY:
    case NODE_KINDS_OF_TYPE:
    case NODE_BROKEN:
    case NODE_UNIT: return; /* no processes */
    case NODE_KIND_COUNT: bug("node of no kind");
    }
}
