/* Choice on both ends (runtime/channel/alt.c, channel.c, decision 0006): a ring of processes, each of which inputs MESSAGES
 * from the left and outputs as many to the right, in any mixture of plain operations and ALTs with one or both guards,
 * with and without a timer guard. Any end so meets a plain end or an alting one, ALT meets ALT in a cycle, and any
 * process may run on any worker at any time.
 *
 * Plain ends publish by CAS without the lock, and an ALT takes a plain partner who waits without it; everything that reads
 * or writes an ALT record is under it. One step of the model is one access to a channel's word.
 * Holds: every message arrives once, in order; a process that is resumed was parked, and once; a record is not touched
 * after its ALT has ended; nobody waits for ever while a partner waits (no invalid end state), with any number of
 * workers, one included. NEGATIVE=1: an ALT registers by a plain store after it has looked. 2: without the lock an ALT
 * takes not only a plain partner but an ALT too.
 *
 * SIZES: -DTIMEOUTS=4
 * CONTROLS: 2 */
#ifndef N
#define N 3
#endif
#ifndef MESSAGES
#define MESSAGES 1
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 1
#endif

/* a channel's word: channel i leads from process i to process i + 1 */
#define NONE   0
#define IN     1
#define OUT    2
#define ALTIN  3
#define ALTOUT 4
byte word[N];

#define OFF      0 /* no ALT, or one that has not registered */
#define WAITING  1
#define WON      2
#define TIMER    N /* winner: the timer */
byte state[N]; byte winner[N]; bool timed[N]; bool live[N];
bool ready[N]; bool parked[N];
byte data[N];
byte timeouts;
bool world;

#define LEFT(p)  ((p + N - 1) % N)
#define RIGHT(p) ((p + 1) % N)

inline enter() { atomic { !world -> world = 1 } }
inline leave() { world = 0 }

inline wake(p) { assert(parked[p] && !ready[p]); ready[p] = 1 }
inline wait_ready(me) { atomic { ready[me] -> ready[me] = 0; parked[me] = 0 } }

/* the partner's ALT, under the lock: won by c? */
inline claim(p, c, won)
{
    d_step {
        assert(live[p]);
        if
        :: state[p] == WAITING -> state[p] = WON; winner[p] = c; won = 1; wake(p)
        :: else -> won = 0
        fi
    }
}

/* a plain operation on channel c: own tag, partner's, and those of ALTs */
inline transfer(me, partner, c, mine, theirs, alting, is_output)
{
    done = 0;
    do
    :: done -> break
    :: else ->
        w = word[c];
        if
        :: w == NONE ->
            parked[me] = 1;
            atomic { if :: word[c] == NONE -> word[c] = mine; done = 1 :: else -> skip fi }
            if :: done -> wait_ready(me) :: else -> parked[me] = 0 fi
        :: w == theirs ->
            if :: is_output -> data[partner] = data[me] :: else -> data[me] = data[partner] fi;
            word[c] = NONE;
            wake(partner);
            done = 1
        :: w == alting ->
            enter();
            w = word[c];
            if
            :: w == alting ->
                parked[me] = 1;
                claim(partner, c, ok);
                atomic { assert(word[c] == alting); word[c] = mine }
                leave();
                done = 1;
                wait_ready(me)
            :: else -> leave()
            fi
        fi
    od
}

/* look at one guard, under the lock; chosen is c when it is taken */
inline look(p, c, theirs, alting)
{
    w = word[c];
    if
    :: w == theirs -> chosen = c
    :: w == alting -> claim(p, c, ok); if :: ok -> word[c] = NONE; chosen = c :: else -> skip fi
    :: else -> skip
    fi
}

inline enrol(c, mine, theirs)
{
#if NEGATIVE == 1
    w = word[c];
    if :: w == theirs -> chosen = c :: else -> word[c] = mine fi
#else
    atomic {
        if
        :: word[c] == NONE -> word[c] = mine
        :: word[c] == theirs -> chosen = c
        :: else -> word[c] = mine /* stale: that ALT has been won and will leave the word alone */
        fi
    }
#endif
}

