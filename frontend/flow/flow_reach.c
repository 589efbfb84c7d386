/* flow_reach -- conditions whose value is written down, processes that nothing reaches, and what
 * the user says of variables in the text. */
#include "flow.h"

static bool is_name(const Node *node) {
    return node->kind == NODE_NAME;
}

FlowTruth flow_truth(const Node *condition) {
    if (!condition->constant || !condition->type || condition->type->kind != TYPE_BOOL ||
        node_any(condition, is_name)) {
        return FLOW_OPEN;
    }
    return condition->constant->integer ? FLOW_TRUE : FLOW_FALSE;
}

void flow_report_unreachable(Flow *flow, const Node *process, const Node *cause) {
    bool is_end = process->kind == NODE_STOP || process->kind == NODE_SKIP;
    if (flow->is_library || is_end) {
        return; /* people write STOP behind an endless loop for the reader */
    }
    diag_report(flow->compiler->diag, DIAG_FLOW_UNREACHABLE, process->at);
    if (cause) {
        diag_label(flow->compiler->diag, cause->at, "nothing goes on after this");
    }
}

void flow_report_condition(Flow *flow, const Node *condition, const char *consequence) {
    if (!flow->is_library) {
        diag_report(flow->compiler->diag, DIAG_FLOW_CONDITION, condition->at,
                    condition->constant->integer ? "TRUE" : "FALSE", consequence);
    }
}

/* ---- #PRAGMA DEFINED a, b ---- */

#define SEPARATORS " \t\r,:"

static bool word_is(const char *text, size_t length, const char *word, size_t word_length) {
    return length == word_length && memcmp(text, word, length) == 0;
}

/* The line is the pragma, and the name is in its list. */
static bool defines(const char *line, size_t length, const Text *name) {
    static const char *const head[] = {"#PRAGMA", "DEFINED"};
    size_t words = 0;
    size_t blanks = 0;
    while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t')) {
        blanks++;
    }
    bool is_directive = blanks < length && line[blanks] == '#';
    for (size_t i = is_directive ? blanks : length; i < length;) {
        size_t start = i;
        while (i < length && !strchr(SEPARATORS, line[i])) {
            i++;
        }
        if (i > start && words < 2 &&
            !word_is(line + start, i - start, head[words], strlen(head[words]))) {
            return false;
        }
        if (i > start && words >= 2 &&
            word_is(line + start, i - start, name->bytes, name->length)) {
            return true;
        }
        words += i > start;
        i += i == start;
    }
    return false;
}

/* Such a line may stand anywhere; the preprocessor drops it. */
bool flow_is_said_to_be_defined(const Flow *flow, const Symbol *symbol, Location use) {
    for (uint32_t line = symbol->at.line; symbol->at.file == use.file && line < use.line; line++) {
        size_t length = 0;
        const char *text = source_line(flow->compiler->sources, use.file, line, &length);
        if (text && defines(text, length, symbol->name)) {
            return true;
        }
    }
    return false;
}
