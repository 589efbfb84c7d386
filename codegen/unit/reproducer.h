/* reproducer -- what is needed to mend the compiler: the code it failed on, and the command. */
#ifndef OCCC_REPRODUCER_H
#define OCCC_REPRODUCER_H

#include "emit.h"

/* reproducer_write -- a new file in $TMPDIR with the module as it is now, headed by the command
 * line of process `pid` and by `note`; its name goes to stderr. */
void reproducer_write(const Emitter *emitter, long pid, const char *note);

/* report_unsound -- the verifier's message about the module: which routine, its line, after which
 * pass (NULL: as it was emitted), where the reproducer is. */
_Noreturn void report_unsound(const Emitter *emitter, const char *after, const char *message);

/* fail_on_purpose -- as -fbreak= says. */
void fail_on_purpose(const Emitter *emitter);

#endif
