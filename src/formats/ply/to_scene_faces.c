/* formats/ply/to_scene_faces.c - faces, triangle strips and edges of the mesh; the values of faces
 * as streams and materials. */
#include "base/arena.h"
#include "base/color.h"
#include "formats/ply/to_scene.h"
#include "formats/ply/to_scene_names.h"
#include "mesh/values.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static facet_status no_memory(const facet_ply_making *m)
{
    return facet_fail_arenas(m->scratch, m->scene->arena, m->error);
}

/* Fail: a record uses a vertex that does not exist. */
static facet_status bad_index(const facet_ply_making *m, const facet_ply_element *element,
                              uint32_t record, uint32_t index)
{
    uint64_t offset, line;
    char shown[24] = "negative or too large";
    facet_ply_locate(m->ply, element, record, &offset, &line);
    if (index != UINT32_MAX)
        snprintf(shown, sizeof shown, "%" PRIu32, index);
    facet_status status =
        facet_fail(m->error, FACET_ERROR_MALFORMED, "PLY-INDEX", offset,
                   "record %" PRIu32 " of element '%s' names vertex %s, but the file has %" PRIu32,
                   record, element->name, shown, m->vertices->count);
    if (m->error)
        m->error->line = line;
    return status;
}

/* -- Counting ----------------------------------------------------------- */

typedef struct amount {
    uint64_t faces, corners;
    facet_tally small; /* number of faces with fewer than three corners */
} amount;

static void count_faces(const facet_ply_element *faces, const facet_ply_property *list, amount *a)
{
    for (uint32_t i = 0; i < faces->count; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        if (length < 3) {
            facet_tally_hit(&a->small, i);
            continue;
        }
        a->faces++;
        a->corners += length;
    }
}

/* Maximum number of triangles: a strip of n vertices has at most n - 2. */
static uint64_t count_strips(const facet_ply_element *strips, const facet_ply_property *list)
{
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < strips->count; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        triangles += length > 2 ? length - 2 : 0;
    }
    return triangles;
}

/* -- Faces -------------------------------------------------------------- */

static facet_status check_corners(const facet_ply_making *m, const facet_ply_property *list)
{
    /* If all lists have the same length, the corners are in the order of the file. */
    uint32_t largest = 0;
    for (uint32_t i = 0; i < m->mesh->corner_count; i++)
        largest = m->corners[i] > largest ? m->corners[i] : largest;
    if (m->mesh->corner_count == 0 || largest < m->vertices->count)
        return FACET_OK;
    uint32_t i = 0;
    while (m->corners[i] < m->vertices->count)
        i++;
    return bad_index(m, m->faces, i / list->length, m->corners[i]);
}

static facet_status add_polygons(facet_ply_making *m, const facet_ply_property *list)
{
    facet_mesh *mesh = m->mesh;
    for (uint32_t i = 0; i < m->faces->count; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        if (length < 3)
            continue;
        uint32_t *corners = m->corners + mesh->corner_count;
        facet_ply_read_values(list, facet_ply_list_first(list, i), length, FACET_PLY_UINT32,
                              corners);
        for (uint32_t k = 0; k < length; k++) {
            if (corners[k] >= m->vertices->count)
                return bad_index(m, m->faces, i, corners[k]);
        }
        if (m->face_records)
            m->face_records[mesh->face_count] = i;
        mesh->corner_count += length;
        mesh->face_count++;
        if (mesh->face_offsets)
            mesh->face_offsets[mesh->face_count] = mesh->corner_count;
    }
    return FACET_OK;
}

static facet_status add_faces(facet_ply_making *m, const facet_ply_property *list)
{
    facet_mesh *mesh = m->mesh;
    if (list->offsets || list->length < 3)
        return add_polygons(m, list);
    mesh->face_count = m->faces->count;
    mesh->corner_count = m->faces->count * list->length;
    facet_ply_read_values(list, 0, mesh->corner_count, FACET_PLY_UINT32, m->corners);
    for (uint32_t i = 0; mesh->face_offsets && i <= mesh->face_count; i++)
        mesh->face_offsets[i] = i * list->length;
    for (uint32_t i = 0; m->face_records && i < mesh->face_count; i++)
        m->face_records[i] = i;
    return check_corners(m, list);
}

