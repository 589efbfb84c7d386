/* lookout -- when to look. See lookout.h. */
#include "lookout.h"

#include "deadlock.h"
#include "os.h"
#include "setting.h"
#include "standstill.h"
#include "stress.h"

#define MS              INT64_C(1000000)
#define PAUSE_FIRST_NS  (10 * MS)
#define PAUSE_LAST_NS   (1000 * MS)
#define STAND_WITHIN_NS (2 * MS)

static struct {
    int64_t began_ns;
    int64_t due_ns;   /* of the next look; INT64_MAX: a worker is looking */
    int64_t pause_ns; /* before the look after the next */
    int64_t each_ns;  /* OCC_WATCH; 0: not set */
    bool is_off;
    bool is_stale; /* processes have run since the last look */
} lookout;

enum { COST_SHARE = RT_STRESS_ATTENTION ? 3 : 100 }; /* a look may take 1/COST_SHARE of the time */

void lookout_begin(void) {
    uint64_t each_ms = setting_number("OCC_WATCH");
    lookout.is_off = (setting_is_there("OCC_WATCH") && each_ms == 0) || setting_is_explored();
    lookout.each_ns = (int64_t)each_ms * MS;
    lookout.pause_ns = PAUSE_FIRST_NS;
    lookout.is_stale = true;
    lookout.began_ns = os_clock_ns();
    lookout.due_ns = lookout.began_ns + PAUSE_FIRST_NS;
}

/* Turn -- of the worker that looks: when it began, and its processor time then. */
typedef struct Turn {
    int64_t began_ns, busy_ns;
} Turn;

/* The cost of the first look is not known yet: with many processes, not much below a nanosecond for
 * each byte of their blocks. */
static int64_t worth_while_ns(void) {
    bool is_asked = lookout.each_ns != 0 || RT_STRESS_ATTENTION;
    size_t bytes = is_asked ? 0 : block_store_bytes(&rt_root.blocks);
    return lookout.began_ns + COST_SHARE * (int64_t)bytes;
}

/* One worker at a time takes the turn when it is due. */
static bool take_turn(Turn *turn) {
    turn->began_ns = lookout.is_off ? 0 : os_clock_ns();
    int64_t due_ns = atomic_get_acquire(&lookout.due_ns);
    if (lookout.is_off || turn->began_ns < due_ns ||
        !atomic_cas(&lookout.due_ns, &due_ns, INT64_MAX)) {
        return false;
    }
    int64_t first_ns = worth_while_ns();
    if (turn->began_ns < first_ns) {
        atomic_set_release(&lookout.due_ns, first_ns);
        return false;
    }
    turn->busy_ns = os_thread_cpu_ns();
    return true;
}

/* What the look has cost: its processor time, or how long the others stood. Time in which the
 * machine ran something else does not count. */
static int64_t cost_ns(const Worker *worker, const Turn *turn, int64_t now_ns) {
    int64_t busy_ns = os_thread_cpu_ns() - turn->busy_ns;
    int64_t stood_ns = now_ns - turn->began_ns;
    stood_ns = stood_ns < STAND_WITHIN_NS ? stood_ns : STAND_WITHIN_NS;
    return worker_is_solo(worker) || busy_ns > stood_ns ? busy_ns : stood_ns;
}

typedef enum Outcome { FAILED, SAW_NONE, TOLD } Outcome; /* failed: not all workers stood */

/* A report is made once; all other looks are repeated and must be cheap. */
static void put_off(const Worker *worker, const Turn *turn, Outcome outcome) {
    int64_t now_ns = os_clock_ns();
    int64_t pause_ns = lookout.each_ns != 0 ? lookout.each_ns : lookout.pause_ns;
    int64_t rest_ns = COST_SHARE * cost_ns(worker, turn, now_ns);
    bool rests =
        RT_STRESS_ATTENTION || (outcome != TOLD && lookout.each_ns == 0 && rest_ns > pause_ns);
    int64_t next_ns = (outcome == FAILED ? 1 : 2) * lookout.pause_ns;
    lookout.pause_ns = next_ns < PAUSE_LAST_NS ? next_ns : PAUSE_LAST_NS;
    atomic_set_release(&lookout.due_ns, now_ns + (rests ? rest_ns : pause_ns));
}

void lookout_attend(Worker *worker) {
    Turn turn;
    if (!take_turn(&turn)) {
        return;
    }
    Outcome outcome = FAILED;
    if (standstill_begin_soon(worker, STAND_WITHIN_NS)) {
        outcome = rt_dead_report() ? TOLD : SAW_NONE;
        standstill_end(worker);
    }
    put_off(worker, &turn, outcome);
}

void lookout_idle(Worker *worker) {
    Turn turn;
    if (lookout.is_stale && take_turn(&turn)) {
        Outcome outcome = rt_dead_report() ? TOLD : SAW_NONE;
        lookout.is_stale = false;
        put_off(worker, &turn, outcome);
    }
}

int64_t lookout_bound(int64_t timeout_ns) {
    if (lookout.is_off || !lookout.is_stale) {
        return timeout_ns;
    }
    int64_t left_ns = atomic_get_acquire(&lookout.due_ns) - os_clock_ns();
    left_ns = left_ns < 0 ? 0 : left_ns;
    return timeout_ns < 0 || left_ns < timeout_ns ? left_ns : timeout_ns;
}

void lookout_note(const Worker *worker) {
    lookout.is_stale = lookout.is_stale || worker->head != NULL;
}
