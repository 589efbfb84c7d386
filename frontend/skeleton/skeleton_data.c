/* skeleton_data -- what names of data stand for, values of expressions. See skeleton_walk.h.
 *
 * Holds:  only a variable of BOOL, BYTE or a signed integer is followed, or an array of at most
 *         FOLLOWED_MOST of them, and only while all that changes it is seen: what may be changed in
 *         another way has any value from there on. */
#include "skeleton_walk.h"

#include "constant.h"

enum { FOLLOWED_MOST = 64 };

static bool is_followed_scalar(const Type *type) {
    const Type *base = type ? type_base(type) : NULL;
    switch (base ? base->kind : TYPE_ERROR) {
    case TYPE_BOOL:
    case TYPE_BYTE:
    case TYPE_INT:
    case TYPE_INT16:
    case TYPE_INT32:
    case TYPE_INT64: return true;
    default: return false;
    }
}

/* How many elements are followed; 0: none. */
static int64_t followed(const Type *type) {
    if (is_followed_scalar(type)) {
        return 1;
    }
    bool is_row = type && type_is_array(type) && type_rank(type) == 1 &&
                  is_followed_scalar(type_element(type, 1));
    int64_t count = is_row ? type_base(type)->array.count : 0;
    return count > 0 && count <= FOLLOWED_MOST ? count : 0;
}

static SkeletonData *data_of(const SkeletonWalk *walk, const Symbol *symbol) {
    return symbol ? symbol_map_get(&walk->names.data, symbol) : NULL;
}

static void set_data(SkeletonWalk *walk, const Symbol *symbol, SkeletonData data) {
    SkeletonData *kept = arena_new(walk->arena, SkeletonData);
    *kept = data;
    symbol_map_set(walk->arena, &walk->names.data, symbol, kept);
}

void skeleton_set_value(SkeletonWalk *walk, const Symbol *symbol, const SkeletonValue *value) {
    set_data(walk, symbol, (SkeletonData){.value = value});
}

/* ---- values ---- */

static const SkeletonValue *value_of_size(SkeletonWalk *walk, const Node *operand) {
    const SkeletonRef *ref = node_is_type(operand) || !skeleton_is_channel(operand->type)
                                 ? NULL
                                 : skeleton_refer(walk, operand);
    int64_t count = ref ? ref->length : -1;
    if (count < 0 && operand->type && type_is_array(operand->type)) {
        count = type_base(operand->type)->array.count;
    }
    return count < 0 ? skeleton_any() : skeleton_number(walk->arena, count);
}

static const SkeletonValue *value_of_name(SkeletonWalk *walk, const Node *name) {
    const SkeletonData *data = data_of(walk, name->name.symbol);
    if (!data || data->is_opaque) {
        return skeleton_any();
    }
    if (data->value) {
        return data->value;
    }
    return data->variable && data->length == 0
               ? skeleton_of_variable(walk->arena, data->variable, data->index)
               : skeleton_any();
}

/* An index that is not in the array is an error of the program, whose skeleton may then do
 * anything: the index is that of an element, or any. */
static const SkeletonValue *index_in(SkeletonWalk *walk, const SkeletonData *data,
                                     const SkeletonValue *index) {
    bool is_wrong =
        index->kind == VALUE_NUMBER && (index->number < 0 || index->number >= data->length);
    return is_wrong ? skeleton_any()
                    : skeleton_operation(walk->arena, data->index, OPERATOR_ADD, index, NULL);
}

static const SkeletonValue *value_of_element(SkeletonWalk *walk, const Node *element) {
    const Node *base = element->subscript.base;
    const SkeletonData *data = base->kind == NODE_NAME ? data_of(walk, base->name.symbol) : NULL;
    if (!data || !data->variable || data->length == 0 || data->is_opaque) {
        return skeleton_any();
    }
    const SkeletonValue *index = skeleton_value(walk, element->subscript.index);
    return skeleton_of_variable(walk->arena, data->variable, index_in(walk, data, index));
}

/* Models have no bits. */
static bool is_of_bits(Operator op) {
    return op == OPERATOR_BITAND || op == OPERATOR_BITOR || op == OPERATOR_BITXOR ||
           op == OPERATOR_SHIFT_LEFT || op == OPERATOR_SHIFT_RIGHT;
}

