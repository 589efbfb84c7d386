/* emit -- the shared context of code generation and one prototype per construct.
 *
 * How values look in IR:
 *   BOOL is i1 in registers and i8 (0 or 1) in memory; BYTE i8; INT, INT32, UINT i32; INT16 i16;
 *   INT64 i64; REAL32 float; REAL64 double; NAMED as what it names. Arrays and records live in
 *   memory only, row-major, without padding but the records' own (types.h offsets).
 *   A channel is a pointer to a Channel (layout.def); an array of channels is an array of pointers.
 *   TIMER has no value. Nothing of the language is ever a first-class aggregate.
 * How routines look:
 *   T name (me, formals.., free names.., result pointers..). `me` is the Process. A routine that
 *   may wait is preserve_none (CALL_PRESERVE_NONE), returns me, by the thunk; others are C
 *   convention.
 *   Formals: VAL scalar by value; VAL array/record, reference, RESULT: address; then one i32 count
 *   per open dimension, outermost first. Channel: Channel *; array of channels: address of the
 *   pointers, then counts. Free names the same way (a replicator and a VAL scalar by value).
 *   A FUNCTION with one scalar result returns it; every other result is written through a pointer
 *   argument after the free names.
 * Invariants: allocas stand in the entry block, have constant size and at most 16-byte alignment;
 *   objects of more than FRAME_OBJECT_LIMIT bytes are on the heap of the worker. No call into C but
 *   through emit_runtime_call. A block that was terminated is never emitted into: after STOP and
 *   errors emission goes on in a fresh unreachable block. */
#ifndef OCCC_EMIT_H
#define OCCC_EMIT_H

#include "codegen.h"

#include <llvm-c/Core.h>

#define FRAME_OBJECT_LIMIT 4096
#define CALL_PRESERVE_NONE 21
#define MAX_RANK           16

/* RuntimeCall -- one per line of abi.def: RT_channel_input, ... */
typedef enum RuntimeCall {
#define OCC_CALL0(name, r, effect, stack)             RT_##name,
#define OCC_CALL1(name, r, a, effect, stack)          RT_##name,
#define OCC_CALL2(name, r, a, b, effect, stack)       RT_##name,
#define OCC_CALL3(name, r, a, b, c, effect, stack)    RT_##name,
#define OCC_CALL4(name, r, a, b, c, d, effect, stack) RT_##name,
#include "../runtime/include/occ/abi.def"
#undef OCC_CALL0
#undef OCC_CALL1
#undef OCC_CALL2
#undef OCC_CALL3
#undef OCC_CALL4
    RT_COUNT
} RuntimeCall;

/* Error and wait kinds as the runtime numbers them. */
typedef enum ErrorKind {
#define OCC_ERROR(KIND, name, message) ERROR_##KIND,
#include "../runtime/include/occ/error.def"
#undef OCC_ERROR
    ERROR_KIND_COUNT
} ErrorKind;
typedef enum WaitReason {
#define OCC_WAIT(REASON, words) WAIT_##REASON,
#include "../runtime/include/occ/wait_reason.def"
#undef OCC_WAIT
    WAIT_REASON_COUNT
} WaitReason;

/* RealFunction -- what RT_real_function calculates. */
typedef enum RealFunction {
#define OCC_REAL1(NAME, function) REAL_FUNCTION_##NAME,
#define OCC_REAL2(NAME, function) REAL_FUNCTION_##NAME,
#include "../runtime/include/occ/real_function.def"
#undef OCC_REAL1
#undef OCC_REAL2
    REAL_FUNCTION_COUNT
} RealFunction;

/* Place -- an object in memory: its first byte and, for each open dimension of its type (outermost
 * first), the count of elements as i32. For a channel, address is the Channel * itself. */
typedef struct Place {
    LLVMValueRef address;
    const Type *type;
    LLVMValueRef counts[MAX_RANK];
} Place;

/* Binding -- what a symbol is in the routine being emitted. A new one per routine: a captured name
 * has another binding in the routine of a PAR branch. Found by emit_find_binding. */
typedef struct Binding {
    bool is_value; /* scalar value in `value`; else `place` */
    LLVMValueRef value;
    Place place;
    LLVMValueRef heap;   /* base to free at scope end, when the object is on the heap */
    bool is_kept;        /* shared channels to drop at scope end */
    LLVMValueRef object; /* formal of a MOBILE PROC: where its values lie, see mobile_process.c */
    size_t slot;
} Binding;

