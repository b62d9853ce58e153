/* formats/assimp/to_scene/fbx_physical.c - physically based materials of Maya and 3ds Max in an
 * FBX. They are properties of renderers, and the classic values next to them are defaults. assimp
 * reads only those of Maya's Stingray shader. */
#include "formats/assimp/file/calls.h"
#include "formats/assimp/to_scene/to_scene.h"

#include <math.h>
#include <string.h>

/* Names of the properties of a shader, which has the color; NULL: none. */
typedef struct shader {
    const char *color, *weight, *metallic, *roughness, *is_glossiness, *emission, *emission_weight;
} shader;

static const shader shaders[] = {
    /* Arnold, and the standard surface of Maya */
    {"$raw.Maya|baseColor", "$raw.Maya|base", "$raw.Maya|metalness", "$raw.Maya|specularRoughness",
     NULL, "$raw.Maya|emissionColor", "$raw.Maya|emission"},
    /* the physical material of 3ds Max */
    {"$raw.3dsMax|Parameters|base_color", "$raw.3dsMax|Parameters|base_weight",
     "$raw.3dsMax|Parameters|metalness", "$raw.3dsMax|Parameters|roughness",
     "$raw.3dsMax|Parameters|roughness_inv", "$raw.3dsMax|Parameters|emit_color",
     "$raw.3dsMax|Parameters|emission"},
    /* its PBR material */
    {"$raw.3dsMax|main|basecolor", NULL, "$raw.3dsMax|main|metalness", "$raw.3dsMax|main|roughness",
     NULL, "$raw.3dsMax|main|emit_color", NULL}};

/* Read numbers of a property. False, without a change, if it is missing or invalid. */
static bool read(const struct aiMaterial *from, const char *key, unsigned int count, float *to)
{
    float numbers[4];
    unsigned int found = 4;
    if (!key || aiGetMaterialFloatArray(from, key, 0, 0, numbers, &found) != aiReturn_SUCCESS ||
        found < count)
        return false;
    for (unsigned int i = 0; i < count; i++) {
        if (!isfinite(numbers[i]))
            return false;
    }
    memcpy(to, numbers, count * sizeof *to);
    return true;
}

static float unit(float value)
{
    return fminf(fmaxf(value, 0), 1);
}

static bool is_set(const struct aiMaterial *from, const char *key)
{
    int number = 0;
    return key && aiGetMaterialIntegerArray(from, key, 0, 0, &number, NULL) == aiReturn_SUCCESS &&
           number != 0;
}

void facet_assimp_read_physical(const struct aiMaterial *from, const facet_material *material,
                                facet_classic *to)
{
    const shader *s = shaders, *end = s + sizeof shaders / sizeof *shaders;
    float color[3], weight = 1, emission[3], emission_weight = 1;
    while (s < end && !read(from, s->color, 3, color))
        s++;
    if (s == end)
        return;
    read(from, s->weight, 1, &weight);
    for (int i = 0; i < 3; i++) /* a texture replaces the color */
        to->diffuse[i] = material->maps[FACET_MAP_DIFFUSE] ? 1 : unit(color[i] * weight);
    to->stated &= ~(uint32_t)(FACET_CLASSIC_SPECULAR | FACET_CLASSIC_SHININESS);
    to->stated |= FACET_CLASSIC_DIFFUSE | FACET_CLASSIC_METALLIC | FACET_CLASSIC_ROUGHNESS;
    to->metallic = 0;
    read(from, s->metallic, 1, &to->metallic);
    read(from, s->roughness, 1, &to->roughness);
    to->metallic = unit(to->metallic);
    to->roughness = unit(to->roughness);
    if (is_set(from, s->is_glossiness))
        to->roughness = 1 - to->roughness;
    /* Arnold has a white emission of weight 0 by default. */
    bool is_weighted = read(from, s->emission_weight, 1, &emission_weight);
    if ((s->emission_weight && !is_weighted) || !read(from, s->emission, 3, emission))
        return;
    for (int i = 0; i < 3; i++)
        to->emissive[i] = fmaxf(emission[i] * emission_weight, 0);
    to->stated |= FACET_CLASSIC_EMISSIVE;
}
