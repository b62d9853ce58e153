/* formats/j3d/scene/from_scene/builder.c - shared functions of the builder's steps. */
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/scene/from_scene/frame.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "gx/json/file_part.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- Memory ------------------------------------------------------------- */

void *facet_j3d_builder_keep(const facet_j3d_builder *b, size_t count, size_t size)
{
    return facet_arena_allocate_zeroed(b->document->arena, count, size);
}

void *facet_j3d_builder_scratch(const facet_j3d_builder *b, size_t count, size_t size)
{
    return facet_arena_allocate_zeroed(b->scratch, count, size);
}

facet_status facet_j3d_builder_no_memory(const facet_j3d_builder *b)
{
    return facet_fail_arenas(b->scratch, b->document->arena, b->error);
}

/* -- Reports ------------------------------------------------------------ */

facet_report *facet_j3d_builder_report(const facet_j3d_builder *b)
{
    return b->options ? b->options->report : NULL;
}

facet_status facet_j3d_builder_limit(const facet_j3d_builder *b, const char *rule, uint64_t count,
                                     uint64_t most, const char *what, const char *advice)
{
    if (count <= most)
        return FACET_OK;
    return facet_fail(b->error, FACET_ERROR_LIMIT, rule, FACET_NO_OFFSET,
                      "the model needs %" PRIu64 " %s, and J3D counts to %" PRIu64 ": %s", count,
                      what, most, advice);
}

facet_status facet_j3d_builder_make_joints(facet_j3d_builder *b, uint32_t count, const char *what,
                                           const char *advice)
{
    facet_j3d_joints *joints = &b->document->joints;
    TRY(facet_j3d_builder_limit(b, "J3D-LIMIT-JOINTS", count, UINT16_MAX, what, advice));
    joints->items = facet_j3d_builder_keep(b, count, sizeof *joints->items);
    joints->remap = facet_j3d_builder_keep(b, count, sizeof *joints->remap);
    joints->names.items = facet_j3d_builder_keep(b, count, sizeof *joints->names.items);
    b->node_of_joint = facet_j3d_builder_scratch(b, count, sizeof *b->node_of_joint);
    b->joint_place = facet_j3d_builder_scratch(b, count, sizeof *b->joint_place);
    b->bind = facet_j3d_builder_scratch(b, count, sizeof *b->bind);
    if (!joints->items || !joints->remap || !joints->names.items || !b->node_of_joint ||
        !b->joint_place || !b->bind)
        return facet_j3d_builder_no_memory(b);
    joints->count = joints->names.count = count;
    b->document->has_joints = true;
    return FACET_OK;
}

const facet_json *facet_j3d_builder_json(const facet_j3d_builder *b, const char *extras)
{
    return facet_j3d_extras_of(b->extras, extras);
}

facet_status facet_j3d_builder_find_files(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    b->node_files = facet_j3d_builder_scratch(b, scene->node_count, sizeof *b->node_files);
    b->mesh_files = facet_j3d_builder_scratch(b, scene->mesh_count, sizeof *b->mesh_files);
    if (!b->node_files || !b->mesh_files)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->node_count; i++)
        TRY(facet_gx_file_part_now(scene->nodes[i]->extras, scene->nodes[i]->gx_file, b->scratch,
                                   &b->node_files[i], b->error));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        TRY(facet_gx_file_part_now(scene->meshes[i]->extras, scene->meshes[i]->gx_file, b->scratch,
                                   &b->mesh_files[i], b->error));
    return facet_gx_file_part_now(scene->extras, scene->gx_file, b->scratch, &b->scene_file,
                                  b->error);
}

facet_status facet_j3d_builder_material_file(const facet_j3d_builder *b, uint32_t material,
                                             const facet_gx_file_material **file)
{
    const facet_material *m = b->scene->materials[material];
    return facet_j3d_file_material_now(b->extras, m->extras, m->gx_file, file, b->error);
}

