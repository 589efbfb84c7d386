/* check_main -- the program: the last PROC of the outermost level, and which of keyboard, screen
 * and error its parameters are (language.md 5.1).
 *
 * A parameter's role is told by the beginning of its name, else by a part of it, else by its
 * direction; a name that contradicts the direction tells nothing. */
#include "check.h"

#include <ctype.h>

static const char *const role_names[] = {"keyboard", "screen", "error"};

typedef struct RoleWord {
    const char *word;
    MainChannel role;
} RoleWord;

static const RoleWord role_words[] = {
    {"key", MAIN_KEYBOARD}, {"kyb", MAIN_KEYBOARD}, {"kb", MAIN_KEYBOARD}, {"in", MAIN_KEYBOARD},
    {"scr", MAIN_SCREEN},   {"out", MAIN_SCREEN},   {"err", MAIN_ERROR},
};

#define ROLE_WORD_COUNT (sizeof role_words / sizeof *role_words)

static bool begins_with(const char *name, const char *word) {
    while (*word && tolower((unsigned char)*name) == *word) {
        name++;
        word++;
    }
    return *word == 0;
}

static bool contains(const char *name, const char *word) {
    for (; *name; name++) {
        if (begins_with(name, word)) {
            return true;
        }
    }
    return false;
}

static bool agrees(MainChannel role, Direction direction) {
    Direction wanted = role == MAIN_KEYBOARD ? DIRECTION_INPUT : DIRECTION_OUTPUT;
    return direction == DIRECTION_NONE || direction == wanted;
}

static bool role_by_name(const char *name, Direction direction, MainChannel *role) {
    for (size_t i = 0; i < ROLE_WORD_COUNT; i++) {
        if (begins_with(name, role_words[i].word) && agrees(role_words[i].role, direction)) {
            *role = role_words[i].role;
            return true;
        }
    }
    for (size_t i = 0; i < ROLE_WORD_COUNT; i++) {
        if (contains(name, role_words[i].word) && agrees(role_words[i].role, direction)) {
            *role = role_words[i].role;
            return true;
        }
    }
    return false;
}

/* One input is the keyboard; one output without a telling name is the screen. */
static bool role_by_direction(Direction direction, MainChannel *role) {
    *role = direction == DIRECTION_INPUT ? MAIN_KEYBOARD : MAIN_SCREEN;
    return direction != DIRECTION_NONE;
}

bool check_main_role(const char *name, Direction direction, MainChannel *role) {
    return role_by_name(name, direction, role) || role_by_direction(direction, role);
}

static bool check_formal_shape(Compiler *compiler, const Symbol *formal) {
    const Type *type = formal->type;
    if (type_is_error(type)) {
        return false;
    }
    bool is_channel = type->kind == TYPE_CHANNEL;
    if (!is_channel || type_base(type->channel.protocol)->kind != TYPE_BYTE) {
        diag_report(compiler->diag, DIAG_TYPES_MAIN_PARAMETER, formal->at, formal->name->bytes,
                    type_name(compiler->arena, type));
        diag_hint(compiler->diag, "the program's PROC takes CHAN BYTE keyboard?, screen!, error!, "
                                  "or some of them");
        return false;
    }
    return true;
}

typedef struct MainFormal {
    const Symbol *symbol;
    bool is_known;
} MainFormal;

/* Two formals cannot be the same channel. */
static bool check_distinct(Compiler *compiler, const MainFormal *formals, const MainChannel *roles,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (roles[i] == roles[k]) {
                diag_report(compiler->diag, DIAG_TYPES_MAIN_ROLE, formals[i].symbol->at,
                            formals[i].symbol->name->bytes, formals[k].symbol->name->bytes,
                            role_names[roles[i]]);
                diag_label(compiler->diag, formals[k].symbol->at, "the first");
                diag_hint(compiler->diag, "name them keyboard, screen and error");
                return false;
            }
        }
    }
    return true;
}

/* The field knows them in one order only: keyboard, screen, error. */
static bool check_order(Compiler *compiler, const MainFormal *formals, const MainChannel *roles,
                        size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (roles[i] < roles[i - 1]) {
            diag_report(compiler->diag, DIAG_TYPES_MAIN_ORDER, formals[i].symbol->at,
                        role_names[roles[i]], formals[i].symbol->name->bytes,
                        role_names[roles[i - 1]], formals[i - 1].symbol->name->bytes);
            diag_hint(compiler->diag, "the order is keyboard, screen, error");
            return false;
        }
    }
    return true;
}

static bool find_roles(Compiler *compiler, const NodeList *formals, MainChannel *roles) {
    MainFormal known[MAIN_CHANNEL_LIMIT];
    for (size_t i = 0; i < formals->count; i++) {
        const Node *formal = formals->items[i];
        known[i].symbol = formal->kind == NODE_FORMAL ? formal->formal.def->def.symbol : NULL;
        if (!known[i].symbol || !check_formal_shape(compiler, known[i].symbol)) {
            return false;
        }
        const Symbol *symbol = known[i].symbol;
        known[i].is_known = check_main_role(symbol->name->bytes, symbol->direction, &roles[i]);
        if (!known[i].is_known) {
            diag_report(compiler->diag, DIAG_TYPES_MAIN_UNCLEAR, known[i].symbol->at,
                        known[i].symbol->name->bytes);
            diag_hint(compiler->diag, "name it keyboard, screen or error, or give its direction");
            return false;
        }
    }
    return check_distinct(compiler, known, roles, formals->count) &&
           check_order(compiler, known, roles, formals->count);
}

bool check_main_formals(Compiler *compiler, const Node *proc,
                        MainChannel roles[MAIN_CHANNEL_LIMIT]) {
    const NodeList *formals = &proc->proc.formals;
    if (formals->count > MAIN_CHANNEL_LIMIT) {
        diag_report(compiler->diag, DIAG_TYPES_MAIN_COUNT, proc->proc.def->at,
                    proc->proc.def->def.name->bytes, formals->count);
        diag_hint(compiler->diag, "the last PROC of the file is the program: its parameters are "
                                  "keyboard, screen and error, or some of them");
        return false;
    }
    return find_roles(compiler, formals, roles);
}

Symbol *check_find_main(Compiler *compiler, Node *unit, MainChannel roles[MAIN_CHANNEL_LIMIT],
                        size_t *role_count) {
    Node *proc = node_last_proc(unit);
    *role_count = 0;
    if (!proc) {
        diag_report(compiler->diag, DIAG_TYPES_MAIN_MISSING, unit->at);
        diag_hint(compiler->diag, "the last PROC of the file is the program; use -c for a library");
        return NULL;
    }
    if (!check_main_formals(compiler, proc, roles)) {
        return NULL;
    }
    const ProcInfo *info = proc->proc.info;
    if (info && info->suspends) {
        diag_report(compiler->diag, DIAG_TYPES_SUSPEND, info->suspends_at, "the program");
        diag_label(compiler->diag, proc->proc.def->at, "the last PROC is the program");
        return NULL;
    }
    *role_count = proc->proc.formals.count;
    return proc->proc.def->def.symbol;
}