/* NamedPlace -- an element in use under a name: an actual, or what an abbreviation names. */
typedef struct NamedPlace {
    Node *element;
    Symbol *root;   /* the object the element is part of; NULL when it is a value */
    Symbol *symbol; /* the abbreviation */
    Place place;
    bool is_written;
} NamedPlace;

/* SavedBinding -- what a symbol was bound to in the routine outside. */
typedef struct SavedBinding {
    Symbol *symbol;
    void *backend;
} SavedBinding;

typedef struct Emitter Emitter;
typedef struct Routine Routine; /* the LLVM function being emitted */

struct Routine {
    LLVMValueRef function;
    LLVMValueRef me_slot;     /* holds me: see emit_me */
    LLVMValueRef worker_slot; /* holds the worker of me: see emit_worker */
    LLVMValueRef head_slot;   /* holds the head of its run queue: see emit_head */
    LLVMBasicBlockRef entry;  /* allocas only; jumps to body once the routine is complete */
    LLVMBasicBlockRef body;
    LLVMBasicBlockRef resume_block; /* where the outer routine's emission goes on */
    LLVMMetadataRef resume_location;
    LLVMValueRef mobile_object; /* of a MOBILE PROC; else NULL */
    Node *node;                 /* PROC or FUNCTION it belongs to; NULL for occ.main */
    const char *proc_name;      /* for Site records */
    bool may_wait;
    bool is_process; /* a branch that is only started, never called: it has a block of its own */
    ARRAY_OF(LLVMValueRef) temporaries; /* frame slots of heap temporaries (temporary.c) */
    ARRAY_OF(LLVMValueRef) live;        /* temporaries of the processes being emitted */
    ARRAY_OF(Place) owned;              /* of those, what must be released (mobile_value.c) */
    ARRAY_OF(NamedPlace) abbreviations; /* of elements, in scope (overlap.c) */
    ARRAY_OF(SavedBinding) saved;       /* bindings replaced in this routine, restored at its end */
    Routine *outer;                     /* routine whose emission is suspended */
    LLVMMetadataRef debug_scope;
    size_t branch_count; /* to name PAR branches */
    unsigned copy;       /* of a recursive routine: which (recursion.c) */
};

/* EmitScope -- the block whose specification `index` is being emitted; process NULL: unknown. */
typedef struct EmitScope {
    const NodeList *specs;
    size_t index;
    Node *process;
} EmitScope;

/* MobileFunction -- a function of the unit that releases or clones objects of one type. */
typedef struct MobileFunction {
    const Type *type;
    LLVMValueRef function;
} MobileFunction;
typedef ARRAY_OF(MobileFunction) MobileFunctions;

struct Emitter {
    Arena *arena;
    const SourceMap *sources;
    Diag *diag;
    const CodegenOptions *options;
    Node *unit;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    Routine *routine;
    EmitScope scope;
    ARRAY_OF(Node *) pending; /* routines declared, bodies not yet emitted; grows at the end */
    bool is_program;          /* has a main process: what it does not call is left out */
    uint32_t symbol_count;
    bool failed;    /* a diagnostic was reported */
    bool is_target; /* the element being emitted is written to: emit_target */
    LLVMMetadataRef data_access, owner_access; /* lower_type.c: memory of different kinds */
    MobileFunctions releases;                  /* mobile.c */
    MobileFunctions release_bodies;
    MobileFunctions clones;
    LLVMValueRef box_release; /* box.c; NULL: not needed so far */
    bool is_alias_known;      /* attribute.c: permits_aliases is worked out */
    bool permits_aliases;
    bool is_forks_known; /* shared_channel.c: has_forks is worked out */
    bool has_forks;
    bool is_closing_known; /* bundle.c: sees_closing is worked out */
    bool sees_closing;
    /* cached types */
    LLVMTypeRef void_type, i1, i8, i16, i32, i64, f32, f64, ptr, site_type;
    struct DebugInfo *debug;           /* NULL without -g */
    struct EmitCache *cache;           /* strings, sites, runtime declarations */
    struct ConstantGlobals *constants; /* constant_data.c */
};

