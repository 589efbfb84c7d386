/* pipeline -- the passes of a unit: ours (pass.def), and LLVM's between them. */
#ifndef OCCC_PIPELINE_H
#define OCCC_PIPELINE_H

#include "emit.h"

/* pipeline_run -- verify the module, then optimise it as the options say. An unsound module ends
 * the compiler with a report (reproducer.h). */
void pipeline_run(Emitter *emitter);

#endif
