/* skeleton_serve -- servers: PROCs that keep the rule of #PRAGMA SERVER. See skeleton_walk.h.
 *
 * Holds:  who keeps it takes each request in its time and answers it, for ever, whatever other
 *         clients do; who asks it waits for the answer at once. Then one request after the other, in
 *         any order, stands for whatever the text of the server does, which need not be here. */
#include "skeleton_walk.h"

/* ---- a server whose text is not here ---- */

static SkeletonPlace element_of(SkeletonWalk *walk, const SkeletonRef *ref, int64_t number) {
    return (SkeletonPlace){ref->channel,
                           skeleton_operation(walk->arena, ref->first, OPERATOR_ADD,
                                              skeleton_number(walk->arena, number), NULL)};
}

/* How many channels it is; -1: not known. */
static int64_t count_of(const SkeletonRef *ref) {
    return !type_is_array(ref->type) ? 1 : type_rank(ref->type) == 1 ? ref->length : -1;
}

/* Which of its tags is not known. */
static void send_any(SkeletonWalk *walk, SkeletonPlace place, Location at) {
    SkeletonStep *choice = skeleton_add_step(walk, STEP_CHOICE, at);
    for (int64_t tag = 1; tag == 1 || tag <= place.channel->tags; tag++) {
        SkeletonChoice *one = arena_new(walk->arena, SkeletonChoice);
        SkeletonSteps *around = walk->steps;
        walk->steps = &one->steps;
        one->condition = skeleton_any();
        SkeletonStep *send = skeleton_add_step(walk, STEP_SEND, at);
        send->place = place;
        send->tag = place.channel->tags ? tag : 0;
        walk->steps = around;
        array_push(walk->arena, &choice->choices, one);
    }
}

static void add_request(SkeletonWalk *walk, SkeletonStep *alt, SkeletonPlace request,
                        SkeletonPlace answer, Location at) {
    SkeletonGuard *guard = arena_new(walk->arena, SkeletonGuard);
    SkeletonVariant *variant = arena_new(walk->arena, SkeletonVariant);
    SkeletonSteps *around = walk->steps;
    guard->place = request;
    guard->at = variant->at = at;
    walk->steps = &variant->after;
    bool are_numbers = request.index->kind == VALUE_NUMBER &&
                       (!answer.channel || answer.index->kind == VALUE_NUMBER);
    if (!are_numbers) {
        skeleton_refuse(walk, at, "a server in a model, whose channels are chosen when it runs");
    } else if (answer.channel) {
        send_any(walk, answer, at);
        SkeletonServed served = {request, answer};
        array_push(walk->arena, &walk->served, served);
    }
    walk->steps = around;
    array_push(walk->arena, &guard->variants, variant);
    array_push(walk->arena, &alt->guards, guard);
}

static const Node *actual_of(const Node *routine, const Node *call, const Symbol *formal) {
    for (size_t i = 0; formal && i < call->call.actuals.count; i++) {
        if (node_formal(&routine->proc.formals, i) == formal) {
            return call->call.actuals.items[i];
        }
    }
    return NULL;
}

/* false: how many there are is not known. */
static bool add_requests(SkeletonWalk *walk, SkeletonStep *alt, const Node *routine,
                         const Node *call, const Symbol *formal) {
    const Node *answer_actual = actual_of(routine, call, formal->server_answer);
    const SkeletonRef *request = skeleton_refer(walk, actual_of(routine, call, formal));
    const SkeletonRef *answer = answer_actual ? skeleton_refer(walk, answer_actual) : NULL;
    int64_t count = request ? count_of(request) : -1;
    bool is_known = count >= 0 && (!answer_actual || (answer && count_of(answer) == count));
    for (int64_t i = 0; is_known && request->channel && i < count; i++) {
        SkeletonPlace none = {NULL, NULL};
        add_request(walk, alt, element_of(walk, request, i),
                    answer && answer->channel ? element_of(walk, answer, i) : none, call->at);
    }
    return is_known;
}

