/* part -- a long SEQ, in parts that are routines of their own.
 *
 * What is done with a routine takes more than linear time, and at -O0 each value that a check
 * stands behind has a place of its own in the frame. A SEQ of 100 000 processes is as many calls of
 * routines of SEQ_PART of them, which LLVM optimises as it does any other.
 *
 * Leaves: which names a part uses to the checks (Node.seq.parts), where they lie to environment.h.
 * Holds:  a part takes part in nothing that leads out of it: a mobile process that suspends, phases
 *         of clocks it does not see, and elements in use under other names (overlap.c) are the
 *         routine's; there the SEQ stays whole. */
#include "environment.h"
#include "llvm_compat.h"
#include "routine.h"

bool emit_has_parts(const Emitter *emitter, const Node *seq) {
    const Routine *routine = emitter->routine;
    if (seq->seq.parts == NULL || seq->seq.replicator != NULL || routine->node == NULL ||
        routine->mobile_object != NULL || routine->abbreviations.count > 0) {
        return false;
    }
    const ProcInfo *info = routine_info(routine->node);
    return !info->suspends && !info->crosses_phase;
}

static LLVMValueRef declare_part(Emitter *emitter) {
    Routine *routine = emitter->routine;
    const char *outer = LLVMGetValueName2(routine->function, &(size_t){0});
    const char *name = arena_format(emitter->arena, "%s$part%zu", outer, ++routine->part_count);
    LLVMTypeRef parameters[] = {emitter->ptr, emitter->ptr};
    LLVMTypeRef result = routine->may_wait ? emitter->ptr : emitter->void_type;
    LLVMTypeRef type = LLVMFunctionType(result, parameters, 2, 0);
    LLVMValueRef function = LLVMAddFunction(emitter->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noinline", 0);
    if (routine->may_wait) {
        LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
    }
    return function;
}

static LLVMValueRef emit_part(Emitter *emitter, Environment *environment, const Node *seq,
                              size_t part) {
    const NodeList *body = &seq->seq.body;
    size_t first = part * SEQ_PART;
    LLVMValueRef function = declare_part(emitter);
    Routine *outer = emitter->routine;
    Routine state;
    emit_routine_begin(emitter, &state, function, outer->node, outer->proc_name, outer->may_wait);
    state.loops = outer->loops;
    debug_routine(emitter, body->items[first]->at, outer->proc_name);
    environment_bind(emitter, environment, seq->seq.parts, part, 3);
    for (size_t i = first; i < body->count && i < first + SEQ_PART; i++) {
        emit_process(emitter, body->items[i]);
    }
    if (state.may_wait) {
        emit_return_me(emitter);
    } else {
        LLVMBuildRetVoid(emitter->builder);
    }
    emit_routine_end(emitter);
    return function;
}

static void call_part(Emitter *emitter, const Environment *environment, LLVMValueRef part) {
    LLVMValueRef arguments[] = {emit_me(emitter), environment->record};
    LLVMValueRef call =
        LLVMBuildCall2(emitter->builder, LLVMGlobalGetValueType(part), part, arguments, 2, "");
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(part));
    emit_set_me(emitter, emitter->routine->may_wait ? call : emit_me(emitter), NULL, NULL);
}

void emit_parts(Emitter *emitter, Node *seq) {
    Environment environment = {.places.arena = emitter->arena};
    size_t count = (seq->seq.body.count + SEQ_PART - 1) / SEQ_PART;
    for (size_t i = 0; i < count; i++) {
        environment_add(emitter, &environment, seq->seq.parts, i);
    }
    environment_lay_out(emitter, &environment, 0);
    environment_fill(emitter, &environment);
    for (size_t i = 0; i < count; i++) {
        call_part(emitter, &environment, emit_part(emitter, &environment, seq, i));
    }
}
