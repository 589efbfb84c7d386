/* skeleton_close -- channels that close. See skeleton_walk.h.
 *
 * Holds:  whether a channel has closed is a variable of the skeleton; who closes it, and who asks, does
 *         so in a step whose order others see. The use of a closed channel is an error, which ends
 *         the program. */
#include "skeleton_walk.h"

#define CLOSING "the closing of channels in a model"

/* Of the world outside an input ends at any time. */
static const SkeletonValue *has_closed(SkeletonWalk *walk, const SkeletonRef *ref,
                                       const Node *end) {
    if (ref->channel) {
        return skeleton_of_variable(walk->arena, ref->channel->closed, ref->first);
    }
    if (end->kind == NODE_END && end->end.direction == DIRECTION_OUTPUT) {
        skeleton_refuse(walk, end->at,
                        "whether the world outside has closed a channel, in a model");
    }
    return skeleton_any();
}

void skeleton_open(SkeletonWalk *walk, SkeletonChannel *channel) {
    channel->closed = skeleton_add_object(walk, channel->name, channel->count);
    for (int64_t i = 0; i < channel->count; i++) {
        skeleton_set(walk, (SkeletonSlot){channel->closed, skeleton_number(walk->arena, i)},
                     skeleton_number(walk->arena, 0), channel->at);
    }
}

void skeleton_close(SkeletonWalk *walk, const Node *close) {
    skeleton_beyond(walk, close->at, CLOSING);
    const SkeletonRef *ref = skeleton_refer(walk, close->close.end);
    if (!ref || !ref->channel) {
        return;
    }
    walk->skeleton->channels.items[ref->channel->number]->is_closed = true;
    SkeletonSteps *around = walk->steps;
    walk->steps = skeleton_add_way(walk, skeleton_add_step(walk, STEP_ALT, close->at), NULL);
    skeleton_set(walk, (SkeletonSlot){ref->channel->closed, ref->first},
                 skeleton_number(walk->arena, 1), close->at);
    walk->steps = around;
}

const SkeletonValue *skeleton_closed(SkeletonWalk *walk, const Node *closed) {
    const SkeletonRef *ref = skeleton_refer(walk, closed->closed.end);
    if (!ref || !ref->channel) {
        return skeleton_any();
    }
    skeleton_beyond(walk, closed->at, CLOSING);
    const SkeletonVariable *answer = skeleton_add_lasting(walk, ref->channel->name, 1);
    SkeletonSteps *around = walk->steps;
    walk->steps = skeleton_add_way(walk, skeleton_add_step(walk, STEP_ALT, closed->at), NULL);
    skeleton_set(walk, (SkeletonSlot){answer, NULL}, has_closed(walk, ref, closed->closed.end),
                 closed->at);
    walk->steps = around;
    return skeleton_of_variable(walk->arena, answer, NULL);
}

const SkeletonValue *skeleton_closed_guard(SkeletonWalk *walk, const Node *closed) {
    skeleton_beyond(walk, closed->at, CLOSING);
    const SkeletonRef *ref = skeleton_refer(walk, closed->closed.end);
    const SkeletonValue *value = ref ? has_closed(walk, ref, closed->closed.end) : skeleton_any();
    return value->kind == VALUE_ANY ? skeleton_number(walk->arena, 1) : value;
}

/* ---- WHILE c ? x ---- */

static void add_end(SkeletonWalk *walk, SkeletonStep *alt, const SkeletonRef *ref,
                    const SkeletonVariable *goes_on) {
    SkeletonSteps *around = walk->steps;
    walk->steps = skeleton_add_way(
        walk, alt, skeleton_of_variable(walk->arena, ref->channel->closed, ref->first));
    skeleton_set(walk, (SkeletonSlot){goes_on, NULL}, skeleton_number(walk->arena, 0), alt->at);
    walk->steps = around;
}

/* It inputs or, when the channel has closed, does not go on. */
void skeleton_while_input(SkeletonWalk *walk, const Node *node) {
    const Node *input = node->while_input.input;
    const Node *channel =
        input->kind == NODE_INPUT ? input->input.channel : input->input_case.channel;
    skeleton_beyond(walk, node->at, CLOSING);
    const SkeletonVariable *goes_on = skeleton_add_lasting(walk, "goes on", 1);
    skeleton_set(walk, (SkeletonSlot){goes_on, NULL}, skeleton_number(walk->arena, 1), node->at);
    SkeletonStep *loop = skeleton_add_step(walk, STEP_LOOP, node->at);
    SkeletonSteps *around = walk->steps;
    SkeletonScope scope = skeleton_begin_scope(walk);
    walk->steps = &loop->steps;
    SkeletonRounds rounds = skeleton_begin_rounds(walk, 0);
    const SkeletonRef *ref = skeleton_refer(walk, channel);
    bool is_outside = !ref || !ref->channel;
    loop->condition =
        is_outside ? skeleton_any() : skeleton_of_variable(walk->arena, goes_on, NULL);
    SkeletonStep *step = skeleton_receive(walk, input, false, NULL, node->while_input.process);
    if (!is_outside) {
        step->kind = STEP_ALT;
        step->event = "WHILE input from";
        step->place = skeleton_place(ref);
        add_end(walk, step, ref, goes_on);
    }
    skeleton_end_rounds(walk, rounds);
    skeleton_end_scope(walk, scope, node->at);
    walk->steps = around;
}
