/* alt_together -- looking at several channels at once.
 *
 * Owns:   the look over a row of channels (one replicated guard) in blocks, and over a few guards
 * of the text by a mask. Leaves: all other ALTs to alt_look.c. Holds:  as alt_probe.c. Which of
 * several guards is ready cannot be predicted, and a branch that is mispredicted costs more than
 * looking at three channels. So there is one branch for a block: is anybody there? Who it is, is
 * computed. A block that reaches over the end of the row goes on at its beginning, and channels may
 * be looked at twice: nothing happens between. */
#include "alt_probe.h"
#include "layout_offsets.h"

enum {
    FEW_GUARDS = 4, /* of the text, at most */
    TURN_WIDTH = 4, /* channels of a block that may turn at the end of the row */
    RUN_WIDTH = 8,  /* of one that does not */
    SHORT_ROW = 16  /* up to here all blocks may turn: whether one does cannot be predicted */
};

/* ---- which ALTs ---- */

static bool is_simple_channel(const Node *channel) {
    return channel != NULL && alt_is_plain(channel);
}

static bool is_transfer(const AltEntry *entry) {
    Node *guard = entry->alternative->alternative.guard;
    return guard->kind != NODE_CLOSED && is_simple_channel(alt_channel(guard));
}

static bool is_passed_over(const AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    return guard->kind == NODE_SKIP || alt_is_timer(guard);
}

static bool is_row(const AltPlan *plan) {
    const AltEntry *entry = plan->guards.items[0];
    return plan->guards.count == 1 && entry->depth == 1 &&
           entry->alternative->alternative.condition == NULL && is_transfer(entry);
}

/* A channel whose guard is off may have a subscript out of range. */
static bool is_one_of_few(const AltEntry *entry) {
    const Node *guard = entry->alternative->alternative.guard;
    bool has_name = is_transfer(entry) && alt_channel((Node *)guard)->kind == NODE_NAME;
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
    return channels > 1 && channels <= FEW_GUARDS;
}

bool alt_can_look_together(const AltPlan *plan) {
    return !plan->alt->alt.is_pri && (is_row(plan) || are_few(plan));
}

static LLVMValueRef load_word(Emitter *emitter, Node *channel) {
    LLVMValueRef field =
        emit_field(emitter, emit_channel(emitter, channel), OFFSET_Channel_word, "");
    return LLVMBuildLoad2(emitter->builder, emitter->i64, field, "word");
}

/* The runtime takes whoever is there and is no plain partner. */
static void take_partner(Emitter *emitter, Probe *probe, size_t number, LLVMValueRef index,
                         LLVMValueRef word) {
    LLVMBasicBlockRef ready = emit_block(emitter, "probe.ready");
    const Node *guard = probe->plan->guards.items[number]->alternative->alternative.guard;
    LLVMBuildCondBr(emitter->builder, alt_is_partner(emitter, guard, word), ready, probe->wait);
    emit_enter(emitter, ready);
    alt_take(emitter, probe, number, index);
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
        LLVMValueRef word = load_word(emitter, alt_channel(entry->alternative->alternative.guard));
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
    LLVMValueRef start = alt_random_start(emitter, emit_i32(emitter, (int64_t)few.count));
    LLVMValueRef mask = mask_of(emitter, &few);
    LLVMBasicBlockRef some = emit_block(emitter, "few.some");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, mask, ""), nothing, some);
    emit_enter(emitter, some);
    LLVMValueRef first = first_from(emitter, mask, start, few.count);
    LLVMValueRef choice = LLVMBuildSwitch(builder, first, probe->wait, (unsigned)few.count);
    for (size_t i = 0; i < few.count; i++) {
        LLVMBasicBlockRef block = emit_block(emitter, "few.guard");
        LLVMAddCase(choice, emit_i32(emitter, (int64_t)i), block);
        emit_enter(emitter, block);
        take_partner(emitter, probe, few.numbers[i], NULL, few.words[i]);
    }
}

/* ---- a row of channels ---- */

static LLVMValueRef index_at(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    const ReplicatorLoop *loop = &probe->loops[0];
    LLVMValueRef distance = LLVMBuildMul(emitter->builder, position, loop->step, "");
    return LLVMBuildAdd(emitter->builder, loop->base, distance, "index");
}

static LLVMValueRef word_at(Emitter *emitter, const Probe *probe, LLVMValueRef index) {
    const AltEntry *entry = probe->plan->guards.items[0];
    emit_bind_value(emitter, alt_replicator(entry->alts[0]), index);
    return load_word(emitter, alt_channel(entry->alternative->alternative.guard));
}

/* The position after this one; after the last comes the first. */
static LLVMValueRef after(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef next = LLVMBuildAdd(builder, position, emit_i32(emitter, 1), "");
    LLVMValueRef is_end = LLVMBuildICmp(builder, LLVMIntEQ, next, probe->total, "");
    return LLVMBuildSelect(builder, is_end, emit_i32(emitter, 0), next, "after");
}

/* So that no subscript is checked. */
static void assume_inside(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef inside = LLVMBuildICmp(builder, LLVMIntULT, position, probe->total, "");
    emit_intrinsic(emitter, "llvm.assume", NULL, &inside, 1);
}

