/* NEXT with a block: who runs it (runtime/clock/clock.c, rt_clock_elect; then rt_clock_next of the one elected).
 *
 * N members; each phase ends by a plain NEXT or by a NEXT with a block, the same for all (CK rules). Who comes and is
 * not the only one missing pushes himself, then either finds that he is the last after all, and takes himself off
 * the stack again, or arrives. The stack is the linked list it is in the code: `top`, and `below` of each process.
 * Holds: the block of a phase runs exactly once, after everybody has come to that NEXT and before anybody is beyond
 * it; while it runs nobody else touches the stack; everybody who waits is made ready exactly once, by the end of his own
 * phase, and only with his context saved; nobody waits for ever (no invalid end state).
 * NEGATIVE: who has pushed himself arrives without looking whether he is the last. */
/* SIZES: -DN=4 -DPHASES=3 */
#ifndef N
#define N 3
#endif
#ifndef PHASES
#define PHASES 4
#endif
#define NOBODY N
#define HAS_BLOCK(p) ((kinds >> (p)) & 1)

byte kinds;                     /* which phases end with a block: chosen at the beginning */
byte U = N, P;                  /* unarrived, phase */
byte top[2]; bit turn[2];
byte below[N];                  /* Process.next */
bool ready[N]; bool saved[N];
byte phase_of[N];
bool has_come[N];               /* ghosts: come to the NEXT of his phase; */
byte blocks[PHASES];            /* how often the block of a phase has begun */
bool in_block;

#define TURN(p) (((p) >> 1) & 1)

/* As push: the CAS succeeds only with the top that was read. */
inline push()
{
    do
    :: seen = top[phase_of[me] & 1];
        assert(turn[phase_of[me] & 1] == TURN(phase_of[me]));
        below[me] = seen;
        atomic {
            if
            :: top[phase_of[me] & 1] == seen -> assert(!in_block); top[phase_of[me] & 1] = me; at = NOBODY + 1
            :: else
            fi
        }
        if :: at == NOBODY + 1 -> at = 0; break :: else fi
    od;
    seen = 0
}

/* The last has arrived: the stack of the phase p is taken and turned. */
inline wake_all(p)
{
    atomic { at = top[(p) & 1]; top[(p) & 1] = NOBODY; turn[(p) & 1] = TURN((p) + 2) }
    do
    :: at == NOBODY -> break
    :: else ->
        seen = below[at];
        atomic { assert(saved[at] && !ready[at] && phase_of[at] == (p) && P == (p) + 1); ready[at] = 1 }
        at = seen
    od;
    atomic { at = 0; seen = 0 }
}

inline cross()
{
    atomic {
        at = 0;
        do
        :: at < N -> assert(phase_of[at] > phase_of[me] || (phase_of[at] == phase_of[me] && has_come[at])); at++
        :: else -> break
        od;
        at = 0;
        assert(!HAS_BLOCK(phase_of[me]) || blocks[phase_of[me]] == 1);
        assert(!in_block);
        phase_of[me]++; has_come[me] = 0
    }
}

inline wait_ready() { atomic { ready[me] -> ready[me] = 0; saved[me] = 0 } }

/* NEXT: the short way of the last, or push and arrive. */
inline next()
{
    u = U;
    if
    :: u == 1 ->
        atomic { if :: U == 1 -> U = N; P++ :: else -> u = 0 fi }
        if :: u == 1 -> wake_all(phase_of[me]) :: else fi
    :: else
    fi;
    if
    :: u == 1
    :: else ->
        saved[me] = 1;
        push();
        atomic { if :: U == 1 -> u = 1; U = N; P++ :: else -> u = 0; U-- fi }
        if :: u == 1 -> wake_all(phase_of[me]) :: else fi;
        wait_ready()
    fi;
    u = 0
}

/* I am the only one who has not arrived. */
inline unlink()
{
    at = top[phase_of[me] & 1];
    if
    :: at == me -> top[phase_of[me] & 1] = below[me]
    :: else ->
        do
        :: assert(at != NOBODY);
            if
            :: below[at] == me -> break
            :: else -> at = below[at]
            fi
        od;
        below[at] = below[me]
    fi;
    at = 0
}

inline elect()
{
    u = U;
    elected = (u == 1);
    if
    :: elected
    :: else ->
        saved[me] = 1;
        push();
        do
#ifndef NEGATIVE
        :: u == 1 -> elected = 1; break
        :: u != 1 ->
#else
        ::
#endif
            atomic { if :: U == u -> U = u - 1; seen = 1 :: else -> u = U fi }
            if :: seen == 1 -> seen = 0; break :: else fi
        od;
        if
        :: elected -> unlink(); saved[me] = 0
        :: else -> wait_ready()
        fi
    fi;
    u = 0
}

inline run_block()
{
    atomic {
        at = 0;
        do
        :: at < N -> assert(phase_of[at] == phase_of[me] && has_come[at]); at++
        :: else -> break
        od;
        at = 0;
        assert(!in_block); in_block = 1; blocks[phase_of[me]]++; assert(blocks[phase_of[me]] == 1)
    }
    skip;
    in_block = 0
}

proctype member(byte me)
{
    byte u; byte seen; byte at; bool elected;
    do
    :: phase_of[me] < PHASES ->
        has_come[me] = 1;
        elected = 1;
        if
        :: HAS_BLOCK(phase_of[me]) ->
            elect();
            if :: elected -> run_block() :: else fi
        :: else
        fi;
        if :: elected -> next() :: else fi; /* the elected one is the last: he ends the phase */
        elected = 0;
        cross()
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        kinds = 13; /* with, without, with, with */
        top[0] = NOBODY; top[1] = NOBODY; turn[0] = TURN(0); turn[1] = TURN(1);
        for (i : 0 .. N - 1) { run member(i) }
    }
}
