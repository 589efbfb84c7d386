/* first_use -- is a variable certainly written before it is read?
 *
 * Owns:   one question about the scope of a declaration: may the zero that storage.c gives a new
 *         variable be left out? On the hot path of a communicating process it is a store that the
 *         partner overwrites, and mixing the two costs 1.5 ns a communication (decision 0003);
 *         for an array it is a loop at each entry (decision 0038).
 * Leaves: expressions to first_value.c, which elements are written to first_part.c, loops to
 *         first_loop.c, calls to first_call.c.
 * Holds:  a process is walked in the order of execution, with what is written on every path to it;
 *         branches of a PAR begin with what was written before the PAR. A construct that is not
 *         understood and names the variable counts as a read. */
#include "first_walk.h"

enum { VISITS_MAX = 500 };

/* Limits the walk: otherwise a scope of n variables would be walked n times to its end. */
static bool is_too_far(Walk *walk) {
    bool is_it = ++walk->visits > VISITS_MAX;
    walk->part->fails = walk->part->fails || is_it;
    return is_it;
}

/* ---- specifications ---- */

/* Another name for the whole part is tracked; one for something inside may be read at any time. */
static void enter_abbreviation(Walk *walk, const Node *abbreviation) {
    const Node *value = abbreviation->abbreviation.value;
    AbbreviationMode mode = abbreviation->abbreviation.mode;
    bool is_value = mode == ABBREVIATION_VAL || mode == ABBREVIATION_INITIAL;
    if (is_value || !part_is_element(walk->part, value)) {
        first_read(walk, value);
        return;
    }
    first_choose(walk, value);
    if (abbreviation->abbreviation.form == FORM_IS && part_is_exactly(walk->part, value)) {
        walk->part->alias = abbreviation->abbreviation.def->def.symbol;
    } else {
        part_read(walk->part, value);
    }
}

/* An alias of the part stays until the caller restores the one before. */
void first_specifications(Walk *walk, const NodeList *specs, size_t first) {
    for (size_t i = first; i < specs->count && !is_too_far(walk); i++) {
        Node *spec = specs->items[i];
        if (spec->kind == NODE_ABBREVIATION) {
            enter_abbreviation(walk, spec);
        } else {
            first_fail_if_named(walk, spec);
        }
    }
}

static void walk_scope(Walk *walk, const NodeList *specs, Node *process) {
    const Symbol *alias = walk->part->alias;
    first_specifications(walk, specs, 0);
    first_walk(walk, process);
    walk->part->alias = alias;
}

/* ---- paths that part and meet ---- */

/* Ways -- alternative paths: each begins with `before`; `after` is what all of them have done. */
typedef struct Ways {
    Part before, after;
    bool is_any;
} Ways;

static Ways ways_begin(const Walk *walk) {
    return (Ways){.before = *walk->part};
}

static void way_ends(Walk *walk, Ways *ways) {
    if (ways->is_any) {
        part_join(&ways->after, walk->part);
    } else {
        ways->after = *walk->part;
        ways->is_any = true;
    }
    *walk->part = ways->before;
    walk->part->fails = ways->after.fails;
}

/* If no path was taken, the process stops. */
static void ways_end(Walk *walk, const Ways *ways) {
    const Symbol *alias = ways->before.alias;
    bool fails = walk->part->fails;
    if (ways->is_any) {
        *walk->part = ways->after;
    } else {
        walk->part->is_whole = true;
    }
    walk->part->fails = walk->part->fails || fails;
    walk->part->alias = alias;
}

/* A process that may run zero times. */
static void walk_perhaps(Walk *walk, Node *process) {
    Part before = *walk->part;
    if (process != NULL) {
        first_walk(walk, process);
    }
    before.fails = walk->part->fails;
    *walk->part = before;
}

/* ---- assignment and communication ---- */

static void walk_assign(Walk *walk, const Node *assign) {
    const NodeList *targets = &assign->assign.targets;
    first_read_each(walk, &assign->assign.values);
    for (size_t i = 0; i < targets->count && !walk->part->fails; i++) {
        first_choose(walk, targets->items[i]);
    }
    for (size_t i = 0; i < targets->count && !walk->part->fails; i++) {
        part_write(walk->part, targets->items[i]);
    }
}

/* Items of an input, in the order they arrive. */
static void receive(Walk *walk, const NodeList *items) {
    for (size_t i = 0; i < items->count; i++) {
        const Node *item = items->items[i];
        if (item->kind == NODE_COUNTED) {
            first_choose(walk, item->counted.count);
            first_choose(walk, item->counted.array);
            part_write(walk->part, item->counted.count);
        } else if (item->kind != NODE_TAG_USE) {
            first_choose(walk, item);
            part_write(walk->part, item);
        }
    }
}

