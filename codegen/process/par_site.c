/* par_site -- the site of a PAR: who has the channels that its branches were given, for reports.
 *
 * Owns:   which components have each channel of the environment; what the component that the parent
 *         runs does with it, and what the parent's own text after the PAR does.
 * Leaves: the environment to parallel.c, the report to runtime/report/deadlock.c.
 * Holds:  a use whose direction or element is uncertain is marked so: a report then says nothing.
 *         A loop round the PAR comes after it too; the text of a branch ends with the branch. */
#include "../../frontend/base/name_map.h"
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "start.h"
#include "symbol.h"

enum { PARS_TOLD = 500 /* sites in one routine: each costs a search of its text */ };

/* ChannelUse -- what the searched text does with one channel. */
typedef struct ChannelUse {
    const Symbol *channel;
    unsigned uses; /* LAYOUT_PAR_OWN_... */
} ChannelUse;

typedef struct ChannelUses {
    const Emitter *emitter;
    ARRAY_OF(ChannelUse) list;
    const Node *par;
    bool is_found;     /* what is visited now comes after the PAR or encloses it */
    bool is_in_branch; /* the process ends with the branch that the PAR stands in */
} ChannelUses;

/* ---- what a text uses ---- */

static bool is_channel(const Symbol *symbol) {
    return symbol->type != NULL &&
           type_element(symbol->type, type_rank(symbol->type))->kind == TYPE_CHANNEL;
}

/* The directions used, if the name is exactly that end and nobody shares it. */
static unsigned uses_of(const Symbol *symbol, Direction direction) {
    const Type *type = symbol->type;
    bool is_one = type->kind == TYPE_CHANNEL && symbol_object(symbol) == symbol;
    if (is_one && direction == DIRECTION_INPUT && !type->channel.is_shared_input) {
        return LAYOUT_PAR_OWN_INPUT;
    }
    if (is_one && direction == DIRECTION_OUTPUT && !type->channel.is_shared_output) {
        return LAYOUT_PAR_OWN_OUTPUT;
    }
    return LAYOUT_PAR_OWN_UNSURE;
}

static void note_symbol(ChannelUses *uses, const Symbol *symbol, Direction direction) {
    const Symbol *root = symbol_object(symbol);
    if (root == NULL || !is_channel(root)) {
        return;
    }
    unsigned use = symbol == root ? uses_of(root, direction) : (unsigned)LAYOUT_PAR_OWN_UNSURE;
    for (size_t i = 0; i < uses->list.count; i++) {
        if (uses->list.items[i].channel == root) {
            uses->list.items[i].uses |= use;
            return;
        }
    }
    ChannelUse one = {root, use};
    array_push(uses->emitter->arena, &uses->list, one);
}

static void note_element(ChannelUses *uses, const Node *element, Direction direction) {
    Symbol *symbol = node_root(element);
    if (symbol != NULL) {
        Direction given = element->kind == NODE_END ? element->end.direction : direction;
        note_symbol(uses, symbol, given);
    }
}

static void note_uses(Node **child, void *context);

static void note_list(ChannelUses *uses, const NodeList *list) {
    for (size_t i = 0; i < list->count; i++) {
        note_uses(&list->items[i], uses);
    }
}

static void note_call(ChannelUses *uses, const Node *callee, const NodeList *actuals) {
    const Symbol *symbol = callee->kind == NODE_NAME ? callee->name.symbol : NULL;
    bool is_proc = symbol != NULL && symbol->kind == SYMBOL_PROC && symbol->definition != NULL;
    const Node *proc = is_proc ? symbol->definition : NULL;
    for (size_t i = 0; i < actuals->count; i++) {
        const Node *formal =
            proc != NULL && i < proc->proc.formals.count ? proc->proc.formals.items[i] : NULL;
        bool is_known =
            formal != NULL && formal->kind == NODE_FORMAL && formal->formal.def->def.symbol != NULL;
        note_element(uses, actuals->items[i],
                     is_known ? formal->formal.def->def.symbol->direction : DIRECTION_NONE);
    }
    const ProcInfo *info = proc != NULL ? proc->proc.info : NULL;
    for (size_t i = 0; info != NULL && i < info->free_names.count; i++) {
        note_symbol(uses, info->free_names.items[i], DIRECTION_NONE);
    }
}

