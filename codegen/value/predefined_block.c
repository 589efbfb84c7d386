/* predefined_block -- MOVE2D, DRAW2D, CLIP2D: rectangles of bytes (language.md 1.8).
 *
 *   p (VAL [][]BYTE source, VAL INT sx, sy, [][]BYTE dest, VAL INT dx, dy, width, length)
 *
 * Holds: both rectangles are checked before the first byte moves. MOVE2D copies every byte,
 *        DRAW2D those that are not 0, CLIP2D those that are 0. */
#include "predefined.h"

typedef struct Rectangle {
    Place rows; /* [][]BYTE */
    LLVMValueRef x, y;
} Rectangle;

typedef struct BlockMove {
    Rectangle from, to;
    LLVMValueRef width, length;
} BlockMove;

/* ---- operands ---- */

static void check_span(Emitter *emitter, const PredefinedCall *call, LLVMValueRef start,
                       LLVMValueRef size, LLVMValueRef count) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMValueRef rest = LLVMBuildSub(builder, count, start, "");
    LLVMValueRef starts = LLVMBuildICmp(builder, LLVMIntULE, start, count, "");
    LLVMValueRef ends = LLVMBuildICmp(builder, LLVMIntULE, size, rest, "");
    LLVMValueRef last = LLVMBuildSub(builder, count, emit_i32(emitter, 1), "");
    emit_trap_unless(emitter, LLVMBuildAnd(builder, starts, ends, ""), ERROR_SEGMENT, call->at,
                     call->name, start, size, last);
}

static Rectangle rectangle(Emitter *emitter, const PredefinedCall *call, size_t first,
                           const BlockMove *move) {
    Rectangle area = {
        .rows = emit_data_place(emitter, call->actuals->items[first]),
        .x = call->operands[first + 1],
        .y = call->operands[first + 2],
    };
    check_span(emitter, call, area.y, move->length, emit_place_count(emitter, area.rows, 0));
    check_span(emitter, call, area.x, move->width, emit_place_count(emitter, area.rows, 1));
    return area;
}

/* ---- loops ---- */

typedef struct CountedLoop {
    LLVMValueRef index;
    LLVMBasicBlockRef header, end;
} CountedLoop;

static CountedLoop loop_begin(Emitter *emitter, LLVMValueRef count, const char *name) {
    LLVMBuilderRef builder = emitter->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef body = emit_block(emitter, name);
    CountedLoop loop = {.header = emit_block(emitter, name), .end = emit_block(emitter, name)};
    emit_continue(emitter, loop.header);
    loop.index = LLVMBuildPhi(builder, emitter->i32, "");
    LLVMValueRef zero = emit_i32(emitter, 0);
    LLVMAddIncoming(loop.index, &zero, &before, 1);
    LLVMValueRef more = LLVMBuildICmp(builder, LLVMIntSLT, loop.index, count, "");
    LLVMBuildCondBr(builder, more, body, loop.end);
    emit_enter(emitter, body);
    return loop;
}

static void loop_end(Emitter *emitter, CountedLoop *loop) {
    LLVMValueRef next = LLVMBuildAdd(emitter->builder, loop->index, emit_i32(emitter, 1), "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(emitter->builder);
    LLVMAddIncoming(loop->index, &next, &latch, 1);
    emit_jump(emitter, loop->header);
    emit_enter(emitter, loop->end);
}

/* ---- rows ---- */

/* The bytes of the rectangle in one row. */
static Place row_part(Emitter *emitter, const Rectangle *area, const BlockMove *move,
                      LLVMValueRef row) {
    LLVMValueRef index = LLVMBuildAdd(emitter->builder, area->y, row, "");
    Place whole = emit_element(emitter, area->rows, index);
    return emit_segment(emitter, whole, area->x, move->width);
}

/* Copy the bytes of the row that are 0, or those that are not. */
static void move_chosen(Emitter *emitter, Place from, Place to, LLVMValueRef width,
                        LLVMIntPredicate chosen) {
    LLVMBuilderRef builder = emitter->builder;
    CountedLoop loop = loop_begin(emitter, width, "block.byte");
    LLVMValueRef byte = emit_load(emitter, emit_element(emitter, from, loop.index));
    LLVMBasicBlockRef store = emit_block(emitter, "block.store");
    LLVMBasicBlockRef next = emit_block(emitter, "block.next");
    LLVMValueRef takes = LLVMBuildICmp(builder, chosen, byte, LLVMConstNull(emitter->i8), "");
    LLVMBuildCondBr(builder, takes, store, next);
    emit_enter(emitter, store);
    emit_store(emitter, byte, emit_element(emitter, to, loop.index));
    emit_continue(emitter, next);
    loop_end(emitter, &loop);
}

void predefined_block_move(Emitter *emitter, PredefinedCall *call) {
    BlockMove move = {
        .width = call->operands[6],
        .length = call->operands[7],
    };
    move.from = rectangle(emitter, call, 0, &move);
    move.to = rectangle(emitter, call, 3, &move);
    CountedLoop loop = loop_begin(emitter, move.length, "block.row");
    Place from = row_part(emitter, &move.from, &move, loop.index);
    Place to = row_part(emitter, &move.to, &move, loop.index);
    if (call->id == PREDEFINED_MOVE2D) {
        LLVMBuildMemMove(emitter->builder, to.address, 1, from.address, 1,
                         emit_size_bytes(emitter, to));
    } else {
        bool draws = call->id == PREDEFINED_DRAW2D;
        move_chosen(emitter, from, to, move.width, draws ? LLVMIntNE : LLVMIntEQ);
    }
    loop_end(emitter, &loop);
}
