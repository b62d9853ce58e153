/* formats/gltf/file/extensions.c - the extensions that Facet reads, and those of them that add
 * image formats other than PNG and JPEG. */
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/gltf/file/file.h"
#include "scene/material_extensions.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* -- Images ------------------------------------------------------------- */

/* In order of preference: formats that can be decoded come first. */
const facet_gltf_picture facet_gltf_pictures[FACET_GLTF_PICTURES] = {
    {"EXT_texture_webp", "image/webp", ".webp"},
    {"EXT_texture_avif", "image/avif", ".avif"},
    {"MSFT_texture_dds", "image/vnd-ms.dds", ".dds"},
    {"KHR_texture_basisu", "image/ktx2", ".ktx2"},
};

const facet_gltf_picture *facet_gltf_picture_of(const char *media_type, const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; i < FACET_GLTF_PICTURES; i++) {
        const facet_gltf_picture *each = &facet_gltf_pictures[i];
        if (*media_type ? strcmp(media_type, each->media_type) == 0
                        : dot && strcasecmp(dot, each->ending) == 0)
            return each;
    }
    return NULL;
}

/* -- Specular-glossiness ------------------------------------------------ */

/* The roughness stores the glossiness until it is converted. */
const facet_material_extension facet_gltf_glossiness = {
    "KHR_materials_pbrSpecularGlossiness",
    {{"diffuseFactor", offsetof(facet_material, base_color), 4, 1, 0, 1},
     {"specularFactor", offsetof(facet_material, specular_color), 3, 1, 0, 1},
     {"glossinessFactor", offsetof(facet_material, roughness), 1, 1, 0, 1}},
    {{"diffuseTexture", NULL, FACET_MAP_DIFFUSE},
     {"specularGlossinessTexture", NULL, FACET_MAP_SPECULAR_COLOR}}};

/* -- Supported extensions ---------------------------------------------- */

bool facet_gltf_is_read(const char *name)
{
    static const char *const known[] = {
        "KHR_texture_transform",           "KHR_materials_unlit",
        "KHR_mesh_quantization",           "KHR_lights_punctual",
        "KHR_materials_emissive_strength", "MSFT_lod",
        "KHR_animation_pointer",           "KHR_node_visibility",
        "EXT_mesh_gpu_instancing",
#ifdef FACET_HAVE_MESHOPT
        "KHR_meshopt_compression",         "EXT_meshopt_compression",
#endif
#ifdef FACET_HAVE_DRACO
        "KHR_draco_mesh_compression",
#endif
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(known[i], name) == 0)
            return true;
    }
    for (size_t i = 0; i < FACET_GLTF_PICTURES; i++) {
        if (strcmp(facet_gltf_pictures[i].extension, name) == 0)
            return true;
    }
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        if (strcmp(facet_material_extensions[i].key, name) == 0)
            return true;
    }
    return strcmp(facet_gltf_glossiness.key, name) == 0;
}

/* True for any vendor's extensions of materials, textures, lights and metadata: the geometry is
 * complete without them. */
static bool is_appearance(const char *name)
{
    static const char *const starts[] = {"materials_", "texture_", "lights_", "environment_map",
                                         "xmp"};
    const char *after = strchr(name, '_');
    for (size_t i = 0; after && i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(after + 1, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    return false;
}

bool facet_gltf_uses_extension(const facet_gltf_document *document, const char *name)
{
    for (uint32_t i = 0; i < document->used_count; i++) {
        if (strcmp(document->used[i], name) == 0)
            return true;
    }
    return false;
}

/* True if every use of the extension in the file is kept. */
static bool is_kept(const facet_gltf_document *document, uint32_t index)
{
    return index < document->use_count && document->uses[index].found > 0 &&
           document->uses[index].kept == document->uses[index].found;
}

static void report_unread(const facet_gltf_file *file, const char *name)
{
    facet_quoted quoted;
    facet_report_add(file->options ? file->options->report : NULL, "GLTF-EXTENSION",
                     FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                     "the data of the extension '%s' is not read",
                     facet_quote(&quoted, name, strlen(name)));
}

facet_status facet_gltf_check_extensions(const facet_gltf_file *file, facet_error *error)
{
    const facet_gltf_document *document = &file->document;
    facet_quoted quoted;
    for (uint32_t i = 0; i < document->required_count; i++) {
        const char *name = document->required[i];
        if (!facet_gltf_is_read(name) && !is_appearance(name))
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "GLTF-EXTENSION", FACET_NO_OFFSET,
                              "the file requires the extension '%s', which is not supported",
                              facet_quote(&quoted, name, strlen(name)));
    }
    if (document->lost_extras > 0)
        facet_report_add(file->options ? file->options->report : NULL, "GLTF-EXTRAS",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "extras of scenes, accessors, textures and such are dropped: %" PRIu64,
                         document->lost_extras);
    if (document->lost_names > 0)
        facet_report_add(file->options ? file->options->report : NULL, "LOSS-NAMES",
                         FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "names of textures and samplers are dropped: %" PRIu64,
                         document->lost_names);
    for (uint32_t i = 0; i < document->used_count; i++) {
        if (!facet_gltf_is_read(document->used[i]) && !is_kept(document, i))
            report_unread(file, document->used[i]);
    }
    /* Names are compared pairwise: only the first ones of a long list. */
    for (uint32_t i = 0; i < document->required_count && i < FACET_GLTF_MAX_EXTENSIONS; i++) {
        if (!facet_gltf_is_read(document->required[i]) &&
            !facet_gltf_uses_extension(document, document->required[i]))
            report_unread(file, document->required[i]);
    }
    return FACET_OK;
}