/* -- Strips ------------------------------------------------------------- */

/* Add the triangles of a strip. Each vertex from the third on forms a triangle with the two before
 * it; every second one has the opposite winding. -1 begins a new strip. Degenerate triangles, which
 * join strips, are dropped. */
static facet_status add_strip(facet_ply_making *m, const uint32_t *vertices, uint32_t length,
                              uint32_t record)
{
    facet_mesh *mesh = m->mesh;
    for (uint32_t i = 0, start = 0; i < length; i++) {
        if (vertices[i] == UINT32_MAX) {
            start = i + 1;
            continue;
        }
        if (vertices[i] >= m->vertices->count)
            return bad_index(m, m->strips, record, vertices[i]);
        uint32_t a = i >= start + 2 ? vertices[i - 2] : 0, b = i >= start + 2 ? vertices[i - 1] : 0;
        uint32_t c = vertices[i];
        if (i < start + 2 || a == b || b == c || a == c)
            continue;
        bool odd = (i - start) % 2 == 1;
        uint32_t *corners = m->corners + mesh->corner_count;
        corners[0] = odd ? b : a;
        corners[1] = odd ? a : b;
        corners[2] = c;
        if (m->face_records)
            m->face_records[mesh->face_count] = FACET_NONE;
        mesh->corner_count += 3;
        mesh->face_count++;
        if (mesh->face_offsets)
            mesh->face_offsets[mesh->face_count] = mesh->corner_count;
    }
    return FACET_OK;
}

static facet_status add_strips(facet_ply_making *m, const facet_ply_property *list)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < m->strips->count && !status; i++) {
        uint32_t length = facet_ply_list_length(list, i);
        uint32_t *vertices = facet_arena_allocate(m->scratch, length, sizeof *vertices);
        if (!vertices)
            return no_memory(m);
        facet_ply_read_values(list, facet_ply_list_first(list, i), length, FACET_PLY_UINT32,
                              vertices);
        status = add_strip(m, vertices, length, i);
        facet_arena_release(m->scratch, vertices, length, sizeof *vertices);
    }
    return status;
}

/* -- Edges -------------------------------------------------------------- */

static facet_status add_lines(facet_ply_making *m)
{
    const facet_ply_element *edges = facet_ply_find_element(m->ply, "edge");
    const facet_ply_property *ends[2] = {edges ? facet_ply_find(edges, "vertex1") : NULL,
                                         edges ? facet_ply_find(edges, "vertex2") : NULL};
    if (!ends[0] || !ends[1] || ends[0]->is_list || ends[1]->is_list || edges->count == 0)
        return FACET_OK;
    uint32_t *lines = facet_arena_allocate(m->scene->arena, edges->count, 2 * sizeof *lines);
    if (!lines)
        return no_memory(m);
    for (uint32_t i = 0; i < edges->count; i++) {
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t *vertex = &lines[(size_t)i * 2 + k];
            facet_ply_read_values(ends[k], i, 1, FACET_PLY_UINT32, vertex);
            if (*vertex >= m->vertices->count)
                return bad_index(m, edges, i, *vertex);
        }
    }
    m->mesh->lines = lines;
    m->mesh->line_count = edges->count;
    return FACET_OK;
}

/* -- The mesh ----------------------------------------------------------- */

/* `skips`: some records are not faces, so face and record numbers differ. */
static facet_status allocate_corners(facet_ply_making *m, const amount *a, bool polygons,
                                     bool skips)
{
    if (a->corners >= FACET_NONE || a->faces >= FACET_NONE)
        return facet_fail(m->error, FACET_ERROR_LIMIT, "PLY-LIMIT", FACET_NO_OFFSET,
                          "the faces have more corners than 32 bits can count");
    m->corners = facet_arena_allocate(m->scene->arena, (size_t)a->corners, sizeof *m->corners);
    if (!m->corners)
        return no_memory(m);
    if (m->face_values && skips) {
        m->face_records =
            facet_arena_allocate(m->scratch, (size_t)a->faces, sizeof *m->face_records);
        if (!m->face_records)
            return no_memory(m);
    }
    if (!polygons)
        return FACET_OK;
    m->mesh->face_offsets =
        facet_arena_allocate(m->scene->arena, (size_t)a->faces + 1, sizeof(uint32_t));
    if (!m->mesh->face_offsets)
        return no_memory(m);
    m->mesh->face_offsets[0] = 0;
    return FACET_OK;
}

