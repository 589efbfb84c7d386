/* fork -- FORK and FORKING: processes that outlive the statement that starts them.
 *
 * Owns:   the arguments of a forked process, the body that unpacks them, the count of a FORKING.
 * Leaves: blocks, start and join to start.c; what is safe to pass to the checks.
 * Holds:  the arguments lie at the low end of the new process's own block, below its stack: a word
 *         for each parameter, then copies of the VAL arrays and records, with clones of what those
 *         own, and registrations on clocks. All live as long as the process. A FORKING has a Join,
 *         bound to its symbol; the program's is occ_program_join. The new process keeps the shared
 *         channels it was given (`name.fork` drops them). */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "routine.h"

#include <string.h>

#define WORD_BYTES 8

typedef struct Waiting {
    Symbol *formal;
    Node *actual;
    size_t word; /* of the arguments */
} Waiting;

typedef struct ForkArguments {
    ARRAY_OF(LLVMValueRef) values;  /* as the routine takes them, without me */
    ARRAY_OF(LLVMValueRef) copied;  /* i64: bytes to copy from that address, else NULL */
    ARRAY_OF(LLVMValueRef) offsets; /* i64: where the copy lies, else NULL */
    ARRAY_OF(Waiting) waiting;
    ARRAY_OF(Waiting) cloned; /* copied so far, but not yet what they own */
    LLVMValueRef size_bytes;  /* i64 */
} ForkArguments;

static bool is_kept(const Symbol *symbol) {
    return symbol->type->kind == TYPE_CHANNEL && type_is_shared(symbol->type);
}

static bool is_registration(const Symbol *formal) {
    return formal->type->kind == TYPE_CLOCK || formal->type->kind == TYPE_BARRIER;
}

static bool is_copied(const Symbol *formal) {
    return formal->formal_mode == FORMAL_VAL || formal->formal_mode == FORMAL_INITIAL;
}

/* ---- the arguments ---- */

static void add_value(Emitter *emitter, ForkArguments *arguments, LLVMValueRef value,
                      LLVMValueRef copied_bytes) {
    LLVMValueRef none = NULL;
    array_push(emitter->arena, &arguments->values, value);
    array_push(emitter->arena, &arguments->copied, copied_bytes);
    array_push(emitter->arena, &arguments->offsets, none);
}

/* CLOCK c: the new process is enrolled beside this one, by a registration of its own. */
static void add_registration(Emitter *emitter, ForkArguments *arguments, Node *actual) {
    LLVMTypeRef words = LLVMArrayType2(emitter->i64, SIZE_Registration / WORD_BYTES);
    LLVMValueRef enrolled = emit_alloca(emitter, words, "enrolled");
    LLVMValueRef mine = emit_clock_registration(emitter, actual);
    emit_clock_is_active(emitter, mine, actual);
    LLVMValueRef both[] = {mine, enrolled};
    emit_runtime_call(emitter, RT_clock_enrol, both);
    add_value(emitter, arguments, enrolled, emit_i64(emitter, SIZE_Registration));
}

/* The array that these values pass. */
static Place place_of(const Symbol *symbol, const LLVMValueRef *values) {
    Place place = {.address = values[0], .type = symbol->type};
    unsigned open = 0;
    for (const Type *type = symbol->type; type->kind == TYPE_ARRAY; type = type->array.element) {
        if (type->array.count == ARRAY_OPEN) {
            place.counts[open] = values[1 + open];
            open++;
        }
    }
    return place;
}

