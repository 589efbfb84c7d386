/* alarm -- see alarm.h. */
#include "alarm.h"

#include "os.h"

Alarm rt_alarm;

void alarm_set(int64_t at_us, int64_t due_us, int64_t origin_ns, bool is_for_device) {
    rt_alarm.due_us = due_us;
    rt_alarm.is_for_device = is_for_device;
    atomic_set_relaxed(&rt_alarm.at_us, at_us);
    os_alarm_set(origin_ns + at_us * NS_PER_US);
}

void alarm_stop(void) {
    if (alarm_at_us() != 0) {
        os_alarm_set(0);
        alarm_forget();
    }
}
