/* merge_limit -- see the header.
 *
 * LLVM inlines what is called from one place whatever its size. A program of many long PROCs that
 * its main PROC calls one after the other becomes a single routine that way, and several passes
 * take more than linear time over it. A call costs such PROCs nothing that could be seen.
 *
 * Nor may it copy what checks something to thousands of calls of it in one routine.
 *
 * Holds: sizes are basic blocks as emitted. A routine and what would be merged into it are
 *        counted once, callees first; routines that call each other are left to LLVM. */
#include "merge_limit.h"

#include "llvm_compat.h"
#include "name_map.h"

/* A caller may grow so far; what is smaller than a large callee is merged all the same, unless
 * there are too many of those. A call of what others call too counts for so many blocks at most:
 * LLVM copies a small routine, or what the constants of a call leave of a larger one. */
enum { MERGED_MOST = 4000, LARGE_CALLEE = 150, COPIED_MOST = 12 };

typedef struct Merged {
    bool is_known; /* false while its callees are looked at */
    unsigned blocks;
} Merged;

typedef struct Callees {
    ARRAY_OF(LLVMValueRef) functions; /* those called here and nowhere else */
    unsigned blocks; /* the caller's own and those of what others call too, call by call */
} Callees;

static unsigned merged_blocks(Emitter *emitter, NameMap *sizes, LLVMValueRef function);

/* The routine of this unit that an instruction calls, or NULL. */
static LLVMValueRef callee_of(LLVMValueRef instruction) {
    if (!LLVMIsACallInst(instruction)) {
        return NULL;
    }
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(instruction));
    return callee && LLVMCountBasicBlocks(callee) ? callee : NULL;
}

/* What others call too is copied as long as there is room. */
static void add_callee(Emitter *emitter, NameMap *sizes, LLVMValueRef call, LLVMValueRef callee,
                       Callees *found) {
    if (!LLVMGetNextUse(LLVMGetFirstUse(callee))) {
        array_push(emitter->arena, &found->functions, callee);
        return;
    }
    unsigned blocks = merged_blocks(emitter, sizes, callee);
    blocks = blocks < COPIED_MOST ? blocks : COPIED_MOST;
    if (found->blocks + blocks > MERGED_MOST) {
        compat_keep_call(emitter->context, call);
    } else {
        found->blocks += blocks;
    }
}

static void find_callees(Emitter *emitter, NameMap *sizes, LLVMValueRef function, Callees *found) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef instruction = LLVMGetFirstInstruction(block); instruction;
             instruction = LLVMGetNextInstruction(instruction)) {
            LLVMValueRef callee = callee_of(instruction);
            if (callee) {
                add_callee(emitter, sizes, instruction, callee, found);
            }
        }
    }
}

static void keep_apart(Emitter *emitter, LLVMValueRef function) {
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noinline", 0);
}

/* Its own blocks and those of what is merged into it; above the limit large ones stay out, or
 * all if the small ones alone are too many. */
static unsigned add_callees(Emitter *emitter, NameMap *sizes, LLVMValueRef function) {
    Callees callees = {.blocks = LLVMCountBasicBlocks(function)};
    find_callees(emitter, sizes, function, &callees);
    unsigned own = callees.blocks;
    unsigned all = own;
    unsigned small = own;
    for (size_t i = 0; i < callees.functions.count; i++) {
        unsigned blocks = merged_blocks(emitter, sizes, callees.functions.items[i]);
        all += blocks;
        small += blocks < LARGE_CALLEE ? blocks : 0;
    }
    if (all <= MERGED_MOST) {
        return all;
    }
    unsigned merged = small <= MERGED_MOST ? LARGE_CALLEE : 0;
    for (size_t i = 0; i < callees.functions.count; i++) {
        if (merged_blocks(emitter, sizes, callees.functions.items[i]) >= merged) {
            keep_apart(emitter, callees.functions.items[i]);
        }
    }
    return merged != 0 ? small : own;
}

static unsigned merged_blocks(Emitter *emitter, NameMap *sizes, LLVMValueRef function) {
    void **slot = name_map_at(sizes, &function, sizeof function);
    Merged *merged = *slot;
    if (!merged) {
        merged = arena_new(emitter->arena, Merged);
        *slot = merged;
        merged->blocks = add_callees(emitter, sizes, function);
        merged->is_known = true;
    }
    return merged->is_known ? merged->blocks : 0;
}

void merge_limit(Emitter *emitter) {
    NameMap sizes = {.arena = emitter->arena};
    for (LLVMValueRef function = LLVMGetFirstFunction(emitter->module); function;
         function = LLVMGetNextFunction(function)) {
        if (LLVMCountBasicBlocks(function)) {
            merged_blocks(emitter, &sizes, function);
        }
    }
}
