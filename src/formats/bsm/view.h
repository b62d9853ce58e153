/* formats/bsm/view.h - fields and arrays of the header, for view.c. */
#ifndef FACET_BSM_VIEW_H
#define FACET_BSM_VIEW_H

#include <facet/bsm.h>

/* Offsets of the header's fields. */
enum {
    FACET_BSM_AT_VERSION = 0x10,
    FACET_BSM_AT_EXTENSION = 0x14,
    FACET_BSM_AT_SPHERE = 0x18,
    FACET_BSM_AT_BOX = 0x28
};

/* An array of the format. */
typedef struct facet_bsm_array_info {
    const char *name;
    uint32_t record_size;
    uint32_t count_at;  /* offset of its count in the header */
    uint32_t offset_at; /* offset of its offset in the header */
    char type;          /* arrays of equal type can share bytes */
    uint32_t words;     /* floats or indices per record; 0 for meshes and hulls */
    bool is_index;      /* the words are indices */
} facet_bsm_array_info;

extern const facet_bsm_array_info facet_bsm_array_infos[FACET_BSM_ARRAY_COUNT];

/* Parse the magic and the numbers of the header, without the arrays. On failure, returns the id of
 * the broken rule and fills *error; else NULL. */
const char *facet_bsm_parse_header(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                                   facet_error *error);
/* Parse one array's header fields: its count, offset and raw bytes in *layout, all zero if invalid.
 * On failure, returns the id of the broken rule and fills *error; else NULL. */
const char *facet_bsm_locate(facet_bsm_layout *layout, facet_bsm_array array, facet_error *error);

#endif
