/* mobile_process -- MOBILE PROC, activation, SUSPEND (language.md 2.10).
 *
 * Owns:   the object of a mobile process, the body of a MOBILE PROC, what SUSPEND leaves behind
 *         when the object is given back.
 * Leaves: blocks, states and switching to the runtime's mobile_process.c.
 * Holds:  the values of an activation lie in the object, and the body loads them at each use: the
 *         next activation has other values. When a suspended process is given back it is resumed
 *         once more: it releases what is in scope at its SUSPEND and ends. */
#include "emit.h"
#include "layout_offsets.h"

static LLVMValueRef load_state(Emitter *emitter, LLVMValueRef object) {
    LLVMValueRef field = emit_field(emitter, object, OFFSET_MobileProcess_state, "");
    LLVMValueRef state = LLVMBuildLoad2(emitter->builder, emitter->i32, field, "state");
    LLVMSetVolatile(state, 1); /* the process has run meanwhile */
    return state;
}

static LLVMValueRef is_state(Emitter *emitter, LLVMValueRef object, int64_t state) {
    return LLVMBuildICmp(emitter->builder, LLVMIntEQ, load_state(emitter, object),
                         emit_i32(emitter, state), "");
}

static LLVMValueRef actual_slot(Emitter *emitter, LLVMValueRef object, size_t slot) {
    return emit_field(emitter, object, OFFSET_MobileProcess_actuals + 8 * (unsigned)slot, "");
}

/* ---- the body ---- */

static size_t count_values(Emitter *emitter, const NodeList *formals) {
    LLVMTypeRef types[CAPTURE_MAX];
    size_t count = 0;
    for (size_t i = 0; i < formals->count; i++) {
        count += capture_types(emitter, formals->items[i]->formal.def->def.symbol, types);
    }
    return count;
}

static LLVMValueRef declare_body(Emitter *emitter, Symbol *symbol) {
    const char *outer = emitter->options->unit_name;
    if (symbol->owner != NULL) {
        outer = LLVMGetValueName2(emitter->routine->function, &(size_t){0});
    }
    const char *name = arena_format(emitter->arena, "%s.%s", outer, symbol->name->bytes);
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr, emitter->i32};
    LLVMTypeRef type = LLVMFunctionType(emitter->ptr, parameters, 3, 0);
    LLVMValueRef function = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    symbol->backend = function;
    return function;
}

LLVMValueRef emit_mobile_body(Emitter *emitter, Symbol *symbol) {
    if (symbol->backend == NULL) {
        declare_body(emitter, symbol);
        array_push(emitter->arena, &emitter->pending, symbol->definition);
    }
    return symbol->backend;
}

void emit_bind_activation(Emitter *emitter, Symbol *formal, LLVMValueRef object) {
    const NodeList *formals = &formal->owner->proc.formals;
    Place nowhere = {.type = formal->type};
    Binding *binding = emit_bind_place(emitter, formal, nowhere);
    binding->object = object;
    binding->slot = 0;
    for (size_t i = 0; formals->items[i]->formal.def->def.symbol != formal; i++) {
        LLVMTypeRef types[CAPTURE_MAX];
        binding->slot += capture_types(emitter, formals->items[i]->formal.def->def.symbol, types);
    }
}

void emit_mobile_proc(Emitter *emitter, Node *proc) {
    Symbol *symbol = proc->proc.def->def.symbol;
    LLVMValueRef function =
        symbol->backend != NULL ? symbol->backend : declare_body(emitter, symbol);
    Routine state;
    emit_routine_begin(emitter, &state, function, proc, symbol->name->bytes, true);
    debug_routine(emitter, proc->at, symbol->name->bytes);
    LLVMValueRef object = LLVMGetParam(function, 1);
    emitter->routine->mobile_object = object;
    for (size_t i = 0; i < proc->proc.formals.count; i++) {
        emit_bind_activation(emitter, proc->proc.formals.items[i]->formal.def->def.symbol, object);
    }
    emit_process(emitter, proc->proc.body);
    emit_runtime_call(emitter, RT_mobile_ended, &object);
    emit_return_me(emitter);
    emit_routine_end(emitter);
}

static LLVMTypeRef in_memory(Emitter *emitter, LLVMTypeRef type) {
    return type == emitter->i1 ? emitter->i8 : type;
}

