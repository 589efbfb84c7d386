/* CONDITION with a MUTEX, and a SEMAPHORE, on several workers: hand-off (decision 0017, runtime/sync/condition.c,
 * semaphore.c). Consumers wait for an item inside of CLAIM; producers put one and signal. The line of the
 * MUTEX (claim.pml) and the queue of the condition are lists, each changed in one step under its lock.
 *
 * Holds: never two holders; a process is woken once, and only when its context is saved; a signal goes to one
 * that waits when it is given; nobody waits while there is an item and nobody is on the way to it; in the end all
 * is consumed and nobody waits. The semaphore counts: permits and those that hold one are constant.
 * NEGATIVE: wait leaves the MUTEX first and queues afterwards: the signal between is lost. */
/* SIZES: -DCONSUMERS=3 -DPRODUCERS=3 */
#ifndef CONSUMERS
#define CONSUMERS 2
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#define USERS (CONSUMERS + PRODUCERS)
#define NOBODY 99

byte holder = NOBODY;
byte line[USERS]; byte lined;           /* of the MUTEX, oldest first */
byte queue[USERS]; byte queued;         /* of the CONDITION */
bool saved[USERS]; bool ready[USERS];
byte items; byte consumed;
byte permits = 1; byte inside;          /* the SEMAPHORE */
byte waits[USERS]; byte waiting;

inline wake(who) {
    assert(saved[who] && !ready[who]);
    ready[who] = 1
}

/* lines up, or holds at once */
inline line_up(who, got) {
    d_step {
        if
        :: holder == NOBODY -> holder = who; got = 1
        :: else -> line[lined] = who; lined++; got = 0
        fi
    }
}

/* the first of a list of at most six */
#define TAKE_FIRST(list, length, who) \
    who = list[0]; \
    i = 1; \
    do \
    :: i < length -> list[i - 1] = list[i]; i++ \
    :: else -> break \
    od; \
    length--; \
    list[length] = 0; \
    i = 0

inline hand_on() {
    d_step {
        if
        :: lined == 0 -> holder = NOBODY; next = NOBODY
        :: else -> TAKE_FIRST(line, lined, next); holder = next
        fi
    }
    if
    :: next != NOBODY -> wake(next); next = 0
    :: else -> next = 0
    fi
}

inline park() {
    ready[me];
    d_step { ready[me] = 0; saved[me] = 0 }
}

inline claim() {
    saved[me] = 1;
    line_up(me, got);
    if :: got -> saved[me] = 0 :: else -> park() fi;
    got = 0;
    assert(holder == me)
}

inline wait_condition() {
    saved[me] = 1;
#ifdef NEGATIVE
    hand_on();
    d_step { queue[queued] = me; queued++ }
#else
    d_step { queue[queued] = me; queued++ }
    hand_on();
#endif
    park();
    assert(holder == me)
}

/* from the queue of the condition into the line of the MUTEX */
inline signal() {
    d_step {
        if
        :: queued == 0 -> who = NOBODY
        :: else -> TAKE_FIRST(queue, queued, who)
        fi
    }
    if
    :: who != NOBODY ->
        line_up(who, got);
        if :: got -> wake(who) :: else fi;
        got = 0
    :: else
    fi;
    who = 0
}

inline claim_semaphore() {
    saved[me] = 1;
    d_step {
        if
        :: permits > 0 -> permits--; got = 1
        :: else -> waits[waiting] = me; waiting++; got = 0
        fi
    }
    if :: got -> saved[me] = 0 :: else -> park() fi;
    got = 0;
    inside++;
    assert(inside == 1)
}

inline release_semaphore() {
    inside--;
    d_step {
        if
        :: waiting == 0 -> permits++; who = NOBODY
        :: else -> TAKE_FIRST(waits, waiting, who)
        fi
    }
    if :: who != NOBODY -> wake(who) :: else fi;
    who = 0
}

proctype consumer(byte me)
{
    byte i; byte next; byte who; bool got;
    claim();
    do
    :: items == 0 -> wait_condition()
    :: else -> break
    od;
    items--;
    consumed++;
    hand_on();
    claim_semaphore();
    release_semaphore()
}

proctype producer(byte me)
{
    byte i; byte next; byte who; bool got;
    claim();
    items++;
    signal();
    hand_on();
    claim_semaphore();
    release_semaphore()
}

init {
    byte n;
    atomic {
        for (n : 0 .. CONSUMERS - 1) { run consumer(n) }
        for (n : CONSUMERS .. USERS - 1) { run producer(n) }
    }
    (_nr_pr == 1);
    assert(holder == NOBODY && lined == 0 && queued == 0 && waiting == 0);
    assert(items == 0 && consumed == CONSUMERS && permits == 1)
}
