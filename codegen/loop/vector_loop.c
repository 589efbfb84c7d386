/* vector_loop -- see the header.
 *
 *   frame:  what does not change, spread out
 *   loop:   so many iterations at once
 *   out:    sums and ORs over the lanes; returned, and added to what they began with by the caller
 */
#include "edit.h"
#include "vector_state.h"

#include "emitter.h"

#include <stdio.h>
#include <string.h>

#define MARK "$strip"
#define HALF 32u /* bits of a result */

/* ---- the routine ---- */

static LLVMContextRef context_of(const VectorLoop *loop) {
    return LLVMGetTypeContext(LLVMTypeOf(loop->copy->place));
}

/* Words: two results in each, the first in the lower half. */
static LLVMTypeRef result_type(const VectorLoop *loop) {
    LLVMTypeRef words[VECTOR_RESULTS / 2];
    unsigned count = (loop->results + 1) / 2;
    for (unsigned i = 0; i < count; i++) {
        words[i] = LLVMTypeOf(loop->copy->place);
    }
    return count == 1 ? words[0] : LLVMStructTypeInContext(context_of(loop), words, count, 0);
}

static void declare(VectorLoop *loop) {
    LLVMValueRef function = LLVMGetBasicBlockParent(loop->header);
    LLVMModuleRef module = LLVMGetGlobalParent(function);
    LLVMTypeRef types[VECTOR_WORDS];
    unsigned count = 0;
    for (size_t i = 0; i < loop->rows.count; i++) {
        types[count++] = LLVMTypeOf(loop->rows.items[i].address);
    }
    types[count++] = LLVMTypeOf(loop->copy->end);
    for (size_t i = 0; i < loop->inputs.count; i++) {
        types[count++] = LLVMTypeOf(loop->inputs.items[i]);
    }
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    char *made = arena_allocate(loop->arena, length + 32);
    unsigned number = 1;
    do {
        snprintf(made, length + 32, "%s" MARK "%u", name, number++);
    } while (LLVMGetNamedFunction(module, made) != NULL);
    LLVMTypeRef type = LLVMFunctionType(result_type(loop), types, count, 0);
    loop->routine = LLVMAddFunction(module, made, type);
    LLVMSetLinkage(loop->routine, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(loop->routine, CALL_PRESERVE_MOST);
    compat_leave_alone(context_of(loop), loop->routine);
}

static void begin_blocks(VectorLoop *loop) {
    LLVMContextRef context = context_of(loop);
    loop->frame = LLVMAppendBasicBlockInContext(context, loop->routine, "frame");
    loop->loop = LLVMAppendBasicBlockInContext(context, loop->routine, "loop");
    loop->out = LLVMAppendBasicBlockInContext(context, loop->routine, "out");
    edit_at_end(loop->builder, loop->frame);
    LLVMBuildBr(loop->builder, loop->loop);
    edit_at_end(loop->builder, loop->loop);
    LLVMTypeRef word = LLVMTypeOf(loop->copy->place);
    LLVMValueRef none = LLVMConstNull(word);
    loop->place = LLVMBuildPhi(loop->builder, word, "place");
    LLVMValueRef step = LLVMConstInt(word, loop->lanes * loop->parts, 0);
    loop->next = LLVMBuildAdd(loop->builder, loop->place, step, "");
    LLVMAddIncoming(loop->place, &none, &loop->frame, 1);
    LLVMAddIncoming(loop->place, &loop->next, &loop->loop, 1);
    LLVMValueRef end = LLVMGetParam(loop->routine, (unsigned)loop->rows.count);
    LLVMValueRef more = LLVMBuildICmp(loop->builder, LLVMIntNE, loop->next, end, "");
    LLVMBuildCondBr(loop->builder, more, loop->loop, loop->out);
}

/* What lies in memory, in its order. */
static void build_memory(VectorLoop *loop) {
    edit_before(loop->builder, loop->next);
    for (LLVMValueRef each = LLVMGetFirstInstruction(loop->body); each != NULL;
         each = LLVMGetNextInstruction(each)) {
        if (LLVMIsALoadInst(each) != NULL) {
            vector_load(loop, each);
        } else if (LLVMIsAStoreInst(each) != NULL) {
            vector_store(loop, each);
        }
    }
}

/* What the sum is made of, or a sum that is gathered itself. */
static LLVMValueRef part_of_term(VectorLoop *loop, LLVMValueRef value, unsigned part) {
    for (size_t i = 0; i < loop->sums.count; i++) {
        if (loop->sums.items[i].last == value) {
            return loop->sums.items[i].parts[part];
        }
    }
    return vector_parts(loop, value)[part];
}

/* One of the vectors side by side; what it has come to. */
static LLVMValueRef build_part(VectorLoop *loop, const VectorSum *sum, unsigned part) {
    LLVMValueRef first = vector_of_number(loop, LLVMTypeOf(sum->phi), sum->first);
    edit_before(loop->builder, loop->place);
    LLVMValueRef phi = LLVMBuildPhi(loop->builder, LLVMTypeOf(first), "");
    LLVMValueRef now = phi;
    edit_before(loop->builder, loop->next);
    for (size_t i = 0; i < sum->terms.count; i++) {
        LLVMValueRef term = part_of_term(loop, sum->terms.items[i].value, part);
        now = LLVMBuildBinOp(loop->builder, sum->terms.items[i].opcode, now, term, "");
    }
    LLVMAddIncoming(phi, &first, &loop->frame, 1);
    LLVMAddIncoming(phi, &now, &loop->loop, 1);
    return now;
}

static LLVMValueRef build_sum(VectorLoop *loop, VectorSum *sum) {
    LLVMValueRef *parts = arena_new_array(loop->arena, LLVMValueRef, loop->parts);
    for (unsigned i = 0; i < loop->parts; i++) {
        parts[i] = build_part(loop, sum, i);
    }
    sum->parts = arena_new_array(loop->arena, LLVMValueRef, loop->parts);
    memcpy(sum->parts, parts, loop->parts * sizeof *parts);
    edit_at_end(loop->builder, loop->out);
    for (unsigned i = 1; i < loop->parts; i++) {
        parts[0] = sum->is_or ? LLVMBuildOr(loop->builder, parts[0], parts[i], "")
                              : LLVMBuildAdd(loop->builder, parts[0], parts[i], "");
    }
    const char *name = sum->is_or ? "llvm.vector.reduce.or" : "llvm.vector.reduce.add";
    LLVMValueRef total = row_reduce(loop->deferral, name, parts[0]);
    LLVMValueRef firsts =
        LLVMConstInt(LLVMTypeOf(total), sum->first * loop->lanes * loop->parts, 0);
    return sum->first == 0 ? total : LLVMBuildSub(loop->builder, total, firsts, "");
}

static void build_sums(VectorLoop *loop) {
    LLVMValueRef results[VECTOR_RESULTS];
    unsigned count = 0;
    for (size_t i = 0; i < loop->sums.count; i++) {
        if (loop->sums.items[i].is_used) {
            results[count++] = build_sum(loop, &loop->sums.items[i]);
        }
    }
    edit_at_end(loop->builder, loop->out);
    LLVMTypeRef word = LLVMTypeOf(loop->place);
    LLVMValueRef words[VECTOR_RESULTS / 2];
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef wide = LLVMBuildZExt(loop->builder, results[i], word, "");
        LLVMValueRef half = LLVMConstInt(word, HALF, 0);
        words[i / 2] = i % 2 == 0 ? wide
                                  : LLVMBuildOr(loop->builder, words[i / 2],
                                                LLVMBuildShl(loop->builder, wide, half, ""), "");
    }
    if (count <= 2) {
        LLVMBuildRet(loop->builder, words[0]);
    } else {
        LLVMBuildAggregateRet(loop->builder, words, (count + 1) / 2);
    }
}

