/* formats/assimp/file/repair_fbx_values.c - shading values of materials. assimp writes them with
 * old names that programs no longer read. */
#include "base/bytes.h"
#include "formats/assimp/file/repair_fbx.h"

#include <assimp/material.h>
#include <string.h>

static void put_text(facet_fbx_repair *r, const char *text)
{
    uint8_t head[5] = {'S'};
    facet_store_u32le(head + 1, (uint32_t)strlen(text));
    facet_fbx_put(r, head, sizeof head);
    facet_fbx_put(r, text, strlen(text));
}

/* Write a record P: name, type (twice), flags, numbers. */
static void put_value(facet_fbx_repair *r, const char *name, const char *type,
                      const double *numbers, uint32_t count)
{
    size_t begin = r->used;
    facet_fbx_put_zeros(r, 24);
    facet_fbx_put(r, "\1P", 2);
    size_t properties = r->used;
    put_text(r, name);
    put_text(r, type);
    put_text(r, "");
    put_text(r, "A");
    for (uint32_t i = 0; i < count; i++) {
        uint8_t number[9] = {'D'};
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        facet_store_u64le(number + 1, bits);
        facet_fbx_put(r, number, sizeof number);
    }
    facet_fbx_set(r, begin, r->used);
    facet_fbx_set(r, begin + 8, 4 + count);
    facet_fbx_set(r, begin + 16, r->used - properties);
}

/* Read up to `most` floats of a property. False if Facet's writer did not set it. */
static bool floats_of(const struct aiMaterial *m, const char *key, float *values, size_t most)
{
    for (uint32_t i = 0; i < m->mNumProperties; i++) {
        const struct aiMaterialProperty *p = m->mProperties[i];
        if (strcmp(p->mKey.data, key) != 0 || p->mType != aiPTI_Float)
            continue;
        size_t size = most * sizeof *values;
        memcpy(values, p->mData, p->mDataLength < size ? p->mDataLength : size);
        return true;
    }
    return false;
}

static double number_of(const struct aiMaterial *m, const char *key, double otherwise)
{
    float value = 0;
    return floats_of(m, key, &value, 1) ? (double)value : otherwise;
}

/* Write the values that Blender and other programs read: emission as color and factor; metallic as
 * the reflection factor (1 if missing); roughness as shininess (20 if missing). */
void facet_fbx_put_values(facet_fbx_repair *r)
{
    const struct aiMaterial *m =
        r->material < r->scene->mNumMaterials ? r->scene->mMaterials[r->material++] : NULL;
    float color[3] = {0, 0, 0};
    if (!m)
        return;
    double strength = number_of(m, "$mat.emissiveIntensity", 1);
    double metallic = number_of(m, "$mat.metallicFactor", 0);
    double shininess = number_of(m, "$mat.shininess", 0);
    double bump = number_of(m, "$mat.bumpscaling", 1);
    if (floats_of(m, "$clr.emissive", color, 3)) {
        const double emissive[3] = {(double)color[0], (double)color[1], (double)color[2]};
        put_value(r, "EmissiveColor", "Color", emissive, 3);
        put_value(r, "EmissiveFactor", "Number", &strength, 1);
    }
    if (bump != 1)
        put_value(r, "BumpFactor", "Number", &bump, 1);
    put_value(r, "ReflectionFactor", "Number", &metallic, 1);
    put_value(r, "ShininessExponent", "Number", &shininess, 1);
    put_value(r, "Shininess", "Number", &shininess, 1); /* Blender's name for the same value */
}
