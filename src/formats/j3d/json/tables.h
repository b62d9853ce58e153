/* formats/j3d/json/tables.h - tables of the fields in J3D's JSON, and names of materials and
 * textures. */
#ifndef FACET_J3D_JSON_TABLES_H
#define FACET_J3D_JSON_TABLES_H

#include "gx/json/record.h"

#include <facet/j3d.h>

/* -- Tables ------------------------------------------------------------- */

/* Facet's layout (tables.c). */
extern const facet_gx_json_record facet_j3d_json_material;
/* The layouts of SuperBMD, by RenolY2 and by Sage of Mirrors (superbmd.c). */
extern const facet_gx_json_record facet_j3d_superbmd_material, facet_j3d_superbmd_texture,
    facet_j3d_superbmd_texture_of_sage;

/* -- Names of materials and textures (names.c) -------------------------- */

/* For each name, the number of equal names before it, in `arena`; NULL if out of memory. Linear. */
const uint32_t *facet_j3d_json_occurrences(const facet_j3d_names *names, facet_arena *arena);
/* The name as UTF-8, "tex", or "tex:2" for the third one of that name. Without a name, the index;
 * NULL if out of memory. */
facet_json *facet_j3d_json_name(const facet_j3d_names *names, const uint32_t *occurrences,
                                uint32_t index);
/* Convert a texture to the form that a scene stores. False if out of memory. */
bool facet_j3d_file_texture(const facet_j3d_textures *textures, const uint32_t *occurrences,
                            uint32_t index, facet_arena *arena, facet_gx_file_texture *out);
/* The index of a name, or UINT32_MAX. */
uint32_t facet_j3d_json_find(const facet_j3d_names *names, const char *name);
/* A list like "body, eye", cut to the space; "" if empty. */
void facet_j3d_json_list_names(const facet_j3d_names *names, char *text, size_t size);

/* Textures that record fields refer to by name. */
typedef struct facet_j3d_json_textures {
    const facet_j3d_names *names;
    const uint32_t *occurrences; /* for writing; NULL for reading */
} facet_j3d_json_textures;
facet_gx_json_names facet_j3d_json_texture_names(const facet_j3d_json_textures *textures);

#endif
