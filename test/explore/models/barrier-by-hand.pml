/* A barrier of two phases by a server; wrong, it counts the fast one twice. */
#define N 3
chan come[N] = [0] of { byte };
chan go[N] = [0] of { byte };

proctype member (byte i) {
    byte k = 0, phase;
    do
    :: k < 2 -> come[i] ! k; go[i] ? phase; assert (phase == k); k++
    :: else -> break
    od
}

active proctype server () {
    byte k = 0, j, x;
    do
    :: k < 2 ->
        j = 0;
        do
        :: j < N -> if :: come[0] ? x :: come[1] ? x :: come[2] ? x fi; j++
        :: else -> break
        od;
        j = 0;
#ifdef WRONG
        do
        :: j < N ->
            if
            :: go[0] ! k :: go[1] ! k :: go[2] ! k
            :: come[0] ? x -> go[0] ! k + 1
            :: come[1] ? x -> go[1] ! k + 1
            :: come[2] ? x -> go[2] ! k + 1
            fi;
            j++
        :: else -> break
        od;
#else
        bit done0 = 0, done1 = 0, done2 = 0;
        done0 = 0; done1 = 0; done2 = 0;
        do
        :: !done0 -> go[0] ! k; done0 = 1
        :: !done1 -> go[1] ! k; done1 = 1
        :: !done2 -> go[2] ! k; done2 = 1
        :: done0 && done1 && done2 -> break
        od;
#endif
        k++
    :: else -> break
    od
}

init { atomic { run member (0); run member (1); run member (2) } }
