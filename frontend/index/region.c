/* region -- see region.h. */
#include "region.h"

bool region_is_object(const Symbol *symbol) {
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
    case SYMBOL_REFERENCE: return true;
    case SYMBOL_FORMAL: return symbol->formal_mode != FORMAL_VAL;
    case SYMBOL_VALUE:
    case SYMBOL_REPLICATOR:
    case SYMBOL_KINDS_OF_DEFINITION: return false;
    }
    return false;
}

/* ---- parts ---- */

static void push(Arena *arena, ObjectPart *part, IndexDimension dimension) {
    if (part->count == part->capacity) {
        size_t grown = part->capacity ? part->capacity * 2 : 4;
        IndexDimension *store = arena_new_array(arena, IndexDimension, grown);
        if (part->count) {
            memcpy(store, part->dimensions, part->count * sizeof *store);
        }
        part->dimensions = store;
        part->capacity = grown;
    }
    part->dimensions[part->count++] = dimension;
}

/* One more selection: inside of the segment before it, or in the next dimension. */
static void select_part(Arena *arena, ObjectPart *part, IndexDimension dimension) {
    if (part->is_segment && part->count > 0) {
        IndexDimension *last = &part->dimensions[part->count - 1];
        if (dimension.from && last->from) {
            if (!last->within) {
                last->within = arena_copy(arena, last, sizeof *last);
            }
            last->from = index_operator(arena, OPERATOR_ADD, last->from, dimension.from);
            last->length = dimension.length;
        }
    } else {
        push(arena, part, dimension);
    }
    part->is_segment = !dimension.from || dimension.length;
}

void region_compose(Arena *arena, ObjectPart *outer, const IndexDimension *inner, size_t count) {
    for (size_t i = 0; i < count; i++) {
        select_part(arena, outer, inner[i]);
        if (i + 1 < count) {
            outer->is_segment = false; /* the next one is of the next dimension */
        }
    }
}

static ObjectPart part_of(RegionBuilder *builder, const Node *node);

static const Node *abbreviated(const Symbol *symbol) {
    bool is_abbreviation = symbol->kind == SYMBOL_REFERENCE && symbol->definition &&
                           symbol->definition->kind == NODE_ABBREVIATION;
    return is_abbreviation ? symbol->definition : NULL;
}

bool region_is_view(const Symbol *symbol) {
    const Node *definition = abbreviated(symbol);
    return definition && (definition->abbreviation.form != FORM_IS ||
                          element_root(definition->abbreviation.value)->kind == NODE_TABLE);
}

static ObjectPart part_of_name(RegionBuilder *builder, Symbol *symbol) {
    if (symbol && symbol->placed_as) {
        symbol = symbol->placed_as;
    }
    ObjectPart part = {.root = symbol};
    const Node *definition = symbol && !region_is_view(symbol) ? abbreviated(symbol) : NULL;
    if (!definition) {
        return part;
    }
    ObjectPart named = part_of(builder, definition->abbreviation.value);
    return named.root ? named : part;
}

/* [x FROM a] reaches to the end of x. */
static const IndexExpr *rest_of(RegionBuilder *builder, const Node *node, const IndexExpr *from) {
    const Node *base = node->segment.base;
    int64_t count = type_base(node->type)->array.count;
    if (count != ARRAY_OPEN) {
        return index_constant(builder->arena, count);
    }
    const Type *array = type_base(type_content(base->type));
    const IndexExpr *whole = index_unknown();
    if (array->array.count != ARRAY_OPEN) {
        whole = index_constant(builder->arena, array->array.count);
    } else if (base->kind == NODE_NAME && base->name.symbol) {
        whole = region_size_parameter(builder->arena, base->name.symbol);
    }
    return index_operator(builder->arena, OPERATOR_SUBTRACT, whole, from);
}

static ObjectPart part_of_segment(RegionBuilder *builder, const Node *node) {
    ObjectPart part = part_of(builder, node->segment.base);
    if (!part.root || !node->type || !type_is_array(node->type) || !node->segment.base->type ||
        !type_is_array(type_content(node->segment.base->type))) {
        return part;
    }
    IndexDimension dimension = {NULL, NULL, NULL};
    dimension.from = node->segment.from ? region_index(builder, node->segment.from)
                                        : index_constant(builder->arena, 0);
    dimension.length = node->segment.length ? region_index(builder, node->segment.length)
                                            : rest_of(builder, node, dimension.from);
    select_part(builder->arena, &part, dimension);
    return part;
}

static ObjectPart part_of(RegionBuilder *builder, const Node *node) {
    ObjectPart part = {.root = NULL};
    IndexDimension dimension = {NULL, NULL, NULL};
    if (node->type && type_is_error(node->type)) {
        return part; /* reported */
    }
    if (node->kind == NODE_NAME) {
        return part_of_name(builder, node->name.symbol);
    }
    if (node->kind == NODE_END) {
        return part_of(builder, node->end.channel);
    }
    if (node->kind == NODE_SEGMENT) {
        return part_of_segment(builder, node);
    }
    if (node->kind == NODE_SUBSCRIPT) {
        part = part_of(builder, node->subscript.base);
        dimension.from = region_index(builder, node->subscript.index);
    } else if (node->kind == NODE_FIELD) {
        part = part_of(builder, node->field.base);
        dimension.from = index_constant(builder->arena, node->field.index);
    }
    if (part.root) {
        select_part(builder->arena, &part, dimension);
    }
    return part;
}

ObjectPart region_of(RegionBuilder *builder, const Node *element) {
    ObjectPart part = part_of(builder, element);
    part.name = node_root(element);
    return part;
}
