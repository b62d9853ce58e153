/* formats/assimp/to_scene/materials.c - values of materials, and other properties. */
#include "base/error.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/material.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* -- Values ------------------------------------------------------------- */

/* The values of a material while its properties are read. */
typedef struct read_values {
    facet_classic classic;
    float base_color[4], emissive_strength, reflection, bump_scale;
    bool has_base_color;
    int shading; /* enum aiShadingMode, or 0 */
} read_values;

/* Properties with a member in the material; `count` numbers each. */
static const struct {
    const char *key;
    size_t offset;
    uint32_t count, stated;
} values[] = {
    {"$clr.ambient", offsetof(read_values, classic.ambient), 3, FACET_CLASSIC_AMBIENT},
    {"$clr.diffuse", offsetof(read_values, classic.diffuse), 3, FACET_CLASSIC_DIFFUSE},
    {"$clr.specular", offsetof(read_values, classic.specular), 3, FACET_CLASSIC_SPECULAR},
    {"$clr.emissive", offsetof(read_values, classic.emissive), 3, FACET_CLASSIC_EMISSIVE},
    {"$clr.transparent", offsetof(read_values, classic.transmission), 3,
     FACET_CLASSIC_TRANSMISSION},
    {"$clr.base", offsetof(read_values, base_color), 4, 0},
    {"$mat.opacity", offsetof(read_values, classic.opacity), 1, FACET_CLASSIC_OPACITY},
    {"$mat.shininess", offsetof(read_values, classic.shininess), 1, FACET_CLASSIC_SHININESS},
    {"$mat.refracti", offsetof(read_values, classic.refraction_index), 1, FACET_CLASSIC_REFRACTION},
    {"$mat.metallicFactor", offsetof(read_values, classic.metallic), 1, FACET_CLASSIC_METALLIC},
    {"$mat.roughnessFactor", offsetof(read_values, classic.roughness), 1, FACET_CLASSIC_ROUGHNESS},
    {"$mat.anisotropyFactor", offsetof(read_values, classic.anisotropy), 1,
     FACET_CLASSIC_ANISOTROPY},
    {"$mat.clearcoat.factor", offsetof(read_values, classic.clearcoat), 1, FACET_CLASSIC_CLEARCOAT},
    {"$mat.clearcoat.roughnessFactor", offsetof(read_values, classic.clearcoat_roughness), 1,
     FACET_CLASSIC_CLEARCOAT_ROUGHNESS},
    {"$mat.reflectivity", offsetof(read_values, reflection), 1, 0},
    {"$mat.emissiveIntensity", offsetof(read_values, emissive_strength), 1, 0},
    {"$mat.bumpscaling", offsetof(read_values, bump_scale), 1, 0},
};

/* Read a property with a member in the material; false for others. */
static bool read_value(const struct aiMaterial *from, const char *key, read_values *to,
                       facet_material *material)
{
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (strcmp(values[i].key, key) != 0)
            continue;
        float numbers[4] = {0, 0, 0, 1};
        unsigned int count = values[i].count;
        if (aiGetMaterialFloatArray(from, key, 0, 0, numbers, &count) != aiReturn_SUCCESS)
            return false;
        for (uint32_t k = 0; k < values[i].count; k++) {
            if (!isfinite(numbers[k]))
                return false;
        }
        memcpy((uint8_t *)to + values[i].offset, numbers, values[i].count * sizeof(float));
        to->classic.stated |= values[i].stated;
        to->has_base_color |= values[i].offset == offsetof(read_values, base_color);
        return values[i].offset != offsetof(read_values, reflection); /* its meaning depends on the
                                                                       * writer */
    }
    int number = 0;
    if (strcmp(key, "$mat.twosided") == 0 &&
        aiGetMaterialIntegerArray(from, key, 0, 0, &number, NULL) == aiReturn_SUCCESS) {
        material->double_sided = number != 0;
        return true;
    }
    if (strcmp(key, "$mat.shadingm") == 0 &&
        aiGetMaterialIntegerArray(from, key, 0, 0, &number, NULL) == aiReturn_SUCCESS) {
        to->shading = number;
        material->unlit = number == aiShadingMode_NoShading;
        return material->unlit;
    }
    return false;
}

