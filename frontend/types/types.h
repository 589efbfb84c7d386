/* types -- type records, equality, widths, names for messages.
 *
 * Owns:   what a type is, including protocols (a CHAN has a protocol, and a protocol is a type).
 * Leaves: names to scope.h/symbol.h, values to constant.h.
 * Holds:  types are immutable once complete; primitive types exist once (compare by pointer);
 *         DATA TYPE, RECORD and protocol types are equal only to themselves (by name);
 *         arrays and channels are equal by structure. INT is 32 bits wide, but INT and INT32
 *         differ. */
#ifndef OCCC_TYPES_H
#define OCCC_TYPES_H

#include "ast.h"

typedef enum TypeKind {
    TYPE_ERROR, /* something failed here: nothing more is reported */
    TYPE_BOOL,
    TYPE_BYTE,
    TYPE_INT,
    TYPE_INT16,
    TYPE_INT32,
    TYPE_INT64,
    TYPE_UINT,
    TYPE_UINT16,
    TYPE_UINT32,
    TYPE_UINT64,
    TYPE_REAL32,
    TYPE_REAL64,
    TYPE_ARRAY,
    TYPE_RECORD, /* DATA TYPE N / RECORD */
    TYPE_NAMED,  /* DATA TYPE N IS T: distinct from T */
    TYPE_CHANNEL,
    TYPE_PORT,
    TYPE_TIMER,
    TYPE_ANY,      /* protocol ANY */
    TYPE_COUNTED,  /* protocol n::[]T */
    TYPE_SEQUENCE, /* named protocol P IS a; b: */
    TYPE_VARIANT,  /* named protocol with tags */
    TYPE_MOBILE,   /* MOBILE T */
    TYPE_BUNDLE,   /* CHAN TYPE N */
    TYPE_BUNDLE_END,
    TYPE_PROC_TYPE,
    TYPE_BARRIER,
    TYPE_CLOCK,
    TYPE_MUTEX,
    TYPE_SYNC, /* the runtime's record of a SEMAPHORE, CONDITION, ... of module sync */
    TYPE_MOBILE_CHAN,
    TYPE_MOBILE_PROC,
    TYPE_MOBILE_ANY,
    TYPE_TUPLE /* results of a FUNCTION with several */
} TypeKind;

/* Kinds for the labels of a switch (as NODE_KINDS_OF_..., ast.h). */
#define TYPE_KINDS_OF_SCALAR                                                                       \
    TYPE_BOOL:                                                                                     \
    case TYPE_BYTE:                                                                                \
    case TYPE_INT:                                                                                 \
    case TYPE_INT16:                                                                               \
    case TYPE_INT32:                                                                               \
    case TYPE_INT64:                                                                               \
    case TYPE_UINT:                                                                                \
    case TYPE_UINT16:                                                                              \
    case TYPE_UINT32:                                                                              \
    case TYPE_UINT64:                                                                              \
    case TYPE_REAL32:                                                                              \
    case TYPE_REAL64
/* neither data nor made of other types */
#define TYPE_KINDS_WITHOUT_PARTS                                                                   \
    TYPE_ERROR:                                                                                    \
    case TYPE_TIMER:                                                                               \
    case TYPE_ANY:                                                                                 \
    case TYPE_BARRIER:                                                                             \
    case TYPE_CLOCK:                                                                               \
    case TYPE_MUTEX:                                                                               \
    case TYPE_SYNC:                                                                                \
    case TYPE_MOBILE_PROC:                                                                         \
    case TYPE_MOBILE_ANY

#define ARRAY_OPEN (-1) /* []T: the count is known only at run time */

typedef struct TypeField {
    const Text *name;
    const Type *type;
    Direction direction; /* of a channel in a bundle, as the ? end sees it */
    uint32_t offset;     /* bytes from the start of the record */
    Location at;
} TypeField;

typedef struct TypeTag {
    const Text *name;
    uint8_t value; /* on the wire */
    const Type **items;
    size_t item_count;
    Location at;
} TypeTag;

