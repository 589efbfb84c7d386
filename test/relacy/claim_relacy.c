/* claim_relacy -- runtime/channel/claim.c under the memory model of C11: one process at a time
 * holds the claim, sees what the one before did, and nobody who lines up is forgotten. Each process
 * has a worker of its own; making one ready is as a run queue does it. */
/* CONTROLS: swap */
#include "claim.h"
#include "worker.h"

enum { PROCESSES = 3, ROUNDS = 2, INSIDE_SLOT = 0 };

static struct {
    Claim claim;
    Process processes[PROCESSES];
    Worker workers[PROCESSES];
    uint32_t is_ready[PROCESSES];
} play;

static const Site site = {.kind = WAIT_CLAIM};

#define rt_scheduler_ready test_ready
#define rt_scheduler_next  test_next
#include "../../runtime/channel/claim.c"

#include <stdlib.h>
#include <string.h>

_Noreturn void rt_bug(const char *file, int line, const char *what) {
    (void)file, (void)line;
    relacy_expect(false, what);
    abort();
}

_Noreturn void rt_fail(Process *me, ErrorKind kind, const Site *at, int64_t a, int64_t b,
                       int64_t c) {
    (void)me, (void)kind, (void)at, (void)a, (void)b, (void)c;
    rt_bug(__FILE__, __LINE__, "no error of the program");
}

void rt_scheduler_ready(Worker *worker, Process *process) {
    (void)worker;
    atomic_set_release(&play.is_ready[process - play.processes], 1u);
}

/* Nothing is explored here (runtime/explore). */
Process *gate_park(Process *me, const GateKind *kind, const GateOp *what) {
    (void)kind, (void)what;
    return me;
}

void gate_add(Process *process, const GateKind *kind, const GateOp *what) {
    (void)process, (void)kind, (void)what;
}

void gate_event(const GateEvent *event) {
    (void)event;
}

void gate_note_release(const Process *holder, const void *lock) {
    (void)holder, (void)lock;
}

bool gate_use_object(const GateOp *op, uint32_t number, GateUse *use) {
    (void)op, (void)number, (void)use;
    return false;
}

Process *rt_scheduler_next(Worker *worker) {
    (void)worker;
    return NULL; /* parked */
}

static void thread(unsigned number) {
    Process *me = &play.processes[number];
    for (int i = 0; i < ROUNDS; i++) {
        if (rt_claim(me, &play.claim, &site) == NULL) {
            while (atomic_get_acquire(&play.is_ready[number]) == 0) {
                relacy_wait();
            }
            atomic_set_relaxed(&play.is_ready[number], 0u);
        }
        relacy_write(INSIDE_SLOT, relacy_read(INSIDE_SLOT) + 1);
        rt_claim_release(me, &play.claim);
    }
}

static void before(void) {
    memset(&play, 0, sizeof play);
    relacy_word(&play.claim.word, sizeof play.claim.word);
    relacy_word(&play.claim.holder, sizeof play.claim.holder);
    for (int i = 0; i < PROCESSES; i++) {
        relacy_word(&play.is_ready[i], sizeof play.is_ready[i]);
        play.processes[i].worker = &play.workers[i];
        relacy_word(&play.workers[i].mode, sizeof play.workers[i].mode);
    }
}

static void after(void) {
    relacy_check(relacy_read(INSIDE_SLOT) == PROCESSES * ROUNDS);
    relacy_check(atomic_get_seq(&play.claim.word) == 0);
}

const RelacyTest relacy_test = {"claim", before, thread, after};
