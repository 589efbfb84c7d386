/* alt_row -- the look over a row of channels: one replicated guard of a fair ALT.
 *
 * Owns:   the look in blocks; what is known of a short row.
 * Leaves: which ALTs have a row to alt_together.c.
 * Holds:  as alt_together.c. A block that reaches over the end of the row goes on at its beginning,
 *         and channels may be looked at twice: nothing happens between.
 *
 *         A short row is looked at as a whole, and partners that were found but not taken are known
 *         from then on. As long as only this process runs nobody else comes, so the next look is at
 *         what is known, not at the channels: the processor would load their words before the
 *         store that clears the taken one, notice, and repeat the loads. Whoever runs others saves
 *         this process first, in Process.sp; so what is known holds as long as Process.sp is still
 *         the mark that this look has put there. A mark is an address in the frame: no other look
 *         has it. What the process itself has done to a channel is not known, therefore a known
 *         partner is looked at before it is taken. */
#include "alt_probe.h"
#include "layout_offsets.h"

enum {
    BLOCK_WIDTH = 4, /* channels that are looked at together: more would not be in registers */
    RUN_WIDTH = 8,   /* of blocks none of which turns at the end of the row; all blocks of a short
                        row may: whether one does cannot be predicted */
    SPAN = 4         /* channels whose bits are counted together */
};

/* ---- the channels ---- */

static LLVMValueRef index_at(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    const ReplicatorLoop *loop = &probe->loops[0];
    LLVMValueRef distance = LLVMBuildMul(emitter->builder, position, loop->step, "");
    return LLVMBuildAdd(emitter->builder, loop->base, distance, "index");
}

static LLVMValueRef word_at(Emitter *emitter, const Probe *probe, LLVMValueRef index) {
    const AltEntry *entry = probe->plan->guards.items[0];
    emit_bind_value(emitter, alt_replicator(entry->alts[0]), index);
    return alt_load_word(emitter, alt_channel(entry->alternative->alternative.guard));
}

/* Tells LLVM that the position is in the row, so that no subscript is checked. */
static void assume_inside(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef inside = LLVMBuildICmp(builder, LLVMIntULT, position, probe->total, "");
    emit_intrinsic(emitter, "llvm.assume", NULL, &inside, 1);
}

static void take_with(Emitter *emitter, Probe *probe, LLVMValueRef position, LLVMValueRef word) {
    assume_inside(emitter, probe, position);
    alt_take_partner(emitter, probe, 0, index_at(emitter, probe, position), word);
}

static void take_at(Emitter *emitter, Probe *probe, LLVMValueRef position) {
    assume_inside(emitter, probe, position);
    take_with(emitter, probe, position,
              word_at(emitter, probe, index_at(emitter, probe, position)));
}

/* The block for a row of more than `count` channels; emission goes on for the others. */
static LLVMBasicBlockRef if_longer(Emitter *emitter, const Probe *probe, int count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef shorter = emit_block(emitter, "row.shorter");
    LLVMBasicBlockRef longer = emit_block(emitter, "row.longer");
    LLVMValueRef fits =
        LLVMBuildICmp(builder, LLVMIntULE, probe->total, emit_i32(emitter, count), "");
    LLVMBuildCondBr(builder, fits, shorter, longer);
    emit_enter(emitter, shorter);
    return longer;
}

/* ---- in blocks ---- */

/* The position after this one; after the last comes the first. */
static LLVMValueRef after(Emitter *emitter, const Probe *probe, LLVMValueRef position) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef next = LLVMBuildAdd(builder, position, emit_i32(emitter, 1), "");
    LLVMValueRef is_end = LLVMBuildICmp(builder, LLVMIntEQ, next, probe->total, "");
    return LLVMBuildSelect(builder, is_end, emit_i32(emitter, 0), next, "after");
}

/* To `some` if somebody is in a channel of the block, with the first of them at probe->position; else
 * emission goes on. */
