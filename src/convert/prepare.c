/* convert/prepare.c - from needs to passes: exactly those that are missing, in
 * one fixed order. The order is that of the BSM rationale's seven steps. */
#include "base/error.h"
#include "scene/format.h"

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

/* True when the faces of some material stand in more than one run. */
static bool unsorted(const facet_mesh *mesh)
{
    const uint32_t *materials = mesh->face_materials;
    for (uint32_t face = 1; materials && face < mesh->face_count; face++) {
        if (materials[face] != materials[face - 1])
            return true; /* the pass itself tells sorted runs from others, as cheaply */
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

typedef facet_status (*mesh_pass)(facet_mesh *mesh, const facet_options *options,
                                  facet_error *error);

static facet_status run(const preparation *p, const char *name, mesh_pass pass, facet_mesh *mesh)
{
    facet_status status = facet_step(p->options, name, 0, p->error);
    if (status)
        return status;
    record(p->passes, name);
    return pass(mesh, p->options, p->error);
}

/* The pass is its own test: it ran when the normals have moved. */
static facet_status face_forward(const preparation *p, facet_mesh *mesh)
{
    const void *before = facet_mesh_find(mesh, FACET_NORMAL, 0)->data;
    facet_status status = facet_mesh_facing(mesh, p->options, p->error);
    if (!status && facet_mesh_find(mesh, FACET_NORMAL, 0)->data != before)
        record(p->passes, "facing");
    return status;
}

static facet_status prepare_mesh(const preparation *p, facet_mesh *mesh)
{
    facet_status status = FACET_OK;
    const facet_normals_options *normals = p->prepare ? &p->prepare->normals : NULL;
    bool replace_normals = normals && normals->replace;

    if ((p->needs & FACET_NEED_TRIANGLES) && !facet_mesh_is_triangles(mesh))
        status = run(p, "triangulate", facet_mesh_triangulate, mesh);
    if (!status &&
        (replace_normals || ((p->needs & FACET_NEED_NORMALS) && lacks(mesh, FACET_NORMAL)))) {
        status = facet_step(p->options, "normals", 0, p->error);
        if (!status) {
            record(p->passes, "normals");
            status = facet_mesh_normals(mesh, normals, p->options, p->error);
        }
    }
    if (!status && (p->needs & FACET_NEED_NORMALS) && mesh->corner_count > 0)
        status = face_forward(p, mesh);
    if (!status && (p->needs & FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_welded(mesh))
        status = run(p, "weld", facet_mesh_weld, mesh);
    if (!status && (p->needs & FACET_NEED_TANGENTS) && lacks(mesh, FACET_TANGENT)) {
        status = run(p, "tangents", facet_mesh_tangents, mesh);
        if (!status && (p->needs & FACET_NEED_SINGLE_INDEX) && !facet_mesh_is_welded(mesh))
            status = run(p, "split", facet_mesh_split, mesh);
    }
    if (!status && (p->needs & FACET_NEED_SORTED) && unsorted(mesh))
        status = run(p, "sort", facet_mesh_sort, mesh);
    if (!status && (p->needs & FACET_NEED_OPTIMISED))
        status = run(p, "optimise", facet_mesh_optimise, mesh);
    return status;
}

facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                           const facet_prepare_options *prepare, const facet_options *options,
                           facet_passes *passes, facet_error *error)
{
    preparation p = {format->needs, prepare, options, passes, error};
    if (passes)
        memset(passes, 0, sizeof *passes);
    if (prepare)
        p.needs = (p.needs | prepare->extra) & ~(prepare->skip & (unsigned)FACET_NEED_OPTIMISED);
    facet_status status = FACET_OK;
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