static void note_uses(Node **child, void *context) {
    ChannelUses *uses = context;
    const Node *node = *child;
    if (node->kind == NODE_PROC || node->kind == NODE_FUNCTION ||
        node->kind == NODE_ABBREVIATION) { /* a use of the new name counts, not this */
        return;
    }
    if (node->kind == NODE_INPUT) {
        note_element(uses, node->input.channel, DIRECTION_INPUT);
        note_list(uses, &node->input.items);
    } else if (node->kind == NODE_INPUT_CASE) {
        note_element(uses, node->input_case.channel, DIRECTION_INPUT);
        note_list(uses, &node->input_case.variants);
    } else if (node->kind == NODE_OUTPUT) {
        note_element(uses, node->output.channel, DIRECTION_OUTPUT);
        note_list(uses, &node->output.items);
    } else if (node->kind == NODE_END || node->kind == NODE_NAME) {
        note_element(uses, node, DIRECTION_NONE);
    } else if (node->kind == NODE_CALL) {
        note_call(uses, node->call.callee, &node->call.actuals);
    } else if (node->kind == NODE_FORK) {
        note_call(uses, node->fork.callee, &node->fork.actuals);
    } else {
        node_visit_children(*child, note_uses, context);
    }
}

/* ---- what comes after the PAR in its own process ---- */

static void follow(Node **child, void *context);

static void follow_par(ChannelUses *uses, const Node *par) {
    size_t own = par_own_component(uses->emitter, par);
    for (size_t i = 0; i < par->par.body.count && !uses->is_found; i++) {
        follow(&par->par.body.items[i], uses);
        bool is_own = i == own && par->par.replicator == NULL;
        uses->is_in_branch = uses->is_in_branch || (uses->is_found && !is_own);
    }
}

static void follow_seq(ChannelUses *uses, const Node *seq) {
    size_t at = 0;
    while (at < seq->seq.body.count && !uses->is_found) {
        follow(&seq->seq.body.items[at++], uses);
    }
    if (!uses->is_found || uses->is_in_branch) {
        return;
    }
    for (size_t i = seq->seq.replicator != NULL ? 0 : at; i < seq->seq.body.count; i++) {
        note_uses(&seq->seq.body.items[i], uses);
    }
}

static void follow_optional(ChannelUses *uses, Node **slot) {
    if (*slot != NULL) {
        follow(slot, uses);
    }
}

/* After its process an extended input lets its partner go: a use of the channel. */
static void follow_extended(ChannelUses *uses, Node *extended) {
    Node *input = extended->extended_input.input;
    follow(&extended->extended_input.input, uses);
    if (uses->is_found && input->kind == NODE_INPUT_CASE && !uses->is_in_branch) {
        note_element(uses, input->input_case.channel, DIRECTION_NONE);
    }
    bool is_before = uses->is_found;
    follow_optional(uses, &extended->extended_input.during);
    if (is_before || !uses->is_found || uses->is_in_branch) {
        follow_optional(uses, &extended->extended_input.after);
        return;
    }
    if (input->kind == NODE_INPUT) {
        note_element(uses, input->input.channel, DIRECTION_INPUT);
    }
    if (extended->extended_input.after != NULL) {
        note_uses(&extended->extended_input.after, uses);
    }
}

