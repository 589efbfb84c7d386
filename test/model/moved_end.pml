/* The ends of a bundle that move between machines (runtime/placed/remote_bundle.c, bundle_home.c, remote_close.c, decision 0069): one
 * channel of it, its reader and its writer, PLACES machines where each may be and the home, which is another one. Messages between two
 * machines keep their order; others may overtake each other. An end that moves is on its way as long as it likes.
 *
 * The reader inputs plainly or by an ALT that may give up, moves when it likes, also to where it is, and closes the channel after the last
 * message. The writer outputs plainly or by an ALT that may give up, moves as well, and after the last message waits for the close, or
 * outputs one more, which is refused. Left out: ASKs that wait for a poll or for another one (remote_alt.pml), who waits when the bundle
 * becomes remote. Holds: each message is input once, in order; no message that was input is found refused; nobody waits for ever (no
 * invalid end state). NEGATIVE=1: what has come is not sent home when the reader leaves. 2: the home keeps nothing while the reader is on its
 * way. 3: news of older moves count. 4: a machine without the reader drops what comes. 5: an offer that was overtaken by the next one
 * takes its place. 6: that the channel is closed shows before what was sent has been answered. 7: what comes home when the channel is
 * closed is not answered.
 *
 * SIZES: -DMESSAGES=2 -DGIVES=1
 * CONTROLS: 7 */
#define PLACES 2
#ifndef MESSAGES
#define MESSAGES 1
#endif
#ifndef MOVES
#define MOVES 1 /* of each end */
#endif
#ifndef GIVES
#define GIVES 2
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#define NONE 255
#define HOME PLACES
#define ALL 3

mtype = { HERE_R, LEFT_R, HERE_W, LEFT_W, PEER, DATA, OFFER, ACK, TAKE, ASK, NO, CLOSING, CLOSE, REFUSED };
/* kind, number, who sent it first, move of the writer */
chan pair[9] = [5] of { mtype, byte, byte, byte };
#define FROM(a, b) pair[(a) * ALL + (b)]

byte received, next = 1; /* ghost: messages that have been input; the next one to output */
byte gives;              /* ghost: how often an ALT has given up */

/* ---- what a machine has ---- */

bool reader_here[PLACES], writer_here[PLACES];
byte pending[PLACES], pending_by[PLACES];
byte offered[PLACES], offered_by[PLACES], offered_in[PLACES];
bool is_closed[PLACES], has_news[PLACES];
byte peer[PLACES];
mtype held[PLACES];
byte held_number[PLACES];
/* of the ends themselves */
byte reader_move, writer_move, offer, offers;
bool is_refused, is_acknowledged, is_sent, reader_waits, chooses;

inline pass_home(i)
{
    FROM(i, HOME)!what, number, by, move
}

inline hear_data(i)
{
    if
    :: !reader_here[i] && NEGATIVE != 4 -> pass_home(i)
    :: !reader_here[i] && NEGATIVE == 4
    :: reader_here[i] && is_closed[i] -> FROM(i, by)!REFUSED, 0, i, 0
    :: reader_here[i] && !is_closed[i] -> pending[i] = number; pending_by[i] = by; offered[i] = 0
    fi
}

#define IS_LATE(i) (offered[i] != 0 && (move < offered_in[i] || (move == offered_in[i] && number < offered[i])))

inline hear_offer(i)
{
    if
    :: !reader_here[i] && NEGATIVE != 4 -> pass_home(i)
    :: !reader_here[i] && NEGATIVE == 4
    :: reader_here[i] && (is_closed[i] || (IS_LATE(i) && NEGATIVE != 5))
    :: reader_here[i] && !(is_closed[i] || (IS_LATE(i) && NEGATIVE != 5)) ->
        offered[i] = number; offered_by[i] = by; offered_in[i] = move
    fi
}

inline show_closed(i)
{
    has_news[i] = false;
    is_closed[i] = true
}

inline hear_close(i)
{
    if
    :: !(reader_here[i] || writer_here[i]) || is_closed[i]
    :: (reader_here[i] || writer_here[i]) && !is_closed[i] ->
        if
        :: writer_here[i] && is_sent && NEGATIVE != 6 -> has_news[i] = true
        :: !(writer_here[i] && is_sent && NEGATIVE != 6) -> show_closed(i)
        fi
    fi
}

inline hear_ask(i)
{
    if
    :: writer_here[i] && number == offer && chooses -> reader_waits = true
    :: !(writer_here[i] && number == offer && chooses) ->
        if
        :: writer_here[i] && number == offer -> offer = 0
        :: !(writer_here[i] && number == offer)
        fi;
        FROM(i, by)!NO, number, i, 0
    fi
}

inline hear_ack(i)
{
    is_acknowledged = true;
    is_sent = false;
    if
    :: has_news[i] -> show_closed(i)
    :: !has_news[i]
    fi
}

