/* proof_calls -- see proof_calls.h. */
#include "proof_calls.h"

#include <string.h>

#define SEGMENT_CALL      "occ_call_on_segment"
#define SEGMENT_CALL_C    "occ_call_on_segment_c"
#define SEGMENT_BODY      1u /* operands of those calls */
#define SEGMENT_RECORD    2u
#define SEGMENT_ARGUMENTS 5u

#define SITES       64u     /* calls of one function */
#define COPY_SUFFIX "$copy" /* and a number: recursion.c */

/* ---- the calls of a function ---- */

static bool is_internal(LLVMValueRef function) {
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static bool calls_on_segment(LLVMValueRef call, LLVMValueRef body) {
    LLVMValueRef callee = LLVMIsACallInst(call) != NULL ? LLVMGetCalledValue(call) : NULL;
    if (callee == NULL || LLVMIsAFunction(callee) == NULL ||
        LLVMGetNumArgOperands(call) != SEGMENT_ARGUMENTS) {
        return false;
    }
    size_t length;
    const char *name = LLVMGetValueName2(callee, &length);
    return (strcmp(name, SEGMENT_CALL) == 0 || strcmp(name, SEGMENT_CALL_C) == 0) &&
           LLVMGetOperand(call, SEGMENT_BODY) == body &&
           LLVMGetOperand(call, SEGMENT_RECORD) != body && LLVMGetOperand(call, 0) != body;
}

/* Is the function the body of calls on segments, and of nothing else? */
static bool is_segment(LLVMValueRef function) {
    LLVMUseRef use = LLVMGetFirstUse(function);
    if (use == NULL || !is_internal(function) || LLVMCountParams(function) != 2) {
        return false;
    }
    for (; use != NULL; use = LLVMGetNextUse(use)) {
        if (!calls_on_segment(LLVMGetUser(use), function)) {
            return false;
        }
    }
    return true;
}

/* Does the call have the function as its callee, and not as an operand? */
static bool is_plain_call(LLVMValueRef call, LLVMValueRef function) {
    if (LLVMIsACallInst(call) == NULL || LLVMGetCalledValue(call) != function ||
        LLVMGetNumArgOperands(call) != LLVMCountParams(function)) {
        return false;
    }
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        if (LLVMGetOperand(call, i) == function) {
            return false;
        }
    }
    return true;
}

static LLVMValueRef function_of(LLVMValueRef instruction) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static Site *add_site(ProofModule *module, struct ProofCalls *calls, LLVMValueRef call) {
    Prover *caller = proof_module_prover(module, function_of(call));
    FlowBlock *block = flow_graph_block(caller->graph, LLVMGetInstructionParent(call));
    LLVMValueRef *actuals =
        arena_new_array(module->arena, LLVMValueRef, LLVMCountParams(calls->function));
    array_push(module->arena, &calls->sites, ((Site){caller, block, actuals}));
    return &calls->sites.items[calls->sites.count - 1];
}

/* ---- calls on a block of their own ---- */

/* The offset of the address from `base`; -1: not known. */
static int64_t distance_from(LLVMValueRef address, LLVMValueRef base) {
    int64_t distance;
    if (address == base) {
        return 0;
    }
    bool is_known = LLVMIsAGetElementPtrInst(address) != NULL &&
                    LLVMGetOperand(address, 0) == base && LLVMGetNumOperands(address) == 2 &&
                    LLVMGetTypeKind(LLVMGetGEPSourceElementType(address)) == LLVMIntegerTypeKind &&
                    LLVMGetIntTypeWidth(LLVMGetGEPSourceElementType(address)) == 8 &&
                    proof_constant(LLVMGetOperand(address, 1), &distance);
    return is_known ? distance : -1;
}

static bool stands_before(LLVMValueRef first, LLVMValueRef second) {
    for (LLVMValueRef each = first; each != NULL; each = LLVMGetNextInstruction(each)) {
        if (each == second) {
            return true;
        }
    }
    return false;
}

/* Stores -- those into a record at one offset. */
typedef struct Stores {
    LLVMValueRef only;
    unsigned count;
} Stores;

static void look_for_stores(LLVMValueRef address, Stores *stores) {
    for (LLVMUseRef use = LLVMGetFirstUse(address); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) != NULL && LLVMGetOperand(user, 1) == address) {
            stores->only = user;
            stores->count++;
        }
    }
}