/* ---- module.c: set-up and the entry switch ---- */
void emit_process(Emitter *emitter, Node *process);
/* emit_specification -- bind what it introduces; pair with emit_scope_end for the heap objects. */
void emit_specification(Emitter *emitter, Node *specification);
void emit_scope_end(Emitter *emitter, const NodeList *specifications);
/* emit_scope_release -- give back what they introduce, on a way out through their middle. */
void emit_scope_release(Emitter *emitter, const NodeList *specifications);
void emit_not_supported(Emitter *emitter, Location at, const char *construct);

/* ---- lower_type.c ---- */
LLVMTypeRef lower_scalar(Emitter *emitter, const Type *type); /* in a register */
LLVMTypeRef lower_memory(Emitter *emitter, const Type *type); /* of a scalar in memory */
/* lower_object -- [size x i8]-like type for an alloca or global of a fixed-size object. */
LLVMTypeRef lower_object(Emitter *emitter, const Type *type);

/* ---- constant_data.c: values the checks worked out ---- */
LLVMValueRef emit_constant_scalar(Emitter *emitter, const Constant *constant);
/* emit_constant_place -- a private constant global holding an array or record. */
Place emit_constant_place(Emitter *emitter, const Constant *constant);

/* ---- lower_type.c: memory and sizes ---- */
/* emit_load / emit_store -- scalars between memory and register form. */
LLVMValueRef emit_load(Emitter *emitter, Place place);
void emit_store(Emitter *emitter, LLVMValueRef value, Place place);
/* emit_size_bytes -- i64: bytes of the object, counts of open dimensions taken in. */
LLVMValueRef emit_size_bytes(Emitter *emitter, Place place);
/* emit_count -- i32: elements of dimension 0. */
LLVMValueRef emit_count(Emitter *emitter, Place place);
/* emit_widen_count -- i64 of a count or checked index (i32, not negative). */
LLVMValueRef emit_widen_count(Emitter *emitter, LLVMValueRef count);
/* emit_multiply_size -- product of two sizes or counts (i64) that is known to fit. */
LLVMValueRef emit_multiply_size(Emitter *emitter, LLVMValueRef left, LLVMValueRef right);

/* ---- intrinsic.c ---- */
/* emit_intrinsic -- call `llvm.name`, overloaded on one type or (NULL) on none. */
LLVMValueRef emit_intrinsic(Emitter *emitter, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count);

/* ---- temporary.c: storage of values without a name ---- */
/* emit_temporary -- storage for a fixed-size value; the same at every evaluation of this place in
 * the text, so the value must be dead by then. Not zeroed. */
Place emit_temporary(Emitter *emitter, const Type *type, Location at);
/* emit_end_temporaries -- those beyond the first `live` are dead: a process has been emitted. */
void emit_end_temporaries(Emitter *emitter, size_t live);
/* emit_heap_copy -- a copy of an object of any size; to be freed through RT_heap_free. */
Place emit_heap_copy(Emitter *emitter, Place from, Location at, const char *name);
/* emit_release_temporaries -- before every return of the routine (called by emit_routine_end). */
void emit_release_temporaries(Emitter *emitter);

/* ---- storage.c: allocas, heap objects, bindings ---- */
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
/* emit_lifetime_start / _end -- a frame object begins or ends to be of interest; objects that never
 * are at once share their place in the frame. */
void emit_lifetime_start(Emitter *emitter, LLVMValueRef slot);
void emit_lifetime_end(Emitter *emitter, LLVMValueRef slot);
/* emit_object -- storage for a fixed-size object: alloca, or heap when large (*heap is set). */
Place emit_object(Emitter *emitter, const Type *type, const char *name, LLVMValueRef *heap,
                  Location at);
/* emit_channel_pointers -- the addresses of `count` channels, at least one, `each` bytes apart, to
 * pointers[..]; they are the owner's if it is not NULL. */
void emit_channel_pointers(Emitter *emitter, LLVMValueRef stores, LLVMValueRef pointers,
                           LLVMValueRef count, uint64_t each, LLVMValueRef owner);
Binding *emit_bind_value(Emitter *emitter, Symbol *symbol, LLVMValueRef value);
Binding *emit_bind_place(Emitter *emitter, Symbol *symbol, Place place);
Binding *emit_find_binding(Emitter *emitter, Symbol *symbol);

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
/* emit_no_place -- stands for the place of a construct that was refused. */
Place emit_no_place(Emitter *emitter, const Type *type);
/* emit_is_element -- the expression has a place of its own: name, subscript, field, segment, end.
 */
