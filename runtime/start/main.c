/* main -- where a compiled program begins and ends.
 *
 * Owns:   main, the order in which the parts are set up, the version the link step compares.
 * Leaves: setting up and running to start.h. A test of the runtime has a main of its own, and then
 *         this file is not taken from the library. */
#include "choice.h"
#include "detached.h"
#include "ending.h"
#include "interrupt.h"
#include "io.h"
#include "machines.h"
#include "mobile.h"
#include "occ/runtime.h"
#include "os.h"
#include "start.h"
#include "worker.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Made by codegen (module.c). */
extern const Program occ_program;
/* Made by the link step of several programs of tests; it ends in NULL. */
extern const Program *const occ_programs[] __attribute__((weak));

const uint32_t occ_abi_version = ABI_VERSION;

/* Read by occc top from outside. */
extern const uint64_t occ_runtime_map[];
const uint64_t occ_runtime_map[] = {
#define OCC_MAP(NAME, value) value,
#include "occ/map.def"
#undef OCC_MAP
};

/* "3 queue.test": OCC_TEST says which test of which program. */
static const Program *find_program(void) {
    const char *test = getenv("OCC_TEST");
    const char *blank = test != NULL ? strchr(test, ' ') : NULL;
    for (size_t i = 0; blank != NULL && occ_programs != NULL && occ_programs[i] != NULL; i++) {
        if (strcmp(occ_programs[i]->name, blank + 1) == 0) {
            return occ_programs[i];
        }
    }
    return &occ_program;
}

int main(int argument_count, char *arguments[]) {
    Channel *channels[3];
    if (!rt_begin() || !io_begin(channels)) {
        rt_fatal("cannot start: out of memory", 0);
    }
    os_clock_want_precision();
    os_memory_keep();
    interrupt_begin();
    const Program *program = find_program();
    rt_root.program = program;
    rt_root.arguments = arguments;
    rt_root.argument_count = argument_count;
    choice_begin();
    if (&occ_machines != NULL && occ_machines.begin()) {
        rt_root.machines = &occ_machines;
        if (!occ_machines.is_first()) {
            rt_serve();
            rt_end(STATUS_DONE);
        }
    }
    ProcessPlan root = {program->body, *program->block_bytes, channels, NULL, INDEX_NONE};
    rt_run(&root);
    bool is_clean = mobile_check_returned();
    if (!is_clean) {
        detached_report();
    }
    rt_end(is_clean ? STATUS_DONE : STATUS_INTERNAL);
}