static void walk_input(Walk *walk, const Node *input) {
    first_choose(walk, input->input.channel);
    receive(walk, &input->input.items);
}

static void walk_output(Walk *walk, const Node *output) {
    first_choose(walk, output->output.channel);
    first_read_each(walk, &output->output.items);
}

static void walk_variant(Walk *walk, const Node *variant) {
    receive(walk, &variant->variant.items);
    first_walk(walk, variant->variant.process);
    if (variant->variant.after != NULL) {
        first_walk(walk, variant->variant.after);
    }
}

static void walk_variants(Walk *walk, const Node *input) {
    const NodeList *variants = &input->input_case.variants;
    first_choose(walk, input->input_case.channel);
    Ways ways = ways_begin(walk);
    for (size_t i = 0; i < variants->count; i++) {
        first_specifications(walk, &variants->items[i]->variant.specs, 0);
        walk_variant(walk, variants->items[i]);
        way_ends(walk, &ways);
    }
    ways_end(walk, &ways);
}

static void walk_extended(Walk *walk, const Node *extended) {
    first_walk(walk, extended->extended_input.input);
    if (extended->extended_input.during != NULL) {
        first_walk(walk, extended->extended_input.during);
    }
    if (extended->extended_input.after != NULL) {
        first_walk(walk, extended->extended_input.after);
    }
}

/* ---- constructs ---- */

/* When the part is an element, other parts of the variable may still be read. */
static bool is_settled(const Part *part) {
    return part->fails || (part->is_whole && part->outer == NULL);
}

void first_walk_each(Walk *walk, const NodeList *processes) {
    for (size_t i = 0; i < processes->count && !is_settled(walk->part); i++) {
        first_walk(walk, processes->items[i]);
    }
}

static void walk_seq(Walk *walk, const Node *seq) {
    if (seq->seq.replicator != NULL) {
        first_walk_loop(walk, seq->seq.replicator, &seq->seq.body, true);
    } else {
        first_walk_each(walk, &seq->seq.body);
    }
}

/* No branch relies on what another writes: their order is not known. */
static void walk_par(Walk *walk, const Node *par) {
    if (par->par.replicator != NULL) {
        first_walk_loop(walk, par->par.replicator, &par->par.body, false);
        return;
    }
    Part before = *walk->part;
    Part after = before;
    for (size_t i = 0; i < par->par.body.count; i++) {
        *walk->part = before;
        first_walk(walk, par->par.body.items[i]);
        const Part *branch = walk->part;
        after.fails = after.fails || branch->fails;
        after.is_whole = after.is_whole || branch->is_whole;
        after.filled = branch->filled > after.filled ? branch->filled : after.filled;
    }
    *walk->part = after;
}

static void read_replicator(Walk *walk, const Node *replicator) {
    if (replicator != NULL) {
        first_read(walk, replicator->replicator.base);
        first_read(walk, replicator->replicator.count);
        first_read(walk, replicator->replicator.step);
    }
}

/* A condition is evaluated when those before it were false; an IF as a choice of another IF may
 * choose nothing. */
static void walk_choices(Walk *walk, const Node *node, Ways *ways) {
    const NodeList *choices = &node->if_.choices;
    read_replicator(walk, node->if_.replicator);
    for (size_t i = 0; i < choices->count; i++) {
        const Node *choice = choices->items[i];
        first_specifications(walk, &choice->choice.specs, 0);
        if (choice->choice.condition == NULL) {
            walk_choices(walk, choice->choice.process, ways);
        } else {
            first_read(walk, choice->choice.condition);
            first_walk(walk, choice->choice.process);
            way_ends(walk, ways);
        }
    }
}

static void walk_if(Walk *walk, const Node *node) {
    Ways ways = ways_begin(walk);
    walk_choices(walk, node, &ways);
    ways_end(walk, &ways);
}

static void walk_case(Walk *walk, const Node *node) {
    const NodeList *options = &node->case_.options;
    first_read(walk, node->case_.selector);
    Ways ways = ways_begin(walk);
    for (size_t i = 0; i < options->count; i++) {
        const Node *option = options->items[i];
        first_read_each(walk, &option->option.values);
        first_specifications(walk, &option->option.specs, 0);
        first_walk(walk, option->option.process);
        way_ends(walk, &ways);
    }
    ways_end(walk, &ways);
}

static void walk_alternative(Walk *walk, const Node *alternative) {
    first_read(walk, alternative->alternative.condition);
    first_walk(walk, alternative->alternative.guard);
    if (alternative->alternative.process != NULL) {
        first_walk(walk, alternative->alternative.process);
    }
}

