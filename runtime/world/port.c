/* port -- the port space as a file. See port.h. */
#include "port.h"

#include "os.h"
#include "stop.h"

#include <stdlib.h>

static const char *port_file(void) {
    const char *path = getenv("OCC_PORTS");
    return path != NULL && *path != '\0' ? path : "/dev/port";
}

void rt_port_input(Process *me, void *port, void *into, int64_t size_bytes, const Site *site) {
    int64_t at = (int64_t)(intptr_t)port;
    if (!os_read_at(port_file(), at, into, (size_t)size_bytes)) {
        rt_fail(me, ERROR_PORT, site, at, 0, 0);
    }
}

void rt_port_output(Process *me, void *port, void *from, int64_t size_bytes, const Site *site) {
    int64_t at = (int64_t)(intptr_t)port;
    if (!os_write_at(port_file(), at, from, (size_t)size_bytes)) {
        rt_fail(me, ERROR_PORT, site, at, 0, 0);
    }
}
