/* Three stations elect the largest number: each sends while it takes; wrong, it sends before it takes. */
chan c[3] = [0] of { byte };
chan sent[3] = [0] of { bit };
byte number[3];

proctype sender (byte i; byte what) {
    c[(i + 1) % 3] ! what;
    sent[i] ! 0
}

proctype station (byte i) {
    byte best = number[i], next, round = 0;
    do
    :: round < 2 ->
#ifdef WRONG
        c[(i + 1) % 3] ! best;
        c[i] ? next;
#else
        run sender (i, best);
        c[i] ? next;
        sent[i] ? _;
#endif
        if
        :: next > best -> best = next
        :: else
        fi;
        round++
    :: else -> break
    od;
    assert (best == 9)
}

init {
    atomic {
        number[0] = 4; number[1] = 9; number[2] = 7;
        run station (0); run station (1); run station (2)
    }
}
