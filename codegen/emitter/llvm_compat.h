/* llvm_compat -- every difference between LLVM versions, and what llvm-c lacks a short form for.
 *
 * Owns:   start-up of LLVM in this process, attributes by name, debug records.
 * Leaves: what is emitted to everybody else; no other file says LLVM_VERSION.
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

/* compat_llvm_version -- of the LLVM this was built with: goes into objects and cache keys. */
static inline unsigned compat_llvm_version(void) {
    return LLVM_VERSION_MAJOR;
}

/* compat_give_up -- what LLVM does when it cannot go on. */
_Noreturn void compat_give_up(const char *reason);

/* Attributes of a function; index 0 is the result, 1.. the parameters. */
#define COMPAT_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
#define COMPAT_RETURN   ((LLVMAttributeIndex)LLVMAttributeReturnIndex)
void compat_add_attribute(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *name, uint64_t value);
/* compat_keep_call -- this call is not replaced by a copy of the routine. */
void compat_keep_call(LLVMContextRef context, LLVMValueRef call);
/* compat_only_reads -- this call changes nothing: it is left out when its result is not used. */
void compat_only_reads(LLVMContextRef context, LLVMValueRef call);
/* compat_add_range -- an integer of `bits` (at most 64) lies in low .. high - 1. */
void compat_add_range(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                      unsigned bits, uint64_t low, uint64_t high);
void compat_add_string_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                                 const char *value);

/* compat_leave_alone -- no pass changes the function. */
void compat_leave_alone(LLVMContextRef context, LLVMValueRef function);
bool compat_is_left_alone(LLVMValueRef function);

/* compat_set_metadata -- of the kind of that name. */
void compat_set_metadata(LLVMContextRef context, LLVMValueRef instruction, const char *kind,
                         LLVMMetadataRef node);

/* compat_set_branch_weights -- of a conditional branch. */
void compat_set_branch_weights(LLVMContextRef context, LLVMValueRef branch, uint32_t taken,
                               uint32_t not_taken);

/* CompatVectors -- how a loop is to become one of vectors. */
typedef struct CompatVectors {
    uint32_t lanes; /* elements of a vector; 0: as LLVM sees fit */
    uint32_t count; /* vectors that are worked at side by side; 0: as LLVM sees fit */
} CompatVectors;

/* compat_set_vectors -- of a loop, by the branch back to its begin. Its vectors have one copy. */
void compat_set_vectors(LLVMContextRef context, LLVMValueRef branch, CompatVectors vectors);

/* compat_unroll_as_vectors -- of the loop that this branch leads back to vectors are made before it
 * becomes straight code. */
void compat_unroll_as_vectors(LLVMContextRef context, LLVMValueRef branch);

/* compat_leave_loop -- no vectors are made of the loop that this branch leads back to, and no
 * copies of its body: it is seldom run. */
void compat_leave_loop(LLVMContextRef context, LLVMValueRef branch);

/* compat_unroll_if_known -- that loop is unrolled only as often as is known when it is compiled. */
void compat_unroll_if_known(LLVMContextRef context, LLVMValueRef branch);
/* compat_is_described -- has one of these been said of the loop that this branch leads back to? */
bool compat_is_described(LLVMValueRef branch);

/* compat_drop_promises -- the instruction overflows, shifts bits out, ... without harm: no nsw,
 * nuw, exact, nneg, disjoint. */
void compat_drop_promises(LLVMValueRef instruction);

/* compat_promise -- the condition holds where the builder stands. */
void compat_promise(LLVMBuilderRef builder, LLVMValueRef condition);
/* compat_declare_variable -- the variable lies at `storage`, or where the pointer in `storage`
 * leads (is_indirect), from here on; appended to the block. */
void compat_declare_variable(LLVMDIBuilderRef builder, LLVMValueRef storage, bool is_indirect,
                             LLVMMetadataRef variable, LLVMMetadataRef location,
                             LLVMBasicBlockRef block);

#endif
