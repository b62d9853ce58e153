/* formats/assimp/file/fbx_smooth.c - normals of a geometry of an FBX that has smoothing groups of
 * faces, or hard edges, instead. assimp does not read these. */
#include "base/report.h"
#include "formats/assimp/file/fbx_edits.h"
#include "mesh/smoothing.h"

#include <facet/scene.h>
#include <math.h>
#include <string.h>

/* The smoothing of a geometry. */
typedef struct smoothing_reader {
    facet_fbx_edits *edits;
    facet_scene *scene; /* for the meshes; NULL: not created yet */
    const facet_options *options;
    facet_error *error;
    facet_tally damaged;
} smoothing_reader;

typedef struct geometry {
    facet_fbx_record layer, corners, vertices, values, edges;
    bool by_edge;
} geometry;

static bool has_text(const facet_fbx *fbx, facet_fbx_span list, const char *name, const char *text)
{
    facet_fbx_record record;
    facet_fbx_value value;
    return facet_fbx_find(fbx, list, name, &record) &&
           facet_fbx_next_value(fbx, &record.values, &value) && facet_fbx_is(value.text, text);
}

/* True if a geometry has smoothing, but no normals. */
static bool find_records(const facet_fbx *fbx, const facet_fbx_object *o, geometry *g)
{
    facet_fbx_record normals;
    if (facet_fbx_find(fbx, o->list, "LayerElementNormal", &normals) ||
        !facet_fbx_find(fbx, o->list, "LayerElementSmoothing", &g->layer) ||
        !facet_fbx_find(fbx, g->layer.list, "Smoothing", &g->values) ||
        !facet_fbx_find(fbx, o->list, "PolygonVertexIndex", &g->corners) ||
        !facet_fbx_find(fbx, o->list, "Vertices", &g->vertices))
        return false;
    g->by_edge = has_text(fbx, g->layer.list, "MappingInformationType", "ByEdge");
    if (g->by_edge)
        return facet_fbx_find(fbx, o->list, "Edges", &g->edges);
    return has_text(fbx, g->layer.list, "MappingInformationType", "ByPolygon");
}

/* -- Meshes ------------------------------------------------------------- */

/* Fill the faces of a mesh. False if the corners are damaged. */
static bool fill_faces(facet_mesh *mesh, uint32_t *indices, const double *corners,
                       double vertex_count)
{
    uint32_t face = 0;
    mesh->face_offsets[0] = 0;
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        double vertex = corners[i] < 0 ? -1 - corners[i] : corners[i];
        if (!(vertex < vertex_count))
            return false;
        indices[i] = (uint32_t)vertex;
        if (corners[i] < 0)
            mesh->face_offsets[++face] = i + 1;
    }
    return mesh->corner_count > 0 && corners[mesh->corner_count - 1] < 0;
}

/* Create a mesh of positions and faces. *mesh is NULL if the geometry is damaged. */
static facet_status make_mesh(smoothing_reader *r, const geometry *g, facet_mesh **mesh)
{
    const facet_fbx *fbx = r->edits->fbx;
    double *corners, *positions;
    size_t corner_count, number_count;
    facet_mesh *made = NULL;
    facet_stream *stream;
    *mesh = NULL;
    if (!facet_fbx_numbers(fbx, &g->corners, &corners, &corner_count) ||
        !facet_fbx_numbers(fbx, &g->vertices, &positions, &number_count))
        return facet_fail_arena(fbx->arena, r->error);
    size_t vertex_count = number_count / 3;
    if (corner_count == 0 || corner_count >= UINT32_MAX || vertex_count >= UINT32_MAX)
        return FACET_OK;
    if (!r->scene)
        TRY(facet_scene_create(r->options, &r->scene, r->error));
    TRY(facet_scene_add_mesh(r->scene, &made, r->error));
    made->corner_count = (uint32_t)corner_count;
    for (size_t i = 0; i < corner_count; i++)
        made->face_count += corners[i] < 0;
    made->face_offsets =
        facet_arena_allocate(made->arena, (size_t)made->face_count + 1, sizeof(uint32_t));
    uint32_t *indices = facet_arena_allocate(made->arena, corner_count, sizeof *indices);
    if (!made->face_offsets || !indices)
        return facet_fail_arena(made->arena, r->error);
    TRY(facet_mesh_add_stream(made, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                              (uint32_t)vertex_count, &stream, r->error));
    stream->indices = indices;
    for (size_t i = 0; i < vertex_count * 3; i++)
        ((float *)stream->data)[i] = (float)positions[i];
    if (fill_faces(made, indices, corners, (double)vertex_count))
        *mesh = made;
    return FACET_OK;
}

/* Read the hard edges, or the groups of the faces. False if they are damaged. */
static bool read_rule(facet_mesh *mesh, const geometry *g, const double *values, size_t count,
                      const double *edges, size_t edge_count, bool *hard)
{
    if (!g->by_edge) {
        for (size_t i = 0; i < mesh->face_count && i < count; i++) {
            double mask = values[i];
            bool fits = mask >= INT32_MIN && mask <= UINT32_MAX;
            mesh->face_smoothing[i] = fits ? (uint32_t)(int64_t)mask : 0;
        }
        return count == mesh->face_count;
    }
    memset(hard, 0, mesh->corner_count * sizeof *hard);
    for (size_t i = 0; i < edge_count && i < count; i++) {
        if (!(edges[i] >= 0 && edges[i] < mesh->corner_count))
            return false;
        hard[(size_t)edges[i]] |= values[i] == 0;
    }
    return count == edge_count;
}

