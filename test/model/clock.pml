/* CLOCK on several workers: one word, two take-all stacks (runtime/clock.c).
 *
 * Holds: nobody crosses into the next phase before every member has arrived; everybody who waits is woken
 * exactly once (a second wake, or none, ends the run as an error); members may leave active or resumed.
 * A process that has pushed itself may run on another worker while the one it left still takes the stack:
 * so every taking is an agent of its own here, and may be arbitrarily late.
 * NEGATIVE: a late taker wakes whatever it finds, without looking whose phase has ended. */
/* SIZES: -DN=2 -DPHASES=4 */
#ifndef N
#define N 2
#endif
#ifndef PHASES
#define PHASES 3
#endif
byte R = N, U = N, P;           /* registered, unarrived, phase */
byte stack[2];                  /* bit i: process i waits */
byte awaited[N];                /* the phase whose end it waits for */
bool ready[N];
bool member[N]; bool arrived[N]; byte phase_of[N]; /* ghosts */
chan take = [16] of { byte };

#define ARRIVED_IN(i, p) (!member[i] || phase_of[i] > p || (phase_of[i] == p && arrived[i]))

inline cross(i)
{
    atomic {
        for (k : 0 .. N - 1) { assert(ARRIVED_IN(k, phase_of[i])) }
        phase_of[i]++; arrived[i] = 0
    }
}

/* One step: the word changes by compare and swap, so whoever succeeds has seen it unchanged. */
inline arrive(leaving)
{
    atomic {
        if
        :: U == 1 && R - leaving > 0 -> R = R - leaving; U = R; take!P; P++
        :: else -> R = R - leaving; U--
        fi
    }
}

proctype taker()
{
    byte phase; byte found; byte i; byte its;
endtaker:
    do
    :: take?phase ->
        d_step { found = stack[phase & 1]; stack[phase & 1] = 0 }
        i = 0;
        do
        :: i < N && (found & (1 << i)) ->
#ifdef NEGATIVE
            atomic { assert(!ready[i]); ready[i] = 1 }
#else
            if
            :: awaited[i] == phase -> atomic { assert(!ready[i] && P != phase); ready[i] = 1 }
            :: else -> /* from the push on it may be woken by others, and wait for something else */
                atomic { its = awaited[i]; stack[its & 1] = stack[its & 1] | (1 << i) }
                if :: P != its -> take!its :: else fi;
                its = 0
            fi
#endif
            ; i++
        :: i < N && !(found & (1 << i)) -> i++
        :: i == N -> break
        od
    od
}

proctype process(byte i)
{
    byte k; bool resumed;
    do
    :: phase_of[i] < PHASES && !resumed -> /* RESUME */
        arrived[i] = 1; resumed = 1; arrive(0)
    :: phase_of[i] < PHASES && !resumed -> /* NEXT */
        arrived[i] = 1;
        atomic { awaited[i] = phase_of[i]; stack[phase_of[i] & 1] = stack[phase_of[i] & 1] | (1 << i) }
        arrive(0);
        atomic { ready[i]; ready[i] = 0 }
        cross(i)
    :: phase_of[i] < PHASES && resumed -> /* NEXT after RESUME */
        resumed = 0;
        if
        :: P != phase_of[i] -> skip
        :: else ->
            atomic { awaited[i] = phase_of[i]; stack[phase_of[i] & 1] = stack[phase_of[i] & 1] | (1 << i) }
            if :: P != phase_of[i] -> take!phase_of[i] :: else fi; /* the worker's own copy of the phase */
            atomic { ready[i]; ready[i] = 0 }
        fi;
        cross(i)
    :: else -> break
    :: true -> break
    od;
    atomic { /* DROP, or the end of a branch */
        member[i] = 0;
        if
        :: resumed && P == phase_of[i] -> R--
        :: else -> if :: U == 1 && R > 1 -> R--; U = R; take!P; P++ :: else -> R--; U-- fi
        fi
    }
}

init
{
    byte i;
    atomic {
        for (i : 0 .. N - 1) { member[i] = 1 }
        run taker(); run taker();
        for (i : 0 .. N - 1) { run process(i) }
    }
}
