/* assimp/read.c - a file that assimp knows, to a scene; check and describe,
 * which look at that scene. */
#include "assimp/assimp.h"
#include "base/error.h"
#include "base/tree.h"
#include "scene/scene.h"

#include <assimp/cimport.h>
#include <facet/pose.h>
#include <string.h>

facet_status assimp_no_memory(const assimp_reader *r, uint64_t count, size_t size)
{
    size_t bytes = count > SIZE_MAX / (size ? size : 1) ? SIZE_MAX : (size_t)count * size;
    return facet_fail_memory(r->error, bytes);
}

facet_status assimp_malformed(const assimp_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(r->error, FACET_ERROR_MALFORMED, "ASSIMP-RANGE", FACET_NO_OFFSET, 0, format,
                 arguments);
    va_end(arguments);
    return FACET_ERROR_MALFORMED;
}

/* -- Reading ------------------------------------------------------------ */

static void say_tallies(const assimp_reader *r)
{
    const struct {
        const facet_tally *tally;
        const char *rule;
        facet_severity severity;
        const char *sentence;
    } table[] = {
        {&r->points, "LOSS-ASSIMP-POINTS", FACET_SEVERITY_WARNING,
         "a point is no face and left out; its vertex stays"},
        {&r->weights_cut, "LOSS-ASSIMP-WEIGHTS", FACET_SEVERITY_WARNING,
         "a vertex has more than 8 weights, the smallest are left out"},
        {&r->weights_scaled, "ASSIMP-WEIGHTS", FACET_SEVERITY_NOTE,
         "the weights of a vertex do not sum to 1 and are scaled"},
        {&r->bones_lost, "LOSS-ASSIMP-BONE", FACET_SEVERITY_WARNING,
         "a bone has the name of no node, its weights are left out"},
        {&r->keys_dropped, "LOSS-ASSIMP-KEY", FACET_SEVERITY_WARNING,
         "a key of an animation is not finite or goes back in time, and is left out"},
        {&r->layers_lost, "LOSS-ASSIMP-TEXTURE", FACET_SEVERITY_WARNING,
         "a material has several textures for one purpose, the first counts"},
        {&r->maps_lost, "LOSS-ASSIMP-TEXTURE", FACET_SEVERITY_WARNING,
         "a material has a texture of a kind that is not carried"},
        {&r->channels_lost, "LOSS-ASSIMP-CHANNEL", FACET_SEVERITY_WARNING,
         "an animation moves what is not there, or is of a kind that is not carried"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        facet_report_add_tally(r->report, table[i].rule, table[i].severity, FACET_NO_OFFSET,
                               table[i].tally, "%s", table[i].sentence);
}

static facet_status build(assimp_reader *r)
{
    facet_status (*const steps[])(assimp_reader *) = {
        assimp_find_places, assimp_group_meshes,   assimp_mark_animated,
        assimp_read_images, assimp_read_materials, assimp_read_meshes,
        assimp_read_nodes,  assimp_read_skins,     assimp_read_animations,
    };
    facet_status status = FACET_OK;
    r->is_fbx = strncmp(assimp_importer(r->from), "Autodesk FBX", 12) == 0;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = steps[i](r);
    if (!status)
        status = assimp_read_metadata(r, r->from->mMetaData, &r->scene->extras);
    if (status)
        return status;
    assimp_read_frame(r);
    say_tallies(r);
    return facet_scene_extract_collision(r->scene, r->load, r->options, r->error);
}

facet_status assimp_read(const facet_source *source, const char *extension,
                         const facet_load_options *load, const facet_options *options,
                         facet_scene **scene, facet_error *error)
{
    assimp_reader r = {.load = load, .options = options, .error = error};
    r.report = options ? options->report : NULL;
    facet_status status = facet_arena_create(options, &r.scratch, error);
    if (status)
        return status;
    status = assimp_import(source, extension, r.scratch, &r.from, error);
    if (!status)
        status = facet_scene_create(options, &r.scene, error);
    if (!status)
        status = build(&r);
    if (r.from)
        aiReleaseImport(r.from);
    facet_arena_free(r.scratch);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}

/* -- Check -------------------------------------------------------------- */

facet_status assimp_check(const facet_source *source, const char *extension,
                          const facet_options *options, facet_report *report, facet_error *error)
{
    facet_options reading = {0};
    if (options)
        reading = *options;
    reading.report = report;
    facet_scene *scene = NULL;
    facet_error found = {0};
    facet_status status = assimp_read(source, extension, NULL, &reading, &scene, &found);
    facet_scene_free(scene);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_UNSUPPORTED) {
        facet_report_add_fault(report, &found, "ASSIMP");
        return FACET_OK;
    }
    if (status && error)
        *error = found;
    return status;
}

/* -- Describe ----------------------------------------------------------- */

static void describe_meshes(const facet_scene *scene, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *meshes = facet_tree_array(arena, description->detail, "meshes");
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        uint32_t vertices = mesh->stream_count > 0 ? mesh->streams[0].count : 0;
        description->vertices += vertices;
        description->faces += mesh->face_count;
        description->triangles += mesh->corner_count - (uint64_t)mesh->face_count * 2;
        facet_tree *tree = facet_tree_object(arena, meshes, NULL);
        facet_tree_string(arena, tree, "name", mesh->name);
        facet_tree_integer(arena, tree, "vertices", vertices);
        facet_tree_integer(arena, tree, "faces", mesh->face_count);
        facet_tree_integer(arena, tree, "lines", mesh->line_count);
        facet_tree_integer(arena, tree, "morphs", mesh->morph_count);
        facet_tree *streams = facet_tree_array(arena, tree, "streams");
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            facet_tree *stream = facet_tree_object(arena, streams, NULL);
            facet_tree_string(arena, stream, "semantic",
                              facet_semantic_name(mesh->streams[k].semantic));
            facet_tree_integer(arena, stream, "set", mesh->streams[k].set);
        }
    }
}

static void describe_rest(const facet_scene *scene, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    facet_tree *nodes = facet_tree_array(arena, detail, "nodes");
    for (uint32_t i = 0; i < scene->node_count; i++)
        facet_tree_string(arena, nodes, NULL, scene->nodes[i].name);
    facet_tree *materials = facet_tree_array(arena, detail, "materials");
    for (uint32_t i = 0; i < scene->material_count; i++)
        facet_tree_string(arena, materials, NULL, scene->materials[i].name);
    facet_tree *animations = facet_tree_array(arena, detail, "animations");
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        facet_tree *animation = facet_tree_object(arena, animations, NULL);
        facet_tree_string(arena, animation, "name", scene->animations[i].name);
        facet_tree_integer(arena, animation, "channels", scene->animations[i].channel_count);
        facet_tree_real(arena, animation, "seconds",
                        facet_animation_duration(&scene->animations[i]));
    }
}

facet_status assimp_describe(const facet_source *source, const char *extension,
                             const facet_options *options, facet_description *description,
                             facet_error *error)
{
    facet_scene *scene = NULL;
    facet_status status = assimp_read(source, extension, NULL, options, &scene, error);
    if (status)
        return status;
    description->meshes = scene->mesh_count;
    description->materials = scene->material_count;
    description->images = scene->image_count;
    description->hulls = scene->hull_count;
    description->animations = scene->animation_count;
    for (uint32_t i = 0; i < scene->skin_count; i++)
        description->joints += scene->skins[i].joint_count;
    describe_meshes(scene, description);
    describe_rest(scene, description);
    status = facet_scene_bounds(scene, description->minimum, description->maximum,
                                &description->has_bounds, error);
    facet_scene_free(scene);
    return status;
}