static void look_at_channels(Emitter *emitter, const Probe *probe, const LLVMValueRef *positions,
                             int width, LLVMBasicBlockRef some) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef any = emit_i64(emitter, 0);
    LLVMValueRef first = positions[width - 1];
    LLVMValueRef words[BLOCK_WIDTH];
    for (int i = 0; i < width; i++) {
        assume_inside(emitter, probe, positions[i]);
        words[i] = word_at(emitter, probe, index_at(emitter, probe, positions[i]));
        any = LLVMBuildOr(builder, any, words[i], "");
    }
    LLVMBasicBlockRef somebody = emit_block(emitter, "row.somebody");
    LLVMBasicBlockRef nobody = emit_block(emitter, "row.nobody");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, any, ""), nobody, somebody);
    emit_enter(emitter, somebody);
    for (int i = width - 2; i >= 0; i--) {
        LLVMValueRef is_there = LLVMBuildIsNotNull(builder, words[i], "");
        first = LLVMBuildSelect(builder, is_there, positions[i], first, "");
    }
    LLVMBuildStore(builder, first, probe->position);
    emit_jump(emitter, some);
    emit_enter(emitter, nobody);
}

static void take_first(Emitter *emitter, Probe *probe, LLVMBasicBlockRef some) {
    emit_enter(emitter, some);
    take_at(emitter, probe, alt_load_i32(emitter, probe->position));
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
    LLVMBasicBlockRef some = emit_block(emitter, "turn.some");
    LLVMValueRef positions[BLOCK_WIDTH] = {alt_load_i32(emitter, probe->position)};
    for (int i = 1; i < BLOCK_WIDTH; i++) {
        positions[i] = after(emitter, probe, positions[i - 1]);
    }
    look_at_channels(emitter, probe, positions, BLOCK_WIDTH, some);
    LLVMValueRef behind = after(emitter, probe, positions[BLOCK_WIDTH - 1]);
    go_on_behind(emitter, probe, behind, BLOCK_WIDTH, look, nothing);
    take_first(emitter, probe, some);
}

static void look_at_running_blocks(Emitter *emitter, Probe *probe, LLVMBasicBlockRef look,
                                   LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "run.some");
    LLVMValueRef position = alt_load_i32(emitter, probe->position);
    for (int done = 0; done < RUN_WIDTH; done += BLOCK_WIDTH) {
        LLVMValueRef positions[BLOCK_WIDTH];
        for (int i = 0; i < BLOCK_WIDTH; i++) {
            positions[i] = LLVMBuildAdd(builder, position, emit_i32(emitter, done + i), "");
            LLVMSetNUW(positions[i], 1);
        }
        look_at_channels(emitter, probe, positions, BLOCK_WIDTH, some);
    }
    LLVMValueRef behind = LLVMBuildAdd(builder, position, emit_i32(emitter, RUN_WIDTH), "");
    LLVMValueRef is_end = LLVMBuildICmp(builder, LLVMIntEQ, behind, probe->total, "");
    behind = LLVMBuildSelect(builder, is_end, emit_i32(emitter, 0), behind, "");
    go_on_behind(emitter, probe, behind, RUN_WIDTH, look, nothing);
    take_first(emitter, probe, some);
}

/* A row of one or two. */
static void look_at_pair(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBasicBlockRef some = emit_block(emitter, "pair.some");
    LLVMValueRef positions[] = {alt_load_i32(emitter, probe->position), NULL};
    positions[1] = after(emitter, probe, positions[0]);
    look_at_channels(emitter, probe, positions, 2, some);
    emit_jump(emitter, nothing);
    take_first(emitter, probe, some);
}

/* The first block is one that may turn: mostly it is also the last one. */
static void look_in_blocks(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef look = emit_block(emitter, "row.look");
    LLVMBasicBlockRef run = emit_block(emitter, "row.run");
    LLVMBasicBlockRef turn = emit_block(emitter, "row.turn");
    LLVMBasicBlockRef pair = emit_block(emitter, "row.pair");
    LLVMBuildStore(builder, probe->total, probe->limit);
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
        LLVMBuildICmp(builder, LLVMIntUGT, probe->total, emit_i32(emitter, ALT_SHORT_ROW), "");
    LLVMBuildCondBr(builder, LLVMBuildAnd(builder, is_long, fits, ""), run, turn);
    emit_enter(emitter, run);
    look_at_running_blocks(emitter, probe, look, nothing);
    emit_enter(emitter, turn);
    look_at_turning_block(emitter, probe, look, nothing);
}

/* ---- what is known of a short row ---- */

/* Known -- in the frame: a bit for each channel in which somebody is, and the mark. */
typedef struct Known {
    LLVMValueRef mask; /* i32 in memory, which becomes a register; 0: nothing is known */
    LLVMValueRef mark; /* only its address counts */
} Known;

