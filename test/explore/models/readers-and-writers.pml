/* A writer is alone, readers are together; wrong, the writer does not wait for readers. */
chan start[4] = [0] of { bit }; /* 2: of the writer; 3: of nobody */
chan end[2] = [0] of { bit };
chan done = [0] of { bit };

#ifdef WRONG
#define FREE (readers < 2)
#else
#define FREE (readers == 0)
#endif

proctype reader (byte i) { start[i] ! 0; end[i] ! 0 }

active proctype writer () { start[2] ! 0; done ! 0; start[2] ! 0; done ! 0 }

active proctype server () {
    byte readers = 0, writers = 0, k = 0;
    do
    :: k < 8 ->
        if
        :: start[(writers == 0 -> 0 : 3)] ? _ -> readers++
        :: start[(writers == 0 -> 1 : 3)] ? _ -> readers++
        :: end[0] ? _ -> readers--
        :: end[1] ? _ -> readers--
        :: start[(FREE -> 2 : 3)] ? _ -> writers++
        :: done ? _ -> writers--
        fi;
        assert (writers == 0 || readers == 0);
        k++
    :: else -> break
    od
}

init { atomic { run reader (0); run reader (1) } }
