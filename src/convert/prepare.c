/* convert/prepare.c - from needs to passes: exactly those that are missing, in
 * one fixed order. For meshes it is that of the BSM rationale's seven steps. */
#include "base/error.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/pose.h>

#include <string.h>

/* -- What is missing ---------------------------------------------------- */

/* True when some corner has no element of this semantic. */
static bool lacks(const facet_mesh *mesh, facet_semantic semantic)
{
    const facet_stream *stream = facet_mesh_find(mesh, semantic, 0);
    if (!stream)
        return mesh->corner_count > 0;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        if (stream->indices[corner] == FACET_NONE)
            return true;
    }
    return false;
}

/* -- Running ------------------------------------------------------------ */

typedef struct preparation {
    unsigned needs;
    const facet_prepare_options *prepare;
    const facet_options *options;
    facet_passes *passes;
    facet_error *error;
} preparation;

/* Note that a pass ran; the same pass on several meshes counts once. */
static void record(facet_passes *passes, const char *name)
{
    if (!passes)
        return;
    for (size_t i = 0; i < passes->count; i++) {
        if (strcmp(passes->names[i], name) == 0)
            return;
    }
    passes->names[passes->count++] = name;
}

typedef facet_status (*mesh_pass)(facet_mesh *mesh, const facet_options *options, bool *changed,
                                  facet_error *error);

/* Run a pass; it is recorded when it changed the mesh. */
static facet_status run(const preparation *p, const char *name, mesh_pass pass, facet_mesh *mesh)
{
    bool changed = false;
    facet_status status = facet_step(p->options, name, 0, p->error);
    if (!status)
        status = pass(mesh, p->options, &changed, p->error);
    if (changed)
        record(p->passes, name);
    return status;
}

/* Positions that lie near one another become one. */
static facet_status run_merge(const preparation *p, facet_mesh *mesh)
{
    bool changed = false;
    if (!p->prepare || !(p->prepare->merge_distance > 0))
        return FACET_OK;
    facet_status status =
        facet_mesh_merge(mesh, p->prepare->merge_distance, p->options, &changed, p->error);
    if (changed)
        record(p->passes, "merge positions");
    return status;
}

static facet_status run_normals(const preparation *p, facet_mesh *mesh)
{
    const facet_normals_options *normals = p->prepare ? p->prepare->normals : NULL;
    bool needed = (p->needs & FACET_NEED_NORMALS) != 0 && mesh->corner_count > 0;
    bool changed = false;
    if (!needed && !(normals && normals->replace))
        return FACET_OK;
    facet_status status = facet_mesh_normals(mesh, normals, p->options, &changed, p->error);
    if (changed)
        record(p->passes, "normals");
    if (!status && needed && (p->needs & FACET_NEED_FACING))
        status = run(p, "facing", facet_mesh_facing, mesh);
    return status;
}

static facet_status prepare_mesh(const preparation *p, facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    if ((p->needs & FACET_NEED_TRIANGLES) && !facet_mesh_is_triangles(mesh))
        status = run(p, "triangulate", facet_mesh_triangulate, mesh);
    if (!status)
        status = run_merge(p, mesh);
    if (!status)
        status = run_normals(p, mesh);
    if (!status && (p->needs & FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_welded(mesh))
        status = run(p, "weld", facet_mesh_weld, mesh);
    if (!status && (p->needs & FACET_NEED_TANGENTS) && lacks(mesh, FACET_TANGENT)) {
        status = run(p, "tangents", facet_mesh_tangents, mesh);
        if (!status && (p->needs & FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_welded(mesh))
            status = run(p, "split", facet_mesh_split, mesh);
    }
    if (!status && (p->needs & FACET_NEED_SINGLE_INDEX) &&
        !(p->prepare && p->prepare->keep_vertices))
        status = run(p, "join", facet_mesh_join, mesh);
    if (!status && (p->needs & FACET_NEED_SORTED))
        status = run(p, "sort", facet_mesh_sort, mesh);
    if (!status && (p->needs & FACET_NEED_OPTIMIZED))
        status = run(p, "optimize", facet_mesh_optimize, mesh);
    return status;
}

/* Nodes and the number of meshes. */
static facet_status prepare_places(const preparation *p, facet_scene *scene)
{
    bool flatten = (p->needs & FACET_NEED_FLAT) != 0 && scene->node_count > 0;
    facet_flatten_options how = {0};
    how.merge = (p->needs & FACET_NEED_ONE_MESH) != 0;
    if (!flatten && !(how.merge && scene->mesh_count > 1))
        return FACET_OK;
    const char *name = flatten ? "flatten" : "merge";
    facet_status status = facet_step(p->options, name, 0, p->error);
    if (status)
        return status;
    record(p->passes, name);
    return facet_scene_flatten(scene, &how, p->options, p->error);
}

static facet_status check_call(const facet_prepare_options *prepare, const facet_options *options,
                               facet_error *error)
{
    facet_status status = facet_check_options(options, error);
    if (!status && prepare)
        status = facet_check_struct_size(prepare->struct_size, sizeof *prepare,
                                         "facet_prepare_options", error);
    return status;
}

facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                           const facet_prepare_options *prepare, const facet_options *options,
                           facet_passes *passes, facet_error *error)
{
    preparation p = {facet_format_needs(format), prepare, options, passes, error};
    facet_status status = check_call(prepare, options, error);
    if (status)
        return status;
    if (passes)
        memset(passes, 0, sizeof *passes);
    if (prepare)
        p.needs = (p.needs | prepare->extra) & ~(prepare->skip & (unsigned)FACET_NEED_OPTIMIZED);
    if (format && (p.needs & FACET_NEED_FLAT) && scene->mesh_count == 0 && scene->image_count > 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "CONVERT-NO-MESH", FACET_NO_OFFSET,
                          "%s holds meshes, and there is an image and no mesh", format->name);
    status = prepare_places(&p, scene);
    for (uint32_t i = 0; i < scene->mesh_count && !status; i++)
        status = prepare_mesh(&p, scene->meshes[i]);
    if (!status && scene->occluder) {
        /* An occluder is positions and triangles, whatever the format wants of the others. */
        p.needs &= FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX;
        p.prepare = NULL;
        status = prepare_mesh(&p, scene->occluder);
    }
    return status;
}
