/* SEMAPHORE on several workers, also claimed until a time (runtime/sync/semaphore.c, decision 0017): two locks, two that may wake.
 *
 * A claim and a release change the record under its own lock; who waits until a time is in the deadline queue as well, which is
 * under the world lock, taken first. A release finds one that waits without a time first: it hands the permit on. It
 * finds one that waits until a time: it leaves, enters the world, then the record, and looks again. Who has waited until a
 * time takes himself out of both, under both locks.
 * Holds: as many hold a permit as there are fewer; who waits is made ready once, by a release or by his time; who is told that
 * his time came has no permit; nothing of a waiter is touched after he has been resumed (`live`); at the end nobody waits.
 * NEGATIVE 1: who was resumed asks whether he is still in the queue, not who has won. 2: a release hands a permit to one that waits
 * until a time without entering the world. 3: it does not look again once it has entered it. */
/* CONTROLS: 3 */
/* SIZES: -DROUNDS=3 */
#ifndef USERS
#define USERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#define PERMITS 1
#define NOBODY  USERS

byte value = PERMITS; byte inside;
bool world; bool lock;
byte queue[USERS]; byte queued;      /* SyncWaiters, oldest first */
bool is_timed[USERS];                /* waiter->alt */
bool in_queue[USERS];                /* waiter->process is not NULL */
bool due[USERS];                     /* in the deadline queue */
byte state[USERS]; bool by_time[USERS]; /* the ALT: 1 waiting, 2 won */
bool live[USERS]; bool ready[USERS]; bool saved[USERS];

inline enter_world() { atomic { !world -> world = 1 } }
inline enter() { atomic { !lock -> lock = 1 } }

inline make_ready(p) { atomic { assert(live[p] && saved[p] && !ready[p]); ready[p] = 1 } }
inline wait_ready() { atomic { ready[me] -> ready[me] = 0; saved[me] = 0 } }

/* rt_alt_claim: a look and a store, under the world lock */
inline win(p)
{
    won = (state[p] == 1);
    if :: won -> state[p] = 2 :: else fi
}

inline take_first()
{
    atomic {
        first = queue[0];
        i = 1;
        do
        :: i < queued -> queue[i - 1] = queue[i]; i++
        :: else -> break
        od;
        queued--; queue[queued] = 0; i = 0
    }
}

inline claim()
{
    enter();
    if
    :: value > 0 -> value--; lock = 0
    :: else ->
        atomic { saved[me] = 1; live[me] = 1; is_timed[me] = 0; in_queue[me] = 1; queue[queued] = me; queued++ }
        lock = 0;
        wait_ready();
        live[me] = 0
    fi;
    got = 1
}

inline claim_until()
{
    enter_world();
    enter();
    if
    :: value > 0 -> value--; lock = 0; world = 0; got = 1
    :: else ->
        atomic { saved[me] = 1; live[me] = 1; is_timed[me] = 1; in_queue[me] = 1; state[me] = 1; by_time[me] = 0 }
        atomic { queue[queued] = me; queued++ }
        lock = 0;
        due[me] = 1;
        world = 0;                     /* the action after the switch */
        wait_ready();
        enter_world();                 /* rt_semaphore_withdraw */
        assert(state[me] == 2);
#if NEGATIVE == 1
        got = !in_queue[me];
#else
        got = !by_time[me];
#endif
        enter();
        if
        :: in_queue[me] ->
            atomic {
                i = 0;
                do
                :: queue[i] != me -> i++; assert(i < queued)
                :: else -> break
                od;
                do
                :: i + 1 < queued -> queue[i] = queue[i + 1]; i++
                :: else -> break
                od;
                queued--; queue[queued] = 0; i = 0; in_queue[me] = 0
            }
        :: else
        fi;
        lock = 0;
        due[me] = 0;
        live[me] = 0;
        world = 0
    fi
}

/* hand_on; again: the first waits until a time, and the world is not mine */
inline hand_on(is_in_world)
{
    again = 0;
    do
    :: queued == 0 -> value++; break
    :: queued > 0 && is_timed[queue[0]] && !is_in_world -> again = 1; break
    :: else ->
        take_first();
        in_queue[first] = 0;
        if
        :: is_timed[first] -> win(first); if :: won -> make_ready(first); break :: else fi
        :: else -> make_ready(first); break
        fi
    od;
    atomic { first = 0; won = 0 }
}

inline release()
{
#if NEGATIVE == 2
    enter(); hand_on(1); lock = 0
#else
    enter(); hand_on(0); lock = 0;
    if
    :: again ->
        enter_world(); enter();
#if NEGATIVE == 3
        if :: queued > 0 -> hand_on(1) :: else fi; /* he has gone: nobody is given the permit */
#else
        hand_on(1);
#endif
        lock = 0; world = 0
    :: else
    fi
#endif
}

proctype user(byte me)
{
    byte round; byte i; byte first; bool got; bool won; bool again;
    for (round : 1 .. ROUNDS) {
        got = 0;
        if
        :: claim()
        :: claim_until()
        :: enter(); if :: value > 0 -> value--; got = 1 :: else fi; lock = 0 /* try */
        fi;
        if
        :: got ->
            atomic { inside++; assert(inside <= PERMITS) }
            inside--;
            release()
        :: else
        fi
    }
}

/* Whoever serves the deadlines. */
active proctype deadlines()
{
    byte p; bool won;
end:
    do
    :: atomic { !world && (due[0] || due[1] || due[2]) -> world = 1 }
        if
        :: p = 0
        :: p = 1
        :: p = 2
        fi;
        if
        :: due[p] ->
            due[p] = 0;
            win(p);
            if :: won -> by_time[p] = 1; make_ready(p) :: else fi
        :: else
        fi;
        atomic { p = 0; won = 0 }
        world = 0
    od
}

init {
    byte n;
    atomic { for (n : 0 .. USERS - 1) { run user(n) } }
    (_nr_pr == 2);
    assert(value == PERMITS && queued == 0 && inside == 0)
}
