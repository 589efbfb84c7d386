/* The coordinator collects every vote; wrong, it stops at the first no. */
chan say[3] = [0] of { bit };
chan hear[3] = [0] of { bit };

proctype voter (byte i; bit vote) {
    bit decision;
    say[i] ! vote;
    hear[i] ? decision;
    assert (vote || !decision)
}

active proctype coordinator () {
    bit all = 1, b, told0 = 0, told1 = 0, told2 = 0;
    byte votes = 0;
    do
#ifdef WRONG
    :: all && votes < 3 ->
#else
    :: votes < 3 ->
#endif
        if
        :: say[0] ? b
        :: say[1] ? b
        :: say[2] ? b
        fi;
        all = all && b;
        votes++
    :: else -> break
    od;
    do
    :: !told0 -> hear[0] ! all; told0 = 1
    :: !told1 -> hear[1] ! all; told1 = 1
    :: !told2 -> hear[2] ! all; told2 = 1
    :: told0 && told1 && told2 -> break
    od
}

init { atomic { run voter (0, 1); run voter (1, 1); run voter (2, 0) } }
