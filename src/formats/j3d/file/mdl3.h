/* formats/j3d/file/mdl3.h - packets of baked materials: their register writes, one by one, and the
 * exporter's generation. Any bytes are accepted. */
#ifndef FACET_J3D_FILE_MDL3_H
#define FACET_J3D_FILE_MDL3_H

#include <facet/j3d.h>

/* Address spaces of registers. */
typedef enum facet_j3d_space {
    FACET_J3D_SPACE_BP, /* rasterizer, TEV, pixel engine */
    FACET_J3D_SPACE_XF, /* transform unit */
    FACET_J3D_SPACE_CP  /* command processor */
} facet_j3d_space;

/* One command: a value for one register, or for `count` consecutive registers. */
typedef struct facet_j3d_load {
    facet_j3d_space space;
    uint32_t offset;      /* offset of the command in the packet */
    uint32_t address;     /* address of the first register */
    uint32_t count;       /* number of words; 1 except for XF */
    uint32_t value;       /* the first word; 24 bits for BP */
    const uint8_t *words; /* XF: all words, big-endian; else NULL */
} facet_j3d_load;

typedef struct facet_j3d_load_list {
    const uint8_t *bytes;
    uint32_t size, position;
} facet_j3d_load_list;

facet_j3d_load_list facet_j3d_loads_of(const uint8_t *bytes, uint32_t size);
/* Read the next command and skip padding. False at the end, with `position` at the size, or before
 * invalid or truncated data, with `position` at its first byte. */
bool facet_j3d_next_load(facet_j3d_load_list *list, facet_j3d_load *load);

/* True if a document's packets have the mask of generation A. Without packets, its textures or
 * layout decide. */
bool facet_j3d_has_narrow_mask(const facet_j3d *document);

#endif
