/* Choice over machines (runtime/placed/remote_choice.c, decision 0058): a ring of machines with one process each, which
 * sends MESSAGES to the right and receives as many from the left, all by ALTs that have both guards at once, and may
 * time out now and then, or find a partner on their own machine and come back later. Messages between two machines keep their order; nothing else is promised.
 *
 * A step is what a machine does with one message. Holds: a message that is committed is received, by the ALT that has
 * asked for it, and exactly once; no ALT waits for ever (no invalid end state), and between two messages there are few
 * refusals, so that machines do not go on refusing each other. NEGATIVE=1: the answer to an ASK always waits for what its
 * machine asks itself. 2: who gets a NO forgets who waits for him. 3: an ALT that asks can be won by somebody else. 4: an
 * ASK is always refused by who asks: then all refuse each other again and again. 5: an ALT that comes back and asks
 * leaves the ASK that waited for it waiting.
 *
 * SIZES: -DTIMEOUTS=2
 * CONTROLS: 5 */
#ifndef N
#define N 3
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef TIMEOUTS
#define TIMEOUTS 1
#endif
#ifndef POLLS
#define POLLS 1
#endif
#ifndef REFUSALS
#define REFUSALS (3 * N)
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif

mtype = { OFFER, ASK, NO, DATA };

chan right[N] = [6] of { mtype, byte, byte }; /* from i to i + 1 */
chan left[N] = [6] of { mtype, byte, byte };  /* from i to i - 1 */
byte timeouts, polls;
byte refused; /* since the last message */
bool over[N]; byte finished;

#define LEFT(p)  ((p + N - 1) % N)
#define RIGHT(p) ((p + 1) % N)
#define NEXT(n)  n = (n % 15) + 1

/* the ALT looks at its guards: it offers once, and asks for what it has been offered */
inline choose()
{
    asking = 0;
    if
    :: sent < MESSAGES && offer == 0 -> NEXT(numbers); offer = numbers; right[me]!OFFER(offer, 0)
    :: else
    fi;
    if
    :: got < MESSAGES && offered != 0 -> asking = 1; asked = offered; left[me]!ASK(asked, me)
    :: else
    fi
}

inline send()
{
    right[me]!DATA(sent, 0); refused = 0; offer = 0; back = 0; sent++
}

inline refuse(n)
{
    right[me]!NO(n, 0); refused++;
    assert(refused <= REFUSALS); /* else they may go on for ever */
    if
    :: offer == n -> offer = 0
    :: else
    fi
}

inline hear_ask(n, turn)
{
    if
    :: sent < MESSAGES && n == offer && away -> back = n
    :: sent < MESSAGES && !asking && n == offer && !away -> send(); choose()
    :: sent < MESSAGES && asking && n == offer && NEGATIVE == 3 -> send(); asking = 0
    :: sent < MESSAGES && asking && n == offer && NEGATIVE != 4 && (me < turn || NEGATIVE == 1) -> back = n
    :: else -> refuse(n);
        if
        :: !asking && !away -> choose()
        :: else
        fi
    fi
}

/* a poll that finds an ASK agrees, or asks itself and refuses that */
inline come_back()
{
    away = 0;
    if
    :: back != 0 -> back = 0; send(); choose()
    :: back == 0 || offered != 0 -> choose();
        if
        :: asking && back != 0 && NEGATIVE != 5 -> refuse(back); back = 0
        :: else
        fi
    fi
}

inline hear_no(n)
{
    if
    :: offered == n -> offered = 0
    :: else
    fi;
    if
    :: asking && asked == n ->
        asked = 0;
        if
        :: back != 0 && NEGATIVE != 2 -> asking = 0;
            send()
        :: else -> back = 0
        fi;
        choose()
    :: else
    fi
}

inline hear_data(value)
{
    assert(asking && value == got); /* else it would be lost, or be another one */
    offered = 0; asked = 0; asking = 0; got++;
    if
    :: back != 0 -> refuse(back); back = 0
    :: else
    fi;
    choose()
}

proctype machine(byte me)
{
    byte sent, got, offer, offered, asked, back, numbers, n, turn;
    bool asking, away;
    atomic { choose() }
end:
    do
    :: atomic { right[LEFT(me)]?OFFER(n, _) -> offered = n;
           if
           :: !asking && !away -> choose()
           :: else
           fi }
    :: atomic { right[LEFT(me)]?NO(n, _) -> hear_no(n) }
    :: atomic { right[LEFT(me)]?DATA(n, _) -> hear_data(n) }
    :: atomic { left[RIGHT(me)]?ASK(n, turn) -> hear_ask(n, turn) }
    /* the timer wins; the process comes back with a new ALT: its offer holds, unless it is refused meanwhile */
    :: atomic { timeouts < TIMEOUTS && !asking && !away && offer != 0 -> timeouts++; NEXT(numbers); offer = numbers;
           right[me]!OFFER(offer, 0) }
    :: atomic { polls < POLLS && !asking && !away -> polls++; away = 1 }
    :: atomic { away -> come_back() }
    :: atomic { away && back != 0 -> refuse(back); back = 0 }
    :: atomic { sent == MESSAGES && got == MESSAGES && !over[me] -> over[me] = 1; finished++ }
    od
}
init
{
    byte i;
    atomic { do :: i < N -> run machine(i); i++ :: else -> break od };
    finished == N /* else an invalid end state */
}
