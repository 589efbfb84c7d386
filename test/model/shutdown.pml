/* How a program ends (runtime/start/start.c, main.c, ending.c, error.c, interrupt.c, world.h; scheduler.c for a deadlock).
 *
 * Two workers run processes that output through a device (under the world lock, or solo without it). One of these
 * happens: the root ends on some worker and main goes on there; nothing can go on and the solo worker reports that; processes fail, on
 * both workers at once too. A signal that ends the program comes at any moment, on any active thread: the handler
 * interrupts it (`frozen`), and ends the program when nothing can be half done, else it asks for attention and the alarm
 * tries again.
 * Holds: the program ends (no invalid end state), once; output is flushed once, by one thread, never while anybody is inside
 * of a device; without a signal, or if it comes before the end has begun, all of it is; nobody outputs after that.
 * NEGATIVE 1: the handler does not ask for the lock. 2: main does not enter the world for good. 3: who reports an error does not
 * keep the lock. 4: the handler of one that runs alone does not look at what it has interrupted. */
/* CONTROLS: 4 */
/* SIZES: -DSTEPS=4 */
#ifndef STEPS
#define STEPS 3
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#define WORKERS 2
#define NOBODY  WORKERS
#define HANDLER (WORKERS + 1)

byte world = NOBODY;                 /* who holds the lock */
bool asleep[WORKERS]; bool solo[WORKERS];
bool frozen[WORKERS];
bool on_process[WORKERS];            /* interrupted now, it is in compiled code */
bool is_idle[WORKERS];               /* waits in the kernel */
bool attention[WORKERS]; bool in_device[WORKERS]; bool waits[WORKERS];
bool is_running = 1; bool is_ending; bool pending;
byte output; byte flushed; byte flushing;
bool killed;                         /* by the default action: nothing is promised */
byte ends;                           /* how often the process has exited */
#define OVER (ends > 0)
byte steps; bool root_has_ended;
byte kind;                           /* 0: the root ends; 1: deadlock; 2: errors */

inline enter(me)
{
    if
    :: solo[me] || world == me
    :: else ->
        waits[me] = 1;
        atomic { world == NOBODY -> world = me; waits[me] = 0 }
    fi
}

inline leave(me) { atomic { if :: world == me -> world = NOBODY :: else fi } }

inline flush()
{
    atomic {
        assert(!in_device[0] && !in_device[1] && flushing == 0 && flushed == 0);
        flushing++
    }
    atomic { flushed = output; flushing-- }
}

inline end_program()
{
    if :: !is_ending -> is_ending = 1; flush() :: else fi;
    atomic { assert(killed || (flushed == output && flushing == 0)); ends++; assert(ends == 1) }
}

/* stop_the_world, bounded; the report; rt_end */
inline fail(me)
{
    enter(me);
    if
    :: !solo[me] ->
        attention[1 - me] = 1;
        if
        :: waits[1 - me] || asleep[1 - me]
        :: true                                  /* it is in C for long: not waited for */
        fi
    :: else
    fi;
#if NEGATIVE == 3
    leave(me);
#endif
    end_program()
}

inline serve(me)
{
    attention[me] = 0;
    enter(me);
    if :: pending -> end_program() :: else fi;
    leave(me)
}

inline run_process(me)
{
    on_process[me] = 1;
    steps++;
    on_process[me] = 0;
    enter(me);                                   /* C: the device */
    in_device[me] = 1;
    output++;
    in_device[me] = 0;
    leave(me)
}

proctype worker(byte me) provided (!frozen[me] || OVER)
{
    {
    do
    :: steps < STEPS -> run_process(me)
    :: attention[me] -> serve(me)
    :: kind == 2 -> fail(me)
    :: atomic { kind == 0 && steps >= STEPS && !root_has_ended -> root_has_ended = 1 }
        /* the last branch resumes main, on this worker; the other one may be at attention */
#if NEGATIVE != 2
        enter(me);
#endif
        is_running = 0;
        end_program()
    :: !solo[me] ->                              /* it finds nothing ready */
        atomic {
            if
            :: asleep[1 - me] -> solo[me] = 1
            :: else -> asleep[me] = 1; attention[me] = 0
            fi
        }
        if :: asleep[me] -> OVER :: else fi      /* nobody is woken in this model */
    :: solo[me] && kind == 1 && steps >= STEPS -> /* wait_idle */
        if
        :: is_idle[me] = 1;                      /* a device may bring something: it waits for a while */
            if :: pending -> is_idle[me] = 0; end_program() :: else fi;
            is_idle[me] = 0
        :: true
        fi;
        end_program()
    od
    } unless { OVER }
}

/* The kernel gives the signal to a thread; one that sleeps sends it on to an active one. */
active proctype signal()
{
    byte t;
    {
    if
    :: true ->
again:
        if
        :: atomic { !asleep[0] && !frozen[0] -> frozen[0] = 1; t = 0 }
        :: atomic { !asleep[1] && !frozen[1] -> frozen[1] = 1; t = 1 }
        fi;
        if
        :: !is_running || is_ending -> atomic { killed = 1; ends++ }
        :: else ->
            if
            :: is_idle[t] -> end_program()
            :: !is_idle[t] && (on_process[t] || (NEGATIVE == 4 && solo[t])) && solo[t] -> end_program()
            :: !is_idle[t] && on_process[t] && !solo[t] ->
#if NEGATIVE == 1
                end_program()
#else
                atomic { if :: world == NOBODY -> world = HANDLER :: else fi }
                if :: world == HANDLER -> end_program() :: else fi
#endif
            :: else
            fi
        fi;
        pending = 1;
        if :: !asleep[0] -> attention[0] = 1 :: else fi;
        if :: !asleep[1] -> attention[1] = 1 :: else fi;
        frozen[t] = 0;
        goto again                               /* the alarm */
    :: true
    fi
    } unless { OVER }
}

init {
    atomic {
        if :: kind = 0 :: kind = 1 :: kind = 2 fi;
        run worker(0); run worker(1)
    }
    OVER;
}
