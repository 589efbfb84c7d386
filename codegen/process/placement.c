/* placement -- PLACED PAR: what the runtime must know to start a component on another machine.
 *
 * Owns:   the records of a PLACED PAR and of each component; the number of the processor.
 * Leaves: the components as branches to parallel.c, starting them elsewhere to runtime/placed/.
 * Holds:  every component is a routine of its own. On another machine it runs twice: here as the
 *         branch that asks for that machine and waits, and over there, with a copy of the
 *         environment that has a mark in the place of the Join. */
#include "placement.h"

#include "emit_clock.h"
#include "emit_process.h"
#include "emit_value.h"
#include "layout_offsets.h"
#include "placed_uses.h"

enum { NAME_WORDS = 6 };

/* ---- records ---- */

static LLVMValueRef words_of(Emitter *emitter, LLVMValueRef *words, size_t count) {
    return LLVMConstArray2(emitter->i32, words, count);
}

/* Its index among the clocks that the branches are enrolled on; their number if it is none. */
static size_t clock_index(const Node *par, const Symbol *symbol) {
    size_t i = 0;
    while (i < par->par.enrols.count && par->par.enrols.items[i]->name.symbol != symbol) {
        i++;
    }
    return i;
}

static unsigned kind_of(const Node *par, const Symbol *symbol) {
    const Type *type = symbol->type;
    if (clock_index(par, symbol) < par->par.enrols.count) {
        return LAYOUT_PLACED_CLOCK;
    }
    if (type != NULL && type_is_channel(type)) {
        return type->kind == TYPE_ARRAY ? LAYOUT_PLACED_CHANNELS : LAYOUT_PLACED_CHANNEL;
    }
    if (type == NULL || !type_is_data(type) || type_owns(type)) {
        return LAYOUT_PLACED_NOTHING;
    }
    return symbol_is_given_by_value(symbol) ? LAYOUT_PLACED_VALUE : LAYOUT_PLACED_DATA;
}

/* Bytes, or channels, without the open dimensions. */
static uint64_t fixed_size(const Type *type, bool is_channel) {
    uint64_t count = 1;
    for (; type->kind == TYPE_ARRAY; type = type->array.element) {
        count *= type->array.count == ARRAY_OPEN ? 1 : (uint64_t)type->array.count;
    }
    return is_channel ? count : count * type_size(type);
}

static int64_t shared_sides(const Type *channel) {
    return (channel->channel.is_shared_input ? LAYOUT_PLACED_SHARED_INPUT : 0) |
           (channel->channel.is_shared_output ? LAYOUT_PLACED_SHARED_OUTPUT : 0);
}

/* offset, kind, open dimensions, size, bytes of a message's first part, which sides are shared */
static void add_name(Emitter *emitter, const Node *par, const Symbol *symbol, unsigned offset,
                     LLVMValueRef *words) {
    LLVMTypeRef types[CAPTURE_MAX];
    bool is_there = capture_types(emitter, symbol, types) > 0;
    unsigned kind = is_there ? kind_of(par, symbol) : LAYOUT_PLACED_NOTHING;
    bool has_size = kind == LAYOUT_PLACED_DATA || kind == LAYOUT_PLACED_CHANNELS;
    uint64_t size = has_size ? fixed_size(symbol->type, kind == LAYOUT_PLACED_CHANNELS)
                    : kind == LAYOUT_PLACED_CLOCK ? clock_index(par, symbol)
                                                  : 1;
    words[0] = emit_i32(emitter, offset);
    words[1] = emit_i32(emitter, kind);
    words[2] = emit_i32(emitter, has_size ? (int64_t)type_open_dimensions(symbol->type) : 0);
    words[3] = emit_i32(emitter, (int64_t)size);
    bool is_channel = kind == LAYOUT_PLACED_CHANNEL || kind == LAYOUT_PLACED_CHANNELS;
    const Type *channel = is_channel ? type_leaf(symbol->type) : NULL;
    words[4] =
        emit_i32(emitter, is_channel ? (int64_t)type_first_bytes(channel->channel.protocol) : 0);
    words[5] = emit_i32(emitter, is_channel ? shared_sides(channel) : 0);
}

