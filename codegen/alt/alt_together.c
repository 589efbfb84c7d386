/* alt_together -- looking at several channels at once.
 *
 * Owns:   which ALTs are looked at so; the look over a few guards of the text by a mask.
 * Leaves: a row of channels (one replicated guard) to alt_row.c, all other ALTs to alt_look.c.
 * Holds:  as alt_probe.c. Which of several guards is ready cannot be predicted, and a mispredicted
 *         branch costs more than looking at three channels. So there is one branch, on whether
 *         there is any partner; which one is computed without branches. */
#include "alt_probe.h"
#include "layout_offsets.h"

enum { FEW_GUARDS = 4 }; /* of the text, at most */

/* ---- which ALTs ---- */

static bool is_simple_channel(const Node *channel) {
    return channel != NULL && alt_is_plain(channel);
}

static bool is_transfer(const AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    return guard->kind != NODE_CLOSED && is_simple_channel(alt_channel(guard));
}

static bool is_passed_over(const AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    return guard->kind == NODE_SKIP || alt_timer(guard) != NULL;
}

static bool is_row(const AltPlan *plan) {
    const AltEntry *entry = plan->guards.items[0];
    return plan->guards.count == 1 && entry->depth == 1 &&
           entry->alternative->alternative.condition == NULL && is_transfer(entry);
}

/* A channel whose guard is off may have a subscript out of range. */
static bool is_one_of_few(const AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    bool has_name = is_transfer(entry) && alt_channel(guard)->kind == NODE_NAME;
    return entry->depth == 0 && (is_passed_over(entry) ||
                                 (is_transfer(entry) &&
                                  (entry->alternative->alternative.condition == NULL || has_name)));
}

static bool are_few(const AltPlan *plan) {
    size_t channels = 0;
    for (size_t i = 0; i < plan->guards.count; i++) {
        const AltEntry *entry = plan->guards.items[i];
        if (!is_one_of_few(entry)) {
            return false;
        }
        channels += !is_passed_over(entry);
    }
    return channels > 0 && channels <= FEW_GUARDS;
}

bool alt_can_look_together(const AltPlan *plan) {
    return !plan->alt->alt.is_pri && (is_row(plan) || are_few(plan));
}

LLVMValueRef alt_load_word(Emitter *emitter, Node *channel) {
    LLVMValueRef field =
        emit_field(emitter, emit_channel(emitter, channel), OFFSET_Channel_word, "");
    return LLVMBuildLoad2(emitter->builder, emitter->i64, field, "word");
}

void alt_take_partner(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index,
                      LLVMValueRef word) {
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.ready");
    const Node *guard = probe->plan->guards.items[number]->alternative->alternative.guard;
    LLVMBuildCondBr(emitter->builder, alt_is_partner(emitter, guard, word), ready, probe->wait);
    emit_enter(emitter, ready);
    alt_take(emitter, probe, number, index, word);
}

/* ---- a few guards ---- */

/* Few -- the guards that have channels, in textual order, and what is in those that are on. */
typedef struct Few {
    size_t numbers[FEW_GUARDS];
    LLVMValueRef words[FEW_GUARDS];
    size_t count;
} Few;

static void load_few(Emitter *emitter, const AltPlan *plan, Few *few) {
    LLVMValueRef nobody = emit_i64(emitter, 0);
    for (size_t i = 0; i < plan->guards.count; i++) {
        const AltEntry *entry = plan->guards.items[i];
        if (is_passed_over(entry)) {
            continue;
        }
        LLVMValueRef is_on = alt_is_on(emitter, entry);
        LLVMValueRef word =
            alt_load_word(emitter, alt_channel(entry->alternative->alternative.guard));
        few->numbers[few->count] = i;
        few->words[few->count++] =
            is_on != NULL ? LLVMBuildSelect(emitter->builder, is_on, word, nobody, "") : word;
    }
}

/* i32: bit i says that somebody is in channel i. */
static LLVMValueRef mask_of(Emitter *emitter, const Few *few) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef mask = emit_i32(emitter, 0);
    for (size_t i = 0; i < few->count; i++) {
        LLVMValueRef is_there = LLVMBuildIsNotNull(builder, few->words[i], "");
        LLVMValueRef bit = LLVMBuildShl(builder, LLVMBuildZExt(builder, is_there, emitter->i32, ""),
                                        emit_i32(emitter, (int64_t)i), "");
        mask = LLVMBuildOr(builder, mask, bit, "");
    }
    return mask;
}

/* The first bit of the mask from `start` on, in cyclic order. */
static LLVMValueRef first_from(Emitter *emitter, LLVMValueRef mask, LLVMValueRef start,
                               size_t count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef width = emit_i32(emitter, (int64_t)count);
    LLVMValueRef twice = LLVMBuildOr(builder, mask, LLVMBuildShl(builder, mask, width, ""), "");
    LLVMValueRef arguments[] = {LLVMBuildLShr(builder, twice, start, ""),
                                LLVMConstInt(emitter->i1, 1, 0)};
    LLVMValueRef zeros = emit_intrinsic(emitter, "llvm.cttz", emitter->i32, arguments, 2);
    LLVMValueRef at = LLVMBuildAdd(builder, start, zeros, "");
    LLVMValueRef wraps = LLVMBuildICmp(builder, LLVMIntUGE, at, width, "");
    return LLVMBuildSelect(builder, wraps, LLVMBuildSub(builder, at, width, ""), at, "first");
}

static void look_at_few(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    Few few = {.count = 0};
    load_few(emitter, probe->plan, &few);
    LLVMBasicBlockRef some = emit_block(emitter, "few.some");
    if (few.count == 1) {
        LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, few.words[0], ""), nothing, some);
        emit_enter(emitter, some);
        alt_take_partner(emitter, probe, few.numbers[0], NULL, few.words[0]);
        return;
    }
    LLVMValueRef start = alt_random_start(emitter, emit_i32(emitter, (int64_t)few.count));
    LLVMValueRef mask = mask_of(emitter, &few);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, mask, ""), nothing, some);
    emit_enter(emitter, some);
    LLVMValueRef first = first_from(emitter, mask, start, few.count);
    LLVMValueRef choice = LLVMBuildSwitch(builder, first, probe->wait, (unsigned)few.count);
    for (size_t i = 0; i < few.count; i++) {
        LLVMBasicBlockRef block = emit_block(emitter, "few.guard");
        LLVMAddCase(choice, emit_i32(emitter, (int64_t)i), block);
        emit_enter(emitter, block);
        alt_take_partner(emitter, probe, few.numbers[i], NULL, few.words[i]);
    }
}

void alt_look_together(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    if (is_row(probe->plan)) {
        alt_look_at_row(emitter, probe, nothing);
    } else {
        look_at_few(emitter, probe, nothing);
    }
}
