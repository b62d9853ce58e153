/* gx/json/file_part.h - what files of GameCube and Wii say of nodes, meshes, animations and scenes
 * (facet_gx_file_part) as the extras of a scene, both ways: {"j3d": {"joint": {...}}} and so on.
 * docs/reference/formats/j3d-materials.md describes the schema. */
#ifndef FACET_GX_JSON_FILE_PART_H
#define FACET_GX_JSON_FILE_PART_H

#include "base/json.h"

#include <facet/gx_material.h>

/* -- To JSON ------------------------------------------------------------ */

/* The objects of a file hierarchy.json, and of the extras. NULL without memory. */
facet_json *facet_gx_file_joint_json(const facet_gx_file_joint *joint);
facet_json *facet_gx_file_shape_json(const facet_gx_file_shape *shape);
/* "BASIC", or a number without a name. */
facet_json *facet_gx_scaling_json(uint16_t flags);

/* Put all of it under "j3d" of `root`, over what is there; false without memory. Files of
 * animations become base64, which takes memory of `arena`. */
bool facet_gx_file_part_put(const facet_gx_file_part *file, facet_json *root, facet_arena *arena);
/* The same as new extras; NULL without memory. */
facet_json *facet_gx_file_part_json(const facet_gx_file_part *file, facet_arena *arena);

/* -- From JSON ---------------------------------------------------------- */

/* `file` when it was made of the same text; else the text is read, in `arena`. *now is NULL
 * of NULL; text that is not JSON, or of others, says nothing. What is wrong in the text is said in
 * the result. Errors: FACET_ERROR_MEMORY, FACET_ERROR_LIMIT. */
facet_status facet_gx_file_part_now(const char *text, facet_gx_file_part *file, facet_arena *arena,
                                    facet_gx_file_part **now, facet_error *error);

#endif
