/* Time (runtime/channel/timer.c, alt.c, deadline_queue.c, scheduler.c): processes that wait for a deadline, alone or in an ALT with a
 * channel, on workers one of which runs a process that computes and never parks.
 *
 * The deadline queue is under the world lock; the alarm asks for attention, which the computing process gives at a loop's end; a worker
 * with nothing to run waits in the kernel until the first deadline. Who leaves the world having begun to wait sets the alarm, if it is not
 * set or set for later.
 * Holds: nobody wakes before his deadline; whoever waits wakes once, by the deadline or by the partner, never both; an ALT that has been
 * resumed is in the queue no more; all wake although the computing process never parks (no invalid end state).
 * NEGATIVE 1: who begins to wait leaves the alarm to others. 2: who has woken some leaves it to others, too. */
/* CONTROLS: 2 */
/* SIZES: -DN=3 -DROUNDS=2 */
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#ifndef N
#define N 3 /* process 0 waits for times alone, the others choose */
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef LAST
#define LAST 40
#endif
#ifndef BATCH
#define BATCH 1 /* that a look wakes */
#endif
#ifndef WORKERS
#define WORKERS 2
#endif

byte now;
byte alarm = 255; /* when it rings; 255: not set */
bool attention; bool world;
byte free_workers = WORKERS;
bool computes = 1;
byte ended; byte pairs;

#define NOT   255
byte due[N] = NOT;
#define CHOOSING 0
#define WAITING  1
#define WON      2
byte state[N]; bool by_time[N]; bool parked[N]; bool ready[N];
bool offered[N]; /* the partner waits in the channel */
bool met[N];

inline enter() { atomic { !world -> world = 1 } }

inline set_alarm()
{
    d_step {
        first = NOT; i = 0;
        do
        :: i < N -> if :: due[i] < first -> first = due[i] :: else -> skip fi; i++
        :: else -> break
        od;
        i = 0;
        if :: first < alarm -> alarm = first :: else -> skip fi;
        first = 0
    }
}

inline make_ready(p) { assert(parked[p] && !ready[p]); ready[p] = 1 }

/* wake_sleepers, under the lock: an ALT that somebody has won already is only taken out. The alarm is set for those that
 * are left. */
inline wake_due()
{
    d_step {
        i = 0; woken = 0;
        do
        :: i < N ->
            if
            :: due[i] <= now && woken < BATCH ->
                due[i] = NOT; woken++;
                if
                :: state[i] == WAITING -> state[i] = WON; by_time[i] = 1; make_ready(i)
                :: else -> skip
                fi
            :: else -> skip
            fi;
            i++
        :: else -> break
        od;
        i = 0; woken = 0
    }
}

/* the action after the switch: the context is saved, the worker is given up */
inline park(p)
{
    parked[p] = 1;
#if NEGATIVE != 1
    set_alarm();
#endif
    world = 0;
    free_workers++;
    atomic { ready[p] && free_workers > 0 -> ready[p] = 0; parked[p] = 0; free_workers-- }
}

proctype waiter(byte p)
{
    byte round; byte at; byte i; byte first;
    atomic { free_workers > 0 -> free_workers-- }
    do
    :: round == ROUNDS -> break
    :: else ->
        at = now + 1 + (p + round) % 2;
        enter();
        if
        :: p > 0 && offered[p] -> offered[p] = 0; met[p] = 1; world = 0 /* a partner is there: take it */
        :: else ->
            if
            :: now >= at -> world = 0
            :: else ->
                by_time[p] = 0;
                state[p] = WAITING;
                due[p] = at;
                park(p);
                enter();
                assert(state[p] == WON);
                assert(!by_time[p] || now >= at);
                if
                :: due[p] != NOT -> assert(!by_time[p]); due[p] = NOT /* withdrawn */
                :: else -> skip
                fi;
                state[p] = CHOOSING;
                world = 0
            fi
        fi;
        d_step { round++; at = 0 }
    od;
    atomic { assert(due[p] == NOT); ended++; free_workers++ }
}

/* the other end of each channel: comes once, at any time, or never */
proctype partner(byte p)
{
    if
    :: skip ->
        enter();
        if
        :: state[p] == WAITING -> state[p] = WON; make_ready(p); met[p] = 1
        :: else -> offered[p] = 1
        fi;
        world = 0
    :: skip
    fi
}

/* a process that never parks: it gives attention at the ends of its loops */
proctype computer()
{
    byte i; byte first; byte woken;
    do
    :: ended == N -> break
    :: attention ->
        attention = 0;
        enter();
        wake_due();
#if NEGATIVE != 2
        set_alarm();
#endif
        world = 0
    od;
    free_workers++
}

/* time, the alarm, and the worker that waits in the kernel for the first deadline */
active proctype kernel()
{
    byte i; byte first;
end:
    do
    :: atomic { now < alarm && alarm != 255 && now < LAST && ended < N -> now++ }
    :: atomic { now >= alarm && alarm != 255 -> alarm = 255; attention = 1 }
    :: ended == N -> break
    od
}

init {
    byte p;
    atomic {
        free_workers--;
        run computer();
        for (p : 0 .. N - 1) { run waiter(p); if :: p > 0 -> run partner(p) :: else fi }
    }
}
