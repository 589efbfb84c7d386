/* export_text -- names in models. See the header. */
#include "export_text.h"

enum { NAME_BYTES = 24 };

static const char *name_of(Arena *arena, const char *what, unsigned number, const char *name) {
    char kept[NAME_BYTES + 1];
    size_t length = 0;
    for (; name[length] && length < NAME_BYTES; length++) {
        char byte = name[length];
        bool is_kept = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                       (byte >= '0' && byte <= '9');
        kept[length] = is_kept ? byte : '_';
    }
    kept[length] = '\0';
    return arena_format(arena, "%s%u_%s", what, number, kept);
}

const char *export_channel_name(Arena *arena, const SkeletonChannel *channel) {
    return name_of(arena, channel->is_mutex ? "m" : "c", channel->number, channel->name);
}

const char *export_variable_name(Arena *arena, const SkeletonVariable *variable) {
    return name_of(arena, "i", variable->number, variable->name);
}
