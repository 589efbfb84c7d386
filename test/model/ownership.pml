/* Channels with owners: who owns one uses plain loads and stores (runtime/scheduler/ownership.c, channel.c; decision 0018).
 *
 * A pipeline of three processes over two channels on WORKERS workers; each worker runs one process at a time,
 * others may steal what is ready. A channel is its word (nobody, or the process that waits) and its owner, read and
 * written apart. The owner publishes by a plain store and saves the context AFTER it; with no owner the context is
 * saved first and a CAS publishes. Who comes second may make the channel his; channel 0 is owned from
 * its declaration on, channel 1 is not. Everybody else asks the owner: a
 * sleeping owner's channel is taken over under that worker's guard, a worker that is awake gets the request in its
 * list, gives the channel up between two processes, and sends the asker home, or runs it when the asker's worker
 * sleeps. The ends of both channels are closed without parking, by a request that is waited for, while the
 * waiting worker counts as asleep.
 * Holds: every message arrives once, in order; a process is woken with its context saved; between the owner's load
 * and his store nobody changes the word; nothing is lost (no invalid end state: all processes end).
 * NEGATIVE: the channel of a worker that is awake is taken over by a CAS, without asking. */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
/* SIZES: -DWORKERS=2 -DMESSAGES=3 */
#define PROCESSES 3
#define CHANNELS  2
#define NONE   7
#define CLOSED 6
#define NOBODY 0

byte own[CHANNELS];                  /* NOBODY or 1 + worker */
byte who[CHANNELS];                  /* NONE, CLOSED or the process that waits */
byte at[PROCESSES];                  /* its worker */
bool ready[PROCESSES];               /* in the queue of that worker */
bool saved[PROCESSES];
byte data[PROCESSES];
byte step[PROCESSES];                /* operations done */
bool ended[PROCESSES];
bool guard[WORKERS];
bool sleeps[WORKERS];
bool asks[WORKERS * PROCESSES];      /* lists of requests, under the guards */
bool revokes[WORKERS * CHANNELS];    /* requests of those that close, and wait */
bool done[CHANNELS];
byte home[PROCESSES];

#define ask_of(w, p) asks[(w) * PROCESSES + (p)]
#define has_asks(w)  (ask_of(w, 0) || ask_of(w, 1) || ask_of(w, 2))
#define revoke_of(w, c) revokes[(w) * CHANNELS + (c)]
#define lock(w)   atomic { !guard[w]; guard[w] = 1 }
#define unlock(w) guard[w] = 0
#define all_ended (ended[0] && ended[1] && ended[2])
#define is_ready_somewhere (ready[0] || ready[1] || ready[2])

/* process 0 writes channel 0; 1 reads it and writes channel 1; 2 reads that */
#define channel_of(p) ((p) == 0 -> 0 : ((p) == 2 -> 1 : step[p] % 2))
#define is_output(p)  ((p) == 0 || ((p) == 1 && step[p] % 2 == 1))
#define length_of(p)  ((p) == 1 -> 2 * MESSAGES : MESSAGES)
/* what 1 and 2 have received so far, before this operation */
#define received(p)   ((p) == 1 -> step[p] / 2 : step[p])

inline finish_operation(p)
{
    if :: !is_output(p) -> assert(data[p] == received(p) + 1) :: else fi;
    step[p]++
}

inline make_ready(w, p)
{
    d_step { assert(!ready[p] && saved[p]); at[p] = w; ready[p] = 1 }
}

/* The owner, between two processes: those that wait there have been saved. */
inline give_up(w, c)
{
    d_step {
        if
        :: own[c] == 1 + w -> own[c] = NOBODY; assert(who[c] >= CLOSED || saved[who[c]])
        :: else
        fi
    }
}

/* Under the guard of the sleeping owner. */
inline take_over(v, c)
{
    atomic { if :: own[c] == 1 + v -> own[c] = NOBODY :: else fi }
}

inline serve_revokes(w)
{
    byte rc = 0;
    do
    :: rc == CHANNELS -> break
    :: rc < CHANNELS && revoke_of(w, rc) -> revoke_of(w, rc) = 0; give_up(w, rc); done[rc] = 1; rc++
    :: else -> rc++
    od;
    rc = 0
}

inline serve_ask(w, p)
{
    lock(w);
    if
    :: ask_of(w, p) -> ask_of(w, p) = 0; unlock(w);
        give_up(w, channel_of(p));
        if
        :: home[p] != w ->
            lock(home[p]);
            if
            :: sleeps[home[p]] -> unlock(home[p]); make_ready(w, p)
            :: else -> ask_of(home[p], p) = 1; unlock(home[p])
            fi
        :: else -> make_ready(w, p)
        fi
    :: else -> unlock(w)
    fi
}

