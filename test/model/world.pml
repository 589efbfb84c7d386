/* The world lock, stopping, and the end of a program (runtime/core/world.h, error.c, interrupt.c, scheduler.c).
 *
 * Workers run processes that enter the world (device, deadline, ALT) and park inside; at attention they enter it too.
 * One reports an error, one may serve a signal. Holds: a report runs while nobody runs a process; the lock is
 * never held by a worker that runs or sleeps; a program that only reports goes on; one that ends is ended by one.
 * NEGATIVE: the reporter does not wait for the others. */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef STEPS
#define STEPS 4
#endif
/* SIZES: -DWORKERS=3 -DSTEPS=6 */
#define FREE 255
byte holder = FREE; byte waiting; bool attention[WORKERS]; bool runs[WORKERS]; bool asleep[WORKERS];
bool ended; bool pending_report = 1; byte reports;

inline enter(me)
{
    if
    :: atomic { holder == FREE -> holder = me }
    :: atomic { holder != FREE -> waiting++ };
end_waits:
        atomic { holder == FREE -> holder = me; waiting-- }
    fi
}

inline count_others(me, k, n)
{
    k = 0; n = 0;
    do
    :: k < WORKERS -> if :: k != me && !asleep[k] -> n++ :: else fi; k++
    :: else -> break
    od;
    k = 0
}

inline stop_others(me, k, n)
{
    do
    :: k = 0;
        do :: k < WORKERS -> attention[k] = 1; k++ :: else -> break od;
        count_others(me, k, n);
        if :: waiting >= n -> break :: else fi
    od;
    n = 0
}

inline nobody_runs(me)
{
    d_step {
        assert(holder == me);
        k = 0;
        do :: k < WORKERS -> assert(k == me || !runs[k]); k++ :: else -> break od;
        k = 0
    }
}

proctype worker(byte me)
{
    byte k; byte n; byte step;
    runs[me] = 1;
    do
    :: step < STEPS && !attention[me] ->                      /* a process runs */
        step++;
        if
        :: true
        :: runs[me] = 0; enter(me); holder = FREE; runs[me] = 1        /* parks inside, or leaves */
        :: me == 1 ->                                               /* an error */
            runs[me] = 0; enter(me);
#ifndef NEGATIVE
            stop_others(me, k, n);
#endif
            nobody_runs(me);
            assert(!ended);
            ended = 1;
            goto finished
        fi
    :: attention[me] ->                                       /* at the next scheduling point */
        runs[me] = 0; attention[me] = 0;
        enter(me);
        if
        :: pending_report ->
            pending_report = 0;
#ifndef NEGATIVE
            stop_others(me, k, n);
#endif
            nobody_runs(me);
            reports++
        :: else
        fi;
        holder = FREE;
        runs[me] = 1
    :: step == STEPS && !attention[me] -> runs[me] = 0; asleep[me] = 1; break
    od;
finished:
    skip
}

init {
    byte i;
    atomic { attention[0] = 1; for (i : 0 .. WORKERS - 1) { run worker(i); } }
}
