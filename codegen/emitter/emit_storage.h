/* emit_storage -- variables, elements of them, other names for them.
 *
 * Leaves: values to emit_value.h, what owns memory to emit_mobile.h. */
#ifndef OCCC_EMIT_STORAGE_H
#define OCCC_EMIT_STORAGE_H

#include "emit_scheduling.h"
#include "emitter.h"

/* ---- storage.c: allocas, heap objects, bindings ---- */
const Type *dimension_type(const Type *type, unsigned dimension);
/* emit_place_count -- i32: elements of one dimension, fixed or open. */
LLVMValueRef emit_place_count(Emitter *emitter, Place place, unsigned dimension);
/* emit_counts_for -- the counts a place of type `wanted` carries, taken from `from`; dimensions
 * that `wanted` fixes and `from` leaves open are checked (SIZE_MISMATCH). */
void emit_counts_for(Emitter *emitter, const Type *wanted, Place from, Location at,
                     LLVMValueRef *counts);
void emit_declare_symbol(Emitter *emitter, Symbol *symbol);
void emit_declaration(Emitter *emitter, Node *declaration);
LLVMValueRef emit_alloca(Emitter *emitter, LLVMTypeRef type, const char *name);
/* emit_zeroed_alloca -- all zero from the start of the routine on. */
LLVMValueRef emit_zeroed_alloca(Emitter *emitter, LLVMTypeRef type, const char *name);
/* emit_lifetime_start / _end -- the life of a frame object begins or ends; objects that do not live
 * at the same time share memory in the frame. */
void emit_lifetime_start(Emitter *emitter, LLVMValueRef slot);
void emit_lifetime_end(Emitter *emitter, LLVMValueRef slot);
/* emit_heap -- size_bytes (i64) from the heap of the worker. */
LLVMValueRef emit_heap(Emitter *emitter, LLVMValueRef size_bytes, Location at, const char *name);
/* emit_object -- storage for a fixed-size object: alloca, or heap when large (*heap is set). */
Place emit_object(Emitter *emitter, const Type *type, const char *name, LLVMValueRef *heap,
                  Location at);
/* emit_channel_pointers -- store the addresses of `count` channels, at least one, `each` bytes
 * apart, in pointers[..]; they are the owner's if it is not NULL. */
void emit_channel_pointers(Emitter *emitter, LLVMValueRef stores, LLVMValueRef pointers,
                           LLVMValueRef count, uint64_t each, LLVMValueRef owner);
Binding *emit_bind_value(Emitter *emitter, Symbol *symbol, LLVMValueRef value);
Binding *emit_bind_place(Emitter *emitter, Symbol *symbol, Place place);
Binding *emit_find_binding(Emitter *emitter, Symbol *symbol);

/* ---- first_use.c: must a new variable start as zero? ---- */
/* emit_specifications -- emit all of a list; process: what follows them (a process, ALTERNATIVE or
 * VARIANT), or NULL when that is not followed. */
void emit_specifications(Emitter *emitter, const NodeList *specs, Node *process);
bool emit_needs_zero(Emitter *emitter, const Symbol *symbol);
/* emit_is_named -- does the text name the object, or call a routine that uses it from outside? */
bool emit_is_named(Node *text, const Symbol *symbol);

/* ---- access.c: elements ---- */
/* emit_place -- address of a name, subscript, field, segment, END; also of any array or record
 * valued expression (constant global or temporary). Checks subscripts. */
Place emit_place(Emitter *emitter, Node *element);
/* emit_channel -- the Channel * of a channel expression (NAME, SUBSCRIPT, END). */
LLVMValueRef emit_channel(Emitter *emitter, Node *channel);
/* emit_element -- element `index` of dimension 0; index is i32 and in range. For an array of
 * channels the channel itself. */