bool skeleton_is_server(const Node *routine) {
    bool is_server = false;
    for (size_t i = 0; i < routine->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        is_server = is_server || (formal && formal->is_server);
    }
    return is_server;
}

void skeleton_serve(SkeletonWalk *walk, const Node *routine, const Node *call) {
    SkeletonStep *loop = skeleton_add_step(walk, STEP_LOOP, call->at);
    SkeletonSteps *around = walk->steps;
    loop->condition = skeleton_number(walk->arena, 1);
    walk->steps = &loop->steps;
    SkeletonStep *alt = skeleton_add_step(walk, STEP_ALT, call->at);
    for (size_t i = 0; i < call->call.actuals.count; i++) {
        const Symbol *formal = node_formal(&routine->proc.formals, i);
        bool is_request = formal && formal->is_server && formal->direction == DIRECTION_INPUT;
        if (is_request && !add_requests(walk, alt, routine, call, formal)) {
            skeleton_refuse(walk, call->at,
                            "a server in a model whose number of channels is not known");
        }
    }
    walk->steps = around;
}

/* ---- clients ---- */

static bool is_same_index(const SkeletonValue *one, const SkeletonValue *other) {
    bool are_numbers = one->kind == VALUE_NUMBER && other->kind == VALUE_NUMBER;
    bool are_variables = one->kind == VALUE_VARIABLE && other->kind == VALUE_VARIABLE;
    return (are_numbers && one->number == other->number) ||
           (are_variables && one->variable == other->variable && !one->index && !other->index);
}

static bool is_answer_to(const SkeletonServed *served, const SkeletonStep *send,
                         const SkeletonStep *next) {
    bool is_it = next && next->kind == STEP_RECEIVE &&
                 next->guards.items[0]->place.channel == served->answer.channel;
    if (!is_it) {
        return false;
    }
    const SkeletonPlace *place = &next->guards.items[0]->place;
    bool is_one = send->place.index->kind == VALUE_NUMBER;
    return is_one ? place->index->kind == VALUE_NUMBER &&
                        place->index->number - served->answer.index->number ==
                            send->place.index->number - served->request.index->number
                  : served->answer.index->number == served->request.index->number &&
                        is_same_index(place->index, send->place.index);
}

static bool may_be(const SkeletonServed *served, const SkeletonPlace *place) {
    bool is_one = place->channel == served->request.channel && place->index->kind == VALUE_NUMBER &&
                  served->request.index->kind == VALUE_NUMBER;
    return is_one ? place->index->number == served->request.index->number
                  : place->channel == served->request.channel;
}

/* The next step that is more than a change of data. */
static const SkeletonStep *step_after(const SkeletonSteps *steps, size_t at) {
    for (at++; at < steps->count; at++) {
        if (steps->items[at]->kind != STEP_SET) {
            return steps->items[at];
        }
    }
    return NULL;
}

static void check_steps(SkeletonWalk *walk, const SkeletonSteps *steps);

static void check_send(SkeletonWalk *walk, const SkeletonSteps *steps, size_t at) {
    const SkeletonStep *send = steps->items[at];
    for (size_t i = 0; i < walk->served.count; i++) {
        const SkeletonServed *served = &walk->served.items[i];
        if (may_be(served, &send->place) && !is_answer_to(served, send, step_after(steps, at))) {
            skeleton_refuse(walk, send->at,
                            "a request to a server, whose answer is not waited for at once");
            return;
        }
    }
}

static void check_guard(SkeletonWalk *walk, const SkeletonGuard *guard) {
    for (size_t i = 0; guard->is_output && i < walk->served.count; i++) {
        if (may_be(&walk->served.items[i], &guard->place)) {
            skeleton_refuse(walk, guard->at, "a request to a server in an ALT");
        }
    }
    for (size_t i = 0; i < guard->variants.count; i++) {
        check_steps(walk, &guard->variants.items[i]->during);
        check_steps(walk, &guard->variants.items[i]->after);
    }
}

