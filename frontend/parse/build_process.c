/* build_process -- processes, their components and limits of their number. */
#include "build.h"

#include <stdlib.h>

#define MAKE(kind, at) node_create(parse->arena, NODE_##kind, (at))

/* ---- blocks ---- */

Node *build_block(Parse *parse, NodeList specs, Node *process) {
    Node *node = MAKE(BLOCK, location_join(specs.items[0]->at, process->at));
    if (node->at.end_line != process->at.end_line) {
        node->at = process->at;
    }
    node->block.specs = specs;
    node->block.process = process;
    return node;
}

static bool is_before(Location one, Location other) {
    return one.line < other.line || (one.line == other.line && one.column < other.column);
}

/* `surplus` is one more than its construct takes; `next` follows it, or is NULL. A surplus inside
 * it has the same cause, a line too far left together with its block: only this one is kept. */
static void note_surplus(Parse *parse, const Node *first, const Node *surplus, const Node *next,
                         Surplus found) {
    found.first = first->at;
    found.surplus = surplus->at;
    size_t begin = parse->surplus.count;
    while (begin > 0 && !is_before(parse->surplus.items[begin - 1].surplus, found.first)) {
        begin--;
    }
    size_t kept = begin;
    for (size_t i = begin; i < parse->surplus.count; i++) {
        Location inner = parse->surplus.items[i].surplus;
        bool is_inside = inner.file == found.surplus.file && !is_before(inner, found.surplus) &&
                         (!next || is_before(inner, next->at));
        if (!is_inside) {
            parse->surplus.items[kept++] = parse->surplus.items[i];
        }
    }
    parse->surplus.count = kept;
    array_push(parse->arena, &parse->surplus, found);
}

/* `items` has more than one. */
static void note_second(Parse *parse, const NodeList *items, Surplus found) {
    note_surplus(parse, items->items[0], items->items[1], items->count > 2 ? items->items[2] : NULL,
                 found);
}

Node *build_one_process(Parse *parse, const NodeList *processes, const char *construct) {
    if (processes->count > 1 && !node_list_has_broken(processes)) {
        Surplus found = {.id = DIAG_SYNTAX_ONE_PROCESS, .construct = construct};
        found.hint = "put them under SEQ, to run one after the other, or PAR, at the same time";
        note_second(parse, processes, found);
    }
    return processes->items[0];
}

void build_check_one(Parse *parse, const NodeList *items, const char *construct, const char *what) {
    if (items->count > 1 && !node_list_has_broken(items)) {
        Surplus found = {.id = DIAG_SYNTAX_ONE_COMPONENT, .construct = construct, .what = what};
        if (items->items[1]->kind == NODE_CHOICE) {
            found.hint = "what holds when none was TRUE is a choice of an IF around it, beside the "
                         "replicated one";
        }
        note_second(parse, items, found);
    }
}

static int compare_surplus(const void *left, const void *right) {
    Location a = ((const Surplus *)left)->surplus;
    Location b = ((const Surplus *)right)->surplus;
    return a.file != b.file ? (a.file < b.file ? -1 : 1) : is_before(b, a) - is_before(a, b);
}

void build_report_surplus(Parse *parse) {
    Diag *diag = parse->compiler->diag;
    if (parse->surplus.count > 1) {
        qsort(parse->surplus.items, parse->surplus.count, sizeof(Surplus), compare_surplus);
    }
    for (size_t i = 0; i < parse->surplus.count; i++) {
        const Surplus *found = &parse->surplus.items[i];
        diag_report(diag, found->id, found->surplus, found->construct, found->what);
        if (found->construct) {
            diag_label(diag, found->first, "the first");
        }
        if (found->id == DIAG_SYNTAX_ONE_PROCESS) {
            diag_primary_label(diag, "one more");
        }
        if (found->hint) {
            diag_hint(diag, "%s", found->hint);
        }
    }
}

/* ---- assignment and communication ---- */

Node *build_assignment(Parse *parse, NodeList targets, NodeList values, Location at) {
    if (syntax_error_made_channel(parse, &targets, &values)) {
        return node_create(parse->arena, NODE_BROKEN, at);
    }
    build_check_targets(parse, &targets);
    Node *node = MAKE(ASSIGN, at);
    node->assign.targets = targets;
    node->assign.values = values;
    return node;
}

Node *build_output(Parse *parse, NodeList items, Location at) {
    Node *node = MAKE(OUTPUT, at);
    node->output.items = items;
    return node;
}

Node *build_input(Parse *parse, NodeList items, Location at) {
    Node *node = MAKE(INPUT, at);
    node->input.items = items;
    return node;
}

