/* debug -- what debug.c and debug_type.c share; the others see the prototypes in emit.h. */
#ifndef OCCC_DEBUG_H
#define OCCC_DEBUG_H

#include "../../frontend/base/name_map.h"
#include "emit.h"

#include <llvm-c/DebugInfo.h>

typedef struct DebugInfo {
    LLVMDIBuilderRef builder;
    LLVMMetadataRef unit;
    const char *directory; /* where the compiler was started */
    NameMap files;         /* file number -> LLVMMetadataRef */
    NameMap types;         /* const Type * -> LLVMMetadataRef */
} DebugInfo;

LLVMMetadataRef debug_file(Emitter *emitter, uint32_t number);
/* debug_type -- a type as the debugger shows it. */
LLVMMetadataRef debug_type(Emitter *emitter, const Type *type);

#endif
