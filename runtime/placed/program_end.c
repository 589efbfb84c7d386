/* program_end -- see program_end.h.
 *
 * Holds:  an output goes on at once, as on the screen itself, which buffers: the proxy of the
 *         placement makes the outputs there, in order. */
#include "program_end.h"

#include "device.h"
#include "ending.h"
#include "report.h"

#include <string.h>

typedef struct ProgramEnd {
    Device device; /* first */
    Channel channel;
    Machine *machine;
    const Copy *copy;
    uint64_t address;
} ProgramEnd;

static Process *program_output(Process *me, Device *device, const void *data, size_t size_bytes,
                               const Site *site) {
    (void)site;
    const ProgramEnd *end = (const ProgramEnd *)(const void *)device;
    Message *message = message_make(MESSAGE_OUTPUT, end->address, size_bytes);
    message->number = (uintptr_t)end->copy->agent;
    memcpy(message->bytes, data, size_bytes);
    message_send(end->machine, end->copy->parent, message);
    return me;
}

/* The keyboard is read only on the machine of the program. */
static Process *program_input(Process *me, Device *device, void *data, size_t size_bytes,
                              const Site *site) {
    (void)me, (void)device, (void)data, (void)size_bytes;
    ReportText text = {.length = 0};
    report_add(&text,
               "%s:%u:%u: not supported yet: input of the program in a placement on another "
               "machine; input it outside of the PLACED PAR, or in a placement on processor 0",
               site->file, (unsigned)site->line, (unsigned)site->column);
    rt_fatal(text.bytes, 0);
}

static bool program_is_ready(Device *device) {
    (void)device;
    return true;
}

static const DeviceKind program_kind = {.name = "input or output of the program",
                                        .input = program_input,
                                        .output = program_output,
                                        .is_ready = program_is_ready};

size_t program_end_bytes(void) {
    return sizeof(ProgramEnd);
}

Channel *program_end_make(void *memory, Machine *machine, const Copy *copy,
                          const ProgramChannel *channel) {
    ProgramEnd *end = memory;
    Channel *here = channel->here != NULL ? channel->here : &end->channel;
    device_init(&end->device, &program_kind, here, -1);
    end->machine = machine;
    end->copy = copy;
    end->address = channel->address;
    return here;
}

bool program_end_is(const Channel *channel) {
    uintptr_t word = channel->word;
    return channel_tag(word) == TAG_DEVICE && device_of(word)->kind == &program_kind;
}