typedef struct FixedSearch {
    const Symbol *replicator;
    bool is_fixed;
} FixedSearch;

/* Does the name mean the same as long as the routine runs? */
static bool is_fixed_name(const Symbol *symbol, const Symbol *replicator) {
    switch (symbol->kind) {
    case SYMBOL_VALUE: return symbol->constant != NULL;
    case SYMBOL_VARIABLE: return type_is_channel(symbol->type);
    case SYMBOL_FORMAL: return symbol->formal_mode == FORMAL_VAL || type_is_channel(symbol->type);
    default: return symbol == replicator;
    }
}

static void search_fixed(Node **child, void *context) {
    FixedSearch *search = context;
    if ((*child)->kind == NODE_NAME) {
        search->is_fixed =
            search->is_fixed && is_fixed_name((*child)->name.symbol, search->replicator);
    }
    node_visit_children(*child, search_fixed, search);
}

/* Is the row the same channels each time the routine comes here? */
static bool is_fixed_row(const AltPlan *plan) {
    const AltEntry *entry = plan->guards.items[0];
    Node *replicator = entry->alts[0]->alt.replicator;
    Node *channel = alt_channel(entry->alternative->alternative.guard);
    FixedSearch search = {alt_replicator(entry->alts[0]), true};
    search_fixed(&channel, &search);
    search_fixed(&replicator->replicator.base, &search);
    search_fixed(&replicator->replicator.count, &search);
    if (replicator->replicator.step != NULL) {
        search_fixed(&replicator->replicator.step, &search);
    }
    return search.is_fixed;
}

/* Ready -- who is in a row: a bit for each channel, and the OR of the words, which is the word of
 * the one partner when there is only one. */
typedef struct Ready {
    LLVMValueRef mask;  /* i32 */
    LLVMValueRef words; /* i64 */
} Ready;

/* The position, or the last one if it is beyond. The row has at least `sure` channels. */
static LLVMValueRef up_to_last(Emitter *emitter, const Probe *probe, int position, int sure) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef place = emit_i32(emitter, position);
    if (position < sure) {
        return place;
    }
    LLVMValueRef last = LLVMBuildSub(builder, probe->total, emit_i32(emitter, 1), "last");
    LLVMValueRef is_there = LLVMBuildICmp(builder, LLVMIntULT, place, last, "");
    return LLVMBuildSelect(builder, is_there, place, last, "position");
}

/* A span from channel `first` on. Borrows are counted: the processor subtracts with borrow what it
 * has compared. */
static Ready look_at_span(Emitter *emitter, const Probe *probe, int first, int sure) {
    LLVMBuilderRef builder = emitter->builder;
    Ready ready = {emit_i32(emitter, 0), emit_i64(emitter, 0)};
    for (int i = first + SPAN - 1; i >= first; i--) {
        LLVMValueRef position = up_to_last(emitter, probe, i, sure);
        assume_inside(emitter, probe, position);
        LLVMValueRef word = word_at(emitter, probe, index_at(emitter, probe, position));
        LLVMValueRef is_empty =
            LLVMBuildZExt(builder, LLVMBuildIsNull(builder, word, ""), emitter->i32, "");
        ready.mask =
            LLVMBuildSub(builder, LLVMBuildAdd(builder, ready.mask, ready.mask, ""), is_empty, "");
        ready.words = LLVMBuildOr(builder, ready.words, word, "");
    }
    ready.mask = LLVMBuildAdd(builder, ready.mask, emit_i32(emitter, (1 << SPAN) - 1), "span");
    return ready;
}

/* A row of up to `count` channels. */
static Ready look_at_all_of(Emitter *emitter, const Probe *probe, int count, int sure) {
    LLVMBuilderRef builder = emitter->builder;
    Ready ready = {emit_i32(emitter, 0), emit_i64(emitter, 0)};
    for (int first = 0; first < count; first += SPAN) {
        Ready span = look_at_span(emitter, probe, first, sure);
        span.mask = LLVMBuildShl(builder, span.mask, emit_i32(emitter, first), "");
        ready.mask = LLVMBuildOr(builder, ready.mask, span.mask, "");
        ready.words = LLVMBuildOr(builder, ready.words, span.words, "");
    }
    LLVMValueRef behind = LLVMBuildShl(builder, emit_i32(emitter, -1), probe->total, "");
    ready.mask = LLVMBuildAnd(builder, ready.mask, LLVMBuildNot(builder, behind, ""), "ready");
    return ready;
}