static void check_steps(SkeletonWalk *walk, const SkeletonSteps *steps) {
    for (size_t i = 0; i < steps->count; i++) {
        const SkeletonStep *step = steps->items[i];
        if (step->kind == STEP_SEND) {
            check_send(walk, steps, i);
        }
        for (size_t k = 0; k < step->guards.count; k++) {
            check_guard(walk, step->guards.items[k]);
        }
        for (size_t k = 0; k < step->choices.count; k++) {
            check_steps(walk, &step->choices.items[k]->steps);
        }
        check_steps(walk, &step->steps);
    }
}

/* A server whose text is not here never closes its channels, and nobody else may. */
static void refuse_closing(SkeletonWalk *walk, const SkeletonChannel *channel) {
    if (channel && channel->is_closed) {
        skeleton_refuse(walk, channel->at, "a channel of a server that is closed, in a model");
    }
}

void skeleton_check_clients(SkeletonWalk *walk) {
    for (size_t i = 0; i < walk->served.count; i++) {
        refuse_closing(walk, walk->served.items[i].request.channel);
        refuse_closing(walk, walk->served.items[i].answer.channel);
    }
    for (size_t i = 0; walk->served.count > 0 && i < walk->skeleton->tasks.count; i++) {
        check_steps(walk, &walk->skeleton->tasks.items[i]->steps);
    }
}

/* ---- a server among clients that may ask, and stop asking, at any time ---- */

static void add_client(SkeletonWalk *walk, SkeletonStep *par, const SkeletonRef *request,
                       const SkeletonRef *answer, int64_t number, Location at) {
    SkeletonTask *task = skeleton_add_task(walk, par, at);
    SkeletonSteps *around = walk->steps;
    walk->steps = &task->steps;
    SkeletonStep *loop = skeleton_add_step(walk, STEP_LOOP, at);
    loop->condition = skeleton_any();
    walk->steps = &loop->steps;
    send_any(walk, element_of(walk, request, number), at);
    if (answer) {
        SkeletonGuard *guard = arena_new(walk->arena, SkeletonGuard);
        SkeletonVariant *variant = arena_new(walk->arena, SkeletonVariant);
        SkeletonStep *receive = skeleton_add_step(walk, STEP_RECEIVE, at);
        guard->place = element_of(walk, answer, number);
        guard->at = variant->at = at;
        array_push(walk->arena, &guard->variants, variant);
        array_push(walk->arena, &receive->guards, guard);
    }
    walk->steps = around;
}

static void add_clients(SkeletonWalk *walk, SkeletonStep *par, const Symbol *formal) {
    const SkeletonRef *request = symbol_map_get(&walk->names.refs, formal);
    const SkeletonRef *answer =
        formal->server_answer ? symbol_map_get(&walk->names.refs, formal->server_answer) : NULL;
    int64_t count = request ? count_of(request) : -1;
    if (count < 0 || (formal->server_answer && (!answer || count_of(answer) != count))) {
        skeleton_refuse(walk, formal->at,
                        "a server in a model whose number of channels is not known");
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        add_client(walk, par, request, answer, i, formal->at);
    }
}

void skeleton_serve_here(SkeletonWalk *walk, const Node *proc) {
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&proc->proc.formals, i);
        if (formal && formal->is_server) {
            skeleton_declare(walk, formal);
        }
    }
    SkeletonStep *par = skeleton_add_step(walk, STEP_PAR, proc->at);
    SkeletonTask *task = skeleton_add_task(walk, par, proc->at);
    skeleton_within(walk, &task->steps, proc->proc.body);
    if (walk->program.tasks.count > 0 || walk->program.claims.count > 0) {
        skeleton_refuse(walk, proc->at, "a server in a model, which has FORK outside of FORKING");
    }
    for (size_t i = 0; i < walk->skeleton->channels.count; i++) {
        refuse_closing(walk, walk->skeleton->channels.items[i]);
    }
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        const Symbol *formal = node_formal(&proc->proc.formals, i);
        if (formal && formal->is_server && formal->direction == DIRECTION_INPUT) {
            add_clients(walk, par, formal);
        }
    }
}
