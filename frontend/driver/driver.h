/* driver -- what the command line asks for, done.
 *
 * Owns:   which units there are, what each becomes, where it goes.
 * Leaves: passes to pass.h, code and linking to backend.h, running programs to run.h.
 * Holds:  with -c, -S or -fsyntax-only each source is a unit; for a program all sources together
 *         are one, in the order given, and the last PROC of the last is the main one. */
#ifndef OCCC_DRIVER_H
#define OCCC_DRIVER_H

#include "backend.h"
#include "compiler.h"
#include "options.h"

/* driver_run -- exit status. */
int driver_run(Arena *arena, const Options *options);

/* Unit -- one compilation on its way through the driver. */
typedef struct Unit {
    Arena *arena;
    const Options *options;
    const Installation *installation;
    Compiler compiler;
    Words paths;
    Node *tree;
    bool needs_main;     /* it will be linked: no main PROC is an error */
    bool is_one_of_many; /* with other programs into one file */
    MainProcess main_process;
} Unit;

/* unit_create -- compiler, search path and warnings set as the options say. */
Unit *unit_create(Arena *arena, const Options *options, const Installation *installation);
/* unit_parse, unit_check -- false when errors were reported (after unit_check also: nothing more
 * is wanted, --stop-after). */
bool unit_parse(Unit *unit);
bool unit_check(Unit *unit);
/* unit_export -- other units may use it: before unit_parse. */
void unit_export(Unit *unit);
/* unit_keep_to_itself -- after the checks: it is a program, and nothing but its main PROC shows. */
void unit_keep_to_itself(Unit *unit);
/* unit_generate -- code of a checked unit into the file `path`; then its tree is gone. */
bool unit_generate(Unit *unit, const Backend *backend, CodegenOutput output, const char *path);
/* unit_name_of -- the prefix of its symbols: the name of its file without folder and suffix. */
const char *unit_name_of(Arena *arena, const char *path);
/* unit_has_errors -- also prints what is still to be said. */
bool unit_has_errors(Unit *unit);

/* depend_path -- where the rule for `target` goes. */
const char *depend_path(Arena *arena, const Options *options, const char *target);
/* depend_write -- the rule of -MMD for `target`; false after a message. */
bool depend_write(const Unit *unit, const char *target);

#endif
