/* seconds -- how long something has taken. */
#ifndef OCCC_SECONDS_H
#define OCCC_SECONDS_H

/* seconds_now -- by a clock that is never set; only differences have a meaning. */
double seconds_now(void);

#endif
