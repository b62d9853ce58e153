/* formats/j3d/gpu/mdl3_disassemble.h - register writes of a packet as text: register names and
 * fields. */
#ifndef FACET_J3D_GPU_MDL3_DISASSEMBLE_H
#define FACET_J3D_GPU_MDL3_DISASSEMBLE_H

#include "formats/j3d/file/mdl3.h"

/* The name of the register at `address`, for example "TX_SETMODE0[3]", written like snprintf.
 * `value` selects between registers at the same address. */
size_t facet_j3d_register_name(facet_j3d_space space, uint32_t address, uint32_t value, char *text,
                               size_t size);
/* The fields of a register's value, "wrap_s=repeat wrap_t=clamp ...". */
size_t facet_j3d_register_fields(facet_j3d_space space, uint32_t address, uint32_t value,
                                 char *text, size_t size);
/* A whole command: "BP 0x80 TX_SETMODE0[0]: wrap_s=repeat ...". At most sixteen words are
 * printed. */
size_t facet_j3d_load_text(const facet_j3d_load *load, char *text, size_t size);

#endif
