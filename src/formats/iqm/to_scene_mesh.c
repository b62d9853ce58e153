/* formats/iqm/to_scene_mesh.c - a mesh of a file to a mesh of a scene: its vertices as streams of
 * one index, its triangles counter-clockwise, its material by name. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/color.h"
#include "base/error.h"
#include "base/table.h"
#include "base/text.h"
#include "formats/iqm/scene.h"
#include "scene/material.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <strings.h>

/* The vertices of a mesh, from `first` to `end` (exclusive). */
typedef struct vertex_range {
    uint32_t first, end;
} vertex_range;

/* Counts over the vertices of all meshes. */
typedef struct vertex_findings {
    facet_tally normals, tangents, hands, sums, zeros;
} vertex_findings;

typedef struct mesh_reader {
    const facet_iqm_scene_reader *r;
    facet_mesh *mesh;
    vertex_range range;
    uint32_t *indices;
    bool skinned; /* blend indexes refer to joints */
    vertex_findings *found;
} mesh_reader;

/* -- Arrays ------------------------------------------------------------- */

static const uint8_t *value_at(const facet_iqm_array *array, uint32_t vertex, uint32_t component)
{
    return (const uint8_t *)array->data +
           ((size_t)vertex * array->size + component) * facet_iqm_component_size(array->format);
}

/* Maximum number of components of an array that becomes a stream. */
#define MAX_COMPONENTS 16

/* Number of vertices that are decoded at once; 1 for larger vectors, of which only the first
 * components are used. */
#define BLOCK 64

/* Load `width` floats per vertex. Missing components are 0; the fourth is 1. */
static void load_floats(const mesh_reader *m, const facet_iqm_array *array, bool normalized,
                        uint32_t width, float *out)
{
    double values[BLOCK * MAX_COMPONENTS];
    uint32_t size = array->size, shared = size < width ? size : width;
    uint32_t block = size <= MAX_COMPONENTS ? BLOCK : 1, count;
    for (uint32_t first = m->range.first; first < m->range.end; first += count) {
        uint32_t left = m->range.end - first;
        count = left < block ? left : block;
        facet_iqm_components(value_at(array, first, 0), array->format, normalized, values,
                             block > 1 ? (size_t)count * size : shared);
        for (uint32_t v = 0; v < count; v++) {
            for (uint32_t k = 0; k < width; k++)
                *out++ = k < shared ? (float)values[v * size + k] : (float)(k == 3);
        }
    }
}

static facet_status add_stream(const mesh_reader *m, facet_semantic semantic, uint32_t set,
                               const char *name, facet_component component, uint32_t components,
                               facet_stream **stream)
{
    TRY(facet_mesh_add_stream(m->mesh, semantic, set, name, component, components,
                              m->range.end - m->range.first, stream, m->r->error));
    (*stream)->indices = m->indices;
    return FACET_OK;
}

/* -- Vectors ------------------------------------------------------------ */

/* Minimum length of a vector with a direction. */
#define MIN_LENGTH 1e-12

/* Normalize vectors of `width` floats. */
static void normalize(const mesh_reader *m, float *values, uint32_t count, uint32_t width,
                      facet_tally *wrong)
{
    for (uint32_t i = 0; i < count; i++, values += width) {
        double length =
            sqrt((double)values[0] * (double)values[0] + (double)values[1] * (double)values[1] +
                 (double)values[2] * (double)values[2]);
        if (!(fabs(length - 1) <= 1e-2))
            facet_tally_hit(wrong, m->range.first + i);
        if (length > MIN_LENGTH && isfinite(length) && fabs(length - 1) > 1e-6) {
            for (int k = 0; k < 3; k++)
                values[k] = (float)((double)values[k] / length);
        }
    }
}

/* In the file, w * cross(normal, tangent) points along -v; in the scene, along +v. */
static void turn_tangents(const mesh_reader *m, float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        float *w = values + (size_t)i * 4 + 3;
        if (*w != 1 && *w != -1)
            facet_tally_hit(&m->found->hands, m->range.first + i);
        *w = *w < 0 ? 1.0F : -1.0F;
    }
}