/* Release the space of dropped faces. */
static facet_status trim(facet_ply_making *m, const amount *a)
{
    facet_mesh *mesh = m->mesh;
    facet_arena *arena = m->scene->arena;
    if (mesh->corner_count == a->corners && mesh->face_count == a->faces)
        return FACET_OK;
    uint32_t *corners = facet_arena_resize(arena, m->corners, (size_t)a->corners,
                                           mesh->corner_count, sizeof *corners);
    if (!corners)
        return no_memory(m);
    m->corners = corners;
    if (!mesh->face_offsets)
        return FACET_OK;
    uint32_t *offsets = facet_arena_resize(arena, mesh->face_offsets, (size_t)a->faces + 1,
                                           (size_t)mesh->face_count + 1, sizeof *offsets);
    if (!offsets)
        return no_memory(m);
    mesh->face_offsets = offsets;
    return FACET_OK;
}

facet_status facet_ply_faces_to_scene(facet_ply_making *m)
{
    const facet_ply_property *faces = m->faces ? facet_ply_find_indices(m->faces) : NULL;
    const facet_ply_property *strips = m->strips ? facet_ply_find_indices(m->strips) : NULL;
    amount a = {0};
    if (faces)
        count_faces(m->faces, faces, &a);
    bool polygons = a.corners != a.faces * 3;
    uint64_t triangles = strips ? count_strips(m->strips, strips) : 0;
    a.faces += triangles;
    a.corners += triangles * 3;
    facet_status status = allocate_corners(m, &a, polygons, triangles > 0 || a.small.count > 0);
    if (!status && faces)
        status = add_faces(m, faces);
    if (!status && strips)
        status = add_strips(m, strips);
    if (!status)
        status = trim(m, &a);
    if (!status)
        status = add_lines(m);
    facet_report_add_tally(
        m->report, "PLY-FACE-SMALL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &a.small,
        "face %" PRIu64 " has fewer than three corners and is left out", a.small.first);
    return status;
}

/* -- Values of faces ---------------------------------------------------- */

static uint32_t record_of(const facet_ply_making *m, uint32_t face)
{
    return m->face_records ? m->face_records[face] : face;
}

/* Add a stream of `count` elements, where equal values are stored once. elements[i] is the element
 * of corner i, or FACET_NONE. */
static facet_status add_stream(facet_ply_making *m, facet_semantic semantic, uint32_t components,
                               uint32_t count, float *values, uint32_t *elements)
{
    facet_stream *stream = NULL;
    facet_column column = {values, FACET_FLOAT32, components};
    uint32_t *numbers = facet_arena_allocate(m->scratch, count, sizeof *numbers), distinct = 0;
    if (!numbers)
        return no_memory(m);
    TRY(facet_values_number(&column, 1, count, m->scratch, NULL, numbers, &distinct, m->error));
    TRY(facet_mesh_add_stream(m->mesh, semantic, 0, NULL, FACET_FLOAT32, components, distinct,
                              &stream, m->error));
    float *to = stream->data;
    for (uint32_t i = 0, next = 0; i < count; i++) {
        if (numbers[i] == next)
            memcpy(to + (size_t)next++ * components, values + (size_t)i * components,
                   components * sizeof *to);
    }
    for (uint32_t i = 0; i < m->mesh->corner_count; i++)
        elements[i] = elements[i] == FACET_NONE ? FACET_NONE : numbers[elements[i]];
    stream->indices = elements;
    return FACET_OK;
}

