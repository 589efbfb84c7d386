/* routine -- what a PROC or FUNCTION is in IR: its parameters, results and declaration.
 *
 * Owns:   the LLVM function that stands for a routine, from the first time it is named.
 * Leaves: how a name travels to capture.c, bodies to procedure.c, calls to call.c.
 * Holds:  a routine that may wait returns me. Parameters are me, formals, free names, result
 *         pointers (emitter.h). A routine of the outermost level is declared when it is first
 *         called, or named for a library, and its body waits in the list: what the program does not
 *         use is not emitted at all. */
#include "routine.h"

#include "llvm_compat.h"

size_t routine_results(Node *routine, const Type ***types, const Type **single) {
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

/* ---- parameters ---- */

bool routine_asks_activation(const ProcInfo *info, const Symbol *free_name) {
    const Node *owner = free_name->owner;
    return info->suspends && free_name->kind == SYMBOL_FORMAL && owner->kind == NODE_PROC &&
           owner->proc.is_mobile;
}

size_t routine_parameter_limit(Node *routine) {
    const Type **results = NULL;
    const Type *single = NULL;
    size_t names = node_formals(routine)->count + node_info(routine)->free_names.count;
    return 3 + names * CAPTURE_MAX + routine_results(routine, &results, &single);
}

size_t routine_parameter_types(Emitter *emitter, Node *routine, LLVMTypeRef *types) {
    size_t count = 0;
    types[count++] = emitter->ptr; /* me */
    const NodeList *formals = node_formals(routine);
    for (size_t i = 0; i < formals->count; i++) {
        count += capture_types(emitter, formals->items[i]->formal.def->def.symbol, types + count);
    }
    ProcInfo *info = node_info(routine);
    for (size_t i = 0; i < info->free_names.count; i++) {
        count += routine_asks_activation(info, info->free_names.items[i])
                     ? 0
                     : capture_types(emitter, info->free_names.items[i], types + count);
    }
    if (info->suspends) {
        types[count++] = emitter->ptr; /* the mobile process that calls it */
    }
    if (routine_is_told_at_call(info)) {
        types[count++] = emitter->ptr;
    }
    return count;
}

/* ---- declaration ---- */

static const char *routine_symbol(Emitter *emitter, Node *routine) {
    const ProcInfo *info = node_info(routine);
    if (info->elsewhere || info->link_name) {
        return info->elsewhere ? info->elsewhere->symbol : info->link_name;
    }
    const char *outer = emitter->options->unit_name;
    if (node_def(routine)->def.symbol->owner != NULL) {
        outer = LLVMGetValueName2(emitter->routine->function, &(size_t){0});
    }
    return text_link_name(emitter->arena, outer, node_def(routine)->def.name->bytes);
}

static void set_inline_hint(Emitter *emitter, Node *routine, LLVMValueRef function) {
    bool is_inline =
        routine->kind == NODE_PROC ? routine->proc.is_inline : routine->function.is_inline;
    if (is_inline) {
        compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "inlinehint", 0);
    }
}

RoutineDecl *routine_declare(Emitter *emitter, Node *routine) {
    RoutineDecl *decl = arena_new(emitter->arena, RoutineDecl);
    LLVMTypeRef *types =
        arena_new_array(emitter->arena, LLVMTypeRef, routine_parameter_limit(routine));
    size_t count = routine_parameter_types(emitter, routine, types);
    const Type **results = NULL;
    const Type *single = NULL;
    decl->result_count = routine_results(routine, &results, &single);
    LLVMTypeRef result = node_info(routine)->may_wait ? emitter->ptr : emitter->void_type;
    if (decl->result_count == 1 && type_is_scalar(results[0])) {
        decl->scalar_result = results[0];
        result = lower_scalar(emitter, results[0]);
    } else {
        for (size_t i = 0; i < decl->result_count; i++) {
            types[count++] = emitter->ptr;
        }
    }
    decl->may_wait = node_info(routine)->may_wait;
    decl->type = LLVMFunctionType(result, types, (unsigned)count, 0);
    const RoutineBody *body = node_info(routine)->elsewhere;
    node_def(routine)->def.symbol->backend = decl;
    if (body && body->kind != BODY_OCCAM) {
        foreign_declare(emitter, body, node_formals(routine), decl);
        return decl;
    }
    const char *symbol = routine_symbol(emitter, routine);
    if (body) { /* #USE in two scopes: two declarations of one routine */
        decl->function = LLVMGetNamedFunction(emitter->module, symbol);
    }
    if (!decl->function) {
        decl->function = LLVMAddFunction(emitter->module, symbol, decl->type);
    }
    if (node_info(routine)->elsewhere || node_info(routine)->link_name) {
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

RoutineDecl *routine_find(Emitter *emitter, Symbol *symbol) {
    bool is_elsewhere = node_info(symbol->definition)->elsewhere != NULL;
    if (symbol->backend == NULL && (symbol->owner == NULL || is_elsewhere)) {
        routine_declare(emitter, symbol->definition);
        if (!node_info(symbol->definition)->elsewhere) {
            array_push(emitter->arena, &emitter->pending, symbol->definition);
        }
    }
    return symbol->backend;
}

LLVMValueRef emit_routine_of(Emitter *emitter, Symbol *proc) {
    RoutineDecl *decl = routine_find(emitter, proc);
    if (decl == NULL) {
        bug("PROC '%s' is not declared", proc->name->bytes);
    }
    return decl->function;
}
