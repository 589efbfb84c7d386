/* skeleton_choice -- ALT, IF, CASE and inputs of variants. See skeleton.h.
 *
 * Holds:  of choices whose conditions are not known each is possible, and one is taken: that none
 *         is true is an error of the program, which no model shows. A guard whose condition is not
 *         known is on or off: it is then one of a channel that nobody uses. */
#include "skeleton.h"

#include <inttypes.h>

/* ---- IF and CASE ---- */

/* Choices -- those before are not true. */
typedef struct Choices {
    const char *not_before; /* "" or "!(..) && " */
    bool is_over;           /* one is surely true: no further */
    bool is_empty;          /* none has been written */
} Choices;

static void begin_choices(Skeleton *skeleton) {
    skeleton_line(skeleton, "if");
}

static void end_choices(Skeleton *skeleton, const Choices *choices) {
    if (choices->is_empty) {
        skeleton_line(skeleton, ":: true");
    }
    skeleton_line(skeleton, "fi;");
}

static void add_choice(Skeleton *skeleton, Choices *choices, SkeletonTruth truth, const char *test,
                       const Node *process) {
    if (choices->is_over || truth == TRUTH_FALSE) {
        return;
    }
    skeleton_line(skeleton, ":: %s%s ->", choices->not_before,
                  truth == TRUTH_TESTED ? test : "true");
    skeleton->depth++;
    skeleton_process(skeleton, process);
    skeleton_line(skeleton, "skip");
    skeleton->depth--;
    choices->is_empty = false;
    choices->is_over = truth == TRUTH_TRUE;
    if (truth == TRUTH_TESTED) {
        choices->not_before = arena_format(skeleton->arena, "%s!%s && ", choices->not_before, test);
    }
}

static void add_choices(Skeleton *skeleton, Choices *choices, const Node *node);

static void add_each_choice(Skeleton *skeleton, Choices *choices, const Node *node) {
    for (size_t i = 0; i < node->if_.choices.count; i++) {
        const Node *choice = node->if_.choices.items[i];
        for (size_t k = 0; k < choice->choice.specs.count; k++) {
            skeleton_spec(skeleton, choice->choice.specs.items[k]);
        }
        if (!choice->choice.condition) {
            add_choices(skeleton, choices, choice->choice.process);
            continue;
        }
        const char *test = NULL;
        SkeletonTruth truth = skeleton_truth(skeleton, choice->choice.condition, &test);
        add_choice(skeleton, choices, truth, test, choice->choice.process);
    }
}

static void add_choices(Skeleton *skeleton, Choices *choices, const Node *node) {
    const Node *replicator = node->if_.replicator;
    SkeletonTurns turns = {.are_numbers = false};
    if (replicator) {
        (void)skeleton_turns(skeleton, replicator, &turns);
        skeleton_set_value(skeleton, replicator->replicator.def->def.symbol, NULL);
    }
    if (!turns.are_numbers) {
        add_each_choice(skeleton, choices, node);
        return;
    }
    for (int64_t i = 0; i < turns.count.number; i++) {
        skeleton_turn(skeleton, replicator, &turns, i);
        add_each_choice(skeleton, choices, node);
    }
}

void skeleton_if(Skeleton *skeleton, const Node *node) {
    Choices choices = {"", false, true};
    begin_choices(skeleton);
    add_choices(skeleton, &choices, node);
    end_choices(skeleton, &choices);
}

/* The truth of "the selector is one of these". */
static SkeletonTruth truth_of_option(Skeleton *skeleton, const SkeletonValue *selector,
                                     const Node *option, const char **test) {
    TextBuilder text = {.arena = skeleton->arena};
    bool is_number = selector && !selector->text;
    for (size_t i = 0; i < option->option.values.count; i++) {
        SkeletonValue value;
        if (!selector || !skeleton_value(skeleton, option->option.values.items[i], &value)) {
            return TRUTH_ANY;
        }
        if (is_number && value.number == selector->number) {
            return TRUTH_TRUE;
        }
        text_add(&text, "%s%s == %" PRId64, i > 0 ? " || " : "(",
                 skeleton_text(skeleton, *selector), value.number);
    }
    text_add(&text, ")");
    array_push(skeleton->arena, &text, '\0');
    *test = text.items;
    return is_number ? TRUTH_FALSE : TRUTH_TESTED;
}