inline withdraw(c, mine)
{
    if :: word[c] == mine -> word[c] = NONE :: else -> skip fi
}

/* a plain partner who waits, seen without the lock: nobody else can end that */
inline look_for_plain(has_in, has_out)
{
    if
#if NEGATIVE == 2
    :: has_in -> look(LEFT(self), LEFT(self), OUT, ALTOUT)
#endif
    :: has_in -> if :: word[LEFT(self)] == OUT -> chosen = LEFT(self) :: else -> skip fi
    :: has_out -> if :: word[self] == IN -> chosen = self :: else -> skip fi
    fi
}

/* an ALT over the guards that are on; chosen: a channel, or TIMER */
inline choose_in_world(has_in, has_out, has_timer)
{
    live[self] = 1;
    enter();
    if /* from a random one on */
    :: has_in -> look(LEFT(self), LEFT(self), OUT, ALTOUT);
        if :: has_out && chosen == 255 -> look(RIGHT(self), self, IN, ALTIN) :: else fi
    :: has_out -> look(RIGHT(self), self, IN, ALTIN);
        if :: has_in && chosen == 255 -> look(LEFT(self), LEFT(self), OUT, ALTOUT) :: else fi
    fi;
    if
    :: chosen == 255 ->
        state[self] = WAITING; timed[self] = has_timer;
        if :: has_in -> enrol(LEFT(self), ALTIN, OUT) :: else fi;
        if :: has_out && chosen == 255 -> enrol(self, ALTOUT, IN) :: else fi;
        if
        :: chosen != 255 -> state[self] = WON
        :: else -> parked[self] = 1; leave(); wait_ready(self); enter(); assert(state[self] == WON); chosen = winner[self]
        fi;
        if :: has_in -> withdraw(LEFT(self), ALTIN) :: else fi;
        if :: has_out -> withdraw(self, ALTOUT) :: else fi
    :: else -> skip
    fi;
    state[self] = OFF; timed[self] = 0; live[self] = 0;
    leave()
}

inline choose(has_in, has_out, has_timer)
{
    chosen = 255;
    look_for_plain(has_in, has_out);
    if
    :: chosen == 255 -> choose_in_world(has_in, has_out, has_timer)
    :: else -> skip
    fi
}

proctype process(byte self)
{
    byte received = 0; byte sent = 0; byte w; byte chosen; bool ok; bool done; bool timer;
    do
    :: received == MESSAGES && sent == MESSAGES -> break
    :: else ->
        if
        :: received < MESSAGES && sent < MESSAGES -> if :: timer = 0 :: timer = 1 fi; choose(1, 1, timer)
        :: received < MESSAGES && sent == MESSAGES ->
            if :: chosen = LEFT(self) :: choose(1, 0, 0) :: choose(1, 0, 1) fi
        :: received == MESSAGES && sent < MESSAGES ->
            if :: chosen = self :: choose(0, 1, 0) :: choose(0, 1, 1) fi
        fi;
        if
        :: chosen == LEFT(self) ->
            data[self] = 255;
            transfer(self, LEFT(self), LEFT(self), IN, OUT, ALTOUT, 0);
            assert(data[self] == received);
            received++
        :: chosen == self ->
            data[self] = sent;
            transfer(self, RIGHT(self), self, OUT, IN, ALTIN, 1);
            sent++
        :: chosen == TIMER -> skip
        fi;
        d_step { w = 0; chosen = 0; ok = 0; done = 0; timer = 0; winner[self] = 0; data[self] = 0 }
    od;
    assert(!ready[self] && !parked[self])
}

/* a deadline is reached: one step under the lock; the timer wins only what nobody has won */
#define DUE(p) timeouts < TIMEOUTS && !world && timed[p] && state[p] == WAITING
inline expire(p) { state[p] = WON; winner[p] = TIMER; timeouts++; wake(p) }

active proctype deadlines()
{
end:
    do
    :: atomic { DUE(0) -> expire(0) }
    :: atomic { DUE(1) -> expire(1) }
#if N > 2
    :: atomic { DUE(2) -> expire(2) }
#endif
    od
}

init {
    byte i;
    atomic { for (i : 0 .. N - 1) { run process(i); } }
}
