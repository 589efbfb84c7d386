/* interface -- records of units: what is written is read again, damage is found, and the digest
 * changes with what others can notice. */
#include "interface.h"

#include <assert.h>
#include <string.h>

static Interface sample(Arena *arena, const char *text) {
    Interface interface = {.compiler = "1.2", .mode = "halt", .name = "tool"};
    InterfaceSource source = {"0123456789abcdef", "folder with blanks/tool.occ"};
    InterfaceUse use = {"base", "fedcba9876543210", "other folder/base.o"};
    InterfaceUse inside = {"part", "fedcba9876543211", NULL};
    array_push(arena, &interface.sources, source);
    array_push(arena, &interface.uses, use);
    array_push(arena, &interface.uses, inside);
    array_push(arena, &interface.defines, "TOOL");
    array_push(arena, &interface.defines, "LIMIT 3");
    interface.text = text;
    interface.text_length = strlen(text);
    return interface;
}

static void test_interface__is_read_as_it_was_written(void) {
    Arena *arena = arena_create();
    Interface first = sample(arena, "VAL INT a IS 1:\nend\n");
    Interface second = sample(arena, "");
    second.within = "tool";
    size_t lengths[2];
    const char *parts[] = {interface_encode(arena, &first, &lengths[0]),
                           interface_encode(arena, &second, &lengths[1])};
    const char *both = arena_format(arena, "%s%s", parts[0], parts[1]);
    Interfaces found = {0};
    assert(!interface_decode(arena, both, lengths[0] + lengths[1], &found));
    assert(found.count == 2);
    const Interface *read = found.items[0];
    assert(strcmp(read->name, "tool") == 0 && strcmp(read->digest, first.digest) == 0);
    assert(strcmp(read->sources.items[0].path, "folder with blanks/tool.occ") == 0);
    assert(strcmp(read->uses.items[0].object, "other folder/base.o") == 0);
    assert(!read->uses.items[1].object && !read->within);
    assert(strcmp(read->defines.items[1], "LIMIT 3") == 0);
    assert(read->text_length == first.text_length);
    assert(memcmp(read->text, first.text, first.text_length) == 0);
    assert(strcmp(found.items[1]->within, "tool") == 0 && found.items[1]->text_length == 0);
    arena_destroy(arena);
}

static void test_interface__damage_is_found(void) {
    Arena *arena = arena_create();
    Interface interface = sample(arena, "VAL INT a IS 1:\n");
    size_t length;
    const char *bytes = interface_encode(arena, &interface, &length);
    for (size_t i = 0; i < length; i++) {
        Interfaces found = {0};
        assert(interface_decode(arena, bytes, i, &found) || i == 0); /* cut off */
    }
    const char *text = strstr(bytes, "VAL INT");
    for (const char *at = text; at < text + interface.text_length; at++) {
        char *copy = arena_copy(arena, bytes, length);
        copy[at - bytes] ^= 1;
        Interfaces found = {0};
        assert(interface_decode(arena, copy, length, &found));
    }
    Interfaces found = {0};
    const char *newer = "occ-interface 9 0123456789abcdef\n";
    assert(strstr(interface_decode(arena, newer, strlen(newer), &found), "another version"));
    arena_destroy(arena);
}

static void test_interface__digest_follows_what_others_notice(void) {
    Arena *arena = arena_create();
    size_t length;
    Interface one = sample(arena, "VAL INT a IS 1:\n");
    Interface same = sample(arena, "VAL INT a IS 1:\n");
    Interface other = sample(arena, "VAL INT a IS 2:\n");
    Interface used = sample(arena, "VAL INT a IS 1:\n");
    same.sources.items[0].digest = "ffffffffffffffff";
    same.uses.items[0].object = "elsewhere.o";
    used.uses.items[0].digest = "ffffffffffffffff";
    interface_encode(arena, &one, &length);
    interface_encode(arena, &same, &length);
    interface_encode(arena, &other, &length);
    interface_encode(arena, &used, &length);
    assert(strcmp(one.digest, same.digest) == 0);
    assert(strcmp(one.digest, other.digest) != 0);
    assert(strcmp(one.digest, used.digest) != 0);
    arena_destroy(arena);
}

int main(void) {
    test_interface__is_read_as_it_was_written();
    test_interface__damage_is_found();
    test_interface__digest_follows_what_others_notice();
    return 0;
}
