/* skeleton_choice -- ALT, IF, CASE and inputs. See skeleton_walk.h.
 *
 * Holds:  of choices whose conditions are not known each is possible, and one is taken: that none
 *         is true is an error of the program, which no skeleton shows. A guard whose condition is
 *         not known is on or off, which is chosen before. */
#include "skeleton_walk.h"

/* ---- IF and CASE ---- */

/* Choices -- of one IF or CASE. */
typedef struct Choices {
    SkeletonStep *step;
    bool is_over;   /* one is surely true: no further */
    bool is_unsure; /* it is not known whether there is any turn of the replicator */
} Choices;

static void add_choice(SkeletonWalk *walk, Choices *choices, const SkeletonValue *condition,
                       const Node *process) {
    bool is_known = condition->kind == VALUE_NUMBER && !choices->is_unsure;
    if (choices->is_over || (is_known && condition->number == 0)) {
        return;
    }
    SkeletonChoice *choice = arena_new(walk->arena, SkeletonChoice);
    choice->condition = choices->is_unsure ? skeleton_any() : is_known ? NULL : condition;
    array_push(walk->arena, &choices->step->choices, choice);
    skeleton_within(walk, &choice->steps, process);
    choices->is_over = is_known;
}

static void add_choices(SkeletonWalk *walk, Choices *choices, const Node *node);

static void add_each_choice(SkeletonWalk *walk, Choices *choices, const Node *node) {
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        skeleton_specs(walk, &choice->choice.specs);
        if (choice->choice.condition) {
            add_choice(walk, choices, skeleton_truth(walk, choice->choice.condition),
                       choice->choice.process);
        } else {
            add_choices(walk, choices, choice->choice.process);
        }
    }
}

static void add_choices(SkeletonWalk *walk, Choices *choices, const Node *node) {
    const Node *replicator = node->if_.replicator;
    SkeletonTurns turns = {.are_numbers = false};
    if (replicator) {
        turns = skeleton_turns(walk, replicator);
        skeleton_set_value(walk, replicator->replicator.def->def.symbol, skeleton_any());
    }
    if (!turns.are_numbers) {
        bool was_unsure = choices->is_unsure;
        choices->is_unsure = was_unsure || replicator;
        add_each_choice(walk, choices, node);
        choices->is_unsure = was_unsure;
        return;
    }
    for (int64_t i = 0; i < turns.count->number; i++) {
        skeleton_turn(walk, replicator, &turns, skeleton_number(walk->arena, i));
        add_each_choice(walk, choices, node);
    }
}

/* What specifications of a choice set is set before the whole: they change nothing. */
static Choices begin_choices(SkeletonWalk *walk, Location at) {
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = STEP_CHOICE;
    step->at = at;
    step->proc = walk->proc;
    return (Choices){step, false, false};
}

static void end_choices(SkeletonWalk *walk, const Choices *choices) {
    array_push(walk->arena, walk->steps, choices->step);
}

void skeleton_if(SkeletonWalk *walk, const Node *node) {
    SkeletonScope scope = skeleton_begin_scope(walk);
    Choices choices = begin_choices(walk, node->at);
    add_choices(walk, &choices, node);
    end_choices(walk, &choices);
    skeleton_end_scope(walk, scope, node->at);
}

/* The truth of "the selector is one of these". */
static const SkeletonValue *truth_of_option(SkeletonWalk *walk, const SkeletonValue *selector,
                                            const Node *option) {
    const SkeletonValue *truth = skeleton_number(walk->arena, option->option.is_else);
    for (size_t i = 0; i < option->option.values.count; i++) {
        const SkeletonValue *value = skeleton_value(walk, option->option.values.items[i]);
        truth = skeleton_operation(
            walk->arena, truth, OPERATOR_OR,
            skeleton_operation(walk->arena, selector, OPERATOR_EQUAL, value, NULL), NULL);
    }
    return truth;
}

void skeleton_case(SkeletonWalk *walk, const Node *node) {
    SkeletonScope scope = skeleton_begin_scope(walk);
    Choices choices = begin_choices(walk, node->at);
    const SkeletonValue *selector = skeleton_value(walk, node->case_.selector);
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        skeleton_specs(walk, &option->option.specs);
        add_choice(walk, &choices, truth_of_option(walk, selector, option), option->option.process);
    }
    end_choices(walk, &choices);
    skeleton_end_scope(walk, scope, node->at);
}

/* ---- inputs ---- */

