/* llvm_compat -- see the header. */
#include "llvm_compat.h"

#include "../frontend/diag/diag.h"
#include "intrinsic.h"

#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LLVM_VERSION_MAJOR == 19, "the runtime's preserve_none registers are LLVM 19's");

/* LLVM may be in any state: the handler of the signal decides what else is reported. */
_Noreturn static void on_fatal_error(const char *reason) {
    fprintf(stderr, "occc: internal error: LLVM gave up: %s\n", reason);
    abort();
}

void compat_give_up(const char *reason) {
    on_fatal_error(reason);
}

/* Settings that LLVM takes only as command-line options. Pushed outgoing arguments are missing in
 * the frame size that it reports (decision 0005). A loop is partially unrolled up to a larger size
 * than LLVM's own, since the instructions of its checks would make loops that C compilers unroll
 * just too long. Exits to error reports do not prevent unrolling, nor does a trip count that is the
 * minimum of two, as in a block between two looks for attention. LLVM refuses to read an option
 * twice in one process, so this runs when the shared object is opened and never again. */
__attribute__((constructor)) static void start_llvm(void) {
    const char *arguments[] = {"occc",
                               "-no-x86-call-frame-opt",
                               "-unroll-partial-threshold=40",
                               "-unroll-runtime-multi-exit",
                               "-unswitch-threshold=120",
                               "-scev-cheap-expansion-budget=6"};
    LLVMInstallFatalErrorHandler(on_fatal_error);
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMParseCommandLineOptions(sizeof arguments / sizeof *arguments, arguments, NULL);
}

static unsigned attribute_kind(const char *name) {
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

void compat_add_attribute(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                          const char *name, uint64_t value) {
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(context, attribute_kind(name), value);
    LLVMAddAttributeAtIndex(function, index, attribute);
}

void compat_keep_call(LLVMContextRef context, LLVMValueRef call) {
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(context, attribute_kind("noinline"), 0);
    LLVMAddCallSiteAttribute(call, COMPAT_FUNCTION, attribute);
}

void compat_only_reads(LLVMContextRef context, LLVMValueRef call) {
    enum { READS_ANYTHING = 1 | 1 << 2 | 1 << 4 }; /* arguments, other and inaccessible memory */
    LLVMAttributeRef attributes[] = {
        LLVMCreateEnumAttribute(context, attribute_kind("memory"), READS_ANYTHING),
        LLVMCreateEnumAttribute(context, attribute_kind("willreturn"), 0),
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        LLVMAddCallSiteAttribute(call, COMPAT_FUNCTION, attributes[i]);
    }
}

void compat_add_range(LLVMContextRef context, LLVMValueRef function, LLVMAttributeIndex index,
                      unsigned bits, uint64_t low, uint64_t high) {
    unsigned kind = attribute_kind("range");
    LLVMAttributeRef range = LLVMCreateConstantRangeAttribute(context, kind, bits, &low, &high);
    LLVMAddAttributeAtIndex(function, index, range);
}

void compat_add_string_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                                 const char *value) {
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name),
                                                           value, (unsigned)strlen(value));
    LLVMAddAttributeAtIndex(function, COMPAT_FUNCTION, attribute);
}

#define LEFT_ALONE "occ-left-alone"

/* LLVM wants `optnone` functions to be `noinline` too. The second attribute is for our own passes,
 * which also set the first one on functions for a while. */
void compat_leave_alone(LLVMContextRef context, LLVMValueRef function) {
    compat_add_attribute(context, function, COMPAT_FUNCTION, "noinline", 0);
    compat_add_attribute(context, function, COMPAT_FUNCTION, "optnone", 0);
    compat_add_string_attribute(context, function, LEFT_ALONE, "");
}

bool compat_is_left_alone(LLVMValueRef function) {
    return LLVMGetStringAttributeAtIndex(function, COMPAT_FUNCTION, LEFT_ALONE,
                                         strlen(LEFT_ALONE)) != NULL;
}

/* ---- metadata ---- */

static LLVMMetadataRef string_metadata(LLVMContextRef context, const char *string) {
    return LLVMMDStringInContext2(context, string, strlen(string));
}

void compat_set_metadata(LLVMContextRef context, LLVMValueRef instruction, const char *kind,
                         LLVMMetadataRef node) {
    unsigned number = LLVMGetMDKindIDInContext(context, kind, (unsigned)strlen(kind));
    LLVMSetMetadata(instruction, number, LLVMMetadataAsValue(context, node));
}

