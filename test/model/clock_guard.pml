/* NEXT as the guard of an ALT (runtime/clock/clock.c, alt.c): a list of watchers beside the word of the clock.
 *
 * Holds: an ALT that waits for the end of a phase, or for a partner, goes on; it is made ready exactly once, and
 * takes a guard that is ready. The word moves without the world lock; whoever moves it looks at the list after that,
 * the ALT looks at the word after it has entered the list. In the next phase a second ALT may watch already: it is
 * not woken by the end of the first one's.
 * NEGATIVE: the ALT looks at the word before it enters the list only. */
/* SIZES: -DPHASES=3 */
#ifndef PHASES
#define PHASES 2
#endif
#define ALTS 2
#define NOBODY 255
byte P;                       /* the phase of the clock */
bool world;                   /* the lock */
bool watches[ALTS];           /* in the list */
byte phase_of[ALTS];
byte state[ALTS];             /* 0 choosing 1 waiting 2 won */
bool by_clock[ALTS]; bool ready[ALTS];
bool offered[ALTS];           /* a partner waits in the channel of the ALT */
bool registered[ALTS];        /* the ALT waits in its channel */
byte arrived;                 /* ALTs that have resumed for the phase that runs */

inline enter() { atomic { !world; world = 1 } }
inline leave() { world = 0 }

/* Who ends a phase: the last to resume. */
inline move()
{
    P++;
    if
    :: watches[0] || watches[1] ->
        enter();
        for (k : 0 .. ALTS - 1) {
            if
            :: watches[k] && phase_of[k] != P && state[k] == 1 ->
                assert(!ready[k]); state[k] = 2; by_clock[k] = 1; ready[k] = 1
            :: else
            fi
        }
        leave()
    :: else
    fi
}

inline resume()
{
    atomic { arrived++; last = (arrived == ALTS); if :: last -> arrived = 0 :: else fi }
    if :: last -> move() :: else fi
}

proctype alt(byte i)
{
    byte k; bool last; bool crossed;
    do
    :: phase_of[i] < PHASES ->
        resume();
        crossed = 0;
        do
        :: crossed -> break
        :: else ->
            enter();
            state[i] = 0; by_clock[i] = 0;
            if
            :: P != phase_of[i] -> by_clock[i] = 1; state[i] = 2
            :: offered[i] -> offered[i] = 0; state[i] = 2
            :: else -> state[i] = 1; registered[i] = 1
            fi;
            if
            :: state[i] == 1 ->
                watches[i] = 1;
#ifndef NEGATIVE
                if
                :: P != phase_of[i] -> state[i] = 2; by_clock[i] = 1; watches[i] = 0; registered[i] = 0
                :: else
                fi;
#endif
                last = (state[i] == 1);
                leave();
                if
                :: last -> atomic { ready[i]; ready[i] = 0 }; enter(); watches[i] = 0; registered[i] = 0; leave()
                :: else
                fi
            :: else -> leave()
            fi;
            assert(state[i] == 2);
            if
            :: by_clock[i] -> assert(P != phase_of[i]); crossed = 1
            :: else
            fi
        od;
        phase_of[i]++
    :: else -> break
    od
}

/* The partner of one ALT comes now and then: it claims a waiting ALT, or waits until the ALT looks. */
proctype partner(byte i)
{
    byte n;
    for (n : 1 .. 2) {
        enter();
        if
        :: registered[i] && state[i] == 1 -> assert(!ready[i]); state[i] = 2; ready[i] = 1
        :: else -> offered[i] = 1
        fi;
        leave()
    }
}

init { atomic { run alt(0); run alt(1); run partner(0) } }