bool emit_is_element(const Node *expression);
/* emit_copy -- whole object of `from` to `to`; same size (checked when counts are open). */
void emit_copy(Emitter *emitter, Place to, Place from, Location at, bool may_overlap);
const char *emit_object_name(Emitter *emitter, Node *element); /* 'buf', 'left.pick' for sites */

/* ---- expression.c, operator.c, conversion.c ---- */
LLVMValueRef emit_scalar(Emitter *emitter, Node *expression);    /* any scalar expression */
LLVMValueRef emit_condition(Emitter *emitter, Node *expression); /* i1 */
LLVMValueRef emit_user_operator(Emitter *emitter, Node *node, Place *result);
LLVMValueRef emit_monadic(Emitter *emitter, Node *monadic);
LLVMValueRef emit_dyadic(Emitter *emitter, Node *dyadic); /* not AND, OR, user-defined */
/* emit_check_real -- with -fcheck-reals a real that is infinite or no number is an error. */
void emit_check_real(Emitter *emitter, LLVMValueRef value, const char *what, Location at);
/* emit_arithmetic -- checked + - * of two integers. */
LLVMValueRef emit_arithmetic(Emitter *emitter, Operator op, const Type *type, LLVMValueRef left,
                             LLVMValueRef right, Location at);
LLVMValueRef emit_comparison(Emitter *emitter, Operator op, const Type *type, LLVMValueRef left,
                             LLVMValueRef right);
/* emit_check_shift -- count (i32) in 0..width.  emit_shift_bits -- a shift that gives 0 (LLVMShl,
 * LLVMLShr) for a count of the width or more. */
void emit_check_shift(Emitter *emitter, LLVMValueRef count, unsigned width, Location at);
LLVMValueRef emit_shift_bits(Emitter *emitter, LLVMOpcode opcode, LLVMValueRef value,
                             LLVMValueRef count);
/* emit_report_value -- a scalar as an argument of emit_trap_unless: i64, NULL for a real. */
LLVMValueRef emit_report_value(Emitter *emitter, LLVMValueRef value, const Type *type);
LLVMValueRef emit_conversion(Emitter *emitter, Node *conversion);
LLVMValueRef emit_convert_value(Emitter *emitter, LLVMValueRef value, const Type *from,
                                const Type *to, Rounding rounding, Location at);
/* emit_round_to_whole -- a real rounded to a whole number, ties to even. */
LLVMValueRef emit_round_to_whole(Emitter *emitter, LLVMValueRef value);

/* ---- table.c: values in memory ---- */
/* emit_into -- evaluate an expression of any data type into memory it does not read. */
void emit_into(Emitter *emitter, Node *expression, Place to);
/* emit_channel_table -- [a?, b?]: an array of channels made of others. */
Place emit_channel_table(Emitter *emitter, Node *table);

/* ---- abbreviation.c: IS, VAL, INITIAL, RESULT, RETYPES, RESHAPES ---- */
void emit_abbreviation(Emitter *emitter, Node *abbreviation);

/* ---- mobile_memory.c: blocks ---- */
/* emit_helper -- an internal function of the unit, no body yet. */
LLVMValueRef emit_helper(Emitter *emitter, const char *name, LLVMTypeRef result,
                         LLVMTypeRef *parameters, unsigned count);
/* emit_mobile_block -- a block of size_bytes (i64), header included, its counts stored. */
LLVMValueRef emit_mobile_block(Emitter *emitter, LLVMValueRef size_bytes,
                               const LLVMValueRef *counts, unsigned open, LLVMValueRef site);
void emit_mobile_give(Emitter *emitter, LLVMValueRef object);

/* ---- mobile.c: objects that own something (type_owns) ----
 * An owner that is empty (forgotten, or never written) may be overwritten; any other must be
 * released first. */
/* emit_content -- of the place of a mobile that of its contents; any other place is itself.
 * element: what stands in the text. Undefined: an error, or an array of no elements. */
Place emit_content(Emitter *emitter, Place place, Node *element);
/* emit_data_place -- emit_place, then emit_content: where plain data is wanted. */
Place emit_data_place(Emitter *emitter, Node *element);
/* emit_target, emit_data_target -- emit_place and emit_data_place of what will be written: objects
 * of constant size on the way to it are made when they are undefined. */