static facet_status add_vectors(const mesh_reader *m, const facet_iqm_array *array)
{
    bool tangents = array->type == FACET_IQM_TANGENT;
    facet_stream *stream;
    TRY(add_stream(m, tangents ? FACET_TANGENT : FACET_NORMAL, 0, NULL, FACET_FLOAT32,
                   tangents ? 4 : 3, &stream));
    load_floats(m, array, true, stream->components, stream->data);
    normalize(m, stream->data, stream->count, stream->components,
              tangents ? &m->found->tangents : &m->found->normals);
    if (tangents)
        turn_tangents(m, stream->data, stream->count);
    return FACET_OK;
}

static facet_status add_position(const mesh_reader *m, const facet_iqm_array *array)
{
    facet_stream *stream;
    TRY(add_stream(m, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, &stream));
    load_floats(m, array, false, 3, stream->data);
    return FACET_OK;
}

static facet_status add_texcoord(const mesh_reader *m, const facet_iqm_array *array)
{
    facet_stream *stream;
    TRY(add_stream(m, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, array->size > 2 ? 3 : 2, &stream));
    load_floats(m, array, false, stream->components, stream->data);
    return FACET_OK;
}

/* Add colors, converted from sRGB: exporters write what Blender shows. */
static facet_status add_color(const mesh_reader *m, const facet_iqm_array *array)
{
    facet_stream *stream;
    TRY(add_stream(m, FACET_COLOR, 0, NULL, FACET_FLOAT32, array->size > 3 ? 4 : 3, &stream));
    load_floats(m, array, true, stream->components, stream->data);
    facet_srgb_decode_colors(stream->data, stream->count, stream->components);
    return FACET_OK;
}

/* -- Skin --------------------------------------------------------------- */

/* Load one set of four joints and weights. Without weights, a vertex follows its first joint. */
static void load_set(const mesh_reader *m, const facet_iqm_array *indexes,
                     const facet_iqm_array *weights, uint32_t used, uint32_t set, uint16_t *joints,
                     float *out)
{
    double values[MAX_COMPONENTS] = {1}, numbers[MAX_COMPONENTS];
    for (uint32_t v = m->range.first; v < m->range.end; v++, joints += 4, out += 4) {
        double sum = weights ? 0 : 1;
        facet_iqm_components(value_at(indexes, v, 0), indexes->format, false, numbers,
                             indexes->size);
        if (weights)
            facet_iqm_components(value_at(weights, v, 0), weights->format, true, values, used);
        for (uint32_t k = 0; weights && k < used; k++)
            sum += values[k];
        if (set == 0 && sum == 0)
            facet_tally_hit(&m->found->zeros, v);
        else if (set == 0 && !(fabs(sum - 1) <= 1e-3))
            facet_tally_hit(&m->found->sums, v);
        for (uint32_t k = 0; k < 4; k++) {
            uint32_t at = set * 4 + k;
            out[k] = at < used && sum != 0 ? (float)(values[at] / sum) : 0;
            joints[k] = out[k] != 0 ? (uint16_t)numbers[at] : 0;
        }
    }
}

static facet_status add_skin(const mesh_reader *m)
{
    facet_iqm_array indexes, weights;
    if (!facet_iqm_find_array(m->r->layout, FACET_IQM_BLEND_INDEXES, &indexes))
        return FACET_OK;
    bool weighted = facet_iqm_find_array(m->r->layout, FACET_IQM_BLEND_WEIGHTS, &weights);
    uint32_t used = weighted && weights.size < indexes.size ? weights.size : indexes.size;
    for (uint32_t set = 0; set * 4 < used; set++) {
        facet_stream *stream;
        TRY(add_stream(m, FACET_JOINTS, set, NULL, FACET_UINT16, 4, &stream));
        uint16_t *joints = stream->data;
        TRY(add_stream(m, FACET_WEIGHTS, set, NULL, FACET_FLOAT32, 4, &stream));
        load_set(m, &indexes, weighted ? &weights : NULL, used, set, joints, stream->data);
    }
    return FACET_OK;
}

/* -- Custom arrays ------------------------------------------------------ */

