/* Who sleeps, who searches, who is alone (decision 0006; runtime/core/activity.c, thread.c, sharing.c).
 *
 * Each worker has a private queue (mine) and a stealable one (deque), both counts of processes. A process that
 * runs may make others ready (SPAWNS in all) and ends. Worker 0 begins solo with the root.
 * Holds: every process runs (no invalid end state: at the end all are asleep or solo-idle and nothing is ready);
 * at most one worker searches; while one is solo no other is awake; solo operations are never done by two.
 * NEGATIVE: the last worker falls asleep like the others: what comes from outside finds nobody. */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef SPAWNS
#define SPAWNS 4
#endif
/* SIZES: -DWORKERS=3 -DSPAWNS=5 */

bool asleep[WORKERS]; bool searching; bool solo;       /* the activity word: changed in one step */
byte token[WORKERS];
byte mine[WORKERS]; byte deque[WORKERS];
byte inbox;
byte spawned; byte ended;                                /* of SPAWNS + 1 processes */
byte awake = 1;
byte posts = 1;                                          /* one process comes from outside */

inline wake_one(k)
{
    /* push, fence, then one CAS on the word */
    atomic {
        k = 0;
        if
        :: searching || solo
        :: else ->
            do
            :: k == WORKERS -> break
            :: k < WORKERS && asleep[k] -> asleep[k] = 0; searching = 1; awake++; break
            :: else -> k++
            od;
            if :: k < WORKERS -> assert(token[k] == 0); token[k] = 1 :: else fi
        fi
    }
    k = 0
}

/* any deque or the inbox, one look at a time */
inline anything(found, k)
{
    found = (inbox > 0); k = 0;
    do
    :: k < WORKERS && !found -> found = (deque[k] > 0); k++
    :: else -> break
    od;
    k = 0
}

proctype worker(byte me; bool is_solo)
{
    byte k; bool searcher; bool found; bool got;
    if :: me != 0 -> goto sleeping :: else fi;
running:
    do
    :: mine[me] > 0 ->
        mine[me]--;
        assert(solo == is_solo || !is_solo);
        if
        :: atomic { spawned < SPAWNS -> spawned++ } mine[me]++            /* it makes another ready, goes on */
           mine[me]++
        :: atomic { spawned < SPAWNS -> spawned++ } mine[me]++            /* it makes another ready, ends */
           atomic { ended++ }
        :: atomic { spawned == SPAWNS -> ended++ }
        fi;
        if
        :: is_solo && mine[me] > 1 ->                                     /* leave solo at a scheduling point */
            is_solo = 0; atomic { assert(solo); solo = 0 }
        :: is_solo
        :: !is_solo
        fi;
        if
        :: !is_solo && mine[me] > 1 ->                                    /* split, wake */
            mine[me]--; deque[me]++; wake_one(k)
        :: !is_solo && inbox > 0 ->                                       /* attention */
            atomic { mine[me] = mine[me] + inbox; inbox = 0 }
        :: !is_solo && mine[me] <= 1 ->                                   /* alone: enter solo */
            atomic {
                if
                :: awake == 1 && !searching -> solo = 1; is_solo = 1
                :: else
                fi
            }
        :: true
        fi
    :: mine[me] == 0 ->
        atomic { if :: deque[me] > 0 -> deque[me]--; mine[me]++; got = 1 :: else -> got = 0 fi }
        if :: !got -> break :: else fi
    od;
    if :: is_solo -> goto idle :: else fi;
search:
    if
    :: !searcher -> atomic { if :: !searching -> searching = 1; searcher = 1 :: else fi }
    :: searcher
    fi;
    if
    :: searcher ->
        assert(searching);
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
            anything(found, k);
            if :: found -> wake_one(k) :: else fi;
            goto running
        :: else
        fi
    :: else
    fi;
    atomic {
        if
#ifndef NEGATIVE
        :: awake == 1 ->                                                 /* the last: solo */
            if :: searcher -> searching = 0; searcher = 0 :: else fi;
            assert(!searching); solo = 1; is_solo = 1; goto idle
#endif
        :: else ->
            asleep[me] = 1; awake--;
            if :: searcher -> searching = 0; searcher = 0 :: else fi
        fi
    }
    anything(found, k);
    if
    :: found ->
        atomic {
            if
            :: asleep[me] && !searching && !solo -> asleep[me] = 0; awake++; searching = 1; searcher = 1; goto search
            :: else
            fi
        }
    :: else
    fi;
sleeping:
end_sleep:
    token[me] == 1;
    atomic { token[me] = 0; assert(!asleep[me] && searching); searcher = 1; is_solo = 0 }
    goto search;
idle:
    assert(solo && is_solo);
end_idle:
    if
    :: inbox > 0 -> atomic { mine[me] = inbox; inbox = 0 } goto running
    fi
}

/* A thread that is no worker makes one process ready. Active workers are asked for attention, the idle one is rung. */
active proctype outside()
{
    spawned >= 1;
    inbox++
}

init {
    byte i;
    atomic {
        ended = 0;
        for (i : 0 .. WORKERS - 1) { asleep[i] = (i != 0); }
        solo = 1; mine[0] = 1;
        for (i : 0 .. WORKERS - 1) { run worker(i, i == 0); }
    }
    /* everything ends: the root, what was made ready, the one from outside */

    ended == SPAWNS + 2;
    assert(inbox == 0);
    for (i : 0 .. WORKERS - 1) { assert(mine[i] == 0 && deque[i] == 0); }
}