/* Correct the values of an FBX, which assimp returns unchanged or distorted. */
static void settle_fbx(const facet_assimp_reader *r, read_values *from,
                       const facet_material *material)
{
    /* These programs write metallic as the reflection factor; others give it another meaning. */
    static const char *const writers[] = {"Blender", "Open Asset Import Library"};
    facet_classic *c = &from->classic;
    const char *by = facet_assimp_generator(r->from);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (strncmp(by, writers[i], strlen(writers[i])) == 0 && from->reflection > 0) {
            c->metallic = from->reflection;
            c->stated |= FACET_CLASSIC_METALLIC;
        }
    }
    /* The opacity already includes transmission. */
    c->stated &= ~(uint32_t)FACET_CLASSIC_TRANSMISSION;
    /* A texture replaces the color that it is connected to. */
    if (material->maps[FACET_MAP_DIFFUSE]) {
        for (int i = 0; i < 3; i++)
            c->diffuse[i] = 1;
    }
    /* Programs like Blender read and write 100 * (1 - roughness)^2; MTL's maximum is 1000. assimp
     * computes a roughness from it, which can be negative, unless there is a Stingray shader. */
    if (c->stated & FACET_CLASSIC_SHININESS) {
        c->shininess = fminf(fmaxf(c->shininess, 0), 100) * 10;
        if (!from->has_base_color)
            c->stated &= ~(uint32_t)FACET_CLASSIC_ROUGHNESS;
    }
    c->roughness = fminf(fmaxf(c->roughness, 0), 1);
    c->metallic = fminf(fmaxf(c->metallic, 0), 1);
}

static bool is_gray(const float color[3], float value)
{
    return color[0] == value && color[1] == value && color[2] == value;
}

/* Remove values that are only assimp's defaults. COLLADA's <lambert> and <constant> have no
 * specular light; nor has a <phong> without <specular> (COLLADA 1.4.1, chapter 8: absent means no
 * light). */
static void settle_collada(read_values *from)
{
    const float ambient = 0.1F, specular = 0.4F, shininess = 10;
    facet_classic *c = &from->classic;
    /* The opacity already includes a gray <transparent>. */
    if (is_gray(c->transmission, c->transmission[0]))
        c->stated &= ~(uint32_t)FACET_CLASSIC_TRANSMISSION;
    bool is_matte =
        from->shading == aiShadingMode_Gouraud || from->shading == aiShadingMode_NoShading;
    if (!is_matte && (!is_gray(c->specular, specular) || c->shininess != shininess))
        return;
    c->stated &= ~(uint32_t)(FACET_CLASSIC_SPECULAR | FACET_CLASSIC_SHININESS);
    memset(c->specular, 0, sizeof c->specular);
    c->shininess = 0;
    if (is_gray(c->ambient, ambient)) {
        c->stated &= ~(uint32_t)FACET_CLASSIC_AMBIENT;
        memset(c->ambient, 0, sizeof c->ambient);
    }
}

/* Read the opacity from the color of an X file or a 3MF, where it is the alpha. */
static void read_alpha(const facet_assimp_reader *r, const struct aiMaterial *from,
                       facet_classic *classic)
{
    float color[4];
    unsigned int count = 4;
    const char *by = facet_assimp_importer(r->from);
    if ((strncmp(by, "Direct3D XFile", 14) != 0 && strncasecmp(by, "3mf", 3) != 0) ||
        aiGetMaterialFloatArray(from, "$clr.diffuse", 0, 0, color, &count) != aiReturn_SUCCESS ||
        count < 4 || !isfinite(color[3]) || classic->stated & FACET_CLASSIC_OPACITY)
        return;
    classic->opacity = color[3];
    classic->stated |= FACET_CLASSIC_OPACITY;
}

