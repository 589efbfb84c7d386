/* start_text -- see start_text.h. */
#include "start_text.h"

#include "program_end.h"
#include "shared_end.h"

#include <string.h>

/* Piece -- memory of a copy; ends to be taken out of their table. */
typedef struct Piece {
    struct Piece *next;
    RemoteEnd *end; /* or NULL */
    _Alignas(CACHE_LINE_BYTES) unsigned char bytes[];
} Piece;

/* ---- names ---- */

static unsigned char *at_offset(void *environment, uint32_t offset) {
    return (unsigned char *)environment + offset;
}

static size_t elements_of(const PlacedName *name, void *environment) {
    size_t count = name->size;
    for (uint32_t i = 0; i < name->open; i++) {
        int32_t open;
        memcpy(&open, at_offset(environment, name->offset + 8 * (i + 1)), sizeof open);
        count *= (size_t)open;
    }
    return count;
}

static void *address_of(const PlacedName *name, void *environment) {
    void *address;
    memcpy(&address, at_offset(environment, name->offset), sizeof address);
    return address;
}

size_t start_text_channels(const PlacedName *name, void *environment) {
    return name->kind == PLACED_CHANNEL    ? 1
           : name->kind == PLACED_CHANNELS ? elements_of(name, environment)
                                           : 0;
}

Channel **start_text_channel(const PlacedName *name, void *environment) {
    return name->kind == PLACED_CHANNEL ? (Channel **)(void *)at_offset(environment, name->offset)
                                        : (Channel **)address_of(name, environment);
}

/* ---- writing ---- */

/* Writer -- bytes NULL: only counts how many there will be. */
typedef struct Writer {
    unsigned char *bytes;
    size_t size;
} Writer;

static void put(Writer *writer, const void *bytes, size_t size) {
    if (writer->bytes != NULL && size > 0) {
        memcpy(writer->bytes + writer->size, bytes, size);
    }
    writer->size += size;
}

/* ChannelText -- a channel in a START. */
typedef struct ChannelText {
    uint64_t number; /* of its link */
    const Site *closed;
    uint64_t program; /* a channel of the program: its address on the parent's machine; else 0 */
} ChannelText;

static bool is_of_program(const Channel *channel) {
    return channel_tag(channel->word) == TAG_DEVICE && remote_end_of_channel(channel) == NULL;
}

/* A channel of the program has a link like any other; only turns need its number. */
static void put_channel(Writer *writer, Machine *machine, uint32_t to, const Channel *channel) {
    Link *link = link_of_channel(machine, channel);
    const ChannelText text = {.number = link->number,
                              .closed = link->closed,
                              .program = is_of_program(channel) ? (uintptr_t)channel : 0};
    put(writer, &text, sizeof text);
    if (writer->bytes != NULL) {
        link_add_member(link, to);
    }
}

static void put_name(Writer *writer, Machine *machine, uint32_t to, const PlacedName *name,
                     const StartHead *head) {
    void *environment = head->scope;
    put(writer, at_offset(environment, name->offset + 8), 8 * (size_t)name->open);
    size_t channels = start_text_channels(name, environment);
    for (size_t i = 0; i < channels; i++) {
        put_channel(writer, machine, to, start_text_channel(name, environment)[i]);
    }
    if (name->kind == PLACED_VALUE) {
        put(writer, at_offset(environment, name->offset), 8);
    } else if (name->kind == PLACED_DATA) {
        put(writer, address_of(name, environment), elements_of(name, environment));
    } else if (name->kind == PLACED_CLOCK) {
        ClockText text = clock_home_text(head->clocks, name->size);
        put(writer, &text, sizeof text);
    }
}

static size_t write_all(Machine *machine, uint32_t to, const StartHead *head,
                        unsigned char *bytes) {
    const PlacedPar *par = head->component->par;
    Writer writer = {bytes, 0};
    put(&writer, head, sizeof *head);
    for (uint32_t i = 0; i < par->count; i++) {
        if (head->component->uses[i] != 0) {
            put_name(&writer, machine, to, &par->names[i], head);
        }
    }
    return writer.size;
}

Message *start_text_make(Machine *machine, uint32_t to, const StartHead *head) {
    size_t size = write_all(machine, to, head, NULL);
    Message *message = message_make(MESSAGE_START, 0, size);
    (void)write_all(machine, to, head, message->bytes);
    return message;
}

