/* pass -- the ordered list of passes from files to a checked tree.
 *
 * Owns:   the order, where to stop, what is printed after which pass, when the tree's shape is
 *         checked: after the first and the last, with -fverify-each after every one.
 * Leaves: what each pass does to its own file; its contract stands in parse.h and check.h.
 * Holds:  later passes run also when errors were reported, so that one run shows mistakes of every
 *         kind; none runs once the error limit is reached. */
#ifndef OCCC_PASS_H
#define OCCC_PASS_H

#include "ast.h"
#include "compiler.h"

typedef struct PassRequest {
    const char *const *paths;
    size_t path_count;
    const char *stop_after;  /* NULL: run all */
    const char *print_after; /* NULL: print nothing */
    bool verifies_each;
} PassRequest;

/* pass_is_known -- a name for --stop-after and --print-after. */
bool pass_is_known(const char *name);
/* pass_parse -- the first pass alone. */
Node *pass_parse(Compiler *compiler, const PassRequest *request);
/* pass_check -- the others, on the tree of pass_parse. True when all were run and no error was
 * reported: then the tree is ready for the code generator. */
bool pass_check(Compiler *compiler, Node *unit, const PassRequest *request);

#endif