static void walk_alt(Walk *walk, const Node *alt) {
    const NodeList *alternatives = &alt->alt.alternatives;
    read_replicator(walk, alt->alt.replicator);
    Ways ways = ways_begin(walk);
    for (size_t i = 0; i < alternatives->count; i++) {
        first_specifications(walk, &alternatives->items[i]->alternative.specs, 0);
        walk_alternative(walk, alternatives->items[i]);
        way_ends(walk, &ways);
    }
    ways_end(walk, &ways);
}

void first_walk_valof(Walk *walk, const Node *valof) {
    if (valof->valof.process != NULL) {
        first_walk(walk, valof->valof.process);
    }
    first_read_each(walk, &valof->valof.results);
}

/* ---- the switch ---- */

void first_walk(Walk *walk, Node *node) {
    if (is_too_far(walk)) {
        return;
    }
    switch (node->kind) {
    case NODE_BLOCK: walk_scope(walk, &node->block.specs, node->block.process); return;
    case NODE_STOP: walk->part->is_whole = true; return; /* control does not get further */
    case NODE_ASSIGN: walk_assign(walk, node); return;
    case NODE_OUTPUT: walk_output(walk, node); return;
    case NODE_INPUT: walk_input(walk, node); return;
    case NODE_INPUT_CASE: walk_variants(walk, node); return;
    case NODE_EXTENDED_INPUT: walk_extended(walk, node); return;
    case NODE_DELAY:
        first_choose(walk, node->delay.timer);
        first_read(walk, node->delay.time);
        return;
    case NODE_CALL: first_walk_call(walk, node); return;
    case NODE_SEQ: walk_seq(walk, node); return;
    case NODE_PAR: walk_par(walk, node); return;
    case NODE_ALT: walk_alt(walk, node); return;
    case NODE_IF: walk_if(walk, node); return;
    case NODE_CASE: walk_case(walk, node); return;
    case NODE_WHILE:
        first_read(walk, node->while_.condition);
        walk_perhaps(walk, node->while_.process);
        return;
    case NODE_WHILE_INPUT: {
        Part before = *walk->part;
        first_walk(walk, node->while_input.input);
        walk_perhaps(walk, node->while_input.process);
        before.fails = walk->part->fails;
        *walk->part = before;
        return;
    }
    case NODE_CLAIM:
        first_choose(walk, node->claim.element);
        first_walk(walk, node->claim.process);
        return;
    case NODE_FORKING: first_walk(walk, node->forking.process); return;
    case NODE_PROCESSOR:
        first_read(walk, node->processor.number);
        first_walk(walk, node->processor.process);
        return;
    case NODE_ENROLL: first_walk(walk, node->enroll.process); return;
    /* what a scope may be of (emit_specifications); its own specifications have been walked */
    case NODE_VARIANT: walk_variant(walk, node); return;
    case NODE_ALTERNATIVE: walk_alternative(walk, node); return;
    case NODE_CHOICE:
        first_read(walk, node->choice.condition);
        first_walk(walk, node->choice.process);
        return;
    case NODE_VALOF: first_walk_valof(walk, node); return;
    case NODE_SKIP: return;
    /* not tracked */
    case NODE_SUSPEND:
    case NODE_FORK:
    case NODE_SYNC:
    case NODE_RESIGN:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP:
    case NODE_CLOSE:
    case NODE_ASM:
    case NODE_DYNCALL:
    case NODE_OPTION:
    case NODE_CLOSED: first_fail_if_named(walk, node); return;
    case NODE_KINDS_OF_TYPE:
    case NODE_KINDS_OF_SPECIFICATION:
    case NODE_KINDS_OF_PART:
    case NODE_KINDS_OF_VALUE:
    case NODE_NAME:
    case NODE_MONADIC:
    case NODE_DYADIC:
    case NODE_FUNCTION_CALL:
    case NODE_MOVE:
    case NODE_PHASE:
    case NODE_BROKEN:
    case NODE_UNIT:
    case NODE_KIND_COUNT: return; /* no process */
    }
}

/* ---- what storage.c asks ---- */

void emit_specifications(Emitter *emitter, const NodeList *specs, Node *process) {
    for (size_t i = 0; i < specs->count; i++) {
        emitter->scope = (EmitScope){specs, i, process};
        emit_specification(emitter, specs->items[i]);
    }
    emitter->scope = (EmitScope){NULL, 0, NULL};
}

bool emit_needs_zero(Emitter *emitter, const Symbol *symbol) {
    const EmitScope *scope = &emitter->scope;
    if (scope->process == NULL) {
        return true;
    }
    Part part = {.symbol = symbol, .type = symbol->type};
    Walk walk = {.emitter = emitter, .part = &part};
    first_specifications(&walk, scope->specs, scope->index + 1);
    first_walk(&walk, scope->process);
    return part.fails;
}
