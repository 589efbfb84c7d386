/* intrinsic -- calls of LLVM's own operations.
 *
 * Owns:   finding and declaring an intrinsic by name.
 * Leaves: which operation a construct needs to operator.c, conversion.c and predefined_*.c.
 * Holds:  only intrinsics that never become a call into a C library on the baseline processor are
 *         asked for: no rint, floor, trunc, fma, frem and no 128-bit division (emitter.h). */
#include "emit.h"

#include <string.h>

LLVMValueRef emit_intrinsic(Emitter *emitter, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count) {
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    if (id == 0) {
        bug("LLVM has no intrinsic '%s'", name);
    }
    size_t overloads = overload != NULL ? 1 : 0;
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(emitter->module, id, &overload, overloads);
    LLVMTypeRef type = LLVMIntrinsicGetType(emitter->context, id, &overload, overloads);
    return LLVMBuildCall2(emitter->builder, type, function, arguments, count, "");
}
