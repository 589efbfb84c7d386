/* Closing (runtime/channel/close.c, decision 0006): two processes hold the ends of a channel; either closes it, after any number of
 * messages, the other one waiting in whatever way: a plain operation that goes on when the channel closes (WHILE c ? x),
 * an ALT with the channel's guard and CLOSED, an ALT with CLOSED and a timeout. Both may watch at once.
 *
 * Holds: a message that was output before the close is received before the close is seen; whoever waits for the other is
 * woken; both come to an end. NEGATIVE: CLOSED is looked for before the lock is taken, and not again.
 *
 * SIZES: -DMESSAGES=60 */
#ifndef MESSAGES
#define MESSAGES 3
#endif

#define NONE   0
#define IN     1
#define OUT    2
#define ALTIN  3
#define ALTOUT 4
#define CLOSED 5
byte word;

#define OFF     0
#define WAITING 1
#define WON     2
/* by_close: who has won */
#define BY_PARTNER 0
#define BY_CLOSE   1
#define BY_TIMER   2
byte state[2]; byte by_close[2]; bool watches[2]; bool timed[2];
bool ready[2]; bool parked[2]; bool saw[2];
byte sent; byte received; bool finished[2];
bool world;

inline enter() { atomic { !world -> world = 1 } }
inline leave() { world = 0 }
inline wake(p) { assert(parked[p] && !ready[p]); ready[p] = 1 }
inline wait_ready() { atomic { ready[self] -> ready[self] = 0; parked[self] = 0 } }

/* Output (self 0) or input (self 1), which tells of a close in saw[self]. */
inline transfer(mine, theirs, alting)
{
    done = 0;
    do
    :: done -> break
    :: else ->
        w = word;
        if
        :: w == NONE ->
            parked[self] = 1;
            atomic { if :: word == NONE -> word = mine; done = 1 :: else -> skip fi }
            if :: done -> wait_ready() :: else -> parked[self] = 0 fi
        :: w == theirs ->
            d_step { word = NONE; received++; wake(1 - self) }
            done = 1
        :: w == alting ->
            enter();
            w = word;
            if
            :: w == alting ->
                parked[self] = 1;
                d_step {
                    if
                    :: state[1 - self] == WAITING -> state[1 - self] = WON; by_close[1 - self] = BY_PARTNER; wake(1 - self)
                    :: else -> skip
                    fi
                }
                atomic { assert(word == alting); word = mine }
                leave();
                done = 1;
                wait_ready()
            :: else -> leave()
            fi
        :: w == CLOSED -> saw[self] = 1; done = 1
        fi
    od
}

/* ALT: the channel's guard (when has_guard), and CLOSED. taken: the guard is chosen; else the channel has closed. */
inline choose(has_guard, mine, theirs, alting)
{
    taken = 0;
#ifdef NEGATIVE
    w = word;
    enter();
#else
    enter();
    w = word;
#endif
    if
    :: w == CLOSED -> skip
    :: w == theirs && has_guard -> taken = 1
    :: w == alting && has_guard && state[1 - self] == WAITING ->
        d_step { state[1 - self] = WON; by_close[1 - self] = BY_PARTNER; wake(1 - self) }
        taken = 1
    :: else ->
        state[self] = WAITING;
        watches[self] = 1; timed[self] = !has_guard;
        atomic {
            if
            :: !has_guard -> skip
            :: has_guard && word == theirs -> taken = 1
#ifdef NEGATIVE
            :: has_guard && word == CLOSED -> skip
#endif
            :: has_guard && word != theirs && word != CLOSED -> word = (self == 0 -> ALTOUT : ALTIN)
            fi
        }
        if
        :: taken -> state[self] = WON
        :: else ->
            parked[self] = 1; leave(); wait_ready(); enter();
            assert(state[self] == WON);
            taken = (by_close[self] == BY_PARTNER)
        fi;
        watches[self] = 0;
        if :: word == (self == 0 -> ALTOUT : ALTIN) -> word = NONE :: else -> skip fi
    fi;
    timed_out = (by_close[self] == BY_TIMER);
    d_step { state[self] = OFF; by_close[self] = 0; timed[self] = 0 }
    leave()
}

inline close()
{
    enter();
    atomic { w = word; word = CLOSED }
    if
    :: w == IN || w == OUT -> saw[1 - self] = 1; wake(1 - self)
    :: w == ALTIN || w == ALTOUT || w == NONE ->
        d_step {
            if
            :: (w != NONE || watches[1 - self]) && state[1 - self] == WAITING ->
                state[1 - self] = WON; by_close[1 - self] = BY_CLOSE; wake(1 - self)
            :: else -> skip
            fi
        }
    :: w == CLOSED -> skip
    fi;
    leave()
}

proctype end_of(byte self; byte mine; byte theirs; byte alting)
{
    byte w; bool done; bool taken; bool over; bool timed_out;
    do
    :: over -> break
    :: !over ->
        if
        :: close(); over = 1
        :: self == 1 || sent < MESSAGES ->
            if
            :: taken = 1
            :: choose(1, mine, theirs, alting)
            :: choose(0, mine, theirs, alting); assert(!taken)
            fi;
            if
            :: timed_out -> skip
            :: !timed_out && taken ->
                d_step { saw[self] = 0; if :: self == 0 -> sent++ :: else -> skip fi }
                transfer(mine, theirs, alting);
                if
                :: saw[self] ->
                    over = 1;
                    if :: self == 0 -> sent-- :: else -> skip fi
                :: else -> skip
                fi
            :: !timed_out && !taken -> assert(word == CLOSED); over = 1
            fi
        fi;
        d_step { w = 0; done = 0; taken = 0; timed_out = 0 }
    od;
    assert(!ready[self] && !parked[self]);
    finished[self] = 1;
    if :: finished[0] && finished[1] -> assert(sent == received) :: else -> skip fi
}

#define DUE(p) !world && timed[p] && state[p] == WAITING
inline expire(p) { state[p] = WON; by_close[p] = BY_TIMER; wake(p) }

active proctype deadlines()
{
end:
    do
    :: atomic { DUE(0) -> expire(0) }
    :: atomic { DUE(1) -> expire(1) }
    od
}

init {
    atomic { run end_of(0, OUT, IN, ALTIN); run end_of(1, IN, OUT, ALTOUT); }
}
