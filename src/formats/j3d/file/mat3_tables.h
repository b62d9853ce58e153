/* formats/j3d/file/mat3_tables.h - what MAT3 is made of, as tables: reading, writing and
 * checking walk them. */
#ifndef FACET_J3D_FILE_MAT3_TABLES_H
#define FACET_J3D_FILE_MAT3_TABLES_H

#include <facet/j3d.h>

/* -- Value arrays ------------------------------------------------------- */

/* The arrays that entries point into, in the order of MAT3's header. */
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

/* One array: where its offset stands in the header, and what its elements are. */
typedef struct facet_j3d_value_kind {
    const char *name;
    uint8_t header3, header2; /* fields of MAT3 and MAT2; 0 when there is none */
    uint16_t size;            /* bytes of an element, in the file and in memory */
    const char *layout;       /* of an element: base/record.h */
    size_t items, count;      /* members of facet_j3d_materials */
    size_t value, given;      /* of facet_j3d_material: the values, and a bool or mask */
    uint8_t given_size;       /* bytes of it: 1, 2 or 4 */
} facet_j3d_value_kind;

extern const facet_j3d_value_kind facet_j3d_value_kinds[FACET_J3D_VALUE_COUNT];

/* Records of indirect texturing are no value array: one per slot. */
#define FACET_J3D_INDIRECT_SIZE 0x138
void facet_j3d_load_indirect(const uint8_t *bytes, facet_gx_indirect *indirect);
void facet_j3d_store_indirect(const facet_gx_indirect *indirect, uint8_t *bytes);

/* How many elements an array has, and where they are. */
uint32_t facet_j3d_value_count(const facet_j3d_materials *materials, facet_j3d_value value);
void *facet_j3d_value_items(const facet_j3d_materials *materials, facet_j3d_value value);

/* -- Entries ------------------------------------------------------------ */

#define FACET_J3D_NO_VALUE 0xFFu

/* A run of equal fields of an entry. */
typedef struct facet_j3d_entry_field {
    const char *name;
    uint16_t at3, at2; /* in the entries of MAT3 and MAT2; NOT_IN_MAT2 */
    uint8_t count;     /* how many in a row */
    uint8_t width;     /* bytes of one, 1 or 2 */
    uint8_t value;     /* the facet_j3d_value that it indexes, or FACET_J3D_NO_VALUE */
    size_t member;     /* of facet_j3d_material_entry */
} facet_j3d_entry_field;

#define FACET_J3D_NOT_IN_MAT2 0xFFFFu
#define FACET_J3D_ENTRY3_SIZE 0x14C
#define FACET_J3D_ENTRY2_SIZE 0x138
#define FACET_J3D_ENTRY_FIELDS 30

extern const facet_j3d_entry_field facet_j3d_entry_fields[FACET_J3D_ENTRY_FIELDS];

/* The field that indexes an array. */
const facet_j3d_entry_field *facet_j3d_entry_field_of(facet_j3d_value value);

/* Element `i` of a field of an entry that indexes an array; FACET_J3D_NONE when
 * it is absent: 0xFF or 0xFFFF, or an array that the file does not have. */
uint32_t facet_j3d_entry_index(const facet_j3d_materials *materials,
                               const facet_j3d_material_entry *entry,
                               const facet_j3d_entry_field *field, uint32_t i);

/* What an entry counts; where it does not say, 0 texgens, 1 stage, 0 channels. */
typedef struct facet_j3d_entry_counts {
    uint32_t texgens, stages, channels;
} facet_j3d_entry_counts;

facet_j3d_entry_counts facet_j3d_count_entry(const facet_j3d_materials *materials,
                                             const facet_j3d_material_entry *entry);
/* How many of a field's indices such an entry uses. The others may be anything. */
uint32_t facet_j3d_used_indices(const facet_j3d_entry_field *field, facet_j3d_entry_counts counts);

/* An index in use that points beyond its array. */
typedef struct facet_j3d_stray_index {
    const facet_j3d_entry_field *field;
    uint32_t i; /* in the field */
    uint32_t index, count;
} facet_j3d_stray_index;

/* The first of an entry; false when there is none. */
bool facet_j3d_find_stray_index(const facet_j3d_materials *materials,
                                const facet_j3d_material_entry *entry,
                                facet_j3d_stray_index *stray);

#endif