static SkeletonVariant *add_variant(SkeletonWalk *walk, SkeletonGuard *guard, Location at) {
    SkeletonVariant *variant = arena_new(walk->arena, SkeletonVariant);
    variant->at = at;
    array_push(walk->arena, &guard->variants, variant);
    return variant;
}

/* Of `c ? CASE`; with ?? the first process is done before the sender goes on. */
static void add_variants(SkeletonWalk *walk, SkeletonGuard *guard, const Node *input,
                         bool is_extended) {
    for (size_t i = 0; i < input->input_case.variants.count; i++) {
        const Node *node = input->input_case.variants.items[i];
        SkeletonVariant *variant = add_variant(walk, guard, node->at);
        SkeletonSteps *around = walk->steps;
        SkeletonSteps *first = is_extended ? &variant->during : &variant->after;
        SkeletonScope scope = skeleton_begin_scope(walk);
        walk->steps = first;
        skeleton_specs(walk, &node->variant.specs);
        variant->tag = node->variant.tag->tag_use.value + 1;
        skeleton_targets(walk, &node->variant.items, variant);
        skeleton_process(walk, node->variant.process);
        walk->steps = &variant->after;
        if (node->variant.after) {
            skeleton_process(walk, node->variant.after);
        }
        skeleton_end_scope(walk, scope, node->at);
        walk->steps = around;
    }
}

/* What is input into a variable that begins with the input has no value before. */
static void add_input(SkeletonWalk *walk, SkeletonGuard *guard, const Node *input, bool is_extended,
                      const Node *during) {
    if (input->kind == NODE_INPUT_CASE) {
        add_variants(walk, guard, input, is_extended);
        return;
    }
    SkeletonVariant *variant = add_variant(walk, guard, input->at);
    if (input->kind == NODE_INPUT) {
        SkeletonSteps *around = walk->steps;
        walk->steps = &variant->during;
        skeleton_targets(walk, &input->input.items, variant);
        walk->steps = around;
    }
    skeleton_within(walk, &variant->during, during);
}

static void add_after(SkeletonWalk *walk, SkeletonGuard *guard, const Node *after) {
    for (size_t i = 0; after && i < guard->variants.count; i++) {
        skeleton_within(walk, &guard->variants.items[i]->after, after);
    }
}

static const Node *channel_of(const Node *guard) {
    switch (guard->kind) {
    case NODE_INPUT: return guard->input.is_timer ? NULL : guard->input.channel;
    case NODE_OUTPUT: return guard->output.channel;
    case NODE_INPUT_CASE: return guard->input_case.channel;
    case NODE_EXTENDED_INPUT: return channel_of(guard->extended_input.input);
    default: return NULL;
    }
}

SkeletonStep *skeleton_receive(SkeletonWalk *walk, const Node *input, bool is_extended,
                               const Node *during, const Node *after) {
    const Node *channel = channel_of(input);
    SkeletonGuard *guard = arena_new(walk->arena, SkeletonGuard);
    guard->at = input->at;
    guard->place = skeleton_place(channel ? skeleton_refer(walk, channel) : NULL);
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = STEP_RECEIVE;
    step->at = input->at;
    step->proc = walk->proc;
    add_input(walk, guard, input, is_extended, during);
    add_after(walk, guard, after);
    array_push(walk->arena, &step->guards, guard);
    array_push(walk->arena, walk->steps, step);
    return step;
}

/* ---- ALT ---- */

SkeletonSteps *skeleton_add_way(SkeletonWalk *walk, SkeletonStep *alt,
                                const SkeletonValue *condition) {
    SkeletonGuard *guard = arena_new(walk->arena, SkeletonGuard);
    guard->at = alt->at;
    guard->condition = condition;
    array_push(walk->arena, &alt->guards, guard);
    return &add_variant(walk, guard, alt->at)->after;
}

typedef struct AltWalk {
    SkeletonStep *step;
    bool is_pri;  /* so far outside and here */
    bool is_over; /* of a PRI ALT: what stands behind a SKIP is never taken */
} AltWalk;

static const SkeletonValue *condition_of(SkeletonWalk *walk, const Node *condition, Location at) {
    const SkeletonValue *value =
        condition ? skeleton_truth(walk, condition) : skeleton_number(walk->arena, 1);
    bool is_to_choose = value->kind != VALUE_NUMBER && (walk->with_data || skeleton_has_any(value));
    return is_to_choose ? skeleton_pick(walk, value, 2, at) : value;
}

