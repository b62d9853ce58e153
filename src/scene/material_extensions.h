/* scene/material_extensions.h - the table of glTF's material extensions, with the values and
 * textures of each. It is used to read, write, compare and check materials, and to report losses.
 */
#ifndef FACET_SCENE_MATERIAL_EXTENSIONS_H
#define FACET_SCENE_MATERIAL_EXTENSIONS_H

#include <facet/scene.h>

#include <stddef.h>

/* One property: `count` floats at `offset` of a facet_material. */
typedef struct facet_material_extension_value {
    const char *key; /* key in the extension; NULL: end of the list */
    size_t offset;
    uint32_t count;
    float otherwise;   /* default of each float */
    float least, most; /* range; infinite: unbounded */
} facet_material_extension_value;

typedef struct facet_material_extension_map {
    const char *key;  /* key in the extension; NULL: end of the list */
    const char *path; /* path from the material: "extensions/KHR_materials_.../..." */
    facet_map map;
} facet_material_extension_map;

typedef struct facet_material_extension {
    const char *key; /* such as "KHR_materials_clearcoat" */
    facet_material_extension_value values[6];
    facet_material_extension_map maps[4];
} facet_material_extension;

enum { FACET_MATERIAL_EXTENSION_COUNT = 11 };
extern const facet_material_extension facet_material_extensions[FACET_MATERIAL_EXTENSION_COUNT];

/* Name of the extension without "KHR_materials_", such as "clearcoat". */
const char *facet_material_extension_name(const facet_material_extension *extension);

/* True if a value differs from its default, or the material has one of the textures. */
bool facet_material_extension_is_used(const facet_material_extension *extension,
                                      const facet_material *material);

/* True if the values of a material are in the ranges of glTF. Without `looks`, those of extensions
 * are not compared. An emissive color has no maximum: a larger one is a strength. */
bool facet_material_is_in_range(const facet_material *material, bool looks);

/* Set the defaults of all values. */
void facet_material_extensions_init(facet_material *material);

/* The floats of a value in a material. */
static inline float *facet_material_extension_floats(const facet_material_extension_value *value,
                                                     facet_material *material)
{
    return (float *)((char *)material + value->offset);
}
static inline const float *
facet_material_extension_const_floats(const facet_material_extension_value *value,
                                      const facet_material *material)
{
    return (const float *)((const char *)material + value->offset);
}

#endif
