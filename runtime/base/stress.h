/* stress -- every switch of a test build that makes bugs likelier, with what it provokes.
 *
 * All are off unless given on the command line (-DRT_STRESS_...=1); none changes what a correct
 * program can observe. Run-time switches of every build: OCC_PAINT (paint.h), OCC_SEED (worker.h),
 * OCC_TIME=virtual (time_source.h). */
#ifndef RT_STRESS_H
#define RT_STRESS_H

/* Fill a freed heap object and a freed large block with 0xDD: use after free is seen at once. */
#ifndef RT_STRESS_POISON
#define RT_STRESS_POISON 0
#endif

/* Run the _check functions of the structures at passes through the scheduler: at each of the first
 * thousand, then at one of RT_STRESS_CHECK_EVERY (they are linear in the processes). */
#ifndef RT_STRESS_CHECKS
#define RT_STRESS_CHECKS 0
#endif
#define RT_STRESS_CHECK_FIRST 1000
#define RT_STRESS_CHECK_EVERY 4093

/* Ask for attention after every pass through the scheduler: each park takes the slow half. */
#ifndef RT_STRESS_ATTENTION
#define RT_STRESS_ATTENTION 0
#endif

/* Leave solo whenever another worker could have work, whatever the grain, and stay so. */
#ifndef RT_STRESS_SHARE
#define RT_STRESS_SHARE 0
#endif

/* A thread about to touch shared words sometimes waits there, for moments or until others have
 * run. */
#ifndef RT_STRESS_DELAY
#define RT_STRESS_DELAY 0
#endif

#endif
