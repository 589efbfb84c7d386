/* emit_mobile -- objects that own something, and processes that are values.
 *
 * Leaves: bundles and boxes to emit_sharing.h, mobile clocks to emit_clock.h. */
#ifndef OCCC_EMIT_MOBILE_H
#define OCCC_EMIT_MOBILE_H

#include "emitter.h"

/* ---- mobile_memory.c: blocks ---- */
/* emit_helper -- an internal function of the unit, no body yet. */
LLVMValueRef emit_helper(Emitter *emitter, const char *name, LLVMTypeRef result,
                         LLVMTypeRef *parameters, unsigned count);
/* emit_mobile_block -- a block of size_bytes (i64), header included, its counts stored. */
LLVMValueRef emit_mobile_block(Emitter *emitter, LLVMValueRef size_bytes,
                               const LLVMValueRef *counts, unsigned open, LLVMValueRef site);
void emit_mobile_give(Emitter *emitter, LLVMValueRef object);

/* ---- mobile.c, mobile_parts.c: objects that own something (type_owns) ----
 * An owner that is empty (forgotten, or never written) may be overwritten; any other must be
 * released first. */
/* emit_content -- the place of the contents, given that of a mobile; any other place unchanged.
 * element: the expression in the text. Undefined: an error, or an array of no elements. */
Place emit_content(Emitter *emitter, Place place, Node *element);
/* emit_data_place -- emit_place, then emit_content: where plain data is wanted. */
Place emit_data_place(Emitter *emitter, Node *element);
/* emit_target, emit_data_target -- emit_place and emit_data_place of what will be written: objects
 * of constant size on the way to it are made if they are undefined. */
Place emit_target(Emitter *emitter, Node *element);
Place emit_data_target(Emitter *emitter, Node *element);
/* emit_is_something -- i1: the contents are not those of an undefined array. */
LLVMValueRef emit_is_something(Emitter *emitter, Place content);
/* emit_mobile_header_bytes -- of the header of an object with so many open dimensions. */
unsigned emit_mobile_header_bytes(unsigned open);
/* emit_object_content -- the contents of an object that is not NULL. */
Place emit_object_content(Emitter *emitter, const Type *mobile, LLVMValueRef object);
/* emit_mobile_object -- a new object; parts that own something are empty. emit_fresh_object -- the
 * same, and all else is zero. */
LLVMValueRef emit_mobile_object(Emitter *emitter, const Type *mobile, const LLVMValueRef *counts,
                                Location at, const char *name);
LLVMValueRef emit_fresh_object(Emitter *emitter, const Type *mobile, const LLVMValueRef *counts,
                               Location at, const char *name);
/* emit_content_align -- alignment of the contents of an object with so many open dimensions. */
unsigned emit_content_align(unsigned open);
/* emit_release -- give back all that the place owns; its bits stay. */
void emit_release(Emitter *emitter, Place place);
/* emit_release_body -- a process body (me, object) that releases an object of the type. */
LLVMValueRef emit_release_body(Emitter *emitter, const Type *type);
/* emit_forget -- make the place empty, whatever it holds. */
void emit_forget(Emitter *emitter, Place place);
/* emit_clone_parts -- the place holds the bits of another owner: clone what those own. */
void emit_clone_parts(Emitter *emitter, Place place, Location at, const char *name);
LLVMValueRef emit_defined(Emitter *emitter, Node *defined);

/* ---- mobile_shape.c ---- */
/* emit_shape -- the Shape (runtime/core/machines.h) of an owner that can leave its machine, or
 * NULL. */
LLVMValueRef emit_shape(Emitter *emitter, const Type *type);

/* ---- mobile_recursive.c: objects that may own more of their own type ---- */
typedef void ObjectEmitter(Emitter *emitter, const Type *mobile, LLVMValueRef object,
                           LLVMValueRef site);
bool emit_is_nested(const Type *mobile);
/* ---- mobile_form.c ---- */
/* emit_form -- the Form of a data type (runtime/core/form.h). */
LLVMValueRef emit_form(Emitter *emitter, const Type *type);
/* emit_form_of -- the same of a variable, which may be an array with open dimensions. */
LLVMValueRef emit_form_of(Emitter *emitter, Place place);

/* emit_nested_begin, emit_nested_each -- the routine being emitted does emit_one with every object
 * on the waiting list until it is empty; between the two calls the first object is put on it. */
void emit_nested_begin(Emitter *emitter, const Type *mobile);
void emit_nested_each(Emitter *emitter, ObjectEmitter *emit_one, LLVMValueRef site);
/* emit_wait_for_loop -- put the object on the list; false: there is no loop for its type here. */
bool emit_wait_for_loop(Emitter *emitter, const Type *mobile, LLVMValueRef object);
/* emit_leads_to_waiting -- there is a loop here, and what the mobile owns may go on its list. */
bool emit_leads_to_waiting(Emitter *emitter, const Type *mobile);

/* ---- mobile_value.c: values for owners ---- */
/* emit_owner_into -- emit_into for an empty owner; false: go on part by part. */
bool emit_owner_into(Emitter *emitter, Node *value, Place to);
/* emit_loose_value -- the value in a place that nobody releases: it must be moved on at once. */
Place emit_loose_value(Emitter *emitter, Node *value, const Type *type);
/* emit_own -- release what `to` owns and give it the loose value. */
void emit_own(Emitter *emitter, Place to, Place loose);
/* emit_owned_temporary -- an empty owner, released at the end of the process around `at`. */
Place emit_owned_temporary(Emitter *emitter, const Type *type, Location at);
void emit_end_owned(Emitter *emitter, size_t live);

/* ---- mobile_process.c ---- */
/* emit_mobile_body -- the function of a MOBILE PROC: (me, object, 0). */
LLVMValueRef emit_mobile_body(Emitter *emitter, Symbol *symbol);
void emit_mobile_proc(Emitter *emitter, Node *proc); /* its text */
/* emit_binding_of_actual -- the binding of a formal of a MOBILE PROC in the current activation. */
Binding *emit_binding_of_actual(Emitter *emitter, const Symbol *formal, const Binding *bound);
LLVMValueRef emit_process_object(Emitter *emitter, Node *allocation);
void emit_activation(Emitter *emitter, Node *call);
void emit_suspend(Emitter *emitter, Node *suspend);
/* emit_end_when_cancelled -- after a SUSPEND, or a call that suspends: a process whose object is
 * given back releases what is in scope there, and ends. */
void emit_end_when_cancelled(Emitter *emitter, const Node *process);
/* emit_bind_activation -- a parameter of a mobile process, looked up in its object at each use. */
void emit_bind_activation(Emitter *emitter, Symbol *formal, LLVMValueRef object);
/* emit_process_release -- what a mobile process holds, before its object is given back. */
void emit_process_release(Emitter *emitter, LLVMValueRef object);

#endif