static facet_status add_custom(const mesh_reader *m, const facet_iqm_array *array)
{
    static const facet_component components[] = {FACET_INT8,    FACET_UINT8,   FACET_INT16,
                                                 FACET_UINT16,  FACET_INT32,   FACET_UINT32,
                                                 FACET_FLOAT32, FACET_FLOAT32, FACET_FLOAT64};
    facet_stream *stream;
    const char *name;
    TRY(facet_iqm_add_name(m->r, array->type - FACET_IQM_CUSTOM, &name));
    TRY(add_stream(m, FACET_CUSTOM, 0, name, components[array->format], array->size, &stream));
    if (array->format == FACET_IQM_FLOAT16) {
        load_floats(m, array, false, array->size, stream->data);
        return FACET_OK;
    }
    size_t size = facet_iqm_component_size(array->format);
    size_t bytes = size * array->size * stream->count;
    const uint8_t *from = value_at(array, m->range.first, 0);
    uint8_t *to = stream->data;
    for (size_t i = 0; i < bytes; i++)
        to[i] = FACET_HOST_IS_BIG_ENDIAN ? from[i - i % size + size - 1 - i % size] : from[i];
    return FACET_OK;
}

/* -- One mesh ----------------------------------------------------------- */

/* True for an array that becomes a stream. */
static bool is_used(const facet_iqm_scene_reader *r, uint32_t index, const facet_iqm_array *array)
{
    facet_iqm_array first;
    if (array->size > MAX_COMPONENTS)
        return false;
    if (array->type >= FACET_IQM_CUSTOM)
        return true;
    if (array->type > FACET_IQM_COLOR || !facet_iqm_find_array(r->layout, array->type, &first))
        return false;
    /* Only the first array of each type is used. */
    for (uint32_t i = 0; i < index; i++) {
        facet_iqm_load_array(r->layout, i, &first);
        if (first.type == array->type)
            return false;
    }
    bool blend = array->type == FACET_IQM_BLEND_INDEXES || array->type == FACET_IQM_BLEND_WEIGHTS;
    return !blend || r->layout->count[FACET_IQM_JOINTS] > 0;
}

static facet_status add_array(const mesh_reader *m, const facet_iqm_array *array)
{
    switch (array->type) {
    case FACET_IQM_POSITION:
        return FACET_OK; /* already the first stream */
    case FACET_IQM_TEXCOORD:
        return add_texcoord(m, array);
    case FACET_IQM_NORMAL:
    case FACET_IQM_TANGENT:
        return add_vectors(m, array);
    case FACET_IQM_BLEND_INDEXES:
        return add_skin(m);
    case FACET_IQM_BLEND_WEIGHTS:
        return FACET_OK; /* read with the indexes */
    case FACET_IQM_COLOR:
        return add_color(m, array);
    default:
        return add_custom(m, array);
    }
}

static facet_status add_streams(const mesh_reader *m, const bool *used)
{
    facet_iqm_array array;
    const facet_iqm_layout *layout = m->r->layout;
    if (!facet_iqm_find_array(layout, FACET_IQM_POSITION, &array))
        return facet_fail(m->r->error, FACET_ERROR_MALFORMED, "IQM-POSITION-MISSING",
                          facet_iqm_section_infos[FACET_IQM_ARRAYS].count_at,
                          "the file has meshes, but no array of positions");
    TRY(add_position(m, &array));
    for (uint32_t i = 0; i < layout->count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_load_array(layout, i, &array);
        if (used[i])
            TRY(add_array(m, &array));
    }
    return FACET_OK;
}

/* Load triangles, which are clockwise in the file. The first corner stays first. */
static void load_triangles(const mesh_reader *m, const facet_iqm_mesh *mesh)
{
    static const int corners[3] = {0, 2, 1};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint8_t *record =
            facet_iqm_record(m->r->layout, FACET_IQM_TRIANGLES, mesh->first_triangle + t);
        for (int k = 0; k < 3; k++)
            m->indices[(size_t)t * 3 + k] =
                facet_load_u32le(record + 4 * corners[k]) - m->range.first;
    }
}

