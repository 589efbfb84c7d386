/* skeleton_sync -- what module sync does: SEMAPHORE, CONDITION, TICKET, BUCKET, CREW. See
 * skeleton_walk.h.
 *
 * Holds:  an object is two numbers of the skeleton, 0 at first as in the runtime. Whatever waits
 *         may be the next to go on; a misuse that is an error ends the program. */
#include "skeleton_walk.h"

/* Sync -- a call of one of its routines. */
typedef struct Sync {
    SkeletonWalk *walk;
    const Node *call;
    SkeletonPlace place;
    const SkeletonValue *first;
    const SkeletonValue *second;
} Sync;

void skeleton_declare_sync(SkeletonWalk *walk, SkeletonChannel *object) {
    object->first = skeleton_add_object(walk, object->name, object->count);
    object->second = skeleton_add_object(walk, object->name, object->count);
    for (int64_t i = 0; i < 2 * object->count; i++) {
        SkeletonSlot slot = {i % 2 == 0 ? object->first : object->second,
                             skeleton_number(walk->arena, i / 2)};
        skeleton_set(walk, slot, skeleton_number(walk->arena, 0), object->at);
    }
}

/* ---- values ---- */

static const SkeletonValue *number(const Sync *sync, int64_t value) {
    return skeleton_number(sync->walk->arena, value);
}

static const SkeletonValue *operation(const Sync *sync, const SkeletonValue *left, Operator op,
                                      const SkeletonValue *right) {
    return skeleton_operation(sync->walk->arena, left, op, right, NULL);
}

static const SkeletonValue *is(const Sync *sync, const SkeletonValue *left, Operator op,
                               int64_t right) {
    return operation(sync, left, op, number(sync, right));
}

static const Node *actual(const Sync *sync, size_t which) {
    return sync->call->call.actuals.items[which];
}

/* ---- steps ---- */

static void set(const Sync *sync, const SkeletonValue *variable, const SkeletonValue *value) {
    skeleton_set(sync->walk, (SkeletonSlot){variable->variable, variable->index}, value,
                 sync->call->at);
}

static void add(const Sync *sync, const SkeletonValue *variable, int64_t by) {
    set(sync, variable, is(sync, variable, OPERATOR_ADD, by));
}

static void result(const Sync *sync, size_t which, const SkeletonValue *value) {
    SkeletonSlot slot = skeleton_slot(sync->walk, actual(sync, which));
    if (slot.variable) {
        skeleton_set(sync->walk, slot, value, sync->call->at);
    }
}

static SkeletonStep *begin(const Sync *sync) {
    SkeletonStep *step = skeleton_add_step(sync->walk, STEP_ALT, sync->call->at);
    step->event =
        arena_format(sync->walk->arena, "%s of", sync->call->call.callee->name.symbol->name->bytes);
    step->place = sync->place;
    return step;
}

/* What it may do when the condition holds: the steps that are added now. */
static void way(const Sync *sync, SkeletonStep *step, const SkeletonValue *condition) {
    sync->walk->steps = skeleton_add_way(sync->walk, step, condition);
}

static void error_when(const Sync *sync, SkeletonStep *step, const SkeletonValue *condition) {
    way(sync, step, condition);
    (void)skeleton_add_step(sync->walk, STEP_STOP, sync->call->at);
}

/* variable := variable + by when the condition holds. */
static void when(const Sync *sync, const SkeletonValue *condition, const SkeletonValue *variable,
                 int64_t by) {
    SkeletonSteps *around = sync->walk->steps;
    way(sync, begin(sync), condition);
    add(sync, variable, by);
    sync->walk->steps = around;
}

/* ---- SEMAPHORE: its permits ---- */

static void initialise(const Sync *sync) {
    const SkeletonValue *permits = skeleton_value(sync->walk, actual(sync, 1));
    way(sync, skeleton_add_step(sync->walk, STEP_ALT, sync->call->at), NULL);
    set(sync, sync->first, permits);
}

