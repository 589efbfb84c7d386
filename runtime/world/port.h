/* port -- input and output on PORTs.
 *
 * Owns:   the file that stands for the port space: OCC_PORTS, or /dev/port (which needs root).
 * Leaves: reading and writing at an offset to os.h.
 * Holds:  no file is kept open: PORTs are rarely used. */
#ifndef RT_PORT_H
#define RT_PORT_H

#include "layout.h"

/* abi.def */
void rt_port_input(Process *me, void *port, void *into, int64_t size_bytes, const Site *site);
void rt_port_output(Process *me, void *port, void *from, int64_t size_bytes, const Site *site);

#endif
