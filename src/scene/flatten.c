/* scene/flatten.c - flattening: a scene without nodes, with every mesh at its final position. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "scene/matrix.h"
#include "scene/placement.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* -- Copies ------------------------------------------------------------- */

static void *copy_block(facet_arena *arena, const void *from, size_t count, size_t size)
{
    void *copy = from ? facet_arena_allocate(arena, count, size) : NULL;
    if (copy)
        memcpy(copy, from, count * size);
    return copy;
}

/* Copy indices. Streams that share an index array share it in the copy. */
static bool copy_indices(facet_mesh *copy, const facet_mesh *mesh)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        uint32_t earlier = 0;
        while (mesh->streams[earlier].indices != mesh->streams[i].indices)
            earlier++;
        copy->streams[i].indices = earlier < i ? copy->streams[earlier].indices
                                               : copy_block(mesh->arena, mesh->streams[i].indices,
                                                            mesh->corner_count, sizeof(uint32_t));
        if (mesh->streams[i].indices && !copy->streams[i].indices)
            return false;
    }
    return true;
}

/* Append a copy of a mesh for a second node. */
static facet_status copy_mesh(facet_scene *scene, const facet_mesh *mesh, facet_mesh **copied,
                              facet_error *error)
{
    facet_mesh *copy = NULL;
    TRY(facet_scene_add_mesh(scene, &copy, error));
    facet_arena *arena = mesh->arena;
    facet_mesh made = *mesh;
    uint32_t faces = mesh->face_count;
    made.face_offsets = copy_block(arena, mesh->face_offsets, (size_t)faces + 1, sizeof(uint32_t));
    made.face_materials = copy_block(arena, mesh->face_materials, faces, sizeof(uint32_t));
    made.face_smoothing = copy_block(arena, mesh->face_smoothing, faces, sizeof(uint32_t));
    made.lines = copy_block(arena, mesh->lines, mesh->line_count, 2 * sizeof(uint32_t));
    made.line_materials =
        copy_block(arena, mesh->line_materials, mesh->line_count, sizeof(uint32_t));
    made.points = copy_block(arena, mesh->points, mesh->point_count, sizeof(uint32_t));
    made.point_materials =
        copy_block(arena, mesh->point_materials, mesh->point_count, sizeof(uint32_t));
    made.parts = copy_block(arena, mesh->parts, mesh->part_count, sizeof *mesh->parts);
    made.morphs = copy_block(arena, mesh->morphs, mesh->morph_count, sizeof *mesh->morphs);
    made.streams = facet_arena_allocate(arena, mesh->stream_count, sizeof *made.streams);
    bool whole = made.streams && !(mesh->face_offsets && !made.face_offsets) &&
                 !(mesh->face_materials && !made.face_materials) &&
                 !(mesh->face_smoothing && !made.face_smoothing) && !(mesh->lines && !made.lines) &&
                 !(mesh->line_materials && !made.line_materials) &&
                 !(mesh->points && !made.points) &&
                 !(mesh->point_materials && !made.point_materials) &&
                 !(mesh->parts && !made.parts) && !(mesh->morphs && !made.morphs);
    for (uint32_t i = 0; whole && i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        made.streams[i] = *stream;
        made.streams[i].data =
            copy_block(arena, stream->data, stream->count, facet_stream_element_size(stream));
        whole = made.streams[i].data || !stream->data;
    }
    if (!whole || !copy_indices(&made, mesh))
        return facet_fail_arena(arena, error);
    *copy = made;
    *copied = copy;
    return FACET_OK;
}

/* -- Transforms --------------------------------------------------------- */

static void place_stream(const facet_mesh *mesh, facet_stream *stream, const float *global,
                         const float *matrices, uint32_t joint_count)
{
    float *values = stream->data;
    facet_placement whole = facet_placement_of(global);
    for (uint32_t i = 0; i < stream->count; i++) {
        float *value = values + (size_t)i * stream->components;
        if (matrices) {
            float blended[16];
            facet_mesh_blend(mesh, stream, i, matrices, joint_count, blended);
            facet_placement own = facet_placement_of(blended);
            facet_placement_apply(&own, stream->semantic, value);
        } else {
            facet_placement_apply(&whole, stream->semantic, value);
        }
    }
}

static void reverse(uint32_t *items, uint32_t first, uint32_t last)
{
    for (; first < last; first++, last--) {
        uint32_t swapped = items[first];
        items[first] = items[last];
        items[last] = swapped;
    }
}

void facet_mesh_reverse_faces(facet_mesh *mesh)
{
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        uint32_t earlier = 0;
        while (mesh->streams[earlier].indices != mesh->streams[s].indices)
            earlier++;
        if (earlier < s || mesh->corner_count == 0)
            continue;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            uint32_t begin = facet_face_begin(mesh, face), end = facet_face_end(mesh, face);
            if (end > begin + 2)
                reverse(mesh->streams[s].indices, begin + 1, end - 1);
        }
    }
}