/* Compute the normals of a mesh. *known is false if the smoothing is damaged. */
static facet_status compute(smoothing_reader *r, const geometry *g, facet_mesh *mesh, bool *known)
{
    const facet_fbx *fbx = r->edits->fbx;
    double *values, *edges = NULL;
    size_t count, edge_count = 0;
    bool *hard = NULL;
    if (!facet_fbx_numbers(fbx, &g->values, &values, &count) ||
        (g->by_edge && !facet_fbx_numbers(fbx, &g->edges, &edges, &edge_count)))
        return facet_fail_arena(fbx->arena, r->error);
    if (g->by_edge)
        hard = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *hard);
    else
        mesh->face_smoothing =
            facet_arena_allocate(mesh->arena, mesh->face_count, sizeof *mesh->face_smoothing);
    if (!hard && !mesh->face_smoothing)
        return facet_fail_arena(mesh->arena, r->error);
    *known = read_rule(mesh, g, values, count, edges, edge_count, hard);
    return *known ? facet_mesh_smooth(mesh, hard, r->options, r->error) : FACET_OK;
}

/* -- Records ------------------------------------------------------------ */

/* Name the layer of normals where the geometry names that of the smoothing. */
static bool rename_elements(facet_fbx_edits *edits, facet_fbx_span geometry_list)
{
    const facet_fbx *fbx = edits->fbx;
    facet_fbx_record layer, element, type;
    while (facet_fbx_next(fbx, &geometry_list, &layer)) {
        if (!facet_fbx_is(layer.name, "Layer"))
            continue;
        while (facet_fbx_next(fbx, &layer.list, &element)) {
            size_t size;
            if (!has_text(fbx, element.list, "Type", "LayerElementSmoothing") ||
                !facet_fbx_find(fbx, element.list, "Type", &type))
                continue;
            uint8_t *text = facet_fbx_make_text(fbx, "Type", "LayerElementNormal", &size);
            if (!text || !facet_fbx_replace(edits, &type, text, size))
                return false;
        }
    }
    return true;
}

static bool put_normals(facet_fbx_edits *edits, const facet_fbx_object *o, const geometry *g,
                        const facet_mesh *mesh)
{
    const facet_fbx *fbx = edits->fbx;
    const facet_stream *stream = facet_mesh_find((facet_mesh *)(uintptr_t)mesh, FACET_NORMAL, 0);
    const float(*normals)[3] = (const float(*)[3])stream->data;
    double *all = facet_arena_allocate(fbx->arena, mesh->corner_count, 3 * sizeof *all);
    facet_fbx_value number = {.number = 0};
    facet_fbx_span values = g->layer.values;
    size_t size;
    for (size_t i = 0; all && i < mesh->corner_count; i++) {
        for (size_t k = 0; k < 3; k++)
            all[i * 3 + k] = (double)normals[stream->indices[i]][k];
    }
    facet_fbx_next_value(fbx, &values, &number);
    uint8_t *bytes = all ? facet_fbx_make_normals(fbx, (uint32_t)number.integer, all,
                                                  (size_t)mesh->corner_count * 3, &size)
                         : NULL;
    return bytes && facet_fbx_replace(edits, &g->layer, bytes, size) &&
           rename_elements(edits, o->list);
}

static facet_status smooth(smoothing_reader *r, uint32_t object)
{
    const facet_fbx *fbx = r->edits->fbx;
    const facet_fbx_object *o = &fbx->objects[object];
    geometry g = {.by_edge = false};
    facet_mesh *mesh;
    bool known = false;
    if (!find_records(fbx, o, &g))
        return FACET_OK;
    TRY(make_mesh(r, &g, &mesh));
    if (mesh)
        TRY(compute(r, &g, mesh, &known));
    if (!known)
        facet_tally_hit(&r->damaged, object);
    else if (!put_normals(r->edits, o, &g, mesh))
        return facet_fail_arena(fbx->arena, r->error);
    return FACET_OK;
}

facet_status facet_fbx_smooth_normals(facet_fbx_edits *edits, const facet_options *options,
                                      facet_report *report, facet_error *error)
{
    const facet_fbx *fbx = edits->fbx;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL;
    smoothing_reader r = {.edits = edits, .options = &quiet, .error = error};
    facet_status status = FACET_OK;
    for (uint32_t i = 1; i < fbx->object_count && !status; i++) {
        const facet_fbx_object *o = &fbx->objects[i];
        if (facet_fbx_is(o->kind, "Geometry") && facet_fbx_is(o->type, "Mesh"))
            status = smooth(&r, i);
        if (r.scene)
            facet_scene_free(r.scene);
        r.scene = NULL;
    }
    facet_report_add_tally(report, "LOSS-NORMALS", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &r.damaged,
                           "the smoothing of a mesh does not match its faces or edges, and is "
                           "dropped");
    return status;
}