LLVMValueRef placement_of_par(Emitter *emitter, const Node *par, const Environment *environment) {
    size_t count = environment->names.count;
    LLVMValueRef *words = arena_new_array(emitter->arena, LLVMValueRef, NAME_WORDS * count + 1);
    uint64_t bytes = SIZE_Join;
    LLVMTypeRef types[CAPTURE_MAX];
    for (size_t i = 0; i < count; i++) {
        const Symbol *symbol = environment->names.items[i];
        add_name(emitter, par, symbol, environment->offsets[i], words + NAME_WORDS * i);
        bytes = environment->offsets[i] + 8 * capture_types(emitter, symbol, types);
    }
    LLVMValueRef fields[] = {emit_runtime_function(emitter, "occ_machines"),
                             emit_site(emitter, WAIT_PLACEMENT, par->at, NULL),
                             emit_i32(emitter, (int64_t)bytes),
                             emit_i32(emitter, (int64_t)count),
                             emit_i32(emitter, emitter->options->placed_survive),
                             emit_i32(emitter, 0),
                             words_of(emitter, words, NAME_WORDS * count)};
    LLVMValueRef record = LLVMConstStructInContext(emitter->context, fields, 7, 0);
    return emit_constant_global(emitter, record, "placed.par");
}

static bool is_captured(const ParInfo *info, size_t component, const Symbol *symbol) {
    for (size_t i = 0; i < info->captured[component].count; i++) {
        if (info->captured[component].items[i] == symbol) {
            return true;
        }
    }
    return false;
}

static LLVMValueRef component_record(Emitter *emitter, const Node *par, size_t component,
                                     LLVMValueRef record, const Environment *environment) {
    size_t count = environment->names.count;
    LLVMValueRef *used = arena_new_array(emitter->arena, LLVMValueRef, count + 1);
    for (size_t i = 0; i < count; i++) {
        bool is_used = is_captured(par->par.info, component, environment->names.items[i]);
        used[i] = LLVMConstInt(emitter->i8, is_used, 0);
    }
    LLVMValueRef body = emitter->routine->function;
    const Node *processor = par->par.body.items[component];
    LLVMValueRef fields[] = {record,
                             body,
                             emit_block_size(emitter, body),
                             emit_site(emitter, WAIT_PLACEMENT, processor->at, NULL),
                             placed_uses(emitter, par, component, environment),
                             LLVMConstArray2(emitter->i8, used, count)};
    LLVMValueRef constant = LLVMConstStructInContext(emitter->context, fields, 6, 0);
    return emit_constant_global(emitter, constant, "placement");
}

/* ---- code ---- */

void placement_scope(Emitter *emitter, LLVMValueRef par, const Environment *environment,
                     bool begins) {
    LLVMValueRef arguments[] = {par, environment->record, emit_i32(emitter, begins)};
    emit_runtime_call(emitter, RT_placed_scope, arguments);
}

static LLVMValueRef emit_number(Emitter *emitter, const Node *processor) {
    LLVMValueRef number = emit_scalar(emitter, processor->processor.number);
    LLVMValueRef is_one =
        LLVMBuildICmp(emitter->builder, LLVMIntSGE, number, emit_i32(emitter, 0), "");
    emit_trap_unless(emitter, is_one, ERROR_PROCESSOR, processor->processor.number->at, NULL,
                     number, NULL, NULL);
    return number;
}

/* Wait until the other machine says that the component has ended. */
static void emit_attend(Emitter *emitter, LLVMValueRef proxy, LLVMValueRef site,
                        LLVMBasicBlockRef done) {
    LLVMBasicBlockRef look = emit_block(emitter, "placed.look");
    LLVMBasicBlockRef attend = emit_block(emitter, "placed.attend");
    emit_continue(emitter, look);
    LLVMValueRef is_done = LLVMBuildLoad2(emitter->builder, emitter->i32, proxy, "is.done");
    LLVMSetVolatile(is_done, 1);
    LLVMBuildCondBr(emitter->builder, LLVMBuildIsNull(emitter->builder, is_done, ""), attend, done);
    emit_enter(emitter, attend);
    LLVMValueRef arguments[] = {proxy, site};
    emit_runtime_call(emitter, RT_placed_attend, arguments);
    emit_jump(emitter, look);
}

