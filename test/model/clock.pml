/* CLOCK on several workers: one word, two take-all stacks with a turn each (runtime/clock/clock.c).
 *
 * Holds: nobody crosses into the next phase before every member has arrived; everybody who waits is woken
 * exactly once (a second wake, or none, ends the run as an error); members may enrol others while they are
 * active, and leave active or resumed; whoever waits on a stack is woken by the end of its own phase.
 * The worker of a process that has pushed itself does nothing more with the clock. Whoever ends a phase takes
 * the stack as a member still: also when he is about to leave.
 * RESIGNS of those that have left may join again once (the end of a RESIGN).
 * NEGATIVE 1: who leaves as the last ends the phase and leaves in one step, and takes the stack after that. 2: who has seen that he is
 * the last arrives without looking again, and takes it that the phase has ended. */
/* CONTROLS: 2 */
/* SIZES: -DRESIGNS=3 */
#ifndef N
#define N 3
#endif
#ifndef PHASES
#define PHASES 3
#endif
#ifndef FIRST
#define FIRST 2                 /* members at the beginning; the others are enrolled by them */
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#ifndef RESIGNS
#define RESIGNS 1
#endif
byte R = FIRST, U = FIRST, P;   /* registered, unarrived, phase */
byte stack[2];                  /* bit i: process i waits */
bit turn[2];                    /* of the stack: which phases of its parity it is for */
bool ready[N];
bool started[N]; bool member[N]; bool arrived[N]; byte phase_of[N]; /* ghosts, but for phase_of */

#define ARRIVED_IN(i, p) (!member[i] || phase_of[i] > p || (phase_of[i] == p && arrived[i]))
#define TURN(p) (((p) >> 1) & 1)

inline cross(i)
{
    atomic {
        for (k : 0 .. N - 1) { assert(ARRIVED_IN(k, phase_of[i])) }
        phase_of[i]++; arrived[i] = 0
    }
}

/* The phase p has ended. */
inline wake_all(p)
{
    atomic { found = stack[p & 1]; stack[p & 1] = 0; turn[p & 1] = TURN(p + 2) }
    d_step {
        for (k : 0 .. N - 1) {
            if
            :: found & (1 << k) -> assert(!ready[k] && phase_of[k] == p); ready[k] = 1
            :: else
            fi
        }
        found = 0
    }
}

/* The word changes by compare and swap, so whoever succeeds has seen it unchanged. */
inline arrive()
{
    atomic {
        if
        :: U == 1 -> ended = P; moves = 1; U = R; P++
        :: else -> U--
        fi
    }
    if :: moves -> wake_all(ended); moves = 0 :: else fi
}

inline push(i)
{
    atomic {
        if
        :: turn[phase_of[i] & 1] == TURN(phase_of[i]) ->
            stack[phase_of[i] & 1] = stack[phase_of[i] & 1] | (1 << i); pushed = 1
        :: else -> pushed = 0
        fi
    }
}

proctype process(byte i)
{
    byte k; byte found; byte ended; bool moves; bool pushed; bool resumed; bool gone; bool again;
begin:
    do
    :: phase_of[i] < PHASES && !resumed -> /* RESUME */
        arrived[i] = 1; resumed = 1; arrive()
    :: phase_of[i] < PHASES && !resumed -> /* NEXT */
        arrived[i] = 1;
        push(i); assert(pushed);
        arrive();
        atomic { ready[i]; ready[i] = 0 }
        cross(i)
    :: phase_of[i] < PHASES && resumed -> /* NEXT after RESUME */
        resumed = 0; pushed = 0;
        if
        :: P != phase_of[i] -> skip
        :: P == phase_of[i] -> push(i) /* the phase may end in between */
        fi;
        if :: pushed -> atomic { ready[i]; ready[i] = 0 } :: else fi;
        cross(i)
    :: !resumed && !started[N - 1] -> /* enrol another */
        atomic {
            if
            :: !started[N - 1] ->
                k = N - 1; do :: k > 0 && !started[k - 1] -> k-- :: else -> break od;
                started[k] = 1; member[k] = 1; phase_of[k] = phase_of[i]; R++; U++;
                run process(k)
            :: else
            fi
        }
    :: else -> break
    :: true -> break
    od;
    do /* DROP, or the end of a branch */
    :: gone -> break
    :: !gone ->
#if NEGATIVE == 1
        atomic {
            member[i] = 0; gone = 1;
            if
            :: resumed && P == phase_of[i] -> R--
            :: else ->
                R--;
                if :: U == 1 && R > 0 -> ended = P; moves = 1; U = R; P++ :: else -> U-- fi
            fi
        }
        if :: moves -> wake_all(ended); moves = 0 :: else fi
#elif NEGATIVE == 2
        if
        :: atomic { U == 1 && R > 1 && !(resumed && P == phase_of[i]) -> skip }
            arrived[i] = 1; arrive();
            atomic { resumed = 0; arrived[i] = 0; phase_of[i] = P }
        :: atomic { resumed && P == phase_of[i] -> R--; member[i] = 0; gone = 1 }
        :: atomic { !(resumed && P == phase_of[i]) && (U != 1 || R == 1) -> R--; U--; member[i] = 0; gone = 1 }
        fi
#else
        atomic {
            if
            :: resumed && P == phase_of[i] -> R--; member[i] = 0; gone = 1
            :: else ->
                if
                :: U == 1 && R > 1 -> ended = P; moves = 1; resumed = 0; arrived[i] = 0; phase_of[i] = P + 1; U = R; P++
                :: else -> R--; U--; member[i] = 0; gone = 1
                fi
            fi
        }
        if :: moves -> wake_all(ended); moves = 0 :: else fi
#endif
    od;
    if
    :: !again && i < RESIGNS -> /* the end of a RESIGN */
        atomic { again = 1; gone = 0; resumed = 0; arrived[i] = 0; R++; U++; phase_of[i] = P; member[i] = 1 }
        goto begin
    :: true
    fi
}

init
{
    byte i;
    atomic {
        for (i : 0 .. FIRST - 1) { started[i] = 1; member[i] = 1; run process(i) }
    }
}