/* Add the list "texcoord": u and v of each corner. */
static facet_status add_texcoords(facet_ply_making *m, const facet_ply_property *list)
{
    uint32_t corners = m->mesh->corner_count;
    uint32_t *elements = facet_arena_allocate(m->scene->arena, corners, sizeof *elements);
    float *values = facet_arena_allocate_zeroed(m->scratch, corners, 2 * sizeof *values);
    if (!elements || !values)
        return no_memory(m);
    facet_tally wrong = {0};
    for (uint32_t i = 0, face = 0; face < m->mesh->face_count; face++) {
        uint32_t record = record_of(m, face), end = facet_face_end(m->mesh, face), count = end - i;
        bool whole = record != FACET_NONE && facet_ply_list_length(list, record) / 2 == count &&
                     facet_ply_list_length(list, record) % 2 == 0;
        if (whole)
            facet_ply_read_values(list, facet_ply_list_first(list, record), (uint64_t)count * 2,
                                  FACET_PLY_FLOAT32, values + (size_t)i * 2);
        else if (record != FACET_NONE)
            facet_tally_hit(&wrong, record);
        for (; i < end; i++)
            elements[i] = whole ? i : FACET_NONE;
    }
    facet_report_add_tally(m->report, "PLY-TEXCOORD", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &wrong,
                           "face %" PRIu64 " has not two texture coordinates for each corner, "
                           "they are left out",
                           wrong.first);
    return add_stream(m, FACET_TEXCOORD, 2, corners, values, elements);
}

static facet_status add_colors(facet_ply_making *m)
{
    const facet_ply_property *found[4];
    uint32_t width = 0, count = m->faces->count;
    for (size_t i = 0; i < facet_ply_stream_count && width == 0; i++) {
        if (facet_ply_streams[i].semantic == FACET_COLOR)
            width = facet_ply_match(m->faces, &facet_ply_streams[i], found);
    }
    if (width == 0 || count == 0 || facet_mesh_find(m->mesh, FACET_COLOR, 0)) {
        m->drops_colors = width > 0 && count > 0;
        return FACET_OK;
    }
    uint32_t *elements =
        facet_arena_allocate(m->scene->arena, m->mesh->corner_count, sizeof *elements);
    float *values = facet_arena_allocate(m->scratch, count, width * sizeof *values);
    float *column = facet_arena_allocate(m->scratch, count, sizeof *column);
    if (!elements || !values || !column)
        return no_memory(m);
    for (uint32_t k = 0; k < width; k++) {
        facet_ply_read_values(found[k], 0, count, FACET_PLY_FLOAT32, column);
        for (uint32_t i = 0; i < count; i++)
            values[(size_t)i * width + k] = column[i] / facet_ply_color_unit(found[k]->type);
    }
    facet_ply_scale_colors(found, values, count, width, m->report);
    facet_srgb_decode_colors(values, count, width);
    for (uint32_t i = 0, face = 0; face < m->mesh->face_count; face++) {
        for (; i < facet_face_end(m->mesh, face); i++)
            elements[i] = record_of(m, face);
    }
    return add_stream(m, FACET_COLOR, width, count, values, elements);
}

/* Set materials from "texnumber", or one texture for all. There is already one material per
 * texture. */
static facet_status add_materials(facet_ply_making *m)
{
    const facet_ply_property *number = facet_ply_find(m->faces, "texnumber");
    uint32_t textures = m->scene->material_count, count = m->mesh->face_count;
    if (textures == 0 || (number && number->is_list))
        return FACET_OK;
    uint32_t *materials = facet_arena_allocate(m->scene->arena, count, sizeof *materials);
    if (!materials)
        return no_memory(m);
    if (!number)
        memset(materials, 0, count * sizeof *materials);
    else if (!m->face_records)
        facet_ply_read_values(number, 0, count, FACET_PLY_UINT32, materials);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t record = record_of(m, i);
        if (number && m->face_records && record != FACET_NONE)
            facet_ply_read_values(number, record, 1, FACET_PLY_UINT32, &materials[i]);
        if (record == FACET_NONE || materials[i] >= textures)
            materials[i] = FACET_NONE;
    }
    m->mesh->face_materials = materials;
    return FACET_OK;
}

facet_status facet_ply_face_values_to_scene(facet_ply_making *m)
{
    if (!m->face_values || m->mesh->corner_count == 0)
        return FACET_OK;
    const facet_ply_property *texcoords = facet_ply_find(m->faces, "texcoord");
    facet_status status = FACET_OK;
    m->drops_texcoords = facet_mesh_find(m->mesh, FACET_TEXCOORD, 0) != NULL;
    if (texcoords && texcoords->is_list && !m->drops_texcoords)
        status = add_texcoords(m, texcoords);
    if (!status)
        status = add_colors(m);
    return status ? status : add_materials(m);
}
