/* emit_cache -- what the emission of one unit makes once and uses again.
 *
 * Owns:   the target machine, the declarations of the runtime's routines, sites, strings, frame
 *         sizes as LLVM reports them.
 * Leaves: filling it to target.c, runtime_call.c, trap.c and frame.c; nobody else looks inside. */
#ifndef OCCC_EMIT_CACHE_H
#define OCCC_EMIT_CACHE_H

#include "../../frontend/base/name_map.h"
#include "emit.h"

#include <llvm-c/TargetMachine.h>

typedef struct EmitCache {
    LLVMTargetMachineRef machine;
    LLVMValueRef runtime[RT_COUNT];
    LLVMTypeRef runtime_types[RT_COUNT];
    NameMap sites;    /* kind, place, object -> LLVMValueRef */
    NameMap strings;  /* bytes -> LLVMValueRef */
    NameMap frames;   /* function -> uint32_t *, bytes */
    NameMap routines; /* function -> the node it belongs to (reproducer.c) */
} EmitCache;

#endif
