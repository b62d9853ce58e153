/* scene/merge.c - merging of many meshes into one. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "scene/scene.h"

#include <inttypes.h>

#include <string.h>

typedef struct merger {
    facet_scene *scene;
    facet_mesh *mesh; /* the merged mesh */
    bool uniform;     /* all meshes are indexed and have the same streams */
} merger;

/* -- Streams ------------------------------------------------------------ */

/* The stream of a mesh that is merged into `kind`, or NULL. */
static const facet_stream *same_kind(const facet_mesh *mesh, const facet_stream *kind)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->semantic != kind->semantic || stream->set != kind->set)
            continue;
        if (kind->semantic != FACET_CUSTOM)
            return stream;
        if (strcmp(stream->name, kind->name) == 0 && stream->component == kind->component &&
            stream->components == kind->components)
            return stream;
    }
    return NULL;
}

/* Copy elements. Missing components become ones in colors, zeros in other streams. */
static void copy_elements(const facet_stream *from, facet_stream *to, uint32_t first)
{
    size_t size = facet_component_size(to->component);
    uint8_t *out = (uint8_t *)to->data + first * size * to->components;
    if (from->components == to->components) {
        memcpy(out, from->data, from->count * size * to->components);
        return;
    }
    const float fill = to->semantic == FACET_COLOR ? 1.0F : 0.0F;
    float *values = (float *)(void *)out;
    for (size_t i = 0; i < from->count; i++) {
        for (uint32_t c = 0; c < to->components; c++)
            values[i * to->components + c] =
                c < from->components ? ((const float *)from->data)[i * from->components + c] : fill;
    }
}

static facet_status allocate_indices(const merger *m, facet_stream *stream, facet_error *error)
{
    stream->indices =
        facet_arena_allocate(m->scene->arena, m->mesh->corner_count, sizeof *stream->indices);
    return stream->indices ? FACET_OK : facet_fail_arena(m->scene->arena, error);
}

static void fill_indices(const merger *m, facet_stream *stream)
{
    uint32_t corner = 0, first = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        const facet_stream *from = same_kind(mesh, stream);
        for (uint32_t c = 0; c < mesh->corner_count; c++) {
            uint32_t index = from ? from->indices[c] : FACET_NONE;
            stream->indices[corner++] = index == FACET_NONE ? FACET_NONE : index + first;
        }
        first += from ? from->count : 0;
    }
}

static facet_status merge_stream(const merger *m, const facet_stream *kind, facet_error *error)
{
    uint64_t count = 0;
    uint32_t components = kind->components;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_stream *from = same_kind(m->scene->meshes[i], kind);
        count += from ? from->count : 0;
        components = from && from->components > components ? from->components : components;
    }
    if (count >= FACET_NONE)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the merged mesh would have more than 2^32 - 2 elements in a stream");
    facet_stream *stream = NULL;
    facet_status status =
        facet_mesh_add_stream(m->mesh, kind->semantic, kind->set, kind->name, kind->component,
                              components, (uint32_t)count, &stream, error);
    if (status)
        return status;
    uint32_t first = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_stream *from = same_kind(m->scene->meshes[i], kind);
        if (!from)
            continue;
        copy_elements(from, stream, first);
        first += from->count;
    }
    if (m->uniform && m->mesh->stream_count > 1) {
        stream->indices = m->mesh->streams[0].indices;
        return FACET_OK;
    }
    status = allocate_indices(m, stream, error);
    if (!status)
        fill_indices(m, stream);
    return status;
}

static facet_status merge_streams(const merger *m, facet_report *report, facet_error *error)
{
    facet_status status = FACET_OK;
    bool morphs = false;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        for (uint32_t s = 0; s < mesh->stream_count && !status; s++) {
            bool morph = mesh->streams[s].semantic > FACET_CUSTOM;
            morphs |= morph;
            if (!morph && !same_kind(m->mesh, &mesh->streams[s]))
                status = merge_stream(m, &mesh->streams[s], error);
        }
    }
    if (morphs)
        facet_report_add(report, "LOSS-MORPHS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the morph targets of meshes that become one are dropped");
    return status;
}