void skeleton_case(Skeleton *skeleton, const Node *node) {
    Choices choices = {"", false, true};
    SkeletonValue value;
    const SkeletonValue *selector =
        skeleton_value(skeleton, node->case_.selector, &value) ? &value : NULL;
    begin_choices(skeleton);
    for (size_t i = 0; i < node->case_.options.count; i++) {
        const Node *option = node->case_.options.items[i];
        for (size_t k = 0; k < option->option.specs.count; k++) {
            skeleton_spec(skeleton, option->option.specs.items[k]);
        }
        const char *test = NULL;
        bool is_else = option->option.is_else;
        SkeletonTruth truth = is_else ? (selector ? TRUTH_TRUE : TRUTH_ANY)
                                      : truth_of_option(skeleton, selector, option, &test);
        add_choice(skeleton, &choices, truth, test, option->option.process);
    }
    end_choices(skeleton, &choices);
}

/* ---- inputs of variants ---- */

static void end_message(Skeleton *skeleton, const char *answer) {
    if (answer) {
        skeleton_line(skeleton, "%s ! 0;", answer);
    }
}

/* `channel`: as it is written in the guard; NULL: of the world outside. */
static void add_variants(Skeleton *skeleton, const Node *input, const char *channel,
                         const char *answer, bool is_answered_late) {
    for (size_t i = 0; i < input->input_case.variants.count; i++) {
        const Node *variant = input->input_case.variants.items[i];
        for (size_t k = 0; k < variant->variant.specs.count; k++) {
            skeleton_spec(skeleton, variant->variant.specs.items[k]);
        }
        if (channel) {
            skeleton_line(skeleton, ":: %s ? %d -> /* line %u */", channel,
                          (int)variant->variant.tag->tag_use.index + 1, variant->at.line);
        } else {
            skeleton_line(skeleton, ":: true ->");
        }
        skeleton->depth++;
        if (!is_answered_late) {
            end_message(skeleton, answer);
        }
        skeleton_process(skeleton, variant->variant.process);
        if (is_answered_late) {
            end_message(skeleton, answer);
        }
        if (variant->variant.after) {
            skeleton_process(skeleton, variant->variant.after);
        }
        skeleton_line(skeleton, "skip");
        skeleton->depth--;
    }
}

void skeleton_variants(Skeleton *skeleton, const Node *input, bool is_answered_late) {
    const SkeletonRef *ref = skeleton_refer(skeleton, input->input_case.channel);
    if (!ref) {
        return;
    }
    const char *channel = ref->name ? skeleton_channel(skeleton, ref, ref->name) : NULL;
    skeleton_line(skeleton, "if");
    add_variants(skeleton, input, channel, skeleton_answer(skeleton, ref), is_answered_late);
    skeleton_line(skeleton, "fi;");
}

/* ---- ALT ---- */

/* Guard -- as it is in the model. */
typedef struct Guard {
    const char *channel; /* NULL: it is ready at any time */
    const char *answer;
    const char *test; /* of one that is ready at any time; or NULL */
    bool is_off;
} Guard;

typedef struct AltWalk {
    ARRAY_OF(Guard) guards;
    size_t next;
} AltWalk;

typedef void GuardVisitor(Skeleton *skeleton, AltWalk *walk, const Node *alternative);

/* All guards in the order of the text, of a replicated ALT each with its own index. */
static void each_guard(Skeleton *skeleton, AltWalk *walk, const Node *alt, GuardVisitor *visit);

static void each_alternative(Skeleton *skeleton, AltWalk *walk, const Node *alt,
                             GuardVisitor *visit) {
    for (size_t i = 0; i < alt->alt.alternatives.count; i++) {
        const Node *alternative = alt->alt.alternatives.items[i];
        for (size_t k = 0; k < alternative->alternative.specs.count; k++) {
            skeleton_spec(skeleton, alternative->alternative.specs.items[k]);
        }
        if (alternative->alternative.guard->kind == NODE_ALT) {
            each_guard(skeleton, walk, alternative->alternative.guard, visit);
        } else {
            visit(skeleton, walk, alternative);
        }
    }
}