static facet_status set_values(facet_assimp_reader *r, const struct aiMaterial *of,
                               read_values *from, facet_material *material)
{
    if (r->is_fbx) {
        settle_fbx(r, from, material);
        facet_assimp_read_physical(of, material, &from->classic);
        from->has_base_color &= !material->maps[FACET_MAP_DIFFUSE];
    }
    if (facet_assimp_is_dae(r->from))
        settle_collada(from);
    TRY(facet_scene_set_classic(r->scene, material, &from->classic, r->error));
    material->emissive_strength = from->emissive_strength;
    /* A factor of 0 with a map is an unintended default. */
    facet_texture *normals = material->maps[FACET_MAP_NORMAL];
    if (normals && from->bump_scale != 0)
        normals->strength *= from->bump_scale;
    if (!from->has_base_color)
        return FACET_OK;
    memcpy(material->base_color, from->base_color, 3 * sizeof(float));
    if (!(from->classic.stated & FACET_CLASSIC_OPACITY))
        material->base_color[3] = from->base_color[3];
    return FACET_OK;
}

/* -- Other properties -------------------------------------------------- */

static facet_json *numbers_of(facet_arena *arena, const struct aiMaterialProperty *property)
{
    size_t size = property->mType == aiPTI_Double ? 8 : 4, count = property->mDataLength / size;
    facet_json *list = count != 1 ? facet_json_array_in(arena) : NULL;
    for (size_t i = 0; i < count; i++) {
        const char *at = property->mData + i * size;
        double wide = 0;
        float narrow;
        int32_t integer;
        if (property->mType == aiPTI_Double) {
            memcpy(&wide, at, sizeof wide);
        } else if (property->mType == aiPTI_Float) {
            memcpy(&narrow, at, sizeof narrow);
            wide = (double)narrow;
        } else {
            memcpy(&integer, at, sizeof integer);
            wide = integer;
        }
        facet_json *number = facet_assimp_json_number(arena, wide);
        if (count == 1)
            return number;
        facet_json_append_in(arena, list, number);
    }
    return list;
}

static facet_status put_property(facet_assimp_reader *r, const struct aiMaterial *from,
                                 facet_json *object, const struct aiMaterialProperty *property,
                                 const char *key)
{
    struct aiString text;
    memset(&text, 0, sizeof text);
    if (property->mType == aiPTI_String) {
        if (aiGetMaterialString(from, property->mKey.data, property->mSemantic, property->mIndex,
                                &text) != aiReturn_SUCCESS)
            return FACET_OK;
        const char *copy = facet_assimp_text(r->scratch, &text);
        if (!copy)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        facet_json_set_in(r->scratch, object, key, facet_json_string_in(r->scratch, copy));
    } else if (property->mType == aiPTI_Float || property->mType == aiPTI_Double ||
               property->mType == aiPTI_Integer) {
        facet_json_set_in(r->scratch, object, key, numbers_of(r->scratch, property));
    }
    return FACET_OK;
}

/* True if all numbers of a property equal this one. */
static bool is_all(const struct aiMaterialProperty *property, float number)
{
    const size_t size = sizeof number;
    for (size_t at = 0; at + size <= property->mDataLength; at += size) {
        float value;
        int32_t integer;
        memcpy(&value, property->mData + at, size);
        memcpy(&integer, property->mData + at, size);
        if (property->mType == aiPTI_Integer)
            value = (float)integer;
        if (value != number)
            return false;
    }
    return property->mType == aiPTI_Float || property->mType == aiPTI_Integer;
}

/* True if FBX defines the property. assimp keeps each property of an FBX material, next to its own
 * version. */
static bool is_known_to_fbx(const char *name)
{
    static const char *const names[] = {"Ambient",
                                        "AmbientColor",
                                        "AmbientFactor",
                                        "Bump",
                                        "BumpFactor",
                                        "Diffuse",
                                        "DiffuseColor",
                                        "DiffuseFactor",
                                        "DisplacementColor",
                                        "DisplacementFactor",
                                        "Emissive",
                                        "EmissiveColor",
                                        "EmissiveFactor",
                                        "MultiLayer",
                                        "NormalMap",
                                        "Opacity",
                                        "ReflectionColor",
                                        "ReflectionFactor",
                                        "Reflectivity",
                                        "ShadingModel",
                                        "Shininess",
                                        "ShininessExponent",
                                        "Specular",
                                        "SpecularColor",
                                        "SpecularFactor",
                                        "TransparencyFactor",
                                        "TransparentColor",
                                        "VectorDisplacementColor",
                                        "VectorDisplacementFactor"};
    size_t length = strcspn(name, "|"); /* the rest is about its texture */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    }
    return false;
}

