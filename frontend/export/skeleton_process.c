/* skeleton_process -- processes one after the other. See skeleton.h.
 *
 * Holds:  what does not communicate is not written. */
#include "skeleton.h"

#include <stdarg.h>
#include <stdio.h>

enum { INDENT = 2, NAME_BYTES = 24 };

/* ---- lines ---- */

void skeleton_line(Skeleton *skeleton, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *line = arena_allocate(skeleton->arena, (size_t)length + 1);
    va_start(arguments, format);
    (void)vsnprintf(line, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text_add(skeleton->text, "%*s%s\n", (int)(INDENT * skeleton->depth), "", line);
}

/* That no other has; of what it is, as far as Promela allows. */
const char *skeleton_name(Skeleton *skeleton, const char *what, const char *of) {
    char name[NAME_BYTES + 1];
    size_t length = 0;
    for (; of && of[length] && length < NAME_BYTES; length++) {
        bool is_kept = (of[length] >= 'a' && of[length] <= 'z') ||
                       (of[length] >= 'A' && of[length] <= 'Z') ||
                       (of[length] >= '0' && of[length] <= '9');
        name[length] = is_kept ? of[length] : '_';
    }
    name[length] = '\0';
    return arena_format(skeleton->arena, "%s%u%s%s", what, ++skeleton->names, length ? "_" : "",
                        name);
}

void skeleton_refuse(Skeleton *skeleton, Location at, const char *what) {
    diag_report(skeleton->diag, DIAG_NOT_SUPPORTED, at, what);
}

/* ---- specifications ---- */

static void declare(Skeleton *skeleton, const Node *spec) {
    for (size_t i = 0; i < spec->declaration.names.count; i++) {
        const Symbol *symbol = spec->declaration.names.items[i]->def.symbol;
        if (symbol && skeleton_is_channel(symbol->type)) {
            skeleton_declare(skeleton, symbol);
        } else if (symbol) {
            skeleton_set_value(skeleton, symbol, NULL);
        }
    }
}

static void abbreviate(Skeleton *skeleton, const Node *spec) {
    const Symbol *symbol = spec->abbreviation.def->def.symbol;
    SkeletonValue value;
    if (!symbol) {
        return;
    }
    if (skeleton_is_channel(symbol->type)) {
        skeleton_bind(skeleton, symbol, skeleton_refer(skeleton, spec->abbreviation.value));
        return;
    }
    bool is_known = spec->abbreviation.mode == ABBREVIATION_VAL &&
                    spec->abbreviation.form == FORM_IS && symbol->type &&
                    type_is_integer(symbol->type) &&
                    skeleton_value(skeleton, spec->abbreviation.value, &value);
    skeleton_set_value(skeleton, symbol, is_known ? &value : NULL);
}

void skeleton_spec(Skeleton *skeleton, const Node *spec) {
    if (spec->kind == NODE_DECLARATION) {
        declare(skeleton, spec);
    } else if (spec->kind == NODE_ABBREVIATION) {
        abbreviate(skeleton, spec);
    }
}

/* ---- communication ---- */

static void output(Skeleton *skeleton, const Node *node) {
    const SkeletonRef *ref = skeleton_refer(skeleton, node->output.channel);
    if (!ref || !ref->name) {
        return;
    }
    const char *answer = skeleton_answer(skeleton, ref);
    skeleton_line(skeleton, "%s ! %d; /* line %u */", skeleton_channel(skeleton, ref, ref->name),
                  skeleton_tag(node), node->at.line);
    if (answer) {
        skeleton_line(skeleton, "%s ? _;", answer);
    }
}

/* during: before the sender goes on; or NULL. */
static void input(Skeleton *skeleton, const Node *node, const Node *during) {
    const SkeletonRef *ref =
        node->input.is_timer ? NULL : skeleton_refer(skeleton, node->input.channel);
    if (ref && ref->name) {
        skeleton_line(skeleton, "%s ? _; /* line %u */", skeleton_channel(skeleton, ref, ref->name),
                      node->at.line);
    }
    if (during) {
        skeleton_process(skeleton, during);
    }
    const char *answer = ref ? skeleton_answer(skeleton, ref) : NULL;
    if (answer) {
        skeleton_line(skeleton, "%s ! 0;", answer);
    }
}

static void extended_input(Skeleton *skeleton, const Node *node) {
    const Node *inner = node->extended_input.input;
    if (inner->kind == NODE_INPUT_CASE) {
        skeleton_variants(skeleton, inner, true);
        return;
    }
    input(skeleton, inner, node->extended_input.during);
    if (node->extended_input.after) {
        skeleton_process(skeleton, node->extended_input.after);
    }
}

static void claim(Skeleton *skeleton, const Node *node) {
    SkeletonRef *ref = skeleton_refer(skeleton, node->claim.element);
    if (node->claim.claimed) {
        skeleton_bind(skeleton, node->claim.claimed, ref);
    }
    const char *lock = ref ? skeleton_lock(skeleton, ref, node->claim.direction) : NULL;
    if (lock) {
        skeleton_line(skeleton, "atomic { !%s -> %s = true }; /* line %u */", lock, lock,
                      node->at.line);
    }
    skeleton_process(skeleton, node->claim.process);
    if (lock) {
        skeleton_line(skeleton, "%s = false;", lock);
    }
}

/* ---- loops ---- */

static bool is_silent(const Node *node) {
    switch (node->kind) {
    case NODE_OUTPUT:
    case NODE_INPUT:
    case NODE_INPUT_CASE:
    case NODE_EXTENDED_INPUT:
    case NODE_ALT:
    case NODE_CALL:
    case NODE_CLAIM:
    case NODE_WHILE_INPUT:
    case NODE_STOP:
    case NODE_FORK:
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_CLOSE: return false;
    default: return true;
    }
}

static bool says_something(const Node *node) {
    return !is_silent(node);
}

static void begin_turns(Skeleton *skeleton) {
    skeleton_line(skeleton, "do");
    skeleton_line(skeleton, ":: true ->");
    skeleton->depth++;
}

static void end_turns(Skeleton *skeleton, bool may_end) {
    skeleton->depth--;
    if (may_end) {
        skeleton_line(skeleton, ":: break");
    }
    skeleton_line(skeleton, "od;");
}

static void while_loop(Skeleton *skeleton, const Node *node) {
    const char *test = NULL;
    SkeletonTruth truth = skeleton_truth(skeleton, node->while_.condition, &test);
    if (truth == TRUTH_FALSE || !node_any(node->while_.process, says_something)) {
        return;
    }
    begin_turns(skeleton);
    skeleton_process(skeleton, node->while_.process);
    end_turns(skeleton, truth != TRUTH_TRUE);
}

static void sequence_body(Skeleton *skeleton, const Node *seq) {
    for (size_t i = 0; i < seq->seq.body.count; i++) {
        skeleton_process(skeleton, seq->seq.body.items[i]);
    }
}

/* The variable of the loop is one of the model. */
static void counted_loop(Skeleton *skeleton, const Node *seq, const SkeletonTurns *turns) {
    const Symbol *symbol = seq->seq.replicator->replicator.def->def.symbol;
    const char *turn = skeleton_name(skeleton, "i", symbol->name->bytes);
    SkeletonValue distance =
        skeleton_combine(skeleton, (SkeletonValue){.text = turn}, '*', turns->step);
    SkeletonValue value = skeleton_combine(skeleton, distance, '+', turns->base);
    skeleton_set_value(skeleton, symbol, &value);
    skeleton_line(skeleton, "int %s = 0;", turn);
    skeleton_line(skeleton, "%s = 0;", turn);
    skeleton_line(skeleton, "do");
    skeleton_line(skeleton, ":: %s < %s ->", turn, skeleton_text(skeleton, turns->count));
    array_push(skeleton->arena, &skeleton->loops, turn);
    skeleton->depth++;
    sequence_body(skeleton, seq);
    skeleton_line(skeleton, "%s++;", turn);
    skeleton->depth--;
    skeleton->loops.count--;
    skeleton_line(skeleton, ":: else -> break");
    skeleton_line(skeleton, "od;");
}

static void any_number_of_turns(Skeleton *skeleton, const Node *seq) {
    skeleton_set_value(skeleton, seq->seq.replicator->replicator.def->def.symbol, NULL);
    begin_turns(skeleton);
    sequence_body(skeleton, seq);
    end_turns(skeleton, true);
}

static void sequence(Skeleton *skeleton, const Node *seq) {
    SkeletonTurns turns;
    if (!seq->seq.replicator) {
        sequence_body(skeleton, seq);
    } else if (!node_any(seq, says_something)) {
        return;
    } else if (skeleton_turns(skeleton, seq->seq.replicator, &turns)) {
        counted_loop(skeleton, seq, &turns);
    } else {
        any_number_of_turns(skeleton, seq);
    }
}

static void block(Skeleton *skeleton, const Node *node) {
    for (size_t i = 0; i < node->block.specs.count; i++) {
        skeleton_spec(skeleton, node->block.specs.items[i]);
    }
    skeleton_process(skeleton, node->block.process);
}

/* ---- all of them ---- */

static const char *refusal_of(NodeKind kind) {
    switch (kind) {
    case NODE_FORK:
    case NODE_FORKING: return "FORK in a model";
    case NODE_SYNC:
    case NODE_NEXT:
    case NODE_RESUME:
    case NODE_DROP:
    case NODE_RESIGN:
    case NODE_ENROLL: return "a CLOCK or BARRIER in a model";
    case NODE_CLOSE:
    case NODE_WHILE_INPUT: return "the closing of channels in a model";
    case NODE_SUSPEND: return "a mobile process in a model";
    case NODE_PROCESSOR: return "PLACED PAR in a model";
    default: return NULL;
    }
}

void skeleton_process(Skeleton *skeleton, const Node *process) {
    const char *refusal = refusal_of(process->kind);
    if (refusal) {
        skeleton_refuse(skeleton, process->at, refusal);
        return;
    }
    switch (process->kind) {
    case NODE_BLOCK: block(skeleton, process); break;
    case NODE_STOP: skeleton_line(skeleton, "false; /* STOP, line %u */", process->at.line); break;
    case NODE_OUTPUT: output(skeleton, process); break;
    case NODE_INPUT: input(skeleton, process, NULL); break;
    case NODE_INPUT_CASE: skeleton_variants(skeleton, process, false); break;
    case NODE_EXTENDED_INPUT: extended_input(skeleton, process); break;
    case NODE_CALL: skeleton_call(skeleton, process); break;
    case NODE_SEQ: sequence(skeleton, process); break;
    case NODE_PAR: skeleton_par(skeleton, process); break;
    case NODE_ALT: skeleton_alt(skeleton, process); break;
    case NODE_IF: skeleton_if(skeleton, process); break;
    case NODE_CASE: skeleton_case(skeleton, process); break;
    case NODE_WHILE: while_loop(skeleton, process); break;
    case NODE_CLAIM: claim(skeleton, process); break;
    default: break; /* it communicates with nobody */
    }
}
