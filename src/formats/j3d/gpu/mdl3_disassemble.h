/* formats/j3d/gpu/mdl3_disassemble.h - the register writes of a packet as text: which
 * register, and what its fields say. */
#ifndef FACET_J3D_GPU_MDL3_DISASSEMBLE_H
#define FACET_J3D_GPU_MDL3_DISASSEMBLE_H

#include "formats/j3d/file/mdl3.h"

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
