/* routine -- what the files about routines share: see routine.c. */
#ifndef OCCC_ROUTINE_H
#define OCCC_ROUTINE_H

#include "emit.h"

/* RoutineDecl -- Symbol.backend of a PROC or FUNCTION. */
typedef struct RoutineDecl {
    LLVMValueRef function;
    LLVMTypeRef type;
    LLVMValueRef segment; /* body for occ_call_on_segment, made at the first recursive call */
    LLVMValueRef *copies; /* of a recursive routine (recursion.c); copies[0] is function */
    bool has_loops;       /* of such a one: as far as is known */
    unsigned copy_count;
    bool may_wait;
    const Type *scalar_result; /* returned by value; else NULL */
    size_t result_count;
} RoutineDecl;

/* recursion_make_copies -- declare the copies of a routine whose body is about to be emitted. */
void recursion_make_copies(Emitter *emitter, Node *routine, RoutineDecl *decl);
/* recursion_next_copy -- for a recursive call in the routine being emitted: the copy to call on the
 * same block; NULL: the callee needs a block of its own. */
LLVMValueRef recursion_next_copy(const Emitter *emitter, const RoutineDecl *decl);
/* emit_call_on_segment -- a recursion edge: arguments[0] is me; returns a scalar result or NULL. */
LLVMValueRef emit_call_on_segment(Emitter *emitter, RoutineDecl *decl, LLVMValueRef *arguments,
                                  size_t count, Location at);

/* ---- routine.c: the PROC or FUNCTION in the tree ---- */
/* routine_results -- returns how many there are; *types: their types. single: storage for one. */
size_t routine_results(Node *routine, const Type ***types, const Type **single);

/* ---- routine.c: the LLVM function ---- */
RoutineDecl *routine_declare(Emitter *emitter, Node *routine);
/* routine_find -- declared at its first use; NULL for a nested routine not declared yet. */
RoutineDecl *routine_find(Emitter *emitter, Symbol *symbol);
/* routine_parameter_limit -- an upper bound of its parameters, result pointers included. */
size_t routine_parameter_limit(Node *routine);
/* routine_asks_activation -- the free name is a parameter of the mobile process round a PROC that
 * suspends: it is no parameter of that PROC, but looked up at each use. */
bool routine_asks_activation(const ProcInfo *info, const Symbol *free_name);
/* routine_parameter_types -- of me, the formals, the free names, and the mobile process if the
 * routine suspends; returns how many. */
size_t routine_parameter_types(Emitter *emitter, Node *routine, LLVMTypeRef *types);
/* routine_bind_parameters -- in the body; returns the number of the first parameter after them. */
unsigned routine_bind_parameters(Emitter *emitter, Node *routine);

/* ---- sync.c: FORK ---- */
/* emit_sync_routine -- a routine that makes the call of this FORK to a PROC of module sync. */
LLVMValueRef emit_sync_routine(Emitter *emitter, Node *proc, Node *fork);

/* ---- foreign.c: routines written in C ---- */
/* foreign_declare -- decl->function becomes the thunk, void (record); decl->type is that of a
 * routine of the language. */
void foreign_declare(Emitter *emitter, const RoutineBody *body, const NodeList *formals,
                     RoutineDecl *decl);
/* emit_foreign_call -- arguments[0] is me; returns the scalar result or NULL. */
LLVMValueRef emit_foreign_call(Emitter *emitter, const RoutineBody *body, const RoutineDecl *decl,
                               LLVMValueRef *arguments, size_t count, Location at);
/* emit_foreign_routine -- a routine of type decl->type that makes the call: for FORK. */
LLVMValueRef emit_foreign_routine(Emitter *emitter, const Node *proc, const RoutineDecl *decl);

#endif
