/* The lock of a shared end on several workers: a word that is a stack of those that wait, and the
 * holder's private line (decision 0013, runtime/channel/claim.c).
 *
 * Holds: never two holders; who lines up is woken exactly once, and only once its context is saved;
 * the end is handed on in the order of arrival; in the end it is free and nobody waits.
 * NEGATIVE: the releaser frees the end with a plain store, and loses who came meanwhile. */
#ifndef USERS
#define USERS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#define HELD 100
#define NOBODY 99

/* 0: free; HELD + NOBODY: held, nobody waits; HELD + n: held, n came last, behind[n] before him */
byte word;
byte line[USERS + 1]; byte lined;       /* the holder's: oldest first */
byte behind[USERS];                     /* Process.data while in word */
byte holder = NOBODY;
bool saved[USERS]; bool ready[USERS];
byte arrivals[USERS]; byte clock; byte served;

inline take_line() {
    /* turn round: the last of the stack is the oldest */
    d_step {
        lined = 0;
        at = seen - HELD;
        do
        :: at == NOBODY -> break
        :: else ->
            i = lined;
            do
            :: i > 0 -> line[i] = line[i - 1]; i--
            :: else -> break
            od;
            line[0] = at;
            lined++;
            at = behind[at]
        od;
        skip
    }
}

proctype user(byte me)
{
    byte round = 0; byte seen; byte at; byte i; byte next; bool mine;
    do
    :: round < ROUNDS ->
        /* claim */
        saved[me] = 1;
        mine = 0;
        do
        :: seen = word;
            if
            :: seen == 0 ->
                atomic {
                    if
                    :: word == 0 -> word = HELD + NOBODY; mine = 1; clock++; arrivals[me] = clock
                    :: else
                    fi
                }
                if :: mine -> break :: else fi
            :: else ->
                behind[me] = seen - HELD;
                atomic {
                    if
                    :: word == seen -> word = HELD + me; clock++; arrivals[me] = clock; next = 1
                    :: else -> next = 0
                    fi
                }
                if
                :: next == 1 -> ready[me]; ready[me] = 0; break
                :: else
                fi
            fi
        od;
        /* hold */
        skip;
        d_step {
            saved[me] = 0;
            assert(holder == NOBODY || holder == me);
            holder = me;
            assert(arrivals[me] == served + 1);
            served = arrivals[me];
        }
        skip;
        assert(holder == me);
        /* release */
        holder = NOBODY;
        mine = 0;
        if
        :: lined == 0 ->
#ifdef NEGATIVE
            seen = word;
            if :: seen == HELD + NOBODY -> word = 0; mine = 1 :: else fi;
#else
            atomic { if :: word == HELD + NOBODY -> word = 0; mine = 1 :: else fi }
#endif
            if
            :: !mine ->
                atomic { seen = word; word = HELD + NOBODY }
                take_line()
            :: else
            fi
        :: else
        fi;
        if
        :: !mine ->
            skip;
            d_step {
                next = line[0];
                i = 1;
                do
                :: i < lined -> line[i - 1] = line[i]; i++
                :: else -> break
                od;
                lined--;
                assert(saved[next] && !ready[next]);
                i = 0; at = 0;
            }
            ready[next] = 1
        :: else
        fi;
        next = 0; seen = 0;
        round++
    :: else -> break
    od
}

init {
    byte n;
    atomic { for (n : 0 .. USERS - 1) { run user(n) } }
    (_nr_pr == 1);
    assert(word == 0 && lined == 0 && holder == NOBODY);
}