/* Find the PAR; after that look only at what follows it. */
static void follow(Node **child, void *context) {
    ChannelUses *uses = context;
    Node *node = *child;
    if (uses->is_found || node->kind == NODE_PROC || node->kind == NODE_FUNCTION) {
        return;
    }
    if (node == uses->par) {
        uses->is_found = true;
        return;
    }
    if (node->kind == NODE_PAR) {
        follow_par(uses, node);
        return;
    }
    if (node->kind == NODE_SEQ) {
        follow_seq(uses, node);
        return;
    }
    if (node->kind == NODE_EXTENDED_INPUT) {
        follow_extended(uses, node);
        return;
    }
    node_visit_children(node, follow, context);
    if (!uses->is_found || uses->is_in_branch) {
        return;
    }
    if (node->kind == NODE_WHILE || node->kind == NODE_WHILE_INPUT) {
        node_visit_children(node, note_uses, context);
    }
}

static unsigned find_uses(const ChannelUses *uses, const Symbol *symbol) {
    const Symbol *root = symbol_object(symbol);
    for (size_t i = 0; i < uses->list.count; i++) {
        if (uses->list.items[i].channel == root) {
            return root == symbol ? uses->list.items[i].uses : (unsigned)LAYOUT_PAR_OWN_UNSURE;
        }
    }
    return 0;
}

/* ---- the record ---- */

/* What the parent's own component uses; in a replicated PAR every use is uncertain. */
static ChannelUses in_own(Emitter *emitter, const Node *par) {
    ChannelUses uses = {.emitter = emitter};
    note_uses(&par->par.body.items[par_own_component(emitter, par)], &uses);
    for (size_t i = 0; par->par.replicator != NULL && i < uses.list.count; i++) {
        uses.list.items[i].uses = LAYOUT_PAR_OWN_UNSURE;
    }
    return uses;
}

static ChannelUses after_par(Emitter *emitter, const Node *par) {
    ChannelUses uses = {.emitter = emitter, .par = par};
    Node *routine = emitter->routine->node;
    if (routine != NULL && routine->kind == NODE_PROC) {
        follow(&routine->proc.body, &uses);
    }
    return uses;
}

static unsigned uses_of_others(const ChannelUses *uses, Symbol *const *names, size_t count) {
    unsigned others = 0;
    for (size_t i = 0; i < uses->list.count; i++) {
        bool is_given = false;
        for (size_t k = 0; k < count && !is_given; k++) {
            is_given = symbol_object(names[k]) == uses->list.items[i].channel;
        }
        others |= is_given ? 0 : uses->list.items[i].uses;
    }
    return others;
}

/* ---- who has a channel ---- */

/* Which of the started components can reach a name at all: by what their environments hold. */
typedef struct Knowledge {
    NameMap started;   /* Symbol * -> uint32_t *, a bit for each component */
    NameMap own;       /* Symbol * of objects that the parent's component has a name for */
    bool own_has_more; /* one of those is not in the environment, so it may be the same channel by
                          another name, as parameters can be */
} Knowledge;

static uint32_t *bits_of(NameMap *map, const Symbol *symbol) {
    void **slot = name_map_at(map, &symbol, sizeof symbol);
    if (*slot == NULL) {
        *slot = arena_new(map->arena, uint32_t);
    }
    return *slot;
}

static const Symbol *object_of(const Symbol *symbol) {
    const Symbol *object = symbol_object(symbol);
    return object != NULL ? object : symbol;
}

static Knowledge find_knowledge(Emitter *emitter, const Node *par) {
    Knowledge knowledge = {.started = {.arena = emitter->arena}, .own = {.arena = emitter->arena}};
    const ParInfo *info = par->par.info;
    size_t own = par_own_component(emitter, par);
    uint32_t bit = 1;
    for (size_t i = 0; par->par.replicator == NULL && i < par->par.body.count; i++) {
        for (size_t k = 0; i != own && k < info->captured[i].count; k++) {
            *bits_of(&knowledge.started, info->captured[i].items[k]) |= bit;
        }
        bool has_more = bit < UINT32_C(1) << (LAYOUT_INDEX_COMPONENTS - 1);
        bit = i != own && has_more ? bit << 1 : bit;
    }
    for (size_t k = 0; par->par.replicator == NULL && k < info->captured[own].count; k++) {
        const Symbol *symbol = info->captured[own].items[k];
        *bits_of(&knowledge.own, object_of(symbol)) = 1;
        bool is_given = *bits_of(&knowledge.started, symbol) != 0;
        knowledge.own_has_more = knowledge.own_has_more || (is_channel(symbol) && !is_given);
    }
    return knowledge;
}

