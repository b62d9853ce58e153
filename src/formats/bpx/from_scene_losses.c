/* formats/bpx/from_scene_losses.c - what a model does not hold of a scene. */
#include "formats/bpx/scene.h"
#include "scene/material.h"

#include <inttypes.h>

typedef struct losses {
    uint64_t texcoords, colors, joints, custom, morphs, lines, smoothing, parts, meshes, extras;
    uint64_t values, cameras, parents, channels;
} losses;

static void count_streams(const facet_mesh *mesh, losses *found)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *s = &mesh->streams[i];
        found->texcoords += s->semantic == FACET_TEXCOORD &&
                            (s->set >= FACET_BPX_MAX_TEXCOORDS || s->components > 2);
        found->colors += s->semantic == FACET_COLOR && s->set > 0;
        found->joints += s->semantic == FACET_JOINTS && s->set > 0;
        found->custom += s->semantic == FACET_CUSTOM;
    }
}

static void count_meshes(const facet_scene *scene, losses *found)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        count_streams(mesh, found);
        found->morphs += mesh->morph_count;
        found->lines += mesh->line_count;
        found->smoothing += mesh->face_smoothing != NULL;
        found->meshes += mesh->name && *mesh->name;
        found->extras += mesh->extras != NULL;
        for (uint32_t k = 0; k < mesh->part_count; k++)
            found->parts += *mesh->parts[k].name || *mesh->parts[k].group;
    }
}

static void count_others(const facet_scene *scene, losses *found)
{
    for (uint32_t i = 0; i < scene->material_count; i++)
        found->values += !facet_material_is_plain(scene->materials[i]);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        const facet_node *node = scene->nodes[i];
        found->parents += node->parent != FACET_NONE;
        found->cameras += node->camera != FACET_NONE || node->light != FACET_NONE;
        found->extras += node->extras != NULL;
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++)
            found->channels += scene->animations[i]->channels[c].target > FACET_TARGET_WEIGHTS;
    }
}

static void lose(facet_report *report, const char *rule, uint64_t count, const char *what)
{
    facet_tally tally = {count, 0};
    facet_report_add_tally(report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tally,
                           "a BPX model holds no %s", what);
}

void facet_bpx_report_model_losses(const facet_scene *scene, bool has_bones,
                                   const facet_options *options)
{
    losses found = {0};
    facet_report *report = options ? options->report : NULL;
    count_meshes(scene, &found);
    count_others(scene, &found);
    lose(report, "LOSS-TEXCOORDS", found.texcoords,
         "fifth set and no third component of texture coordinates");
    lose(report, "LOSS-COLORS", found.colors, "second set of vertex colors");
    lose(report, "LOSS-JOINTS", found.joints,
         "more than four joints per vertex: the first four "
         "are written, their weights brought to a sum of 1");
    lose(report, "LOSS-CUSTOM", found.custom, "streams of other names");
    lose(report, "LOSS-MORPHS", found.morphs, "morph targets, nor the animation of their weights");
    lose(report, "LOSS-LINES", found.lines, "lines");
    lose(report, "LOSS-SMOOTHING", found.smoothing, "smoothing groups, only their normals");
    lose(report, "LOSS-PART-NAMES", found.parts, "names of parts");
    lose(report, "LOSS-MESH-NAMES", found.meshes, "names of meshes");
    lose(report, "LOSS-MATERIAL-VALUES", found.values,
         "colors and maps of materials, only their names");
    lose(report, "LOSS-IMAGES", scene->image_count, "images; textures are files of their own");
    lose(report, "LOSS-HULLS", scene->hull_count, "collision hulls");
    lose(report, "LOSS-OCCLUDER", scene->occluder != NULL, "occluder");
    lose(report, "LOSS-CAMERA", found.cameras, "cameras and lights");
    lose(report, "LOSS-EXTRAS", found.extras, "extras");
    lose(report, "LOSS-NODES", has_bones ? found.parents : 0,
         "parents: every bone stands in the space of the model");
    lose(report, "LOSS-ANIMATIONS", has_bones ? 0 : scene->animation_count,
         "animations without bones");
    lose(report, "LOSS-ANIMATIONS", has_bones ? found.channels : 0,
         "animation of visibility and materials");
}
