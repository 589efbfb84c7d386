/* part -- a long SEQ or IF, in parts that are routines of their own.
 *
 * Compile time of a routine grows faster than its length, and at -O0 each value that lives across a
 * check has its own place in the frame. A SEQ of 100 000 processes becomes calls of routines of
 * SEQ_PART processes each, which LLVM optimises like any other; so does an IF of as many choices,
 * whose parts say in their environment whether a choice was taken.
 *
 * Leaves: which names a part uses to the checks (Node.seq.parts, Node.if_.parts), where they lie
 *         to environment.h.
 * Holds:  a list stays whole if it needs what only the routine has: a mobile process that suspends,
 *         phases of clocks it does not see, the sites of its call, and elements in use under other
 *         names (overlap.c). */
#include "environment.h"
#include "llvm_compat.h"
#include "routine.h"

/* LongList -- a list that is emitted in parts. */
typedef struct LongList {
    const NodeList *list;
    const ParInfo *parts;
    Environment environment;
    bool are_choices; /* of an IF: the record begins with a byte that says if one was taken */
} LongList;

enum { TAKEN_SIZE = 8 };

bool emit_has_parts(const Emitter *emitter, const ParInfo *parts) {
    const Routine *routine = emitter->routine;
    if (parts == NULL || routine->node == NULL || routine->mobile_object != NULL ||
        routine->call_sites != NULL || routine->abbreviations.count > 0) {
        return false;
    }
    const ProcInfo *info = node_info(routine->node);
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

/* false: control cannot reach the code behind the choices. */
static bool emit_part_choices(Emitter *emitter, const LongList *list, size_t first, size_t past) {
    LLVMBasicBlockRef taken = emit_block(emitter, "part.taken");
    LLVMBasicBlockRef end = emit_block(emitter, "part.end");
    LLVMValueRef record = LLVMGetParam(emitter->routine->function, 1);
    bool falls = emit_choices(emitter, list->list, first, past, taken);
    if (falls) {
        LLVMBuildStore(emitter->builder, LLVMConstInt(emitter->i8, 0, 0), record);
        emit_jump(emitter, end);
    }
    emit_enter(emitter, taken);
    LLVMBuildStore(emitter->builder, LLVMConstInt(emitter->i8, 1, 0), record);
    emit_continue(emitter, end);
    return falls;
}

static bool emit_part_body(Emitter *emitter, const LongList *list, size_t part) {
    size_t first = part * SEQ_PART;
    size_t past = first + SEQ_PART < list->list->count ? first + SEQ_PART : list->list->count;
    if (list->are_choices) {
        return emit_part_choices(emitter, list, first, past);
    }
    for (size_t i = first; i < past; i++) {
        emit_process(emitter, list->list->items[i]);
    }
    return true;
}

/* Returns what emit_part_body does. */
static bool emit_part(Emitter *emitter, LongList *list, LLVMValueRef function, size_t part) {
    Routine *outer = emitter->routine;
    Routine state;
    emit_routine_begin(emitter, &state, function, outer->node, outer->proc_name, outer->may_wait);
    state.loops = outer->loops;
    state.pars_told = outer->pars_told;
    debug_routine(emitter, list->list->items[part * SEQ_PART]->at, outer->proc_name);
    environment_bind(emitter, &list->environment, list->parts, part, 3);
    bool falls = emit_part_body(emitter, list, part);
    outer->pars_told = state.pars_told;
    emit_return_nothing(emitter, state.may_wait);
    emit_routine_end(emitter);
    return falls;
}

static void call_part(Emitter *emitter, const LongList *list, LLVMValueRef part) {
    LLVMValueRef arguments[] = {emit_me(emitter), list->environment.record};
    LLVMValueRef call = emit_call_of(emitter, part, arguments, 2);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(part));
    emit_set_me(emitter, emitter->routine->may_wait ? call : emit_me(emitter), NULL, NULL);
}

static size_t part_count(const LongList *list) {
    return (list->list->count + SEQ_PART - 1) / SEQ_PART;
}

static void make_environment(Emitter *emitter, LongList *list) {
    Environment *environment = &list->environment;
    environment->places.arena = emitter->arena;
    for (size_t i = 0; i < part_count(list); i++) {
        environment_add(emitter, environment, list->parts, i);
    }
    environment_lay_out(emitter, environment, list->are_choices ? TAKEN_SIZE : 0);
    environment_fill(emitter, environment);
}

void emit_seq_parts(Emitter *emitter, const Node *seq) {
    LongList list = {.list = &seq->seq.body, .parts = seq->seq.parts};
    make_environment(emitter, &list);
    for (size_t i = 0; i < part_count(&list); i++) {
        LLVMValueRef part = declare_part(emitter);
        emit_part(emitter, &list, part, i);
        call_part(emitter, &list, part);
    }
}

bool emit_if_parts(Emitter *emitter, const Node *if_, LLVMBasicBlockRef end) {
    LongList list = {.list = &if_->if_.choices, .parts = if_->if_.parts, .are_choices = true};
    make_environment(emitter, &list);
    for (size_t i = 0; i < part_count(&list); i++) {
        LLVMValueRef part = declare_part(emitter);
        bool falls = emit_part(emitter, &list, part, i);
        call_part(emitter, &list, part);
        if (!falls) {
            emit_jump(emitter, end);
            return false;
        }
        LLVMValueRef taken =
            LLVMBuildLoad2(emitter->builder, emitter->i8, list.environment.record, "taken");
        LLVMBasicBlockRef next = emit_block(emitter, "if.next");
        LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, taken, ""), next, end);
        emit_enter(emitter, next);
    }
    return true;
}
