/* sync -- calls of the module sync: SEMAPHORE, CONDITION, TICKET, BUCKET, CREW.
 *
 * Owns:   how actuals become arguments of the runtime's routines; the record of a wait.
 * Leaves: what the routines do to runtime/sync/semaphore.h, condition.h and turn.h.
 * Holds:  the first actual is the object. A site in a report is that of the call, and names the
 *         object as the program does. A SyncWaiter lies in the frame of the caller; for a wait with
 *         a deadline its Alt lies behind it. */
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "routine.h"

#include <string.h>

typedef struct SyncCall {
    Emitter *emitter;
    Node *node;
    LLVMValueRef object;
} SyncCall;

static Node *actual(const SyncCall *call, size_t index) {
    return call->node->call.actuals.items[index];
}

static LLVMValueRef site(const SyncCall *call, unsigned kind) {
    return emit_site(call->emitter, kind, call->node->at,
                     emit_object_name(call->emitter, actual(call, 0)));
}

static LLVMValueRef make_waiter(const SyncCall *call, unsigned more_bytes) {
    LLVMTypeRef type =
        LLVMArrayType2(call->emitter->i64, (SIZE_SyncWaiter + more_bytes) / sizeof(int64_t));
    LLVMValueRef waiter = emit_alloca(call->emitter, type, "waiter");
    emit_lifetime_start(call->emitter, waiter);
    return waiter;
}

/* The last actual is a RESULT: an INT, or a BOOL from 0 or 1. */
static void store_result(const SyncCall *call, size_t index, LLVMValueRef result) {
    Emitter *emitter = call->emitter;
    Place to = emit_target(emitter, actual(call, index));
    if (type_base(to.type)->kind == TYPE_BOOL) {
        result = LLVMBuildIsNotNull(emitter->builder, result, "");
    }
    emit_store(emitter, result, to);
}

/* ---- each family ---- */

/* routine (object, [extra,] waiter, site) */
static void emit_wait(const SyncCall *call, RuntimeCall routine, LLVMValueRef extra,
                      unsigned reason) {
    LLVMValueRef waiter = make_waiter(call, 0);
    LLVMValueRef arguments[4] = {call->object};
    unsigned count = 1;
    if (extra != NULL) {
        arguments[count++] = extra;
    }
    arguments[count++] = waiter;
    arguments[count] = site(call, reason);
    emit_runtime_call(call->emitter, routine, arguments);
    emit_lifetime_end(call->emitter, waiter);
}

static void emit_until(const SyncCall *call) {
    Emitter *emitter = call->emitter;
    LLVMValueRef deadline = emit_scalar(emitter, actual(call, 1));
    LLVMValueRef waiter = make_waiter(call, SIZE_Alt + SIZE_AltGuard);
    emit_store_field(emitter, emit_field(emitter, waiter, SIZE_SyncWaiter, "alt"), waiter,
                     OFFSET_SyncWaiter_alt);
    LLVMValueRef wait[] = {call->object, deadline, waiter, site(call, WAIT_SEMAPHORE_UNTIL)};
    emit_runtime_call(emitter, RT_semaphore_until, wait);
    LLVMValueRef withdraw[] = {call->object, waiter};
    LLVMValueRef claimed = emit_runtime_call(emitter, RT_semaphore_withdraw, withdraw);
    emit_lifetime_end(emitter, waiter);
    store_result(call, 2, claimed);
}

static void emit_wait_condition(const SyncCall *call) {
    Emitter *emitter = call->emitter;
    Node *named = actual(call, 1);
    LLVMValueRef mutex = emit_place(emitter, named).address;
    LLVMValueRef waiter = make_waiter(call, 0);
    LLVMValueRef claim =
        emit_site(emitter, WAIT_CLAIM, call->node->at, emit_object_name(emitter, named));
    emit_store_field(emitter, claim, waiter, OFFSET_SyncWaiter_site);
    LLVMValueRef arguments[] = {call->object, mutex, waiter, site(call, WAIT_CONDITION)};
    emit_runtime_call(emitter, RT_condition_wait, arguments);
    emit_lifetime_end(emitter, waiter);
}