static facet_status add_mesh(mesh_reader *m, const facet_iqm_mesh *mesh, uint32_t material,
                             const bool *used)
{
    facet_scene *scene = m->r->scene;
    if (mesh->triangle_count > UINT32_MAX / 3)
        return facet_fail(m->r->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "%" PRIu32 " triangles have more corners than a mesh can count",
                          mesh->triangle_count);
    TRY(facet_scene_add_mesh(scene, &m->mesh, m->r->error));
    TRY(facet_iqm_add_name(m->r, mesh->name, &m->mesh->name));
    m->mesh->face_count = mesh->triangle_count;
    m->mesh->corner_count = mesh->triangle_count * 3;
    m->indices = facet_scene_allocate(scene, m->mesh->corner_count, sizeof *m->indices);
    if (!m->indices)
        return facet_fail_arena(scene->arena, m->r->error);
    load_triangles(m, mesh);
    if (material != FACET_NONE) {
        uint32_t *faces = facet_scene_allocate(scene, mesh->triangle_count, sizeof *faces);
        if (!faces)
            return facet_fail_arena(scene->arena, m->r->error);
        for (uint32_t t = 0; t < mesh->triangle_count; t++)
            faces[t] = material;
        m->mesh->face_materials = faces;
    }
    return add_streams(m, used);
}

/* -- Materials ---------------------------------------------------------- */

/* True if the name is that of an image file, which is the texture. The specification has "a name of
 * a non-unique material or texture". */
static bool is_image_name(const char *name)
{
    static const char *const extensions[] = {".png", ".jpg", ".jpeg", ".tga",
                                             ".bmp", ".dds", ".webp", ".pcx"};
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < sizeof extensions / sizeof *extensions; i++) {
        if (strcasecmp(dot, extensions[i]) == 0)
            return true;
    }
    return false;
}

static int compare_materials(const void *user, uint32_t a, uint32_t b)
{
    const char *const *names = user;
    return strcmp(names[a], names[b]);
}

/* Find the material of each mesh: none for an empty name, the same for equal names. */
static facet_status find_materials(const facet_iqm_scene_reader *r, uint32_t *materials)
{
    uint32_t count = r->layout->count[FACET_IQM_MESHES];
    const char **names = facet_arena_allocate(r->scratch, count, sizeof *names);
    facet_table table = facet_table_make(r->scratch);
    facet_status status = names ? FACET_OK : facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < count && !status; i++) {
        facet_iqm_mesh mesh;
        facet_material *made;
        facet_iqm_load_mesh(r->layout, i, &mesh);
        names[i] = facet_iqm_name(r->layout, mesh.material);
        uint32_t first = facet_table_put(&table, facet_hash_bytes(names[i], strlen(names[i])), i,
                                         compare_materials, names);
        materials[i] = first < i ? materials[first] : FACET_NONE;
        if (first == FACET_NONE)
            status = facet_fail_arena(r->scratch, r->error);
        if (first != i || !*names[i])
            continue;
        const char *name;
        facet_texture *color;
        status = facet_iqm_add_name(r, mesh.material, &name);
        if (!status)
            status = facet_scene_add_named_material(r->scene, name, &made, r->error);
        materials[i] = r->scene->material_count - 1;
        if (!status && is_image_name(name)) {
            status = facet_scene_add_map(r->scene, made, FACET_MAP_DIFFUSE, &color, r->error);
            if (!status)
                color->path = name;
        }
    }
    facet_table_free(&table);
    return status;
}

/* -- All meshes --------------------------------------------------------- */

/* The range of vertices that a mesh's triangles use; with `stated`, also those of its record. */
static vertex_range find_range(const facet_iqm_scene_reader *r, const facet_iqm_mesh *mesh,
                               bool stated)
{
    vertex_range range = {UINT32_MAX, 0};
    if (stated && mesh->vertex_count > 0)
        range = (vertex_range){mesh->first_vertex, mesh->first_vertex + mesh->vertex_count};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint8_t *record =
            facet_iqm_record(r->layout, FACET_IQM_TRIANGLES, mesh->first_triangle + t);
        for (int k = 0; k < 3; k++) {
            uint32_t vertex = facet_load_u32le(record + 4 * k);
            range.first = vertex < range.first ? vertex : range.first;
            range.end = vertex >= range.end ? vertex + 1 : range.end;
        }
    }
    return range.first < range.end ? range : (vertex_range){0, 0};
}

