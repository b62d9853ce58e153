/* formats/iqm/from_scene.c - a scene to a document: a copy of the scene in the axes of the format,
 * and the order of the conversion steps. */
#include "formats/iqm/from_scene.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/iqm/scene.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/matrix.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Extras ------------------------------------------------------------- */

/* Read the comment and the flags of a scene that was read from an IQM. */
static facet_status take_extras(facet_iqm_scene_writer *w)
{
    facet_iqm *d = w->document;
    facet_json *extras = facet_json_read_text(w->scene->extras);
    const facet_json *values = facet_json_object_get(extras, "iqm");
    const facet_json *comment = facet_json_object_get(values, "comment");
    const facet_json *flags = facet_json_object_get(values, "flags");
    size_t length = facet_json_is_string(comment) ? facet_json_string_length(comment) : 0;
    facet_status status = FACET_OK;
    if (length > 0 && length < UINT32_MAX / 2) {
        size_t size = (length + 4) / 4 * 4;
        char *text = facet_arena_allocate_zeroed(w->arena, size, 1);
        if (text) {
            memcpy(text, facet_json_string_value(comment), length);
            d->comment = text;
            d->comment_size = (uint32_t)size;
        } else {
            status = facet_fail_arena(w->arena, w->error);
        }
    }
    if (facet_json_is_integer(flags))
        d->flags = (uint32_t)facet_json_integer_value(flags);
    facet_json_free(extras);
    return status;
}

/* True if the file stores all extras of a scene or an animation. */
static bool has_only_own_extras(const char *text)
{
    facet_json *extras = facet_json_read_text(text);
    bool own = facet_json_object_size(extras) == 1 && facet_json_object_get(extras, "iqm");
    facet_json_free(extras);
    return own;
}

/* -- Losses ------------------------------------------------------------- */

static const facet_capacity capacity = {
    "an IQM",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_SMOOTHING | FACET_LACKS_LINES | FACET_LACKS_POINTS |
        FACET_LACKS_MORPHS | FACET_LACKS_MORPH_WEIGHTS | FACET_LACKS_MATERIAL_VALUES |
        FACET_LACKS_CAMERAS | FACET_LACKS_HULLS | FACET_LACKS_OCCLUDER | FACET_LACKS_IMAGES |
        FACET_LACKS_LODS | FACET_LACKS_ASSET | FACET_LACKS_GROUP_NAMES,
    1,
    1,
    2,
    0,
    FACET_UNUSED_MESHES | FACET_UNUSED_MATERIALS,
    false,
    false};

static void lose(const facet_iqm_scene_writer *w, const char *rule, uint64_t count,
                 const char *what)
{
    facet_tally tally = {count, 0};
    facet_report_add_tally(w->report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tally,
                           "an IQM cannot hold %s", what);
}

static uint64_t count_extras(const facet_scene *scene)
{
    uint64_t count = facet_has_extras(scene->extras, scene->gx_file) &&
                     !(scene->extras && has_only_own_extras(scene->extras));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        count += facet_has_extras(scene->meshes[i]->extras, scene->meshes[i]->gx_file);
    for (uint32_t i = 0; i < scene->material_count; i++)
        count += facet_material_has_extras(scene->materials[i]);
    for (uint32_t i = 0; i < scene->node_count; i++)
        count += facet_has_extras(scene->nodes[i]->extras, scene->nodes[i]->gx_file);
    for (uint32_t i = 0; i < scene->skin_count; i++)
        count += scene->skins[i]->extras != NULL;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        count += facet_has_extras(animation->extras, animation->gx_file) &&
                 !(animation->extras && has_only_own_extras(animation->extras));
    }
    return count;
}

/* Report losses that depend on values, in addition to those by capacity. */
static void report_losses(const facet_iqm_scene_writer *w, const facet_scene *scene)
{
    uint64_t channels = 0;
    facet_scene_report_losses(scene, &capacity, w->report);
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *animation = scene->animations[i];
        for (uint32_t c = 0; c < animation->channel_count; c++)
            channels += !facet_iqm_is_motion(&animation->channels[c]);
    }
    lose(w, "LOSS-ANIMATIONS", channels, "animation of morph targets, visibility and materials");
    lose(w, "LOSS-EXTRAS", count_extras(scene), "extras");
}

