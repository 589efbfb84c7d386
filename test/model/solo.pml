/* Solo on and off (decision 0006; runtime/core/activity.c, solo.c): while one worker is active it uses plain operations.
 *
 * `plain` of a worker is its mode without MODE_SHARED: what compiled code tests. Whoever runs a process changes x: in two steps
 * when plain, in one otherwise. A worker becomes solo in three ways: as the last to fall asleep; at a scheduling point, when it
 * finds nothing else ready and nobody else active (LONELY_PARKS, review); and so does who stays when the others retire:
 * a worker that retires gives what it has to the inbox and sleeps without looking again. It leaves solo at a scheduling
 * point (sample), and sleepers that look once more may get up from then on. A thread that is no worker posts.
 * Holds: no change of x is lost; while one is plain nobody else is active; every process runs to its end, retiring or
 * not; at the end nobody is active but one who is solo, or all work is done and all sleep.
 * (That nobody searches follows from nobody else being active; activity_enter_solo asks for it all the same.)
 * NEGATIVE 1: who wants to be solo looks whether it is alone and says so in two steps. 2: a sleeper gets up though
 * somebody is solo. 3: a worker that retires sleeps without giving its work away. */
/* CONTROLS: 3 */
/* SIZES: -DWORKERS=3 -DSTEPS=4 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef STEPS
#define STEPS 2 /* the processes go on, or make others ready, so often */
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif

bool asleep[WORKERS]; bool searching; bool solo; /* the activity word */
bool plain[WORKERS];
byte token[WORKERS];
byte mine[WORKERS]; byte deque[WORKERS]; byte inbox;
byte x; byte changes;                            /* changes: a ghost */
byte steps; byte alive = 2;                      /* processes: the root, and the one that is posted */

inline others_sleep()
{
    atomic {
        k = 0;
        do
        :: k < WORKERS && (k == me || asleep[k]) -> k++
        :: else -> break
        od;
        alone = (k == WORKERS); k = 0
    }
}

inline wake_one()
{
    atomic {
        k = 0;
        if
        :: searching || solo
        :: else ->
            do
            :: k == WORKERS -> break
            :: k < WORKERS && asleep[k] -> asleep[k] = 0; searching = 1; assert(token[k] == 0); token[k] = 1; break
            :: else -> k++
            od
        fi;
        k = 0
    }
}

inline anything()
{
    found = (inbox > 0); k = 0;
    do
    :: k < WORKERS && !found -> found = (deque[k] > 0); k++
    :: else -> break
    od;
    k = 0
}

/* activity_enter_solo, become_solo */
inline enter_solo()
{
    atomic {
        others_sleep();
        alone = alone && !searching;
#if NEGATIVE != 1
        if :: alone -> assert(!solo); solo = 1 :: else fi
#endif
    }
    if
    :: alone ->
#if NEGATIVE == 1
        solo = 1;
#endif
        plain[me] = 1;
        atomic { mine[me] = mine[me] + deque[me]; deque[me] = 0 }
    :: else
    fi;
    alone = 0
}

inline leave_solo()
{
    plain[me] = 0;
    solo = 0
}

/* A process runs: it changes x; then it ends, goes on, or goes on and has made another ready. */
inline run_process()
{
    mine[me]--;
    if
    :: plain[me] ->
        atomic {
            k = 0;
            do :: k < WORKERS -> assert(k == me || asleep[k]); k++ :: else -> break od;
            k = 0;
            t = x
        }
        atomic { x = t + 1; changes++; t = 0 }
    :: else -> atomic { x++; changes++ }
    fi;
    if
    :: atomic { steps < STEPS -> steps++; mine[me]++ }
    :: atomic { steps < STEPS -> steps++; mine[me] = mine[me] + 2; alive++ }
    :: atomic { alive--; assert(x == changes) }
    fi
}