static void claim(const Sync *sync) {
    when(sync, is(sync, sync->first, OPERATOR_GREATER, 0), sync->first, -1);
}

/* Without a permit it goes on when the condition holds. */
static void try_claim(const Sync *sync, size_t claimed, const SkeletonValue *without) {
    SkeletonStep *step = begin(sync);
    way(sync, step, is(sync, sync->first, OPERATOR_GREATER, 0));
    add(sync, sync->first, -1);
    result(sync, claimed, number(sync, 1));
    way(sync, step, without);
    result(sync, claimed, number(sync, 0));
}

/* ---- CONDITION, BUCKET: how many wait, how many of them may go on ---- */

static void wait_condition(const Sync *sync) {
    SkeletonSteps *around = sync->walk->steps;
    const SkeletonRef *mutex = skeleton_refer(sync->walk, actual(sync, 1));
    when(sync, NULL, sync->first, 1);
    if (!mutex || !mutex->channel || !mutex->channel->is_mutex) {
        skeleton_refuse(sync->walk, sync->call->at, "a MUTEX that is not known, in a model");
        return;
    }
    SkeletonStep *leave = skeleton_add_step(sync->walk, STEP_LEAVE, sync->call->at);
    leave->place = skeleton_place(mutex);
    sync->walk->steps = &leave->steps;
    when(sync, is(sync, sync->second, OPERATOR_GREATER, 0), sync->second, -1);
    sync->walk->steps = around;
}

static void signal_condition(const Sync *sync) {
    SkeletonStep *step = begin(sync);
    way(sync, step, is(sync, sync->first, OPERATOR_GREATER, 0));
    add(sync, sync->first, -1);
    add(sync, sync->second, 1);
    way(sync, step, is(sync, sync->first, OPERATOR_EQUAL, 0));
}

static void let_all_go(const Sync *sync) {
    way(sync, begin(sync), NULL);
    set(sync, sync->second, operation(sync, sync->second, OPERATOR_ADD, sync->first));
    set(sync, sync->first, number(sync, 0));
}

/* Who is in the bucket goes on at once when it is flushed. */
static void fall(const Sync *sync) {
    when(sync, NULL, sync->first, 1);
    SkeletonStep *step = skeleton_add_step(sync->walk, STEP_UNTIL, sync->call->at);
    step->event =
        arena_format(sync->walk->arena, "%s of", sync->call->call.callee->name.symbol->name->bytes);
    step->place = sync->place;
    step->condition = is(sync, sync->second, OPERATOR_GREATER, 0);
    step->slot = (SkeletonSlot){sync->second->variable, sync->second->index};
    step->value = is(sync, sync->second, OPERATOR_ADD, -1);
}

static void count(const Sync *sync) {
    way(sync, begin(sync), NULL);
    result(sync, 1, sync->first);
}

/* ---- TICKET: the number that is served, the number that is taken next ---- */

static void take(const Sync *sync) {
    way(sync, begin(sync), NULL);
    result(sync, 1, sync->second);
    add(sync, sync->second, 1);
}

static void await_ticket(const Sync *sync) {
    const SkeletonValue *mine = skeleton_value(sync->walk, actual(sync, 1));
    SkeletonStep *step = begin(sync);
    way(sync, step, operation(sync, mine, OPERATOR_EQUAL, sync->first));
    error_when(sync, step, operation(sync, mine, OPERATOR_LESS, sync->first));
    error_when(sync, step, operation(sync, mine, OPERATOR_GREATER_EQUAL, sync->second));
}

static void serve(const Sync *sync) {
    SkeletonStep *step = begin(sync);
    way(sync, step, operation(sync, sync->first, OPERATOR_LESS, sync->second));
    add(sync, sync->first, 1);
    error_when(sync, step, operation(sync, sync->first, OPERATOR_GREATER_EQUAL, sync->second));
}

/* ---- CREW: readers, or -1; writers that wait ---- */

