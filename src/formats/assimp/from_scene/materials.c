/* formats/assimp/from_scene/materials.c - materials as classic values, and images. */
#include "base/error.h"
#include "base/report.h"
#include "base/unique.h"
#include "formats/assimp/from_scene/from_scene.h"
#include "scene/material.h"

#include <assimp/material.h>
#include <facet/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* -- Images ------------------------------------------------------------- */

static const char *hint_of(const char *type)
{
    static const struct {
        const char *type, *hint;
    } known[] = {{"image/png", "png"},        {"image/jpeg", "jpg"}, {"image/bmp", "bmp"},
                 {"image/x-tga", "tga"},      {"image/gif", "gif"},  {"image/webp", "webp"},
                 {"image/vnd-ms.dds", "dds"}, {"image/tiff", "tif"}, {"image/ktx2", "kx2"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(type, known[i].type) == 0)
            return known[i].hint;
    }
    return "bin";
}

/* Encode pixels without a file as PNG. */
static facet_status encode(facet_assimp_writer *w, const facet_image *image, const uint8_t **data,
                           size_t *size)
{
    facet_output *png = NULL;
    facet_status status = facet_output_open_memory(NULL, &png, w->error);
    if (!status)
        status = facet_image_encode(image, "image/png", 0, w->options, png, w->error);
    if (!status)
        status = facet_output_commit(png, w->error);
    uint8_t *copy = NULL;
    if (!status) {
        *size = (size_t)facet_output_size(png);
        copy = facet_arena_allocate(w->scratch, *size, 1);
        if (copy)
            memcpy(copy, facet_output_data(png), *size);
        else
            status = facet_assimp_no_memory(w->error, *size, 1);
    }
    *data = copy;
    facet_output_free(png);
    return status;
}

/* Programs write or know embedded pictures by their file names, so these must differ. */
static const char *file_name_of(facet_assimp_writer *w, facet_unique *names,
                                const facet_image *image, uint32_t number, const char *hint)
{
    const char *given = image->name, *dot = strrchr(given, '.');
    bool has_kind = dot && (strcasecmp(dot + 1, hint) == 0 || strcasecmp(dot + 1, "jpeg") == 0);
    const char *stem = *given ? facet_arena_string(w->scratch, given,
                                                   has_kind ? (size_t)(dot - given) : strlen(given))
                              : facet_arena_format(w->scratch, "image_%" PRIu32, number);
    return stem ? facet_unique_file(names, stem, has_kind ? dot + 1 : hint) : NULL;
}

static facet_status write_image(facet_assimp_writer *w, facet_unique *names,
                                const facet_image *image, uint32_t number, struct aiTexture *to)
{
    const uint8_t *data = image->data;
    size_t size = image->size;
    const char *hint = hint_of(image->media_type);
    if (!data && image->pixels) {
        TRY(encode(w, image, &data, &size));
        hint = "png";
    }
    if (size > UINT32_MAX)
        return facet_fail(w->error, FACET_ERROR_LIMIT, "ASSIMP-SIZE", FACET_NO_OFFSET,
                          "image %u has more than 4 GiB", number);
    to->pcData = (struct aiTexel *)(uintptr_t)data;
    to->mWidth = data ? (unsigned int)size : 0;
    snprintf(to->achFormatHint, sizeof to->achFormatHint, "%s", hint);
    const char *called = file_name_of(w, names, image, number, hint);
    if (!called)
        return facet_assimp_no_memory(w->error, 1, 1);
    facet_assimp_set_text(&to->mFilename, called);
    return FACET_OK;
}

/* Give every image a number, so that a reference "*3" stays valid. */
facet_status facet_assimp_images_from_scene(facet_assimp_writer *w)
{
    uint32_t count = w->drop_images ? 0 : w->scene->image_count;
    struct aiTexture *textures = facet_arena_allocate_zeroed(w->scratch, count, sizeof *textures);
    w->to.mTextures = facet_arena_allocate(w->scratch, count, sizeof *w->to.mTextures);
    if (!textures || !w->to.mTextures)
        return facet_assimp_no_memory(w->error, count, sizeof *textures);
    facet_unique names = facet_unique_make(w->scratch);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        w->to.mTextures[i] = &textures[i];
        status = write_image(w, &names, w->scene->images[i], i, &textures[i]);
    }
    w->to.mNumTextures = count;
    return status;
}

/* -- Properties --------------------------------------------------------- */

#define MAX_PROPERTIES (24 + 3 * FACET_MAP_COUNT)

typedef struct builder {
    facet_assimp_writer *w;
    struct aiMaterial *to;
    bool failed;
} builder;

