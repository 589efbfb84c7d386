/* stop -- an error of one process. See stop.h. */
#include "stop.h"

#include "arch.h"
#include "error.h"
#include "process.h"
#include "scheduler.h"

static void stop(Process *process, const Site *site) {
    process->flags |= PROCESS_IS_STOPPED;
    process_waits(process, site, NULL);
}

_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *site, int64_t a, int64_t b,
                       int64_t c) {
    if ((site->flags & SITE_STOPS) == 0) {
        rt_error_at(me, kind, site, a, b, c);
    }
    rt_error_report(me, kind, site, a, b, c);
    stop(me, site);
    rt_arch_resume(rt_scheduler_next(me->worker));
}

_Noreturn void rt_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c) {
    rt_fail(me, (ErrorKind)site->kind, site, a, b, c);
}

_Noreturn void rt_error_words(Process *me, const Site *site, int32_t a, int32_t b, int32_t c) {
    rt_error(me, site, a, b, c);
}

void rt_stop_closed(Process *process, const Site *site, const Site *closing) {
    if ((site->flags & SITE_STOPS) == 0) {
        rt_error_closed(process, site, closing);
    }
    rt_error_report_closed(process, site, closing);
    stop(process, site);
}