struct Type {
    TypeKind kind;
    const Text *name; /* RECORD NAMED SEQUENCE VARIANT BUNDLE PROC_TYPE; else NULL */
    Location at;      /* of the definition of a named type */
    union {
        struct {
            const Type *element;
            int64_t count; /* elements, or ARRAY_OPEN */
        } array;
        struct {
            TypeField *fields;
            size_t field_count;
            uint32_t size_bytes;
            uint32_t align_bytes;
            bool is_packed;
            bool is_mobile;
            bool owns;          /* a part of it owns something: cached, as it is asked often */
            bool is_recursive;  /* may hold more of its own type: RECURSIVE, or forward declared */
            bool is_announced;  /* a forward declaration: its fields are still to come */
        } record;               /* RECORD and BUNDLE */
        const Type *underlying; /* NAMED */
        struct {
            const Type *protocol; /* data type, ANY, COUNTED, SEQUENCE, VARIANT, MOBILE, ... */
            Direction direction;  /* of the end this type gives; NONE: both or not said */
            bool is_shared_input;
            bool is_shared_output;
        } channel;
        const Type *element; /* PORT, MOBILE */
        struct {
            const Type *count;   /* BYTE or an integer type */
            const Type *element; /* of the array */
        } counted;
        struct {
            const Type **items;
            size_t item_count;
        } sequence; /* SEQUENCE and TUPLE */
        struct {
            TypeTag *tags;
            size_t tag_count;
            const Type **bases; /* the protocols whose tags it includes: EXTENDS, FROM */
            size_t base_count;
        } variant;
        struct {
            const NodeList *formals; /* FORMAL, of the definition */
        } proc_type;
        struct {
            const Type *bundle;
            Direction direction;
            bool is_shared;
        } bundle_end; /* and MOBILE_CHAN, which may say less: no bundle, or DIRECTION_NONE */
    };
};

/* The primitive types, once each. */
const Type *type_primitive(TypeKind kind);
/* type_any_data -- of a formal that takes a variable of any data type: its address and its Form
 * (codegen/mobile/mobile_form.c), which can only be passed on. */
const Type *type_any_data(void);
const Type *type_array(Arena *arena, const Type *element, int64_t count);
/* type_protocols_agree -- have the messages of two channel types the same sizes? */
bool type_protocols_agree(const Type *one, const Type *other);
const Type *type_channel(Arena *arena, const Type *protocol, Direction direction);

/* type_channel_end -- one end of a channel (or array of them), shared only if that end is. */
const Type *type_channel_end(Arena *arena, const Type *type, Direction direction);
/* type_claimed -- the same channel, not shared: what its name denotes inside a CLAIM. */
const Type *type_claimed(Arena *arena, const Type *type);
/* type_bundle_end -- one end of a channel bundle; ? is the server's, ! the client's. */
const Type *type_bundle_end(Arena *arena, const Type *bundle, Direction direction, bool is_shared);
/* type_is_bundle_end -- one end, not an array of them. */
bool type_is_bundle_end(const Type *type);
/* type_is_shared -- an end of a channel or bundle that several may hold, or an array of such. */
bool type_is_shared(const Type *type);

bool type_equal(const Type *left, const Type *right);
/* type_accepts -- equal, or `formal` has open dimensions that `actual` fills; a formal that is not
 * mobile takes the contents of a mobile actual. */
bool type_accepts(const Type *formal, const Type *actual);
/* type_matches -- equal except for dimensions that are open on either side (compared at run time)
 * and for MOBILE: a copy. */
bool type_matches(const Type *left, const Type *right);
/* type_may_accept -- type_accepts, or what is open in `actual` may have the size in `formal`: run
 * time tests it. */
bool type_may_accept(const Type *formal, const Type *actual);
/* type_extends -- a variant protocol that is the other one, or EXTENDS it directly or not, with the
 * same values of the common tags: what is sent by `few` is understood by `many`. */
bool type_extends(const Type *many, const Type *few);
/* type_base -- the type behind all NAMED ones. */
const Type *type_base(const Type *type);
bool type_is_error(const Type *type);
bool type_is_integer(const Type *type); /* BYTE and all INTs, through NAMED; not BOOL */
bool type_is_real(const Type *type);
bool type_is_scalar(const Type *type);  /* BOOL, integers, reals, through NAMED */
bool type_is_data(const Type *type);    /* may be assigned and communicated */
bool type_is_channel(const Type *type); /* CHAN or array of CHAN */
bool type_has_open_dimension(const Type *type);
/* type_open_dimensions -- how many; routines and mobiles have a count for each. */
unsigned type_open_dimensions(const Type *type);
#define OPEN_DIMENSION_LIMIT 16
bool type_is_array(const Type *type); /* through NAMED */
bool type_is_port(const Type *type);  /* PORT or array of PORT */
bool type_is_timer(const Type *type); /* TIMER or array of TIMER */
/* type_is_sync -- MUTEX, or a type of module sync, or an array of such: an object that several
 * processes use at once, by reference only. */