Place emit_target(Emitter *emitter, Node *element);
Place emit_data_target(Emitter *emitter, Node *element);
/* emit_is_something -- i1: the contents are not those of an undefined array. */
LLVMValueRef emit_is_something(Emitter *emitter, Place content);
/* emit_mobile_header_bytes -- before the contents, of an object with so many open dimensions. */
unsigned emit_mobile_header_bytes(unsigned open);
/* emit_object_content -- the contents of an object that is there. */
Place emit_object_content(Emitter *emitter, const Type *mobile, LLVMValueRef object);
/* emit_mobile_object -- a new object; parts that own something are empty. */
LLVMValueRef emit_mobile_object(Emitter *emitter, const Type *mobile, const LLVMValueRef *counts,
                                Location at, const char *name);
/* emit_release -- give back all that the place owns; its bits stay. */
void emit_release(Emitter *emitter, Place place);
/* emit_release_body -- a body (me, object) that releases an object of the type, on a block. */
LLVMValueRef emit_release_body(Emitter *emitter, const Type *type);
/* emit_forget -- make the place empty, whatever it holds. */
void emit_forget(Emitter *emitter, Place place);
/* emit_clone_parts -- the place holds the bits of another owner: make what they own its own. */
void emit_clone_parts(Emitter *emitter, Place place, Location at, const char *name);
LLVMValueRef emit_defined(Emitter *emitter, Node *defined);

/* ---- mobile_value.c: values for owners ---- */
/* emit_owner_into -- emit_into for an empty owner; false: go on part by part. */
bool emit_owner_into(Emitter *emitter, Node *value, Place to);
/* emit_loose_value -- the value in a place that nobody releases: give it on at once. */
Place emit_loose_value(Emitter *emitter, Node *value, const Type *type);
/* emit_own -- release what `to` owns and give it the loose value. */
void emit_own(Emitter *emitter, Place to, Place loose);
/* emit_owned_temporary -- empty; released at the end of the process in whose text it stands. */
Place emit_owned_temporary(Emitter *emitter, const Type *type, Location at);
void emit_end_owned(Emitter *emitter, size_t live);

/* ---- mobile_process.c ---- */
/* emit_mobile_body -- the function of a MOBILE PROC: (me, object, 0). */
LLVMValueRef emit_mobile_body(Emitter *emitter, Symbol *symbol);
void emit_mobile_proc(Emitter *emitter, Node *proc); /* its text */
/* emit_binding_of_actual -- a formal of a MOBILE PROC, as the present activation has it. */
Binding *emit_binding_of_actual(Emitter *emitter, const Symbol *formal, const Binding *bound);
LLVMValueRef emit_process_object(Emitter *emitter, Node *allocation);
void emit_activation(Emitter *emitter, Node *call);
void emit_suspend(Emitter *emitter, Node *suspend);
/* emit_process_release -- what a mobile process holds, before its object is given back. */
void emit_process_release(Emitter *emitter, LLVMValueRef object);

/* ---- predefined.c ---- */
void emit_predefined_call(Emitter *emitter, Node *call);
LLVMValueRef emit_predefined_function(Emitter *emitter, Node *call, Place *results,
                                      size_t result_count);

/* ---- trap.c: checks and sites ---- */
LLVMValueRef emit_site(Emitter *emitter, unsigned kind, Location at, const char *object);
/* emit_sized_site -- the same of an item on CHAN OF ANY, with its size (i64); in the frame when the
 * size is not a constant. */
LLVMValueRef emit_sized_site(Emitter *emitter, unsigned kind, Location at, const char *object,
                             LLVMValueRef size);
/* emit_trap_unless -- go on when ok is true, else occ_error (site, a, b, c); NULL value: 0. With
 * --no-checks nothing is emitted for kinds that are checks. */
void emit_trap_unless(Emitter *emitter, LLVMValueRef ok, ErrorKind kind, Location at,
                      const char *object, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);
/* emit_error -- unconditional, always on (STOP, no choice); goes on in an unreachable block. */
void emit_error(Emitter *emitter, ErrorKind kind, Location at, const char *object, LLVMValueRef a,
                LLVMValueRef b, LLVMValueRef c);
LLVMValueRef emit_string(Emitter *emitter, const char *string); /* private constant, NUL-ended */

/* ---- runtime_call.c ---- */
LLVMValueRef emit_runtime_call(Emitter *emitter, RuntimeCall call, LLVMValueRef *arguments);
LLVMValueRef emit_runtime_function(Emitter *emitter, const char *symbol); /* address of occ_... */

