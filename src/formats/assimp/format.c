/* formats/assimp/format.c - the lines of the format table for formats that assimp reads and
 * writes. */
#include "scene/format.h"

#include "formats/assimp/probe.h"

#ifdef FACET_HAVE_ASSIMP

#include "formats/assimp/assimp.h"

/* -- Targets ------------------------------------------------------------ */

#define TARGET(format, ...)                                                                    \
    static facet_status write_##format(const facet_scene *scene, const facet_options *options, \
                                       facet_output *output, facet_counts *counts,             \
                                       facet_error *error)                                     \
    {                                                                                          \
        (void)counts;                                                                          \
        static const facet_assimp_target target = {.name = #format, __VA_ARGS__};              \
        return facet_assimp_write(scene, &target, options, output, error);                     \
    }

#define CLASSIC_MAPS                                                                \
    (1U << FACET_MAP_DIFFUSE | 1U << FACET_MAP_SPECULAR | 1U << FACET_MAP_AMBIENT | \
     1U << FACET_MAP_EMISSIVE | 1U << FACET_MAP_NORMAL | 1U << FACET_MAP_OPACITY |  \
     1U << FACET_MAP_REFLECTION)

TARGET(dae, .id = "collada", .has_cameras = true, .one_animation = true, .unique_names = true,
       .color_sets = UINT8_MAX, .maps = CLASSIC_MAPS)
TARGET(fbx, .id = "fbx", .morphs = true, .is_physical = true, .color_sets = 1,
       .has_color_alpha = true, .embeds = true, .has_frame = true, .has_mesh_places = true,
       .has_euler_keys = true,
       .maps = CLASSIC_MAPS | 1U << FACET_MAP_BUMP | 1U << FACET_MAP_SHININESS |
               1U << FACET_MAP_DISPLACEMENT)

/* -- Sources ------------------------------------------------------------ */

/* Equal for all formats, except for the extension that selects assimp's importer. */
#define SOURCE(format, extension)                                                                 \
    static facet_status read_##format(const facet_source *source, const facet_load_options *load, \
                                      const facet_options *options, facet_scene **scene,          \
                                      facet_error *error)                                         \
    {                                                                                             \
        return facet_assimp_read(source, extension, load, options, scene, error);                 \
    }                                                                                             \
    static facet_status check_##format(const facet_source *source, const facet_options *options,  \
                                       facet_report *report, facet_error *error)                  \
    {                                                                                             \
        return facet_assimp_check(source, extension, options, report, error);                     \
    }                                                                                             \
    static facet_status describe_##format(const facet_source *source,                             \
                                          const facet_options *options,                           \
                                          facet_description *description, facet_error *error)     \
    {                                                                                             \
        return facet_assimp_describe(source, extension, options, description, error);             \
    }

SOURCE(fbx, ".fbx")
SOURCE(dae, ".dae")
SOURCE(3ds, ".3ds")
SOURCE(other, NULL)

#define READ(format) .read = read_##format, .check = check_##format, .describe = describe_##format
#define WRITE(format) .write = write_##format

#else

/* -- A build without assimp --------------------------------------------- */

#define READ(format) .absent = "assimp"
#define WRITE(format) .write = NULL

#endif

/* -- The format table -------------------------------------------------- */

static const char *const fbx_extensions[] = {".fbx", NULL};
static const char *const dae_extensions[] = {".dae", NULL};
static const char *const three_ds_extensions[] = {".3ds", NULL};
const facet_format facet_format_fbx = {.name = "fbx",
                                       .title = "Autodesk FBX",
                                       .extensions = fbx_extensions,
                                       .needs = FACET_NEED_FACES | FACET_NEED_SINGLE_INDEX |
                                                FACET_NEED_IMAGES | FACET_NEED_OPAQUE,
                                       .probe = facet_assimp_probe_fbx,
                                       READ(fbx),
                                       WRITE(fbx)};
const facet_format facet_format_dae = {.name = "dae",
                                       .title = "COLLADA",
                                       .extensions = dae_extensions,
                                       .needs = FACET_NEED_FACES | FACET_NEED_SINGLE_INDEX |
                                                FACET_NEED_OPAQUE,
                                       .is_decimal = true,
                                       .probe = facet_assimp_probe_dae,
                                       READ(dae),
                                       WRITE(dae)};
const facet_format facet_format_3ds = {.name = "3ds",
                                       .title = "Autodesk 3DS",
                                       .extensions = three_ds_extensions,
                                       .needs = 0,
                                       .probe = facet_assimp_probe_3ds,
                                       READ(3ds)};
const facet_format facet_format_assimp = {.name = "assimp",
                                          .title = "Any other format that assimp reads",
                                          .extensions = facet_assimp_extensions,
                                          .needs = 0,
                                          .is_decimal = true,
                                          .probe = facet_assimp_probe_other,
                                          READ(other)};