static void put(builder *b, const char *key, unsigned semantic, enum aiPropertyTypeInfo type,
                const void *data, size_t size)
{
    struct aiMaterialProperty *property =
        facet_arena_allocate_zeroed(b->w->scratch, 1, sizeof *property);
    char *copy = facet_arena_allocate(b->w->scratch, size, 1);
    b->failed |= !property || !copy;
    if (b->failed)
        return;
    memcpy(copy, data, size);
    facet_assimp_set_text(&property->mKey, key);
    property->mSemantic = semantic;
    property->mType = type;
    property->mData = copy;
    property->mDataLength = (unsigned int)size;
    b->to->mProperties[b->to->mNumProperties++] = property;
}

static void put_floats(builder *b, const char *key, const float *values, size_t count)
{
    put(b, key, 0, aiPTI_Float, values, count * sizeof *values);
}

static void put_integer(builder *b, const char *key, unsigned semantic, int value)
{
    put(b, key, semantic, aiPTI_Integer, &value, sizeof value);
}

/* Put a string: its length in 32 bits, its bytes, and a NUL. */
static void put_text(builder *b, const char *key, unsigned semantic, const char *text)
{
    char data[4 + FACET_ASSIMP_TEXT_CAPACITY];
    struct aiString cut;
    facet_assimp_set_text(&cut, text);
    uint32_t length = (uint32_t)cut.length;
    memcpy(data, &length, sizeof length);
    memcpy(data + 4, cut.data, length + 1);
    put(b, key, semantic, aiPTI_String, data, length + 5);
}

/* -- Textures ----------------------------------------------------------- */

static unsigned type_of(int map)
{
    switch (map) {
    case FACET_MAP_DIFFUSE:
        return aiTextureType_DIFFUSE;
    case FACET_MAP_SPECULAR:
        return aiTextureType_SPECULAR;
    case FACET_MAP_AMBIENT:
        return aiTextureType_AMBIENT;
    case FACET_MAP_EMISSIVE:
        return aiTextureType_EMISSIVE;
    case FACET_MAP_BUMP:
        return aiTextureType_HEIGHT;
    case FACET_MAP_NORMAL:
        return aiTextureType_NORMALS;
    case FACET_MAP_SHININESS:
        return aiTextureType_SHININESS;
    case FACET_MAP_OPACITY:
        return aiTextureType_OPACITY;
    case FACET_MAP_DISPLACEMENT:
        return aiTextureType_DISPLACEMENT;
    case FACET_MAP_REFLECTION:
        return aiTextureType_REFLECTION;
    default:
        return aiTextureType_UNKNOWN;
    }
}

static void put_texture(builder *b, int map, const facet_texture *texture)
{
    const facet_scene *scene = b->w->scene;
    const facet_image *image = texture->has_image ? scene->images[texture->image] : NULL;
    const char *path = texture->path;
    char number[16];
    if (image && (image->data || image->pixels) && !b->w->drop_images) {
        snprintf(number, sizeof number, "*%u", texture->image);
        path = number;
    } else if (image && !*path) {
        path = image->path ? image->path : image->name;
    }
    if (!*path)
        return;
    unsigned type = type_of(map);
    static const int modes[3] = {aiTextureMapMode_Wrap, aiTextureMapMode_Clamp,
                                 aiTextureMapMode_Mirror};
    put_text(b, "$tex.file", type, path);
    put_integer(b, "$tex.uvwsrc", type, (int)texture->uv_set);
    if (texture->wrap_u != FACET_WRAP_REPEAT)
        put_integer(b, "$tex.mapmodeu", type, modes[texture->wrap_u]);
    if (texture->wrap_v != FACET_WRAP_REPEAT)
        put_integer(b, "$tex.mapmodev", type, modes[texture->wrap_v]);
}

/* -- Materials ---------------------------------------------------------- */

static void put_values(builder *b, const facet_material *m)
{
    facet_classic c;
    facet_material_get_classic(m, &c);
    put_integer(b, "$mat.shadingm", 0, m->unlit ? aiShadingMode_NoShading : aiShadingMode_Phong);
    put_integer(b, "$mat.twosided", 0, m->double_sided);
    put_floats(b, "$clr.diffuse", c.diffuse, 3);
    if (c.stated & FACET_CLASSIC_AMBIENT)
        put_floats(b, "$clr.ambient", c.ambient, 3);
    if (c.stated & FACET_CLASSIC_SPECULAR)
        put_floats(b, "$clr.specular", c.specular, 3);
    if (b->w->target->is_physical) {
        /* Blender reads and writes 100 * (1 - roughness)^2. */
        float shininess = 100 * (1 - m->roughness) * (1 - m->roughness);
        put_floats(b, "$clr.emissive", m->emissive, 3);
        put_floats(b, "$mat.emissiveIntensity", &m->emissive_strength, 1);
        put_floats(b, "$mat.metallicFactor", &m->metallic, 1);
        put_floats(b, "$mat.shininess", &shininess, 1);
        if (m->maps[FACET_MAP_NORMAL])
            put_floats(b, "$mat.bumpscaling", &m->maps[FACET_MAP_NORMAL]->strength, 1);
    } else if (c.stated & FACET_CLASSIC_EMISSIVE) {
        put_floats(b, "$clr.emissive", c.emissive, 3);
    }
    if (!b->w->target->is_physical && c.stated & FACET_CLASSIC_SHININESS)
        put_floats(b, "$mat.shininess", &c.shininess, 1);
    if (c.stated & FACET_CLASSIC_REFRACTION)
        put_floats(b, "$mat.refracti", &c.refraction_index, 1);
    if (c.stated & FACET_CLASSIC_TRANSMISSION)
        put_floats(b, "$clr.transparent", c.transmission, 3);
    put_floats(b, "$mat.opacity", &c.opacity, 1);
}