/* Somebody else's channel. met = 1: try again; 0: the process has parked. */
inline ask(w, p, c, v)
{
#ifdef NEGATIVE
    take_over(v, c);
    met = 1;
#else
    lock(v);
    if
    :: sleeps[v] -> take_over(v, c); met = 1
    :: else -> saved[p] = 1; home[p] = w; ask_of(v, p) = 1; met = 0
    fi;
    unlock(v);
#endif
}

/* A channel whose end process p holds, closed by a routine that may not park. */
inline close(w, c)
{
    do
    :: xo = own[c];
        if
        :: xo != NOBODY && xo != 1 + w ->
            lock(xo - 1);
            if
            :: sleeps[xo - 1] -> take_over(xo - 1, c); unlock(xo - 1)
            :: else ->
                done[c] = 0; revoke_of(xo - 1, c) = 1; unlock(xo - 1);
                lock(w); sleeps[w] = 1; serve_revokes(w); unlock(w);
                done[c];
                lock(w); sleeps[w] = 0; unlock(w)
            fi
        :: else ->
            give_up(w, c);
            atomic { assert(who[c] == NONE); who[c] = CLOSED };
            break
        fi
    od
}

proctype worker(byte w)
{
    byte cur = NONE; byte c; byte xo; byte xw; bool met; byte i;
    do
    :: all_ended && cur == NONE && !has_asks(w) -> break
    :: cur == NONE ->
        /* a scheduling point: requests, then a process of ours, of another's, or sleep */
        lock(w); serve_revokes(w); unlock(w);
        if
        :: ask_of(w, 0) -> serve_ask(w, 0)
        :: ask_of(w, 1) -> serve_ask(w, 1)
        :: ask_of(w, 2) -> serve_ask(w, 2)
        :: !has_asks(w) && is_ready_somewhere ->
            i = 0;
            do
            :: i < PROCESSES - 1 && (!ready[i] || at[i] != w) -> i++
            :: i < PROCESSES - 1 -> i++
            :: atomic { ready[i] -> ready[i] = 0; at[i] = w; cur = i; saved[i] = 0 }; break
            :: else -> break
            od
        :: !has_asks(w) && !all_ended ->
            lock(w);
            if
            :: has_asks(w) || revoke_of(w, 0) || revoke_of(w, 1) -> unlock(w)
            :: else ->
                sleeps[w] = 1; unlock(w);
                is_ready_somewhere || all_ended;
                lock(w); sleeps[w] = 0; unlock(w)
            fi
        :: all_ended && !has_asks(w)
        fi
    :: cur != NONE && step[cur] == length_of(cur) ->
        if
        :: cur != 1 -> close(w, channel_of(cur))     /* both ends of the pipeline close theirs */
        :: else
        fi;
        ended[cur] = 1; cur = NONE
    :: cur != NONE && step[cur] < length_of(cur) ->
        c = channel_of(cur);
        if :: is_output(cur) -> data[cur] = (cur == 0 -> step[0] + 1 : step[1] / 2 + 1) :: else fi;
        xo = own[c];
        if
        :: xo == NOBODY || xo == 1 + w ->
            xw = who[c];
            if
            :: xw == NONE && xo == 1 + w ->          /* mine, empty: publish, and only then save */
                d_step { assert(own[c] == xo && who[c] == xw); who[c] = cur };
                saved[cur] = 1; cur = NONE
            :: xw == NONE && xo == NOBODY ->
                saved[cur] = 1; met = 0;
                atomic { if :: who[c] == xw -> who[c] = cur; met = 1 :: else fi };
                if :: met -> cur = NONE :: else -> saved[cur] = 0 fi
            :: else ->                               /* the partner: copy, clear, wake */
                if
                :: is_output(cur) -> data[xw] = data[cur]
                :: else -> data[cur] = data[xw]
                fi;
                d_step { assert(own[c] == xo && saved[xw]); finish_operation(xw); finish_operation(cur) };
                if
                :: own[c] == NOBODY -> own[c] = 1 + w  /* whatever the rule is, the second may take it */
                :: true
                fi;
                d_step { assert(who[c] == xw); who[c] = NONE };
                make_ready(w, xw)
            fi
        :: else ->
            ask(w, cur, c, xo - 1);
            if :: met :: else -> cur = NONE fi
        fi
    od
}

init {
    byte k;
    atomic {
        for (k : 0 .. CHANNELS - 1) { who[k] = NONE; }
        own[0] = 1;
        for (k : 0 .. PROCESSES - 1) { ready[k] = 1; saved[k] = 1; at[k] = 0; }
        for (k : 0 .. WORKERS - 1) { run worker(k); }
    }
}
