/* emitter -- the shared context of code generation.
 *
 * How values look in IR:
 *   BOOL is i1 in registers and i8 (0 or 1) in memory; BYTE i8; INT, INT32, UINT i32; INT16 i16;
 *   INT64 i64; REAL32 float; REAL64 double; NAMED as what it names. Arrays and records live in
 *   memory only, row-major, without padding but the records' own (types.h offsets).
 *   A channel is a pointer to a Channel (layout.def); an array of channels is an array of pointers.
 *   TIMER has no value. Nothing of the language is ever a first-class aggregate.
 * How routines look:
 *   T name (me, formals.., free names.., [call sites], result pointers..). `me` is the Process. A
 *   routine that may wait is preserve_none (CALL_PRESERVE_NONE) and returns me; others follow the C
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
#ifndef OCCC_EMITTER_H
#define OCCC_EMITTER_H

#include "../../frontend/base/name_map.h"
#include "codegen.h"

#include <llvm-c/Core.h>

#define FRAME_OBJECT_LIMIT 4096
#define CALL_PRESERVE_NONE 21
#define CALL_PRESERVE_MOST 14
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

/* Kinds of operations at the gate (emit_gate). */
typedef enum ExploreKind {
#define EXPLORE_KIND(ID, words) EXPLORE_##ID,
#include "../runtime/include/occ/explore_kind.def"
#undef EXPLORE_KIND
    EXPLORE_KIND_COUNT
} ExploreKind;

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
    Symbol *root;        /* the object the element is part of; NULL when it is a value */
    Symbol *symbol;      /* the abbreviation */
    Place place;         /* of channel ends: the pointers to the channels */
    Direction direction; /* of ends of channels */
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
    LLVMValueRef call_sites;    /* of its call, if it is given them (emit_call_sites); else NULL */
    Node *node;                 /* PROC or FUNCTION it belongs to; NULL for occ.main */
    const char *proc_name;      /* for Site records */
    bool may_wait;
    bool is_process; /* a branch that is only started, never called: it has a block of its own */
    ARRAY_OF(LLVMValueRef) temporaries; /* frame slots of heap temporaries (temporary.c) */
    ARRAY_OF(LLVMValueRef) live;        /* temporaries of the processes being emitted */
    ARRAY_OF(Place) owned;              /* those of live that must be released (mobile_value.c) */
    ARRAY_OF(NamedPlace) abbreviations; /* of elements, in scope (overlap.c) */
    ARRAY_OF(SavedBinding) saved;       /* bindings replaced in this routine, restored at its end */
    Routine *outer;                     /* routine whose emission is suspended */
    LLVMMetadataRef debug_scope;
    size_t branch_count;     /* to name PAR branches */
    size_t part_count;       /* to name parts of long SEQs and IFs */
    unsigned communications; /* in its text so far (rendezvous_call.c) */
    unsigned pars_told;      /* PARs with a ParSite so far, its parts included (par_site.c) */
    unsigned copy;           /* number of this copy of a recursive routine (recursion.c) */
    unsigned loops;          /* around what is being emitted */
    NodeList late;           /* readings that move into the next ALT (alt_reading.c) */
    struct TypeGroup *group; /* whose objects it releases or clones in a loop; else NULL */
};

/* EmitScope -- the block whose specification `index` is being emitted; process NULL: unknown. */
typedef struct EmitScope {
    const NodeList *specs;
    size_t index;
    Node *process;
} EmitScope;

/* MobileFunction -- a function of the unit that releases or clones objects of one type; also a
 * constant that describes it. */
typedef struct MobileFunction {
    const Type *type;
    LLVMValueRef function;
} MobileFunction;
typedef ARRAY_OF(MobileFunction) MobileFunctions;

struct Emitter {
    Arena *arena;
    Arena *tree; /* where the unit lies; NULL: it is gone, all is IR */
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
    LLVMMetadataRef data_access, owner_access,
        count_access;         /* lower_type.c: memory of different kinds */
    MobileFunctions releases; /* mobile_parts.c */
    MobileFunctions release_bodies;
    MobileFunctions clones;
    MobileFunctions shapes;   /* mobile_shape.c: constants */
    MobileFunctions forms;    /* mobile_form.c: the same */
    LLVMValueRef box_release; /* box.c; NULL: not needed so far */
    NameMap first_uses;       /* first_call.c: what routines do first with formals */
    bool is_alias_known;      /* attribute.c: permits_aliases is worked out */
    bool permits_aliases;
    bool is_forks_known; /* shared_channel.c: has_forks is worked out */
    bool has_forks;
    bool is_closing_known; /* bundle.c: sees_closing is worked out */
    bool sees_closing;
    unsigned communications; /* of all routines so far (rendezvous_call.c) */
    /* cached types */
    LLVMTypeRef void_type, i1, i8, i16, i32, i64, f32, f64, ptr, site_type;
    struct DebugInfo *debug;           /* NULL without -g */
    struct EmitCache *cache;           /* strings, sites, runtime declarations */
    struct ConstantGlobals *constants; /* constant_data.c */
};

#endif