/* ---- reading ---- */

const StartHead *start_text_head(const Message *message) {
    return (const StartHead *)(const void *)message->bytes;
}

static void *take_memory(Copy *copy, size_t size) {
    Piece *piece = machine_memory(sizeof *piece + size);
    piece->next = copy->pieces;
    copy->pieces = piece;
    return piece->bytes;
}

static const unsigned char *get(const unsigned char **at, size_t size) {
    const unsigned char *bytes = *at;
    *at += size;
    return bytes;
}

static Channel *get_end(Copy *copy, Machine *machine, const PlacedName *name,
                        const ChannelText *text) {
    RemoteEnd *end = take_memory(copy, sizeof *end);
    copy->pieces->end = end;
    remote_end_begin(end, machine, text->number, text->closed);
    if (name->shared != 0) {
        end->copy = copy;
        RemoteEnd *twin = take_memory(copy, sizeof *twin);
        copy->pieces->end = twin;
        remote_end_add_twin(end, twin);
        shared_end_begin(end, name->shared, false);
    }
    return end->device.channel;
}

static Channel *get_channel(Copy *copy, Machine *machine, const PlacedName *name,
                            const unsigned char **at) {
    ChannelText text;
    memcpy(&text, get(at, sizeof text), sizeof text);
    bool is_program = text.program != 0;
    if (is_program && copy->parent == machine->number) {
        return (Channel *)(uintptr_t)text.program;
    }
    Channel *channel = NULL;
    if (!is_program || name->shared != 0) {
        channel = get_end(copy, machine, name, &text);
    }
    if (is_program) {
        void *memory = take_memory(copy, program_end_bytes());
        channel = program_end_make(memory, machine, copy, &(ProgramChannel){channel, text.program});
    }
    return channel;
}

static void get_clock(Copy *copy, Machine *machine, void *place, const unsigned char **at) {
    ClockText text;
    memcpy(&text, get(at, sizeof text), sizeof text);
    Registration *lender =
        clock_copy_make(take_memory(copy, clock_copy_bytes()), machine, copy, &text);
    memcpy(place, &lender, sizeof lender);
}

static void get_name(Copy *copy, Machine *machine, const PlacedName *name,
                     const unsigned char **at) {
    unsigned char *place = at_offset(copy->environment, name->offset);
    if (name->open > 0) {
        memcpy(place + 8, get(at, 8 * (size_t)name->open), 8 * (size_t)name->open);
    }
    size_t channels = start_text_channels(name, copy->environment);
    if (name->kind == PLACED_CHANNELS || name->kind == PLACED_DATA) {
        size_t size = name->kind == PLACED_DATA ? elements_of(name, copy->environment)
                                                : channels * sizeof(Channel *);
        void *memory = take_memory(copy, size);
        memcpy(place, &memory, sizeof memory);
        if (name->kind == PLACED_DATA) {
            memcpy(memory, get(at, size), size);
        }
    }
    for (size_t i = 0; i < channels; i++) {
        start_text_channel(name, copy->environment)[i] = get_channel(copy, machine, name, at);
    }
    if (name->kind == PLACED_VALUE) {
        memcpy(place, get(at, 8), 8);
    } else if (name->kind == PLACED_CLOCK) {
        get_clock(copy, machine, place, at);
    }
}

Copy *start_text_read(Machine *machine, const Message *message) {
    const StartHead *head = start_text_head(message);
    const PlacedPar *par = head->component->par;
    Copy *copy = machine_memory(sizeof *copy);
    copy->parent = message->from;
    copy->agent = head->agent;
    copy->scope = head->scope;
    copy->environment = take_memory(copy, par->environment_bytes);
    *(Join *)copy->environment = (Join){PLACED_COPY, NULL};
    const unsigned char *at = message->bytes + sizeof *head;
    for (uint32_t i = 0; i < par->count; i++) {
        if (head->component->uses[i] != 0) {
            get_name(copy, machine, &par->names[i], &at);
        }
    }
    return copy;
}

void start_text_free(Copy *copy) {
    while (copy->pieces != NULL) {
        Piece *piece = copy->pieces;
        copy->pieces = piece->next;
        if (piece->end != NULL) {
            shared_end_end(NULL, piece->end);
            remote_end_end(piece->end);
        }
        machine_free(piece);
    }
    machine_free(copy);
}