/* -- Faces -------------------------------------------------------------- */

/* Merge the smoothing groups of all meshes; NULL if no mesh has them. */
static facet_status merge_smoothing(const merger *m, facet_error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++)
        any |= m->scene->meshes[i]->face_smoothing != NULL;
    if (!any)
        return FACET_OK;
    uint32_t *values = facet_arena_allocate(m->scene->arena, m->mesh->face_count, sizeof *values);
    if (!values)
        return facet_fail_arena(m->scene->arena, error);
    m->mesh->face_smoothing = values;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        for (uint32_t f = 0; f < mesh->face_count; f++)
            *values++ = mesh->face_smoothing ? mesh->face_smoothing[f] : 0;
    }
    return FACET_OK;
}

/* Merge the materials of all faces, lines or points; NULL if no mesh has them. */
static facet_status merge_materials(const merger *m, int kind, uint32_t **merged,
                                    facet_error *error)
{
    bool any = false;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++)
        any |= facet_mesh_material_uses(m->scene->meshes[i], kind).indices != NULL;
    if (!any)
        return FACET_OK;
    uint32_t count = facet_mesh_material_uses(m->mesh, kind).count;
    uint32_t *values = facet_arena_allocate(m->scene->arena, count, sizeof *values);
    if (!values)
        return facet_fail_arena(m->scene->arena, error);
    *merged = values;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        facet_material_uses from = facet_mesh_material_uses(m->scene->meshes[i], kind);
        for (uint32_t k = 0; k < from.count; k++)
            *values++ = facet_material_of(from, k);
    }
    return FACET_OK;
}

static facet_status merge_offsets(const merger *m, facet_error *error)
{
    bool triangles = true;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++)
        triangles &= m->scene->meshes[i]->face_offsets == NULL;
    if (triangles)
        return FACET_OK;
    size_t count = (size_t)m->mesh->face_count + 1;
    uint32_t *offsets = facet_arena_allocate(m->scene->arena, count, sizeof *offsets);
    if (!offsets)
        return facet_fail_arena(m->scene->arena, error);
    uint32_t face = 0, corner = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        for (uint32_t f = 0; f < mesh->face_count; f++)
            offsets[face++] = corner + facet_face_begin(mesh, f);
        corner += mesh->corner_count;
    }
    offsets[face] = corner;
    m->mesh->face_offsets = offsets;
    return FACET_OK;
}

/* -- Parts and lines ---------------------------------------------------- */

static facet_status merge_parts(const merger *m, facet_error *error)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        uint32_t parts = m->scene->meshes[i]->part_count;
        count += parts ? parts : 1;
    }
    facet_part *parts = facet_arena_allocate(m->scene->arena, count, sizeof *parts);
    if (!parts)
        return facet_fail_arena(m->scene->arena, error);
    uint32_t used = 0, face = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        for (uint32_t p = 0; p < mesh->part_count; p++) {
            parts[used] = mesh->parts[p];
            parts[used++].first_face += face;
        }
        if (mesh->part_count == 0) {
            facet_part whole = {mesh->name, "", face, mesh->face_count};
            parts[used++] = whole;
        }
        face += mesh->face_count;
    }
    m->mesh->parts = parts;
    m->mesh->part_count = used;
    return FACET_OK;
}

