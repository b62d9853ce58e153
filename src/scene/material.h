/* scene/material.h - internal functions for materials. */
#ifndef FACET_SCENE_MATERIAL_H
#define FACET_SCENE_MATERIAL_H

#include "base/arena.h"

#include <facet/scene.h>

struct facet_material_extension;

/* Add a material from a source that gives only its name and maps (PLY, BSM, BinaryMesh, BPX, BGA),
 * or classic values (MTL). It is not metallic, and its sides are unknown. Ownership and errors as
 * in facet_scene_add_material. */
facet_status facet_scene_add_named_material(facet_scene *scene, const char *name,
                                            facet_material **material, facet_error *error);

/* True if the material has only a name, so a format that only stores names loses nothing. */
bool facet_material_is_plain(const facet_material *material);

/* Fate of one of glTF's material extensions in the classic terms of a material. */
typedef enum facet_classic_look {
    FACET_CLASSIC_LOOK_NONE,
    FACET_CLASSIC_LOOK_SIMILAR, /* by another shader, or without a color or map */
    FACET_CLASSIC_LOOK_SAME
} facet_classic_look;

facet_classic_look facet_material_classic_look(const facet_material *material,
                                               const struct facet_material_extension *extension);

/* False if an image certainly has no alpha: a JPEG, or a PNG whose chunks before the pixels define
 * none. Nothing is decoded. */
bool facet_image_may_have_alpha(const facet_image *image);

/* True if an opaque material has a base color image that may have alpha. A format that does not
 * store the alpha mode would make it transparent. Materials from such formats are unchanged. So
 * are those of consoles, whose stages may use the alpha. */
bool facet_material_ignores_alpha(const facet_scene *scene, const facet_material *material);

/* True if the emissive map has a black factor, glTF's default, so that it shows nothing. In formats
 * where the map replaces the factor, it would glow. */
bool facet_material_hides_emission(const facet_material *material);

/* Report LOSS-MATERIALS for materials that have the name of an earlier one, in formats where equal
 * names are one material. `unnamed`: also for materials without a name. Quasi-linear. Errors:
 * FACET_ERROR_MEMORY. */
facet_status facet_scene_report_material_names(const facet_scene *scene, bool unnamed,
                                               facet_arena *scratch, facet_report *report,
                                               facet_error *error);

/* The set of texture coordinates that all maps use; else that of all diffuse maps; 0 if these use
 * different ones, or without maps. A format with one set stores that one. */
uint32_t facet_scene_texcoord_set(const facet_scene *scene);

/* True for filters that choose the nearest texel. */
bool facet_filter_is_nearest(facet_filter filter);

/* Set the default values of glTF: white, opaque, metallic 1, roughness 1, one-sided, no maps; the
 * name is "". Overwrites all members. */
void facet_material_init(facet_material *material);

/* Set the default values: path "", no image, strength 1, no transform, repeated. Overwrites all
 * members. */
void facet_texture_init(facet_texture *texture);

#endif