/* Mobiles are moved by take_owned, after the other actuals are evaluated: FORK p (m, SIZE m). */
static void add_actual(Emitter *emitter, ForkArguments *arguments, Symbol *formal, Node *actual) {
    LLVMValueRef values[CAPTURE_MAX];
    NamedPlace named;
    memset(&named, 0, sizeof named);
    if (type_owns(formal->type) && formal->formal_mode == FORMAL_VAL) {
        Waiting cloned = {formal, actual, arguments->values.count};
        array_push(emitter->arena, &arguments->cloned, cloned);
    } else if (type_owns(formal->type)) {
        Waiting waiting = {formal, actual, arguments->values.count};
        array_push(emitter->arena, &arguments->waiting, waiting);
        add_value(emitter, arguments, NULL, emit_i64(emitter, (int64_t)type_size(formal->type)));
        return;
    }
    if (is_registration(formal) && actual->kind != NODE_CLOCKS) {
        add_registration(emitter, arguments, actual);
        return;
    }
    size_t count = emit_actual(emitter, formal, actual, values, &named);
    if (is_kept(formal)) {
        emit_keep_channel(emitter, values[0]);
    } else if (type_is_channel(formal->type)) {
        named.place = place_of(formal, values);
        emit_keep_channels(emitter, named.place);
    }
    for (size_t i = 0; i < count; i++) {
        bool is_object = i == 0 && named.place.address != NULL && is_copied(formal);
        add_value(emitter, arguments, values[i],
                  is_object ? emit_size_bytes(emitter, named.place) : NULL);
    }
}

static void take_owned(Emitter *emitter, ForkArguments *arguments) {
    for (size_t i = 0; i < arguments->waiting.count; i++) {
        Waiting waiting = arguments->waiting.items[i];
        Place loose = emit_loose_value(emitter, waiting.actual, waiting.formal->type);
        arguments->values.items[waiting.word] = loose.address;
    }
}

static void add_free_name(Emitter *emitter, ForkArguments *arguments, Symbol *symbol) {
    LLVMValueRef values[CAPTURE_MAX];
    size_t count = capture_values(emitter, symbol, values);
    if (count > 0 && is_kept(symbol)) {
        emit_keep_channel(emitter, values[0]);
    }
    for (size_t i = 0; i < count; i++) {
        add_value(emitter, arguments, values[i], NULL);
    }
}

static LLVMValueRef round_up(Emitter *emitter, LLVMValueRef bytes, int64_t unit) {
    LLVMValueRef more = LLVMBuildAdd(emitter->builder, bytes, emit_i64(emitter, unit - 1), "");
    return LLVMBuildAnd(emitter->builder, more, emit_i64(emitter, -unit), "");
}

static void lay_out(Emitter *emitter, ForkArguments *arguments) {
    LLVMValueRef end = emit_i64(emitter, WORD_BYTES * (int64_t)arguments->values.count);
    for (size_t i = 0; i < arguments->values.count; i++) {
        if (arguments->copied.items[i] != NULL) {
            arguments->offsets.items[i] = end;
            end = LLVMBuildAdd(emitter->builder, end, arguments->copied.items[i], "");
            end = round_up(emitter, end, WORD_BYTES);
        }
    }
    arguments->size_bytes = round_up(emitter, end, LAYOUT_SIZE_CLASS_UNIT);
}

static void store_arguments(Emitter *emitter, const ForkArguments *arguments,
                            LLVMValueRef environment) {
    LLVMBuilderRef builder = emitter->builder;
    for (unsigned i = 0; i < arguments->values.count; i++) {
        LLVMValueRef value = arguments->values.items[i];
        LLVMValueRef offset = arguments->offsets.items[i];
        if (offset != NULL) {
            LLVMValueRef copy =
                LLVMBuildInBoundsGEP2(builder, emitter->i8, environment, &offset, 1, "copy");
            LLVMBuildMemCpy(builder, copy, 1, value, 1, arguments->copied.items[i]);
            value = copy;
        }
        LLVMBuildStore(builder, value, emit_field(emitter, environment, WORD_BYTES * i, ""));
    }
}

/* The originals have not changed since their bits were copied. */
static void clone_owned(Emitter *emitter, const ForkArguments *arguments,
                        LLVMValueRef environment) {
    for (size_t i = 0; i < arguments->cloned.count; i++) {
        const Waiting *cloned = &arguments->cloned.items[i];
        Place copy = place_of(cloned->formal, &arguments->values.items[cloned->word]);
        LLVMValueRef slot =
            emit_field(emitter, environment, WORD_BYTES * (unsigned)cloned->word, "");
        copy.address = LLVMBuildLoad2(emitter->builder, emitter->ptr, slot, "copy");
        emit_clone_parts(emitter, copy, cloned->actual->at, cloned->formal->name->bytes);
    }
}

/* ---- the body: name.fork (me, environment, index) ---- */

