/* version -- the compiler's version, stated once: the Makefile reads it here. */
#ifndef OCCC_VERSION_H
#define OCCC_VERSION_H

#define OCCC_VERSION "0.1.0"

#endif
