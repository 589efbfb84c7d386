/* runtime_call -- the routines of the runtime as LLVM sees them, and calls of them.
 *
 * Owns:   their declarations; both come from abi.def, so a routine is described once.
 * Leaves: what a routine does to runtime.h, the inlined halves to rendezvous.c and run_queue.c.
 * Holds:  the first argument of every routine is the process; routines that may park and leaf
 *         routines on the process's own stack are preserve_none, the others C. */
#include "emit_cache.h"
#include "llvm_compat.h"

#include <string.h>

typedef enum RuntimeType {
    RUNTIME_VOID,
    RUNTIME_ME, /* me, its worker and the head of its run queue */
    RUNTIME_PTR,
    RUNTIME_I32,
    RUNTIME_I64,
    RUNTIME_F32,
    RUNTIME_F64,
    RUNTIME_SITE
} RuntimeType;

typedef enum RuntimeEffect {
    EFFECT_MAY_PARK,
    EFFECT_NEVER_PARKS,
    EFFECT_NEVER_RETURNS,
    EFFECT_LEAF,
    EFFECT_LEAF_PN,
    EFFECT_LEAF_PM
} RuntimeEffect;

#define MAX_OPERANDS 4

enum { HEAP_ALIGN_BYTES = 16 }; /* heap_object.h */

typedef struct RuntimeRoutine {
    const char *symbol;
    RuntimeType result;
    unsigned count; /* operands after the process */
    RuntimeType operands[MAX_OPERANDS];
    RuntimeEffect effect;
} RuntimeRoutine;

static const RuntimeRoutine routines[] = {
#define T(x)                                 RUNTIME_##x
#define OCC_CALL0(name, r, effect, stack)    {"occ_" #name, T(r), 0, {T(VOID)}, EFFECT_##effect},
#define OCC_CALL1(name, r, a, effect, stack) {"occ_" #name, T(r), 1, {T(a)}, EFFECT_##effect},
#define OCC_CALL2(name, r, a, b, effect, stack)                                                    \
    {"occ_" #name, T(r), 2, {T(a), T(b)}, EFFECT_##effect},
#define OCC_CALL3(name, r, a, b, c, effect, stack)                                                 \
    {"occ_" #name, T(r), 3, {T(a), T(b), T(c)}, EFFECT_##effect},
#define OCC_CALL4(name, r, a, b, c, d, effect, stack)                                              \
    {"occ_" #name, T(r), 4, {T(a), T(b), T(c), T(d)}, EFFECT_##effect},
#include "../runtime/include/occ/abi.def"
#undef OCC_CALL0
#undef OCC_CALL1
#undef OCC_CALL2
#undef OCC_CALL3
#undef OCC_CALL4
#undef T
};

/* What preserve_none routines return, in three registers. */
static LLVMTypeRef me_worker_head(const Emitter *emitter) {
    LLVMTypeRef fields[] = {emitter->ptr, emitter->ptr, emitter->ptr};
    return LLVMStructTypeInContext(emitter->context, fields, 3, 0);
}

static LLVMTypeRef lower_runtime_type(const Emitter *emitter, RuntimeType type) {
    switch (type) {
    case RUNTIME_VOID: return emitter->void_type;
    case RUNTIME_ME: return me_worker_head(emitter);
    case RUNTIME_PTR: return emitter->ptr;
    case RUNTIME_I32: return emitter->i32;
    case RUNTIME_I64: return emitter->i64;
    case RUNTIME_F32: return emitter->f32;
    case RUNTIME_F64: return emitter->f64;
    case RUNTIME_SITE: return emitter->ptr;
    }
    bug("runtime type %d", (int)type);
}

static LLVMTypeRef routine_type(const Emitter *emitter, const RuntimeRoutine *routine) {
    LLVMTypeRef types[1 + MAX_OPERANDS] = {emitter->ptr};
    for (unsigned i = 0; i < routine->count; i++) {
        types[1 + i] = lower_runtime_type(emitter, routine->operands[i]);
    }
    LLVMTypeRef result = lower_runtime_type(emitter, routine->result);
    return LLVMFunctionType(result, types, 1 + routine->count, 0);
}

static void set_effect(Emitter *emitter, LLVMValueRef function, RuntimeEffect effect) {
    switch (effect) {
    case EFFECT_MAY_PARK:
    case EFFECT_LEAF_PN: LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE); break;
    case EFFECT_LEAF_PM:
        /* It preserves what a C routine does too, and LLVM's FastISel at -O0 knows only the C
         * convention. */
        LLVMSetFunctionCallConv(function, emitter->options->optimisation == 0 ? LLVMCCallConv
                                                                              : CALL_PRESERVE_MOST);
        break;
    case EFFECT_NEVER_RETURNS:
        compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noreturn", 0);
        compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "cold", 0);
        /* A check must not keep a FUNCTION from being inlined: the report is cold. */
        compat_add_string_attribute(emitter->context, function, "call-inline-cost", "0");
        break;
    case EFFECT_NEVER_PARKS:
    case EFFECT_LEAF: break;
    }
}

/* Heap memory is reached only through the pointer that its allocation returned: in the runtime only
 * reports look for channels in it. */
static void set_promises(Emitter *emitter, LLVMValueRef function, RuntimeCall call) {
    LLVMContextRef context = emitter->context;
    if (call == RT_heap_allocate || call == RT_heap_allocate_zero) {
        compat_add_attribute(context, function, COMPAT_RETURN, "noalias", 0);
        compat_add_attribute(context, function, COMPAT_RETURN, "nonnull", 0);
        compat_add_attribute(context, function, COMPAT_RETURN, "align", HEAP_ALIGN_BYTES);
    } else if (call == RT_heap_free) {
        compat_add_attribute(context, function, 2, "nocapture", 0);
    }
}

/* Hidden: the runtime is linked into the same executable, so no call and no address goes through
 * the global offset table. */
static LLVMValueRef declare(Emitter *emitter, const char *symbol, LLVMTypeRef type) {
    LLVMValueRef function = LLVMAddFunction(emitter->module, symbol, type);
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "nounwind", 0);
    return function;
}