/* True for redundant properties: assimp's shading model, its numbers without effect, and its copies
 * of FBX values. Properties of authors or renderers, such as "3dsMax|Parameters|base_color", are
 * not redundant. */
static bool is_redundant(const facet_assimp_reader *r, const struct aiMaterial *from,
                         const char *key, const struct aiMaterialProperty *property)
{
    static const struct {
        const char *key;
        float neutral;
    } numbers[] = {{"$clr.reflective", 0},         {"$mat.blend", 0},
                   {"$mat.bumpscaling", 1},        {"$mat.displacementscaling", 1},
                   {"$mat.reflectivity", 0},       {"$mat.reflectivity", 1},
                   {"$mat.transparencyfactor", 0}, {"$mat.transparencyfactor", 1},
                   {"$mat.wireframe", 0}};
    /* In an FBX, SpecularFactor is the strength of highlights. */
    if (strcmp(key, "$mat.shadingm") == 0 || (r->is_fbx && strcmp(key, "$mat.shinpercent") == 0))
        return true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(key, numbers[i].key) == 0 && is_all(property, numbers[i].neutral))
            return true;
    }
    float factor = 1;
    unsigned int one = 1;
    if (strcmp(key, "$clr.reflective") == 0 &&
        aiGetMaterialFloatArray(from, "$mat.reflectivity", 0, 0, &factor, &one) ==
            aiReturn_SUCCESS &&
        factor == 0)
        return true;
    return strncmp(key, "$raw.", 5) == 0 && is_known_to_fbx(key + 5);
}

/* Read properties: known ones to their members, others to the extras. */
static facet_status read_properties(facet_assimp_reader *r, const struct aiMaterial *from,
                                    read_values *to, facet_material *material)
{
    facet_json *object = facet_json_object_in(r->scratch);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < from->mNumProperties && !status; i++) {
        const struct aiMaterialProperty *property = from->mProperties[i];
        const char *key = property ? facet_assimp_text(r->scratch, &property->mKey) : "$tex.";
        if (!key)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        if (strncmp(key, "$tex.", 5) != 0 && strcmp(key, "?mat.name") != 0 &&
            !read_value(from, key, to, material) && !is_redundant(r, from, key, property))
            status = put_property(r, from, object, property, key);
    }
    if (status || (facet_json_is_complete(object) && facet_json_object_size(object) == 0))
        return status;
    material->extras = facet_assimp_print_json(r->scene->arena, object);
    return material->extras ? FACET_OK : facet_assimp_no_memory(r->error, from->mNumProperties, 1);
}

/* -- Materials ---------------------------------------------------------- */

/* True if the first three numbers of a property, or all if it has fewer, equal this one. */
static bool begins_with(const struct aiMaterialProperty *property, float number)
{
    struct aiMaterialProperty first = *property;
    if (first.mDataLength > 3 * sizeof number)
        first.mDataLength = 3 * sizeof number;
    return is_all(&first, number);
}

/* True for a color that importers give to materials that they create. */
static bool is_default_color(const struct aiMaterialProperty *property)
{
    static const float grays[] = {0, 0.05F, 0.1F, 0.2F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F, 1};
    bool known = property->mType != aiPTI_Float;
    for (size_t i = 0; i < sizeof grays / sizeof *grays && !known; i++)
        known = begins_with(property, grays[i]);
    return known;
}

/* True for a value of the material that Facet writes for faces without one, as assimp returns
 * it. */
static bool is_of_no_material(const facet_assimp_reader *r, const struct aiMaterial *from,
                              const struct aiMaterialProperty *property)
{
    static const struct {
        const char *key;
        float value;
    } neutral[] = {{"$clr.diffuse", 1},         {"$clr.ambient", 0.1F}, {"$clr.ambient", 0.2F},
                   {"$clr.specular", 0.4F},     {"$clr.emissive", 0},   {"$clr.transparent", 0},
                   {"$mat.shininess", 0},       {"$mat.shininess", 10}, {"$mat.opacity", 1},
                   {"$mat.roughnessFactor", 1}, {"$mat.refracti", 1},   {"$mat.twosided", 0}};
    const char *key = property->mKey.data;
    bool by_assimp = from->mNumProperties == 2; /* a name and a gray */
    bool known = strcmp(key, "?mat.name") == 0 || is_redundant(r, from, key, property) ||
                 (by_assimp && (begins_with(property, 0.6F) || begins_with(property, 0.8F)));
    for (size_t i = 0; i < sizeof neutral / sizeof *neutral && !known; i++)
        known = strcmp(key, neutral[i].key) == 0 && begins_with(property, neutral[i].value);
    return known;
}

