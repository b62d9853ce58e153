/* scene/material.c - one material in the words of an MTL and in those of glTF. */
#include <facet/scene.h>
#include <math.h>

static bool given(const facet_material *material, uint32_t value)
{
    return (material->given & value) != 0;
}

static bool has(const facet_material *material, facet_map map)
{
    return material->maps[map].path != NULL;
}

/* Blender's measure, which most OBJ files in circulation were written with: it
 * runs over the whole range of Ns and can be undone. */
static float roughness_of(float shininess)
{
    float s = shininess < 0 ? 0 : shininess > 1000 ? 1000 : shininess;
    return 1 - sqrtf(s / 1000);
}

static float shininess_of(float roughness)
{
    float smooth = 1 - roughness;
    return smooth * smooth * 1000;
}

static void complete_gltf_words(facet_material *m)
{
    bool classic = given(m, FACET_MATERIAL_DIFFUSE) || given(m, FACET_MATERIAL_SPECULAR);
    if (!given(m, FACET_MATERIAL_BASE_COLOR)) {
        for (int i = 0; i < 3; i++)
            m->base_color[i] = m->diffuse[i];
        m->base_color[3] = m->opacity;
    }
    if (!given(m, FACET_MATERIAL_ALPHA) && !given(m, FACET_MATERIAL_BASE_COLOR))
        m->alpha_mode =
            m->opacity < 1 || has(m, FACET_MAP_OPACITY) ? FACET_ALPHA_BLEND : FACET_ALPHA_OPAQUE;
    if (!given(m, FACET_MATERIAL_ROUGHNESS) && given(m, FACET_MATERIAL_SHININESS))
        m->roughness = roughness_of(m->shininess);
    if (!given(m, FACET_MATERIAL_METALLIC) && classic && !has(m, FACET_MAP_METALLIC) &&
        !has(m, FACET_MAP_METALLIC_ROUGHNESS))
        m->metallic = 0;
}

static void complete_mtl_words(facet_material *m)
{
    if (!given(m, FACET_MATERIAL_BASE_COLOR))
        return;
    if (!given(m, FACET_MATERIAL_DIFFUSE)) {
        for (int i = 0; i < 3; i++)
            m->diffuse[i] = m->base_color[i];
    }
    if (!given(m, FACET_MATERIAL_OPACITY))
        m->opacity = m->alpha_mode == FACET_ALPHA_OPAQUE ? 1 : m->base_color[3];
    if (!given(m, FACET_MATERIAL_SHININESS) && given(m, FACET_MATERIAL_ROUGHNESS))
        m->shininess = shininess_of(m->roughness);
    if (!given(m, FACET_MATERIAL_SPECULAR) && given(m, FACET_MATERIAL_METALLIC)) {
        for (int i = 0; i < 3; i++)
            m->specular[i] = 0.04F + (m->base_color[i] - 0.04F) * m->metallic;
    }
}

void facet_material_complete(facet_material *material)
{
    complete_gltf_words(material);
    complete_mtl_words(material);
}
