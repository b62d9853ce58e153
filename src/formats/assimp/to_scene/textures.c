/* formats/assimp/to_scene/textures.c - textures of materials, and embedded images. */
#include "base/error.h"
#include "base/file.h"
#include "base/size.h"
#include "formats/assimp/file/calls.h"
#include "formats/assimp/to_scene/to_scene.h"
#include "scene/material.h"

#include <facet/image.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Images ------------------------------------------------------------- */

static const char *type_by_hint(const char *hint)
{
    static const struct {
        const char *hint, *type;
    } known[] = {{"png", "image/png"},   {"jpg", "image/jpeg"},       {"jpeg", "image/jpeg"},
                 {"bmp", "image/bmp"},   {"dds", "image/vnd-ms.dds"}, {"tga", "image/x-tga"},
                 {"gif", "image/gif"},   {"ktx", "image/ktx"},        {"kx2", "image/ktx2"},
                 {"webp", "image/webp"}, {"tif", "image/tiff"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(hint, known[i].hint) == 0)
            return known[i].type;
    }
    return "";
}

/* Keep an embedded image file; assimp stores its size as the width. */
static facet_status keep_encoded(facet_assimp_reader *r, const struct aiTexture *from,
                                 facet_image *image)
{
    uint8_t *data = facet_scene_allocate(r->scene, from->mWidth, 1);
    if (!data)
        return facet_assimp_no_memory(r->error, from->mWidth, 1);
    memcpy(data, from->pcData, from->mWidth);
    image->data = data;
    image->size = from->mWidth;
    const char *type = facet_image_media_type(data, image->size);
    char hint[HINTMAXTEXTURELEN + 1] = "";
    memcpy(hint, from->achFormatHint, HINTMAXTEXTURELEN);
    const char *hinted = type_by_hint(hint);
    /* TGA has no magic number, so the type in the scene's file has priority. */
    bool sure = *type && strcmp(type, "image/x-tga") != 0;
    image->media_type = sure || !*hinted ? type : hinted;
    return FACET_OK;
}

static facet_status keep_pixels(facet_assimp_reader *r, const struct aiTexture *from,
                                facet_image *image)
{
    size_t count;
    if (!facet_size_multiply(from->mWidth, from->mHeight, &count))
        return facet_fail(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET,
                          "an image is %u by %u", from->mWidth, from->mHeight);
    uint8_t *pixels = facet_scene_allocate(r->scene, count, 4);
    if (!pixels)
        return facet_assimp_no_memory(r->error, count, 4);
    for (size_t i = 0; i < count; i++) {
        pixels[i * 4] = from->pcData[i].r;
        pixels[i * 4 + 1] = from->pcData[i].g;
        pixels[i * 4 + 2] = from->pcData[i].b;
        pixels[i * 4 + 3] = from->pcData[i].a;
    }
    image->pixels = pixels;
    image->width = from->mWidth;
    image->height = from->mHeight;
    image->channels = 4;
    return FACET_OK;
}

facet_status facet_assimp_images_to_scene(facet_assimp_reader *r)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->from->mNumTextures && !status; i++) {
        const struct aiTexture *from = r->from->mTextures[i];
        const char *name = facet_assimp_text(r->scratch, &from->mFilename);
        facet_image *image = NULL;
        if (!name)
            return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
        status = facet_scene_add_image(r->scene, name, &image, r->error);
        if (status || !from->pcData || from->mWidth == 0)
            continue;
        status = from->mHeight == 0 ? keep_encoded(r, from, image) : keep_pixels(r, from, image);
    }
    return status;
}

/* The embedded image of a path: "*3" by number, else by its former path or file name. FACET_NONE
 * for a separate file. */