static void emit_with_site(const SyncCall *call, RuntimeCall routine, LLVMValueRef extra,
                           unsigned kind) {
    LLVMValueRef arguments[3] = {call->object, extra};
    arguments[extra != NULL ? 2 : 1] = site(call, kind);
    emit_runtime_call(call->emitter, routine, arguments);
}

static void emit_with_number(const SyncCall *call, RuntimeCall routine, int32_t number) {
    LLVMValueRef arguments[] = {call->object, emit_i32(call->emitter, number)};
    emit_runtime_call(call->emitter, routine, arguments);
}

static LLVMValueRef emit_plain(const SyncCall *call, RuntimeCall routine) {
    LLVMValueRef arguments[] = {call->object, NULL};
    return emit_runtime_call(call->emitter, routine, arguments);
}

static void emit_try(const SyncCall *call) {
    LLVMValueRef arguments[] = {call->object, site(call, WAIT_SEMAPHORE)};
    store_result(call, 1, emit_runtime_call(call->emitter, RT_semaphore_try, arguments));
}

static LLVMValueRef emit_number(const SyncCall *call, size_t index) {
    return emit_scalar(call->emitter, actual(call, index));
}

/* An operation that is done at once, but whose order others can see. */
static void emit_turn(const SyncCall *call, SyncRoutine routine) {
    static const struct {
        SyncRoutine routine;
        unsigned kind;
        unsigned reason;
    } turns[] = {
        {SYNC_TRY_SEMAPHORE, EXPLORE_TRY, WAIT_SEMAPHORE},
        {SYNC_RELEASE_SEMAPHORE, EXPLORE_RELEASE, WAIT_SEMAPHORE},
        {SYNC_SIGNAL_CONDITION, EXPLORE_SIGNAL, WAIT_CONDITION},
        {SYNC_BROADCAST_CONDITION, EXPLORE_SIGNAL, WAIT_CONDITION},
        {SYNC_TAKE_TICKET, EXPLORE_TURN, WAIT_TICKET},
        {SYNC_FALL_INTO_BUCKET, EXPLORE_FALL, WAIT_BUCKET},
        {SYNC_FLUSH_BUCKET, EXPLORE_TURN, WAIT_BUCKET},
        {SYNC_NUMBER_IN_BUCKET, EXPLORE_LOOK, WAIT_BUCKET},
        {SYNC_START_READ_CREW, EXPLORE_SHARE, WAIT_CREW_READ},
        {SYNC_START_WRITE_CREW, EXPLORE_TURN, WAIT_CREW_WRITE},
    };
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        if (turns[i].routine == routine) {
            emit_gate(call->emitter, call->object, turns[i].kind, site(call, turns[i].reason));
        }
    }
}

