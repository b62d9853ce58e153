/* gx/json/file_state.h - GameCube and Wii data of materials and images, as extras and back: {"j3d":
 * {"material": {...}, "textures": [...]}}. docs/reference/formats/j3d-materials.md describes the
 * schema. */
#ifndef FACET_GX_JSON_FILE_STATE_H
#define FACET_GX_JSON_FILE_STATE_H

#include "base/json.h"

#include <facet/gx_material.h>

/* -- To JSON ------------------------------------------------------------ */

/* The extras; use this if `file` was not read from a text. NULL if out of memory. */
facet_json *facet_gx_file_material_json(const facet_gx_file_material *file);
facet_json *facet_gx_file_image_json(const facet_gx_file_image *file);

/* -- From JSON ---------------------------------------------------------- */

/* Read extras into `arena`. `extras` is `text` as a tree (NULL: not JSON). *file is NULL if they
 * have no J3D data. Errors in the text are recorded in the result. Errors: FACET_ERROR_MEMORY. */
facet_status facet_gx_file_material_read(const char *text, const facet_json *extras,
                                         facet_arena *arena, facet_gx_file_material **file,
                                         facet_error *error);
facet_status facet_gx_file_image_read(const char *text, const facet_json *extras,
                                      facet_arena *arena, facet_gx_file_image **file,
                                      facet_error *error);

/* Convert the status of reading extras. FACET_ERROR_MALFORMED becomes a message in *wrong, in
 * `arena`, and is not an error. */
facet_status facet_gx_file_wrong(facet_status status, const facet_error *why, facet_arena *arena,
                                 const char **wrong, facet_error *error);

/* True if extras contain data that is not from J3D. */
bool facet_gx_has_other_extras(const facet_json *extras);

/* -- Both directions ---------------------------------------------------- */

/* Compare two materials for sorting; 0 if their console data are equal. */
int facet_gx_file_material_compare(const facet_gx_file_material *a,
                                   const facet_gx_file_material *b);

/* The same for two appearances; NULL is unknown. */
int facet_gx_file_look_compare(const facet_gx_file_look *a, const facet_gx_file_look *b);
/* True if a chip state is that of the file, except its textures. */
bool facet_gx_file_material_has(const facet_gx_file_material *file, const facet_gx_material *gx);

/* Set *wrong to a message if a texture has no name, which extras cannot store; NULL if all have
 * one. False if out of memory. */
bool facet_gx_file_textures_check(const facet_gx_file_texture *textures, uint32_t count,
                                  facet_arena *arena, const char **wrong);

#endif
