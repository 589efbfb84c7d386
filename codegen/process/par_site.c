/* par_site -- the site of a PAR: who has the channels that its branches were given, for reports.
 *
 * Owns:   what the component that the parent runs itself does with each channel of the environment,
 *         and what the rest of the parent's own text, after the PAR, does with channels.
 * Leaves: the environment to parallel.c, saying it to runtime/deadlock.c.
 * Holds:  a use whose direction or element is not sure is marked so: a report then says nothing.
 *         A loop round the PAR comes after it too; the text of a branch ends with the branch. */
#include "emit_sharing.h"
#include "layout_offsets.h"
#include "start.h"
#include "symbol.h"

enum { PARS_TOLD = 1000 /* in one routine: each is looked for in its text */ };

/* ChannelUse -- what the text that is looked at does with one channel. */
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

/* Only that very end is used, and nobody shares it. */
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
        node->kind == NODE_ABBREVIATION) { /* where it is used is a use */
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

/* After the process under it, the input ends for its partner: a use of the channel. */
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

/* Once the PAR has been found nothing more is looked into, but for what follows it. */
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

/* Of the component that the parent runs itself: of a replicated PAR one like all. */
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

LLVMValueRef emit_par_site(Emitter *emitter, const Node *par, Symbol *const *names,
                           const unsigned *offsets, size_t count) {
    if (emitter->routine->branch_count > PARS_TOLD) {
        return emit_site(emitter, WAIT_JOIN, par->at, NULL);
    }
    ChannelUses own = in_own(emitter, par);
    ChannelUses after = after_par(emitter, par);
    ARRAY_OF(LLVMValueRef) words = {NULL, 0, 0};
    for (size_t i = 0; i < count; i++) {
        if (is_channel(names[i])) {
            unsigned uses = find_uses(&own, names[i]) | find_uses(&after, names[i])
                                                            << LAYOUT_PAR_AFTER_SHIFT;
            array_push(emitter->arena, &words, emit_i32(emitter, offsets[i]));
            array_push(emitter->arena, &words, emit_i32(emitter, uses));
        }
    }
    unsigned others =
        after.is_found ? uses_of_others(&after, names, count) : (unsigned)LAYOUT_PAR_OWN_UNSURE;
    return emit_site_of_par(emitter, par->at, others << LAYOUT_PAR_AFTER_SHIFT, words.items,
                            (unsigned)words.count);
}