void compat_set_branch_weights(LLVMContextRef context, LLVMValueRef branch, uint32_t taken,
                               uint32_t not_taken) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMMetadataRef weights[] = {
        string_metadata(context, "branch_weights"),
        LLVMValueAsMetadata(LLVMConstInt(i32, taken, 0)),
        LLVMValueAsMetadata(LLVMConstInt(i32, not_taken, 0)),
    };
    compat_set_metadata(context, branch, "prof", LLVMMDNodeInContext2(context, weights, 3));
}

/* ---- what is said of loops ---- */

static LLVMMetadataRef property(LLVMContextRef context, const char *name, uint32_t number) {
    LLVMMetadataRef parts[] = {
        string_metadata(context, name),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), number, 0)),
    };
    return LLVMMDNodeInContext2(context, parts, 2);
}

static LLVMMetadataRef never_copied(LLVMContextRef context) {
    LLVMMetadataRef never = string_metadata(context, "llvm.loop.unroll.disable");
    return LLVMMDNodeInContext2(context, &never, 1);
}

/* The first operand of a loop's metadata is the node itself. */
static void describe_loop(LLVMContextRef context, LLVMValueRef branch, LLVMMetadataRef *parts,
                          size_t count) {
    parts[0] = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef self = parts[0];
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, parts, count);
    LLVMMetadataReplaceAllUsesWith(self, node);
    compat_set_metadata(context, branch, "llvm.loop", node);
}

/* What is said of the vector loop that a loop becomes. */
static LLVMMetadataRef of_vectors(LLVMContextRef context, bool is_copied) {
    LLVMMetadataRef parts[] = {
        string_metadata(context, "llvm.loop.vectorize.followup_vectorized"),
        property(context, "llvm.loop.isvectorized", 1),
        is_copied ? NULL : never_copied(context),
    };
    return LLVMMDNodeInContext2(context, parts, is_copied ? 2 : 3);
}

void compat_set_vectors(LLVMContextRef context, LLVMValueRef branch, CompatVectors vectors) {
    LLVMMetadataRef parts[5] = {NULL, never_copied(context), of_vectors(context, false)};
    size_t count = 3;
    if (vectors.count != 0) {
        parts[count++] = property(context, "llvm.loop.interleave.count", vectors.count);
    }
    if (vectors.lanes != 0) {
        parts[count++] = property(context, "llvm.loop.vectorize.width", vectors.lanes);
    }
    describe_loop(context, branch, parts, count);
}

void compat_unroll_as_vectors(LLVMContextRef context, LLVMValueRef branch) {
    LLVMMetadataRef parts[] = {NULL, never_copied(context), of_vectors(context, true)};
    describe_loop(context, branch, parts, 3);
}

void compat_leave_loop(LLVMContextRef context, LLVMValueRef branch) {
    LLVMMetadataRef parts[] = {NULL, never_copied(context),
                               property(context, "llvm.loop.vectorize.width", 1),
                               property(context, "llvm.loop.interleave.count", 1)};
    describe_loop(context, branch, parts, 4);
}

void compat_unroll_if_known(LLVMContextRef context, LLVMValueRef branch) {
    LLVMMetadataRef never = string_metadata(context, "llvm.loop.unroll.runtime.disable");
    LLVMMetadataRef parts[] = {NULL, LLVMMDNodeInContext2(context, &never, 1)};
    describe_loop(context, branch, parts, 2);
}

bool compat_is_described(LLVMValueRef branch) {
    static const char loop[] = "llvm.loop";
    return LLVMGetMetadata(branch, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(branch)),
                                                            loop, sizeof loop - 1)) != NULL;
}

void compat_promise(LLVMBuilderRef builder, LLVMValueRef condition) {
    intrinsic_call(builder, "llvm.assume", NULL, &condition, 1);
}

void compat_drop_promises(LLVMValueRef instruction) {
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
        LLVMSetNSW(instruction, 0);
        LLVMSetNUW(instruction, 0);
        break;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv: LLVMSetExact(instruction, 0); break;
    case LLVMZExt: LLVMSetNNeg(instruction, 0); break;
    case LLVMOr: LLVMSetIsDisjoint(instruction, 0); break;
    default: break;
    }
}

void compat_declare_variable(LLVMDIBuilderRef builder, LLVMValueRef storage, bool is_indirect,
                             LLVMMetadataRef variable, LLVMMetadataRef location,
                             LLVMBasicBlockRef block) {
    uint64_t follow = 0x06; /* DW_OP_deref */
    LLVMMetadataRef expression = LLVMDIBuilderCreateExpression(builder, &follow, is_indirect);
    LLVMDIBuilderInsertDeclareRecordAtEnd(builder, storage, variable, expression, location, block);
}
