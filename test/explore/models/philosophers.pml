/* Philosophers who pick up the fork on their left first; right, one of them is turned. */
#ifndef N
#define N 3
#endif
chan left[N] = [0] of { bit };
chan right[N] = [0] of { bit };

proctype philosopher (byte i) {
#ifndef WRONG
    if
    :: i == 0 -> right[1] ! 0; left[0] ! 0; right[1] ! 0; left[0] ! 0
    :: else ->
#endif
    left[i] ! 0; right[(i + 1) % N] ! 0; left[i] ! 0; right[(i + 1) % N] ! 0
#ifndef WRONG
    fi
#endif
}

proctype fork (byte i) {
    byte k = 0;
    do
    :: k < 2 ->
        if
        :: left[i] ? _ -> left[i] ? _
        :: right[i] ? _ -> right[i] ? _
        fi;
        k++
    :: else -> break
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. N - 1) {
            run philosopher (i);
            run fork (i)
        }
    }
}