/* Readers of FBX take a strength of 0 for a missing one. */
static bool hides_normals(const facet_assimp_writer *w, const facet_material *material)
{
    const facet_texture *normals = material->maps[FACET_MAP_NORMAL];
    return w->target->is_physical && normals && normals->strength == 0;
}

/* Write a material of the scene, or the default material after them. */
static facet_status write_material(facet_assimp_writer *w, uint32_t number, struct aiMaterial *to)
{
    const facet_scene *scene = w->scene;
    const facet_material *material =
        number < scene->material_count ? scene->materials[number] : NULL;
    builder b = {w, to, false};
    to->mNumAllocated = MAX_PROPERTIES;
    to->mProperties = facet_arena_allocate(w->scratch, MAX_PROPERTIES, sizeof *to->mProperties);
    if (!to->mProperties)
        return facet_assimp_no_memory(w->error, MAX_PROPERTIES, sizeof *to->mProperties);
    put_text(&b, "?mat.name", 0, w->material_names[number]);
    if (material) {
        put_values(&b, material);
    } else {
        /* Readers of COLLADA draw a material without a color black, those of FBX gray. */
        static const float white[3] = {1, 1, 1};
        put_floats(&b, "$clr.diffuse", white, 3);
    }
    for (int map = 0; material && map < FACET_MAP_COUNT; map++) {
        bool is_dark = map == FACET_MAP_EMISSIVE && facet_material_hides_emission(material);
        bool is_flat = map == FACET_MAP_NORMAL && hides_normals(w, material);
        if (material->maps[map] && (w->target->maps & 1U << map) && !is_dark && !is_flat)
            put_texture(&b, map, material->maps[map]);
    }
    return b.failed ? facet_assimp_no_memory(w->error, 1, sizeof(struct aiMaterialProperty))
                    : FACET_OK;
}

/* Settings of a texture that are not written, each with its own message. */
enum { TRANSFORM, WRAP, FILTER, STRENGTH, TEXCOORD_SET, SETTINGS };

/* Count the settings that a texture has. An FBX has strengths, a COLLADA texture coordinate sets.
 */
static void count_settings(const facet_texture *texture, uint32_t material, bool is_fbx,
                           facet_tally lost[SETTINGS])
{
    const bool has[SETTINGS] = {[TRANSFORM] = texture->has_transform,
                                [WRAP] = texture->wrap_u || texture->wrap_v,
                                [FILTER] = facet_filter_is_nearest(texture->magnify) ||
                                           facet_filter_is_nearest(texture->minify),
                                [STRENGTH] = !is_fbx && texture->strength != 1,
                                [TEXCOORD_SET] = is_fbx && texture->uv_set > 0};
    for (int i = 0; i < SETTINGS; i++) {
        if (has[i])
            facet_tally_hit(&lost[i], material);
    }
}

static void say_lost_settings(const facet_assimp_writer *w, const facet_tally lost[SETTINGS])
{
    static const char *const names[SETTINGS] = {[TRANSFORM] = "transform",
                                                [WRAP] = "wrap modes",
                                                [FILTER] = "filter",
                                                [STRENGTH] = "strength",
                                                [TEXCOORD_SET] = "texture coordinate set"};
    for (int i = 0; i < SETTINGS; i++)
        facet_report_add_tally(w->report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &lost[i], "the %s of a texture: not written to %s", names[i],
                               w->target->name);
}

/* True if a name has line ends, tabs or other control characters, which XML turns into blanks. */
static bool has_control(const char *name)
{
    bool has = false;
    for (; name && *name; name++)
        has |= (unsigned char)*name < ' ';
    return has;
}