/* ---- sequence.c, assignment.c, replicator.c ---- */
void emit_seq(Emitter *emitter, Node *seq);
void emit_if(Emitter *emitter, Node *if_);
void emit_case(Emitter *emitter, Node *case_);
void emit_while(Emitter *emitter, Node *while_);
void emit_assign(Emitter *emitter, Node *assign);

/* ---- overlap.c: two names for one object ---- */
/* emit_root_symbol -- the name at the root of an element; NULL for a value. */
Symbol *emit_root_symbol(const Node *element);
/* emit_are_disjoint -- i1: two objects have no byte in common. */
LLVMValueRef emit_are_disjoint(Emitter *emitter, Place first, Place second);
NamedPlace emit_named_place(Node *element, Place place, bool is_written);
/* emit_check_overlap -- of all actuals of a call that are not copied. */
void emit_check_overlap(Emitter *emitter, const NamedPlace *places, size_t count);
/* emit_enter_abbreviation / emit_leave_abbreviations -- check against those in scope, and keep;
 * forget (called by emit_scope_end). */
void emit_enter_abbreviation(Emitter *emitter, Symbol *symbol, NamedPlace named);
void emit_leave_abbreviations(Emitter *emitter, const NodeList *specifications);
/* ---- preemption.c: loops that let others run ---- */
typedef enum LoopLook { LOOK_NEVER, LOOK_ALWAYS, LOOK_IN_BLOCKS } LoopLook;
/* loop_look_while, loop_look_counted -- where a loop looks for attention; *block: how many
 * iterations go between two looks, set with LOOK_IN_BLOCKS. The loop is a replicated SEQ or IF. */
LoopLook loop_look_while(Node *while_, unsigned *block);
LoopLook loop_look_counted(Node *loop, unsigned *block);
/* emit_look_for_attention -- yield if the worker is wanted. */
void emit_look_for_attention(Emitter *emitter);

