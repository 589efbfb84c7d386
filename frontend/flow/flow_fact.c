/* flow_fact -- what variables are known to hold, so that `going := TRUE` / WHILE going is a loop
 * that runs.
 *
 * Holds: facts are a list that only grows at its head, so a state of it is a pointer. Where paths
 *        meet, the lists of those that added something hang beside the list from before: what one
 *        of them says anything of is not known behind it. A lookup gives up after LOOKUP_LIMIT
 *        facts. */
#include "flow.h"

#define LOOKUP_LIMIT 200

typedef enum FactKind {
    FACT_VALUE,   /* symbol holds value; NULL: not known */
    FACT_PATH,    /* what `inner` has above `base` happened, or did not */
    FACT_LOOP,    /* a body begins: what is older may have changed in a round before */
    FACT_UNKNOWN, /* what is older may have changed */
} FactKind;

struct FlowFact {
    FactKind kind;
    const Symbol *symbol;
    const Constant *value;
    const FlowFact *inner;
    const FlowFact *base;
    const FlowFact *next;
};

/* ---- what happens ---- */

static void push(Flow *flow, FlowFact fact) {
    FlowFact *pushed = arena_new(flow->arena, FlowFact);
    *pushed = fact;
    pushed->next = flow->facts;
    flow->facts = pushed;
}

void flow_fact_set(Flow *flow, const Node *element, const Node *value) {
    const Symbol *symbol = element ? symbol_object(node_root(element)) : NULL;
    bool is_whole = element && element->kind == NODE_NAME && element->name.symbol == symbol;
    if (symbol) {
        const Constant *constant =
            is_whole && value && !symbol->permits_sharing ? value->constant : NULL;
        push(flow, (FlowFact){.kind = FACT_VALUE, .symbol = symbol, .value = constant});
    }
}

void flow_fact_declare(Flow *flow, const Symbol *symbol, const Node *value) {
    if (symbol && !symbol->permits_sharing) {
        push(flow, (FlowFact){.kind = FACT_VALUE, .symbol = symbol, .value = value->constant});
    }
}

void flow_fact_forget(Flow *flow) {
    push(flow, (FlowFact){.kind = FACT_UNKNOWN});
}

void flow_fact_begin_body(Flow *flow) {
    push(flow, (FlowFact){.kind = FACT_LOOP});
}

FlowMeeting flow_meeting(const Flow *flow) {
    return (FlowMeeting){flow->facts, flow->facts};
}

void flow_meeting_add(Flow *flow, FlowMeeting *meeting) {
    const FlowFact *reached = flow->facts;
    if (reached != meeting->before && !flow->state.is_dead) {
        flow->facts = meeting->after;
        push(flow, (FlowFact){.kind = FACT_PATH, .inner = reached, .base = meeting->before});
        meeting->after = flow->facts;
    }
    flow->facts = meeting->before;
}

void flow_meeting_end(Flow *flow, const FlowMeeting *meeting) {
    flow->facts = meeting->after;
}

/* ---- what is known ---- */

/* May the variable have changed between the two? */
static bool is_touched(const FlowFact *from, const FlowFact *to, const Symbol *symbol,
                       unsigned *left) {
    for (const FlowFact *fact = from; fact && fact != to; fact = fact->next) {
        bool is_path = fact->kind == FACT_PATH && is_touched(fact->inner, fact->base, symbol, left);
        if (*left == 0 || is_path || fact->kind == FACT_UNKNOWN ||
            (fact->kind == FACT_VALUE && fact->symbol == symbol)) {
            return true;
        }
        --*left;
    }
    return false;
}

static const Constant *value_of(const Flow *flow, const Symbol *symbol) {
    unsigned left = LOOKUP_LIMIT;
    for (const FlowFact *fact = flow->facts; fact && left > 0; fact = fact->next, left--) {
        bool is_path = fact->kind == FACT_PATH;
        if (fact->kind == FACT_VALUE && fact->symbol == symbol) {
            return fact->value;
        }
        if (fact->kind == FACT_LOOP || fact->kind == FACT_UNKNOWN ||
            (is_path && is_touched(fact->inner, fact->base, symbol, &left))) {
            return NULL;
        }
    }
    return NULL;
}

static bool is_number(const Type *type) {
    return type && (type_is_integer(type) || type_base(type)->kind == TYPE_BOOL);
}

static bool compare(Operator op, int64_t left, int64_t right) {
    const int order = (left > right) - (left < right);
    return op == OPERATOR_EQUAL        ? order == 0
           : op == OPERATOR_NOT_EQUAL  ? order != 0
           : op == OPERATOR_LESS       ? order < 0
           : op == OPERATOR_LESS_EQUAL ? order <= 0
           : op == OPERATOR_GREATER    ? order > 0
                                       : order >= 0;
}

static bool evaluate(const Flow *flow, const Node *node, int64_t *value);

static bool evaluate_dyadic(const Flow *flow, const Node *node, int64_t *value) {
    Operator op = node->dyadic.op;
    int64_t left = 0;
    int64_t right = 0;
    bool has_left = evaluate(flow, node->dyadic.left, &left);
    bool has_right = evaluate(flow, node->dyadic.right, &right);
    if (op == OPERATOR_AND || op == OPERATOR_OR) {
        bool decides = op == OPERATOR_OR;
        bool is_decided = (has_left && left == decides) || (has_right && right == decides);
        *value = is_decided ? decides : !decides;
        return is_decided || (has_left && has_right);
    }
    if (!has_left || !has_right || op < OPERATOR_EQUAL || op > OPERATOR_GREATER_EQUAL) {
        return false;
    }
    *value = compare(op, left, right);
    return true;
}

static bool evaluate(const Flow *flow, const Node *node, int64_t *value) {
    const Constant *constant = node->constant;
    if (!is_number(node->type)) {
        return false;
    }
    if (!constant && node->kind == NODE_NAME && node->name.symbol) {
        constant = value_of(flow, symbol_object(node->name.symbol));
    }
    if (constant) {
        *value = constant->integer;
        return true;
    }
    if (node->kind == NODE_CONVERSION) {
        return evaluate(flow, node->conversion.operand, value);
    }
    if (node->kind == NODE_MONADIC) {
        bool is_known =
            node->monadic.op == OPERATOR_NOT && evaluate(flow, node->monadic.operand, value);
        *value = is_known ? !*value : *value;
        return is_known;
    }
    return node->kind == NODE_DYADIC && !node->dyadic.user_operator &&
           evaluate_dyadic(flow, node, value);
}

bool flow_fact_holds(const Flow *flow, const Node *condition) {
    int64_t value = 0;
    return evaluate(flow, condition, &value) && value != 0;
}

bool flow_fact_is_positive(const Flow *flow, const Node *count) {
    int64_t value = 0;
    return evaluate(flow, count, &value) && value > 0;
}
