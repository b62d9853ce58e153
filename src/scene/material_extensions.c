/* scene/material_extensions.c - glTF's material extensions as a table. Names, defaults and ranges:
 * the schemas of KHR_materials_... in the glTF registry. */
#include "scene/material_extensions.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Writers of glTF and of assimp's formats use one bit per map. */
_Static_assert(FACET_MAP_COUNT <= 32, "maps are bits of 32");

#define MAP(name, key, map)                                \
    {                                                      \
        key, "extensions/KHR_materials_" name "/" key, map \
    }
#define AT(member) offsetof(facet_material, member)

const facet_material_extension facet_material_extensions[FACET_MATERIAL_EXTENSION_COUNT] = {
    {"KHR_materials_anisotropy",
     {{"anisotropyStrength", AT(anisotropy), 1, 0, 0, 1},
      {"anisotropyRotation", AT(anisotropy_rotation), 1, 0, -FLT_MAX, FLT_MAX}},
     {MAP("anisotropy", "anisotropyTexture", FACET_MAP_ANISOTROPY)}},
    {"KHR_materials_clearcoat",
     {{"clearcoatFactor", AT(clearcoat), 1, 0, 0, 1},
      {"clearcoatRoughnessFactor", AT(clearcoat_roughness), 1, 0, 0, 1}},
     {MAP("clearcoat", "clearcoatTexture", FACET_MAP_CLEARCOAT),
      MAP("clearcoat", "clearcoatRoughnessTexture", FACET_MAP_CLEARCOAT_ROUGHNESS),
      MAP("clearcoat", "clearcoatNormalTexture", FACET_MAP_CLEARCOAT_NORMAL)}},
    {"KHR_materials_diffuse_transmission",
     {{"diffuseTransmissionFactor", AT(diffuse_transmission), 1, 0, 0, 1},
      {"diffuseTransmissionColorFactor", AT(diffuse_transmission_color), 3, 1, 0, HUGE_VALF}},
     {MAP("diffuse_transmission", "diffuseTransmissionTexture", FACET_MAP_DIFFUSE_TRANSMISSION),
      MAP("diffuse_transmission", "diffuseTransmissionColorTexture",
          FACET_MAP_DIFFUSE_TRANSMISSION_COLOR)}},
    {"KHR_materials_dispersion",
     {{"dispersion", AT(dispersion), 1, 0, 0, HUGE_VALF}},
     {{.key = NULL}}},
    {"KHR_materials_ior", {{"ior", AT(ior), 1, 1.5F, 0, HUGE_VALF}}, {{.key = NULL}}},
    {"KHR_materials_iridescence",
     {{"iridescenceFactor", AT(iridescence), 1, 0, 0, 1},
      {"iridescenceIor", AT(iridescence_ior), 1, 1.3F, 1, HUGE_VALF},
      {"iridescenceThicknessMinimum", AT(iridescence_thickness[0]), 1, 100, 0, HUGE_VALF},
      {"iridescenceThicknessMaximum", AT(iridescence_thickness[1]), 1, 400, 0, HUGE_VALF}},
     {MAP("iridescence", "iridescenceTexture", FACET_MAP_IRIDESCENCE),
      MAP("iridescence", "iridescenceThicknessTexture", FACET_MAP_IRIDESCENCE_THICKNESS)}},
    {"KHR_materials_sheen",
     {{"sheenColorFactor", AT(sheen_color), 3, 0, 0, 1},
      {"sheenRoughnessFactor", AT(sheen_roughness), 1, 0, 0, 1}},
     {MAP("sheen", "sheenColorTexture", FACET_MAP_SHEEN_COLOR),
      MAP("sheen", "sheenRoughnessTexture", FACET_MAP_SHEEN_ROUGHNESS)}},
    {"KHR_materials_specular",
     {{"specularFactor", AT(specular), 1, 1, 0, 1},
      {"specularColorFactor", AT(specular_color), 3, 1, 0, HUGE_VALF}},
     {MAP("specular", "specularTexture", FACET_MAP_SPECULAR_FACTOR),
      MAP("specular", "specularColorTexture", FACET_MAP_SPECULAR_COLOR)}},
    {"KHR_materials_transmission",
     {{"transmissionFactor", AT(transmission), 1, 0, 0, 1}},
     {MAP("transmission", "transmissionTexture", FACET_MAP_TRANSMISSION)}},
    {"KHR_materials_volume",
     {{"thicknessFactor", AT(thickness), 1, 0, 0, HUGE_VALF},
      {"attenuationDistance", AT(attenuation_distance), 1, 0, 0, HUGE_VALF},
      {"attenuationColor", AT(attenuation_color), 3, 1, 0, 1}},
     {MAP("volume", "thicknessTexture", FACET_MAP_THICKNESS)}},
    /* Not only part of a material: its replacements in variants are read and written with
     * primitives. This entry provides the name of the extension for targets that lose it. */
    {"KHR_materials_variants", {{.key = NULL}}, {{.key = NULL}}},
};

const char *facet_material_extension_name(const facet_material_extension *extension)
{
    return extension->key + strlen("KHR_materials_");
}

bool facet_material_extension_is_used(const facet_material_extension *extension,
                                      const facet_material *material)
{
    for (const facet_material_extension_value *value = extension->values; value->key; value++) {
        const float *floats = facet_material_extension_const_floats(value, material);
        for (uint32_t i = 0; i < value->count; i++) {
            if (floats[i] != value->otherwise)
                return true;
        }
    }
    for (const facet_material_extension_map *map = extension->maps; map->key; map++) {
        if (material->maps[map->map])
            return true;
    }
    return !extension->values[0].key && material->variant_count > 0;
}

static bool are_between(const float *values, uint32_t count, float least, float most)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!(values[i] >= least && values[i] <= most))
            return false;
    }
    return true;
}

static bool looks_are_in_range(const facet_material *material)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++) {
            if (!are_between(facet_material_extension_const_floats(value, material), value->count,
                             value->least, value->most))
                return false;
        }
    }
    return material->ior == 0 || material->ior >= 1;
}

bool facet_material_is_in_range(const facet_material *material, bool looks)
{
    float occlusion = facet_material_strength(material, FACET_MAP_OCCLUSION);
    return are_between(material->base_color, 4, 0, 1) &&
           are_between(&material->metallic, 1, 0, 1) &&
           are_between(&material->roughness, 1, 0, 1) && are_between(&occlusion, 1, 0, 1) &&
           are_between(material->emissive, 3, 0, HUGE_VALF) &&
           are_between(&material->emissive_strength, 1, 0, HUGE_VALF) &&
           (!looks || looks_are_in_range(material));
}

void facet_material_extensions_init(facet_material *material)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        for (const facet_material_extension_value *value = facet_material_extensions[i].values;
             value->key; value++) {
            float *floats = facet_material_extension_floats(value, material);
            for (uint32_t k = 0; k < value->count; k++)
                floats[k] = value->otherwise;
        }
    }
}
