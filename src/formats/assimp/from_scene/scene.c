/* formats/assimp/from_scene/scene.c - our scene to assimp's, step by step, and what the
 * target cannot hold. */
#include "formats/assimp/from_scene/from_scene.h"

#include "base/error.h"

static void say_losses(const facet_assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    const char *name = w->target->name;
    if (scene->hull_count > 0)
        facet_report_add(w->report, "LOSS-HULLS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "collision hulls have no place in a %s file", name);
    if (scene->occluder)
        facet_report_add(w->report, "LOSS-OCCLUDER", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the occluder has no place in a %s file", name);
    if (scene->extras)
        facet_report_add(w->report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the extras of the scene are not written to %s", name);
    bool morphs = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        morphs |= scene->meshes[i]->morph_count > 0;
    if (morphs && !w->target->morphs)
        facet_report_add(w->report, "LOSS-MORPH", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "morph targets have no place in a %s file", name);
}

facet_status facet_assimp_from_scene(facet_assimp_writer *w)
{
    say_losses(w);
    TRY(facet_assimp_name_nodes(w));
    TRY(facet_assimp_meshes_from_scene(w));
    TRY(facet_assimp_nodes_from_scene(w));
    TRY(facet_assimp_images_from_scene(w));
    TRY(facet_assimp_materials_from_scene(w));
    TRY(facet_assimp_skins_from_scene(w));
    if (w->target->morphs)
        TRY(facet_assimp_morphs_from_scene(w));
    TRY(facet_assimp_animations_from_scene(w));
    if (w->target->has_frame)
        TRY(facet_assimp_metadata_from_scene(w));
    return FACET_OK;
}
