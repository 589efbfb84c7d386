/* deadlock -- the report. See deadlock.h. */
#include "deadlock.h"

#include "ending.h"
#include "report.h"

_Noreturn void rt_deadlock(Worker *worker) {
    ending_flush(false);
    rt_waits_report(worker);
    rt_end(STATUS_DEADLOCK);
}

void rt_waits_report(Worker *worker) {
    (void)worker;
    report_line("occ: deadlock\n");
}