/* Limit of copies of shared vertices and triangles. */
#define MAX_SHARES 4

static facet_status find_ranges(const facet_iqm_scene_reader *r, vertex_range *ranges)
{
    uint32_t count = r->layout->count[FACET_IQM_MESHES];
    uint64_t triangles = 0, vertices = 0;
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(r->layout, i, &mesh);
        triangles += mesh.triangle_count;
    }
    bool shared = triangles > (uint64_t)r->layout->count[FACET_IQM_TRIANGLES] * MAX_SHARES;
    /* Some exporters give every mesh all vertices. Then each mesh gets only those that it uses. */
    for (int stated = 1; stated >= 0 && !shared; stated--) {
        vertices = 0;
        for (uint32_t i = 0; i < count; i++) {
            facet_iqm_mesh mesh;
            facet_iqm_load_mesh(r->layout, i, &mesh);
            ranges[i] = find_range(r, &mesh, stated);
            vertices += ranges[i].end - ranges[i].first;
        }
        if (vertices <= r->layout->vertex_count)
            return FACET_OK;
    }
    if (shared || vertices > (uint64_t)r->layout->vertex_count * MAX_SHARES)
        return facet_fail(
            r->error, FACET_ERROR_LIMIT, "IQM-MESH-SHARED", r->layout->offset[FACET_IQM_MESHES],
            "meshes share the %" PRIu32 " vertices and %" PRIu32 " triangles more than %d times",
            r->layout->vertex_count, r->layout->count[FACET_IQM_TRIANGLES], MAX_SHARES);
    return FACET_OK;
}

/* Report elements without a mesh, which are lost. Exact if meshes do not overlap. */
static void report_unused(const facet_iqm_scene_reader *r, const vertex_range *ranges)
{
    const facet_iqm_layout *layout = r->layout;
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < layout->count[FACET_IQM_MESHES]; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(layout, i, &mesh);
        vertices += ranges[i].end - ranges[i].first;
        triangles += mesh.triangle_count;
    }
    if (vertices < layout->vertex_count)
        facet_report_add(
            r->report, "LOSS-MESHES", FACET_SEVERITY_WARNING, layout->offset[FACET_IQM_ARRAYS],
            "%" PRIu64 " %s in no mesh, left out", layout->vertex_count - vertices,
            facet_plural(layout->vertex_count - vertices, "vertex is", "vertices are"));
    if (triangles < layout->count[FACET_IQM_TRIANGLES])
        facet_report_add(
            r->report, "IQM-MESH-COVERAGE", FACET_SEVERITY_WARNING,
            layout->offset[FACET_IQM_TRIANGLES], "%" PRIu64 " triangle%s in no mesh, left out",
            layout->count[FACET_IQM_TRIANGLES] - triangles,
            facet_plural(layout->count[FACET_IQM_TRIANGLES] - triangles, " is", "s are"));
}

