/* target -- the machine that code is made for, and the way from a module to a file. */
#ifndef OCCC_TARGET_H
#define OCCC_TARGET_H

#include "emit.h"

/* target_begin -- before anything is emitted: set up the caches and the module's data layout. */
void target_begin(Emitter *emitter);
/* target_make_code_simply -- make code as at -O0, whatever the optimisation. */
void target_make_code_simply(Emitter *emitter);
/* target_emit -- optimise, write what options->output says to the file `path`, and free the target
 * machine. */
void target_emit(Emitter *emitter, const char *path);

#endif