/* Take the first of the block in which somebody is, or go on behind it. */
static void look_at_block(Emitter *emitter, Probe *probe, const LLVMValueRef *positions, int width,
                          LLVMBasicBlockRef next) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef any = emit_i64(emitter, 0);
    LLVMValueRef first = positions[width - 1];
    LLVMValueRef words[RUN_WIDTH];
    for (int i = 0; i < width; i++) {
        assume_inside(emitter, probe, positions[i]);
        words[i] = word_at(emitter, probe, index_at(emitter, probe, positions[i]));
        any = LLVMBuildOr(builder, any, words[i], "");
    }
    LLVMBasicBlockRef some = emit_block(emitter, "row.some");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, any, ""), next, some);
    emit_enter(emitter, some);
    for (int i = width - 2; i >= 0; i--) {
        LLVMValueRef is_there = LLVMBuildIsNotNull(builder, words[i], "");
        first = LLVMBuildSelect(builder, is_there, positions[i], first, "");
    }
    assume_inside(emitter, probe, first);
    LLVMValueRef index = index_at(emitter, probe, first);
    take_partner(emitter, probe, 0, index, word_at(emitter, probe, index));
}

/* probe->limit counts the channels that are left. */
static void go_on_behind(Emitter *emitter, const Probe *probe, LLVMValueRef behind, int width,
                         LLVMBasicBlockRef look, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBuildStore(builder, behind, probe->position);
    LLVMValueRef left =
        LLVMBuildSub(builder, alt_load_i32(emitter, probe->limit), emit_i32(emitter, width), "");
    LLVMBuildStore(builder, left, probe->limit);
    LLVMValueRef is_more = LLVMBuildICmp(builder, LLVMIntSGT, left, emit_i32(emitter, 0), "");
    LLVMBuildCondBr(builder, is_more, look, nothing);
}

static void look_at_turning_block(Emitter *emitter, Probe *probe, LLVMBasicBlockRef look,
                                  LLVMBasicBlockRef nothing) {
    LLVMBasicBlockRef next = emit_block(emitter, "turn.next");
    LLVMValueRef positions[TURN_WIDTH] = {alt_load_i32(emitter, probe->position)};
    for (int i = 1; i < TURN_WIDTH; i++) {
        positions[i] = after(emitter, probe, positions[i - 1]);
    }
    look_at_block(emitter, probe, positions, TURN_WIDTH, next);
    emit_enter(emitter, next);
    LLVMValueRef behind = after(emitter, probe, positions[TURN_WIDTH - 1]);
    go_on_behind(emitter, probe, behind, TURN_WIDTH, look, nothing);
}

static void look_at_running_block(Emitter *emitter, Probe *probe, LLVMBasicBlockRef look,
                                  LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef next = emit_block(emitter, "run.next");
    LLVMValueRef positions[RUN_WIDTH] = {alt_load_i32(emitter, probe->position)};
    for (int i = 1; i < RUN_WIDTH; i++) {
        positions[i] = LLVMBuildAdd(builder, positions[0], emit_i32(emitter, i), "");
        LLVMSetNUW(positions[i], 1);
    }
    look_at_block(emitter, probe, positions, RUN_WIDTH, next);
    emit_enter(emitter, next);
    LLVMValueRef behind = LLVMBuildAdd(builder, positions[0], emit_i32(emitter, RUN_WIDTH), "");
    LLVMValueRef is_end = LLVMBuildICmp(builder, LLVMIntEQ, behind, probe->total, "");
    behind = LLVMBuildSelect(builder, is_end, emit_i32(emitter, 0), behind, "");
    go_on_behind(emitter, probe, behind, RUN_WIDTH, look, nothing);
}

/* A row of one or two. */
static void look_at_pair(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMValueRef positions[] = {alt_load_i32(emitter, probe->position), NULL};
    positions[1] = after(emitter, probe, positions[0]);
    look_at_block(emitter, probe, positions, 2, nothing);
}

/* The first block is one that may turn: mostly it is the last one too. */
static void look_at_row(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef begin = emit_block(emitter, "row.begin");
    LLVMBasicBlockRef look = emit_block(emitter, "row.look");
    LLVMBasicBlockRef run = emit_block(emitter, "row.run");
    LLVMBasicBlockRef turn = emit_block(emitter, "row.turn");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, probe->total, ""), nothing, begin);
    emit_enter(emitter, begin);
    LLVMBuildStore(builder, alt_random_start(emitter, probe->total), probe->position);
    LLVMBuildStore(builder, probe->total, probe->limit);
    LLVMBasicBlockRef pair = emit_block(emitter, "row.pair");
    LLVMValueRef is_pair =
        LLVMBuildICmp(builder, LLVMIntULE, probe->total, emit_i32(emitter, 2), "");
    LLVMBuildCondBr(builder, is_pair, pair, turn);
    emit_enter(emitter, pair);
    look_at_pair(emitter, probe, nothing);
    emit_enter(emitter, look);
    LLVMValueRef position = alt_load_i32(emitter, probe->position);
    LLVMValueRef end = LLVMBuildAdd(builder, position, emit_i32(emitter, RUN_WIDTH), "");
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULE, end, probe->total, "");
    LLVMValueRef is_long =
        LLVMBuildICmp(builder, LLVMIntUGT, probe->total, emit_i32(emitter, SHORT_ROW), "");
    LLVMBuildCondBr(builder, LLVMBuildAnd(builder, is_long, fits, ""), run, turn);
    emit_enter(emitter, run);
    look_at_running_block(emitter, probe, look, nothing);
    emit_enter(emitter, turn);
    look_at_turning_block(emitter, probe, look, nothing);
}

void alt_look_together(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    if (is_row(probe->plan)) {
        look_at_row(emitter, probe, nothing);
    } else {
        look_at_few(emitter, probe, nothing);
    }
}
