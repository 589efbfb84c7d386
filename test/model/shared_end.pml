/* A shared end whose turn goes round machines (runtime/placed/shared_end.c, shared_turns.c, decision 0068): PLACES places
 * of readers, a writer, and the home of the channel, each a machine of its own. Messages between two machines keep their
 * order; others may overtake each other.
 *
 * A place claims the end, inputs plainly or by an ALT that may give up, and gives the turn back when it likes. The writer outputs
 * plainly or by an ALT that may give up; it learns from the home where the turn is, and may learn it late. Left out: the home's own
 * place, CLOSE, asks that wait for a poll (remote_alt.pml). Holds: each message is input once, in order; nobody waits for ever (no
 * invalid end state). NEGATIVE=1: what has come is not sent back with the turn. 2: the home keeps nothing while nobody has the
 * turn. 3: the writer answers where it believes the turn to be, not who asked. 4: a place without the turn drops what
 * comes. 5: an offer that was overtaken by the next one takes its place.
 *
 * SIZES: -DMESSAGES=1 -DGIVES=4
 * CONTROLS: 5 */
#ifndef PLACES
#define PLACES 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef GIVES
#define GIVES 2
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#define NONE 255
#define HOME PLACES

mtype = { CLAIM, RETURN, TURN, WANTED, HELLO, PEER, DATA, OFFER, ACK, TAKE, ASK, NO };
chan to_home[PLACES] = [6] of { mtype, byte };
chan to_place[PLACES] = [6] of { mtype, byte };
chan writer_home = [6] of { mtype, byte };
chan home_writer = [6] of { mtype, byte };
chan writer_place[PLACES] = [4] of { mtype, byte };
chan place_writer[PLACES] = [4] of { mtype, byte };

byte received; /* ghost: messages that have been input */
byte gives;    /* ghost: how often an ALT has given up */

/* ---- the home ---- */

chan line = [PLACES] of { byte };
chan kept = [6] of { mtype, byte };
byte holder = NONE, arrived = NONE;

inline grant()
{
    if
    :: empty(line) -> holder = NONE
    :: nempty(line) ->
        line?holder;
        to_place[holder]!TURN(0);
        if
        :: nempty(line) -> to_place[holder]!WANTED(0)
        :: empty(line)
        fi
    fi
}

inline pass(what, number)
{
    if
    :: arrived != NONE -> to_place[arrived]!what(number)
    :: arrived == NONE ->
        if
        :: NEGATIVE != 2 -> kept!what(number)
        :: NEGATIVE == 2
        fi
    fi
}

inline hear_place(i)
{
    to_home[i]?what, number;
    if
    :: what == CLAIM ->
        line!i;
        if
        :: holder == NONE -> grant()
        :: holder != NONE && len(line) == 1 -> to_place[holder]!WANTED(0)
        :: holder != NONE && len(line) > 1
        fi
    :: what == RETURN -> arrived = NONE; grant()
    :: what == HELLO ->
        arrived = i;
        home_writer!PEER(i);
        do
        :: nempty(kept) -> kept?what, number; to_place[i]!what(number)
        :: empty(kept) -> break
        od
    :: what == DATA || what == OFFER -> pass(what, number)
    fi
}

active proctype home()
{
    mtype what;
    byte number;
end:
    do
    :: atomic { nempty(to_home[0]) -> hear_place(0) }
    :: atomic { nempty(to_home[1]) -> hear_place(1) }
    :: atomic { writer_home?what, number -> pass(what, number) }
    od
}

/* ---- a place ---- */

/* Something has come; it is kept by who has the turn. */
inline hear(message, number)
{
    if
    :: !is_here && (message == DATA || message == OFFER) ->
        if
        :: NEGATIVE != 4 -> to_home[me]!message(number)
        :: NEGATIVE == 4
        fi
    :: is_here && message == DATA -> pending = number; offered = 0
    :: is_here && message == OFFER && (number > offered || NEGATIVE == 5) -> offered = number
    :: is_here && message == OFFER && !(number > offered || NEGATIVE == 5)
    :: message == TURN -> is_here = true
    :: message == WANTED
    :: message == NO && offered == number -> offered = 0; is_refused = true
    :: message == NO && offered != number -> is_refused = true
    fi
}

#define HAS_COME (nempty(to_place[me]) || nempty(writer_place[me]))

inline await()
{
    if
    :: to_place[me]?message, number -> hear(message, number)
    :: writer_place[me]?message, number -> hear(message, number)
    fi
}

