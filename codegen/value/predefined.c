/* predefined -- routines that are visible without #USE (language.md 1.8): which code each one is.
 *
 * Owns:   the table from frontend/types/predefined.def's routines to their code; the evaluation of
 *         actuals; CAUSEERROR, ASSERT, RESCHEDULE, priorities.
 * Leaves: names, formals and what is refused to frontend/types/predefined.def, the code itself to
 *         predefined_*.c.
 * Holds:  a routine whose group is BUILT in predefined.def has an entry here, or all its calls are
 *         constants. */
#include "predefined.h"
#include "layout_offsets.h"

/* ---- control ---- */

static void cause_error(Emitter *emitter, PredefinedCall *call) {
    emit_error(emitter, ERROR_CAUSE_ERROR, call->at, NULL, NULL);
}

static void assert_true(Emitter *emitter, PredefinedCall *call) {
    emit_trap_unless(emitter, call->operands[0], ERROR_ASSERT, call->at, NULL, NULL, NULL, NULL);
}

static void reschedule(Emitter *emitter, PredefinedCall *call) {
    (void)call;
    emit_runtime_call(emitter, RT_reschedule, NULL);
}

static void wall_time(Emitter *emitter, PredefinedCall *call) {
    Place place = emit_place(emitter, call->actuals->items[0]);
    emit_store(emitter, emit_runtime_call(emitter, RT_wall_time, NULL), place);
}

/* ---- priority ---- */

static LLVMValueRef priority_level(Emitter *emitter) {
    LLVMValueRef field = emit_field(emitter, emit_me(emitter), OFFSET_Process_priority, "");
    LLVMValueRef byte = LLVMBuildLoad2(emitter->builder, emitter->i8, field, "priority");
    LLVMValueRef wide = LLVMBuildZExt(emitter->builder, byte, emitter->i32, "");
    return LLVMBuildAnd(emitter->builder, wide, emit_i32(emitter, LAYOUT_PRIORITY_MASK), "level");
}

static void get_priority(Emitter *emitter, PredefinedCall *call) {
    emit_store(emitter, priority_level(emitter), emit_place(emitter, call->actuals->items[0]));
}

static void set_priority(Emitter *emitter, PredefinedCall *call) {
    emit_runtime_call(emitter, RT_priority_set, &call->operands[0]);
}

static void change_priority(Emitter *emitter, int64_t levels) {
    LLVMValueRef by = emit_i32(emitter, levels);
    LLVMValueRef level = LLVMBuildAdd(emitter->builder, priority_level(emitter), by, "");
    emit_runtime_call(emitter, RT_priority_set, &level);
}

static void raise_priority(Emitter *emitter, PredefinedCall *call) {
    (void)call;
    change_priority(emitter, -1);
}

static void lower_priority(Emitter *emitter, PredefinedCall *call) {
    (void)call;
    change_priority(emitter, 1);
}

static void get_affinity(Emitter *emitter, PredefinedCall *call) {
    Place place = emit_place(emitter, call->actuals->items[0]);
    emit_store(emitter, emit_runtime_call(emitter, RT_affinity_get, NULL), place);
}

static void kill_call(Emitter *emitter, PredefinedCall *call) {
    LLVMValueRef channel = emit_channel(emitter, call->actuals->items[0]);
    LLVMValueRef killed = emit_runtime_call(emitter, RT_kill_call, &channel);
    emit_store(emitter, killed, emit_target(emitter, call->actuals->items[1]));
}

static void set_affinity(Emitter *emitter, PredefinedCall *call) {
    emit_runtime_call(emitter, RT_affinity_set, &call->operands[0]);
}

/* ---- machines ---- */

static LLVMValueRef ask_machines(Emitter *emitter, int64_t number) {
    LLVMValueRef arguments[] = {emit_runtime_function(emitter, "occ_machines"),
                                emit_i32(emitter, number)};
    return emit_runtime_call(emitter, RT_placed_ask, arguments);
}

static void processor_count(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = ask_machines(emitter, LAYOUT_PLACED_COUNT);
}

static void processor_number(Emitter *emitter, PredefinedCall *call) {
    call->results[0] = ask_machines(emitter, LAYOUT_PLACED_NUMBER);
}

/* ---- the table ---- */

