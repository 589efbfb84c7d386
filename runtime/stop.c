/* stop -- an error of one process. See stop.h. */
#include "stop.h"

#include "arch/arch.h"
#include "error.h"
#include "scheduler.h"

_Noreturn void rt_error(Process *me, const Site *site, int64_t a, int64_t b, int64_t c) {
    if ((site->flags & SITE_STOPS) == 0) {
        rt_error_at(me, (ErrorKind)site->kind, site, a, b, c);
    }
    rt_error_report(me, site, a, b, c);
    me->next = NULL;
    me->wait = site + 1;
    rt_arch_resume(rt_scheduler_next(me->worker));
}