static uint32_t embedded_image(const facet_assimp_reader *r, const char *path)
{
    if (path[0] == '*') {
        char *end;
        unsigned long number = strtoul(path + 1, &end, 10);
        return *end == '\0' && number < r->scene->image_count ? (uint32_t)number : FACET_NONE;
    }
    for (uint32_t i = 0; i < r->scene->image_count; i++) {
        if (strcmp(r->scene->images[i]->name, path) == 0)
            return i;
    }
    for (uint32_t i = 0; i < r->scene->image_count; i++) {
        const char *name = facet_path_base(r->scene->images[i]->name);
        if (*name && strcmp(name, facet_path_base(path)) == 0)
            return i;
    }
    return FACET_NONE;
}

/* -- Textures ----------------------------------------------------------- */

/* The map of one of assimp's texture types; -1 if Facet has none. assimp calls the texture of
 * COLLADA's <ambient> a light map. */
static int map_of(enum aiTextureType type, bool is_collada)
{
    if (is_collada && type == aiTextureType_LIGHTMAP)
        return FACET_MAP_AMBIENT;
    switch (type) {
    case aiTextureType_DIFFUSE:
    case aiTextureType_BASE_COLOR:
        return FACET_MAP_DIFFUSE;
    case aiTextureType_SPECULAR:
        return FACET_MAP_SPECULAR;
    case aiTextureType_AMBIENT:
        return FACET_MAP_AMBIENT;
    case aiTextureType_EMISSIVE:
    case aiTextureType_EMISSION_COLOR:
        return FACET_MAP_EMISSIVE;
    case aiTextureType_HEIGHT:
        return FACET_MAP_BUMP;
    case aiTextureType_NORMALS:
    case aiTextureType_NORMAL_CAMERA:
        return FACET_MAP_NORMAL;
    case aiTextureType_SHININESS:
        return FACET_MAP_SHININESS;
    case aiTextureType_OPACITY:
        return FACET_MAP_OPACITY;
    case aiTextureType_DISPLACEMENT:
        return FACET_MAP_DISPLACEMENT;
    case aiTextureType_LIGHTMAP:
    case aiTextureType_AMBIENT_OCCLUSION:
        return FACET_MAP_OCCLUSION;
    case aiTextureType_REFLECTION:
        return FACET_MAP_REFLECTION;
    case aiTextureType_METALNESS:
        return FACET_MAP_METALLIC;
    case aiTextureType_DIFFUSE_ROUGHNESS:
        return FACET_MAP_ROUGHNESS;
    case aiTextureType_SHEEN:
        return FACET_MAP_SHEEN;
    default:
        return -1;
    }
}

static facet_wrap wrap_of(enum aiTextureMapMode mode)
{
    switch (mode) {
    case aiTextureMapMode_Mirror:
        return FACET_WRAP_MIRROR;
    case aiTextureMapMode_Clamp:
    case aiTextureMapMode_Decal:
        return FACET_WRAP_CLAMP;
    default:
        return FACET_WRAP_REPEAT;
    }
}

/* Wrap modes of a texture. In an X3D, they are bytes: true repeats it. */
static void read_wrap(const facet_assimp_reader *r, const struct aiMaterial *from,
                      enum aiTextureType type, facet_texture *texture)
{
    bool is_x3d = strstr(facet_assimp_importer(r->from), "X3D") != NULL;
    for (uint32_t i = 0; i < from->mNumProperties; i++) {
        const struct aiMaterialProperty *property = from->mProperties[i];
        int32_t mode = aiTextureMapMode_Wrap;
        if (!property || property->mSemantic != (unsigned int)type || property->mIndex != 0)
            continue;
        bool is_u = strcmp(property->mKey.data, _AI_MATKEY_MAPPINGMODE_U_BASE) == 0;
        if (!is_u && strcmp(property->mKey.data, _AI_MATKEY_MAPPINGMODE_V_BASE) != 0)
            continue;
        if (is_x3d && property->mDataLength == 1)
            mode = *property->mData ? aiTextureMapMode_Wrap : aiTextureMapMode_Clamp;
        else if (property->mDataLength >= sizeof mode)
            memcpy(&mode, property->mData, sizeof mode);
        *(is_u ? &texture->wrap_u : &texture->wrap_v) = wrap_of((enum aiTextureMapMode)mode);
    }
}

