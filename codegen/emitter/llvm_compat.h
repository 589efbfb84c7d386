/* llvm_compat -- every difference between LLVM versions, and short forms that llvm-c lacks.
 *
 * Owns:   start-up of LLVM in this process, attributes by name, debug records.
 * Leaves: what is emitted to everybody else; no other file mentions LLVM_VERSION.
 * Holds:  LLVM is started once, when the shared object of codegen is opened; after that a unit
 *         needs nothing but a context of its own. Only version 19 is known: the registers of
 *         preserve_none routines (runtime/arch) are those of that version. */
#ifndef OCCC_LLVM_COMPAT_H
#define OCCC_LLVM_COMPAT_H

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>

#include <stdbool.h>
#include <stdint.h>

/* compat_llvm_version -- the LLVM version this was built with: goes into objects and cache keys. */
static inline unsigned compat_llvm_version(void) {
    return LLVM_VERSION_MAJOR;
}

/* compat_give_up -- end the process as LLVM does when it cannot go on. */
_Noreturn void compat_give_up(const char *reason);

/* Attributes of a function; index 0 is the result, 1.. the parameters. */
#define COMPAT_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
#define COMPAT_RETURN   ((LLVMAttributeIndex)LLVMAttributeReturnIndex)
void compat_add_attribute(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *name, uint64_t value);
/* compat_keep_call -- this call is not inlined. */
void compat_keep_call(LLVMContextRef context, LLVMValueRef call);
/* compat_only_reads -- this call changes nothing: it is removed when its result is not used. */
void compat_only_reads(LLVMContextRef context, LLVMValueRef call);
/* compat_add_range -- an integer of `bits` (at most 64) lies in low .. high - 1. */
void compat_add_range(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                      unsigned bits, uint64_t low, uint64_t high);
void compat_add_string_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                                 const char *value);

/* compat_leave_alone -- no pass changes the function. */
void compat_leave_alone(LLVMContextRef context, LLVMValueRef function);
bool compat_is_left_alone(LLVMValueRef function);

/* compat_set_metadata -- attach `kind` metadata to the instruction. */
void compat_set_metadata(LLVMContextRef context, LLVMValueRef instruction, const char *kind,
                         LLVMMetadataRef node);

/* compat_set_branch_weights -- of a conditional branch. */
void compat_set_branch_weights(LLVMContextRef context, LLVMValueRef branch, uint32_t taken,
                               uint32_t not_taken);

/* CompatVectors -- how a loop is to be vectorised. */
typedef struct CompatVectors {
    uint32_t lanes; /* elements of a vector; 0: as LLVM sees fit */
    uint32_t count; /* vectors in flight at once (interleaving); 0: as LLVM sees fit */
} CompatVectors;

/* compat_set_vectors -- vectorise the loop of this back-edge; its vector loop is not unrolled. */
void compat_set_vectors(LLVMContextRef context, LLVMValueRef branch, CompatVectors vectors);

/* compat_unroll_as_vectors -- vectorise the loop of this back-edge before it is fully unrolled. */
void compat_unroll_as_vectors(LLVMContextRef context, LLVMValueRef branch);

/* compat_leave_loop -- do not vectorise or unroll the loop of this back-edge: it seldom runs. */
void compat_leave_loop(LLVMContextRef context, LLVMValueRef branch);

/* compat_unroll_if_known -- unroll the loop only if its trip count is a constant. */
void compat_unroll_if_known(LLVMContextRef context, LLVMValueRef branch);
/* compat_is_described -- has one of these been called for the loop of this back-edge? */
bool compat_is_described(LLVMValueRef branch);

/* compat_drop_promises -- drop nsw, nuw, exact, nneg, disjoint: the instruction may overflow. */
void compat_drop_promises(LLVMValueRef instruction);

/* compat_promise -- the condition holds at the builder's position. */
void compat_promise(LLVMBuilderRef builder, LLVMValueRef condition);
/* compat_declare_variable -- the variable lies at `storage`, or where the pointer in `storage`
 * points (is_indirect), from here on; appended to the block. */
void compat_declare_variable(LLVMDIBuilderRef builder, LLVMValueRef storage, bool is_indirect,
                             LLVMMetadataRef variable, LLVMMetadataRef location,
                             LLVMBasicBlockRef block);

#endif
