/* gx/json/file_state.h - what files of GameCube and Wii say of materials and images
 * (facet_gx_file_material, facet_gx_file_image) as the extras of a scene, both ways:
 * {"j3d": {"material": {...}, "textures": [...]}}. docs/reference/formats/j3d-materials.md
 * describes the schema. */
#ifndef FACET_GX_JSON_FILE_STATE_H
#define FACET_GX_JSON_FILE_STATE_H

#include "base/json.h"

#include <facet/gx_material.h>

/* -- To JSON ------------------------------------------------------------ */

/* The extras; `file` was not made of a text. NULL without memory. */
facet_json *facet_gx_file_material_json(const facet_gx_file_material *file);
facet_json *facet_gx_file_image_json(const facet_gx_file_image *file);

/* -- From JSON ---------------------------------------------------------- */

/* What extras say, `text` and the same as a tree (NULL: no JSON), in `arena`; *file is NULL when
 * they do not speak of J3D. What is wrong in them is said in the result. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_gx_file_material_read(const char *text, const facet_json *extras,
                                         facet_arena *arena, facet_gx_file_material **file,
                                         facet_error *error);
facet_status facet_gx_file_image_read(const char *text, const facet_json *extras,
                                      facet_arena *arena, facet_gx_file_image **file,
                                      facet_error *error);

/* A status of reading the extras: FACET_ERROR_MALFORMED is said in *wrong, in `arena`, and is no
 * error. */
facet_status facet_gx_file_wrong(facet_status status, const facet_error *why, facet_arena *arena,
                                 const char **wrong, facet_error *error);

/* True when extras hold something that is not J3D's own. */
bool facet_gx_has_other_extras(const facet_json *extras);

/* -- Both --------------------------------------------------------------- */

/* An order in which materials are equal whose files say the same of them. */
int facet_gx_file_material_compare(const facet_gx_file_material *a,
                                   const facet_gx_file_material *b);

/* Say in *wrong that a texture has no name, which extras cannot say; NULL when all have one.
 * False without memory. */
bool facet_gx_file_textures_check(const facet_gx_file_texture *textures, uint32_t count,
                                  facet_arena *arena, const char **wrong);

#endif