/* Drop the shared channels, and release the mobiles, that the environment holds: at the end of the
 * process. */
static void drop_kept(Emitter *emitter, const Symbol *symbol, bool is_own, LLVMValueRef environment,
                      unsigned *word) {
    LLVMTypeRef types[CAPTURE_MAX];
    size_t count = capture_types(emitter, symbol, types);
    LLVMValueRef values[CAPTURE_MAX];
    bool is_dropped = is_own && (type_is_channel(symbol->type) || is_registration(symbol) ||
                                 type_owns(symbol->type));
    for (unsigned i = 0; i < count && (is_dropped || is_kept(symbol)); i++) {
        LLVMValueRef slot = emit_field(emitter, environment, WORD_BYTES * (*word + i), "");
        values[i] = LLVMBuildLoad2(emitter->builder, types[i], slot, "kept");
    }
    if (count > 0 && is_kept(symbol)) {
        emit_drop_channel(emitter, values[0]);
    } else if (count > 0 && is_own && type_is_channel(symbol->type)) {
        emit_drop_channels(emitter, place_of(symbol, values));
    } else if (count > 0 && is_own && is_registration(symbol)) {
        emit_runtime_call(emitter, RT_clock_leave, values);
    } else if (count > 0 && is_dropped) {
        emit_release(emitter, place_of(symbol, values));
    }
    *word += (unsigned)count;
}

static void let_go(Emitter *emitter, const Node *proc, LLVMValueRef environment) {
    unsigned word = 0;
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        Symbol *formal = proc->proc.formals.items[i]->formal.def->def.symbol;
        bool is_own = formal != proc->proc.info->hidden_clocks;
        drop_kept(emitter, formal, is_own, environment, &word);
    }
    for (size_t i = 0; i < proc->proc.info->free_names.count; i++) {
        drop_kept(emitter, proc->proc.info->free_names.items[i], false, environment, &word);
    }
}

static void call_unpacked(Emitter *emitter, LLVMValueRef routine, LLVMValueRef environment) {
    LLVMTypeRef type = LLVMGlobalGetValueType(routine);
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *types = arena_new_array(emitter->arena, LLVMTypeRef, count);
    LLVMValueRef *values = arena_new_array(emitter->arena, LLVMValueRef, count);
    LLVMGetParamTypes(type, types);
    values[0] = emit_me(emitter);
    for (unsigned i = 1; i < count; i++) {
        LLVMValueRef slot = emit_field(emitter, environment, WORD_BYTES * (i - 1), "");
        values[i] = LLVMBuildLoad2(emitter->builder, types[i], slot, "");
    }
    LLVMValueRef call = LLVMBuildCall2(emitter->builder, type, routine, values, count, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(routine));
    if (LLVMGetFunctionCallConv(routine) == CALL_PRESERVE_NONE) {
        emit_set_me(emitter, call, NULL, NULL);
    }
}

static LLVMValueRef find_body(Emitter *emitter, const Node *proc, LLVMValueRef routine) {
    size_t length;
    const char *name = arena_format(emitter->arena, "%s.fork", LLVMGetValueName2(routine, &length));
    if (proc->proc.info->elsewhere != NULL) { /* other units make one too */
        name = arena_format(emitter->arena, "%s.%s", emitter->options->unit_name, name);
    }
    LLVMValueRef body = LLVMGetNamedFunction(emitter->module, name);
    if (body != NULL) {
        return body;
    }
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, parameters, 3, 0);
    body = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(body, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(body, CALL_PRESERVE_NONE);
    Routine state;
    emit_routine_begin(emitter, &state, body, NULL, proc->proc.def->def.name->bytes, true);
    debug_routine(emitter, proc->at, proc->proc.def->def.name->bytes);
    LLVMValueRef environment = LLVMGetParam(body, 1);
    call_unpacked(emitter, routine, environment);
    let_go(emitter, proc, environment);
    emit_return_me(emitter);
    emit_routine_end(emitter);
    return body;
}

/* ---- FORK ---- */

static LLVMValueRef join_of(Emitter *emitter, Symbol *forking) {
    if (forking == NULL) {
        return emit_runtime_function(emitter, "occ_program_join");
    }
    return emit_find_binding(emitter, forking)->place.address;
}