/* ---- the caller ---- */

static LLVMValueRef build_call(VectorLoop *loop) {
    LLVMValueRef values[VECTOR_WORDS];
    unsigned count = 0;
    for (size_t i = 0; i < loop->rows.count; i++) {
        values[count++] = vector_begin(loop, &loop->rows.items[i]);
    }
    values[count++] = loop->copy->end;
    for (size_t i = 0; i < loop->inputs.count; i++) {
        values[count++] = loop->inputs.items[i];
    }
    edit_at_end(loop->builder, loop->header);
    LLVMValueRef call = LLVMBuildCall2(loop->builder, LLVMGlobalGetValueType(loop->routine),
                                       loop->routine, values, count, "");
    LLVMSetInstructionCallConv(call, CALL_PRESERVE_MOST);
    return call;
}

static LLVMValueRef counter_behind(const VectorLoop *loop, LLVMValueRef counter) {
    LLVMTypeRef type = LLVMTypeOf(counter);
    LLVMValueRef count = LLVMBuildTruncOrBitCast(loop->builder, loop->copy->end, type, "");
    return LLVMBuildAdd(loop->builder, vector_start(loop, counter), count, "");
}

static LLVMValueRef result_of(const VectorLoop *loop, LLVMValueRef call, unsigned index,
                              LLVMTypeRef type) {
    LLVMValueRef word =
        loop->results <= 2 ? call : LLVMBuildExtractValue(loop->builder, call, index / 2, "");
    if (index % 2 != 0) {
        word = LLVMBuildLShr(loop->builder, word, LLVMConstInt(LLVMTypeOf(word), HALF, 0), "");
    }
    return LLVMBuildTrunc(loop->builder, word, type, "");
}