/* A reader waits behind a writer that waits; or it has come before, which is not known. */
static void start_read(const Sync *sync) {
    const SkeletonValue *is_free = is(sync, sync->first, OPERATOR_GREATER_EQUAL, 0);
    const SkeletonValue *has_writer = is(sync, sync->second, OPERATOR_GREATER, 0);
    const SkeletonValue *has_none = is(sync, sync->second, OPERATOR_EQUAL, 0);
    const SkeletonValue *may_be = operation(sync, has_writer, OPERATOR_AND, skeleton_any());
    SkeletonStep *step = begin(sync);
    way(sync, step, operation(sync, is_free, OPERATOR_AND, has_none));
    add(sync, sync->first, 1);
    way(sync, step, operation(sync, is_free, OPERATOR_AND, may_be));
    add(sync, sync->first, 1);
}

static void start_write(const Sync *sync) {
    when(sync, NULL, sync->second, 1);
    way(sync, begin(sync), is(sync, sync->first, OPERATOR_EQUAL, 0));
    set(sync, sync->first, number(sync, -1));
    add(sync, sync->second, -1);
}

static void end(const Sync *sync, Operator op, int64_t by) {
    SkeletonStep *step = begin(sync);
    way(sync, step, is(sync, sync->first, op, 0));
    add(sync, sync->first, by);
    Operator wrong = op == OPERATOR_LESS ? OPERATOR_GREATER_EQUAL : OPERATOR_LESS_EQUAL;
    error_when(sync, step, is(sync, sync->first, wrong, 0));
}

/* ---- all of them ---- */

static void do_routine(const Sync *sync, SyncRoutine routine) {
    switch (routine) {
    case SYNC_INITIALISE_SEMAPHORE: initialise(sync); break;
    case SYNC_CLAIM_SEMAPHORE: claim(sync); break;
    case SYNC_CLAIM_SEMAPHORE_UNTIL: try_claim(sync, 2, NULL); break;
    case SYNC_TRY_SEMAPHORE:
        try_claim(sync, 1, is(sync, sync->first, OPERATOR_LESS_EQUAL, 0));
        break;
    case SYNC_RELEASE_SEMAPHORE: when(sync, NULL, sync->first, 1); break;
    case SYNC_WAIT_CONDITION: wait_condition(sync); break;
    case SYNC_SIGNAL_CONDITION: signal_condition(sync); break;
    case SYNC_BROADCAST_CONDITION: let_all_go(sync); break;
    case SYNC_TAKE_TICKET: take(sync); break;
    case SYNC_AWAIT_TICKET: await_ticket(sync); break;
    case SYNC_SERVE_TICKET: serve(sync); break;
    case SYNC_FALL_INTO_BUCKET: fall(sync); break;
    case SYNC_FLUSH_BUCKET: let_all_go(sync); break;
    case SYNC_NUMBER_IN_BUCKET: count(sync); break;
    case SYNC_START_READ_CREW: start_read(sync); break;
    case SYNC_END_READ_CREW: end(sync, OPERATOR_GREATER, -1); break;
    case SYNC_START_WRITE_CREW: start_write(sync); break;
    case SYNC_END_WRITE_CREW: end(sync, OPERATOR_LESS, 1); break;
    case SYNC_COUNT: break;
    }
}

void skeleton_sync(SkeletonWalk *walk, const Node *call, SyncRoutine routine) {
    skeleton_beyond(walk, call->at, "types of module sync in a model");
    const SkeletonRef *ref = skeleton_refer(walk, call->call.actuals.items[0]);
    if (!ref || !ref->channel) {
        return;
    }
    Sync sync = {walk, call, skeleton_place(ref),
                 skeleton_of_variable(walk->arena, ref->channel->first, ref->first),
                 skeleton_of_variable(walk->arena, ref->channel->second, ref->first)};
    SkeletonSteps *around = walk->steps;
    do_routine(&sync, routine);
    walk->steps = around;
}
