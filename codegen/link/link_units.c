/* link_units -- see the header. */
#include "link_units.h"

#include "../../frontend/base/text.h"

#include <string.h>

#define PROGRAM_PREFIX "occ.program."

/* ---- do they fit? ---- */

typedef struct Provider {
    const LinkObject *object; /* NULL: the unit is nowhere */
    bool is_fit;              /* its interface is the one that the user was compiled with */
} Provider;

/* A copy that was compiled into another object serves only that object, unless it fits. */
static Provider provider_of(const LinkInput *input, const InterfaceUse *use) {
    Provider found = {NULL, false};
    for (size_t i = 0; i < input->objects.count; i++) {
        const LinkObject *object = input->objects.items[i];
        for (size_t k = 0; k < object->units.count; k++) {
            const Interface *unit = object->units.items[k];
            bool is_fit = strcmp(unit->digest, use->digest) == 0;
            bool counts = is_fit ? !found.is_fit : !found.object && !unit->within;
            if (strcmp(unit->name, use->name) == 0 && counts) {
                found = (Provider){object, is_fit};
            }
        }
    }
    return found;
}

/* A missing symbol that belongs to the unit. */
static const char *missing_symbol(const LinkInput *input, const char *unit) {
    size_t length = strlen(unit);
    for (size_t i = 0; i < input->wanted.count; i++) {
        const char *symbol = input->wanted.items[i];
        if (strncmp(symbol, unit, length) == 0 && symbol[length] == '.' &&
            link_input_is_missing(input, symbol)) {
            return symbol;
        }
    }
    return NULL;
}

static const char *check_uses(Arena *arena, const LinkInput *input, const LinkObject *user) {
    for (size_t i = 0; i < user->units.count; i++) {
        const Interface *unit = user->units.items[i];
        for (size_t k = 0; k < unit->uses.count; k++) {
            const InterfaceUse *use = &unit->uses.items[k];
            Provider provider = use->object ? provider_of(input, use) : (Provider){NULL, false};
            if (use->object && !provider.object && missing_symbol(input, use->name)) {
                return arena_format(arena,
                                    "'%s' uses the unit '%s', which cannot be found (it was in "
                                    "'%s'); name its object, or its folder with -L",
                                    user->name, use->name, use->object);
            }
            if (provider.object && !provider.is_fit) {
                return arena_format(arena,
                                    "'%s' was compiled with an interface of unit '%s' that "
                                    "differs from that of '%s'; compile it again",
                                    user->name, use->name, provider.object->name);
            }
        }
    }
    return NULL;
}

static const char *check_duplicates(Arena *arena, const LinkInput *input) {
    NameMap owners = {.arena = arena};
    for (size_t i = 0; i < input->objects.count; i++) {
        const LinkObject *object = input->objects.items[i];
        for (size_t k = 0; object->table && k < object->table->entries.count; k++) {
            const char *name = object->table->entries.items[k]->name;
            void **owner = name_map_at(&owners, name, strlen(name));
            if (*owner) {
                const LinkObject *first = *owner;
                return arena_format(arena,
                                    "'%s' is in '%s' and in '%s': two units of one name cannot be "
                                    "in one program; rename a file and compile it again",
                                    name, first->name, object->name);
            }
            *owner = (void *)object;
        }
    }
    return NULL;
}

const char *link_units_check(Arena *arena, const LinkInput *input) {
    const char *fault = NULL;
    for (size_t i = 0; i < input->objects.count && !fault; i++) {
        fault = check_uses(arena, input, input->objects.items[i]);
    }
    return fault ? fault : check_duplicates(arena, input);
}

/* ---- the program ---- */

static bool is_used(const LinkInput *input, const char *unit) {
    for (size_t i = 0; i < input->objects.count; i++) {
        const Interfaces *units = &input->objects.items[i]->units;
        for (size_t k = 0; k < units->count; k++) {
            for (size_t n = 0; n < units->items[k]->uses.count; n++) {
                if (strcmp(units->items[k]->uses.items[n].name, unit) == 0) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* The main PROCs found; an ordinary one goes before those of separately compiled units. */
typedef struct Candidates {
    const LinkObject *objects[2];
    LinkWords symbols;
    bool is_ordinary;
} Candidates;

static void add_candidate(Arena *arena, Candidates *found, const LinkInput *input,
                          const LinkObject *object, const char *name) {
    bool is_ordinary = strcmp(name, PROGRAM_SYMBOL) == 0;
    size_t prefix = strlen(PROGRAM_PREFIX);
    if (!is_ordinary && (strncmp(name, PROGRAM_PREFIX, prefix) != 0 || found->is_ordinary ||
                         is_used(input, name + prefix))) {
        return;
    }
    if (is_ordinary && !found->is_ordinary) {
        *found = (Candidates){.is_ordinary = true};
    }
    if (found->symbols.count < 2) {
        found->objects[found->symbols.count] = object;
    }
    array_push(arena, &found->symbols, name);
}

const char *link_units_main(Arena *arena, const LinkInput *input, bool may_be_many,
                            LinkWords *symbols) {
    Candidates found = {0};
    for (size_t i = 0; i < input->objects.count; i++) {
        const LinkObject *object = input->objects.items[i];
        for (size_t k = 1; k < object->elf.symbol_count; k++) {
            const Elf64_Sym *one = &object->elf.symbols[k];
            if (one->st_shndx != SHN_UNDEF) {
                add_candidate(arena, &found, input, object, elf_symbol_name(&object->elf, one));
            }
        }
    }
    if (found.symbols.count > 1 && !may_be_many) {
        return arena_format(arena, "two main PROCs: in '%s' and in '%s'", found.objects[0]->name,
                            found.objects[1]->name);
    }
    *symbols = found.symbols;
    return found.symbols.count
               ? NULL
               : "no main PROC in what is linked: the last PROC of the program's file, "
                 "whose parameters are its channels keyboard, screen and error, or fs and ts";
}