inline hear_peer(i)
{
    if
    :: writer_here[i] ->
        peer[i] = number;
        if
        :: held_number[i] != 0 ->
            FROM(i, number)!held[i], held_number[i], i, writer_move;
            is_sent = is_sent || held[i] == DATA;
            held_number[i] = 0
        :: held_number[i] == 0
        fi
    :: !writer_here[i]
    fi
}

inline hear(i)
{
    if
    :: what == DATA -> hear_data(i)
    :: what == OFFER -> hear_offer(i)
    :: what == ACK -> hear_ack(i)
    :: what == TAKE && writer_here[i] && number == offer -> reader_waits = true
    :: what == TAKE && !(writer_here[i] && number == offer)
    :: what == ASK -> hear_ask(i)
    :: what == NO ->
        is_refused = true;
        if
        :: reader_here[i] && offered[i] == number -> offered[i] = 0
        :: !(reader_here[i] && offered[i] == number)
        fi
    :: what == PEER -> hear_peer(i)
    :: what == CLOSE -> hear_close(i)
    :: what == REFUSED -> is_sent = false; show_closed(i)
    fi;
    what = DATA; number = 0; by = 0; move = 0
}

proctype machine(byte i)
{
    mtype what = DATA;
    byte number, by, move;
end:
    do
    :: atomic { FROM(0, i)?what, number, by, move -> hear(i) }
    :: atomic { FROM(1, i)?what, number, by, move -> hear(i) }
    :: atomic { FROM(HOME, i)?what, number, by, move -> hear(i) }
    od
}

/* ---- the home ---- */

chan kept = [4] of { mtype, byte, byte, byte };
byte reader_at = NONE, writer_at = NONE, reader_known, writer_known;
bool closed;

inline tell_peer()
{
    if
    :: reader_at != NONE && writer_at != NONE -> FROM(HOME, writer_at)!PEER, reader_at, HOME, 0
    :: !(reader_at != NONE && writer_at != NONE)
    fi
}

inline refuse()
{
    if
    :: what == DATA && NEGATIVE != 7 -> FROM(HOME, by)!REFUSED, 0, HOME, 0
    :: !(what == DATA && NEGATIVE != 7)
    fi
}

inline tell_closed(there)
{
    if
    :: closed -> FROM(HOME, there)!CLOSE, 0, HOME, 0
    :: !closed -> tell_peer()
    fi
}

inline hear_reader(from)
{
    if
    :: number < reader_known && NEGATIVE != 3
    :: !(number < reader_known && NEGATIVE != 3) && what == LEFT_R -> reader_known = number; reader_at = NONE
    :: !(number < reader_known && NEGATIVE != 3) && what == HERE_R ->
        reader_known = number;
        reader_at = from;
        tell_closed(from);
        do
        :: nempty(kept) -> kept?what, number, by, move; FROM(HOME, from)!what, number, by, move
        :: empty(kept) -> break
        od
    fi
}

inline hear_writer(from)
{
    if
    :: number < writer_known && NEGATIVE != 3
    :: !(number < writer_known && NEGATIVE != 3) && what == LEFT_W -> writer_known = number; writer_at = NONE
    :: !(number < writer_known && NEGATIVE != 3) && what == HERE_W ->
        writer_known = number; writer_at = from; tell_closed(from)
    fi
}

inline hear_closing()
{
    closed = true;
    if
    :: reader_at != NONE -> FROM(HOME, reader_at)!CLOSE, 0, HOME, 0
    :: reader_at == NONE
    fi;
    if
    :: writer_at != NONE && writer_at != reader_at -> FROM(HOME, writer_at)!CLOSE, 0, HOME, 0
    :: !(writer_at != NONE && writer_at != reader_at)
    fi;
    do
    :: nempty(kept) -> kept?what, number, by, move; refuse()
    :: empty(kept) -> break
    od
}

inline hear_home(from)
{
    if
    :: what == HERE_R || what == LEFT_R -> hear_reader(from)
    :: what == HERE_W || what == LEFT_W -> hear_writer(from)
    :: what == CLOSING -> hear_closing()
    :: (what == DATA || what == OFFER) && closed -> refuse()
    :: (what == DATA || what == OFFER) && !closed && reader_at != NONE -> FROM(HOME, reader_at)!what, number, by, move
    :: (what == DATA || what == OFFER) && !closed && reader_at == NONE ->
        if
        :: NEGATIVE != 2 -> kept!what, number, by, move
        :: NEGATIVE == 2
        fi
    fi;
    what = DATA; number = 0; by = 0; move = 0
}

active proctype home()
{
    mtype what = DATA;
    byte number, by, move;
end:
    do
    :: atomic { FROM(0, HOME)?what, number, by, move -> hear_home(0) }
    :: atomic { FROM(1, HOME)?what, number, by, move -> hear_home(1) }
    od
}

/* ---- the reader ---- */

inline input()
{
    assert(pending[at] == received + 1);
    received++;
    if
    :: pending_by[at] == at -> hear_ack(at) /* at once: the reader may close the channel next */
    :: pending_by[at] != at -> FROM(at, pending_by[at])!ACK, 0, at, 0
    fi;
    pending[at] = 0;
    pending_by[at] = 0
}

