/* formats/assimp/from_scene/scene.c - conversion of Facet's scene to assimp's, and losses of the
 * target format. */
#include "formats/assimp/from_scene/from_scene.h"

#include "base/error.h"
#include "base/report.h"
#include "scene/losses.h"

#include <string.h>

static bool is_long(const char *name)
{
    return strlen(name) >= FACET_ASSIMP_TEXT_CAPACITY;
}

/* Report the names that assimp cannot store as a whole. */
static void report_long_names(const facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += is_long(scene->nodes[i]->name);
    for (uint32_t i = 0; i < scene->material_count; i++)
        count += is_long(scene->materials[i]->name);
    for (uint32_t i = 0; i < scene->animation_count; i++)
        count += is_long(scene->animations[i]->name);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        count += is_long(mesh->name);
        for (uint32_t k = 0; k < mesh->part_count; k++)
            count += is_long(mesh->parts[k].name);
        for (uint32_t k = 0; k < mesh->morph_count; k++)
            count += is_long(mesh->morphs[k].name);
    }
    facet_tally cut = {count, 0};
    facet_report_add_tally(w->report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &cut,
                           "a name is cut to %d bytes in a %s file",
                           (int)FACET_ASSIMP_TEXT_CAPACITY - 1, w->target->name);
}

static void report_losses(const facet_assimp_writer *w)
{
    const facet_capacity capacity = {
        w->target->name,
        FACET_LACKS_MIP_LEVELS | FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_LOOKS |
            FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER | FACET_LACKS_LINES | FACET_LACKS_POINTS |
            (w->target->has_cameras ? 0 : FACET_LACKS_CAMERAS) | FACET_LACKS_EXTRAS |
            FACET_LACKS_LODS | FACET_LACKS_FACTORS | FACET_LACKS_GROUP_NAMES |
            (w->target->has_color_alpha ? 0 : FACET_LACKS_COLOR_ALPHA) |
            (w->target->morphs ? FACET_LACKS_MORPH_WEIGHTS : FACET_LACKS_MORPHS) |
            (w->target->is_physical ? 0 : FACET_HOLDS_REFRACTION),
        w->target->color_sets,
        UINT8_MAX, /* losses of streams are reported where they are written */
        UINT8_MAX,
        FACET_CLASSIC_TRANSMISSION | FACET_CLASSIC_ILLUMINATION |
            (w->target->is_physical ? FACET_CLASSIC_REFRACTION : 0),
        0,
        false,
        false};
    facet_scene_report_losses(w->scene, &capacity, w->report);
    report_long_names(w);
}

facet_status facet_assimp_from_scene(facet_assimp_writer *w)
{
    report_losses(w);
    if (w->scene->skin_count > 0) {
        TRY(facet_assimp_bind_rigid(w));
        TRY(facet_assimp_split_shared(w));
        TRY(facet_assimp_complete_skins(w));
        TRY(facet_assimp_place_skins(w));
        TRY(facet_assimp_hang_meshes(w));
    }
    TRY(facet_assimp_name_nodes(w));
    TRY(facet_assimp_meshes_from_scene(w));
    TRY(facet_assimp_nodes_from_scene(w));
    TRY(facet_assimp_cameras_from_scene(w));
    TRY(facet_assimp_name_uniquely(w));
    TRY(facet_assimp_images_from_scene(w));
    TRY(facet_assimp_materials_from_scene(w));
    TRY(facet_assimp_skins_from_scene(w));
    if (w->target->morphs)
        TRY(facet_assimp_morphs_from_scene(w));
    TRY(facet_assimp_unname_nodes(w));
    w->added.time_mode = facet_assimp_find_rate(w);
    TRY(facet_assimp_animations_from_scene(w));
    return facet_assimp_metadata_from_scene(w);
}
