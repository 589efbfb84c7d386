/* pass -- see the header. */
#include "pass.h"

#include "check.h"
#include "parse.h"

#include <stdio.h>
#include <string.h>

typedef struct Pass {
    const char *name;
    void (*run)(Compiler *compiler, Node *unit);
    bool wants_no_errors; /* a program with errors would draw wrong conclusions */
} Pass;

static void run_types(Compiler *compiler, Node *unit) {
    check_types(compiler, unit);
}

#define FIRST_PASS "parse"

static const Pass passes[] = {
    {"types", run_types, false},    {"effects", check_effects, false},
    {"clock", check_clock, false},  {"alias", check_alias, false},
    {"usage", check_usage, false},  {"placed", check_placed, false},
    {"unused", check_unused, true}, {"flow", check_flow, true},
};

bool pass_is_known(const char *name) {
    if (strcmp(name, FIRST_PASS) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++) {
        if (strcmp(name, passes[i].name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_named(const char *wanted, const char *name) {
    return wanted && strcmp(wanted, name) == 0;
}

/* What happens after every pass; true when it was the last. */
static bool finish_pass(const char *name, const Node *unit, const PassRequest *request) {
    if (request->verifies_each) {
        ast_check(unit);
    }
    if (is_named(request->print_after, name)) {
        ast_print(unit, stdout);
        if (fflush(stdout) != 0) {
            fatal("cannot write to standard output:");
        }
    }
    return is_named(request->stop_after, name);
}

Node *pass_parse(Compiler *compiler, const PassRequest *request) {
    Node *unit = parse_program(compiler, request->paths, request->path_count);
    ast_check(unit);
    return unit;
}

bool pass_check(Compiler *compiler, Node *unit, const PassRequest *request) {
    bool is_stopped = finish_pass(FIRST_PASS, unit, request);
    for (size_t i = 0; i < sizeof passes / sizeof *passes && !is_stopped; i++) {
        bool has_errors = diag_error_count(compiler->diag) > 0;
        if (diag_limit_reached(compiler->diag) || (passes[i].wants_no_errors && has_errors)) {
            return false;
        }
        passes[i].run(compiler, unit);
        is_stopped = finish_pass(passes[i].name, unit, request);
    }
    ast_check(unit);
    return !is_stopped && diag_error_count(compiler->diag) == 0;
}
