/* NEXT of two clocks as one guard of an ALT (runtime/clock/clock.c, alt.c): the guard is in the list of one clock at a time.
 *
 * Holds: the ALT goes on, made ready exactly once, by the guard only when the phases of both clocks have ended. Whoever
 * ends a phase changes the word without the world lock, and looks at the list after that; when he finds the guard, and
 * the other phase runs still, he moves it to the list of that clock: there he looks at the word once more, as the ALT
 * does itself when it enters a list.
 * NEGATIVE=1: whoever moves the guard does not look at the other word again. NEGATIVE=2: he makes the ALT ready
 * without a look at the other clock. NEGATIVE=3: the look at the list comes before the change of the word. */
/* CONTROLS: 3 */
/* SIZES: -DPHASES=3 */
#ifndef PHASES
#define PHASES 2
#endif
#define NONE 2
byte P[2];                    /* phases of the clocks */
bool arrived[2];              /* the ALT has resumed in the phase that runs */
byte phase;                   /* that it waits for the end of */
byte list = NONE;             /* the clock in whose list the guard is */
bool world;                   /* the lock */
byte state;                   /* 0 choosing 1 waiting 2 won */
bool by_clock, ready;
bool offered, registered;     /* a partner in the channel of the ALT; the ALT waits there */

inline enter() { atomic { !world; world = 1 } }
inline leave() { world = 0 }

/* waits = false: both have ended. Under the lock. */
inline watch(waits, looks_again)
{
    waits = false;
    for (i : 0 .. 1) {
        if
        :: !waits && P[i] == phase ->
            list = i;
            if
            :: looks_again && P[i] != phase -> list = NONE
            :: else -> waits = true
            fi
        :: else
        fi
    }
}

/* Who ends the phases of a clock: the others on it, of which the last is he. */
proctype mover(byte k)
{
    byte i; bool waits; bool found; byte n;
    for (n : 1 .. PHASES) {
        atomic { arrived[k]; arrived[k] = false }
#if NEGATIVE == 3
        found = (list == k);
        P[k]++;
#else
        P[k]++;
        found = (list == k);
#endif
        if
        :: found ->
            enter();
            if
            :: list == k && P[k] != phase && state == 1 ->
                list = NONE;
#if NEGATIVE == 1
                watch(waits, false);
#elif NEGATIVE == 2
                waits = false;
#else
                watch(waits, true);
#endif
                if
                :: !waits -> assert(!ready); state = 2; by_clock = true; ready = true
                :: else
                fi
            :: else
            fi;
            leave()
        :: else
        fi
    }
}

proctype partner()
{
    byte n;
    for (n : 1 .. 2) {
        enter();
        if
        :: registered && state == 1 -> assert(!ready); state = 2; ready = true
        :: else -> offered = true
        fi;
        leave()
    }
}

proctype alt()
{
    byte i; bool waits; bool crossed;
    do
    :: phase < PHASES ->
        arrived[0] = true; arrived[1] = true;
        crossed = false;
        do
        :: crossed -> break
        :: else ->
            enter();
            state = 0; by_clock = false;
            if
            :: P[0] != phase && P[1] != phase -> by_clock = true; state = 2
            :: else ->
                if
                :: offered -> offered = false; state = 2
                :: else ->
                    state = 1; registered = true;
                    watch(waits, true);
                    if
                    :: !waits -> state = 2; by_clock = true; registered = false
                    :: else
                    fi
                fi
            fi;
            waits = (state == 1);
            leave();
            if
            :: waits -> atomic { ready; ready = false }; enter(); list = NONE; registered = false; leave()
            :: else
            fi;
            assert(state == 2);
            if
            :: by_clock -> assert(P[0] != phase && P[1] != phase); crossed = true
            :: else
            fi
        od;
        phase++
    :: else -> break
    od
}

init { atomic { run alt(); run mover(0); run mover(1); run partner() } }