Place emit_element(Emitter *emitter, Place array, LLVMValueRef index);
Place emit_field_place(Emitter *emitter, Place record, size_t index);
/* emit_segment -- elements from .. from + length - 1, in range. */
Place emit_segment(Emitter *emitter, Place array, LLVMValueRef from, LLVMValueRef length);
/* emit_no_place -- stands for the place of a construct that was refused, and of a TIMER, which has
 * no bytes: of an array of them only the counts are known. */
Place emit_no_place(Emitter *emitter, const Type *type);
/* emit_element_slot -- of an array of channels: where the pointer to one lies. */
Place emit_element_slot(Emitter *emitter, Place array, LLVMValueRef index);
/* emit_is_element -- the expression has a place of its own: name, subscript, field, segment, end.
 */
bool emit_is_element(const Node *expression);
/* emit_copy -- whole object of `from` to `to`; same size (checked when counts are open).
 * emit_copy_over -- where one may be part of the other. */
void emit_copy(Emitter *emitter, Place to, Place from, Location at);
void emit_copy_over(Emitter *emitter, Place to, Place from, Location at);
const char *emit_object_name(Emitter *emitter, Node *element); /* 'buf', 'left.pick' for sites */

/* ---- abbreviation.c: IS, VAL, INITIAL, RESULT, RETYPES, RESHAPES ---- */
void emit_abbreviation(Emitter *emitter, Node *abbreviation);

/* ---- overlap.c: two names for one object ---- */
/* emit_are_disjoint -- i1: two objects have no byte in common. */
LLVMValueRef emit_are_disjoint(Emitter *emitter, Place first, Place second);
NamedPlace emit_named_place(Node *element, Place place, bool is_written);
/* emit_named_ends -- NamedPlace for channel ends, which are used in that direction. */
NamedPlace emit_named_ends(Emitter *emitter, Node *element, Place place, Direction direction);
/* AssignedPlace -- a target of a multiple assignment, and what is assigned: a value, or what lies
 * at an address; NULL: neither is known. */
typedef struct AssignedPlace {
    NamedPlace named;
    LLVMValueRef scalar;
    LLVMValueRef source;
} AssignedPlace;
/* emit_check_targets -- an error if two targets are one object but get different values. */
void emit_check_targets(Emitter *emitter, const AssignedPlace *places, size_t count);
/* emit_check_overlap -- of all actuals of a call that are not copied. */
void emit_check_overlap(Emitter *emitter, const NamedPlace *places, size_t count);
/* emit_enter_abbreviation / emit_leave_abbreviations -- check against those in scope, and add it;
 * drop them (called by emit_scope_end). */
void emit_enter_abbreviation(Emitter *emitter, Symbol *symbol, NamedPlace named);
void emit_leave_abbreviations(Emitter *emitter, const NodeList *specifications);

/* ---- replicator.c ---- */
/* A counted loop over a replicator; body is called once with the index bound. */
typedef struct ReplicatorLoop {
    LLVMValueRef base, count, step; /* i32, evaluated once; count checked not negative */
    LLVMValueRef iteration;         /* i32: 0 .. count-1 */
    LLVMValueRef index;             /* i32: base + iteration * step */
    LLVMBasicBlockRef header, exit, latch;
    LoopLook look;               /* LOOK_NEVER, unless set between values and begin */
    unsigned block;              /* LOOK_IN_BLOCKS: iterations of one */
    LLVMValueRef done, limit;    /* LOOK_IN_BLOCKS: first iteration of the block, and of the next */
    LLVMBasicBlockRef blocks;    /* LOOK_IN_BLOCKS: header of the loop over blocks */
    LLVMBasicBlockRef block_end; /* and its latch */
} ReplicatorLoop;
void emit_replicator_values(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_begin(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_end(Emitter *emitter, ReplicatorLoop *loop);
/* emit_replicator_iteration -- the index of this iteration, without a loop. */
void emit_replicator_iteration(Emitter *emitter, Node *replicator, ReplicatorLoop *loop,
                               unsigned iteration);
#endif