/* One more process to wait for. */
static void count_process(Emitter *emitter, LLVMValueRef join) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef alone = emit_block(emitter, "fork.alone");
    LLVMBasicBlockRef shared = emit_block(emitter, "fork.shared");
    LLVMBasicBlockRef done = emit_block(emitter, "fork.counted");
    LLVMValueRef field = emit_field(emitter, join, OFFSET_Join_count, "");
    LLVMValueRef one = emit_i64(emitter, 1);
    emit_if_alone(emitter, alone, shared);
    emit_enter(emitter, alone);
    LLVMValueRef count = LLVMBuildLoad2(builder, emitter->i64, field, "running");
    LLVMBuildStore(builder, LLVMBuildAdd(builder, count, one, ""), field);
    emit_jump(emitter, done);
    emit_enter(emitter, shared);
    LLVMBuildAtomicRMW(builder, LLVMAtomicRMWBinOpAdd, field, one, LLVMAtomicOrderingAcquireRelease,
                       0);
    emit_continue(emitter, done);
}

static LLVMValueRef routine_to_fork(Emitter *emitter, Node *fork) {
    Symbol *callee = fork->fork.callee->name.symbol;
    const RoutineBody *elsewhere = callee->definition->proc.info->elsewhere;
    if (elsewhere != NULL && elsewhere->kind == BODY_RUNTIME) {
        return emit_sync_routine(emitter, callee->definition, fork);
    }
    LLVMValueRef routine = emit_routine_of(emitter, callee);
    if (elsewhere != NULL && elsewhere->kind != BODY_OCCAM) {
        routine = emit_foreign_routine(emitter, callee->definition, callee->backend);
    }
    return routine;
}

void emit_fork(Emitter *emitter, Node *fork) {
    Symbol *callee = fork->fork.callee->name.symbol;
    const Node *proc = callee->definition;
    LLVMValueRef routine = routine_to_fork(emitter, fork);
    ForkArguments arguments;
    memset(&arguments, 0, sizeof arguments);
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        add_actual(emitter, &arguments, proc->proc.formals.items[i]->formal.def->def.symbol,
                   fork->fork.actuals.items[i]);
    }
    take_owned(emitter, &arguments);
    for (size_t i = 0; i < proc->proc.info->free_names.count; i++) {
        add_free_name(emitter, &arguments, proc->proc.info->free_names.items[i]);
    }
    if (routine_is_told_at_call(proc->proc.info)) {
        LLVMValueRef sites = emit_call_sites(emitter, fork->at, callee->name->bytes);
        add_value(emitter, &arguments, sites, NULL);
    }
    lay_out(emitter, &arguments);
    LLVMValueRef join = join_of(emitter, fork->fork.forking);
    LLVMValueRef body = find_body(emitter, proc, routine);
    LLVMValueRef process = emit_new_process(
        emitter, body, emit_block_size(emitter, body), arguments.size_bytes, join,
        emit_i32(emitter, LAYOUT_INDEX_NONE), emit_site(emitter, ERROR_NO_MEMORY, fork->at, NULL));
    LLVMValueRef data = emit_field(emitter, process, OFFSET_Process_data, "");
    LLVMValueRef environment = LLVMBuildLoad2(emitter->builder, emitter->ptr, data, "arguments");
    store_arguments(emitter, &arguments, environment);
    clone_owned(emitter, &arguments, environment);
    count_process(emitter, join);
    emit_enqueue(emitter, process);
}

void emit_forking(Emitter *emitter, Node *forking) {
    Symbol *symbol = forking->forking.symbol;
    LLVMTypeRef type = LLVMArrayType2(emitter->i64, SIZE_Join / WORD_BYTES);
    Place place = {.address = emit_alloca(emitter, type, "forking"), .type = symbol->type};
    emit_join_begin(emitter, place.address, emit_i32(emitter, 1), NULL);
    emit_bind_place(emitter, symbol, place);
    emit_process(emitter, forking->forking.process);
    if (!emit_is_terminated(emitter)) {
        emit_join_end(emitter, place.address, emit_site(emitter, WAIT_FORKING, forking->at, NULL));
    }
}
