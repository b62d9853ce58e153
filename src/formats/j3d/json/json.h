/* formats/j3d/json/json.h - the complete state of materials, textures, joints and shapes as
 * JSON: in the `extras` of a scene, and as files beside what 'extract' takes
 * out. docs/j3d-materials.md describes the schema. */
#ifndef FACET_J3D_JSON_JSON_H
#define FACET_J3D_JSON_JSON_H

#include "base/table.h"
#include "gx/json/text.h"

#include <facet/j3d.h>

/* -- Extras ------------------------------------------------------------- */

/* Each is the text {"j3d": {"joint": {...}}}, and so on, in `arena`; NULL
 * without memory. */
const char *facet_j3d_model_extras(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_joint_extras(const facet_j3d *document, uint32_t joint, facet_arena *arena);
const char *facet_j3d_shape_extras(const facet_j3d *document, uint32_t shape, facet_arena *arena);
/* Names that come twice get a number, which is found out once for all. */
typedef struct facet_j3d_naming {
    const uint32_t *materials, *textures; /* how many before have the same name */
} facet_j3d_naming;
bool facet_j3d_naming_make(const facet_j3d *document, facet_arena *arena, facet_j3d_naming *naming);
/* With the headers of the textures that it uses: they may get lost on the way. */
const char *facet_j3d_material_extras(const facet_j3d *document, const facet_j3d_naming *naming,
                                      const facet_j3d_material *material, facet_arena *arena);
/* One image may be what several textures show: "textures", in their order. The way
 * back is facet_gx_textures_from_extras (gx/json/texture.h). */
const char *facet_j3d_textures_extras(const facet_j3d *document, const facet_j3d_naming *naming,
                                      const uint32_t *textures, uint32_t count, facet_arena *arena);
/* An image that stands for no texture of the file: it was computed. */
const char *facet_j3d_baked_image_extras(facet_arena *arena);

/* What a file says of itself as a whole. */
typedef struct facet_j3d_model_state {
    facet_j3d_kind kind;
    uint16_t flags; /* of the hierarchy */
    bool generation_a;
} facet_j3d_model_state;

/* The way back: each text of a scene is parsed once. */
typedef struct facet_j3d_extras {
    facet_names texts; /* of the scene */
    facet_json **roots;
    uint32_t space;
    bool failed; /* memory is out, as the arena remembers */
} facet_j3d_extras;
static inline facet_j3d_extras facet_j3d_extras_make(facet_arena *arena)
{
    return (facet_j3d_extras){.texts = facet_names_make(arena)};
}
void facet_j3d_extras_free(facet_j3d_extras *extras);
/* The root of a text, which stays where it is; NULL for NULL, for what is no JSON, and
 * without memory. */
const facet_json *facet_j3d_extras_of(facet_j3d_extras *extras, const char *text);

/* True when a node was a joint of a J3D file, or an image was computed. */
bool facet_j3d_is_joint_extras(const facet_json *extras);
bool facet_j3d_is_baked_image_extras(const facet_json *extras);
/* True when extras hold something that is not J3D's own. */
bool facet_j3d_is_foreign_extras(const facet_json *extras);

/* `extras` may be NULL; when they do not speak of it, *found is false, and the
 * result untouched. What they say must be right: FACET_ERROR_MALFORMED with J3D-JSON
 * and the place in the JSON. */
facet_status facet_j3d_model_from_extras(const facet_json *extras, facet_j3d_model_state *model,
                                         bool *found, facet_error *error);
facet_status facet_j3d_joint_from_extras(const facet_json *extras, facet_j3d_joint *joint,
                                         bool *found, facet_error *error);
facet_status facet_j3d_shape_from_extras(const facet_json *extras, facet_j3d_shape *shape,
                                         bool *found, facet_error *error);
/* Textures are told by name, those of `textures`. */
facet_status facet_j3d_material_from_extras(const facet_json *extras,
                                            const facet_j3d_textures *textures,
                                            facet_j3d_material *material, bool *found,
                                            facet_error *error);

/* -- Files -------------------------------------------------------------- */

/* materials.json, textures.json and hierarchy.json: text in `arena`, NULL without
 * memory. */
const char *facet_j3d_materials_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_textures_json(const facet_j3d *document, facet_arena *arena);
const char *facet_j3d_hierarchy_json(const facet_j3d *document, facet_arena *arena);

/* Do what options->j3d->materials and options->j3d->textures (JSON text, ours or
 * SuperBMD's) say to the materials and textures of the same names; nothing when
 * they are NULL. A texture that changes its format is encoded anew. The
 * document owns an arena; packets are to be baked afterwards when *changed.
 * Errors: FACET_ERROR_ARGUMENT with J3D-JSON-MATERIALS or J3D-JSON-TEXTURES: not
 * JSON, a value that is not allowed, a name that the document does not have. */
facet_status facet_j3d_apply_json(facet_j3d *document, const facet_options *options, bool *changed,
                                  facet_error *error);

/* Texels that no texture shows any more go; false without memory. */
bool facet_j3d_drop_unused_texels(facet_j3d_textures *textures, facet_arena *scratch);

#endif