static void add_process(SkeletonWalk *walk, SkeletonGuard *guard, const Node *alternative) {
    const Node *node = alternative->alternative.guard;
    bool is_extended = node->kind == NODE_EXTENDED_INPUT;
    const Node *input = is_extended ? node->extended_input.input : node;
    if (guard->is_output) {
        skeleton_output_items(walk, node, guard);
    }
    add_input(walk, guard, input, is_extended, is_extended ? node->extended_input.during : NULL);
    if (node->kind == NODE_NEXT) {
        SkeletonSteps *around = walk->steps;
        walk->steps = &guard->variants.items[0]->after;
        skeleton_next_taken(walk, node);
        walk->steps = around;
    }
    add_after(walk, guard, is_extended ? node->extended_input.after : NULL);
    add_after(walk, guard, alternative->alternative.process);
}

static void add_guard(SkeletonWalk *walk, AltWalk *alt, const Node *alternative) {
    const Node *node = alternative->alternative.guard;
    const Node *element = channel_of(node);
    const SkeletonValue *condition =
        condition_of(walk, alternative->alternative.condition, node->at);
    bool is_known = condition->kind == VALUE_NUMBER;
    SkeletonRef *ref = element ? skeleton_refer(walk, element) : NULL;
    if (alt->is_over || (is_known && condition->number == 0) || (element && !ref)) {
        return;
    }
    SkeletonGuard *guard = arena_new(walk->arena, SkeletonGuard);
    guard->condition = is_known ? NULL : condition;
    if (node->kind == NODE_NEXT || node->kind == NODE_CLOSED) {
        const SkeletonValue *event = node->kind == NODE_NEXT ? skeleton_next_guard(walk, node)
                                                             : skeleton_closed_guard(walk, node);
        guard->condition = skeleton_operation(walk->arena, condition, OPERATOR_AND, event, NULL);
    }
    guard->place = skeleton_place(ref);
    guard->is_output = node->kind == NODE_OUTPUT;
    guard->is_skip = node->kind == NODE_SKIP;
    guard->at = node->at;
    add_process(walk, guard, alternative);
    array_push(walk->arena, &alt->step->guards, guard);
    alt->is_over = alt->is_pri && guard->is_skip && is_known;
}

/* All guards in the order of the text, of a replicated ALT each with its own index. */
static void add_nested(SkeletonWalk *walk, AltWalk *alt, const Node *node);

static void add_alternatives(SkeletonWalk *walk, AltWalk *alt, const Node *node) {
    for (size_t i = 0; i < node->alt.alternatives.count; i++) {
        const Node *alternative = node->alt.alternatives.items[i];
        skeleton_specs(walk, &alternative->alternative.specs);
        if (alternative->alternative.guard->kind == NODE_ALT) {
            add_nested(walk, alt, alternative->alternative.guard);
        } else {
            add_guard(walk, alt, alternative);
        }
    }
}

static void add_guards(SkeletonWalk *walk, AltWalk *alt, const Node *node) {
    const Node *replicator = node->alt.replicator;
    if (!replicator) {
        add_alternatives(walk, alt, node);
        return;
    }
    SkeletonTurns turns = skeleton_turns(walk, replicator);
    if (!turns.are_numbers) {
        skeleton_refuse(walk, node->at,
                        "an ALT in a model, whose number of guards is not known or above 1000");
        return;
    }
    for (int64_t i = 0; i < turns.count->number; i++) {
        skeleton_turn(walk, replicator, &turns, skeleton_number(walk->arena, i));
        add_alternatives(walk, alt, node);
    }
}

static void add_nested(SkeletonWalk *walk, AltWalk *alt, const Node *node) {
    bool was_pri = alt->is_pri;
    alt->is_pri = was_pri && node->alt.is_pri;
    add_guards(walk, alt, node);
    alt->is_pri = was_pri;
}

void skeleton_alt(SkeletonWalk *walk, const Node *node) {
    SkeletonScope scope = skeleton_begin_scope(walk);
    SkeletonStep *step = arena_new(walk->arena, SkeletonStep);
    step->kind = STEP_ALT;
    step->at = node->at;
    step->proc = walk->proc;
    AltWalk alt = {step, node->alt.is_pri, false};
    add_guards(walk, &alt, node);
    array_push(walk->arena, walk->steps, step);
    skeleton_end_scope(walk, scope, node->at);
}