#define BOTH(NAME, emitter_of)                                                                     \
    [PREDEFINED_##NAME] = (emitter_of), [PREDEFINED_D##NAME] = (emitter_of)
#define WIDTHS(A, B, emitter_of)                                                                   \
    [PREDEFINED_##A##32##B] = (emitter_of), [PREDEFINED_##A##64##B] = (emitter_of)

static PredefinedEmitter *const emitters[PREDEFINED_COUNT] = {
    [PREDEFINED_CAUSEERROR] = cause_error,
    [PREDEFINED_ASSERT] = assert_true,
    [PREDEFINED_RESCHEDULE] = reschedule,
    [PREDEFINED_WALL_TIME] = wall_time,
    [PREDEFINED_GETPRI] = get_priority,
    [PREDEFINED_SETPRI] = set_priority,
    [PREDEFINED_INCPRI] = raise_priority,
    [PREDEFINED_DECPRI] = lower_priority,
    [PREDEFINED_RAISE_PRIORITY] = raise_priority,
    [PREDEFINED_LOWER_PRIORITY] = lower_priority,
    [PREDEFINED_GETAFF] = get_affinity,
    [PREDEFINED_SETAFF] = set_affinity,
    [PREDEFINED_KILLCALL] = kill_call,
    [PREDEFINED_PROCESSOR_COUNT] = processor_count,
    [PREDEFINED_PROCESSOR_NUMBER] = processor_number,
    [PREDEFINED_LONGADD] = predefined_long_add,
    [PREDEFINED_LONGSUB] = predefined_long_add,
    [PREDEFINED_LONGSUM] = predefined_long_sum,
    [PREDEFINED_LONGDIFF] = predefined_long_sum,
    [PREDEFINED_LONGPROD] = predefined_long_product,
    [PREDEFINED_LONGDIV] = predefined_long_divide,
    [PREDEFINED_SHIFTLEFT] = predefined_shift_pair,
    [PREDEFINED_SHIFTRIGHT] = predefined_shift_pair,
    [PREDEFINED_NORMALISE] = predefined_normalise,
    [PREDEFINED_ASHIFTLEFT] = predefined_shift_sign,
    [PREDEFINED_ASHIFTRIGHT] = predefined_shift_sign,
    [PREDEFINED_ROTATELEFT] = predefined_rotate,
    [PREDEFINED_ROTATERIGHT] = predefined_rotate,
    [PREDEFINED_FRACMUL] = predefined_fraction_multiply,
    BOTH(ABS, predefined_absolute),
    BOTH(ISNAN, predefined_is_nan),
    BOTH(NOTFINITE, predefined_not_finite),
    BOTH(ORDERED, predefined_ordered),
    BOTH(MINUSX, predefined_negate),
    BOTH(MULBY2, predefined_double),
    BOTH(DIVBY2, predefined_halve),
    BOTH(SQRT, predefined_root),
    BOTH(FPINT, predefined_whole),
    BOTH(SCALEB, predefined_scale),
    BOTH(COPYSIGN, predefined_copy_sign),
    BOTH(NEXTAFTER, predefined_next_after),
    BOTH(LOGB, predefined_log_b),
    BOTH(FLOATING_UNPACK, predefined_unpack),
    BOTH(ARGUMENT_REDUCE, predefined_argument_reduce),
    BOTH(SIN, predefined_maths),
    BOTH(COS, predefined_maths),
    BOTH(TAN, predefined_maths),
    BOTH(ASIN, predefined_maths),
    BOTH(ACOS, predefined_maths),
    BOTH(ATAN, predefined_maths),
    BOTH(ATAN2, predefined_maths),
    BOTH(SINH, predefined_maths),
    BOTH(COSH, predefined_maths),
    BOTH(TANH, predefined_maths),
    BOTH(EXP, predefined_maths),
    BOTH(ALOG, predefined_maths),
    BOTH(ALOG10, predefined_maths),
    BOTH(POWER, predefined_maths),
    WIDTHS(REAL, OP, predefined_real_operator),
    WIDTHS(IEEE, OP, predefined_ieee_operator),
    WIDTHS(REAL, REM, predefined_remainder),
    WIDTHS(IEEE, REM, predefined_ieee_remainder),
    WIDTHS(REAL, EQ, predefined_real_equal),
    WIDTHS(REAL, GT, predefined_real_greater),
    BOTH(IEEECOMPARE, predefined_compare),
    [PREDEFINED_UNPACKSN] = predefined_unpack_short,
    [PREDEFINED_ROUNDSN] = predefined_round_short,
    [PREDEFINED_BITCOUNT] = predefined_bit_count,
    [PREDEFINED_BITREVWORD] = predefined_bit_reverse,
    [PREDEFINED_BITREVNBITS] = predefined_bit_reverse_low,
    [PREDEFINED_CRCWORD] = predefined_crc,
    [PREDEFINED_CRCBYTE] = predefined_crc,
    [PREDEFINED_MOVE2D] = predefined_block_move,
    [PREDEFINED_CLIP2D] = predefined_block_move,
    [PREDEFINED_DRAW2D] = predefined_block_move,
    [PREDEFINED_RESIZE_MOBILE] = predefined_resize,
    [PREDEFINED_DETACH_DYNMOB] = predefined_detach,
    [PREDEFINED_ATTACH_DYNMOB] = predefined_attach,
};

/* ---- calls ---- */

static bool emit_predefined(Emitter *emitter, const Symbol *callee, PredefinedCall *call) {
    call->id = (PredefinedId)callee->predefined;
    call->name = callee->name->bytes;
    PredefinedEmitter *emit = emitters[call->id];
    if (emit == NULL) {
        emit_not_supported(emitter, call->at, call->name);
        return false;
    }
    for (size_t i = 0; i < call->actuals->count && i < PREDEFINED_OPERANDS; i++) {
        if (type_is_scalar(call->actuals->items[i]->type)) {
            call->operands[i] = emit_scalar(emitter, call->actuals->items[i]);
        }
    }
    emit(emitter, call);
    return true;
}

void emit_predefined_call(Emitter *emitter, Node *call) {
    PredefinedCall predefined = {.at = call->at, .actuals = &call->call.actuals};
    emit_predefined(emitter, call->call.callee->name.symbol, &predefined);
}

LLVMValueRef emit_predefined_function(Emitter *emitter, Node *call, Place *results,
                                      size_t result_count) {
    PredefinedCall predefined = {.at = call->at, .actuals = &call->function_call.actuals};
    if (!emit_predefined(emitter, call->function_call.callee->name.symbol, &predefined)) {
        return NULL;
    }
    if (result_count == 1) {
        return predefined.results[0];
    }
    for (size_t i = 0; i < result_count; i++) {
        emit_store(emitter, predefined.results[i], results[i]);
    }
    return NULL;
}
