/* seconds -- how long something has taken. */
#ifndef OCCC_SECONDS_H
#define OCCC_SECONDS_H

/* seconds_now -- on a clock that nobody sets; the difference of two counts. */
double seconds_now(void);

#endif