/* Report names that a COLLADA cannot hold. */
static void say_lost_names(const facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    facet_tally names = {0, 0};
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (has_control(scene->nodes[i]->name))
            facet_tally_hit(&names, i);
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (has_control(scene->meshes[i]->name))
            facet_tally_hit(&names, i);
    }
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (has_control(scene->materials[i]->name))
            facet_tally_hit(&names, i);
    }
    facet_report_add_tally(w->report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &names,
                           "%s cannot hold control characters of names", w->target->name);
}

static bool is_white(const float color[3])
{
    return color[0] == 1 && color[1] == 1 && color[2] == 1;
}

static void say_losses(const facet_assimp_writer *w)
{
    uint32_t modern = 0; /* looks are reported by their own rule */
    facet_tally values = {0, 0}, maps = {0, 0}, tints = {0, 0}, sides = {0, 0}, opaque = {0, 0},
                dark = {0, 0}, flat = {0, 0}, glows = {0, 0}, settings[SETTINGS] = {{0, 0}};
    if (!w->target->is_physical)
        modern = FACET_CLASSIC_ROUGHNESS | FACET_CLASSIC_METALLIC;
    for (uint32_t i = 0; i < w->scene->material_count; i++) {
        const facet_material *material = w->scene->materials[i];
        facet_classic classic;
        facet_material_get_classic(material, &classic);
        if ((classic.stated & modern) || material->alpha_mode != FACET_ALPHA_OPAQUE ||
            material->unlit)
            facet_tally_hit(&values, i);
        if (facet_material_ignores_alpha(w->scene, material))
            facet_tally_hit(&opaque, i);
        if (w->target->is_physical && material->double_sided && !material->sides_unknown)
            facet_tally_hit(&sides, i);
        const float *color = material->base_color;
        if (material->maps[FACET_MAP_DIFFUSE] && !is_white(color))
            facet_tally_hit(&tints, i);
        if (hides_normals(w, material))
            facet_tally_hit(&flat, i);
        if (facet_material_hides_emission(material))
            facet_tally_hit(&dark, i);
        else if (material->maps[FACET_MAP_EMISSIVE] && !w->target->is_physical &&
                 !is_white(classic.emissive))
            facet_tally_hit(&glows, i);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            if (!material->maps[map])
                continue;
            if (!(w->target->maps & 1U << map))
                facet_tally_hit(&maps, i);
            else
                count_settings(material->maps[map], i, w->target->is_physical, settings);
        }
    }
    const char *name = w->target->name;
    if (!w->target->is_physical)
        say_lost_names(w);
    facet_report_add_tally(w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &values, "a material is written to %s with its classic values only",
                           name);
    facet_report_add_tally(
        w->report, "LOSS-MATERIALS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &opaque,
        "the opaque mode of a material whose image has alpha is not written to %s", name);
    facet_report_add_tally(w->report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &maps, "a texture has a purpose that a %s file cannot hold", name);
    say_lost_settings(w, settings);
    facet_report_add_tally(w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &sides, "the double-sided flag of a material is not written to %s",
                           name);
    facet_report_add_tally(w->report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &flat, "a normal map of strength 0 is not written to %s", name);
    facet_report_add_tally(w->report, "LOSS-TEXTURES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &dark,
                           "an emissive map with a black factor, which shows nothing, is not "
                           "written to %s",
                           name);
    facet_report_add_tally(w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &glows, "in a %s file an emissive map replaces its factor", name);
    facet_report_add_tally(
        w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tints,
        "in a %s file a texture replaces the color that it should be multiplied with", name);
}

facet_status facet_assimp_materials_from_scene(facet_assimp_writer *w)
{
    size_t count = (size_t)w->scene->material_count + 1;
    struct aiMaterial *materials =
        facet_arena_allocate_zeroed(w->scratch, count, sizeof *materials);
    w->to.mMaterials = facet_arena_allocate(w->scratch, count, sizeof *w->to.mMaterials);
    uint8_t *sides = facet_arena_allocate_zeroed(w->scratch, w->scene->material_count, 1);
    if (!materials || !w->to.mMaterials || !sides)
        return facet_assimp_no_memory(w->error, count, sizeof *materials);
    for (uint32_t i = 0; i < w->scene->material_count; i++)
        sides[i] = w->scene->materials[i]->double_sided;
    w->added.double_sided = (facet_assimp_bytes){sides, w->scene->material_count};
    for (size_t i = 0; i < count; i++)
        w->to.mMaterials[i] = &materials[i];
    /* One more, for faces without a material. */
    bool nameless = false;
    for (uint32_t i = 0; i < w->to.mNumMeshes; i++)
        nameless |= w->to.mMeshes[i]->mMaterialIndex == w->scene->material_count;
    w->to.mNumMaterials = w->scene->material_count + (nameless || count == 1);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < w->to.mNumMaterials && !status; i++)
        status = write_material(w, i, &materials[i]);
    say_losses(w);
    return status;
}