static void drop_streams(facet_mesh *mesh, facet_semantic first, facet_semantic last)
{
    for (uint32_t i = mesh->stream_count; i-- > 0;) {
        if (mesh->streams[i].semantic >= first && mesh->streams[i].semantic <= last)
            facet_mesh_remove_stream(mesh, &mesh->streams[i]);
    }
}

/* True if a mesh is mirrored: by the transform of its node, or by its skin at the first vertex, as
 * in pictures (render/pose.c). */
static bool is_mirrored(const facet_mesh *mesh, const float *global, const float *matrices,
                        uint32_t joint_count)
{
    float blended[16];
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (!matrices || !positions || positions->count == 0)
        return facet_matrix_determinant(global) < 0;
    facet_mesh_blend(mesh, positions, 0, matrices, joint_count, blended);
    return facet_matrix_determinant(blended) < 0;
}

/* Transform a mesh by its node: first morph targets, then skin or transform. */
static facet_status place_mesh(const facet_scene *scene, const facet_pose *pose, float **skins,
                               uint32_t node, facet_mesh *mesh, facet_error *error)
{
    static const facet_semantic moved[] = {FACET_POSITION, FACET_NORMAL, FACET_TANGENT};
    const float *global = pose->global + (size_t)node * 16;
    const float *matrices = NULL;
    uint32_t joint_count = 0;
    facet_status status =
        facet_node_matrices(scene, pose, node, pose->arena, skins, &matrices, &joint_count, error);
    for (int i = 0; i < 3 && !status; i++) {
        facet_stream *stream = facet_mesh_find(mesh, moved[i], 0);
        if (stream)
            status = facet_mesh_apply_morphs(mesh, pose->weights[node], stream, stream->data,
                                             pose->arena, error);
        if (stream && !status)
            place_stream(mesh, stream, global, matrices, joint_count);
    }
    if (status)
        return status;
    if (is_mirrored(mesh, global, matrices, joint_count))
        facet_mesh_reverse_faces(mesh);
    drop_streams(mesh, FACET_MORPH_POSITION, FACET_MORPH_TANGENT);
    drop_streams(mesh, FACET_JOINTS, FACET_WEIGHTS);
    mesh->morphs = NULL;
    mesh->morph_count = 0;
    if (!*mesh->name && *scene->nodes[node]->name)
        mesh->name = scene->nodes[node]->name;
    return FACET_OK;
}

/* -- Instances ---------------------------------------------------------- */

/* Count the meshes that only levels of detail show, for LOSS-LODS. `uses` is restored. */
static uint32_t count_coarser(const facet_scene *scene, uint32_t *uses)
{
    uint32_t count = 0;
    for (int mark = 1; mark >= 0; mark--) {
        for (uint32_t i = 0; i < scene->node_count; i++) {
            const facet_node *node = scene->nodes[i];
            for (uint32_t k = 0; k < node->lod_count; k++) {
                uint32_t mesh = scene->nodes[node->lods[k]]->mesh;
                if (mesh == FACET_NONE || uses[mesh] != (mark ? 0 : FACET_NONE))
                    continue;
                uses[mesh] = mark ? FACET_NONE : 0;
                count += (uint32_t)mark;
            }
        }
    }
    return count;
}

/* Replace the scene's meshes by those that nodes show, in the order of the nodes. The last node of
 * a mesh gets the mesh itself, others a copy. */
static facet_status place_all(facet_scene *scene, const facet_pose *pose, uint32_t *dropped,
                              const facet_options *options, facet_error *error)
{
    uint32_t before = scene->mesh_count, placed = 0;
    uint32_t *uses = facet_arena_allocate_zeroed(scene->arena, before, sizeof *uses);
    facet_mesh **shown = facet_arena_allocate(scene->arena, scene->node_count, sizeof(void *));
    if (!uses || !shown)
        return facet_fail_arena(scene->arena, error);
    float **skins = facet_arena_allocate_zeroed(pose->arena, scene->skin_count, sizeof *skins);
    if (!skins)
        return facet_fail_arena(pose->arena, error);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (pose->seen[i] && scene->nodes[i]->mesh != FACET_NONE)
            uses[scene->nodes[i]->mesh]++;
    }
    TRY(facet_scene_check_growth(scene, pose->seen, options, error));
    for (uint32_t i = 0; i < before; i++)
        *dropped += uses[i] == 0;
    *dropped -= count_coarser(scene, uses);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        uint32_t index = scene->nodes[i]->mesh;
        if (!pose->seen[i] || index == FACET_NONE)
            continue;
        facet_mesh *mesh = scene->meshes[index];
        if (--uses[index] > 0)
            status = copy_mesh(scene, mesh, &mesh, error);
        if (!status)
            status = place_mesh(scene, pose, skins, i, mesh, error);
        shown[placed++] = mesh;
    }
    if (!status) {
        /* There is space: copies were appended to scene->meshes, and `shown` has only meshes of
         * that array. */
        for (uint32_t i = 0; i < placed; i++)
            scene->meshes[i] = shown[i];
        scene->mesh_count = placed;
    }
    facet_arena_release(scene->arena, shown, scene->node_count, sizeof(void *));
    facet_arena_release(scene->arena, uses, before, sizeof *uses);
    return status;
}