static const SkeletonValue *value_of_operation(SkeletonWalk *walk, const Node *node) {
    if (node->kind == NODE_DYADIC && !node->dyadic.user_operator) {
        bool is_plain = is_followed_scalar(node->dyadic.left->type) &&
                        is_followed_scalar(node->dyadic.right->type) &&
                        is_followed_scalar(node->type) &&
                        (walk->with_data || !is_of_bits(node->dyadic.op));
        return is_plain ? skeleton_operation(walk->arena, skeleton_value(walk, node->dyadic.left),
                                             node->dyadic.op,
                                             skeleton_value(walk, node->dyadic.right), node->type)
                        : skeleton_any();
    }
    bool is_plain = node->kind == NODE_MONADIC && !node->monadic.user_operator &&
                    is_followed_scalar(node->type) &&
                    (node->monadic.op == OPERATOR_NOT || node->monadic.op == OPERATOR_NEGATE);
    return is_plain
               ? skeleton_operation(walk->arena, skeleton_number(walk->arena, 0), node->monadic.op,
                                    skeleton_value(walk, node->monadic.operand), node->type)
               : skeleton_any();
}

const SkeletonValue *skeleton_value(SkeletonWalk *walk, const Node *expression) {
    const Constant *constant = expression->constant;
    if (constant && is_followed_scalar(constant->type)) {
        return skeleton_number(walk->arena, constant->integer);
    }
    switch (expression->kind) {
    case NODE_NAME: return value_of_name(walk, expression);
    case NODE_SUBSCRIPT: return value_of_element(walk, expression);
    case NODE_CLOSED: return skeleton_closed(walk, expression);
    case NODE_SIZE: return value_of_size(walk, expression->size.operand);
    case NODE_CONVERSION:
        return is_followed_scalar(expression->type) &&
                       is_followed_scalar(expression->conversion.operand->type)
                   ? skeleton_value(walk, expression->conversion.operand)
                   : skeleton_any();
    default: return value_of_operation(walk, expression);
    }
}

const SkeletonValue *skeleton_truth(SkeletonWalk *walk, const Node *condition) {
    return skeleton_value(walk, condition);
}

/* ---- variables ---- */

static bool has_data(const SkeletonValue *value) {
    switch (value->kind) {
    case VALUE_ANY:
    case VALUE_NUMBER: return false;
    case VALUE_VARIABLE: return value->variable->type || (value->index && has_data(value->index));
    default: return has_data(value->left) || has_data(value->right);
    }
}

const SkeletonValue *skeleton_frozen(SkeletonWalk *walk, const SkeletonValue *value,
                                     const char *name, Location at) {
    if (!has_data(value)) {
        return value;
    }
    const SkeletonVariable *copy = skeleton_add_variable(walk, name, type_primitive(TYPE_INT64), 1);
    skeleton_set(walk, (SkeletonSlot){copy, skeleton_number(walk->arena, 0)}, value, at);
    return skeleton_of_variable(walk->arena, copy, NULL);
}

void skeleton_declare_data(SkeletonWalk *walk, const Symbol *symbol) {
    int64_t count =
        symbol_is_shared(symbol) || symbol->permits_aliases ? 0 : followed(symbol->type);
    SkeletonData data = {.index = skeleton_number(walk->arena, 0)};
    if (walk->with_data && count > 0) {
        bool is_array = type_is_array(symbol->type);
        const Type *type = is_array ? type_element(symbol->type, 1) : symbol->type;
        data.variable = skeleton_add_variable(walk, symbol->name->bytes, type, count);
        data.length = is_array ? count : 0;
    }
    set_data(walk, symbol, data);
}

/* The name under all subscripts and fields. */
static const Symbol *root_of(const Node *element) {
    for (;;) {
        switch (element->kind) {
        case NODE_NAME: return element->name.symbol;
        case NODE_SUBSCRIPT: element = element->subscript.base; break;
        case NODE_SEGMENT: element = element->segment.base; break;
        case NODE_FIELD: element = element->field.base; break;
        default: return NULL;
        }
    }
}

