/* intrinsic -- LLVM's own operations by name, for what emits code and for the passes over it. */
#ifndef OCCC_INTRINSIC_H
#define OCCC_INTRINSIC_H

#include <llvm-c/Core.h>

/* intrinsic_number -- the number of the intrinsic with that name; a bug if there is none. */
unsigned intrinsic_number(const char *name);

/* intrinsic_called -- the number of the intrinsic that the value is a call of; 0: of none. */
unsigned intrinsic_called(LLVMValueRef value);

/* intrinsic_call -- call it at the builder's position; overload: the type of an intrinsic with
 * several forms, NULL: there is one form. */
LLVMValueRef intrinsic_call(LLVMBuilderRef builder, const char *name, LLVMTypeRef overload,
                            LLVMValueRef *arguments, unsigned count);

#endif
