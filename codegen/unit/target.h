/* target -- the machine that code is made for, and the way from a module to a file. */
#ifndef OCCC_TARGET_H
#define OCCC_TARGET_H

#include "emit.h"

/* target_begin -- before anything is emitted: the caches and the module's layout. */
void target_begin(Emitter *emitter);
/* target_make_code_simply -- as at -O0, whatever the optimisation. */
void target_make_code_simply(Emitter *emitter);
/* target_emit -- optimise, and write what options->output says to the file `path`; then the target
 * machine is gone. */
void target_emit(Emitter *emitter, const char *path);

#endif
