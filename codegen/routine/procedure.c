/* procedure -- PROC and FUNCTION: declarations, bodies, calls, recursion.
 *
 * Owns:   the LLVM function of a routine, its parameters, its calls.
 * Leaves: which names a routine needs from outside to the checks (ProcInfo), how a name travels to
 *         capture.c, the branches of a PAR to parallel.c.
 * Holds:  what may wait returns me. Parameters are me, formals, free names, result pointers
 * (emit.h). A call to a routine whose text encloses the call is a recursion edge: it runs on a
 * segment of its own, so that the stack bound of a process stays finite; every cycle of the call
 * graph has one, since a name is visible only after its definition or inside a REC routine. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "routine.h"

#include <string.h>

static ProcInfo *routine_info(Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.info : routine->function.info;
}

static Node *routine_def(Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.def : routine->function.def;
}

static NodeList *routine_formals(Node *routine) {
    return routine->kind == NODE_PROC ? &routine->proc.formals : &routine->function.formals;
}

static Node *routine_body(Node *routine) {
    return routine->kind == NODE_PROC ? routine->proc.body : routine->function.body;
}

/* ---- results ---- */

static size_t result_types(Node *routine, const Type ***types, const Type **single) {
    if (routine->kind == NODE_PROC) {
        return 0;
    }
    *single = routine->function.def->def.symbol->type;
    if ((*single)->kind == TYPE_TUPLE) {
        *types = (*single)->sequence.items;
        return (*single)->sequence.item_count;
    }
    *types = single;
    return 1;
}

/* ---- declaration ---- */

static const char *routine_symbol(Emitter *emitter, Node *routine) {
    const ProcInfo *info = routine_info(routine);
    if (info->elsewhere || info->link_name) {
        return info->elsewhere ? info->elsewhere->symbol : info->link_name;
    }
    const char *outer = emitter->options->unit_name;
    if (routine_def(routine)->def.symbol->owner != NULL) {
        outer = LLVMGetValueName2(emitter->routine->function, &(size_t){0});
    }
    return text_link_name(emitter->arena, outer, routine_def(routine)->def.name->bytes);
}

size_t routine_parameter_limit(Node *routine) {
    const Type **results = NULL;
    const Type *single = NULL;
    size_t names = routine_formals(routine)->count + routine_info(routine)->free_names.count;
    return 1 + names * CAPTURE_MAX + result_types(routine, &results, &single);
}

size_t routine_parameter_types(Emitter *emitter, Node *routine, LLVMTypeRef *types) {
    size_t count = 0;
    types[count++] = emitter->ptr; /* me */
    NodeList *formals = routine_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        count += capture_types(emitter, formals->items[i]->formal.def->def.symbol, types + count);
    }
    ProcInfo *info = routine_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        count += capture_types(emitter, info->free_names.items[i], types + count);
    }
    return count;
}

static void add_enum_attribute(Emitter *emitter, LLVMValueRef function, LLVMAttributeIndex index,
                               const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(emitter->context, kind, 0);
    LLVMAddAttributeAtIndex(function, index, attribute);
}

static void set_inline_hint(Emitter *emitter, Node *routine, LLVMValueRef function) {
    bool is_inline =
        routine->kind == NODE_PROC ? routine->proc.is_inline : routine->function.is_inline;
    if (is_inline) {
        add_enum_attribute(emitter, function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                           "inlinehint");
    }
}

