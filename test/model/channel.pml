/* A channel of plain ends on several workers: one CAS per communication (decision 0006).
 *
 * Every process may run on any worker at any time, so a process is modelled as a thread that must never
 * run twice at once: `running` counts those that execute it. The partner's wake-up is the token `ready`.
 * Holds: every message arrives once, in order; nobody touches a process after publishing it; no message is
 * lost (no invalid end state). A process that parks saves its context (saved) before it publishes.
 * NEGATIVE: the context is saved after publication. */
#ifndef CHANNELS
#define CHANNELS 2
#endif
#ifndef MESSAGES
#define MESSAGES 3
#endif
#define NONE 255
#define IN(p)  (p)
#define OUT(p) (16 + (p))

byte word[CHANNELS];            /* NONE, IN (process) or OUT (process) */
bool saved[CHANNELS * 2];
bool ready[CHANNELS * 2];
byte data[CHANNELS * 2];        /* the message that lies with, or has come to, the process */

inline park(me, c, tagged)
{
#ifdef NEGATIVE
    atomic { if :: word[c] == NONE -> word[c] = tagged; met = 0 :: else -> met = 1 fi }
    if :: !met -> saved[me] = 1 :: else fi;
#else
    saved[me] = 1;
    atomic { if :: word[c] == NONE -> word[c] = tagged; met = 0 :: else -> met = 1 fi }
    if :: met -> saved[me] = 0 :: else fi;
#endif
}

/* make ready: the partner's context is entered by another worker at once */
inline wake(partner)
{
    assert(!ready[partner]);
    assert(saved[partner]);
    ready[partner] = 1;
}

proctype writer(byte c; byte me)
{
    byte n = 1; bool met; byte partner;
    do
    :: n <= MESSAGES ->
        data[me] = n;
        met = 0;
        if
        :: word[c] == NONE -> park(me, c, OUT(me))
        :: word[c] != NONE -> met = 1
        fi;
        if
        :: met ->
            assert(word[c] < 16);
            partner = word[c];
            data[partner] = n;
            word[c] = NONE;
            wake(partner)
        :: else ->
            ready[me]; d_step { ready[me] = 0; saved[me] = 0 }
        fi;
        n++
    :: else -> break
    od
}

proctype reader(byte c; byte me)
{
    byte n = 1; bool met; byte partner;
    do
    :: n <= MESSAGES ->
        met = 0;
        data[me] = 0;
        if
        :: word[c] == NONE -> park(me, c, IN(me))
        :: word[c] != NONE -> met = 1
        fi;
        if
        :: met ->
            assert(word[c] >= 16 && word[c] != NONE);
            partner = word[c] - 16;
            data[me] = data[partner];
            word[c] = NONE;
            wake(partner)
        :: else ->
            ready[me]; d_step { ready[me] = 0; saved[me] = 0 }
        fi;
        assert(data[me] == n);
        n++
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. CHANNELS - 1) { word[i] = NONE; }
        for (i : 0 .. CHANNELS - 1) { run writer(i, 2 * i); run reader(i, 2 * i + 1); }
    }
}
