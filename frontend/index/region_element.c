/* region_element -- elements as numbers: of constant tables, and of arrays, rows and records that
 * do not change, the same for the same subscripts. See region.h. */
#include "region.h"

/* The whole array: a parameter, or what the actual of the FUNCTION that is worked out is. UNKNOWN
 * where it may change. */
static const IndexExpr *array_of(const RegionBuilder *builder, const Symbol *symbol) {
    const RegionFormal *formal = symbol ? region_formal(builder, symbol) : NULL;
    if (formal) {
        return formal->value;
    }
    if (!symbol || symbol->permits_aliases || symbol->permits_sharing) {
        return index_unknown();
    }
    if (region_is_object(symbol)) {
        bool may_be_known = builder->replicator && symbol->kind != SYMBOL_REFERENCE;
        const IndexExpr *known =
            may_be_known ? builder->replicator(symbol, builder->context) : NULL;
        return known ? known : index_unknown();
    }
    bool is_value = symbol->kind == SYMBOL_VALUE || symbol->kind == SYMBOL_FORMAL;
    return is_value ? index_parameter(builder->arena, symbol, symbol->number, symbol->name->bytes)
                    : index_unknown();
}

/* A segment chosen last is what is counted from. */
static const IndexExpr *element_of_part(RegionBuilder *builder, const ObjectPart *part,
                                        const IndexExpr *at) {
    const IndexExpr *value = array_of(builder, part->root);
    for (size_t i = 0; i < part->count; i++) {
        const IndexDimension *dimension = &part->dimensions[i];
        bool is_last = i + 1 == part->count && part->is_segment;
        if (!dimension->from || (dimension->length && !is_last)) {
            return index_unknown();
        }
        const IndexExpr *from = dimension->from;
        if (is_last && at) {
            from = index_operator(builder->arena, OPERATOR_ADD, from, at);
            at = NULL;
        }
        value = index_element(builder->arena, value, from);
    }
    return at ? index_element(builder->arena, value, at) : value;
}

static const IndexExpr *element_of(RegionBuilder *builder, const Node *element,
                                   const IndexExpr *at) {
    bool was_inside = builder->is_inside;
    builder->is_inside = true;
    ObjectPart part = region_of(builder, element);
    builder->is_inside = was_inside;
    bool is_row = !at && part.is_segment; /* part IS [x FROM 3 FOR 4]: */
    return part.root && !is_row ? element_of_part(builder, &part, at) : index_unknown();
}

const IndexExpr *region_whole(RegionBuilder *builder, const Node *node) {
    bool is_there = !node->constant && node->kind != NODE_SEGMENT;
    return is_there ? element_of(builder, node, NULL) : index_unknown();
}

const IndexExpr *region_element(RegionBuilder *builder, const Node *array, const IndexExpr *at) {
    region_begin(builder);
    if (!array->constant) {
        return element_of(builder, array, at);
    }
    bool is_flat = array->type && type_is_array(array->type) &&
                   type_is_integer(type_base(array->type)->array.element);
    return is_flat ? index_lookup(builder->arena, array->constant, at) : index_unknown();
}

/* ---- elements of constant tables ---- */

static const IndexExpr *subscript_of(RegionBuilder *builder, const Node *node) {
    bool was_inside = builder->is_inside;
    builder->is_inside = true;
    const IndexExpr *at = region_index(builder, node->subscript.index);
    builder->is_inside = was_inside;
    return at;
}

/* table[row][column] of a constant table is element (row * columns) + column. */
static const IndexExpr *place_in_table(RegionBuilder *builder, const Node *node,
                                       const Constant **table) {
    const Node *base = node->subscript.base;
    const IndexExpr *at = subscript_of(builder, node);
    *table = base->constant;
    bool is_row = base->kind == NODE_SUBSCRIPT && base->type && type_is_array(base->type);
    if (base->constant || !is_row) {
        return base->constant ? at : index_unknown();
    }
    const IndexExpr *row = place_in_table(builder, base, table);
    const IndexExpr *count = index_constant(builder->arena, type_base(base->type)->array.count);
    row = index_operator(builder->arena, OPERATOR_MULTIPLY, row, count);
    return index_operator(builder->arena, OPERATOR_ADD, row, at);
}

static const IndexExpr *index_of_lookup(RegionBuilder *builder, const Node *node) {
    const Constant *table = NULL;
    bool is_integer = node->type && type_is_integer(node->type);
    const IndexExpr *at = is_integer ? place_in_table(builder, node, &table) : index_unknown();
    return table ? index_lookup(builder->arena, table, at) : index_unknown();
}

const IndexExpr *region_chosen(RegionBuilder *builder, const Node *node) {
    const IndexExpr *value =
        node->kind == NODE_SUBSCRIPT ? index_of_lookup(builder, node) : index_unknown();
    bool is_integer = node->type && type_is_integer(node->type) && !type_is_error(node->type);
    return value->kind == INDEX_UNKNOWN && is_integer ? element_of(builder, node, NULL) : value;
}