void emit_sync_call(Emitter *emitter, Node *node, SyncRoutine routine) {
    SyncCall call = {emitter, node, NULL};
    call.object = emit_place(emitter, actual(&call, 0)).address;
    LLVMValueRef reads = emit_i32(emitter, 0);
    LLVMValueRef writes = emit_i32(emitter, 1);
    emit_turn(&call, routine);
    switch (routine) {
    case SYNC_INITIALISE_SEMAPHORE:
        emit_with_site(&call, RT_semaphore_initialise, emit_number(&call, 1),
                       ERROR_SEMAPHORE_COUNT);
        return;
    case SYNC_CLAIM_SEMAPHORE: emit_wait(&call, RT_semaphore_claim, NULL, WAIT_SEMAPHORE); return;
    case SYNC_CLAIM_SEMAPHORE_UNTIL: emit_until(&call); return;
    case SYNC_TRY_SEMAPHORE: emit_try(&call); return;
    case SYNC_RELEASE_SEMAPHORE: emit_plain(&call, RT_semaphore_release); return;
    case SYNC_WAIT_CONDITION: emit_wait_condition(&call); return;
    case SYNC_SIGNAL_CONDITION: emit_with_number(&call, RT_condition_signal, 0); return;
    case SYNC_BROADCAST_CONDITION: emit_with_number(&call, RT_condition_signal, 1); return;
    case SYNC_TAKE_TICKET: store_result(&call, 1, emit_plain(&call, RT_ticket_take)); return;
    case SYNC_AWAIT_TICKET:
        emit_wait(&call, RT_ticket_await, emit_number(&call, 1), WAIT_TICKET);
        return;
    case SYNC_SERVE_TICKET: emit_with_site(&call, RT_ticket_serve, NULL, ERROR_TICKET_NONE); return;
    case SYNC_FALL_INTO_BUCKET: emit_wait(&call, RT_bucket_fall, NULL, WAIT_BUCKET); return;
    case SYNC_FLUSH_BUCKET: emit_plain(&call, RT_bucket_flush); return;
    case SYNC_NUMBER_IN_BUCKET: store_result(&call, 1, emit_plain(&call, RT_bucket_number)); return;
    case SYNC_START_READ_CREW: emit_wait(&call, RT_crew_enter, reads, WAIT_CREW_READ); return;
    case SYNC_START_WRITE_CREW: emit_wait(&call, RT_crew_enter, writes, WAIT_CREW_WRITE); return;
    case SYNC_END_READ_CREW:
        emit_with_site(&call, RT_crew_leave, reads, ERROR_CREW_NOT_READING);
        return;
    case SYNC_END_WRITE_CREW:
        emit_with_site(&call, RT_crew_leave, writes, ERROR_CREW_NOT_WRITING);
        return;
    case SYNC_COUNT: break;
    }
    bug("a routine of module sync that is not there");
}

/* ---- FORK ---- */

/* The call in the body: its actuals are the formals, but the object keeps its name from outside. */
static Node *call_with_formals(Emitter *emitter, Node *proc, Node *fork) {
    Node *call = arena_copy(emitter->arena, fork, sizeof *fork);
    memset(&call->call, 0, sizeof call->call);
    call->kind = NODE_CALL;
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        Symbol *formal = proc->proc.formals.items[i]->formal.def->def.symbol;
        Node *outside = fork->fork.actuals.items[i];
        while (outside->kind == NODE_SUBSCRIPT) {
            outside = outside->subscript.base;
        }
        Node *actual = arena_copy(emitter->arena, fork->fork.callee, sizeof *fork);
        actual->name.symbol = formal;
        actual->name.name = outside->kind == NODE_NAME ? outside->name.name : formal->name;
        actual->type = formal->type;
        array_push(emitter->arena, &call->call.actuals, actual);
    }
    return call;
}

LLVMValueRef emit_sync_routine(Emitter *emitter, Node *proc, Node *fork) {
    const RoutineBody *body = proc->proc.info->elsewhere;
    LLVMTypeRef *types =
        arena_new_array(emitter->arena, LLVMTypeRef, routine_parameter_limit(proc));
    size_t count = routine_parameter_types(emitter, proc, types);
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, types, (unsigned)count, 0);
    const char *name =
        arena_format(emitter->arena, "%s.routine.%s", emitter->options->unit_name, body->symbol);
    LLVMValueRef function = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    Routine state;
    emit_routine_begin(emitter, &state, function, NULL, proc->proc.def->def.name->bytes, true);
    debug_routine(emitter, fork->at, proc->proc.def->def.name->bytes);
    routine_bind_parameters(emitter, proc);
    emit_sync_call(emitter, call_with_formals(emitter, proc, fork), body->sync);
    emit_return_me(emitter);
    emit_routine_end(emitter);
    return function;
}