facet_status facet_j3d_builder_image_file(const facet_j3d_builder *b, const facet_image *image,
                                          const facet_gx_file_image **file)
{
    return facet_j3d_file_image_now(b->extras, image->extras, image->gx_file, file, b->error);
}

bool facet_j3d_builder_is_computed(const facet_j3d_builder *b, const facet_image *image)
{
    const facet_gx_file_image *file = image->gx_file;
    if (file && file->extras == image->extras)
        return file->is_computed;
    return facet_json_is_true(
        facet_gx_json_in_extras(facet_j3d_builder_json(b, image->extras), "computed"));
}

void facet_j3d_builder_report_wrong(const facet_j3d_builder *b, const char *wrong)
{
    if (wrong)
        facet_report_add(facet_j3d_builder_report(b), "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "%s; these extras are ignored", wrong);
}

uint32_t facet_j3d_builder_texture_count(const facet_j3d_builder *b, uint32_t count,
                                         const char *wrong)
{
    facet_j3d_builder_report_wrong(b, wrong);
    return wrong ? 0 : count;
}

/* -- Names -------------------------------------------------------------- */

facet_status facet_j3d_builder_name(const facet_j3d_builder *b, const char *text,
                                    facet_j3d_name *name, size_t *lost)
{
    size_t gone = 0, size = facet_j3d_name_bytes(text, NULL, 0, NULL) + 1;
    char *bytes = facet_j3d_builder_keep(b, size, 1);
    if (!bytes)
        return facet_j3d_builder_no_memory(b);
    facet_j3d_name_bytes(text, bytes, size, &gone);
    *lost += gone;
    name->bytes = bytes;
    name->hash = facet_j3d_hash(bytes);
    return FACET_OK;
}

void facet_j3d_builder_report_names(const facet_j3d_builder *b, const char *what, size_t lost)
{
    facet_tally tally = {lost, 0};
    facet_report_add_tally(
        facet_j3d_builder_report(b), "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &tally,
        "a character in the name of a %s becomes '_': it is not in Shift-JIS", what);
}

/* -- Frame and nodes ---------------------------------------------------- */

void facet_j3d_builder_matrix(const facet_j3d_builder *b, const float m[16], double out[12])
{
    facet_j3d_frame_matrix(b->turn, b->units.unit, m, out);
}

void facet_j3d_builder_point(const facet_j3d_builder *b, const float *in, float out[3])
{
    double place[3];
    facet_j3d_frame_point(b->turn, b->units.unit, in, place);
    for (int r = 0; r < 3; r++)
        out[r] = (float)place[r];
}

bool facet_j3d_is_skinned(const facet_scene *scene, const facet_node *node)
{
    return node->mesh != FACET_NONE && node->skin != FACET_NONE &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_JOINTS, 0) &&
           facet_mesh_find(scene->meshes[node->mesh], FACET_WEIGHTS, 0);
}

uint32_t facet_j3d_joint_above(const facet_j3d_builder *b, uint32_t node)
{
    uint32_t above = b->joint_node_above[node];
    return above == FACET_NONE ? FACET_NONE : b->joint_of_node[above];
}

/* -- Colors ------------------------------------------------------------- */

static const char *const color_names[2] = {"J3D_COLOR_0", "J3D_COLOR_1"};

bool facet_j3d_is_own_stream(const facet_stream *stream)
{
    return facet_stream_is_custom(stream, color_names[0], FACET_UINT8, 4) ||
           facet_stream_is_custom(stream, color_names[1], FACET_UINT8, 4) ||
           facet_stream_is_custom(stream, FACET_J3D_NORMAL_LENGTH, FACET_FLOAT32, 1);
}

const facet_stream *facet_j3d_color_stream(const facet_mesh *mesh, uint32_t set)
{
    const facet_stream *stored = facet_mesh_find_custom(mesh, color_names[set], FACET_UINT8, 4);
    return stored ? stored : facet_mesh_find(mesh, FACET_COLOR, set);
}
