/* A deadlock over machines is found (runtime/placed/common_standstill.c, decision 0062): N machines that send each other BUDGET
 * messages in all, in any order of delivery. A machine that works may send, or come to stand still; a message lets it work again. The first one
 * asks in rounds, the others answer when they stand still, with what they have sent and received.
 *
 * Holds: when two rounds have the same sums, and as many messages were sent as received, all stand still and nothing is under
 * way; and the search can always go on (no invalid end state). NEGATIVE=1: one round is enough. 2: a machine answers while it
 * works. 3: that as many were received as sent is not looked at.
 *
 * SIZES: -DBUDGET=5
 * CONTROLS: 3 */
#ifndef N
#define N 3
#endif
#ifndef BUDGET
#define BUDGET 4
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif

byte under_way[N];       /* messages to it */
byte sent[N], received[N];
bool works[N] = true;
bool is_asked[N];
chan answers = [N] of { byte, byte };
byte left = BUDGET;

active [N] proctype machine()
{
    byte to;
end:
    do
    :: works[_pid] ->
        if
        :: atomic {
            left > 0 -> left--; to = 0;
            do
            :: to < N - 1 -> to++
            :: break
            od;
            under_way[to]++; sent[_pid]++; to = 0
        }
        :: works[_pid] = false
        fi
    :: atomic { under_way[_pid] > 0 -> under_way[_pid]--; received[_pid]++; works[_pid] = true }
    :: atomic { is_asked[_pid] && (!works[_pid] || NEGATIVE == 2) -> is_asked[_pid] = false; answers!sent[_pid], received[_pid] }
    od
}

active proctype search()
{
    byte i, some, more, all_sent, all_received, last_sent, last_received;
    bool has_last;
    do
    :: atomic {
        !works[0] ->
        all_sent = sent[0]; all_received = received[0];
        is_asked[1] = true; is_asked[2] = true
    }
    i = 1;
    do
    :: atomic { i < N -> answers?some, more; all_sent = all_sent + some; all_received = all_received + more; some = 0; more = 0; i++ }
    :: else -> break
    od;
    if
    :: (has_last || NEGATIVE == 1) && (NEGATIVE == 1 || (all_sent == last_sent && all_received == last_received)) &&
        (all_sent == all_received || NEGATIVE == 3) -> break
    :: else -> has_last = true; last_sent = all_sent; last_received = all_received; all_sent = 0; all_received = 0
    fi
    od;
    atomic {
        i = 0;
        do
        :: i < N -> assert(!works[i] && under_way[i] == 0); i++
        :: else -> break
        od
    }
}