static RoutineDecl *declare_routine(Emitter *emitter, Node *routine) {
    RoutineDecl *decl = arena_new(emitter->arena, RoutineDecl);
    LLVMTypeRef *types =
        arena_new_array(emitter->arena, LLVMTypeRef, routine_parameter_limit(routine));
    size_t count = routine_parameter_types(emitter, routine, types);
    const Type **results = NULL;
    const Type *single = NULL;
    decl->result_count = result_types(routine, &results, &single);
    LLVMTypeRef result = routine_info(routine)->may_wait ? emitter->ptr : emitter->void_type;
    if (decl->result_count == 1 && type_is_scalar(results[0])) {
        decl->scalar_result = results[0];
        result = lower_scalar(emitter, results[0]);
    } else {
        for (size_t i = 0; i < decl->result_count; i++) {
            types[count++] = emitter->ptr;
        }
    }
    decl->may_wait = routine_info(routine)->may_wait;
    decl->type = LLVMFunctionType(result, types, (unsigned)count, 0);
    const RoutineBody *body = routine_info(routine)->elsewhere;
    routine_def(routine)->def.symbol->backend = decl;
    if (body && body->kind != BODY_OCCAM) {
        foreign_declare(emitter, body, routine_formals(routine), decl);
        return decl;
    }
    const char *symbol = routine_symbol(emitter, routine);
    if (body) { /* #USE in two scopes: two declarations of one routine */
        decl->function = LLVMGetNamedFunction(emitter->module, symbol);
    }
    if (!decl->function) {
        decl->function = LLVMAddFunction(emitter->module, symbol, decl->type);
    }
    if (routine_info(routine)->elsewhere || routine_info(routine)->link_name) {
        LLVMSetVisibility(decl->function, LLVMHiddenVisibility); /* other units see it */
    } else {
        LLVMSetLinkage(decl->function, LLVMInternalLinkage);
    }
    if (decl->may_wait) {
        LLVMSetFunctionCallConv(decl->function, CALL_PRESERVE_NONE);
    }
    set_inline_hint(emitter, routine, decl->function);
    return decl;
}

/* ---- body ---- */

void emit_routine_begin(Emitter *emitter, Routine *routine, LLVMValueRef function, Node *node,
                        const char *proc_name, bool may_wait) {
    memset(routine, 0, sizeof *routine);
    routine->function = function;
    routine->node = node;
    routine->proc_name = proc_name;
    routine->may_wait = may_wait;
    routine->outer = emitter->routine;
    LLVMSetValueName2(LLVMGetParam(function, 0), "me", 2);
    add_enum_attribute(emitter, function, 1, "noundef");
    routine->resume_block = LLVMGetInsertBlock(emitter->builder);
    routine->resume_location = LLVMGetCurrentDebugLocation2(emitter->builder);
    emitter->routine = routine;
    emitter->scope = (EmitScope){NULL, 0, NULL};
    routine->entry = LLVMAppendBasicBlockInContext(emitter->context, function, "frame");
    LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(emitter->context, function, "body");
    routine->body = body;
    LLVMPositionBuilderAtEnd(emitter->builder, body);
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    routine->me_slot = emit_alloca(emitter, emitter->ptr, "me.now");
    routine->worker_slot = emit_alloca(emitter, emitter->ptr, "worker.now");
    routine->head_slot = emit_alloca(emitter, emitter->ptr, "head.now");
    emit_set_me(emitter, LLVMGetParam(function, 0), NULL, NULL);
}

LLVMValueRef emit_me(Emitter *emitter) {
    return LLVMBuildLoad2(emitter->builder, emitter->ptr, emitter->routine->me_slot, "me");
}

LLVMValueRef emit_worker(Emitter *emitter) {
    return LLVMBuildLoad2(emitter->builder, emitter->ptr, emitter->routine->worker_slot, "worker");
}

LLVMValueRef emit_head(Emitter *emitter) {
    return LLVMBuildLoad2(emitter->builder, emitter->ptr, emitter->routine->head_slot, "head");
}

void emit_set_head(Emitter *emitter, LLVMValueRef head) {
    if (head == NULL) {
        LLVMValueRef field = emit_field(emitter, emit_worker(emitter), OFFSET_Worker_head, "");
        head = LLVMBuildLoad2(emitter->builder, emitter->ptr, field, "head");
    }
    LLVMBuildStore(emitter->builder, head, emitter->routine->head_slot);
}

void emit_set_me(Emitter *emitter, LLVMValueRef me, LLVMValueRef worker, LLVMValueRef head) {
    if (worker == NULL) {
        LLVMValueRef field = emit_field(emitter, me, OFFSET_Process_worker, "");
        worker = LLVMBuildLoad2(emitter->builder, emitter->ptr, field, "worker");
    }
    LLVMBuildStore(emitter->builder, me, emitter->routine->me_slot);
    LLVMBuildStore(emitter->builder, worker, emitter->routine->worker_slot);
    emit_set_head(emitter, head);
}

