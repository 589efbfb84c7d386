/* intrinsic -- calls of LLVM's own operations.
 *
 * Owns:   finding and declaring an intrinsic by name; which one a call calls.
 * Leaves: which operation a construct needs to operator.c, conversion.c and predefined_*.c.
 * Holds:  no intrinsic is used that becomes a call of a C library on the baseline processor: no
 *         rint, floor, trunc, fma, frem and no 128-bit division (emitter.h). */
#include "intrinsic.h"

#include "emit.h"

#include <string.h>

unsigned intrinsic_number(const char *name) {
    unsigned number = LLVMLookupIntrinsicID(name, strlen(name));
    if (number == 0) {
        bug("LLVM has no intrinsic '%s'", name);
    }
    return number;
}

unsigned intrinsic_called(LLVMValueRef value) {
    LLVMValueRef callee = LLVMIsACallInst(value) != NULL ? LLVMGetCalledValue(value) : NULL;
    return callee != NULL && LLVMIsAFunction(callee) != NULL ? LLVMGetIntrinsicID(callee) : 0;
}

LLVMValueRef intrinsic_call(LLVMBuilderRef builder, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count) {
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInsertBlock(builder));
    unsigned number = intrinsic_number(name);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(LLVMGetGlobalParent(caller), number,
                                                        &overload, overload != NULL ? 1 : 0);
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    return LLVMBuildCall2(builder, type, function, arguments, count, "");
}

LLVMValueRef emit_intrinsic(Emitter *emitter, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count) {
    return intrinsic_call(emitter->builder, name, overload, arguments, count);
}