/* -- The copy ----------------------------------------------------------- */

/* Drop channels that an IQM cannot store, because they prevent a change of axes. Animations with
 * only such channels are dropped. */
static void drop_channels(facet_scene *scene)
{
    uint32_t animations = 0;
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        facet_animation *animation = scene->animations[i];
        uint32_t kept = 0;
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            if (facet_iqm_is_motion(&animation->channels[c]))
                animation->channels[kept++] = animation->channels[c];
        }
        bool moves = kept > 0 || animation->channel_count == 0;
        animation->channel_count = kept;
        if (moves)
            scene->animations[animations++] = animation;
    }
    scene->animation_count = animations;
}

static const facet_axes iqm_axes = {FACET_AXIS_Z, false, 0, true};

/* Tolerance for the elements of equal rotations. */
#define SAME_ROTATION 1e-5F

/* True for a node that only rotates from +Z up to +Y up. glTF's writer puts it above a scene that
 * was read from an IQM. */
static bool is_turn(const facet_node *node, const float *turn)
{
    float matrix[16];
    if (node->mesh != FACET_NONE || node->camera != FACET_NONE || node->light != FACET_NONE)
        return false;
    facet_matrix_of_node(node, matrix);
    for (int i = 0; i < 16; i++) {
        if (!(fabsf(matrix[i] - turn[i]) <= SAME_ROTATION))
            return false;
    }
    return true;
}

static bool is_fixed(const facet_scene *scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t j = 0; j < scene->skins[i]->joint_count; j++) {
            if (scene->skins[i]->joints[j] == node)
                return false;
        }
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t c = 0; c < scene->animations[i]->channel_count; c++) {
            if (scene->animations[i]->channels[c].node == node)
                return false;
        }
    }
    return true;
}

/* If all visible nodes and their joints are below such nodes, remove the rotation: the axes below
 * are IQM's, and joints keep their transforms in the original file. */
static void undo_turn(facet_scene *scene)
{
    enum { MAX_TURNS = 8 };
    float turn[16];
    facet_node *turns[MAX_TURNS];
    uint32_t count = 0;
    if (scene->axes.up != FACET_AXIS_Y || scene->axes.left_handed)
        return;
    facet_axes_matrix(&iqm_axes, turn);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        facet_node *node = scene->nodes[i];
        if (node->parent != FACET_NONE)
            continue;
        bool skinned = node->mesh != FACET_NONE && node->skin != FACET_NONE &&
                       facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0);
        if (skinned)
            continue;
        if (count == MAX_TURNS || !is_turn(node, turn) || !is_fixed(scene, i))
            return;
        turns[count++] = node;
    }
    for (uint32_t i = 0; i < count; i++) {
        turns[i]->has_matrix = false;
        turns[i]->transform = (facet_transform){{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};
    }
    if (count > 0)
        scene->axes.up = FACET_AXIS_Z;
}

static facet_status copy_scene(const facet_iqm_scene_writer *w, const facet_scene *scene,
                               facet_scene **copy)
{
    TRY(facet_scene_copy(scene, w->options, copy, w->error));
    drop_channels(*copy);
    undo_turn(*copy);
    return facet_scene_set_axes(*copy, &iqm_axes, w->error);
}

/* -- The conversion ---------------------------------------------------- */