Binding *emit_binding_of_actual(Emitter *emitter, const Symbol *formal, const Binding *bound) {
    LLVMTypeRef types[CAPTURE_MAX];
    LLVMValueRef values[CAPTURE_MAX] = {NULL};
    size_t count = capture_types(emitter, formal, types);
    for (size_t i = 0; i < count; i++) {
        LLVMValueRef slot = actual_slot(emitter, bound->object, bound->slot + i);
        LLVMTypeRef memory = in_memory(emitter, types[i]);
        values[i] = LLVMBuildLoad2(emitter->builder, memory, slot, formal->name->bytes);
        if (memory != types[i]) {
            values[i] = LLVMBuildTrunc(emitter->builder, values[i], types[i], "");
        }
    }
    Binding *binding = arena_new(emitter->arena, Binding);
    if (symbol_is_given_by_value(formal)) {
        binding->is_value = true;
        binding->value = values[0];
        return binding;
    }
    binding->place = (Place){.address = values[0], .type = formal->type};
    for (size_t i = 1; i < count; i++) {
        binding->place.counts[i - 1] = values[i];
    }
    return binding;
}

/* ---- MOBILE p ---- */

static void store_word(Emitter *emitter, LLVMValueRef value, LLVMValueRef object, unsigned offset) {
    LLVMBuildStore(emitter->builder, value, emit_field(emitter, object, offset, ""));
}

LLVMValueRef emit_process_object(Emitter *emitter, Node *allocation) {
    Symbol *proc = allocation->allocation.type_expr->type_named.symbol;
    LLVMValueRef body = emit_mobile_body(emitter, proc);
    size_t values = count_values(emitter, &proc->definition->proc.formals);
    LLVMValueRef size = emit_i64(emitter, SIZE_MobileProcess + 8 * (int64_t)values);
    LLVMValueRef site = emit_site(emitter, ERROR_NO_MEMORY, allocation->at, proc->name->bytes);
    LLVMValueRef object = emit_mobile_block(emitter, size, NULL, 0, site);
    LLVMValueRef null = LLVMConstNull(emitter->ptr);
    LLVMValueRef bytes =
        LLVMBuildLoad2(emitter->builder, emitter->i32, emit_block_size(emitter, body), "");
    store_word(emitter, null, object, OFFSET_MobileProcess_process);
    store_word(emitter, null, object, OFFSET_MobileProcess_activator);
    store_word(emitter, body, object, OFFSET_MobileProcess_body);
    store_word(emitter, LLVMBuildZExt(emitter->builder, bytes, emitter->i64, ""), object,
               OFFSET_MobileProcess_block_bytes);
    store_word(emitter, emit_i32(emitter, LAYOUT_PROCESS_FRESH), object,
               OFFSET_MobileProcess_state);
    return object;
}

/* ---- p (actuals) ---- */

static void store_actuals(Emitter *emitter, const NodeList *formals, const NodeList *actuals,
                          LLVMValueRef object) {
    LLVMValueRef values[CAPTURE_MAX];
    size_t slot = 0;
    NamedPlace *named = arena_new_array(emitter->arena, NamedPlace, formals->count);
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        size_t count = emit_actual(emitter, formals->items[i]->formal.def->def.symbol,
                                   actuals->items[i], values, &named[i]);
        for (size_t k = 0; k < count; k++) {
            LLVMValueRef value = values[k];
            if (LLVMTypeOf(value) == emitter->i1) {
                value = LLVMBuildZExt(emitter->builder, value, emitter->i8, "");
            }
            LLVMBuildStore(emitter->builder, value, actual_slot(emitter, object, slot + k));
        }
        slot += count;
    }
    emit_check_overlap(emitter, named, formals->count);
}