void emit_return_me(Emitter *emitter) {
    LLVMBuildRet(emitter->builder, emit_me(emitter));
}

void emit_routine_end(Emitter *emitter) {
    Routine *routine = emitter->routine;
    LLVMSetCurrentDebugLocation2(emitter->builder, NULL);
    emit_release_temporaries(emitter);
    LLVMPositionBuilderAtEnd(emitter->builder, routine->entry);
    LLVMBuildBr(emitter->builder, routine->body);
    for (size_t i = routine->saved.count; i-- > 0;) {
        routine->saved.items[i].symbol->backend = routine->saved.items[i].backend;
    }
    emitter->routine = routine->outer;
    if (routine->resume_block != NULL) {
        LLVMPositionBuilderAtEnd(emitter->builder, routine->resume_block);
        LLVMSetCurrentDebugLocation2(emitter->builder, routine->resume_location);
    }
}

/* An INITIAL formal is a local copy of what was passed. */
static void bind_initial_formal(Emitter *emitter, Symbol *symbol) {
    Place passed = emit_find_binding(emitter, symbol)->place;
    if (type_has_open_dimension(symbol->type)) {
        Place copy = emit_heap_copy(emitter, passed, symbol->at, symbol->name->bytes);
        emit_bind_place(emitter, symbol, copy)->heap = copy.address;
        return;
    }
    LLVMValueRef heap;
    Place local = emit_object(emitter, symbol->type, symbol->name->bytes, &heap, symbol->at);
    if (type_owns(symbol->type)) {
        emit_forget(emitter, local);
        emit_own(emitter, local, passed);
        emit_forget(emitter, passed);
    } else {
        emit_copy(emitter, local, passed, symbol->at, false);
    }
    emit_bind_place(emitter, symbol, local)->heap = heap;
}

static unsigned bind_names(Emitter *emitter, Symbol *symbol, unsigned next) {
    LLVMTypeRef types[CAPTURE_MAX];
    LLVMValueRef values[CAPTURE_MAX];
    size_t count = capture_types(emitter, symbol, types);
    for (size_t i = 0; i < count; i++) {
        values[i] = LLVMGetParam(emitter->routine->function, next + (unsigned)i);
        LLVMSetValueName2(values[i], symbol->name->bytes, symbol->name->length);
    }
    emit_parameter_attributes(emitter, symbol, next, count);
    if (count > 0) {
        capture_bind(emitter, symbol, values);
        debug_variable(emitter, symbol, emit_find_binding(emitter, symbol), next);
    }
    return next + (unsigned)count;
}

unsigned routine_bind_parameters(Emitter *emitter, Node *routine) {
    unsigned next = 1;
    NodeList *formals = routine_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        Symbol *symbol = formals->items[i]->formal.def->def.symbol;
        next = bind_names(emitter, symbol, next);
        if (symbol->formal_mode == FORMAL_INITIAL) {
            bind_initial_formal(emitter, symbol);
        }
    }
    ProcInfo *info = routine_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        next = bind_names(emitter, info->free_names.items[i], next);
    }
    return next;
}

static void free_initial_formals(Emitter *emitter, NodeList *formals) {
    for (size_t i = 0; i < formals->count; i++) {
        Symbol *symbol = formals->items[i]->formal.def->def.symbol;
        if (symbol->formal_mode == FORMAL_INITIAL && !emit_is_terminated(emitter)) {
            Binding *binding = emit_find_binding(emitter, symbol);
            if (!binding->is_value && type_owns(symbol->type)) {
                emit_release(emitter, binding->place);
            }
            if (!binding->is_value && binding->heap != NULL) {
                emit_runtime_call(emitter, RT_heap_free, &binding->heap);
            }
        }
    }
}

