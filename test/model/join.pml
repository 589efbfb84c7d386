/* The join of a PAR on several workers: one counter (decision 0006).
 *
 * Holds: the parent goes on exactly once, after every branch has ended; nobody touches the Join (it lies in the
 * parent's frame, `gone` from when the parent goes on) after his own subtraction; the parent is not woken
 * before its context is saved. Two PARs in a row use the same frame.
 * NEGATIVE: the parent stores itself as the waiter after its subtraction. */
#ifndef BRANCHES
#define BRANCHES 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
short count; bool waiter; bool gone = 1; bool saved; bool ready;
byte ended;
chan start = [BRANCHES] of { byte };

active [BRANCHES] proctype branch()
{
    byte before; byte round;
    do
    :: start?round ->
        if :: round == 0 -> break :: else fi;
        atomic { ended++; }
        atomic { assert(!gone); before = count; count = count - 1 }
        if
        :: before == 1 ->
            assert(!gone);
            if :: waiter -> assert(saved && !ready); ready = 1 :: else fi
        :: else
        fi
    od
}

active proctype parent()
{
    byte round = 1; byte i; byte before;
    do
    :: round <= ROUNDS ->
        d_step { ended = 0; waiter = 0; count = BRANCHES + 1; gone = 0; }
        for (i : 1 .. BRANCHES) { start!round }
        saved = 1;
#ifdef NEGATIVE
        atomic { before = count; count = count - 1 }
        waiter = 1;
#else
        waiter = 1;
        atomic { before = count; count = count - 1 }
#endif
        if
        :: before == 1
        :: else -> ready; ready = 0
        fi;
        saved = 0;
        d_step { assert(ended == BRANCHES); gone = 1; }
        round++
    :: else -> break
    od;
    for (i : 1 .. BRANCHES) { start!0 }
}