/* The clocks of the copy may go as soon as its end is known. */
static void emit_hand_back(Emitter *emitter, const NodeList *clocks) {
    for (size_t i = clocks->count; i-- > 0;) {
        LLVMValueRef mine = emit_clock_registration(emitter, clocks->items[i]);
        emit_runtime_call(emitter, RT_clock_hand_back, &mine);
    }
}

static void emit_here(Emitter *emitter, const Node *par, const Node *processor, LLVMValueRef own,
                      LLVMValueRef is_copy, LLVMBasicBlockRef done) {
    LLVMBasicBlockRef ended = emit_block(emitter, "placed.ended");
    emit_process(emitter, processor->processor.process);
    LLVMBuildCondBr(emitter->builder, is_copy, ended, done);
    emit_enter(emitter, ended);
    emit_hand_back(emitter, &par->par.enrols);
    emit_runtime_call(emitter, RT_placed_ended, &own);
    emit_jump(emitter, done);
}

/* Fill in a PlacedRequest. */
static LLVMValueRef emit_request(Emitter *emitter, const Node *par, const Node *processor) {
    enum { HEAD_BYTES = 8, INDEX_AT = 4 };
    const NodeList *clocks = &par->par.enrols;
    LLVMTypeRef words = LLVMArrayType2(emitter->i64, HEAD_BYTES / 8 + clocks->count);
    LLVMValueRef request = emit_alloca(emitter, words, "request");
    LLVMValueRef number = emit_number(emitter, processor);
    emit_store_field(emitter, number, request, 0);
    emit_store_field(emitter, LLVMGetParam(emitter->routine->function, 2), request, INDEX_AT);
    for (size_t i = 0; i < clocks->count; i++) {
        LLVMValueRef mine = emit_clock_registration(emitter, clocks->items[i]);
        emit_store_field(emitter, mine, request, HEAD_BYTES + 8 * (unsigned)i);
    }
    return request;
}

void placement_branch(Emitter *emitter, const Node *par, size_t component, LLVMValueRef record,
                      const Environment *environment) {
    LLVMBuilderRef builder = emitter->builder;
    const Node *processor = par->par.body.items[component];
    LLVMBasicBlockRef ask = emit_block(emitter, "placed.ask");
    LLVMBasicBlockRef elsewhere = emit_block(emitter, "placed.elsewhere");
    LLVMBasicBlockRef here = emit_block(emitter, "placed.here");
    LLVMBasicBlockRef done = emit_block(emitter, "placed.done");
    LLVMValueRef function = emitter->routine->function;
    LLVMValueRef own = LLVMGetParam(function, 1);
    LLVMValueRef mark = LLVMBuildLoad2(builder, emitter->i64,
                                       emit_field(emitter, own, OFFSET_Join_count, ""), "mark");
    LLVMValueRef is_copy =
        LLVMBuildICmp(builder, LLVMIntEQ, mark, emit_i64(emitter, LAYOUT_PLACED_COPY), "is.copy");
    LLVMBuildCondBr(builder, is_copy, here, ask);
    emit_enter(emitter, ask);
    LLVMValueRef arguments[] = {component_record(emitter, par, component, record, environment), own,
                                emit_request(emitter, par, processor)};
    LLVMValueRef proxy = emit_runtime_call(emitter, RT_placed_run, arguments);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, proxy, ""), here, elsewhere);
    emit_enter(emitter, elsewhere);
    emit_attend(emitter, proxy, emit_site(emitter, WAIT_PLACEMENT, processor->at, NULL), done);
    emit_enter(emitter, here);
    emit_here(emitter, par, processor, own, is_copy, done);
    emit_enter(emitter, done);
}