static void emit_function_body(Emitter *emitter, Node *routine, RoutineDecl *decl, unsigned next) {
    const Type **results = NULL;
    const Type *single = NULL;
    size_t count = result_types(routine, &results, &single);
    Place *places = arena_new_array(emitter->arena, Place, count);
    LLVMValueRef *scalars = arena_new_array(emitter->arena, LLVMValueRef, count);
    for (size_t i = 0; i < count; i++) {
        places[i].type = results[i];
        if (decl->scalar_result == NULL) {
            places[i].address = LLVMGetParam(emitter->routine->function, next + (unsigned)i);
        }
    }
    emit_valof(emitter, routine->function.body, places, scalars, count);
    emit_end_owned(emitter, 0);
    free_initial_formals(emitter, routine_formals(routine));
    if (decl->scalar_result != NULL) {
        LLVMBuildRet(emitter->builder, scalars[0]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (scalars[i] != NULL) {
            emit_store(emitter, scalars[i], places[i]);
        }
    }
    LLVMBuildRetVoid(emitter->builder);
}

static void emit_one_body(Emitter *emitter, Node *routine, RoutineDecl *decl, unsigned copy) {
    Routine state;
    emit_routine_begin(emitter, &state, decl->copies[copy], routine,
                       routine_def(routine)->def.name->bytes, decl->may_wait);
    state.copy = copy;
    debug_routine(emitter, routine->at, routine_def(routine)->def.name->bytes);
    unsigned next = routine_bind_parameters(emitter, routine);
    if (routine->kind == NODE_FUNCTION) {
        emit_function_body(emitter, routine, decl, next);
    } else {
        emit_process(emitter, routine_body(routine));
        if (routine_info(routine)->checks_clocks) {
            emit_clocks_left_active(emitter, routine);
        }
        free_initial_formals(emitter, routine_formals(routine));
        if (decl->may_wait) {
            emit_return_me(emitter);
        } else {
            LLVMBuildRetVoid(emitter->builder);
        }
    }
    emit_routine_end(emitter);
}

static void emit_routine_body(Emitter *emitter, Node *routine, RoutineDecl *decl) {
    recursion_make_copies(emitter, routine, decl);
    for (unsigned i = 0; i < decl->copy_count; i++) {
        emit_one_body(emitter, routine, decl, i);
    }
}

/* A routine of the outermost level is declared when it is first called, or named for a library, and
 * its body waits in the list: what the program does not use is not emitted at all. */
static RoutineDecl *find_routine(Emitter *emitter, Symbol *symbol) {
    bool is_elsewhere = routine_info(symbol->definition)->elsewhere != NULL;
    if (symbol->backend == NULL && (symbol->owner == NULL || is_elsewhere)) {
        declare_routine(emitter, symbol->definition);
        if (!routine_info(symbol->definition)->elsewhere) {
            array_push(emitter->arena, &emitter->pending, symbol->definition);
        }
    }
    return symbol->backend;
}

LLVMValueRef emit_routine_of(Emitter *emitter, Symbol *proc) {
    RoutineDecl *decl = find_routine(emitter, proc);
    if (decl == NULL) {
        bug("PROC '%s' is not declared", proc->name->bytes);
    }
    return decl->function;
}

void emit_routine(Emitter *emitter, Node *routine) {
    Symbol *symbol = routine_def(routine)->def.symbol;
    if (routine_info(routine)->elsewhere) {
        return; /* declared when it is called */
    }
    bool is_mobile = routine->kind == NODE_PROC && routine->proc.is_mobile;
    if (is_mobile && symbol->owner != NULL) {
        emit_mobile_proc(emitter, routine);
    } else if (is_mobile && !emitter->is_program) {
        emit_mobile_body(emitter, symbol);
    } else if (is_mobile) {
        return; /* when it is first named */
    } else if (symbol->owner != NULL) {
        emit_routine_body(emitter, routine, declare_routine(emitter, routine));
    } else if (!emitter->is_program) {
        find_routine(emitter, symbol);
    }
}

void emit_pending_routines(Emitter *emitter) {
    for (size_t i = 0; i < emitter->pending.count; i++) {
        Node *routine = emitter->pending.items[i];
        if (routine->kind == NODE_PROC && routine->proc.is_mobile) {
            emit_mobile_proc(emitter, routine);
            continue;
        }
        emit_routine_body(emitter, routine, routine_def(routine)->def.symbol->backend);
    }
}

/* ---- calls ---- */

/* A mobile formal takes the variable itself, any other one the contents. */
static Place actual_place(Emitter *emitter, const Type *formal, Node *actual, bool is_written) {
    if (type_is_mobile(formal) && !type_is_mobile(actual->type)) {
        Place made = emit_owned_temporary(emitter, formal, actual->at);
        emit_into(emitter, actual, made);
        return made;
    }
    if (type_is_mobile(formal)) {
        return emit_target(emitter, actual);
    }
    return is_written ? emit_data_target(emitter, actual) : emit_data_place(emitter, actual);
}

/* The values an actual passes for one formal. */
size_t emit_actual(Emitter *emitter, Symbol *formal, Node *actual, LLVMValueRef *values,
                   NamedPlace *named) {
    const Type *type = formal->type;
    const Type *element = type_element(type, type_rank(type));
    if (element->kind == TYPE_TIMER) {
        return 0;
    }
    if (type->kind == TYPE_CHANNEL) {
        values[0] = emit_channel(emitter, actual);
        return 1;
    }
    if (actual->kind == NODE_CLOCKS) {
        values[0] = emit_hidden_clocks(emitter, actual);
        return 1;
    }
    if (type->kind == TYPE_CLOCK || type->kind == TYPE_BARRIER) {
        values[0] = emit_clock_registration(emitter, actual);
        emit_clock_is_active(emitter, values[0], actual);
        return 1;
    }
    if (capture_is_by_value(formal)) {
        values[0] = emit_scalar(emitter, actual);
        return 1;
    }
    bool is_written =
        formal->formal_mode == FORMAL_REFERENCE || formal->formal_mode == FORMAL_RESULT;
    Place place = actual_place(emitter, type, actual, is_written);
    if (!type_is_channel(type) && !type_is_sync(type)) {
        *named = emit_named_place(actual, place, is_written && !type_is_shared(type));
    }
    values[0] = place.address;
    emit_counts_for(emitter, type, place, actual->at, values + 1);
    size_t count = 1;
    for (const Type *t = type; t->kind == TYPE_ARRAY; t = t->array.element) {
        count += t->array.count == ARRAY_OPEN;
    }
    return count;
}

static LLVMValueRef *new_arguments(Emitter *emitter, Node *routine) {
    return arena_new_array(emitter->arena, LLVMValueRef, routine_parameter_limit(routine));
}

static size_t call_arguments(Emitter *emitter, Node *routine, const NodeList *actuals,
                             LLVMValueRef *arguments) {
    size_t count = 0;
    arguments[count++] = emit_me(emitter);
    NodeList *formals = routine_formals(routine);
    NamedPlace *named = arena_new_array(emitter->arena, NamedPlace, formals->count);
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        count += emit_actual(emitter, formals->items[i]->formal.def->def.symbol, actuals->items[i],
                             arguments + count, &named[i]);
    }
    emit_check_overlap(emitter, named, formals->count);
    ProcInfo *info = routine_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        count += capture_values(emitter, info->free_names.items[i], arguments + count);
    }
    return count;
}

