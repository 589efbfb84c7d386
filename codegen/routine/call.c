/* call -- calls of PROCs and FUNCTIONs.
 *
 * Owns:   the values of actuals, the call itself.
 * Leaves: predefined routines to predefined.c, those written in C to foreign.c, activations to
 *         mobile_process.c, blocks and copies of recursive routines to recursion.c.
 * Holds:  a call of a routine whose text encloses the call is a recursion edge: it runs on a block
 *         of its own, so that the stack bound of a process stays finite. Every cycle of the call
 *         graph has one, since a name is visible only after its definition or inside a REC
 *         routine. */
#include "emit_clock.h"
#include "emit_sharing.h"
#include "llvm_compat.h"
#include "routine.h"

#include <string.h>

/* ---- actuals ---- */

/* A mobile formal takes the variable itself, any other formal the contents. */
static Place actual_place(Emitter *emitter, const Type *formal, Node *actual, bool is_written) {
    if (type_is_mobile(formal) && !type_is_mobile(actual->type)) {
        Place made = emit_owned_temporary(emitter, formal, actual->at);
        emit_into(emitter, actual, made);
        return made;
    }
    if (type_is_mobile(formal)) {
        return is_written ? emit_target(emitter, actual) : emit_place(emitter, actual);
    }
    return is_written ? emit_data_target(emitter, actual) : emit_data_place(emitter, actual);
}

/* Checks the subscripts of the actual; passes the counts of an open array. */
static size_t emit_timers(Emitter *emitter, const Type *formal, Node *actual,
                          LLVMValueRef *values) {
    Place timers = emit_place(emitter, actual);
    values[0] = LLVMConstNull(emitter->ptr);
    emit_counts_for(emitter, formal, timers, actual->at, values + 1);
    unsigned open = type_open_dimensions(formal);
    return open > 0 ? 1 + open : 0;
}

/* A formal ANY: the address of the variable and its Form. For RESULT the variable is emptied. */
static LLVMValueRef emit_any(Emitter *emitter, const Symbol *formal, Node *actual,
                             NamedPlace *named) {
    bool is_written = formal->formal_mode != FORMAL_VAL;
    Place place = {.type = actual->type};
    if (!is_written && type_is_scalar(actual->type)) {
        place.address = emit_alloca(emitter, lower_memory(emitter, actual->type), "any.value");
        emit_store(emitter, emit_scalar(emitter, actual), place);
    } else {
        place = is_written ? emit_target(emitter, actual) : emit_place(emitter, actual);
        *named = emit_named_place(actual, place, is_written);
    }
    if (formal->formal_mode == FORMAL_RESULT && type_owns(actual->type)) {
        emit_release(emitter, place);
        emit_forget(emitter, place);
    }
    LLVMValueRef any = emit_alloca(emitter, LLVMArrayType2(emitter->i64, 2), "any");
    emit_store_field(emitter, place.address, any, 0);
    emit_store_field(emitter, emit_form_of(emitter, place), any, 8);
    return any;
}

size_t emit_actual(Emitter *emitter, Symbol *formal, Node *actual, LLVMValueRef *values,
                   NamedPlace *named) {
    const Type *type = formal->type;
    if (type_is_timer(type)) {
        return emit_timers(emitter, type, actual, values);
    }
    if (type->kind == TYPE_CHANNEL) {
        Place channel = emit_place(emitter, actual);
        values[0] = channel.address;
        *named = emit_named_ends(emitter, actual, channel, formal->direction);
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
    if (symbol_is_given_by_value(formal)) {
        values[0] = emit_scalar(emitter, actual);
        return 1;
    }
    if (type == type_any_data() && actual->type != type) {
        values[0] = emit_any(emitter, formal, actual, named);
        return 1;
    }
    bool is_written =
        formal->formal_mode == FORMAL_REFERENCE || formal->formal_mode == FORMAL_RESULT;
    Place place = actual_place(emitter, type, actual, is_written);
    if (type_is_channel(type)) {
        *named = emit_named_ends(emitter, actual, place, formal->direction);
    } else if (!type_is_sync(type)) {
        *named = emit_named_place(actual, place, is_written && !type_is_shared(type));
    }
    values[0] = place.address;
    emit_counts_for(emitter, type, place, actual->at, values + 1);
    return 1 + type_open_dimensions(type);
}

static LLVMValueRef *new_arguments(Emitter *emitter, Node *routine) {
    return arena_new_array(emitter->arena, LLVMValueRef, routine_parameter_limit(routine));
}

static size_t call_arguments(Emitter *emitter, Node *routine, const NodeList *actuals,
                             LLVMValueRef *arguments, Location at) {
    size_t count = 0;
    arguments[count++] = emit_me(emitter);
    const NodeList *formals = node_formals(routine);
    NamedPlace *named = arena_new_array(emitter->arena, NamedPlace, formals->count);
    for (size_t i = 0; i < formals->count && i < actuals->count; i++) {
        count += emit_actual(emitter, formals->items[i]->formal.def->def.symbol, actuals->items[i],
                             arguments + count, &named[i]);
    }
    emit_check_overlap(emitter, named, formals->count);
    ProcInfo *info = node_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        if (!routine_asks_activation(info, info->free_names.items[i])) {
            count += capture_values(emitter, info->free_names.items[i], arguments + count);
        }
    }
    if (info->suspends) {
        arguments[count++] = emitter->routine->mobile_object;
    }
    if (routine_is_told_at_call(info)) {
        arguments[count++] = emit_call_sites(emitter, at, info->symbol->name->bytes);
    }
    return count;
}

