/* proof_caller -- what the calls of a function imply for its parameters.
 *
 * A goal about parameters alone holds in a function when it holds of the actuals at every call. All
 * calls are known when the function is internal and only calls name it, or calls on a block of
 * their own (routine/recursion.c), whose actuals are found in their record. An exported routine is
 * called by units that are not seen: nothing is known of its parameters. The copies of a recursive
 * routine are treated as one: a goal must hold at every call of any of them.
 *
 * Only a few shapes are asked: p >= 0, p <= q, p < q, and p <= a number. The first two are asked of
 * all parameters of a function once something in it is not proved; what holds becomes a fact there.
 *
 * Holds:  while the calls of a function are asked, the goal itself may be used of the parameters of
 *         activations that began earlier: that is induction over the calls in the order in which
 *         they happen, so that recursion needs no form of its own. An answer found with that help
 *         is kept only when nothing is assumed any more. What is kept for every later question
 *         (which sums are exact, the facts of an edge) is found without it. */
#include "proof_calls.h"

#define CHAIN        8u /* of calls of calls */
#define CALLER_DEPTH 5u
#define CALLER_STEPS 120u
#define QUESTIONS    16u /* for one answer */
#define REMEMBERED   96u /* goals of one function */
#define NUMBERS      8u  /* parameters of one function that are compared with each other */

ProofModule *proof_module_create(Arena *arena) {
    ProofModule *module = arena_new(arena, ProofModule);
    module->arena = arena;
    module->provers.arena = arena;
    return module;
}

Prover *proof_module_prover(ProofModule *module, LLVMValueRef function) {
    Prover *known = name_map_find(&module->provers, &function, sizeof function);
    if (known == NULL) {
        known = prover_create(module->arena, flow_graph_create(module->arena, function));
        known->module = module;
        known->function = function;
        *name_map_at(&module->provers, &function, sizeof function) = known;
    }
    return known;
}

/* The goal about the parameters of one function, in terms of those of another of the same type. */
static LinearForm translated(const LinearForm *goal, LLVMValueRef from, LLVMValueRef to) {
    LinearForm form = *goal;
    for (unsigned i = 0; from != to && i < form.count; i++) {
        unsigned index = 0;
        while (LLVMGetParam(from, index) != goal->terms[i].value) {
            index++;
        }
        form.terms[i].value = LLVMGetParam(to, index);
    }
    return form;
}

/* ---- asking the calls ---- */

static bool is_same(const LinearForm *a, const LinearForm *b) {
    if (a->constant != b->constant || a->count != b->count) {
        return false;
    }
    for (unsigned i = 0; i < a->count; i++) {
        if (form_factor(b, a->terms[i].value) != a->terms[i].factor) {
            return false;
        }
    }
    return true;
}

static unsigned parameter_index(LLVMValueRef function, LLVMValueRef parameter) {
    unsigned i = 0;
    while (LLVMGetParam(function, i) != parameter) {
        i++;
    }
    return i;
}

static bool holds_at(const struct ProofCalls *calls, const LinearForm *goal, const Site *site) {
    if (site->block == NULL) {
        return true;
    }
    LinearForm there = form_constant(goal->constant);
    for (unsigned i = 0; i < goal->count; i++) {
        LLVMValueRef actual = site->actuals[parameter_index(calls->function, goal->terms[i].value)];
        if (actual == NULL ||
            !proof_add(site->prover, &there, actual, goal->terms[i].factor, site->block)) {
            return false;
        }
    }
    return proof_ask_anew(site->prover, &there, site->block, CALLER_DEPTH, CALLER_STEPS);
}

static bool hold_everywhere(ProofModule *module, struct ProofCalls *calls, const LinearForm *goal) {
    unsigned aside = module->aside;
    module->aside = 0; /* nothing is assumed yet, or nothing is asked aside */
    array_push(module->arena, &calls->assumed, *goal);
    module->assumed++;
    bool holds = true;
    for (size_t i = 0; holds && i < calls->sites.count; i++) {
        Site site = calls->sites.items[i];
        holds = holds_at(calls, goal, &site);
    }
    calls->assumed.count--;
    module->assumed--;
    module->aside = aside;
    return holds;
}

/* The goal, or a stronger one, in a shape that is asked; false: none. */
static bool shape(const LinearForm *goal, LinearForm *asked) {
    *asked = *goal;
    int64_t sum = 0;
    for (unsigned i = 0; i < goal->count; i++) {
        int64_t factor = goal->terms[i].factor;
        sum += factor;
        if (LLVMIsAArgument(goal->terms[i].value) == NULL || (factor != 1 && factor != -1)) {
            return false;
        }
    }
    bool is_difference = goal->count == 2 && sum == 0;
    bool is_least = goal->count == 1 && sum == -1;
    if ((is_difference || is_least) && goal->constant <= 1) {
        asked->constant = goal->constant == 1 ? 1 : 0;
        return true;
    }
    return goal->count == 1 && sum == 1;
}