/* A counted loop over a replicator; body is called once with the index bound. */
typedef struct ReplicatorLoop {
    LLVMValueRef base, count, step; /* i32, evaluated once; count checked not negative */
    LLVMValueRef iteration;         /* i32: 0 .. count-1 */
    LLVMValueRef index;             /* i32: base + iteration * step */
    LLVMBasicBlockRef header, exit, latch;
    LoopLook look;            /* LOOK_NEVER, unless set between values and begin */
    unsigned block;           /* LOOK_IN_BLOCKS: iterations of one */
    LLVMValueRef done, limit; /* LOOK_IN_BLOCKS: first iteration of the block, and of the next */
    LLVMBasicBlockRef blocks,
        block_end; /* LOOK_IN_BLOCKS: header and latch of the loop over blocks */
} ReplicatorLoop;
void emit_replicator_values(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_begin(Emitter *emitter, Node *replicator, ReplicatorLoop *loop);
void emit_replicator_end(Emitter *emitter, ReplicatorLoop *loop);

/* ---- first_use.c: must a new variable start as zero? ---- */
/* emit_specifications -- emit all of a list; process is what they stand before: a process,
 * ALTERNATIVE or VARIANT; NULL when that is not followed. */
void emit_specifications(Emitter *emitter, const NodeList *specs, Node *process);
bool emit_needs_zero(Emitter *emitter, const Symbol *symbol);

/* ---- capture.c: a name as a list of IR values, for arguments and environments ---- */
#define CAPTURE_MAX (1 + MAX_RANK)
bool capture_is_by_value(const Symbol *symbol);
size_t capture_types(Emitter *emitter, const Symbol *symbol, LLVMTypeRef *types);
size_t capture_values(Emitter *emitter, Symbol *symbol, LLVMValueRef *values);
void capture_bind(Emitter *emitter, Symbol *symbol, const LLVMValueRef *values);

/* ---- attribute.c ---- */
/* emit_parameter_attributes -- of the `count` values that `symbol` arrives as, from parameter on.
 */
void emit_parameter_attributes(Emitter *emitter, const Symbol *symbol, unsigned parameter,
                               size_t count);

/* ---- procedure.c ---- */
/* emit_routine_begin / _end -- suspend the routine being emitted and start another LLVM function.
 */
void emit_routine_begin(Emitter *emitter, Routine *routine, LLVMValueRef function, Node *node,
                        const char *proc_name, bool may_wait);
void emit_routine_end(Emitter *emitter);
/* emit_routine -- a definition: a nested routine at once, one of the outermost level when it is
 * called (a program) or by emit_pending_routines (a library). */
void emit_routine(Emitter *emitter, Node *routine);
void emit_pending_routines(Emitter *emitter);
/* emit_block_size -- the global i32 `name$stk` of a process body, filled in by the link step. */
LLVMValueRef emit_block_size(Emitter *emitter, LLVMValueRef body);
void emit_call(Emitter *emitter, Node *call);
/* emit_routine_of -- the function of a PROC of the program, declared if need be. */
LLVMValueRef emit_routine_of(Emitter *emitter, Symbol *proc);
/* emit_actual -- the values an actual passes for one formal, as many as are returned; named is set
 * when it is an object by address. */
size_t emit_actual(Emitter *emitter, Symbol *formal, Node *actual, LLVMValueRef *values,
                   NamedPlace *named);
/* emit_main_call -- call the program's main PROC with its channels. */
void emit_main_call(Emitter *emitter, Symbol *proc, LLVMValueRef *channels, size_t count);
/* emit_routine_call -- a call of a FUNCTION symbol with given actuals (user-defined operators). */
LLVMValueRef emit_routine_call(Emitter *emitter, Symbol *callee, const NodeList *actuals,
                               Place *results, size_t result_count);
/* emit_function_call -- results: scalar single result returned; others into `results` places. */
LLVMValueRef emit_function_call(Emitter *emitter, Node *call, Place *results, size_t result_count);
void emit_valof(Emitter *emitter, Node *valof, Place *results, LLVMValueRef *scalars,
                size_t result_count);

/* ---- procedure.c: me ---- */
/* emit_me -- the Process that runs this. Every preserve_none routine returns it in a register, and
 * emit_set_me makes that value the current one: what was kept in the frame need not be loaded,
 * which takes a load out of the longest chain between two switches. */
LLVMValueRef emit_me(Emitter *emitter);
LLVMValueRef emit_worker(Emitter *emitter);
/* emit_head -- the first process of the worker's run queue: Worker.head, but in a register since
 * the last switch, so that the next one does not wait for a load of what has just been stored. */
LLVMValueRef emit_head(Emitter *emitter);
void emit_set_head(Emitter *emitter, LLVMValueRef head); /* NULL: load it */
/* worker and head: NULL: load them. */
void emit_set_me(Emitter *emitter, LLVMValueRef me, LLVMValueRef worker, LLVMValueRef head);
/* emit_return_me -- the end of a routine that may wait. */
void emit_return_me(Emitter *emitter);

/* ---- rendezvous.c: the only inlined channel, dequeue and park code ---- */
/* emit_channel_transfer -- move size_bytes that lie, or are to lie, at `data`. met: i64 in memory,
 * the word of the plain partner that an ALT has found there, or 0; NULL: no ALT has looked. */
void emit_channel_transfer(Emitter *emitter, bool is_output, LLVMValueRef channel,
                           LLVMValueRef data, LLVMValueRef size_bytes, LLVMValueRef site,
                           LLVMValueRef met);
/* emit_send_word, emit_receive_word -- a value of 1, 2, 4 or 8 bytes in memory form, which travels
 * in a descriptor. Both ends of a channel use the same pair for an item: the protocol decides. */
void emit_send_word(Emitter *emitter, LLVMValueRef channel, LLVMValueRef word, LLVMValueRef site,
                    LLVMValueRef met);
LLVMValueRef emit_receive_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                               LLVMValueRef site, LLVMValueRef met);
/* Hold -- an extended input: `partner` (a frame slot, i64) has the channel's word while the process
 * that outputs is held; 0: nobody is (the message came from a device, or the hold has ended). */
typedef struct Hold {
    LLVMValueRef partner;
    LLVMValueRef site;       /* of an ordinary input */
    LLVMValueRef await_site; /* WAIT_EXTENDED */
    Location at;
    const char *name;
    LLVMValueRef any_size;  /* on CHAN OF ANY: the bytes this input means; else NULL */
    bool outlasts_variants; /* the process that it is held for follows the input */
} Hold;
/* Until -- an input of WHILE c ? x: its first transfer goes to `end` when the channel is closed. */
typedef struct Until {
    LLVMBasicBlockRef end;
    bool is_past; /* the first transfer has been emitted */
} Until;
/* emit_unless_closed -- after that transfer: jump to `end` when it found the channel closed. */
void emit_unless_closed(Emitter *emitter, LLVMBasicBlockRef end);
/* emit_close -- CLOSE c!   emit_closed -- i1: CLOSED c? */
void emit_close(Emitter *emitter, Node *close);
LLVMValueRef emit_closed(Emitter *emitter, Node *closed);
/* emit_hold_transfer, emit_hold_word -- input that keeps the partner; emit_hold_end lets it go. */
void emit_hold_transfer(Emitter *emitter, LLVMValueRef channel, LLVMValueRef data,
                        LLVMValueRef size_bytes, const Hold *hold);