/* i32: the bits from `start` on. They come from a table: a shift would need the register that holds
 * the head of the run queue. */
static LLVMValueRef bits_from(Emitter *emitter, LLVMValueRef start) {
    static const char name[] = "alt.from";
    LLVMTypeRef type = LLVMArrayType2(emitter->i32, ALT_SHORT_ROW);
    LLVMValueRef table = LLVMGetNamedGlobal(emitter->module, name);
    if (table == NULL) {
        LLVMValueRef values[ALT_SHORT_ROW];
        for (int i = 0; i < ALT_SHORT_ROW; i++) {
            values[i] = emit_i32(emitter, -(1 << i));
        }
        LLVMValueRef numbers = LLVMConstArray2(emitter->i32, values, ALT_SHORT_ROW);
        table = emit_constant_global(emitter, numbers, name);
        LLVMSetUnnamedAddress(table, LLVMGlobalUnnamedAddr);
    }
    LLVMValueRef indices[] = {emit_i32(emitter, 0), start};
    LLVMValueRef place = LLVMBuildInBoundsGEP2(emitter->builder, type, table, indices, 2, "");
    return LLVMBuildLoad2(emitter->builder, emitter->i32, place, "from");
}

/* The lowest bit from `start` on, else the lowest of all. */
static LLVMValueRef first_bit(Emitter *emitter, LLVMValueRef mask, LLVMValueRef from) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef behind = LLVMBuildAnd(builder, mask, from, "");
    LLVMValueRef turns = LLVMBuildIsNull(builder, behind, "");
    LLVMValueRef choice = LLVMBuildSelect(builder, turns, mask, behind, "");
    return LLVMBuildAnd(builder, choice, LLVMBuildNeg(builder, choice, ""), "bit");
}

static LLVMValueRef position_of(Emitter *emitter, LLVMValueRef bit) {
    LLVMValueRef arguments[] = {bit, LLVMConstInt(emitter->i1, 1, 0)};
    return emit_intrinsic(emitter, "llvm.cttz", emitter->i32, arguments, 2);
}

/* Has nobody else run since the mask was stored, and is somebody left in it? */
static LLVMValueRef is_known(Emitter *emitter, const Known *known, LLVMValueRef mask) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef saved =
        emit_load_field(emitter, emitter->ptr, emit_me(emitter), OFFSET_Process_sp, "saved");
    LLVMSetVolatile(saved, 1);
    return LLVMBuildAnd(builder, LLVMBuildICmp(builder, LLVMIntEQ, saved, known->mark, ""),
                        LLVMBuildIsNotNull(builder, mask, ""), "known");
}

/* The others are known from now on, if there are any. Emission goes on where there are; returns the
 * block for when there are none. */
static LLVMBasicBlockRef keep(Emitter *emitter, const Known *known, LLVMValueRef others) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef some = emit_block(emitter, "row.others");
    LLVMBasicBlockRef none = emit_block(emitter, "row.alone");
    LLVMBuildStore(builder, others, known->mask);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, others, ""), none, some);
    emit_enter(emitter, some);
    LLVMValueRef mark = emit_store_field(emitter, known->mark, emit_me(emitter), OFFSET_Process_sp);
    LLVMSetVolatile(mark, 1);
    return none;
}

/* A row of one or two. */
static void look_at_new_pair(Emitter *emitter, Probe *probe, const Known *known,
                             LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef places[] = {alt_load_i32(emitter, probe->position), NULL};
    LLVMValueRef words[2];
    LLVMValueRef is_there[2];
    places[1] = after(emitter, probe, places[0]);
    for (int i = 0; i < 2; i++) {
        assume_inside(emitter, probe, places[i]);
        words[i] = word_at(emitter, probe, index_at(emitter, probe, places[i]));
        is_there[i] = LLVMBuildIsNotNull(builder, words[i], "");
    }
    LLVMBasicBlockRef some = emit_block(emitter, "row.some");
    LLVMValueRef any = LLVMBuildOr(builder, is_there[0], is_there[1], "");
    LLVMBuildCondBr(builder, any, some, nothing);
    emit_enter(emitter, some);
    LLVMValueRef first = LLVMBuildSelect(builder, is_there[0], places[0], places[1], "first");
    LLVMValueRef word = LLVMBuildSelect(builder, is_there[0], words[0], words[1], "word");
    LLVMValueRef are_two = LLVMBuildICmp(builder, LLVMIntNE, places[0], places[1], "");
    LLVMValueRef both = LLVMBuildAnd(builder, is_there[0], is_there[1], "");
    both = LLVMBuildAnd(builder, both, are_two, "both");
    LLVMValueRef bit = LLVMBuildAdd(builder, places[1], emit_i32(emitter, 1), "");
    bit = LLVMBuildSelect(builder, both, bit, emit_i32(emitter, 0), "other");
    LLVMBasicBlockRef alone = keep(emitter, known, bit);
    emit_continue(emitter, alone);
    take_with(emitter, probe, first, word);
}