/* No chain of calls goes through a process that is only started. */
static bool is_recursion_edge(Emitter *emitter, Node *routine) {
    for (Routine *r = emitter->routine; r != NULL && !r->is_process; r = r->outer) {
        if (r->node == routine) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef call_routine(Emitter *emitter, Node *routine, RoutineDecl *decl,
                                 LLVMValueRef *arguments, size_t count, Location at) {
    const RoutineBody *body = routine_info(routine)->elsewhere;
    if (body && body->kind != BODY_OCCAM) {
        return emit_foreign_call(emitter, body, decl, arguments, count, at);
    }
    LLVMValueRef function = decl->function;
    if (is_recursion_edge(emitter, routine)) {
        function = recursion_next_copy(emitter, decl);
        if (function == NULL) {
            return emit_call_on_segment(emitter, decl, arguments, count);
        }
    }
    LLVMValueRef result =
        LLVMBuildCall2(emitter->builder, decl->type, function, arguments, (unsigned)count, "");
    LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
    /* what never waits may have let others run all the same (preemption.c) */
    emit_set_me(emitter, decl->may_wait ? result : emit_me(emitter), NULL, NULL);
    return result;
}

void emit_call(Emitter *emitter, Node *call) {
    Symbol *callee = call->call.callee->name.symbol;
    if (callee->kind == SYMBOL_PREDEFINED) {
        emit_predefined_call(emitter, call);
        return;
    }
    if (callee->kind != SYMBOL_PROC) {
        emit_activation(emitter, call);
        return;
    }
    const RoutineBody *body = routine_info(callee->definition)->elsewhere;
    if (body && body->kind == BODY_RUNTIME) {
        emit_sync_call(emitter, call, body->sync);
        return;
    }
    RoutineDecl *decl = find_routine(emitter, callee);
    if (decl == NULL) {
        bug("PROC '%s' is not declared", callee->name->bytes);
    }
    LLVMValueRef *arguments = new_arguments(emitter, callee->definition);
    size_t count = call_arguments(emitter, callee->definition, &call->call.actuals, arguments);
    call_routine(emitter, callee->definition, decl, arguments, count, call->at);
}

void emit_main_call(Emitter *emitter, Symbol *proc, LLVMValueRef *channels, size_t count) {
    LLVMValueRef arguments[4] = {emit_me(emitter)};
    memcpy(arguments + 1, channels, count * sizeof *channels);
    RoutineDecl *decl = find_routine(emitter, proc);
    /* not inlined, so that reports can name it */
    add_enum_attribute(emitter, decl->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                       "noinline");
    call_routine(emitter, proc->definition, decl, arguments, count + 1, proc->at);
}

LLVMValueRef emit_routine_call(Emitter *emitter, Symbol *callee, const NodeList *actuals,
                               Place *results, size_t result_count) {
    RoutineDecl *decl = find_routine(emitter, callee);
    if (decl == NULL) {
        bug("FUNCTION '%s' is not declared", callee->name->bytes);
    }
    LLVMValueRef *arguments = new_arguments(emitter, callee->definition);
    size_t count = call_arguments(emitter, callee->definition, actuals, arguments);
    if (decl->scalar_result == NULL) {
        for (size_t i = 0; i < result_count; i++) {
            arguments[count++] = results[i].address;
        }
    }
    LLVMValueRef result =
        call_routine(emitter, callee->definition, decl, arguments, count, callee->at);
    return decl->scalar_result != NULL ? result : NULL;
}

LLVMValueRef emit_function_call(Emitter *emitter, Node *call, Place *results, size_t result_count) {
    Symbol *callee = call->function_call.callee->name.symbol;
    if (callee->kind == SYMBOL_PREDEFINED) {
        return emit_predefined_function(emitter, call, results, result_count);
    }
    return emit_routine_call(emitter, callee, &call->function_call.actuals, results, result_count);
}

/* ---- VALOF ---- */

void emit_valof(Emitter *emitter, Node *valof, Place *results, LLVMValueRef *scalars,
                size_t result_count) {
    const NodeList *specs = &valof->valof.specs;
    emit_specifications(emitter, specs, NULL);
    if (valof->valof.process != NULL) {
        emit_process(emitter, valof->valof.process);
    }
    const NodeList *expressions = &valof->valof.results;
    if (expressions->count == 1 && result_count > 1) {
        emit_function_call(emitter, expressions->items[0], results, result_count);
    } else {
        for (size_t i = 0; i < result_count; i++) {
            if (type_is_scalar(results[i].type)) {
                scalars[i] = emit_scalar(emitter, expressions->items[i]);
            } else {
                emit_into(emitter, expressions->items[i], results[i]);
            }
        }
    }
    emit_scope_end(emitter, specs);
}