bool type_is_sync(const Type *type);
bool type_is_mutex(const Type *type); /* one MUTEX */
/* type_mobile -- MOBILE element; an array or record of at most 8 bytes needs no mobility and stays
 * itself. For a scalar it is the mobile of an array of one. */
const Type *type_mobile(Arena *arena, const Type *element);
/* type_is_mobile -- MOBILE T or MOBILE RECORD, through NAMED: a variable of it is the address of
 * an object of its own, or nothing. */
bool type_is_mobile(const Type *type);
/* type_is_clock -- CLOCK or BARRIER; also the type_content of a mobile one. */
bool type_is_clock(const Type *type);
/* type_content -- what a mobile holds: []INT of MOBILE []INT; any other type is itself. */
const Type *type_content(const Type *type);
/* type_mobile_scalar -- INT of MOBILE INT; NULL: the type is no mobile scalar. */
const Type *type_mobile_scalar(const Type *type);
/* type_value -- type_content, but for a mobile scalar the scalar: the type its value is used as. */
const Type *type_value(const Type *type);
/* type_given -- what a VAL of the type names: the contents, but for a recursive record the mobile
 * itself, which may be undefined. */
const Type *type_given(const Type *type);
/* type_owns -- an object of the type has something to give back when its life ends: it is a mobile
 * or a bundle end, or has such parts. Its value moves. */
bool type_owns(const Type *type);
/* type_is_box -- MOBILE.CHAN, MOBILE.PROC or MOBILE.ANY: a mobile whose type is known only at run
 * time. */
bool type_is_box(const Type *type);
/* type_boxes -- is `box` one of those, and may it hold the type `held`? */
bool type_boxes(const Type *box, const Type *held);
/* type_is_recursive -- a RECURSIVE RECORD or a mobile of one: undefined until it is allocated. */
bool type_is_recursive(const Type *type);
/* type_reaches -- may an object of `from` own, directly or not, a mobile of `record`? */
bool type_reaches(const Type *from, const Type *record);
/* type_reaches_announced -- the same for any record whose fields are still to come. */
bool type_reaches_announced(const Type *type);
/* type_can_be_cloned -- no part of it is a mobile process, a clock or an end that is not
 * shared. */
bool type_can_be_cloned(const Type *type);
/* type_is_all_data -- and no part is an end at all. */
bool type_is_all_data(const Type *type);
/* type_can_leave -- can an object of this type, or a message of this protocol, be written as bytes
 * and rebuilt on another machine? Data can, and ends that are not shared, of bundles whose channels
 * carry such messages. */
bool type_can_leave(const Type *type);
unsigned type_bits(const Type *scalar);
bool type_is_signed(const Type *integer); /* INTs; BYTE and UINTs are not */
/* type_size -- bytes in memory; 0 when a dimension is open. Records as laid out in fields. */
uint64_t type_size(const Type *type);
/* type_first_bytes -- size of the first transfer of a message of the protocol: a tag, a count, an
 * item; 0: it varies. */
uint64_t type_first_bytes(const Type *protocol);
/* type_align -- never more than 4: the record layout of KRoC, which programs RETYPE. */
uint32_t type_align(const Type *type);
/* type_element -- the type after removing `depth` dimensions from an array. */
const Type *type_element(const Type *array, unsigned depth);
unsigned type_rank(const Type *type); /* dimensions; 0 for no array */
/* type_leaf -- the element type under all dimensions; the type itself for no array. */
const Type *type_leaf(const Type *type);
/* type_with_counts -- `formal` with its open dimensions filled in from `actual` where known. */
const Type *type_with_counts(Arena *arena, const Type *formal, const Type *actual);
/* type_lay_out -- set offsets, size and alignment of a record whose fields are complete, and
 * whether it owns something. False: it is larger than UINT32_MAX bytes. */
bool type_lay_out(Type *record);
/* type_field, type_tag -- by name; NULL when there is none. index may be NULL. */
const TypeField *type_field(const Type *record, const Text *name, size_t *index);
const TypeTag *type_tag(const Type *variant, const Text *name, size_t *index);
/* type_hash -- a number for its structure, names included; the same in every program. */
int32_t type_hash(Arena *arena, const Type *type);
/* type_name -- as the user writes it, in the arena. */
const char *type_name(Arena *arena, const Type *type);

#endif
