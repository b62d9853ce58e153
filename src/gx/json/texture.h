/* gx/json/texture.h - texture headers as JSON, in extras of images and in files textures.json.
 * Models and texture files store the same headers. docs/reference/formats/j3d-materials.md
 * describes the schema. */
#ifndef FACET_GX_JSON_TEXTURE_H
#define FACET_GX_JSON_TEXTURE_H

#include "base/json.h"
#include <facet/gx_material.h>

/* {"name": ..., the fields of the header}. Takes ownership of the name. */
facet_json *facet_gx_json_texture(facet_json *name, const facet_bti_header *header);

/* The text of a file textures.json. Takes ownership of the list. */
const char *facet_gx_textures_file(facet_json *list, facet_arena *arena);

/* Read the textures in the extras of an image. *count can be 0, and `extras` NULL. Errors:
 * FACET_ERROR_MALFORMED with J3D-JSON and the path in the JSON; FACET_ERROR_MEMORY. */
facet_status facet_gx_textures_from_extras(const facet_json *extras, facet_arena *arena,
                                           facet_gx_file_texture **textures, uint32_t *count,
                                           facet_error *error);

#endif
