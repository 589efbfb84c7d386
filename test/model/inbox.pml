/* Threads that are no workers make processes ready: the inbox, attention, and the idle worker's bell
 * (runtime/scheduler/sharing.c sharing_post, runtime/scheduler/scheduler.c poll_devices).
 *
 * Holds: everything posted is taken, in order for each poster; the solo worker never waits in the kernel for ever
 * with something in the inbox; while calls are outside there is no deadlock report.
 * NEGATIVE: the end of the last call does not ring: the worker waits for ever and never reports the deadlock. */
#ifndef POSTERS
#define POSTERS 2
#endif
#ifndef POSTS
#define POSTS 3
#endif
/* SIZES: -DPOSTERS=2 -DPOSTS=4 */
#define CAPACITY 16
byte stack[CAPACITY]; byte depth;            /* the linked list, newest last */
bool is_idle; bool bell; byte outside = POSTERS; bool attention;
byte taken[POSTERS]; byte count;

proctype poster(byte me)
{
    byte n;
    for (n : 1 .. POSTS) {
        atomic { stack[depth] = me * 16 + n; depth++ }       /* compare and swap */
        attention = 1;
        if :: is_idle -> bell = 1 :: else fi
    }
    outside--;                                                /* the call has ended: it was in the inbox first */
#ifndef NEGATIVE
    if :: outside == 0 -> bell = 1 :: else fi
#endif
}

inline take_all(i)
{
    atomic {
        i = 0;
        do
        :: i < depth ->
            assert(taken[stack[i] / 16] + 1 == stack[i] % 16);
            taken[stack[i] / 16]++; count++; i++
        :: else -> break
        od;
        depth = 0; i = 0
    }
}

active proctype solo_worker()
{
    byte i; bool nothing;
    do
    :: attention -> attention = 0; take_all(i)               /* a process ran and parked */
    :: true ->
        is_idle = 1;
        nothing = (depth == 0);
        if
        :: nothing && outside == 0 && depth == 0 -> break         /* nothing can come: deadlock, or the end */
        :: nothing && outside > 0 -> bell; bell = 0             /* poll for ever */
        :: else
        fi;
        is_idle = 0;
        take_all(i)
    od;
    assert(count == POSTERS * POSTS)
}

init { byte p; atomic { for (p : 0 .. POSTERS - 1) { run poster(p); } } }
