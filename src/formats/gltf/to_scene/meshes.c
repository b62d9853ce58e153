/* formats/gltf/to_scene/meshes.c - the primitives of a glTF mesh become one facet_mesh: runs of
 * faces over concatenated streams. Primitives with the same attributes share their vertices. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/mesh_builder.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static facet_status read_morphs(facet_gltf_mesh_builder *b, facet_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->from->primitive_count; i++) {
        uint32_t targets = b->from->primitives[i].target_count;
        count = targets > count ? targets : count;
    }
    facet_morph *morphs = facet_arena_allocate(b->mesh->arena, count, sizeof *morphs);
    if (!morphs)
        return facet_fail_arena(b->mesh->arena, error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        morphs[i].weight = i < b->from->weight_count ? b->from->weights[i] : 0;
        status = facet_gltf_copy_text(
            b->scene, i < b->from->target_name_count ? b->from->target_names[i] : "",
            &morphs[i].name, error);
    }
    if (b->from->weight_count > count && !b->file->is_checked)
        facet_report_add(facet_gltf_mesh_report(b), "GLTF-PRIMITIVE", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "mesh %" PRIu32 " has %" PRIu32 " weights for %" PRIu32
                         " morph targets: the others are dropped",
                         b->number, b->from->weight_count, count);
    b->mesh->morphs = count > 0 ? morphs : NULL;
    b->mesh->morph_count = count;
    return status;
}

/* Faces without normals are flat (3.7.2.1): no face is smoothed with another. */
static facet_status set_flat(const facet_gltf_mesh_builder *b, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    uint32_t corner = 0;
    while (normals && corner < mesh->corner_count && normals->indices[corner] != FACET_NONE)
        corner++;
    if (corner == mesh->corner_count)
        return FACET_OK;
    mesh->face_smoothing =
        facet_arena_allocate_zeroed(mesh->arena, mesh->face_count, sizeof *mesh->face_smoothing);
    return mesh->face_smoothing ? FACET_OK : facet_fail_arena(mesh->arena, error);
}

static facet_status read_mesh(facet_gltf_mesh_builder *b, facet_error *error)
{
    facet_arena *scratch = b->file->arena;
    uint32_t count = b->from->primitive_count;
    facet_status status = facet_scene_add_mesh(b->scene, &b->mesh, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->name, &b->mesh->name, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->extras, &b->mesh->extras, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->extensions, &b->mesh->extensions, error);
    if (status || b->file->skip & FACET_SKIP_GEOMETRY)
        return status;
    TRY(read_morphs(b, error));
    b->primitives = facet_arena_allocate_zeroed(scratch, count, sizeof *b->primitives);
    b->groups = facet_arena_allocate_zeroed(scratch, count, sizeof *b->groups);
    uint32_t *firsts = facet_arena_allocate(scratch, count, sizeof *firsts);
    if (!b->primitives || !b->groups || !firsts)
        return facet_fail_arena(scratch, error);
    bool has_extras = false;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = facet_gltf_place_primitive(b, i, error);
        has_extras |= b->from->primitives[i].has_extras;
    }
    if (has_extras)
        facet_report_add(facet_gltf_mesh_report(b), "GLTF-EXTRAS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the extras of primitives of mesh %" PRIu32 " are dropped", b->number);
    if (!status)
        status = facet_gltf_fill_corners(b, error);
    if (!status)
        status = facet_gltf_add_streams(b, firsts, error);
    if (!status)
        status = set_flat(b, error);
    bool has_ends = b->mesh->line_count > 0 || b->mesh->point_count > 0;
    if (!status && has_ends && !facet_mesh_is_indexed(b->mesh))
        facet_report_add(facet_gltf_mesh_report(b), "GLTF-LINES", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the lines and points of mesh %" PRIu32
                         " keep only attributes that all of its primitives have",
                         b->number);
    return status;
}

facet_status facet_gltf_meshes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.mesh_count && !status; i++) {
        facet_gltf_mesh_builder b = {0};
        b.file = file;
        b.scene = scene;
        b.from = &file->document.meshes[i];
        b.number = i;
        status =
            facet_step(file->options, "read meshes", (double)i / file->document.mesh_count, error);
        if (!status)
            status = read_mesh(&b, error);
    }
    return status;
}
