/* rendezvous_call -- the inlined half of channels once more, as routines of the unit.
 *
 * Owns:   from where on a text is long, the routine that is called there.
 * Leaves: what it does to rendezvous.c.
 * Holds:  an inlined communication takes a dozen blocks, and LLVM's time grows with the square of
 *         the blocks of a routine. So a routine inlines INLINE_MOST of them, or a quarter of that
 *         in a unit that has many already; the rest are calls, and ALTs leave the look to the
 *         runtime. That costs a nanosecond or two, which does not show in so long a text. What no
 *         loop of the routine repeats is a call too, except at -O3; at -O0 and -Os all are, to give
 *         LLVM little to do (decision 0050). An ALT looks as at other levels: the inlined look and
 *         the runtime make different fair choices from one seed. A received word is in
 *         Process.data of me, as if I had waited. */
#include "layout_offsets.h"
#include "llvm_compat.h"
#include "rendezvous.h"

#include <llvm-c/Target.h>

enum { INLINE_MOST = 48, UNIT_LARGE = 1000, INLINE_MOST_OF_LARGE = 12, PARAMETER_MAX = 5 };

static unsigned inline_most(const Emitter *emitter) {
    return emitter->communications < UNIT_LARGE ? INLINE_MOST : INLINE_MOST_OF_LARGE;
}

bool emit_is_long_text(Emitter *emitter, unsigned communications) {
    unsigned before = emitter->routine->communications;
    unsigned most = inline_most(emitter);
    emitter->routine->communications += communications;
    emitter->communications += communications;
    return before >= most;
}

/* Words of one size use the same routine, whatever their type. */
static LLVMTypeRef carrier(Emitter *emitter, LLVMTypeRef type) {
    unsigned long long size = LLVMStoreSizeOfType(LLVMGetModuleDataLayout(emitter->module), type);
    return LLVMIntTypeInContext(emitter->context, (unsigned)size * 8);
}

/* Parameters: me, channel, site, then the word, or the address of the message and its size. */
static unsigned parameter_types(Emitter *emitter, const Message *message, LLVMTypeRef *types) {
    unsigned count = 0;
    types[count++] = emitter->ptr;
    types[count++] = emitter->ptr;
    types[count++] = emitter->ptr;
    if (message->type == NULL) {
        types[count++] = emitter->ptr;
        types[count++] = emitter->i64;
    } else if (message->is_output) {
        types[count++] = carrier(emitter, message->type);
    }
    return count;
}

/* The word that aligns the frame would hold stale data: a report of a deadlock, which reads stacks,
 * could take that for a channel that the process has (deadlock_holder.h). */
static void clear_frame(Emitter *emitter) {
    LLVMValueRef word = emit_alloca(emitter, emitter->i64, "frame.word");
    LLVMSetVolatile(LLVMBuildStore(emitter->builder, emit_i64(emitter, 0), word), 1);
}

static void emit_body(Emitter *emitter, LLVMValueRef function, const Message *message) {
    Routine state;
    emit_routine_begin(emitter, &state, function, NULL, emitter->routine->proc_name, true);
    clear_frame(emitter);
    Message own = {.is_output = message->is_output};
    if (message->type == NULL) {
        own.data = LLVMGetParam(function, 3);
        own.size_bytes = LLVMGetParam(function, 4);
    } else {
        own.type = carrier(emitter, message->type);
        own.word = message->is_output ? LLVMGetParam(function, 3) : NULL;
        own.size_bytes = message_word_bytes(emitter, own.type);
    }
    LLVMValueRef channel = LLVMGetParam(function, 1);
    LLVMValueRef received = emit_rendezvous(emitter, channel, &own, LLVMGetParam(function, 2));
    if (received != NULL) {
        emit_store_field(emitter, received, emit_me(emitter), OFFSET_Process_data);
    }
    emit_return_me(emitter);
    emit_routine_end(emitter);
}

static LLVMValueRef find_routine(Emitter *emitter, const Message *message) {
    const char *name = arena_format(
        emitter->arena, "%s.%s$rendezvous%u", emitter->options->unit_name,
        message->is_output ? "output" : "input",
        message->type != NULL ? LLVMGetIntTypeWidth(carrier(emitter, message->type)) / 8 : 0);
    LLVMValueRef function = LLVMGetNamedFunction(emitter->module, name);
    if (function == NULL) {
        LLVMTypeRef types[PARAMETER_MAX];
        unsigned count = parameter_types(emitter, message, types);
        LLVMTypeRef type = LLVMFunctionType(emitter->ptr, types, count, 0);
        function = LLVMAddFunction(emitter->module, name, type);
        LLVMSetLinkage(function, LLVMInternalLinkage);
        LLVMSetFunctionCallConv(function, CALL_PRESERVE_NONE);
        compat_add_attribute(emitter->context, function, COMPAT_FUNCTION, "noinline", 0);
        emit_body(emitter, function, message);
    }
    return function;
}

LLVMValueRef emit_rendezvous_call(Emitter *emitter, LLVMValueRef channel, const Message *message,
                                  LLVMValueRef site) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef function = find_routine(emitter, message);
    LLVMValueRef arguments[PARAMETER_MAX] = {emit_me(emitter), channel, site};
    unsigned count = 3;
    if (message->type == NULL) {
        arguments[count++] = message->data;
        arguments[count++] = message->size_bytes;
    } else if (message->is_output) {
        LLVMTypeRef type = carrier(emitter, message->type);
        arguments[count++] = LLVMBuildBitCast(builder, message->word, type, "");
    }
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef me = LLVMBuildCall2(builder, type, function, arguments, count, "");
    LLVMSetInstructionCallConv(me, CALL_PRESERVE_NONE);
    emit_set_me(emitter, me, NULL, NULL);
    bool receives = message->type != NULL && !message->is_output;
    return receives ? message_load_word(emitter, message, me) : NULL;
}
