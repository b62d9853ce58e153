/* formats/bsm/view.h - the header's fields and arrays; all that view.c needs. */
#ifndef FACET_BSM_VIEW_H
#define FACET_BSM_VIEW_H

#include <facet/bsm.h>

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

#endif