/* The value that the caller stored in the record there, just before the call; NULL: not known. */
static LLVMValueRef value_in_record(LLVMValueRef call, int64_t distance) {
    LLVMValueRef record = LLVMGetOperand(call, SEGMENT_RECORD);
    if (LLVMIsAAllocaInst(record) == NULL) {
        return NULL;
    }
    Stores stores = {NULL, 0};
    for (LLVMUseRef use = LLVMGetFirstUse(record); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAGetElementPtrInst(user) != NULL && distance_from(user, record) == distance) {
            look_for_stores(user, &stores);
        }
    }
    bool is_passed = stores.count == 1 &&
                     LLVMGetInstructionParent(stores.only) == LLVMGetInstructionParent(call) &&
                     stands_before(stores.only, call);
    return is_passed ? LLVMGetOperand(stores.only, 0) : NULL;
}

/* An actual that the segment body loads from its record, as this call of the body stored it. */
static LLVMValueRef actual_on_segment(LLVMValueRef actual, LLVMValueRef segment,
                                      LLVMValueRef call) {
    if (LLVMIsALoadInst(actual) == NULL) {
        return LLVMIsAConstant(actual) != NULL ? actual : NULL;
    }
    int64_t distance = distance_from(LLVMGetOperand(actual, 0), LLVMGetParam(segment, 1));
    LLVMValueRef value = distance > 0 ? value_in_record(call, distance) : NULL;
    return value != NULL && LLVMTypeOf(value) == LLVMTypeOf(actual) ? value : NULL;
}

static void add_sites_of_segment(ProofModule *module, struct ProofCalls *calls,
                                 LLVMValueRef inner) {
    LLVMValueRef segment = function_of(inner);
    for (LLVMUseRef use = LLVMGetFirstUse(segment); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        Site *site = add_site(module, calls, call);
        for (unsigned i = 0; i < LLVMCountParams(calls->function); i++) {
            site->actuals[i] = actual_on_segment(LLVMGetOperand(inner, i), segment, call);
        }
    }
}

/* ---- all calls of a function and its copies ---- */

/* Add the calls of one of them; false: there may be others. */
static bool add_calls(ProofModule *module, struct ProofCalls *calls, LLVMValueRef function) {
    if (!is_internal(function)) {
        return false;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(function); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!is_plain_call(call, function) || calls->sites.count >= SITES) {
            return false;
        }
        if (is_segment(function_of(call))) {
            add_sites_of_segment(module, calls, call);
            continue;
        }
        Site *site = add_site(module, calls, call);
        for (unsigned i = 0; i < LLVMCountParams(function); i++) {
            site->actuals[i] = LLVMGetOperand(call, i);
        }
    }
    return true;
}

/* The function that this one is a copy of, or itself. */
static LLVMValueRef original_of(Prover *prover) {
    size_t length;
    const char *name = LLVMGetValueName2(prover->function, &length);
    const char *suffix = strstr(name, COPY_SUFFIX);
    LLVMValueRef original =
        suffix == NULL
            ? NULL
            : LLVMGetNamedFunction(LLVMGetGlobalParent(prover->function),
                                   arena_format(prover->arena, "%.*s", (int)(suffix - name), name));
    bool is_one = original != NULL &&
                  LLVMGlobalGetValueType(original) == LLVMGlobalGetValueType(prover->function);
    return is_one ? original : prover->function;
}

static struct ProofCalls *find_calls(ProofModule *module, LLVMValueRef function) {
    struct ProofCalls *calls = arena_new(module->arena, struct ProofCalls);
    calls->function = function;
    calls->is_known = add_calls(module, calls, function);
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    LLVMValueRef copy = function;
    for (unsigned i = 1; copy != NULL && calls->is_known; i++) {
        copy = LLVMGetNamedFunction(LLVMGetGlobalParent(function),
                                    arena_format(module->arena, "%s%s%u", name, COPY_SUFFIX, i));
        calls->is_known = copy == NULL || add_calls(module, calls, copy);
    }
    calls->is_known = calls->is_known && calls->sites.count > 0;
    return calls;
}

struct ProofCalls *proof_calls_of(Prover *prover) {
    if (prover->calls == NULL) {
        LLVMValueRef original = original_of(prover);
        Prover *other = proof_module_prover(prover->module, original);
        if (other->calls == NULL) {
            other->calls = find_calls(prover->module, original);
        }
        prover->calls = other->calls;
    }
    return prover->calls;
}