/* What the phis of the header have come to. */
static void give_results(VectorLoop *loop, LLVMValueRef call) {
    LLVMValueRef counter = loop_copy_of(loop->copy, loop->copy->loop->counter);
    LLVMReplaceAllUsesWith(counter, counter_behind(loop, counter));
    unsigned count = 0;
    for (size_t i = 0; i < loop->sums.count; i++) {
        const VectorSum *sum = &loop->sums.items[i];
        if (!sum->is_used) {
            continue;
        }
        LLVMValueRef start = vector_start(loop, sum->phi);
        LLVMValueRef total = result_of(loop, call, count++, LLVMTypeOf(start));
        LLVMValueRef made = sum->is_or ? LLVMBuildOr(loop->builder, start, total, "")
                                       : LLVMBuildAdd(loop->builder, start, total, "");
        LLVMReplaceAllUsesWith(sum->phi, made);
    }
}

/* The header becomes the block that calls. */
static void replace_loop(VectorLoop *loop) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(loop->header);
    LLVMBasicBlockRef exit = loop->copy->exit;
    LLVMInstructionEraseFromParent(branch);
    LLVMValueRef last = LLVMGetLastInstruction(loop->header);
    LLVMValueRef call = build_call(loop);
    give_results(loop, call);
    LLVMBuildBr(loop->builder, exit);
    LLVMValueRef each = LLVMGetFirstInstruction(loop->header);
    for (bool is_last = false; !is_last;) {
        LLVMValueRef next = LLVMGetNextInstruction(each);
        is_last = each == last;
        LLVMReplaceAllUsesWith(each, LLVMGetPoison(LLVMTypeOf(each)));
        LLVMInstructionEraseFromParent(each);
        each = next;
    }
    LLVMDeleteBasicBlock(loop->body);
}

bool vector_loop_move(const Deferral *deferral, const LoopCopy *copy, LLVMBasicBlockRef before,
                      CompatVectors vectors, unsigned grain) {
    VectorLoop loop = {.arena = deferral->arena,
                       .builder = deferral->builder,
                       .deferral = deferral,
                       .copy = copy,
                       .before = before,
                       .planned = {.arena = deferral->arena},
                       .values = {.arena = deferral->arena}};
    if (!vector_plan_loop(&loop, vectors, grain)) {
        return false;
    }
    declare(&loop);
    begin_blocks(&loop);
    build_memory(&loop);
    build_sums(&loop);
    replace_loop(&loop);
    return true;
}

void deferrals_show(LLVMModuleRef module) {
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function != NULL;
         function = LLVMGetNextFunction(function)) {
        size_t length;
        if (strstr(LLVMGetValueName2(function, &length), MARK) != NULL) {
            LLVMRemoveEnumAttributeAtIndex(function, COMPAT_FUNCTION, kind);
        }
    }
}