inline input()
{
    assert(pending == received + 1);
    received++;
    pending = 0;
    place_writer[me]!ACK(0)
}

inline give_back()
{
    if
    :: offered != 0 && NEGATIVE != 1 -> to_home[me]!OFFER(offered)
    :: offered == 0 || NEGATIVE == 1
    fi;
    if
    :: pending != 0 && NEGATIVE != 1 -> to_home[me]!DATA(pending)
    :: pending == 0 || NEGATIVE == 1
    fi;
    offered = 0;
    pending = 0;
    is_here = false;
    to_home[me]!RETURN(0)
}

proctype place(byte me)
{
    mtype message;
    byte number, pending, offered, told;
    bool is_here, is_refused;
    do
    :: received == MESSAGES -> break
    :: received < MESSAGES ->
        to_home[me]!CLAIM(0);
end_claims:
        do
        :: is_here -> break
        :: atomic { !is_here && HAS_COME -> await() }
        od;
        to_home[me]!HELLO(0);
        if
        :: true -> /* a plain input */
            told = 0;
end_plain:
            do
            :: atomic { pending != 0 -> input(); break }
            :: atomic { pending == 0 && offered != told && offered != 0 ->
                told = offered; place_writer[me]!TAKE(offered) }
            :: atomic { pending == 0 && HAS_COME -> await() }
            :: received == MESSAGES -> break
            od
        :: true -> /* an ALT */
            do
            :: atomic { pending != 0 -> input(); break }
            :: atomic { pending == 0 && offered != 0 -> place_writer[me]!ASK(offered); is_refused = false };
                do
                :: atomic { pending == 0 && !is_refused && HAS_COME -> await() }
                :: pending != 0 || is_refused -> break
                od
            :: atomic { pending == 0 && offered == 0 && received < MESSAGES && HAS_COME -> await() }
            :: atomic { gives < GIVES || received == MESSAGES ->
                if
                :: received < MESSAGES -> gives++
                :: received == MESSAGES
                fi;
                break }
            od
        fi;
        atomic { give_back() }
    od;
    /* what still comes is for nobody */
end:
    do
    :: atomic { HAS_COME -> await() }
    od
}

init
{
    atomic { run place(0); run place(1) }
}

/* ---- the writer ---- */

inline send_out(message, number)
{
    if
    :: peer == HOME -> writer_home!message(number)
    :: peer != HOME -> writer_place[peer]!message(number)
    fi
}

inline refuse(who, number)
{
    if
    :: offer == number -> offer = 0
    :: offer != number
    fi;
    if
    :: NEGATIVE != 3 -> to = who
    :: NEGATIVE == 3 && peer != HOME -> to = peer
    :: NEGATIVE == 3 && peer == HOME -> to = who
    fi;
    writer_place[to]!NO(number)
}

/* In an ALT that waits an ASK is answered by the message. */
inline hear_reader(who)
{
    if
    :: message == ACK -> is_acknowledged = true
    :: message == TAKE && number == offer -> reader_waits = true
    :: message == TAKE && number != offer
    :: message == ASK && number == offer && chooses -> reader_waits = true
    :: message == ASK && !(number == offer && chooses) -> refuse(who, number)
    fi
}

#define HAS_ANSWER (nempty(place_writer[0]) || nempty(place_writer[1]) || nempty(home_writer))

inline await_reader()
{
    if
    :: place_writer[0]?message, number -> hear_reader(0)
    :: place_writer[1]?message, number -> hear_reader(1)
    :: home_writer?message, number -> peer = number
    fi
}

active proctype writer()
{
    mtype message;
    byte number, to, peer = HOME, next = 1, offer, offers;
    bool is_acknowledged, reader_waits, chooses;
    do
    :: next > MESSAGES -> break
    :: next <= MESSAGES ->
        if
        :: true
        :: atomic { gives < GIVES -> chooses = true;
            if
            :: offer == 0 -> offers++; offer = offers; send_out(OFFER, offer)
            :: offer != 0
            fi };
            do
            :: reader_waits -> break
            :: atomic { !reader_waits && HAS_ANSWER -> await_reader() }
            :: atomic { gives < GIVES -> gives++; break }
            od;
            chooses = false
        fi;
        atomic {
            is_acknowledged = false;
            reader_waits = false;
            offer = 0;
            send_out(DATA, next)
        };
        do
        :: is_acknowledged -> break
        :: atomic { !is_acknowledged && HAS_ANSWER -> await_reader() }
        od;
        next++
    od;
end:
    do
    :: atomic { HAS_ANSWER -> await_reader() }
    od
}
