/* gate -- operations whose order others can see, where every choice is controlled.
 *
 * Leaves: waiting for the turn to runtime/explore/gate.h.
 * Holds:  it costs one test of the worker's mode, before a call of the runtime that costs more. */
#include "emit.h"

void emit_gate(Emitter *emitter, LLVMValueRef object, unsigned kind, LLVMValueRef site) {
    LLVMBasicBlockRef wait = emit_block(emitter, "gate.wait");
    LLVMBasicBlockRef pass = emit_block(emitter, "gate.pass");
    emit_if_alone(emitter, pass, wait);
    emit_enter(emitter, wait);
    LLVMValueRef arguments[] = {object, emit_i32(emitter, (int64_t)kind), site};
    emit_runtime_call(emitter, RT_gate, arguments);
    emit_jump(emitter, pass);
    emit_enter(emitter, pass);
}
