/* intrinsic -- LLVM's own operations by name, for what emits code and for the passes over it. */
#ifndef OCCC_INTRINSIC_H
#define OCCC_INTRINSIC_H

#include <llvm-c/Core.h>

/* intrinsic_number -- of the operation of that name; a bug if there is none. */
unsigned intrinsic_number(const char *name);

/* intrinsic_called -- number of the operation the value is a call of; 0: it is no such call. */
unsigned intrinsic_called(LLVMValueRef value);

/* intrinsic_call -- a call of it where the builder stands; overload: the type that names with
 * several forms are completed by, NULL: there is one form. */
LLVMValueRef intrinsic_call(LLVMBuilderRef builder, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count);

#endif
