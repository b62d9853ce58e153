/* bsm/layout.h - where things lie in a BSM; shared by the files of this folder. */
#ifndef FACET_BSM_LAYOUT_H
#define FACET_BSM_LAYOUT_H

#include <facet/bsm.h>

/* -- Header (view.c) ---------------------------------------------------- */

/* Byte offsets of the header's fields. */
enum {
    FACET_BSM_AT_VERSION = 0x10,
    FACET_BSM_AT_EXTENSION = 0x14,
    FACET_BSM_AT_SPHERE = 0x18,
    FACET_BSM_AT_BOX = 0x28
};

/* One line per array of the format. */
typedef struct facet_bsm_array_info {
    const char *name;
    uint32_t record_size;
    uint32_t count_at;  /* where in the header its count stands */
    uint32_t offset_at; /* and its offset */
    char type;          /* arrays of equal type may share their bytes */
    uint32_t words;     /* floats or indices in a record; 0 for meshes and hulls */
    bool is_index;      /* the words are indices */
} facet_bsm_array_info;

extern const facet_bsm_array_info facet_bsm_array_infos[FACET_BSM_ARRAY_COUNT];

/* The magic and the header's numbers; all but the arrays. Returns the id of the
 * broken rule and fills *error, or NULL. */
const char *facet_bsm_parse_header(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                                   facet_error *error);
/* One array's line of the header: sets its count, offset and raw in *layout, all
 * zero where they are not usable. Returns the id of the broken rule and fills
 * *error, or NULL. */
const char *facet_bsm_locate(facet_bsm_layout *layout, facet_bsm_array array, facet_error *error);

/* The first of `count` little-endian indices that is not below `limit`; count
 * when all are. */
size_t facet_bsm_find_beyond(const uint8_t *raw, size_t count, uint32_t limit);

/* -- Bytes between the arrays (layout.c) -------------------------------- */

/* A run of bytes of the file. */
typedef struct facet_bsm_span {
    uint64_t begin, end;
} facet_bsm_span;

/* The non-empty arrays, by where they begin; the arrays' numbers in order[].
 * Returns how many there are. */
size_t facet_bsm_order(const facet_bsm_layout *layout,
                       facet_bsm_array order[FACET_BSM_ARRAY_COUNT]);
/* The bytes of an array. */
facet_bsm_span facet_bsm_array_span(const facet_bsm_layout *layout, facet_bsm_array array);
/* The runs of bytes after the header that no array covers, in order; the last
 * one may reach to the end of the file. Returns how many there are. */
size_t facet_bsm_find_gaps(const facet_bsm_layout *layout,
                           facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1]);

/* Sort numbers upwards, in place; quickly done when they are sorted already. */
void facet_bsm_sort(uint64_t *numbers, size_t count);

/* -- Names (layout.c) --------------------------------------------------- */

/* Length of a name in a field of 256 bytes: up to its NUL, or 256. */
size_t facet_bsm_name_length(const char *name);
/* True when a byte after the NUL of a name field is not 0. */
bool facet_bsm_name_has_tail(const char *name);

/* -- Numbers (read.c) --------------------------------------------------- */

/* The first of `count` floats that is NaN or infinite; count when none is. */
size_t facet_bsm_find_nonfinite(const float *values, size_t count);
/* facet_bsm_copy of a whole array of floats that refuses what is not finite
 * (BSM-FLOAT-NONFINITE). */
facet_status facet_bsm_copy_finite(const facet_bsm_layout *layout, facet_bsm_array array,
                                   float *destination, facet_error *error);

/* -- Describing (describe.c) -------------------------------------------- */

/* Fill `detail` with the header's fields, the arrays, meshes and hulls. False
 * without memory. */
bool facet_bsm_describe(const facet_bsm_layout *layout, facet_arena *arena, facet_tree *detail);

#endif