static const Remembered *recall(const struct ProofCalls *calls, const LinearForm *goal) {
    for (size_t i = 0; i < calls->remembered.count; i++) {
        if (is_same(&calls->remembered.items[i].goal, goal)) {
            return &calls->remembered.items[i];
        }
    }
    return NULL;
}

static bool may_ask(Prover *prover) {
    const ProofModule *module = prover->module;
    return module != NULL && (module->aside == 0 || module->assumed == 0) &&
           proof_calls_of(prover)->is_known;
}

static bool ask_calls(Prover *prover, const LinearForm *about, bool is_fact) {
    LinearForm goal;
    if (!may_ask(prover) || !shape(about, &goal)) {
        return false;
    }
    ProofModule *module = prover->module;
    struct ProofCalls *calls = prover->calls;
    goal = translated(&goal, prover->function, calls->function);
    const Remembered *known = recall(calls, &goal);
    if (known != NULL) {
        return known->holds;
    }
    if (module->assumed >= CHAIN || module->questions == 0 ||
        calls->remembered.count >= REMEMBERED) {
        return false;
    }
    module->questions--;
    bool holds = hold_everywhere(module, calls, &goal);
    if (!holds || module->assumed == 0) {
        array_push(module->arena, &calls->remembered,
                   ((Remembered){goal, holds, holds && is_fact}));
    }
    return holds;
}

bool proof_holds_for_callers(Prover *prover, const LinearForm *goal) {
    return ask_calls(prover, goal, false);
}

/* ---- comparing the parameters ---- */

static void compare(Prover *prover, LLVMValueRef less, LLVMValueRef greater) {
    LinearForm goal = form_constant(0);
    bool is_goal =
        (less == NULL || form_add_value(&goal, less, 1)) && form_add_value(&goal, greater, -1);
    prover->module->questions = QUESTIONS;
    if (is_goal) {
        ask_calls(prover, &goal, true);
    }
}

/* A count of elements is never negative, and compared only with indices. */
static void compare_all(Prover *prover, const LLVMValueRef *numbers, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        bool is_index = !proof_is_natural(numbers[i]);
        if (is_index) {
            compare(prover, NULL, numbers[i]);
        }
        for (unsigned j = 0; is_index && j < count; j++) {
            if (j != i) {
                compare(prover, numbers[i], numbers[j]);
            }
        }
    }
}

bool proof_look_at_callers(Prover *prover) {
    if (prover->module == NULL || prover->module->assumed > 0 || !may_ask(prover) ||
        prover->calls->is_looked_at) {
        return false;
    }
    prover->calls->is_looked_at = true;
    LLVMValueRef numbers[NUMBERS];
    unsigned count = 0;
    for (unsigned i = 0; i < LLVMCountParams(prover->function) && count < NUMBERS; i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(prover->function, i));
        if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 32) {
            numbers[count++] = LLVMGetParam(prover->function, i);
        }
    }
    compare_all(prover, numbers, count);
    return true;
}

/* ---- facts ---- */

bool proof_fact_of_callers(Prover *prover, size_t index, LinearForm *fact) {
    if (prover->module == NULL || !proof_calls_of(prover)->is_known) {
        return false;
    }
    const struct ProofCalls *calls = prover->calls;
    size_t assumed = prover->module->aside == 0 ? calls->assumed.count : 0;
    if (index >= assumed + calls->remembered.count) {
        return false;
    }
    bool is_assumed = index < assumed;
    const Remembered *known = is_assumed ? NULL : &calls->remembered.items[index - assumed];
    *fact = is_assumed       ? calls->assumed.items[index]
            : known->is_fact ? known->goal
                             : form_constant(0); /* says nothing */
    *fact = translated(fact, calls->function, prover->function);
    return true;
}

/* ---- answers that are kept for all questions ---- */

void proof_begin_aside(Prover *prover) {
    if (prover->module != NULL) {
        prover->module->aside++;
    }
}

void proof_end_aside(Prover *prover) {
    if (prover->module != NULL) {
        prover->module->aside--;
    }
}

void proof_begin_answer(Prover *prover) {
    if (prover->module != NULL && prover->module->assumed == 0) {
        prover->module->questions = QUESTIONS;
    }
}
