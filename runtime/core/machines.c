/* machines -- the calls of compiled code that concern placements. See machines.h. */
#include "machines.h"

#include "worker.h"

int32_t rt_placed_ask(Process *me, void *machines, int32_t what) {
    (void)machines; /* which brings the engine into the program */
    if (rt_root.machines == NULL) {
        return what == PLACED_COUNT;
    }
    return rt_root.machines->ask(me, what);
}

void rt_placed_scope(Process *me, void *par, void *environment, int32_t begins) {
    if (rt_root.machines != NULL) {
        rt_root.machines->scope(me, par, environment, begins);
    }
}

void *rt_placed_run(Process *me, void *component, void *environment, void *request) {
    return rt_root.machines == NULL ? NULL
                                    : rt_root.machines->run(me, component, environment, request);
}

Process *rt_placed_attend(Process *me, void *proxy, const Site *site) {
    return rt_root.machines->attend(me, proxy, site);
}

void rt_placed_ended(Process *me, void *environment) {
    rt_root.machines->ended(me, environment);
}
