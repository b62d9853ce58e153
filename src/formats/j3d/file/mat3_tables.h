/* formats/j3d/file/mat3_tables.h - tables of the values and fields of MAT3, used to read, write and
 * check it. */
#ifndef FACET_J3D_FILE_MAT3_TABLES_H
#define FACET_J3D_FILE_MAT3_TABLES_H

#include "formats/j3d/file/sections.h"

#include <facet/j3d.h>

/* Number of bytes from the table at the offset in `field` to the next table of a section with a
 * header of `head` bytes. If tables have the same offset, the last one gets the bytes and the
 * others are empty. */
size_t facet_j3d_table_size(const facet_j3d_section *section, uint32_t head, uint32_t field);

/* -- Value arrays ------------------------------------------------------- */

/* Arrays that entries refer to, in the order of MAT3's header. */
typedef enum facet_j3d_value {
    FACET_J3D_CULL_MODES,
    FACET_J3D_MATERIAL_COLORS,
    FACET_J3D_CHANNEL_COUNTS,
    FACET_J3D_CHANNELS,
    FACET_J3D_AMBIENT_COLORS,
    FACET_J3D_LIGHTS,
    FACET_J3D_TEXGEN_COUNTS,
    FACET_J3D_TEXGENS,
    FACET_J3D_POST_TEXGENS,
    FACET_J3D_TEXTURE_MATRICES,
    FACET_J3D_POST_MATRICES,
    FACET_J3D_TEXTURE_NUMBERS,
    FACET_J3D_TEV_ORDERS,
    FACET_J3D_TEV_REGISTERS,
    FACET_J3D_KONST_COLORS,
    FACET_J3D_STAGE_COUNTS,
    FACET_J3D_TEV_STAGES,
    FACET_J3D_SWAP_MODES,
    FACET_J3D_SWAP_TABLES,
    FACET_J3D_FOGS,
    FACET_J3D_ALPHA_COMPARES,
    FACET_J3D_BLENDS,
    FACET_J3D_DEPTHS,
    FACET_J3D_EARLY_DEPTHS,
    FACET_J3D_DITHERS,
    FACET_J3D_NBT_SCALES,
    FACET_J3D_VALUE_COUNT
} facet_j3d_value;

/* One array: the position of its offset in the header, and its elements. */
typedef struct facet_j3d_value_kind {
    const char *name;
    uint8_t header3, header2; /* positions in MAT3 and MAT2; 0: no such array */
    uint16_t size;            /* bytes of an element, in the file and in memory */
    const char *layout;       /* layout of an element: see base/record.h */
    size_t items, count;      /* offsets of members of facet_j3d_materials */
    size_t value, given;      /* offsets in facet_j3d_material: the values, and a bool or mask */
    uint8_t given_size;       /* bytes of `given`: 1, 2 or 4 */
} facet_j3d_value_kind;

extern const facet_j3d_value_kind facet_j3d_value_kinds[FACET_J3D_VALUE_COUNT];

/* Records of indirect texturing are not a value array: there is one per slot. */
#define FACET_J3D_INDIRECT_SIZE 0x138
void facet_j3d_load_indirect(const uint8_t *bytes, facet_gx_indirect *indirect);
void facet_j3d_store_indirect(const facet_gx_indirect *indirect, uint8_t *bytes);

/* The length of an array, and its address. */
uint32_t facet_j3d_value_count(const facet_j3d_materials *materials, facet_j3d_value value);
void *facet_j3d_value_items(const facet_j3d_materials *materials, facet_j3d_value value);

/* -- Entries ------------------------------------------------------------ */

#define FACET_J3D_NO_VALUE 0xFFu

/* A run of equal fields of an entry. */
typedef struct facet_j3d_entry_field {
    const char *name;
    uint16_t at3, at2; /* positions in the entries of MAT3 and MAT2; NOT_IN_MAT2 */
    uint8_t count;     /* number of fields */
    uint8_t width;     /* bytes of one field: 1 or 2 */
    uint8_t value;     /* facet_j3d_value of its array, or FACET_J3D_NO_VALUE */
    size_t member;     /* offset in facet_j3d_material_entry */
} facet_j3d_entry_field;

#define FACET_J3D_NOT_IN_MAT2 0xFFFFu
#define FACET_J3D_ENTRY3_SIZE 0x14C
#define FACET_J3D_ENTRY2_SIZE 0x138
#define FACET_J3D_ENTRY_FIELDS 30

extern const facet_j3d_entry_field facet_j3d_entry_fields[FACET_J3D_ENTRY_FIELDS];

/* The field that refers to an array. */
const facet_j3d_entry_field *facet_j3d_entry_field_of(facet_j3d_value value);

/* Index `i` of a field of an entry. FACET_J3D_NONE if it is absent: 0xFF or 0xFFFF, or the file
 * lacks the array. */
uint32_t facet_j3d_entry_index(const facet_j3d_materials *materials,
                               const facet_j3d_material_entry *entry,
                               const facet_j3d_entry_field *field, uint32_t i);

/* Counts of an entry. Defaults: 0 texgens, 1 stage, 0 channels. */
typedef struct facet_j3d_entry_counts {
    uint32_t texgens, stages, channels;
} facet_j3d_entry_counts;

facet_j3d_entry_counts facet_j3d_count_entry(const facet_j3d_materials *materials,
                                             const facet_j3d_material_entry *entry);
/* Number of a field's indices that such an entry uses. The others can have any value. */
uint32_t facet_j3d_used_indices(const facet_j3d_entry_field *field, facet_j3d_entry_counts counts);

/* A used index beyond the end of its array. */
typedef struct facet_j3d_stray_index {
    const facet_j3d_entry_field *field;
    uint32_t i; /* position in the field */
    uint32_t index, count;
} facet_j3d_stray_index;

/* Find the first one of an entry. False if the entry has none. */
bool facet_j3d_find_stray_index(const facet_j3d_materials *materials,
                                const facet_j3d_material_entry *entry,
                                facet_j3d_stray_index *stray);

#endif
