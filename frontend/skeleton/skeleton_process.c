/* skeleton_process -- processes one after the other. See skeleton_walk.h.
 *
 * Holds:  what does not communicate is not there, but for changes of data that are followed. */
#include "skeleton_walk.h"

/* ---- specifications ---- */

static void declare(SkeletonWalk *walk, const Node *spec) {
    for (size_t i = 0; i < spec->declaration.names.count; i++) {
        const Symbol *symbol = spec->declaration.names.items[i]->def.symbol;
        if (symbol && skeleton_is_channel(symbol->type)) {
            skeleton_declare(walk, symbol);
        } else if (symbol && type_is_clock(symbol->type)) {
            skeleton_declare_clock(walk, symbol);
        } else if (symbol) {
            skeleton_declare_data(walk, symbol);
        }
    }
}

static void abbreviate(SkeletonWalk *walk, const Node *spec) {
    const Symbol *symbol = spec->abbreviation.def->def.symbol;
    const Node *value = spec->abbreviation.value;
    bool is_plain = spec->abbreviation.form == FORM_IS;
    if (!symbol) {
        return;
    }
    if (skeleton_is_channel(symbol->type)) {
        skeleton_bind(walk, symbol, skeleton_refer(walk, value));
    } else if (type_is_clock(symbol->type)) {
        skeleton_bind_clock(walk, symbol, value);
    } else if (spec->abbreviation.mode == ABBREVIATION_INITIAL) {
        skeleton_declare_data(walk, symbol);
        skeleton_store_whole(walk, symbol, value);
    } else if (spec->abbreviation.mode != ABBREVIATION_VAL || type_is_array(symbol->type)) {
        skeleton_bind_data(walk, symbol, value, !is_plain);
    } else {
        bool is_known = is_plain && !symbol->permits_aliases;
        const SkeletonValue *known = is_known ? skeleton_value(walk, value) : skeleton_any();
        skeleton_set_value(walk, symbol,
                           skeleton_frozen(walk, known, symbol->name->bytes, value->at));
    }
}

void skeleton_spec(SkeletonWalk *walk, const Node *spec) {
    if (spec->kind == NODE_DECLARATION) {
        declare(walk, spec);
    } else if (spec->kind == NODE_ABBREVIATION) {
        abbreviate(walk, spec);
    }
}

void skeleton_specs(SkeletonWalk *walk, const NodeList *specs) {
    for (size_t i = 0; i < specs->count; i++) {
        skeleton_spec(walk, specs->items[i]);
    }
}

/* ---- communication ---- */

void skeleton_output_items(SkeletonWalk *walk, const Node *output, SkeletonGuard *guard) {
    const NodeList *items = &output->output.items;
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (i == 0 && item->kind == NODE_TAG_USE) {
            guard->tag = item->tag_use.value + 1;
        } else {
            array_push(walk->arena, &guard->values, skeleton_value(walk, item));
        }
    }
}

void skeleton_targets(SkeletonWalk *walk, const NodeList *items, SkeletonVariant *variant) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            skeleton_store(walk, skeleton_slot(walk, item->counted.count), NULL, item->at);
            skeleton_store(walk, skeleton_slot(walk, item->counted.array), NULL, item->at);
        }
        SkeletonSlot none = {NULL, NULL};
        array_push(walk->arena, &variant->targets,
                   item->kind == NODE_COUNTED ? none : skeleton_slot(walk, item));
    }
}

static void output(SkeletonWalk *walk, const Node *node) {
    SkeletonPlace place = skeleton_place(skeleton_refer(walk, node->output.channel));
    if (!place.channel) {
        return;
    }
    SkeletonGuard items = {0};
    skeleton_output_items(walk, node, &items);
    SkeletonStep *step = skeleton_add_step(walk, STEP_SEND, node->at);
    step->place = place;
    step->tag = items.tag;
    step->values.items = items.values.items;
    step->values.count = items.values.count;
}

static void claim(SkeletonWalk *walk, const Node *node) {
    SkeletonRef *ref = skeleton_refer(walk, node->claim.element);
    if (node->claim.claimed) {
        skeleton_bind(walk, node->claim.claimed, ref);
    }
    const SkeletonChannel *held = !ref ? NULL : ref->channel ? ref->channel : ref->lock;
    if (!held || !(held->is_mutex || held->is_shared)) {
        skeleton_process(walk, node->claim.process);
        return;
    }
    SkeletonStep *step = skeleton_add_step(walk, STEP_CLAIM, node->at);
    step->place = (SkeletonPlace){held, ref->first};
    step->side = held->is_mutex ? DIRECTION_NONE : node->claim.direction;
    skeleton_within(walk, &step->steps, node->claim.process);
}

/* ---- data ---- */

static void assign(SkeletonWalk *walk, const Node *node) {
    bool is_one = node->assign.targets.count == 1 && node->assign.values.count == 1;
    const Node *first = node->assign.targets.items[0];
    if (is_one && first->kind == NODE_NAME && first->name.symbol && type_is_array(first->type)) {
        skeleton_store_whole(walk, first->name.symbol, node->assign.values.items[0]);
        return;
    }
    for (size_t i = 0; i < node->assign.targets.count; i++) {
        SkeletonSlot slot = skeleton_slot(walk, node->assign.targets.items[i]);
        skeleton_store(walk, slot, is_one ? node->assign.values.items[i] : NULL, node->at);
    }
}

/* ---- loops ---- */