static LLVMValueRef runtime_function(Emitter *emitter, RuntimeCall call) {
    EmitCache *cache = emitter->cache;
    if (!cache->runtime[call]) {
        const RuntimeRoutine *routine = &routines[call];
        cache->runtime_types[call] = routine_type(emitter, routine);
        cache->runtime[call] = declare(emitter, routine->symbol, cache->runtime_types[call]);
        set_effect(emitter, cache->runtime[call], routine->effect);
        set_promises(emitter, cache->runtime[call], call);
    }
    return cache->runtime[call];
}

LLVMValueRef emit_runtime_call(Emitter *emitter, RuntimeCall call, LLVMValueRef *arguments) {
    LLVMValueRef function = runtime_function(emitter, call);
    LLVMValueRef operands[1 + MAX_OPERANDS] = {emit_me(emitter)};
    unsigned count = routines[call].count;
    if (count) {
        memcpy(operands + 1, arguments, count * sizeof *arguments);
    }
    LLVMValueRef result = LLVMBuildCall2(emitter->builder, emitter->cache->runtime_types[call],
                                         function, operands, 1 + count, "");
    LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(function));
    if (routines[call].effect == EFFECT_NEVER_RETURNS || emitter->options->optimisation == 0) {
        return result; /* no value kept in a slot has changed, or none is kept (frame.c) */
    }
    if (LLVMGetFunctionCallConv(function) == CALL_PRESERVE_NONE) {
        LLVMValueRef me = LLVMBuildExtractValue(emitter->builder, result, 0, "");
        LLVMValueRef worker = LLVMBuildExtractValue(emitter->builder, result, 1, "");
        LLVMValueRef head = LLVMBuildExtractValue(emitter->builder, result, 2, "");
        emit_set_me(emitter, me, worker, head);
    } else {
        emit_set_head(emitter, NULL);
    }
    return result;
}

LLVMValueRef emit_runtime_function(Emitter *emitter, const char *symbol) {
    for (unsigned call = 0; call < RT_COUNT; call++) {
        if (strcmp(routines[call].symbol, symbol) == 0) {
            return runtime_function(emitter, (RuntimeCall)call);
        }
    }
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, symbol);
    if (!function) {
        function = declare(emitter, symbol, LLVMFunctionType(emitter->void_type, NULL, 0, 0));
    }
    return function;
}
