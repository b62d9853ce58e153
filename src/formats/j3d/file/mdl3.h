/* formats/j3d/file/mdl3.h - the packets of baked materials: the register writes that they
 * are made of, one by one, and which exporter made them. Any bytes will do. */
#ifndef FACET_J3D_FILE_MDL3_H
#define FACET_J3D_FILE_MDL3_H

#include <facet/j3d.h>

/* Where a register is. */
typedef enum facet_j3d_space {
    FACET_J3D_SPACE_BP, /* rasterizer, TEV, pixel engine */
    FACET_J3D_SPACE_XF, /* transform unit */
    FACET_J3D_SPACE_CP  /* command processor */
} facet_j3d_space;

/* One command: a value for a register, or for `count` registers in a row. */
typedef struct facet_j3d_load {
    facet_j3d_space space;
    uint32_t offset;      /* of the command in the packet */
    uint32_t address;     /* of the first register */
    uint32_t count;       /* words, 1 but for XF */
    uint32_t value;       /* the first word; 24 bits of BP */
    const uint8_t *words; /* XF: all of them, big-endian; NULL otherwise */
} facet_j3d_load;

typedef struct facet_j3d_load_list {
    const uint8_t *bytes;
    uint32_t size, position;
} facet_j3d_load_list;

facet_j3d_load_list facet_j3d_loads_of(const uint8_t *bytes, uint32_t size);
/* The next command, bytes of padding passed over. False at the end, with
 * `position` at the size; or before something that is no command or is cut off,
 * with `position` at its first byte. */
bool facet_j3d_next_load(facet_j3d_load_list *list, facet_j3d_load *load);

/* Whether a document's packets have the mask of generation A or, where there are
 * none, would have it: its textures, or its layout, tell. */
bool facet_j3d_has_narrow_mask(const facet_j3d *document);

#endif
