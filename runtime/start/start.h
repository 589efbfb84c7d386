/* start -- setting the runtime up and running a root process. See start.c. */
#ifndef RT_START_H
#define RT_START_H

#include "worker.h"

typedef struct ProcessPlan {
    void *body; /* preserve_none (me, environment, index) */
    size_t block_bytes;
    void *environment;
    Join *join;
    int32_t index; /* INDEX_NONE: it is not replicated */
} ProcessPlan;

/* Set up rt_root from the environment. False: no memory. */
bool rt_begin(void);
/* Run the root (its join is supplied) and everything it starts; returns when it has ended. */
void rt_run(const ProcessPlan *root);

/* On a machine other than the first: run what is sent here until the first machine says that the
 * program has ended. */
void rt_serve(void);

#endif