/* A channel declared in this routine has no other names than its own and its abbreviations. */
static bool is_of_routine(const Emitter *emitter, const Symbol *symbol) {
    const Symbol *object = object_of(symbol);
    return object->kind == SYMBOL_VARIABLE && object->owner == emitter->routine->node &&
           !object->is_placed;
}

static bool may_own_know(const Emitter *emitter, Knowledge *knowledge, const Symbol *symbol) {
    return *bits_of(&knowledge->own, object_of(symbol)) != 0 ||
           (knowledge->own_has_more && !is_of_routine(emitter, symbol));
}

static uint32_t elements_of(const Type *type) {
    uint64_t elements = 1;
    for (; type->kind == TYPE_ARRAY; type = type->array.element) {
        elements *= type->array.count == ARRAY_OPEN ? 1 : (uint64_t)type->array.count;
        elements = elements > UINT32_MAX ? UINT32_MAX : elements;
    }
    return (uint32_t)elements;
}

/* The words of a ParUse. */
static void add_use(Emitter *emitter, const Node *par, Knowledge *knowledge, const Symbol *symbol,
                    unsigned offset, unsigned uses, LLVMValueRef *words) {
    bool is_replicated = par->par.replicator != NULL;
    bool is_known = is_replicated || may_own_know(emitter, knowledge, symbol);
    uses |= is_known ? (unsigned)LAYOUT_PAR_OWN_KNOWS : 0;
    uses |= symbol->type->kind == TYPE_ARRAY ? (unsigned)LAYOUT_PAR_IS_ARRAY : 0;
    uses |= (unsigned)type_open_dimensions(symbol->type) << LAYOUT_PAR_OPEN_SHIFT;
    uint32_t known_to = is_replicated ? UINT32_MAX : *bits_of(&knowledge->started, symbol);
    words[0] = emit_i32(emitter, offset);
    words[1] = emit_i32(emitter, uses);
    words[2] = emit_i32(emitter, (int64_t)known_to);
    words[3] = emit_i32(emitter, (int64_t)elements_of(symbol->type));
}

LLVMValueRef emit_par_site(Emitter *emitter, const Node *par, Symbol *const *names,
                           const unsigned *offsets, size_t count) {
    if (++emitter->routine->pars_told > PARS_TOLD) {
        return emit_site(emitter, WAIT_JOIN, par->at, NULL);
    }
    ChannelUses own = in_own(emitter, par);
    ChannelUses after = after_par(emitter, par);
    Knowledge knowledge = find_knowledge(emitter, par);
    LLVMValueRef *words = arena_new_array(emitter->arena, LLVMValueRef, PAR_USE_WORDS * count + 1);
    unsigned given = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_channel(names[i])) {
            unsigned uses = find_uses(&own, names[i]) | find_uses(&after, names[i])
                                                            << LAYOUT_PAR_AFTER_SHIFT;
            add_use(emitter, par, &knowledge, names[i], offsets[i], uses, words + given);
            given += PAR_USE_WORDS;
        }
    }
    unsigned others =
        after.is_found ? uses_of_others(&after, names, count) : (unsigned)LAYOUT_PAR_OWN_UNSURE;
    return emit_site_of_par(emitter, par->at, others << LAYOUT_PAR_AFTER_SHIFT, words, given);
}