void skeleton_bind_data(SkeletonWalk *walk, const Symbol *symbol, const Node *element,
                        bool is_opaque) {
    const SkeletonData *root = data_of(walk, root_of(element));
    SkeletonData data = {.index = skeleton_any(), .is_opaque = true};
    if (root && root->variable) {
        data = *root;
        data.is_opaque = root->is_opaque || is_opaque || element->kind == NODE_SEGMENT ||
                         element->kind == NODE_FIELD || symbol->permits_aliases ||
                         symbol_is_shared(symbol);
    }
    if (!data.is_opaque && element->kind == NODE_SUBSCRIPT) {
        SkeletonSlot slot = skeleton_slot(walk, element);
        data.length = 0;
        data.index = skeleton_frozen(walk, slot.index, symbol->name->bytes, element->at);
    }
    set_data(walk, symbol, data);
}

SkeletonSlot skeleton_slot(SkeletonWalk *walk, const Node *element) {
    const SkeletonData *data = data_of(walk, root_of(element));
    SkeletonSlot slot = {data && !data->value ? data->variable : NULL, skeleton_any()};
    if (!slot.variable || data->is_opaque) {
        return slot;
    }
    if (element->kind == NODE_NAME && data->length == 0) {
        slot.index = data->index;
    } else if (element->kind == NODE_SUBSCRIPT && element->subscript.base->kind == NODE_NAME &&
               data->length > 0) {
        slot.index = index_in(walk, data, skeleton_value(walk, element->subscript.index));
    }
    return slot;
}

/* A table of numbers, element by element. */
static bool store_table(SkeletonWalk *walk, const SkeletonData *data, const Node *table,
                        Location at) {
    if (table->kind != NODE_TABLE || (int64_t)table->table.items.count != data->length) {
        return false;
    }
    for (size_t i = 0; i < table->table.items.count; i++) {
        const SkeletonValue *value = skeleton_value(walk, table->table.items.items[i]);
        const SkeletonValue *index = index_in(walk, data, skeleton_number(walk->arena, (int64_t)i));
        skeleton_set(walk, (SkeletonSlot){data->variable, index},
                     has_data(value) ? skeleton_any() : value, at);
    }
    return true;
}

void skeleton_store(SkeletonWalk *walk, SkeletonSlot slot, const Node *expression, Location at) {
    if (slot.variable) {
        skeleton_set(walk, slot, expression ? skeleton_value(walk, expression) : skeleton_any(),
                     at);
    }
}

void skeleton_store_whole(SkeletonWalk *walk, const Symbol *symbol, const Node *expression) {
    const SkeletonData *data = data_of(walk, symbol);
    bool is_followed = data && data->variable && !data->is_opaque;
    if (is_followed) {
        skeleton_store_first(walk, symbol, skeleton_value(walk, expression), expression);
    }
}

void skeleton_store_first(SkeletonWalk *walk, const Symbol *symbol, const SkeletonValue *value,
                          const Node *expression) {
    const SkeletonData *data = data_of(walk, symbol);
    if (!data || !data->variable || data->is_opaque) {
        return;
    }
    if (data->length == 0) {
        skeleton_set(walk, (SkeletonSlot){data->variable, data->index}, value, expression->at);
    } else if (!store_table(walk, data, expression, expression->at)) {
        skeleton_set(walk, (SkeletonSlot){data->variable, skeleton_any()}, skeleton_any(),
                     expression->at);
    }
}

/* ---- replicators ---- */

SkeletonTurns skeleton_turns(SkeletonWalk *walk, const Node *replicator) {
    const Node *step = replicator->replicator.step;
    const char *name = replicator->replicator.def->def.name->bytes;
    Location at = replicator->at;
    SkeletonTurns turns = {
        skeleton_frozen(walk, skeleton_value(walk, replicator->replicator.base), name, at),
        skeleton_frozen(walk, skeleton_value(walk, replicator->replicator.count), name, at),
        step ? skeleton_frozen(walk, skeleton_value(walk, step), name, at)
             : skeleton_number(walk->arena, 1),
        false};
    turns.are_numbers = turns.base->kind == VALUE_NUMBER && turns.count->kind == VALUE_NUMBER &&
                        turns.step->kind == VALUE_NUMBER && turns.count->number <= TURNS_MOST;
    return turns;
}

void skeleton_turn(SkeletonWalk *walk, const Node *replicator, const SkeletonTurns *turns,
                   const SkeletonValue *number) {
    const SkeletonValue *distance =
        skeleton_operation(walk->arena, number, OPERATOR_MULTIPLY, turns->step, NULL);
    skeleton_set_value(walk, replicator->replicator.def->def.symbol,
                       skeleton_operation(walk->arena, distance, OPERATOR_ADD, turns->base, NULL));
}
