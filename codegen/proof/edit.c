/* edit -- see the header.
 *
 * Holds:  after each of these functions the builder's location belongs to the routine it is in, or
 *         there is none if the routine has no debug information. */
#include "edit.h"

#include <llvm-c/DebugInfo.h>

#include <stddef.h>

LLVMBuilderRef edit_open(LLVMModuleRef module) {
    return LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
}

void edit_close(LLVMBuilderRef builder) {
    LLVMDisposeBuilder(builder);
}

/* The location of the instruction or of the nearest one before it in its block; NULL: none. */
static LLVMMetadataRef location_up_to(LLVMValueRef instruction) {
    LLVMMetadataRef location = NULL;
    while (instruction != NULL && location == NULL) {
        location = LLVMInstructionGetDebugLoc(instruction);
        instruction = LLVMGetPreviousInstruction(instruction);
    }
    return location;
}

/* The location of the last instruction of the block that has one; else that of the routine. */
static LLVMMetadataRef location_up_to_end(LLVMBasicBlockRef block, LLVMMetadataRef scope) {
    LLVMValueRef function = LLVMGetBasicBlockParent(block);
    LLVMMetadataRef location = NULL;
    for (; block != NULL && location == NULL; block = LLVMGetPreviousBasicBlock(block)) {
        location = location_up_to(LLVMGetLastInstruction(block));
    }
    if (location == NULL) {
        LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
        unsigned line = LLVMDISubprogramGetLine(scope);
        location = LLVMDIBuilderCreateDebugLocation(context, line, 0, scope, NULL);
    }
    return location;
}

/* `nearest`: the last instruction before the builder's position, or NULL. */
static void take_location(LLVMBuilderRef builder, LLVMValueRef nearest, LLVMBasicBlockRef block) {
    LLVMMetadataRef scope = LLVMGetSubprogram(LLVMGetBasicBlockParent(block));
    LLVMMetadataRef location = NULL;
    if (scope != NULL) {
        location = location_up_to(nearest);
        location = location != NULL ? location : location_up_to_end(block, scope);
    }
    LLVMSetCurrentDebugLocation2(builder, location);
}

void edit_before(LLVMBuilderRef builder, LLVMValueRef instruction) {
    LLVMPositionBuilderBefore(builder, instruction);
    take_location(builder, instruction, LLVMGetInstructionParent(instruction));
}

void edit_at_end(LLVMBuilderRef builder, LLVMBasicBlockRef block) {
    LLVMPositionBuilderAtEnd(builder, block);
    take_location(builder, LLVMGetLastInstruction(block), block);
}

void edit_insert(LLVMBuilderRef builder, LLVMValueRef instruction) {
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    LLVMInsertIntoBuilder(builder, instruction); /* sets the builder's location on it */
    if (location != NULL) {
        LLVMInstructionSetDebugLoc(instruction, location);
    }
}
