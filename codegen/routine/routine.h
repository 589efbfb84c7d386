/* routine -- what the files about routines know of one: see routine.c. */
#ifndef OCCC_ROUTINE_H
#define OCCC_ROUTINE_H

#include "emit.h"

/* RoutineDecl -- Symbol.backend of a PROC or FUNCTION. */
typedef struct RoutineDecl {
    LLVMValueRef function;
    LLVMTypeRef type;
    LLVMValueRef segment; /* body for occ_call_on_segment, made at the first recursive call */
    LLVMValueRef *copies; /* of a recursive routine (recursion.c); copies[0] is function */
    unsigned copy_count;
    bool may_wait;
    const Type *scalar_result; /* returned by value; else NULL */
    size_t result_count;
} RoutineDecl;

/* recursion_make_copies -- declare the copies of a routine whose body is about to be emitted. */
void recursion_make_copies(Emitter *emitter, Node *routine, RoutineDecl *decl);
/* recursion_next_copy -- for a recursive call from where emission stands: the copy to call on the
 * same block; NULL: the callee needs a block of its own. */
LLVMValueRef recursion_next_copy(const Emitter *emitter, const RoutineDecl *decl);
/* emit_call_on_segment -- a recursion edge: arguments[0] is me; the scalar result or NULL. */
LLVMValueRef emit_call_on_segment(Emitter *emitter, RoutineDecl *decl, LLVMValueRef *arguments,
                                  size_t count, Location at);

/* ---- routine.c: the PROC or FUNCTION in the tree ---- */
/* routine_results -- how many; *types are theirs. single: storage for the type of one. */
size_t routine_results(Node *routine, const Type ***types, const Type **single);

/* ---- routine.c: the LLVM function ---- */
RoutineDecl *routine_declare(Emitter *emitter, Node *routine);
/* routine_find -- declared when this is its first use; NULL for a nested one that is not yet. */
RoutineDecl *routine_find(Emitter *emitter, Symbol *symbol);
/* routine_parameter_limit -- a routine has no more parameters than these, places for results too.
 */
size_t routine_parameter_limit(Node *routine);
/* routine_asks_activation -- the free name is a parameter of the mobile process round a PROC that
 * suspends: it is no parameter of that PROC, but looked up at each use. */
bool routine_asks_activation(const ProcInfo *info, const Symbol *free_name);
/* routine_parameter_types -- of me, the formals, the free names, and the mobile process of what
 * suspends; returns how many. */
size_t routine_parameter_types(Emitter *emitter, Node *routine, LLVMTypeRef *types);
/* routine_bind_parameters -- in the body that is emitted; returns the first that is none of them.
 */
unsigned routine_bind_parameters(Emitter *emitter, Node *routine);

/* ---- sync.c: FORK ---- */
/* emit_sync_routine -- a routine of ours that makes the call of this FORK to one of module sync. */
LLVMValueRef emit_sync_routine(Emitter *emitter, Node *proc, Node *fork);

/* ---- foreign.c: routines written in C ---- */
/* foreign_declare -- decl->function becomes what calls it: void (record). decl->type is that of a
 * routine of ours. */
void foreign_declare(Emitter *emitter, const RoutineBody *body, const NodeList *formals,
                     RoutineDecl *decl);
/* emit_foreign_call -- arguments[0] is me; the scalar result or NULL. */
LLVMValueRef emit_foreign_call(Emitter *emitter, const RoutineBody *body, const RoutineDecl *decl,
                               LLVMValueRef *arguments, size_t count, Location at);
/* emit_foreign_routine -- a routine of ours, of the type decl->type, that makes the call: for FORK.
 */
LLVMValueRef emit_foreign_routine(Emitter *emitter, const Node *proc, const RoutineDecl *decl);

#endif
