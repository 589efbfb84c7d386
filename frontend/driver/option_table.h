/* option_table -- option.def as an array, for reading the command line and for --help. */
#ifndef OCCC_OPTION_TABLE_H
#define OCCC_OPTION_TABLE_H

typedef enum OptionId {
#define OPTION(ID, spelling, kind, value, group, help) OPTION_##ID,
#include "option.def"
#undef OPTION
    OPTION_COUNT
} OptionId;

typedef enum OptionGroup {
#define GROUP(ID, title) GROUP_##ID,
#include "option.def"
#undef GROUP
    GROUP_COUNT
} OptionGroup;

typedef enum OptionKind { KIND_FLAG, KIND_JOINED, KIND_EITHER, KIND_SEPARATE } OptionKind;

typedef struct OptionEntry {
    const char *spelling;
    OptionKind kind;
    const char *value; /* its name in --help */
    OptionGroup group;
    const char *help; /* "": not listed */
} OptionEntry;

/* option_commands -- the words of command.def, a blank behind each. */
extern const char option_commands[];

/* option_group_title -- its heading in --help. */
const char *option_group_title(OptionGroup group);
/* option_entry -- the table's line of an option. */
const OptionEntry *option_entry(OptionId id);

#endif
