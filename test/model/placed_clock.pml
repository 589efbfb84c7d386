/* A clock over machines (runtime/placed/placed_clock.c, decision 0060): PLACES placements with MEMBERS processes each, which
 * go through PHASES phases or drop the clock in any of them. A placement has a clock of its own, on which its home is one more
 * member; at home each placement is one. Messages between two machines keep their order.
 *
 * A step is what a process or a machine does in the world. Holds: nobody begins a phase before all members of all
 * placements have come to its end; nobody waits for ever (no invalid end state). NEGATIVE=1: the placement's home is no
 * member there, so its phase ends by itself. 2: a process that has resigned joins again between ARRIVED and GO. 3: GO is sent at
 * once, not when the phase has ended at home. 4: a placement that nobody is a member of any more does not say so.
 *
 * SIZES: -DPHASES=3
 * CONTROLS: 4 */
#ifndef PLACES
#define PLACES 2
#endif
#ifndef MEMBERS
#define MEMBERS 2
#endif
#ifndef PHASES
#define PHASES 2
#endif
#ifndef NEGATIVE
#define NEGATIVE 0
#endif
#define ALL (PLACES * MEMBERS)

mtype = { ARRIVED, GONE, GO };
chan to_home[PLACES] = [3] of { mtype };
chan to_place[PLACES] = [2] of { mtype };

byte unarrived[PLACES], registered[PLACES], phase[PLACES]; /* of the placements' clocks */
bool told[PLACES], told_gone[PLACES];
byte home_unarrived = PLACES, home_registered = PLACES, home_phase;
bool waited[PLACES];
byte waits_for[PLACES]; /* the phase that the branch is in */
byte has_come[ALL];     /* ghosts: ends of phases that it has come to; all, when it has left */

inline check_crossing(number)
{
    who = 0;
    do
    :: who < ALL -> assert(has_come[who] >= (number) + 1); who++
    :: else -> break
    od;
    who = 0
}

/* One of the placement arrives; its home never is among those, so a phase ends by GO. */
inline arrive(place)
{
    assert(unarrived[place] > 0);
    unarrived[place]--;
    if
    :: unarrived[place] == 0 -> phase[place]++; unarrived[place] = registered[place]
    :: else
    fi
}

proctype member(byte me)
{
    byte place = me / MEMBERS, mine = 0, who = 0;
    bool has_resigned = false;
    do
    :: mine < PHASES ->
        if
        :: true
        :: atomic { registered[place]--; unarrived[place]--; has_come[me] = PHASES + 1; goto left } /* DROP */
        :: NEGATIVE == 2 && !has_resigned ->
            atomic {
                has_resigned = true; has_come[me] = PHASES + 1;
                registered[place]--; unarrived[place]--
            }
            atomic {
                mine = phase[place];
                if :: mine >= PHASES -> goto left :: else fi;
                has_come[me] = mine;
                registered[place]++; unarrived[place]++
            }
        fi;
        atomic { has_come[me] = mine + 1; arrive(place) }
        atomic { phase[place] > mine -> check_crossing(mine); mine++ }
    :: else -> break
    od;
    atomic { registered[place]--; unarrived[place]--; has_come[me] = PHASES + 1 }
left:
    skip
}

/* What a machine of a placement does: looks, and hears. */
proctype machine(byte place)
{
    do
    :: atomic {
        NEGATIVE != 1 && unarrived[place] == 1 && registered[place] > 1 && !told[place] ->
        told[place] = true; to_home[place]!ARRIVED
    }
    :: atomic {
        unarrived[place] == (NEGATIVE == 1 -> 0 : 1) && registered[place] == unarrived[place] && !told_gone[place] && NEGATIVE != 4 ->
        told_gone[place] = true; to_home[place]!GONE
    }
    :: atomic { to_place[place]?GO -> told[place] = false; arrive(place) }
    :: atomic { home_registered == 0 && empty(to_place[place]) -> break }
    od
}

inline home_arrive()
{
    if
    :: home_unarrived == 1 -> home_phase++; home_unarrived = home_registered
    :: else -> home_unarrived--
    fi
}

inline home_leave(place)
{
    if
    :: waited[place] && waits_for[place] == home_phase -> home_registered--
    :: else ->
        if
        :: home_unarrived == 1 && home_registered > 1 -> home_phase++; home_unarrived = home_registered
        :: else
        fi;
        home_unarrived--; home_registered--
    fi;
    waited[place] = false
}

active proctype home()
{
    byte i;
    do
    :: home_registered == 0 -> break
    :: else ->
        if
        :: atomic { to_home[0]?ARRIVED -> waited[0] = true; home_arrive() }
        :: atomic { to_home[1]?ARRIVED -> waited[1] = true; home_arrive() }
        :: atomic { to_home[0]?GONE -> home_leave(0) }
        :: atomic { to_home[1]?GONE -> home_leave(1) }
        :: atomic { waited[0] && (home_phase > waits_for[0] || NEGATIVE == 3) -> waited[0] = false; waits_for[0]++; to_place[0]!GO }
        :: atomic { waited[1] && (home_phase > waits_for[1] || NEGATIVE == 3) -> waited[1] = false; waits_for[1]++; to_place[1]!GO }
        fi
    od
}

init {
    byte i;
    atomic {
        do
        :: i < PLACES ->
            unarrived[i] = MEMBERS + (NEGATIVE != 1); registered[i] = unarrived[i];
            run machine(i); i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < ALL -> run member(i); i++
        :: else -> break
        od
    }
}
