/* mobile_clock -- see mobile_clock.h. */
#include "mobile_clock.h"

#include "worker.h"

static void list_enter(const Process *me) {
    if (!worker_is_solo(me->worker)) {
        lock_take(&rt_root.heap_lock);
    }
}

static void list_leave(const Process *me) {
    if (!worker_is_solo(me->worker)) {
        lock_release(&rt_root.heap_lock);
    }
}

/* Another registration of the clock, active in the given phase. Its membership is counted by the
 * caller. */
static MobileRegistration *register_on(Process *me, MobileClock *clock, uint32_t phase,
                                       const Site *site) {
    MobileRegistration *made = mobile_take(me, sizeof *made, site);
    made->registration = (Registration){.clock = &clock->clock, .phase = phase};
    list_enter(me);
    list_append(&clock->registrations, &made->link);
    list_leave(me);
    return made;
}

/* ---- abi.def ---- */

void *rt_mobile_clock_make(Process *me, const Site *site) {
    MobileClock *clock = mobile_take(me, sizeof *clock, site);
    list_init(&clock->registrations);
    MobileRegistration *made = register_on(me, clock, 0, site);
    rt_clock_begin(me, &made->registration, &clock->clock);
    return made;
}

/* Enrol a second member, for the receiver of the object: counted before it can run. */
void *rt_mobile_clock_enrol(Process *me, void *object, const Site *site) {
    MobileRegistration *giver = object;
    if (giver->registration.state != REGISTRATION_ACTIVE) {
        return NULL;
    }
    clock_join(&giver->registration, 1);
    return register_on(me, mobile_clock_of(&giver->registration), giver->registration.phase, site);
}

void *rt_mobile_clock_branch(Process *me, void *lender, const Site *site) {
    MobileRegistration *giver = lender;
    MobileRegistration *made =
        register_on(me, mobile_clock_of(&giver->registration), giver->registration.phase, site);
    made->registration.lender = &giver->registration;
    return made;
}

/* The branch may now have another clock than the one it was given. */
void rt_mobile_clock_end(Process *me, void *object, void *lender) {
    MobileRegistration *mine = object;
    MobileRegistration *giver = lender;
    if (mine == NULL) {
        return;
    }
    if (mine->registration.lender == &giver->registration) {
        rt_clock_hand_back(me, &mine->registration);
    }
    rt_mobile_clock_release(me, mine);
}

void rt_mobile_clock_release(Process *me, void *object) {
    MobileRegistration *mine = object;
    MobileClock *clock = mobile_clock_of(&mine->registration);
    rt_clock_leave(me, &mine->registration);
    list_enter(me);
    list_remove(&mine->link);
    bool is_last = list_is_empty(&clock->registrations);
    list_leave(me);
    rt_mobile_release(me, mine);
    if (is_last) {
        rt_mobile_release(me, clock);
    }
}