static facet_status expect_ready(const facet_iqm_scene_writer *w, const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        bool ready = facet_mesh_is_triangles(mesh) && facet_mesh_is_indexed(mesh) &&
                     (mesh->face_count == 0 || facet_mesh_find(mesh, FACET_POSITION, 0));
        const uint32_t *indices = mesh->stream_count > 0 ? mesh->streams[0].indices : NULL;
        for (uint32_t c = 0; ready && indices && c < mesh->corner_count; c++)
            ready = indices[c] != FACET_NONE;
        if (!ready)
            return facet_fail(w->error, FACET_ERROR_ARGUMENT, "IQM-NOT-READY", FACET_NO_OFFSET,
                              "mesh %" PRIu32
                              " has polygons, several indices or no positions, expected "
                              "triangles of one index: call facet_prepare first",
                              i);
    }
    return FACET_OK;
}

static facet_status expect_floats(const facet_iqm_scene_writer *w, const float *values,
                                  size_t count, const char *name)
{
    if (facet_find_nonfinite_float(values, count) == count)
        return FACET_OK;
    return facet_fail(w->error, FACET_ERROR_LIMIT, "IQM-FLOAT-NONFINITE", FACET_NO_OFFSET,
                      "a number of the %s exceeds a float at the mesh's world position", name);
}

/* Fail if positions are not finite: far transforms can multiply beyond float. */
static facet_status expect_finite(const facet_iqm_scene_writer *w)
{
    const facet_iqm *d = w->document;
    for (uint32_t i = 0; i < d->array_count; i++) {
        if (d->arrays[i].format == FACET_IQM_FLOAT32)
            TRY(expect_floats(w, d->arrays[i].data, (size_t)d->vertex_count * d->arrays[i].size,
                              "vertices"));
    }
    for (uint32_t i = 0; i < d->joint_count; i++) {
        TRY(expect_floats(w, d->joints[i].translation, 3, "joints"));
        TRY(expect_floats(w, d->joints[i].rotation, 4, "joints"));
        TRY(expect_floats(w, d->joints[i].scale, 3, "joints"));
    }
    for (uint32_t i = 0; i < d->pose_count; i++) {
        TRY(expect_floats(w, d->poses[i].offset, FACET_IQM_CHANNELS, "poses"));
        TRY(expect_floats(w, d->poses[i].scale, FACET_IQM_CHANNELS, "poses"));
    }
    return FACET_OK;
}

static facet_status build(facet_iqm_scene_writer *w)
{
    uint32_t empty;
    w->names.table = facet_table_make(w->scratch);
    TRY(facet_iqm_intern(w, "", &empty));
    TRY(facet_iqm_choose_joints(w));
    TRY(facet_step(w->options, "meshes", 0.1, w->error));
    TRY(facet_iqm_make_meshes(w));
    TRY(facet_iqm_make_adjacency(w));
    TRY(facet_step(w->options, "animations", 0.4, w->error));
    TRY(facet_iqm_make_motion(w));
    TRY(expect_finite(w));
    TRY(take_extras(w));
    TRY(facet_iqm_finish_text(w));
    return facet_report_status(w->report, w->error);
}

static facet_status make(facet_iqm_scene_writer *w, const facet_scene *scene)
{
    facet_scene *copy = NULL;
    TRY(facet_arena_create(w->options, &w->arena, w->error));
    facet_status status = facet_arena_create(w->options, &w->scratch, w->error);
    if (!status) {
        w->document = facet_arena_allocate_zeroed(w->arena, 1, sizeof *w->document);
        if (!w->document)
            status = facet_fail_arena(w->arena, w->error);
    }
    if (!status)
        status = copy_scene(w, scene, &copy);
    if (!status) {
        w->scene = copy;
        w->document->arena = w->arena;
        status = build(w);
    }
    facet_table_free(&w->names.table);
    facet_pose_free(&w->pose);
    facet_arena_free(w->scratch);
    facet_scene_free(copy);
    if (status)
        facet_arena_free(w->arena);
    return status;
}

facet_status facet_iqm_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_iqm **document, facet_error *error)
{
    facet_iqm_scene_writer w = {.scene = scene,
                                .options = options,
                                .report = options ? options->report : NULL,
                                .error = error};
    TRY(expect_ready(&w, scene));
    report_losses(&w, scene);
    TRY(make(&w, scene));
    *document = w.document;
    return FACET_OK;
}