/* ---- calls ---- */

/* No chain of calls goes through a branch, which is only ever started. */
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
    const RoutineBody *body = node_info(routine)->elsewhere;
    if (body && body->kind != BODY_OCCAM) {
        return emit_foreign_call(emitter, body, decl, arguments, count, at);
    }
    LLVMValueRef function = decl->function;
    if (is_recursion_edge(emitter, routine)) {
        function = recursion_next_copy(emitter, decl);
        if (function == NULL) {
            return emit_call_on_segment(emitter, decl, arguments, count, at);
        }
    }
    LLVMValueRef result =
        LLVMBuildCall2(emitter->builder, decl->type, function, arguments, (unsigned)count, "");
    LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
    /* a routine that never waits may have let others run all the same (preemption.c) */
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
    const RoutineBody *body = node_info(callee->definition)->elsewhere;
    if (body && body->kind == BODY_RUNTIME) {
        emit_sync_call(emitter, call, body->sync);
        return;
    }
    RoutineDecl *decl = routine_find(emitter, callee);
    if (decl == NULL) {
        bug("PROC '%s' is not declared", callee->name->bytes);
    }
    LLVMValueRef *arguments = new_arguments(emitter, callee->definition);
    size_t count =
        call_arguments(emitter, callee->definition, &call->call.actuals, arguments, call->at);
    call_routine(emitter, callee->definition, decl, arguments, count, call->at);
    if (node_info(callee->definition)->suspends) {
        emit_end_when_cancelled(emitter, call);
    }
}

void emit_main_call(Emitter *emitter, Symbol *proc, LLVMValueRef *channels, size_t count) {
    LLVMValueRef arguments[4] = {emit_me(emitter)};
    memcpy(arguments + 1, channels, count * sizeof *channels);
    RoutineDecl *decl = routine_find(emitter, proc);
    /* not inlined, so that reports can name it */
    compat_add_attribute(emitter->context, decl->function, COMPAT_FUNCTION, "noinline", 0);
    call_routine(emitter, proc->definition, decl, arguments, count + 1, proc->at);
}

LLVMValueRef emit_routine_call(Emitter *emitter, Symbol *callee, const NodeList *actuals,
                               Place *results, size_t result_count, Location at) {
    RoutineDecl *decl = routine_find(emitter, callee);
    if (decl == NULL) {
        bug("FUNCTION '%s' is not declared", callee->name->bytes);
    }
    LLVMValueRef *arguments = new_arguments(emitter, callee->definition);
    size_t count = call_arguments(emitter, callee->definition, actuals, arguments, at);
    if (decl->scalar_result == NULL) {
        for (size_t i = 0; i < result_count; i++) {
            arguments[count++] = results[i].address;
        }
    }
    LLVMValueRef result = call_routine(emitter, callee->definition, decl, arguments, count, at);
    return decl->scalar_result != NULL ? result : NULL;
}

LLVMValueRef emit_function_call(Emitter *emitter, Node *call, Place *results, size_t result_count) {
    Symbol *callee = call->function_call.callee->name.symbol;
    if (callee->kind == SYMBOL_PREDEFINED) {
        return emit_predefined_function(emitter, call, results, result_count);
    }
    return emit_routine_call(emitter, callee, &call->function_call.actuals, results, result_count,
                             call->at);
}
