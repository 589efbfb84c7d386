/* machine_meet -- steps that several tasks make together. See machine_run.h. */
#include "machine_state.h"

enum { ELEMENTS_MOST = 1 << 16 };

int64_t machine_element(const Machine *machine, const Word *state, const SkeletonPlace *place) {
    int64_t index;
    bool is_known = place->channel && machine_value(machine, state, place->index, &index) &&
                    index >= 0 && index < place->channel->count;
    return is_known ? (int64_t)place->channel->number * ELEMENTS_MOST + index : -1;
}

Word *machine_lock(const Machine *machine, Word *state, unsigned task) {
    const Instruction *at = machine_at(machine, state, task);
    int64_t element =
        at->op == OP_LOCK || at->op == OP_UNLOCK ? machine_element(machine, state, &at->place) : -1;
    if (element < 0) {
        return NULL;
    }
    const SkeletonChannel *channel = at->place.channel;
    size_t side = at->step->side == DIRECTION_OUTPUT ? (size_t)channel->count : 0;
    return &state[machine->lock_words[channel->number] + side + (size_t)(element % ELEMENTS_MOST)];
}

/* ---- offers ---- */

static bool is_closed(const Machine *machine, const Word *state, const SkeletonPlace *place) {
    int64_t element = machine_element(machine, state, place);
    size_t first = element < 0 ? SIZE_MAX : machine->variable_words[place->channel->closed->number];
    return first != SIZE_MAX && state[first + (size_t)(element % ELEMENTS_MOST)] == 1;
}

/* Of a shared end another process may close the channel meanwhile. */
static bool is_nobody_elses(const SkeletonPlace *place) {
    return !(place->channel && place->channel->is_shared && place->channel->is_closed);
}

static void offer_output(const Machine *machine, const Word *state, unsigned task,
                         const Instruction *at, Offers *offers) {
    Offer offer = {.task = task,
                   .element = machine_element(machine, state, &at->place),
                   .tag = at->step->tag,
                   .is_output = true,
                   .is_plain = is_nobody_elses(&at->place),
                   .is_closed = is_closed(machine, state, &at->place)};
    if (offer.element >= 0) {
        array_push(machine->arena, offers, offer);
    }
}

static void offer_option(const Machine *machine, const Word *state, unsigned task,
                         const Instruction *at, const MachineOption *option, Offers *offers) {
    const SkeletonGuard *guard = option->guard;
    Truth is_on = machine_truth(machine, state, guard->condition);
    Offer offer = {.task = task,
                   .element = machine_element(machine, state, &guard->place),
                   .tag = guard->is_output ? guard->tag : option->variant->tag,
                   .is_output = guard->is_output,
                   .is_plain = at->step->kind == STEP_RECEIVE && is_nobody_elses(&guard->place),
                   .is_closed = is_closed(machine, state, &guard->place),
                   .is_unsure = is_on == TRUTH_EITHER,
                   .guard = guard,
                   .option = option};
    if (is_on != TRUTH_FALSE && (offer.element >= 0 || !guard->place.channel)) {
        array_push(machine->arena, offers, offer);
    }
}

void machine_offers(const Machine *machine, const Word *state, Offers *offers) {
    offers->count = 0;
    for (unsigned task = 0; task < machine->skeleton->tasks.count; task++) {
        const Instruction *at = machine_at(machine, state, task);
        if (at->op == OP_SEND) {
            offer_output(machine, state, task, at, offers);
        }
        for (size_t i = 0; at->op == OP_RECEIVE && i < at->options.count; i++) {
            offer_option(machine, state, task, at, &at->options.items[i], offers);
        }
    }
}

/* ---- meetings ---- */

/* The values are taken before anything is stored: the tasks share no variable that changes. */
static void pass_message(const Machine *machine, Word *state, const Offer *output,
                         const Offer *input) {
    const SkeletonStep *step = machine_at(machine, state, output->task)->step;
    const SkeletonVariant *variant = input->option->variant;
    size_t count = output->guard ? output->guard->values.count : step->values.count;
    for (size_t i = 0; i < variant->targets.count; i++) {
        const SkeletonValue *value = i >= count      ? NULL
                                     : output->guard ? output->guard->values.items[i]
                                                     : step->values.items[i];
        machine_store(machine, state, variant->targets.items[i], value);
    }
}

void machine_meet(const Machine *machine, Word *state, const Offer *output, const Offer *input) {
    pass_message(machine, state, output, input);
    state[input->task] = (Word)input->option->target;
    state[output->task] = output->option ? (Word)output->option->target : state[output->task] + 1;
}

void machine_take(const Machine *machine, Word *state, const Offer *offer) {
    for (size_t i = 0; i < offer->option->variant->targets.count; i++) {
        machine_store(machine, state, offer->option->variant->targets.items[i], NULL);
    }
    state[offer->task] = (Word)offer->option->target;
}
