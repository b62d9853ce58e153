/* formats/bpx/from_scene_losses.c - losses of a scene that a BPX model cannot store. */
#include "formats/bpx/scene.h"
#include "scene/losses.h"

#include <inttypes.h>

static const facet_capacity capacity = {
    "a BPX model",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_CUSTOM | FACET_LACKS_SMOOTHING |
        FACET_LACKS_LINES | FACET_LACKS_MORPHS | FACET_LACKS_PART_NAMES | FACET_LACKS_MESH_NAMES |
        FACET_LACKS_MATERIAL_VALUES | FACET_LACKS_CAMERAS | FACET_LACKS_HULLS |
        FACET_LACKS_OCCLUDER | FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS | FACET_LACKS_LODS,
    1,
    FACET_BPX_MAX_TEXCOORDS,
    2,
    0,
    FACET_UNUSED_MESHES | FACET_UNUSED_MATERIALS,
    false,
    false};

static uint64_t count_joints(const facet_scene *scene)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        for (uint32_t k = 0; k < mesh->stream_count; k++)
            found += mesh->streams[k].semantic == FACET_JOINTS && mesh->streams[k].set > 0;
    }
    return found;
}

static void lose(facet_report *report, const char *rule, uint64_t count, const char *what)
{
    facet_tally tally = {count, 0};
    facet_report_add_tally(report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tally,
                           "a BPX model cannot hold %s", what);
}

/* Report corners that lack what others of their mesh have. The writer fills such holes. */
static void report_holes(const facet_scene *scene, facet_report *report)
{
    facet_tally texcoords = {0}, colors = {0}, weights = {0};
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            const facet_stream *stream = &mesh->streams[k];
            facet_tally *tally = stream->semantic == FACET_TEXCOORD                    ? &texcoords
                                 : stream->semantic == FACET_COLOR && stream->set == 0 ? &colors
                                 : stream->semantic == FACET_WEIGHTS && stream->set == 0 ? &weights
                                                                                         : NULL;
            for (uint32_t c = 0; tally && c < mesh->corner_count; c++) {
                if (stream->indices[c] == FACET_NONE)
                    facet_tally_hit(tally, c);
            }
        }
    }
    static const char sentence[] = "corner %" PRIu64 " has no %s: it gets %s";
    facet_report_add_tally(report, "MESH-STREAM-HOLES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &texcoords, sentence, texcoords.first, "texture coordinates", "zeros");
    facet_report_add_tally(report, "MESH-STREAM-HOLES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &colors, sentence, colors.first, "color", "ones");
    facet_report_add_tally(report, "MESH-STREAM-HOLES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &weights, sentence, weights.first, "weights", "the first bone");
}

void facet_bpx_report_model_losses(const facet_scene *scene, bool has_bones,
                                   const facet_options *options)
{
    facet_report *report = options ? options->report : NULL;
    uint64_t parents = 0, channels = 0;
    facet_scene_report_losses(scene, &capacity, report);
    report_holes(scene, report);
    for (uint32_t i = 0; i < scene->node_count; i++)
        parents += scene->nodes[i]->parent != FACET_NONE;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++)
            channels += scene->animations[i]->channels[c].target > FACET_TARGET_WEIGHTS;
    }
    lose(report, "LOSS-SKIN", count_joints(scene),
         "more than four joints per vertex: the four "
         "with the largest weights are written, their weights brought to a sum of 1");
    lose(report, "LOSS-NODES", has_bones ? parents : 0,
         "parents of bones; every bone has its transform in model space");
    lose(report, "LOSS-NODES", has_bones ? 0 : scene->node_count,
         "nodes; their meshes are written at their world positions");
    lose(report, "LOSS-ANIMATIONS", has_bones ? 0 : scene->animation_count,
         "animations without bones");
    lose(report, "LOSS-ANIMATIONS", has_bones ? channels : 0,
         "animation of visibility and materials");
}