/* Read the transform of a texture. Importers of FBX and COLLADA copy the file's numbers, with the
 * rotation in degrees: uv' = S R uv + T. Others follow assimp's documentation, which rotates and
 * scales about the center of the texture: uv' = 0.5 + S R (uv + T - 0.5). */
static void read_transform(const facet_assimp_reader *r, const struct aiUVTransform *from,
                           facet_texture *texture)
{
    bool copied = r->is_fbx || facet_assimp_is_dae(r->from);
    double rotation = (double)from->mRotation * (copied ? acos(-1) / 180 : 1);
    float c = (float)cos(rotation), s = (float)sin(rotation);
    float x = from->mTranslation.x, y = from->mTranslation.y;
    bool plain =
        x == 0 && y == 0 && from->mScaling.x == 1 && from->mScaling.y == 1 && from->mRotation == 0;
    if (plain || !isfinite(x) || !isfinite(y) || !isfinite(c))
        return;
    texture->has_transform = true;
    texture->scale[0] = from->mScaling.x;
    texture->scale[1] = from->mScaling.y;
    texture->rotation = (float)rotation;
    texture->offset[0] = x;
    texture->offset[1] = y;
    if (copied)
        return;
    x -= 0.5F;
    y -= 0.5F;
    texture->offset[0] = 0.5F + from->mScaling.x * (c * x - s * y);
    texture->offset[1] = 0.5F + from->mScaling.y * (s * x + c * y);
}

/* The set of a texture of material `number`. For a COLLADA without <bind_vertex_input>, assimp
 * takes a number from a name, such as "map1". */
static uint32_t uv_set_of(facet_assimp_reader *r, uint32_t number, uint32_t uv_set)
{
    if (facet_assimp_is_dae(r->from) && r->uv_sets[number] > 0 && uv_set >= r->uv_sets[number]) {
        facet_tally_hit(&r->sets_guessed, number);
        return 0;
    }
    return uv_set < AI_MAX_NUMBER_OF_TEXTURECOORDS ? uv_set : 0;
}

static facet_status read_texture(facet_assimp_reader *r, const struct aiMaterial *from,
                                 uint32_t number, enum aiTextureType type, facet_material *material,
                                 facet_map map)
{
    struct aiString path;
    struct aiUVTransform transform;
    unsigned int uv_set = 0;
    facet_texture *texture;
    memset(&path, 0, sizeof path);
    if (aiGetMaterialTexture(from, type, 0, &path, NULL, &uv_set, NULL, NULL, NULL, NULL) !=
        aiReturn_SUCCESS)
        return FACET_OK;
    const char *text = facet_assimp_text(r->scene->arena, &path);
    if (!text)
        return facet_assimp_no_memory(r->error, FACET_ASSIMP_TEXT_CAPACITY, 1);
    TRY(facet_scene_add_map(r->scene, material, map, &texture, r->error));
    texture->image = embedded_image(r, text);
    texture->has_image = texture->image != FACET_NONE;
    texture->path = texture->has_image ? "" : text;
    if (!texture->has_image)
        texture->image = 0;
    texture->uv_set = uv_set_of(r, number, uv_set);
    read_wrap(r, from, type, texture);
    if (aiGetMaterialUVTransform(from, AI_MATKEY_UVTRANSFORM(type, 0), &transform) ==
        aiReturn_SUCCESS)
        read_transform(r, &transform, texture);
    return FACET_OK;
}