Node *build_input_case(Parse *parse, NodeList variants, Location at) {
    Node *node = MAKE(INPUT_CASE, at);
    node->input_case.variants = variants;
    for (size_t i = 0; i < variants.count; i++) {
        const Node *variant = variants.items[i];
        if (variant->kind == NODE_VARIANT && variant->variant.after) {
            Surplus found = {.id = DIAG_SYNTAX_ONE_PROCESS, .construct = "a variant"};
            const Node *next = i + 1 < variants.count ? variants.items[i + 1] : NULL;
            note_surplus(parse, variant->variant.process, variant->variant.after, next, found);
        }
    }
    return node;
}

Node *build_single_case(Parse *parse, const NodeList *items, Node *process, Location at) {
    Node *first = items->items[0];
    if (first->kind != NODE_NAME) {
        diag_report(parse->compiler->diag, DIAG_SYNTAX_TAG, first->at);
        first = MAKE(BROKEN, first->at);
    }
    Node *variant = MAKE(VARIANT, at);
    variant->variant.tag = first;
    for (size_t i = 1; i < items->count; i++) {
        array_push(parse->arena, &variant->variant.items, items->items[i]);
    }
    variant->variant.process = process ? process : MAKE(SKIP, at);
    Node *node = MAKE(INPUT_CASE, at);
    node->input_case.variants = build_list(parse, variant);
    node->input_case.is_single = true;
    return node;
}

/* The first process, the second to *after; a third is refused. */
static Node *during_and_after(Parse *parse, const NodeList *processes, Node **after) {
    if (processes->count > 2 && !node_list_has_broken(processes)) {
        const Node *next = processes->count > 3 ? processes->items[3] : NULL;
        note_surplus(parse, processes->items[0], processes->items[2], next,
                     (Surplus){.id = DIAG_SYNTAX_TWO_PROCESSES});
    }
    *after = processes->count > 1 ? processes->items[1] : NULL;
    return processes->items[0];
}

Node *build_variant(Parse *parse, const Text *tag, Location tag_at, NodeList items,
                    const NodeList *processes, Location at) {
    Node *node = MAKE(VARIANT, at);
    node->variant.tag = build_name(parse, tag, tag_at);
    node->variant.items = items;
    node->variant.process = during_and_after(parse, processes, &node->variant.after);
    return node;
}

Node *build_variant_with(Parse *parse, NodeList specs, Node *variant) {
    (void)parse;
    if (variant->kind == NODE_VARIANT) {
        variant->variant.specs = specs;
    }
    return variant;
}

Node *build_delay(Parse *parse, Node *time, Location at) {
    Node *node = MAKE(DELAY, at);
    node->delay.time = time;
    return node;
}

Node *build_extended(Parse *parse, Node *input, const NodeList *processes) {
    Node *node = MAKE(EXTENDED_INPUT, input->at);
    node->extended_input.input = input;
    node->extended_input.during = during_and_after(parse, processes, &node->extended_input.after);
    return node;
}

Node *build_extended_case(Parse *parse, NodeList variants, Location at) {
    Node *input = MAKE(INPUT_CASE, at);
    input->input_case.variants = variants;
    Node *node = MAKE(EXTENDED_INPUT, at);
    node->extended_input.input = input;
    return node;
}

Node *build_on_channel(Parse *parse, Node *channel, Node *tail) {
    if (tail->kind == NODE_OUTPUT) {
        tail->output.channel = channel;
    } else if (tail->kind == NODE_INPUT) {
        tail->input.channel = channel;
    } else if (tail->kind == NODE_INPUT_CASE) {
        tail->input_case.channel = channel;
    } else if (tail->kind == NODE_DELAY) {
        tail->delay.timer = channel;
    } else if (tail->kind == NODE_EXTENDED_INPUT) {
        build_on_channel(parse, channel, tail->extended_input.input);
    } else if (tail->kind == NODE_ALTERNATIVE) {
        build_on_channel(parse, channel, tail->alternative.guard);
    }
    tail->at = location_join(channel->at, tail->at);
    return tail;
}

Node *build_call(Parse *parse, NodeKind kind, const Text *name, Location name_at, NodeList actuals,
                 Location at) {
    Node *callee = build_name(parse, name, name_at);
    Node *node = node_create(parse->arena, kind, at);
    if (kind == NODE_CALL) {
        node->call = (Ast_call){.callee = callee, .actuals = actuals};
    } else if (kind == NODE_FORK) {
        node->fork = (Ast_fork){.callee = callee, .actuals = actuals};
    } else if (kind == NODE_DYNCALL) {
        node->dyncall = (Ast_dyncall){.callee = callee, .actuals = actuals};
    } else if (kind == NODE_FUNCTION_CALL) {
        node->function_call = (Ast_function_call){.callee = callee, .actuals = actuals};
    } else {
        bug("%s is no call", node_title(kind));
    }
    return node;
}