/* Choose the arrays that become streams; report the others. */
static facet_status choose_arrays(const facet_iqm_scene_reader *r, bool **used)
{
    uint32_t count = r->layout->count[FACET_IQM_ARRAYS];
    uint64_t streams = 0;
    uint64_t blends = 0, size = 0;
    *used = facet_arena_allocate_zeroed(r->scratch, count, sizeof **used);
    if (!*used)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_array array;
        facet_iqm_load_array(r->layout, i, &array);
        /* Consider only the first arrays, so that many records stay linear. */
        (*used)[i] = (i < 256 || array.type >= FACET_IQM_CUSTOM) && is_used(r, i, &array);
        streams += (*used)[i] ? r->layout->count[FACET_IQM_MESHES] : 0;
        size +=
            (uint64_t)array.size * facet_iqm_component_size(array.format) * r->layout->vertex_count;
        if (size > r->layout->size && (*used)[i])
            return facet_fail(r->error, FACET_ERROR_LIMIT, "IQM-OVERLAP",
                              facet_iqm_record_offset(r->layout, FACET_IQM_ARRAYS, i),
                              "vertex arrays share bytes so often that they exceed the file's "
                              "%" PRIu64 " bytes",
                              (uint64_t)r->layout->size);
        bool blend = array.type == FACET_IQM_BLEND_INDEXES || array.type == FACET_IQM_BLEND_WEIGHTS;
        if (!(*used)[i] && !(blend && blends++))
            facet_report_add(r->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING,
                             facet_iqm_record_offset(r->layout, FACET_IQM_ARRAYS, i),
                             "vertex array %" PRIu32 " of type %" PRIu32 " and %" PRIu32
                             " components is left out",
                             i, array.type, array.size);
    }
    /* A mesh without vertices has streams also. */
    if (streams > r->layout->size)
        return facet_fail(
            r->error, FACET_ERROR_LIMIT, "IQM-MESH-SHARED", r->layout->offset[FACET_IQM_MESHES],
            "%" PRIu32 " meshes with %" PRIu32 " vertex arrays exceed the file's %" PRIu64 " bytes",
            r->layout->count[FACET_IQM_MESHES], count, (uint64_t)r->layout->size);
    return FACET_OK;
}

static void report_findings(const facet_iqm_scene_reader *r, const vertex_findings *f)
{
    uint64_t at = r->layout->offset[FACET_IQM_ARRAYS];
    facet_report_add_tally(r->report, "IQM-NORMAL-LENGTH", FACET_SEVERITY_WARNING, at, &f->normals,
                           "the normal of vertex %" PRIu64 " does not have length 1",
                           f->normals.first);
    facet_report_add_tally(r->report, "IQM-TANGENT-LENGTH", FACET_SEVERITY_WARNING, at,
                           &f->tangents, "the tangent of vertex %" PRIu64 " does not have length 1",
                           f->tangents.first);
    facet_report_add_tally(r->report, "IQM-TANGENT-HAND", FACET_SEVERITY_WARNING, at, &f->hands,
                           "w of the tangent of vertex %" PRIu64 " is not 1 or -1", f->hands.first);
    facet_report_add_tally(r->report, "IQM-WEIGHT-REPAIRED", FACET_SEVERITY_WARNING, at, &f->sums,
                           "the weights of vertex %" PRIu64
                           " did not have the sum 1, and are normalized",
                           f->sums.first);
    facet_report_add_tally(r->report, "IQM-WEIGHT-ZERO", FACET_SEVERITY_WARNING, at, &f->zeros,
                           "the weights of vertex %" PRIu64 " are all 0: it follows no joint",
                           f->zeros.first);
}

facet_status facet_iqm_add_meshes(facet_iqm_scene_reader *r)
{
    uint32_t count = r->layout->count[FACET_IQM_MESHES];
    vertex_findings found = {{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    vertex_range *ranges = facet_arena_allocate(r->scratch, count, sizeof *ranges);
    uint32_t *materials = facet_arena_allocate(r->scratch, count, sizeof *materials);
    bool *used;
    if (!ranges || !materials)
        return facet_fail_arena(r->scratch, r->error);
    TRY(find_ranges(r, ranges));
    TRY(find_materials(r, materials));
    report_unused(r, ranges);
    if (count > 0)
        TRY(choose_arrays(r, &used));
    for (uint32_t i = 0; i < count; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(r->layout, i, &mesh);
        mesh_reader m = {.r = r, .range = ranges[i], .found = &found};
        TRY(facet_step(r->options, "read meshes", (double)i / count, r->error));
        TRY(add_mesh(&m, &mesh, materials[i], used));
        if (r->joint_count == 0)
            continue;
        facet_node *node;
        TRY(facet_scene_add_node(r->scene, m.mesh->name, &node, r->error));
        node->mesh = i;
        node->skin = facet_mesh_find(m.mesh, FACET_JOINTS, 0) ? 0 : FACET_NONE;
    }
    report_findings(r, &found);
    return FACET_OK;
}
