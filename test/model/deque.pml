/* Batches: the work-stealing deque (runtime/core/deque.h) under sequential consistency, and what moves with it.
 *
 * The owner pushes batches and takes at the bottom; thieves steal at the top. Holds: every batch comes out exactly
 * once; none is lost; the ring never overwrites what has not come out.
 * NEGATIVE: the owner takes the last entry without the compare and swap. */
#ifndef BATCHES
#define BATCHES 5
#endif
#ifndef ENTRIES
#define ENTRIES 2
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
/* SIZES: -DBATCHES=6 */
byte entry[ENTRIES]; byte top = 1; byte bottom = 1;      /* from 1, so that bottom - 1 is a byte */
byte out[BATCHES + 1]; bool owner_done; byte ended;

inline come_out(b) { atomic { out[b]++; assert(out[b] == 1) } }

active proctype owner()
{
    byte next = 1; byte b; byte t; byte v; bool won;
    do
    :: next <= BATCHES ->
        b = bottom; t = top;
        if
        :: b - t < ENTRIES -> entry[b % ENTRIES] = next; bottom = b + 1; next++
        :: else -> come_out(next); next++                   /* full: kept */
        fi
    :: true ->
        b = bottom - 1; bottom = b;
        t = top;
        if
        :: t > b ->
            bottom = b + 1;
            if :: next > BATCHES -> break :: else fi
        :: t <= b ->
            v = entry[b % ENTRIES];
            if
            :: t == b ->
#ifdef NEGATIVE
                top = t + 1; won = 1;
#else
                atomic { won = (top == t); if :: won -> top = t + 1 :: else fi }
#endif
                bottom = b + 1
            :: else -> won = 1
            fi;
            if :: won -> come_out(v) :: else fi; won = 0
        fi
    od;
    owner_done = 1; ended++
}

active [THIEVES] proctype thief()
{
    byte t; byte b; byte v; bool won;
    do
    :: t = top; b = bottom;
        if
        :: t >= b -> if :: owner_done && t >= bottom -> break :: else fi
        :: t < b ->
            v = entry[t % ENTRIES];
            atomic { won = (top == t); if :: won -> top = t + 1 :: else fi }
            if :: won -> come_out(v) :: else fi; won = 0
        fi
    od;
    ended++
}

init {
    byte i;
    ended == THIEVES + 1;
    for (i : 1 .. BATCHES) { assert(out[i] == 1); }
}
