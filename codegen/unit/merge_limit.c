/* merge_limit -- see the header.
 *
 * LLVM inlines what is called from one place whatever its size. A program of many long PROCs that
 * its main PROC calls one after the other becomes a single routine that way, and several passes
 * take more than linear time over it. The calls cost nothing beside PROCs of that size.
 *
 * Nor may LLVM inline a small check into thousands of calls in one routine, or a PROC into the
 * branch of a PAR that ends with it, where all of it would go through the passes once more. That
 * stays a call, not a jump: reports name the caller, as they do where it is inlined.
 *
 * Holds: sizes are basic blocks as emitted. A routine and what would be inlined into it are
 *        counted once, callees first; routines that call each other are left to LLVM. */
#include "merge_limit.h"

#include "../../frontend/base/name_map.h"
#include "llvm_compat.h"

/* A caller may grow to MERGED_MOST blocks; callees below LARGE_CALLEE are inlined all the same,
 * unless there are too many. A callee with other callers counts for at most COPIED_MOST blocks:
 * LLVM copies a small routine, or what the constants of a call leave of a larger one. */
enum { MERGED_MOST = 4000, LARGE_CALLEE = 150, COPIED_MOST = 12 };

/* A PROC that a branch of a PAR calls at its end: a smaller one may be inlined. */
enum { KEPT_LEAST = 12 };

/* Levels of calls that are inlined into each other: at each, LLVM copies what it knows of the
 * arguments of all levels before. */
enum { LEVELS_MOST = 32 };

/* How deep callees of callees are followed; a routine below counts only its own blocks. */
enum { DEEPEST = 1000 };

typedef struct MergeLimit {
    Emitter *emitter;
    NameMap sizes; /* a Merged for each function that was looked at */
    unsigned depth;
} MergeLimit;

typedef struct Merged {
    unsigned blocks; /* 0 while its callees are looked at */
    unsigned levels; /* of calls that are merged into it */
} Merged;

typedef struct Callees {
    ARRAY_OF(LLVMValueRef) functions; /* those with no other call */
    unsigned blocks; /* the caller's own, and those of callees with other calls, for each call */
} Callees;

static Merged look_at(MergeLimit *limit, LLVMValueRef function);

/* The routine of this unit that an instruction calls, or NULL. */
static LLVMValueRef callee_of(LLVMValueRef instruction) {
    if (!LLVMIsACallInst(instruction)) {
        return NULL;
    }
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return callee && LLVMCountBasicBlocks(callee) ? callee : NULL;
}

static bool is_branch(LLVMValueRef function) {
    LLVMUseRef use = LLVMGetFirstUse(function);
    return LLVMGetLinkage(function) == LLVMInternalLinkage && use &&
           LLVMGetFunctionCallConv(function) == CALL_PRESERVE_NONE &&
           callee_of(LLVMGetUser(use)) != function;
}

/* Is the call the last thing that the branch does? */
static bool is_end(LLVMValueRef branch, LLVMValueRef call) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(call));
    return LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) == 1 &&
           LLVMGetOperand(end, 0) == call && is_branch(branch);
}

/* A callee with other callers is copied as long as there is room. */
static void add_callee(MergeLimit *limit, LLVMValueRef call, LLVMValueRef callee, Callees *found) {
    if (!LLVMGetNextUse(LLVMGetFirstUse(callee))) {
        array_push(limit->emitter->arena, &found->functions, callee);
        return;
    }
    unsigned blocks = look_at(limit, callee).blocks;
    blocks = blocks < COPIED_MOST ? blocks : COPIED_MOST;
    if (found->blocks + blocks > MERGED_MOST) {
        compat_keep_call(limit->emitter->context, call);
    } else {
        found->blocks += blocks;
    }
}

static void find_callees(MergeLimit *limit, LLVMValueRef function, Callees *found) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            LLVMValueRef callee = callee_of(instruction);
            bool is_kept = callee && LLVMCountBasicBlocks(callee) >= KEPT_LEAST &&
                           is_end(function, instruction);
            if (is_kept) {
                LLVMSetTailCallKind(instruction, LLVMTailCallKindNoTail);
                compat_keep_call(limit->emitter->context, instruction);
            } else if (callee) {
                add_callee(limit, instruction, callee, found);
            }
        }
    }
}

static void keep_apart(Emitter *emitter, LLVMValueRef function) {
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noinline", 0);
}

/* Above the limit the large ones of `callees` stay apart, or all of them if the small ones alone
 * are too many. Returns the blocks that remain in the caller. */
static unsigned keep_large_apart(MergeLimit *limit, const Callees *callees, unsigned small) {
    unsigned merged = small <= MERGED_MOST ? LARGE_CALLEE : 0;
    for (size_t i = 0; i < callees->functions.count; i++) {
        if (look_at(limit, callees->functions.items[i]).blocks >= merged) {
            keep_apart(limit->emitter, callees->functions.items[i]);
        }
    }
    return merged != 0 ? small : callees->blocks;
}

static Merged add_callees(MergeLimit *limit, LLVMValueRef function) {
    Callees callees = {.blocks = LLVMCountBasicBlocks(function)};
    find_callees(limit, function, &callees);
    Merged all = {.blocks = callees.blocks};
    unsigned small = callees.blocks;
    for (size_t i = 0; i < callees.functions.count; i++) {
        Merged callee = look_at(limit, callees.functions.items[i]);
        if (callee.levels == LEVELS_MOST) {
            keep_apart(limit->emitter, callees.functions.items[i]);
            continue;
        }
        all.levels = all.levels > callee.levels ? all.levels : callee.levels + 1;
        all.blocks += callee.blocks;
        small += callee.blocks < LARGE_CALLEE ? callee.blocks : 0;
    }
    if (all.blocks > MERGED_MOST) {
        all.blocks = keep_large_apart(limit, &callees, small);
    }
    return all;
}

static Merged look_at(MergeLimit *limit, LLVMValueRef function) {
    void **slot = name_map_at(&limit->sizes, &function, sizeof function);
    Merged *merged = *slot;
    if (!merged && limit->depth == DEEPEST) {
        return (Merged){.blocks = LLVMCountBasicBlocks(function)};
    }
    if (!merged) {
        merged = arena_new(limit->emitter->arena, Merged);
        *slot = merged;
        limit->depth++;
        *merged = add_callees(limit, function);
        limit->depth--;
    }
    return *merged;
}

void merge_limit(Emitter *emitter) {
    MergeLimit limit = {.emitter = emitter, .sizes.arena = emitter->arena};
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function)) {
            look_at(&limit, function);
        }
    }
}