/* A row of more than two. */
static void look_at_new_row(Emitter *emitter, Probe *probe, const Known *known, LLVMValueRef from,
                            LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef looked = emit_block(emitter, "row.looked");
    LLVMBasicBlockRef some = emit_block(emitter, "row.some");
    LLVMBasicBlockRef longer = if_longer(emitter, probe, ALT_SHORT_ROW / 2);
    Ready one = look_at_all_of(emitter, probe, ALT_SHORT_ROW / 2, 3);
    LLVMBasicBlockRef blocks[2] = {LLVMGetInsertBlock(builder), NULL};
    emit_jump(emitter, looked);
    emit_enter(emitter, longer);
    Ready two = look_at_all_of(emitter, probe, ALT_SHORT_ROW, ALT_SHORT_ROW / 2 + 1);
    blocks[1] = LLVMGetInsertBlock(builder);
    emit_continue(emitter, looked);
    LLVMValueRef masks[] = {one.mask, two.mask};
    LLVMValueRef words[] = {one.words, two.words};
    Ready ready = {LLVMBuildPhi(builder, emitter->i32, "ready"),
                   LLVMBuildPhi(builder, emitter->i64, "words")};
    LLVMAddIncoming(ready.mask, masks, blocks, 2);
    LLVMAddIncoming(ready.words, words, blocks, 2);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, ready.mask, ""), nothing, some);
    emit_enter(emitter, some);
    LLVMValueRef bit = first_bit(emitter, ready.mask, from);
    LLVMValueRef position = position_of(emitter, bit);
    LLVMBasicBlockRef alone = keep(emitter, known, LLVMBuildXor(builder, ready.mask, bit, ""));
    take_at(emitter, probe, position);
    emit_enter(emitter, alone);
    take_with(emitter, probe, position, ready.words);
}

static void look_at_short_row(Emitter *emitter, Probe *probe, LLVMValueRef start,
                              LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    Known known = {.mask = emit_zeroed_alloca(emitter, emitter->i32, "row.known"),
                   .mark = emit_alloca(emitter, emitter->i64, "row.mark")};
    LLVMBasicBlockRef old = emit_block(emitter, "row.known");
    LLVMBasicBlockRef new = emit_block(emitter, "row.new");
    LLVMValueRef from = bits_from(emitter, start);
    LLVMValueRef mask = alt_load_i32(emitter, known.mask);
    LLVMBuildCondBr(builder, is_known(emitter, &known, mask), old, new);
    emit_enter(emitter, old);
    LLVMValueRef bit = first_bit(emitter, mask, from);
    LLVMBuildStore(builder, LLVMBuildXor(builder, mask, bit, ""), known.mask);
    take_at(emitter, probe, position_of(emitter, bit));
    emit_enter(emitter, new);
    LLVMBasicBlockRef longer = if_longer(emitter, probe, 2);
    look_at_new_pair(emitter, probe, &known, nothing);
    emit_enter(emitter, longer);
    look_at_new_row(emitter, probe, &known, from, nothing);
}

/* ---- the row ---- */

void alt_look_at_row(Emitter *emitter, Probe *probe, LLVMBasicBlockRef nothing) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef begin = emit_block(emitter, "row.begin");
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, probe->total, ""), nothing, begin);
    emit_enter(emitter, begin);
    LLVMValueRef start = alt_random_start(emitter, probe->total);
    LLVMBuildStore(builder, start, probe->position);
    if (is_fixed_row(probe->plan)) {
        LLVMBasicBlockRef longer = if_longer(emitter, probe, ALT_SHORT_ROW);
        look_at_short_row(emitter, probe, start, nothing);
        emit_enter(emitter, longer);
    }
    alt_doubt(emitter, probe);
    look_in_blocks(emitter, probe, nothing);
}
