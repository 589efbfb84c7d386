/* check_heading -- routines that have only a heading here: the #BODY line of an interface or of
 * #PRAGMA EXTERNAL says where the code is.
 *
 *   #BODY occ <flags> <symbol> <directions>- <usage>
 *   #BODY c|b|x|p|r <symbol>
 *
 * Flags: w may wait, c communicates, n goes to other phases of a clock, a has NEXT without names,
 *        s suspends, t is told at its call.
 */
#include "checker.h"

static const char *take_word(Arena *arena, const char **at) {
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " ");
    const char *word = arena_format(arena, "%.*s", (int)length, *at);
    *at += length;
    return word;
}

static BodyKind kind_of(const char *word) {
    switch (word[0]) {
    case 'c': return BODY_C;
    case 'b': return BODY_BLOCKING;
    case 'x': return BODY_EXTERNAL;
    case 'p': return BODY_PLACED;
    case 'r': return BODY_RUNTIME;
    }
    return BODY_OCCAM;
}

static void find_sync_routine(RoutineBody *body) {
    static const struct {
        const char *name;
        bool may_wait;
    } routines[] = {
#define SYNC_ROUTINE(ID, name, may_wait) {name, may_wait},
#include "sync_routine.def"
#undef SYNC_ROUTINE
    };
    body->sync = SYNC_COUNT;
    for (unsigned i = 0; i < SYNC_COUNT; i++) {
        if (strcmp(routines[i].name, body->symbol) == 0) {
            body->sync = (SyncRoutine)i;
            body->may_wait = routines[i].may_wait;
        }
    }
}

static RoutineBody *read_body(Arena *arena, const char *text) {
    RoutineBody *body = arena_new(arena, RoutineBody);
    body->kind = kind_of(take_word(arena, &text));
    body->directions = "";
    if (body->kind == BODY_RUNTIME) {
        body->symbol = take_word(arena, &text);
        find_sync_routine(body);
        body->communicates = true; /* it changes what others see: not in a VALOF */
        return body;
    }
    if (body->kind != BODY_OCCAM) {
        body->symbol = take_word(arena, &text);
        body->may_wait = body->kind == BODY_BLOCKING || body->kind == BODY_EXTERNAL;
        body->communicates = body->may_wait;
        return body;
    }
    const char *flags = take_word(arena, &text);
    body->may_wait = strchr(flags, 'w') != NULL;
    body->communicates = strchr(flags, 'c') != NULL;
    body->crosses_phase = strchr(flags, 'n') != NULL;
    body->needs_clocks = strchr(flags, 'A') != NULL;
    body->nexts_all = body->needs_clocks || strchr(flags, 'a') != NULL;
    body->suspends = strchr(flags, 's') != NULL;
    body->asks_caller = strchr(flags, 't') != NULL;
    body->symbol = take_word(arena, &text);
    body->directions = take_word(arena, &text);
    body->usage = text + strspn(text, " ");
    return body;
}

/* C gets numbers and addresses of data; BX. before them a channel, by which the call is known. */
static void check_foreign(Checker *checker, RoutineBody *body, const ProcInfo *info,
                          const NodeList *formals) {
    if (body->kind != BODY_C && info->symbol->kind == SYMBOL_FUNCTION) {
        diag_report(checker->diag, DIAG_EXTERNAL_FUNCTION, info->symbol->at,
                    info->symbol->name->bytes);
        diag_hint(checker->diag, "write a PROC with a RESULT parameter");
    }
    for (size_t i = 0; i < formals->count; i++) {
        const Symbol *formal = formals->items[i]->kind == NODE_FORMAL
                                   ? formals->items[i]->formal.def->def.symbol
                                   : NULL;
        const Type *type = formal ? formal->type : NULL;
        bool is_plain = type && type_is_data(type) && type_leaf(type)->kind != TYPE_MOBILE;
        bool is_handle =
            i == 0 && type && type->kind == TYPE_CHANNEL && body->kind == BODY_EXTERNAL;
        body->has_handle = body->has_handle || is_handle;
        if (type && !is_plain && !is_handle && !type_is_error(type)) {
            diag_report(checker->diag, DIAG_EXTERNAL_FORMAL, formal->at, formal->name->bytes,
                        type_name(checker->arena, type));
        }
    }
}

/* The first formal is an object of the runtime, what follows a MUTEX, an INT or a BOOL. */
static void check_runtime(Checker *checker, const RoutineBody *body, const ProcInfo *info,
                          const NodeList *formals) {
    const Node *first = formals->count > 0 ? formals->items[0] : NULL;
    const Symbol *object =
        first && first->kind == NODE_FORMAL ? first->formal.def->def.symbol : NULL;
    bool is_object = object && object->type && type_base(object->type)->kind == TYPE_SYNC;
    if (body->sync == SYNC_COUNT || !is_object || info->symbol->kind == SYMBOL_FUNCTION) {
        diag_report(checker->diag, DIAG_EXTERNAL_RUNTIME, info->symbol->at, body->symbol);
        diag_hint(checker->diag, "the routines of module sync are: #INCLUDE \"sync.module\"");
    }
}

/* See direction_of in unit/interface_text.c. */
static void read_direction(const NodeList *formals, Symbol *formal, char direction) {
    bool is_answer = direction >= 'A' && direction <= 'Z';
    formal->is_server = is_answer || direction == 'q';
    if (is_answer) {
        Symbol *request = node_formal(formals, (size_t)(direction - 'A'));
        if (request) {
            request->server_answer = formal;
        }
    }
    if (formal->direction == DIRECTION_NONE && direction != '.') {
        bool is_input = direction == '?' || direction == 'q';
        formal->direction = is_input ? DIRECTION_INPUT : DIRECTION_OUTPUT;
    }
}

void check_heading(Checker *checker, const Node *body, ProcInfo *info, const NodeList *formals) {
    if (body->kind != NODE_ELSEWHERE) {
        return;
    }
    RoutineBody *elsewhere = read_body(checker->arena, body->elsewhere.text->bytes);
    info->elsewhere = elsewhere;
    info->asks_caller = elsewhere->asks_caller;
    if (elsewhere->kind == BODY_RUNTIME) {
        check_runtime(checker, elsewhere, info, formals);
    } else if (elsewhere->kind != BODY_OCCAM) {
        check_foreign(checker, elsewhere, info, formals);
    }
    size_t told = strlen(elsewhere->directions);
    for (size_t i = 0; i < formals->count; i++) {
        Symbol *formal = formals->items[i]->kind == NODE_FORMAL
                             ? formals->items[i]->formal.def->def.symbol
                             : NULL;
        if (!formal) {
            continue;
        }
        formal->is_read = formal->is_written = formal->is_used = true; /* there, we may assume */
        if (i < told) {
            read_direction(formals, formal, elsewhere->directions[i]);
        }
    }
}