inline reader_leaves()
{
    FROM(at, HOME)!LEFT_R, reader_move, at, 0;
    if
    :: offered[at] != 0 && NEGATIVE != 1 -> FROM(at, HOME)!OFFER, offered[at], offered_by[at], offered_in[at]
    :: offered[at] == 0 || NEGATIVE == 1
    fi;
    if
    :: pending[at] != 0 && NEGATIVE != 1 -> FROM(at, HOME)!DATA, pending[at], pending_by[at], 0
    :: pending[at] == 0 || NEGATIVE == 1
    fi;
    offered[at] = 0; offered_by[at] = 0; offered_in[at] = 0;
    pending[at] = 0; pending_by[at] = 0;
    reader_here[at] = false;
    if
    :: !writer_here[at] -> is_closed[at] = false; has_news[at] = false
    :: writer_here[at]
    fi
}

inline reader_arrives()
{
    reader_move++;
    reader_here[at] = true;
    FROM(at, HOME)!HERE_R, reader_move, at, 0
}

proctype reader()
{
    byte at, told, moves;
    atomic { reader_arrives() };
    do
    :: atomic { received == MESSAGES ->
        is_closed[at] = true;
        if
        :: pending[at] != 0 -> FROM(at, pending_by[at])!REFUSED, 0, at, 0; pending[at] = 0
        :: pending[at] == 0
        fi;
        FROM(at, HOME)!CLOSING, 0, at, 0;
        break }
    :: atomic { received < MESSAGES && moves < MOVES -> moves++; reader_leaves() };
        if
        :: at = 0
        :: at = 1
        fi;
        atomic { reader_arrives() }
    :: received < MESSAGES -> /* a plain input */
        told = 0;
        do
        :: atomic { pending[at] != 0 -> input(); break }
        :: atomic { pending[at] == 0 && offered[at] != told && offered[at] != 0 ->
            told = offered[at]; FROM(at, offered_by[at])!TAKE, told, at, 0 }
        od
    :: received < MESSAGES -> /* an ALT */
        do
        :: atomic { pending[at] != 0 -> input(); break }
        :: atomic { pending[at] == 0 && offered[at] != 0 ->
            is_refused = false; FROM(at, offered_by[at])!ASK, offered[at], at, 0 };
            (pending[at] != 0 || is_refused)
        :: atomic { gives < GIVES -> gives++; break }
        od
    od
}

/* ---- the writer ---- */

inline send_out(message, sent)
{
    if
    :: peer[at] != NONE -> FROM(at, peer[at])!message, sent, at, writer_move; is_sent = is_sent || message == DATA
    :: peer[at] == NONE ->
        /* an offer that waits there is overtaken before it has gone */
        held[at] = message; held_number[at] = sent
    fi
}

inline writer_leaves()
{
    FROM(at, HOME)!LEFT_W, writer_move, at, 0;
    held_number[at] = 0;
    peer[at] = NONE;
    offer = 0;
    writer_here[at] = false;
    if
    :: !reader_here[at] -> is_closed[at] = false; has_news[at] = false
    :: reader_here[at]
    fi
}

inline writer_arrives()
{
    writer_move++;
    writer_here[at] = true;
    peer[at] = NONE;
    is_closed[at] = is_closed[at] || was_closed;
    FROM(at, HOME)!HERE_W, writer_move, at, 0
}

proctype writer()
{
    byte at = 1, moves;
    bool was_closed;
    atomic { writer_arrives() };
    do
    :: atomic { is_closed[at] -> assert(next > MESSAGES); break }
    :: atomic { !is_closed[at] && moves < MOVES -> moves++; was_closed = is_closed[at]; writer_leaves() };
        if
        :: at = 0
        :: at = 1
        fi;
        atomic { writer_arrives() }
    :: !is_closed[at] && next > MESSAGES -> is_closed[at] /* it is waited for */
    :: atomic { !is_closed[at] && gives < GIVES ->
        chooses = true;
        if
        :: offer == 0 -> offers++; offer = offers; send_out(OFFER, offer)
        :: offer != 0
        fi };
        if
        :: atomic { (reader_waits || is_closed[at]) -> chooses = false }
        :: atomic { gives < GIVES -> gives++; chooses = false }
        fi
    :: atomic { !is_closed[at] ->
        is_acknowledged = false; reader_waits = false; offer = 0;
        send_out(DATA, next) };
        if
        :: atomic { is_acknowledged -> assert(next <= MESSAGES); is_acknowledged = false; next++ }
        :: atomic { is_closed[at] && !is_acknowledged -> assert(next > MESSAGES && received == MESSAGES) }
        fi
    od
}

init
{
    atomic {
        peer[0] = NONE; peer[1] = NONE;
        run machine(0); run machine(1); run reader(); run writer()
    }
}