static bool is_silent(const Node *node) {
    switch (node->kind) {
    case NODE_OUTPUT:
    case NODE_INPUT:
    case NODE_INPUT_CASE:
    case NODE_EXTENDED_INPUT:
    case NODE_ALT:
    case NODE_CALL:
    case NODE_CLAIM:
    case NODE_WHILE_INPUT:
    case NODE_STOP:
    case NODE_FORK:
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP:
    case NODE_RESIGN:
    case NODE_DYNCALL:
    case NODE_SUSPEND:
    case NODE_ASM:
    case NODE_CLOSE: return false;
    default: return true;
    }
}

static bool says_something(const Node *node) {
    return !is_silent(node);
}

bool skeleton_communicates(const Node *process) {
    return node_any(process, says_something);
}

/* What is asked for the condition is asked again at the end of each turn. */
static void while_loop(SkeletonWalk *walk, const Node *node) {
    size_t first = walk->steps->count;
    const SkeletonValue *condition = skeleton_truth(walk, node->while_.condition);
    size_t last = walk->steps->count;
    bool is_never = condition->kind == VALUE_NUMBER && condition->number == 0;
    if (is_never || (!walk->with_data && !skeleton_communicates(node->while_.process))) {
        return;
    }
    SkeletonStep *step = skeleton_add_step(walk, STEP_LOOP, node->at);
    SkeletonRounds rounds = skeleton_begin_rounds(walk, 0);
    step->condition = condition;
    skeleton_within(walk, &step->steps, node->while_.process);
    skeleton_end_rounds(walk, rounds);
    for (size_t i = first; i < last; i++) {
        array_push(walk->arena, &step->steps, walk->steps->items[i]);
    }
}

static void sequence_body(SkeletonWalk *walk, const Node *seq) {
    for (size_t i = 0; i < seq->seq.body.count; i++) {
        skeleton_process(walk, seq->seq.body.items[i]);
    }
}

/* The variable of the loop counts its turns. */
static void counted_loop(SkeletonWalk *walk, const Node *seq) {
    const Node *replicator = seq->seq.replicator;
    SkeletonTurns turns = skeleton_turns(walk, replicator);
    if (turns.count->kind == VALUE_NUMBER && turns.count->number <= 0) {
        return;
    }
    SkeletonStep *step = skeleton_add_step(walk, STEP_TURNS, seq->at);
    const SkeletonVariable *turn =
        skeleton_add_variable(walk, replicator->replicator.def->def.name->bytes, NULL, 1);
    step->variable = turn;
    step->count = turns.count;
    const SkeletonValue *number = skeleton_of_variable(walk->arena, turn, NULL);
    bool is_counted = walk->with_data || !skeleton_has_any(turns.count);
    skeleton_turn(walk, replicator, &turns, is_counted ? number : skeleton_any());
    SkeletonSteps *around = walk->steps;
    SkeletonScope scope = skeleton_begin_scope(walk);
    array_push(walk->arena, &walk->loops, turn);
    walk->steps = &step->steps;
    SkeletonRounds rounds =
        skeleton_begin_rounds(walk, turns.are_numbers ? turns.count->number : 0);
    sequence_body(walk, seq);
    skeleton_end_rounds(walk, rounds);
    skeleton_end_scope(walk, scope, seq->at);
    walk->steps = around;
}

static void sequence(SkeletonWalk *walk, const Node *seq) {
    if (!seq->seq.replicator) {
        sequence_body(walk, seq);
    } else if (walk->with_data || skeleton_communicates(seq)) {
        counted_loop(walk, seq);
    }
}

static void block(SkeletonWalk *walk, const Node *node) {
    SkeletonScope scope = skeleton_begin_scope(walk);
    skeleton_specs(walk, &node->block.specs);
    skeleton_process(walk, node->block.process);
    skeleton_end_scope(walk, scope, node->at);
}

/* ---- all of them ---- */

static const char *refusal_of(NodeKind kind) {
    switch (kind) {
    case NODE_SUSPEND:
    case NODE_DYNCALL: return "a mobile process in a model";
    case NODE_ASM: return "ASM in a model";
    case NODE_PROCESSOR: return "PLACED PAR in a model";
    default: return NULL;
    }
}

void skeleton_process(SkeletonWalk *walk, const Node *process) {
    const char *refusal = refusal_of(process->kind);
    if (refusal) {
        skeleton_refuse(walk, process->at, refusal);
        return;
    }
    switch (process->kind) {
    case NODE_BLOCK: block(walk, process); break;
    case NODE_STOP: skeleton_add_step(walk, STEP_STOP, process->at); break;
    case NODE_ASSIGN: assign(walk, process); break;
    case NODE_OUTPUT: output(walk, process); break;
    case NODE_INPUT:
    case NODE_INPUT_CASE: (void)skeleton_receive(walk, process, false, NULL, NULL); break;
    case NODE_EXTENDED_INPUT:
        (void)skeleton_receive(walk, process->extended_input.input, true,
                               process->extended_input.during, process->extended_input.after);
        break;
    case NODE_CALL: skeleton_call(walk, process); break;
    case NODE_FORK: skeleton_fork(walk, process); break;
    case NODE_FORKING: skeleton_forking(walk, process); break;
    case NODE_SEQ: sequence(walk, process); break;
    case NODE_PAR: skeleton_par(walk, process); break;
    case NODE_ALT: skeleton_alt(walk, process); break;
    case NODE_IF: skeleton_if(walk, process); break;
    case NODE_CASE: skeleton_case(walk, process); break;
    case NODE_WHILE: while_loop(walk, process); break;
    case NODE_CLAIM: claim(walk, process); break;
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP:
    case NODE_RESIGN: skeleton_clock(walk, process); break;
    case NODE_CLOSE: skeleton_close(walk, process); break;
    case NODE_WHILE_INPUT: skeleton_while_input(walk, process); break;
    case NODE_ENROLL: skeleton_process(walk, process->enroll.process); break;
    default: break; /* it communicates with nobody */
    }
}
