/* formats/j3d/json/tables.h - what J3D's JSON is made of: tables of fields, and the names of
 * materials and textures. */
#ifndef FACET_J3D_JSON_TABLES_H
#define FACET_J3D_JSON_TABLES_H

#include "gx/json/record.h"

#include <facet/j3d.h>

/* -- Tables ------------------------------------------------------------- */

/* Ours (tables.c). */
extern const facet_gx_json_record facet_j3d_json_material;
/* Those of SuperBMD's files, by RenolY2 and by Sage of Mirrors (superbmd.c). */
extern const facet_gx_json_record facet_j3d_superbmd_material, facet_j3d_superbmd_texture,
    facet_j3d_superbmd_texture_of_sage;

/* -- Names of materials and textures (names.c) -------------------------- */

/* How many names before each are the same, in `arena`; NULL without memory. Linear. */
const uint32_t *facet_j3d_json_occurrences(const facet_j3d_names *names, facet_arena *arena);
/* "tex", or "tex:2" for the third of that name, as UTF-8; the index when there is
 * no name; NULL without memory. */
facet_json *facet_j3d_json_name(const facet_j3d_names *names, const uint32_t *occurrences,
                                uint32_t index);
/* A texture as a scene keeps it; false without memory. */
bool facet_j3d_file_texture(const facet_j3d_textures *textures, const uint32_t *occurrences,
                            uint32_t index, facet_arena *arena, facet_gx_file_texture *out);
/* What is called so, or UINT32_MAX. */
uint32_t facet_j3d_json_find(const facet_j3d_names *names, const char *name);
/* "body, eye", as much as there is space for; "" when there are none. */
void facet_j3d_json_list_names(const facet_j3d_names *names, char *text, size_t size);

/* Textures as fields of a record name them. */
typedef struct facet_j3d_json_textures {
    const facet_j3d_names *names;
    const uint32_t *occurrences; /* for writing; NULL for reading */
} facet_j3d_json_textures;
facet_gx_json_names facet_j3d_json_texture_names(const facet_j3d_json_textures *textures);

#endif