/* When the process ends its object is gone, and its variable is undefined. */
void emit_activation(Emitter *emitter, Node *call) {
    Node *callee = call->call.callee;
    const char *name = callee->name.name->bytes;
    const NodeList *formals = type_content(callee->name.symbol->type)->proc_type.formals;
    Place variable = emit_place(emitter, callee);
    LLVMValueRef object = emit_load(emitter, variable);
    emit_trap_unless(emitter, LLVMBuildIsNotNull(emitter->builder, object, ""),
                     ERROR_UNDEFINED_MOBILE, call->at, name, NULL, NULL, NULL);
    store_actuals(emitter, formals, &call->call.actuals, object);
    LLVMValueRef arguments[] = {object, emit_site(emitter, WAIT_ACTIVATION, call->at, name)};
    emit_runtime_call(emitter, RT_mobile_activate, arguments);
    LLVMBasicBlockRef ended = emit_block(emitter, "mobile.ended");
    LLVMBasicBlockRef done = emit_block(emitter, "mobile.done");
    LLVMBuildCondBr(emitter->builder, is_state(emitter, object, LAYOUT_PROCESS_ENDED), ended, done);
    emit_enter(emitter, ended);
    emit_mobile_give(emitter, object);
    emit_forget(emitter, variable);
    emit_continue(emitter, done);
}

/* ---- SUSPEND ---- */

/* Search -- the specifications round a node, outermost first. */
typedef struct Search {
    Emitter *emitter;
    const Node *wanted;
    bool is_found;
    ARRAY_OF(const NodeList *) scopes;
} Search;

static const NodeList *specifications_of(const Node *node) {
    return node->kind == NODE_BLOCK         ? &node->block.specs
           : node->kind == NODE_CHOICE      ? &node->choice.specs
           : node->kind == NODE_OPTION      ? &node->option.specs
           : node->kind == NODE_ALTERNATIVE ? &node->alternative.specs
           : node->kind == NODE_VARIANT     ? &node->variant.specs
                                            : NULL;
}

static void search(Node **slot, void *context) {
    Search *state = context;
    if (state->is_found) {
        return;
    }
    const NodeList *specs = specifications_of(*slot);
    if (specs != NULL) {
        array_push(state->emitter->arena, &state->scopes, specs);
    }
    state->is_found = *slot == state->wanted;
    node_visit_children(*slot, search, state);
    if (specs != NULL && !state->is_found) {
        state->scopes.count--;
    }
}

/* Give back everything in scope, innermost first, and end. The callers of the PROC do the same. */
static void emit_cancelled(Emitter *emitter, const Node *process) {
    Routine *routine = emitter->routine;
    Search state = {.emitter = emitter, .wanted = process};
    search(&routine->node->proc.body, &state);
    for (size_t i = routine->owned.count; i-- > 0;) {
        emit_release(emitter, routine->owned.items[i]);
    }
    for (size_t i = state.scopes.count; i-- > 0;) {
        emit_scope_release(emitter, state.scopes.items[i]);
    }
    if (routine->node->proc.is_mobile) {
        emit_runtime_call(emitter, RT_mobile_ended, &routine->mobile_object);
    } else {
        emit_end_formals(emitter, routine->node);
    }
    emit_return_me(emitter);
}

void emit_end_when_cancelled(Emitter *emitter, const Node *process) {
    LLVMBasicBlockRef cancelled = emit_block(emitter, "suspend.cancelled");
    LLVMBasicBlockRef resumed = emit_block(emitter, "suspend.resumed");
    LLVMValueRef object = emitter->routine->mobile_object;
    LLVMBuildCondBr(emitter->builder, is_state(emitter, object, LAYOUT_PROCESS_CANCELLED),
                    cancelled, resumed);
    emit_enter(emitter, cancelled);
    emit_cancelled(emitter, process);
    emit_enter(emitter, resumed);
}

void emit_suspend(Emitter *emitter, Node *suspend) {
    LLVMValueRef arguments[] = {emitter->routine->mobile_object,
                                emit_site(emitter, WAIT_SUSPENDED, suspend->at, NULL)};
    emit_runtime_call(emitter, RT_mobile_suspend, arguments);
    emit_end_when_cancelled(emitter, suspend);
}

/* ---- the end of the object ---- */

void emit_process_release(Emitter *emitter, LLVMValueRef object) {
    LLVMBasicBlockRef cancel = emit_block(emitter, "mobile.cancel");
    LLVMBasicBlockRef idle = emit_block(emitter, "mobile.idle");
    LLVMBuildCondBr(emitter->builder, is_state(emitter, object, LAYOUT_PROCESS_SUSPENDED), cancel,
                    idle);
    emit_enter(emitter, cancel);
    emit_runtime_call(emitter, RT_mobile_cancel, &object);
    emit_continue(emitter, idle);
}
