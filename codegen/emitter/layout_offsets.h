/* layout_offsets -- layout.def as constants of the compiler: SIZE_Process, OFFSET_Process_sp,
 * LAYOUT_TAG_MASK. The runtime asserts the same table against its structs. */
#ifndef OCCC_LAYOUT_OFFSETS_H
#define OCCC_LAYOUT_OFFSETS_H

enum LayoutOffset {
#define OCC_STRUCT(Struct, size)         SIZE_##Struct = (size),
#define OCC_FIELD(Struct, field, offset) OFFSET_##Struct##_##field = (offset),
#define OCC_CONSTANT(NAME, value)        LAYOUT_##NAME = (value),
#include "../runtime/include/occ/layout.def"
#undef OCC_STRUCT
#undef OCC_FIELD
#undef OCC_CONSTANT
};

#endif