/* ---- constructions ---- */

Node *build_seq(Parse *parse, Node *replicator, NodeList body, Location at) {
    Node *node = MAKE(SEQ, at);
    node->seq.replicator = replicator;
    node->seq.body = body;
    return node;
}

Node *build_par(Parse *parse, ParForm form, Node *replicator, NodeList enrols, NodeList body,
                Location at) {
    Node *node = MAKE(PAR, at);
    node->par.form = form;
    node->par.replicator = replicator;
    node->par.enrols = enrols;
    node->par.body = body;
    return node;
}

Node *build_alt(Parse *parse, bool is_pri, Node *replicator, NodeList alternatives, Location at) {
    Node *node = MAKE(ALT, at);
    node->alt.is_pri = is_pri;
    node->alt.replicator = replicator;
    node->alt.alternatives = alternatives;
    return node;
}

Node *build_if(Parse *parse, Node *replicator, NodeList choices, Location at) {
    Node *node = MAKE(IF, at);
    node->if_.replicator = replicator;
    node->if_.choices = choices;
    return node;
}

Node *build_replicator(Parse *parse, const Text *name, Location name_at, Node *base, Node *count,
                       Node *step, Location at) {
    Node *node = MAKE(REPLICATOR, at);
    node->replicator.def = build_def(parse, name, name_at, DIRECTION_NONE);
    node->replicator.base = base;
    node->replicator.count = count;
    node->replicator.step = step;
    return node;
}

Node *build_alternative(Parse *parse, Node *guard, Node *process, Location at) {
    Node *node = MAKE(ALTERNATIVE, at);
    node->alternative.guard = guard;
    node->alternative.process = process;
    return node;
}

Node *build_condition(Parse *parse, Node *condition, Node *alternative) {
    (void)parse;
    alternative->alternative.condition = condition;
    alternative->at = location_join(condition->at, alternative->at);
    return alternative;
}

Node *build_choice(Parse *parse, Node *condition, Node *process, Location at) {
    Node *node = MAKE(CHOICE, at);
    node->choice.condition = condition;
    node->choice.process = process;
    return node;
}

Node *build_option(Parse *parse, NodeList values, bool is_else, Node *process, Location at) {
    build_check_values(parse, &values);
    Node *node = MAKE(OPTION, at);
    node->option.values = values;
    node->option.is_else = is_else;
    node->option.process = process;
    return node;
}

/* ---- CLAIM, WHILE input, clocks ---- */

Node *build_claim(Parse *parse, Node *element, Direction direction, Node *process, Location at) {
    Node *node = MAKE(CLAIM, at);
    node->claim.element = element;
    node->claim.direction = direction;
    node->claim.process = process;
    return node;
}

Node *build_while_input(Parse *parse, Node *input, Node *process, Location at) {
    Node *node = MAKE(WHILE_INPUT, at);
    node->while_input.input = input;
    node->while_input.process = process;
    return node;
}

Node *build_next(Parse *parse, NodeList clocks, Node *process, Location at) {
    Node *node = MAKE(NEXT, at);
    node->next.clocks = clocks;
    node->next.process = process;
    return node;
}

Node *build_with(Parse *parse, NodeKind kind, Node *child, Location at) {
    Node *node = node_create(parse->arena, kind, at);
    Node **const slots[NODE_KIND_COUNT] = {
        [NODE_FORKING] = &node->forking.process, [NODE_SYNC] = &node->sync.element,
        [NODE_CLOSE] = &node->close.end,         [NODE_CLOSED] = &node->closed.end,
        [NODE_PHASE] = &node->phase.clock,       [NODE_SIZE] = &node->size.operand,
        [NODE_CLONE] = &node->clone.operand,     [NODE_DEFINED] = &node->defined.operand,
        [NODE_BYTESIN] = &node->bytesin.operand, [NODE_TYPEHASHOF] = &node->typehashof.operand,
        [NODE_ADDROF] = &node->addrof.operand};
    if (!slots[kind]) {
        bug("%s has not just one child", node_title(kind));
    }
    *slots[kind] = child;
    return node;
}

Node *build_with_list(Parse *parse, NodeKind kind, NodeList list, Location at) {
    Node *node = node_create(parse->arena, kind, at);
    *(kind == NODE_RESUME ? &node->resume.clocks : &node->drop.clocks) = list;
    return node;
}
