/* syntax_gate -- at most one error about the form of a line, whoever finds it first: lexer, layout
 * filter or grammar. Others on the same line mostly follow from it. */
#ifndef OCCC_SYNTAX_GATE_H
#define OCCC_SYNTAX_GATE_H

#include "source.h"

#include <stdbool.h>

typedef struct SyntaxGate {
    uint32_t file; /* of the last error */
    uint32_t line;
} SyntaxGate;

/* syntax_gate_note -- an error was reported here. */
static inline void syntax_gate_note(SyntaxGate *gate, Location at) {
    gate->file = at.file;
    gate->line = at.line;
}

/* syntax_gate_opens -- true, once, if no error was reported on this line yet. */
static inline bool syntax_gate_opens(SyntaxGate *gate, Location at) {
    if (gate->file == at.file && gate->line == at.line && location_is_known(at)) {
        return false;
    }
    syntax_gate_note(gate, at);
    return true;
}

#endif