/* Merge the lines (2 ends each) or points (1) of all meshes. */
static facet_status merge_ends(const merger *m, int kind, facet_error *error)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++)
        count += facet_mesh_ends(m->scene->meshes[i], kind).count;
    if (count == 0)
        return FACET_OK;
    if (count > UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the merged mesh would have more than 2^32 - 1 ends of lines, or points");
    uint32_t *ends = facet_arena_allocate(m->scene->arena, (size_t)count, sizeof *ends);
    if (!ends)
        return facet_fail_arena(m->scene->arena, error);
    uint32_t first = 0, *out = ends;
    for (uint32_t i = 0; i < m->scene->mesh_count; i++) {
        const facet_mesh *mesh = m->scene->meshes[i];
        facet_ends of = facet_mesh_ends(mesh, kind);
        for (size_t end = 0; end < of.count; end++)
            *out++ = of.indices[end] + first;
        first += mesh->stream_count ? mesh->streams[0].count : 0;
    }
    if (kind == 0) {
        m->mesh->lines = ends;
        m->mesh->line_count = (uint32_t)(count / 2);
    } else {
        m->mesh->points = ends;
        m->mesh->point_count = (uint32_t)count;
    }
    return FACET_OK;
}

/* -- Meshes ------------------------------------------------------------- */

static bool are_uniform(const facet_scene *scene)
{
    const facet_mesh *first = scene->meshes[0];
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        if (!facet_mesh_is_indexed(mesh) || mesh->stream_count != first->stream_count)
            return false;
        for (uint32_t s = 0; s < first->stream_count; s++) {
            if (!same_kind(mesh, &first->streams[s]))
                return false;
        }
    }
    return true;
}

static facet_status merge(merger *m, facet_report *report, facet_error *error)
{
    TRY(merge_offsets(m, error));
    TRY(merge_smoothing(m, error));
    TRY(merge_parts(m, error));
    TRY(merge_ends(m, 0, error));
    TRY(merge_ends(m, 1, error));
    TRY(merge_materials(m, 0, &m->mesh->face_materials, error));
    TRY(merge_materials(m, 1, &m->mesh->line_materials, error));
    TRY(merge_materials(m, 2, &m->mesh->point_materials, error));
    return merge_streams(m, report, error);
}

/* Report data of several meshes that one mesh cannot store. */
static void report_texts(const facet_scene *scene, facet_report *report)
{
    facet_tally extras = {0}, extensions = {0}, billboards = {0};
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (facet_has_extras(scene->meshes[i]->extras, scene->meshes[i]->gx_file))
            facet_tally_hit(&extras, i);
        if (scene->meshes[i]->extensions)
            facet_tally_hit(&extensions, i);
        if (scene->meshes[i]->billboard != FACET_BILLBOARD_NONE)
            facet_tally_hit(&billboards, i);
    }
    facet_report_add_tally(
        report, "LOSS-BILLBOARDS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &billboards,
        "mesh %" PRIu64 " no longer turns to the camera as meshes become one", billboards.first);
    facet_report_add_tally(report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &extras,
                           "extras of mesh %" PRIu64 " are dropped as meshes become one",
                           extras.first);
    facet_report_add_tally(
        report, "LOSS-ASSET", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &extensions,
        "extensions of mesh %" PRIu64 " are dropped as meshes become one", extensions.first);
}

facet_status facet_scene_merge(facet_scene *scene, const facet_options *options, facet_error *error)
{
    if (scene->mesh_count < 2)
        return FACET_OK;
    uint64_t faces = 0, corners = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        faces += scene->meshes[i]->face_count;
        corners += scene->meshes[i]->corner_count;
    }
    if (corners >= FACET_NONE || faces >= FACET_NONE)
        return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the merged mesh would have more than 2^32 - 2 corners");
    facet_mesh *mesh = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *mesh);
    if (!mesh)
        return facet_fail_arena(scene->arena, error);
    mesh->arena = scene->arena;
    mesh->name = "";
    mesh->face_count = (uint32_t)faces;
    mesh->corner_count = (uint32_t)corners;
    report_texts(scene, options ? options->report : NULL);
    merger m = {scene, mesh, are_uniform(scene)};
    TRY(merge(&m, options ? options->report : NULL, error));
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        while (scene->meshes[i]->stream_count > 0)
            facet_mesh_remove_stream(
                scene->meshes[i], &scene->meshes[i]->streams[scene->meshes[i]->stream_count - 1]);
    }
    scene->meshes[0] = mesh;
    scene->mesh_count = 1;
    return FACET_OK;
}
