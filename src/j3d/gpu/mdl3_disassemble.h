/* j3d/gpu/mdl3_disassemble.h - the register writes of a packet, one by one and by
 * name. Any bytes will do. */
#ifndef FACET_J3D_GPU_MDL3_DISASSEMBLE_H
#define FACET_J3D_GPU_MDL3_DISASSEMBLE_H

#include <facet/j3d.h>

/* -- Walking ------------------------------------------------------------ */

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

/* -- Naming ------------------------------------------------------------- */

/* The register at `address`, "TX_SETMODE0[3]", written like snprintf; `value`
 * tells apart what shares one. */
size_t facet_j3d_register_name(facet_j3d_space space, uint32_t address, uint32_t value, char *text,
                               size_t size);
/* The fields of a register's value, "wrap_s=repeat wrap_t=clamp ...". */
size_t facet_j3d_register_fields(facet_j3d_space space, uint32_t address, uint32_t value,
                                 char *text, size_t size);
/* All of a command: "BP 0x80 TX_SETMODE0[0]: wrap_s=repeat ...". Of a long run of
 * words the first sixteen. */
size_t facet_j3d_load_text(const facet_j3d_load *load, char *text, size_t size);

#endif