LLVMValueRef emit_hold_word(Emitter *emitter, LLVMValueRef channel, LLVMTypeRef type,
                            const Hold *hold);
void emit_hold_end(Emitter *emitter, LLVMValueRef channel, const Hold *hold);
void emit_enqueue(Emitter *emitter, LLVMValueRef process);
/* emit_if_alone -- go to `alone` when the worker is the only active one and undisturbed: then, and
 * only then, channel words, joins and the run queue may be touched by compiled code. */
void emit_if_alone(Emitter *emitter, LLVMBasicBlockRef alone, LLVMBasicBlockRef otherwise);
/* emit_let_others_run -- those that are ready run once, then emission goes on; jump to `nobody`
 * when there are none. The worker is alone. */
void emit_let_others_run(Emitter *emitter, LLVMBasicBlockRef nobody);
/* emit_park -- me waits for `object` at `site` (both stored), something else runs. The worker is
 * alone. */
/* emit_defer -- a new process waits until its parent comes to the end of the PAR. */
void emit_defer(Emitter *emitter, LLVMValueRef process);
void emit_park_for_branch(Emitter *emitter, LLVMValueRef join, LLVMValueRef site);
void emit_park(Emitter *emitter, LLVMValueRef object, LLVMValueRef site);

/* ---- parallel.c, communication.c, alternative.c, timer.c ---- */
void emit_par(Emitter *emitter, Node *par);
void emit_output(Emitter *emitter, Node *output);
/* An output guard: its items are evaluated when the ALT is entered, the message is sent when the
 * guard has been chosen. slots: where the scalar of each item lies (also the count of n::a). */
const Type *emit_item_slot_type(const Node *output, size_t index); /* NULL: the item has no slot */
void emit_output_items(Emitter *emitter, Node *output, LLVMValueRef *slots);
void emit_output_evaluated(Emitter *emitter, Node *output, LLVMValueRef *slots, LLVMValueRef met);
void emit_input(Emitter *emitter, Node *input, LLVMValueRef met);
void emit_input_case(Emitter *emitter, Node *input_case, LLVMValueRef met);
void emit_extended_input(Emitter *emitter, Node *extended);
void emit_while_input(Emitter *emitter, Node *while_input);
void emit_timer_read(Emitter *emitter, Node *input);
void emit_delay(Emitter *emitter, Node *delay);
void emit_alt(Emitter *emitter, Node *alt);

/* ---- debug.c: nothing happens without -g ---- */
void debug_begin(Emitter *emitter);
void debug_routine(Emitter *emitter, Location at, const char *name);
void debug_location(Emitter *emitter, Location at); /* for the instructions that follow */
void debug_variable(Emitter *emitter, Symbol *symbol, Binding *binding, unsigned argument);
void debug_end(Emitter *emitter);

/* ---- small helpers of block handling (module.c) ---- */
LLVMBasicBlockRef emit_block(Emitter *emitter, const char *name); /* new block, not entered */
void emit_enter(Emitter *emitter, LLVMBasicBlockRef block);       /* continue there */
void emit_jump(Emitter *emitter, LLVMBasicBlockRef block);        /* br; unless terminated */
bool emit_is_terminated(Emitter *emitter);
LLVMValueRef emit_i32(Emitter *emitter, int64_t value);
LLVMValueRef emit_i64(Emitter *emitter, int64_t value);
LLVMValueRef emit_field(Emitter *emitter, LLVMValueRef base, unsigned offset, const char *name);
/* emit_load_field, emit_store_field -- a field of layout.def; the store instruction. */
LLVMValueRef emit_load_field(Emitter *emitter, LLVMTypeRef type, LLVMValueRef base, unsigned offset,
                             const char *name);
LLVMValueRef emit_store_field(Emitter *emitter, LLVMValueRef value, LLVMValueRef base,
                              unsigned offset);

#endif