static void report_losses(const facet_scene *scene, facet_report *report)
{
    bool morphs = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        morphs |= scene->meshes[i]->morph_count > 0;
    uint32_t billboards = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        billboards += scene->meshes[i]->billboard != FACET_BILLBOARD_NONE;
    facet_report_add(report, "SCENE-FLATTENED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                     "%u node%s removed; meshes are moved to their world positions",
                     scene->node_count, facet_plural(scene->node_count, " is", "s are"));
    if (scene->animation_count > 0)
        facet_report_add(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u animation%s dropped with the nodes that move", scene->animation_count,
                         facet_plural(scene->animation_count, " is", "s are"));
    if (scene->skin_count > 0)
        facet_report_add(report, "LOSS-SKIN", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u skin%s dropped; meshes are written as posed", scene->skin_count,
                         facet_plural(scene->skin_count, " is", "s are"));
    if (scene->camera_count > 0 || scene->light_count > 0)
        facet_report_add(report, "LOSS-CAMERA", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u camera%s and %u light%s are dropped with their nodes",
                         scene->camera_count, facet_plural(scene->camera_count, "", "s"),
                         scene->light_count, facet_plural(scene->light_count, "", "s"));
    if (billboards > 0)
        facet_report_add(report, "LOSS-BILLBOARDS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u mesh%s to the camera without nodes", billboards,
                         facet_plural(billboards, " no longer turns", "es no longer turn"));
    uint32_t extras = 0, extensions = 0, lods = 0;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        extras += facet_has_extras(scene->nodes[i]->extras, scene->nodes[i]->gx_file);
        extensions += scene->nodes[i]->extensions != NULL;
        lods += scene->nodes[i]->lod_count;
    }
    if (lods > 0)
        facet_report_add(report, "LOSS-LODS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u level%s of detail dropped with the nodes that have them", lods,
                         facet_plural(lods, "", "s"));
    if (extensions > 0)
        facet_report_add(report, "LOSS-ASSET", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "extensions of %u node%s are dropped", extensions,
                         facet_plural(extensions, "", "s"));
    if (extras > 0)
        facet_report_add(report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "extras of %u node%s are dropped", extras, facet_plural(extras, "", "s"));
    if (morphs)
        facet_report_add(report, "LOSS-MORPHS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "morph targets are applied, and dropped");
}

static facet_status flatten_nodes(facet_scene *scene, const facet_flatten_options *flatten,
                                  const facet_options *options, facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    facet_pose pose = {0};
    bool timed = flatten && flatten->has_time;
    uint32_t dropped = 0;
    facet_status status = facet_scene_pose(scene, timed ? flatten->animation : FACET_NONE,
                                           timed ? flatten->time : 0, options, &pose, error);
    if (status)
        return status;
    report_losses(scene, report);
    facet_scene_report_moved(scene, &pose, report);
    status = place_all(scene, &pose, &dropped, options, error);
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        scene->meshes[i]->billboard = FACET_BILLBOARD_NONE;
    facet_pose_free(&pose);
    if (status)
        return status;
    if (dropped > 0)
        facet_report_add(report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u mesh%s dropped, because no node shows %s", dropped,
                         facet_plural(dropped, " is", "es are"),
                         facet_plural(dropped, "it", "them"));
    scene->nodes = NULL;
    scene->node_count = 0;
    scene->roots = NULL;
    scene->root_count = 0;
    scene->skins = NULL;
    scene->skin_count = 0;
    scene->animations = NULL;
    scene->animation_count = 0;
    scene->cameras = NULL;
    scene->camera_count = 0;
    scene->lights = NULL;
    scene->light_count = 0;
    /* A transform may move finite values beyond the range of float. */
    return facet_scene_expect_finite(scene, FACET_ERROR_LIMIT, error);
}

facet_status facet_scene_flatten(facet_scene *scene, const facet_flatten_options *flatten,
                                 const facet_options *options, facet_error *error)
{
    TRY(facet_check_options(options, error));
    TRY(FACET_CHECK_STRUCT(flatten, facet_flatten_options, error));
    if (scene->node_count > 0)
        TRY(flatten_nodes(scene, flatten, options, error));
    if (flatten && flatten->merge)
        TRY(facet_scene_merge(scene, options, error));
    return FACET_OK;
}
