/* procedure -- the bodies of PROCs and FUNCTIONs.
 *
 * Owns:   binding the parameters, INITIAL formals, results of FUNCTIONs, VALOF, and when the body
 *         of a routine is emitted.
 * Leaves: declarations to routine.c, which names a routine needs from outside to the checks
 *         (ProcInfo), how a name travels to capture.c, the branches of a PAR to parallel.c.
 * Holds:  the body of a routine of the outermost level is emitted after the text that calls it. */
#include "emit_clock.h"
#include "routine.h"

/* ---- parameters ---- */

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
        emit_copy(emitter, local, passed, symbol->at);
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

/* Binds the mobile process, and those of its parameters that the PROC uses. */
static unsigned bind_activation(Emitter *emitter, const ProcInfo *info, unsigned next) {
    LLVMValueRef object = LLVMGetParam(emitter->routine->function, next);
    LLVMSetValueName2(object, "mobile", 6);
    emitter->routine->mobile_object = object;
    for (size_t i = 0; i < info->free_names.count; i++) {
        if (routine_asks_activation(info, info->free_names.items[i])) {
            emit_bind_activation(emitter, info->free_names.items[i], object);
        }
    }
    return next + 1;
}

unsigned routine_bind_parameters(Emitter *emitter, Node *routine) {
    unsigned next = 1;
    const NodeList *formals = node_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        Symbol *symbol = formals->items[i]->formal.def->def.symbol;
        next = bind_names(emitter, symbol, next);
        if (symbol->formal_mode == FORMAL_INITIAL) {
            bind_initial_formal(emitter, symbol);
        }
    }
    ProcInfo *info = node_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        if (!routine_asks_activation(info, info->free_names.items[i])) {
            next = bind_names(emitter, info->free_names.items[i], next);
        }
    }
    next = info->suspends ? bind_activation(emitter, info, next) : next;
    if (routine_is_told_at_call(info)) {
        emitter->routine->call_sites = LLVMGetParam(emitter->routine->function, next++);
    }
    return next;
}

void emit_end_formals(Emitter *emitter, Node *routine) {
    const NodeList *formals = node_formals(routine);
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

/* ---- bodies ---- */

static void emit_function_body(Emitter *emitter, Node *routine, RoutineDecl *decl, unsigned next) {
    const Type **results = NULL;
    const Type *single = NULL;
    size_t count = routine_results(routine, &results, &single);
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
    emit_end_formals(emitter, routine);
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
                       node_def(routine)->def.name->bytes, decl->may_wait);
    state.copy = copy;
    debug_routine(emitter, routine->at, node_def(routine)->def.name->bytes);
    emit_coverage(emitter, COVERAGE_ROUTINE, routine->at, routine->at);
    unsigned next = routine_bind_parameters(emitter, routine);
    if (routine->kind == NODE_FUNCTION) {
        emit_function_body(emitter, routine, decl, next);
    } else {
        emit_process(emitter, node_body(routine));
        if (node_info(routine)->checks_clocks) {
            emit_clocks_left_active(emitter, routine);
        }
        emit_end_formals(emitter, routine);
        emit_return_nothing(emitter, decl->may_wait);
    }
    emit_routine_end(emitter);
}

static void emit_routine_body(Emitter *emitter, Node *routine, RoutineDecl *decl) {
    recursion_make_copies(emitter, routine, decl);
    for (unsigned i = 0; i < decl->copy_count; i++) {
        emit_one_body(emitter, routine, decl, i);
    }
}

void emit_routine(Emitter *emitter, Node *routine) {
    Symbol *symbol = node_def(routine)->def.symbol;
    if (node_info(routine)->elsewhere) {
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
        emit_routine_body(emitter, routine, routine_declare(emitter, routine));
    } else if (!emitter->is_program) {
        routine_find(emitter, symbol);
    }
}

void emit_pending_routines(Emitter *emitter) {
    for (size_t i = 0; i < emitter->pending.count; i++) {
        Node *routine = emitter->pending.items[i];
        if (routine->kind == NODE_PROC && routine->proc.is_mobile) {
            emit_mobile_proc(emitter, routine);
            continue;
        }
        emit_routine_body(emitter, routine, node_def(routine)->def.symbol->backend);
    }
}

/* ---- VALOF ---- */

void emit_valof(Emitter *emitter, Node *valof, Place *results, LLVMValueRef *scalars,
                size_t result_count) {
    const NodeList *specs = &valof->valof.specs;
    emit_specifications(emitter, specs, valof);
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