/* True for a material that was added to the file for faces without one (file/file.h). */
static bool is_marked(const struct aiMaterial *from, const char *name)
{
    struct aiString path;
    memset(&path, 0, sizeof path);
    return strstr(name, FACET_ASSIMP_NO_MATERIAL) || /* a prefix and the unit in a 3MF */
           (aiGetMaterialString(from, AI_MATKEY_TEXTURE_DIFFUSE(0), &path) == aiReturn_SUCCESS &&
            strcmp(path.data, FACET_ASSIMP_NO_MATERIAL) == 0);
}

/* True if the material is not from the file: importers give every mesh one, and so does Facet's
 * writer. It has assimp's default name, or no name, and no texture. In FBX and COLLADA it has no
 * value that a material of the file could have. */
static bool is_made_up(const facet_assimp_reader *r, const struct aiMaterial *from,
                       const char *name)
{
    bool strict = r->is_fbx || facet_assimp_is_dae(r->from);
    if (is_marked(from, name))
        return true;
    /* An X3D has no names of materials, and assimp makes none for it. */
    bool is_x3d = strstr(facet_assimp_importer(r->from), "X3D") != NULL;
    bool made_up = strcmp(name, AI_DEFAULT_MATERIAL_NAME) == 0 ||
                   (!*name && !strict && (!is_x3d || from->mNumProperties == 0));
    for (uint32_t i = 0; made_up && i < from->mNumProperties; i++) {
        const struct aiMaterialProperty *property = from->mProperties[i];
        if (!property)
            continue;
        if (strict)
            made_up = is_of_no_material(r, from, property);
        else if (strncmp(property->mKey.data, "$clr.", 5) == 0)
            made_up = is_default_color(property);
        else
            made_up = strncmp(property->mKey.data, "$tex.", 5) != 0;
    }
    return made_up;
}

static void count_uv_sets(const facet_assimp_reader *r)
{
    for (uint32_t i = 0; i < r->from->mNumMeshes; i++) {
        const struct aiMesh *mesh = r->from->mMeshes[i];
        uint32_t count = 0;
        while (count < AI_MAX_NUMBER_OF_TEXTURECOORDS && mesh->mTextureCoords[count])
            count++;
        if (mesh->mMaterialIndex < r->from->mNumMaterials &&
            r->uv_sets[mesh->mMaterialIndex] < count)
            r->uv_sets[mesh->mMaterialIndex] = count;
    }
}

facet_status facet_assimp_materials_to_scene(facet_assimp_reader *r)
{
    uint32_t count = r->from->mNumMaterials;
    r->materials = facet_arena_allocate(r->scratch, count, sizeof *r->materials);
    r->uv_sets = facet_arena_allocate_zeroed(r->scratch, count, sizeof *r->uv_sets);
    if (!r->materials || !r->uv_sets)
        return facet_assimp_no_memory(r->error, count, 2 * sizeof *r->materials);
    count_uv_sets(r);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const struct aiMaterial *from = r->from->mMaterials[i];
        struct aiString text;
        memset(&text, 0, sizeof text);
        aiGetMaterialString(from, AI_MATKEY_NAME, &text);
        const char *name = facet_assimp_text(r->scratch, &text);
        if (!name)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        r->materials[i] = FACET_NONE;
        if (is_made_up(r, from, name))
            continue;
        facet_material *material = NULL;
        TRY(facet_scene_add_named_material(r->scene, name, &material, r->error));
        r->materials[i] = r->scene->material_count - 1;
        read_values read = {.emissive_strength = 1, .bump_scale = 1};
        facet_classic_init(&read.classic);
        status = read_properties(r, from, &read, material);
        if (!status)
            status = facet_assimp_textures_to_scene(r, from, i, material);
        read_alpha(r, from, &read.classic);
        if (!status)
            status = set_values(r, from, &read, material);
    }
    return status;
}