/* True for a property of an FBX material whose texture assimp reads as a map. */
static bool is_read_property(const char *name, size_t length, const facet_material *material)
{
    static const char *const names[] = {"AmbientColor",
                                        "Bump",
                                        "DiffuseColor",
                                        "DisplacementColor",
                                        "EmissiveColor",
                                        "EmissiveFactor",
                                        "NormalMap",
                                        "ReflectionColor",
                                        "ReflectionFactor",
                                        "ShininessExponent",
                                        "SpecularColor",
                                        "SpecularFactor",
                                        "TransparencyFactor",
                                        "TransparentColor",
                                        "3dsMax|Parameters|base_color_map",
                                        "3dsMax|Parameters|bump_map",
                                        "3dsMax|Parameters|emission_map",
                                        "3dsMax|Parameters|metalness_map",
                                        "3dsMax|Parameters|roughness_map",
                                        "3dsMax|main|ao_map",
                                        "3dsMax|main|base_color_map",
                                        "3dsMax|main|emit_color_map",
                                        "3dsMax|main|metalness_map",
                                        "3dsMax|main|norm_map",
                                        "3dsMax|main|opacity_map",
                                        "3dsMax|main|specular_map",
                                        "Maya|DiffuseTexture",
                                        "Maya|FalloffTexture",
                                        "Maya|NormalTexture",
                                        "Maya|ReflectionMapTexture",
                                        "Maya|SpecularTexture",
                                        "Maya|TEX_ao_map",
                                        "Maya|TEX_color_map",
                                        "Maya|TEX_emissive_map",
                                        "Maya|TEX_metallic_map",
                                        "Maya|TEX_normal_map",
                                        "Maya|TEX_roughness_map",
                                        "Maya|baseColor",
                                        "Maya|diffuseRoughness",
                                        "Maya|emissionColor",
                                        "Maya|metalness",
                                        "Maya|normalCamera"};
    static const char *const glossy[] = {"3dsMax|main|glossiness_map", "3dsMax|main|roughness_map"};
    bool has_gloss = material->maps[FACET_MAP_SHININESS] || material->maps[FACET_MAP_ROUGHNESS];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    }
    for (size_t i = 0; i < 2 && has_gloss; i++) { /* read if another property selects it */
        if (strlen(glossy[i]) == length && memcmp(glossy[i], name, length) == 0)
            return true;
    }
    return false;
}

/* Count the textures of an FBX material that are connected to other properties. assimp keeps their
 * paths as "$raw.NAME|file". */
static void count_other_textures(facet_assimp_reader *r, const struct aiMaterial *from,
                                 uint32_t number, const facet_material *material)
{
    static const char prefix[] = "$raw.", suffix[] = "|file";
    const size_t around = sizeof prefix + sizeof suffix - 2;
    for (uint32_t i = 0; i < from->mNumProperties; i++) {
        const struct aiMaterialProperty *property = from->mProperties[i];
        const char *key = property ? property->mKey.data : "";
        size_t length = strlen(key);
        if (length > around && strncmp(key, prefix, sizeof prefix - 1) == 0 &&
            strcmp(key + length - sizeof suffix + 1, suffix) == 0 &&
            !is_read_property(key + sizeof prefix - 1, length - around, material))
            facet_tally_hit(&r->maps_lost, number);
    }
}

facet_status facet_assimp_textures_to_scene(facet_assimp_reader *r, const struct aiMaterial *from,
                                            uint32_t number, facet_material *material)
{
    facet_status status = FACET_OK;
    bool is_collada = facet_assimp_is_dae(r->from);
    for (int type = 1; type <= AI_TEXTURE_TYPE_MAX && !status; type++) {
        unsigned int count = aiGetMaterialTextureCount(from, (enum aiTextureType)type);
        int map = map_of((enum aiTextureType)type, is_collada);
        if (count == 0)
            continue;
        if (map < 0) {
            facet_tally_hit(&r->maps_lost, number);
            continue;
        }
        if (count > 1 || material->maps[map])
            facet_tally_hit(&r->layers_lost, number);
        if (!material->maps[map])
            status =
                read_texture(r, from, number, (enum aiTextureType)type, material, (facet_map)map);
    }
    if (!status && r->is_fbx)
        count_other_textures(r, from, number, material);
    return status;
}