proctype worker(byte me)
{
    byte k; byte t; bool searcher; bool found; bool alone; bool retires;
    if :: me != 0 -> goto sleeping :: else fi;
running:
    do
    :: mine[me] > 0 ->
        if
        :: plain[me] && mine[me] > 1 ->
            leave_solo();
            atomic { if :: mine[me] > 1 -> mine[me]--; deque[me]++ :: else fi }
            if :: deque[me] > 0 -> wake_one() :: else fi
        :: plain[me]
        :: !plain[me] && mine[me] > 1 && deque[me] == 0 && !searching ->
            atomic { mine[me]--; deque[me]++ }
            wake_one()
        :: !plain[me] && mine[me] == 1 -> enter_solo()
        :: !plain[me] && me != 0 ->              /* review: others stay, I retire (any but the lowest) */
            atomic {
                k = 0;
                do
                :: k < me && asleep[k] -> k++
                :: else -> break
                od;
                retires = (k < me); k = 0        /* somebody lower was active when it looked */
            }
            if
            :: retires ->
#if NEGATIVE != 3
                do
                :: atomic { deque[me] > 0 -> deque[me]--; mine[me]++ }
                :: else -> break
                od;
                do
                :: mine[me] > 0 -> mine[me]--; inbox++
                :: else -> break
                od;
#endif
                goto search
            :: else
            fi
        :: !plain[me]
        fi;
        if
        :: inbox > 0 -> atomic { mine[me] = mine[me] + inbox; inbox = 0 }   /* attention */
        :: true
        fi;
        run_process()
    :: mine[me] == 0 ->
        atomic { if :: deque[me] > 0 -> deque[me]--; mine[me]++ :: else fi }
        if :: mine[me] == 0 -> break :: else fi
    od;
    if :: plain[me] -> goto idle :: else fi;
search:
    if
    :: !searcher && !retires -> atomic { if :: !searching -> searching = 1; searcher = 1 :: else fi }
    :: else
    fi;
    if
    :: searcher ->
        atomic { mine[me] = inbox; inbox = 0 }
        k = 0;
        do
        :: k < WORKERS && mine[me] == 0 ->
            atomic { if :: deque[k] > 0 -> deque[k]--; mine[me]++ :: else fi }
            k++
        :: else -> break
        od;
        k = 0;
        if
        :: mine[me] > 0 ->
            searcher = 0; searching = 0;
            anything();
            if :: found -> wake_one() :: else fi;
            found = 0;
            goto running
        :: else
        fi
    :: else
    fi;
    atomic {
        others_sleep();
        if
        :: alone ->
            if :: searcher -> searching = 0; searcher = 0 :: else fi;
            assert(!searching && !solo); solo = 1
        :: else ->
            asleep[me] = 1;
            if :: searcher -> searching = 0; searcher = 0 :: else fi
        fi
    }
    if
    :: alone ->
        alone = 0; retires = 0; plain[me] = 1;
        atomic { mine[me] = mine[me] + deque[me]; deque[me] = 0 }
        goto running
    :: else
    fi;
    if
    :: retires -> retires = 0
    :: else ->
        anything();
        if
        :: found ->
            found = 0;
            atomic {
                if
#if NEGATIVE == 2
                :: asleep[me] && !searching -> asleep[me] = 0; searching = 1; searcher = 1
#else
                :: asleep[me] && !searching && !solo -> asleep[me] = 0; searching = 1; searcher = 1
#endif
                :: else
                fi
            }
            if :: searcher -> goto search :: else fi
        :: else
        fi
    fi;
sleeping:
end_sleep:
    token[me] == 1;
    atomic { token[me] = 0; assert(!asleep[me] && searching && !plain[me]); searcher = 1 }
    goto search;
idle:
    assert(solo);
end_idle:
    if
    :: inbox > 0 -> atomic { mine[me] = inbox; inbox = 0 } goto running
    fi
}

active proctype outside() { inbox++ }

init {
    byte i;
    atomic {
        for (i : 0 .. WORKERS - 1) { asleep[i] = (i != 0); }
        solo = 1; plain[0] = 1; mine[0] = 1;
        for (i : 0 .. WORKERS - 1) { run worker(i); }
    }
    alive == 0;
    assert(inbox == 0 && x == changes);
    for (i : 0 .. WORKERS - 1) { assert(mine[i] == 0 && deque[i] == 0); }
}
