/* formats/assimp/from_scene/scene.c - conversion of Facet's scene to assimp's, and losses of the
 * target format. */
#include "formats/assimp/from_scene/from_scene.h"

#include "base/error.h"
#include "scene/losses.h"

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
        0};
    facet_scene_report_losses(w->scene, &capacity, w->report);
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
    w->added.time_mode = facet_assimp_find_rate(w);
    TRY(facet_assimp_animations_from_scene(w));
    return facet_assimp_metadata_from_scene(w);
}