static void each_guard(Skeleton *skeleton, AltWalk *walk, const Node *alt, GuardVisitor *visit) {
    const Node *replicator = alt->alt.replicator;
    SkeletonTurns turns;
    if (!replicator) {
        each_alternative(skeleton, walk, alt, visit);
        return;
    }
    if (!skeleton_turns(skeleton, replicator, &turns) || !turns.are_numbers) {
        skeleton_refuse(skeleton, alt->at,
                        "an ALT in a model, whose number of guards is not known or above 1000");
        return;
    }
    for (int64_t i = 0; i < turns.count.number; i++) {
        skeleton_turn(skeleton, replicator, &turns, i);
        each_alternative(skeleton, walk, alt, visit);
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

/* On or off: off, it is a channel that nobody uses. */
static const char *switched(Skeleton *skeleton, SkeletonTruth truth, const char *test,
                            const char *channel) {
    const char *name = skeleton_name(skeleton, "guard", NULL);
    skeleton_line(skeleton, "chan %s;", name);
    skeleton_line(skeleton, "if :: %s -> %s = %s :: %s -> %s = nobody fi;",
                  truth == TRUTH_TESTED ? test : "true", name, channel,
                  truth == TRUTH_TESTED ? "else" : "true", name);
    return name;
}

/* Lines that must stand before the choice. */
static void prepare_guard(Skeleton *skeleton, AltWalk *walk, const Node *alternative) {
    const Node *node = alternative->alternative.guard;
    const Node *condition = alternative->alternative.condition;
    const Node *element = channel_of(node);
    Guard guard = {0};
    const char *test = NULL;
    SkeletonTruth truth = condition ? skeleton_truth(skeleton, condition, &test) : TRUTH_TRUE;
    const SkeletonRef *ref = element ? skeleton_refer(skeleton, element) : NULL;
    if (node->kind == NODE_CLOSED || node->kind == NODE_NEXT) {
        skeleton_refuse(skeleton, node->at, "a guard that is no channel, time or SKIP, in a model");
    }
    guard.is_off = truth == TRUTH_FALSE || (element && !ref);
    if (ref && ref->name && !guard.is_off) {
        guard.channel = skeleton_channel(skeleton, ref, ref->name);
        guard.answer = skeleton_answer(skeleton, ref);
        guard.channel =
            truth == TRUTH_TRUE ? guard.channel : switched(skeleton, truth, test, guard.channel);
    }
    guard.test = truth == TRUTH_TESTED ? test : NULL;
    array_push(skeleton->arena, &walk->guards, guard);
}

static void write_process(Skeleton *skeleton, const Node *alternative, const Guard *guard) {
    const Node *node = alternative->alternative.guard;
    bool is_extended = node->kind == NODE_EXTENDED_INPUT;
    if (is_extended && node->extended_input.during) {
        skeleton_process(skeleton, node->extended_input.during);
    }
    if (guard->answer && node->kind == NODE_OUTPUT) {
        skeleton_line(skeleton, "%s ? _;", guard->answer);
    } else {
        end_message(skeleton, guard->answer);
    }
    if (is_extended && node->extended_input.after) {
        skeleton_process(skeleton, node->extended_input.after);
    }
    if (alternative->alternative.process) {
        skeleton_process(skeleton, alternative->alternative.process);
    }
}

static void write_guard(Skeleton *skeleton, AltWalk *walk, const Node *alternative) {
    const Node *node = alternative->alternative.guard;
    const Guard guard = walk->guards.items[walk->next++];
    if (guard.is_off) {
        return;
    }
    const Node *inner = node->kind == NODE_EXTENDED_INPUT ? node->extended_input.input : node;
    if (inner->kind == NODE_INPUT_CASE) {
        add_variants(skeleton, inner, guard.channel, guard.answer, inner != node);
        return;
    }
    if (!guard.channel) {
        skeleton_line(skeleton, ":: %s ->", guard.test ? guard.test : "true");
    } else if (node->kind == NODE_OUTPUT) {
        skeleton_line(skeleton, ":: %s ! %d -> /* line %u */", guard.channel, skeleton_tag(node),
                      node->at.line);
    } else {
        skeleton_line(skeleton, ":: %s ? _ -> /* line %u */", guard.channel, node->at.line);
    }
    skeleton->depth++;
    write_process(skeleton, alternative, &guard);
    skeleton_line(skeleton, "skip");
    skeleton->depth--;
}

void skeleton_alt(Skeleton *skeleton, const Node *alt) {
    AltWalk walk = {0};
    each_guard(skeleton, &walk, alt, prepare_guard);
    skeleton_line(skeleton, "if");
    skeleton_line(skeleton, ":: false"); /* of an ALT without guards all there is */
    each_guard(skeleton, &walk, alt, write_guard);
    skeleton_line(skeleton, "fi;");
}
