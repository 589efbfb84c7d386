/* ending -- the one way out. See ending.h. */
#include "ending.h"

#include "coverage.h"
#include "device.h"
#include "machines.h"
#include "os.h"
#include "recorder.h"
#include "report.h"
#include "worker.h"

void ending_flush(bool is_hurried) {
    rt_root.is_flushing = !is_hurried;
    for (Device *device = rt_root.devices; device != NULL; device = device->next) {
        if (device->kind->finish != NULL) {
            device->kind->finish(device, is_hurried);
        }
    }
    rt_root.is_flushing = false;
}

/* Blocks given back have been measured; measure those still in use. */
static void measure_live_blocks(void) {
    BlockCursor cursor = block_first(&rt_root.blocks);
    Process *process;
    while ((process = block_next(&cursor)) != NULL) {
        if (process->sp != NULL) {
            paint_measure(&rt_root.paint, process, PAINT_MARGIN_BYTES);
        }
    }
}

_Noreturn void rt_end(int status) {
    if (!rt_root.is_ending) {
        rt_root.is_ending = true;
        ending_flush(false);
        coverage_write();
        if (rt_root.blocks.paint != NULL) {
            measure_live_blocks();
            paint_print(&rt_root.paint);
        }
    }
    if (rt_root.machines != NULL) {
        rt_root.machines->end(status);
    }
    recorder_end();
    os_alarm_destroy();
    os_terminal_restore();
    status = status == STATUS_DONE && rt_root.output_failed ? STATUS_WORLD : status;
    if (rt_root.leave != NULL) {
        rt_root.leave(status);
    }
    os_exit(status);
}

void ending_from_signal(void) {
    if (!rt_root.is_ending) {
        rt_root.is_ending = true;
        ending_flush(true);
    }
    recorder_end();
    os_terminal_restore();
}

_Noreturn void rt_fatal(const char *what, int error) {
    if (error != 0) {
        report_line("occ: %s: %s\n", what, os_error_text(error));
    } else {
        report_line("occ: %s\n", what);
    }
    rt_end(STATUS_WORLD);
}
