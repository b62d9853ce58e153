/* formats/ply/to_scene_clustered.c - a PLY to a scene whose vertices are clustered. Records are
 * read in slices, each into a document that is freed after use. */
#include "formats/ply/to_scene.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "formats/ply/ply.h"
#include "formats/ply/to_scene_names.h"
#include "mesh/cluster/cluster.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* Records of a slice. */
#define SLICE 65536

typedef struct making {
    const facet_ply *ply; /* only the header is read */
    facet_ply_body body;
    facet_options quiet; /* options without report and threads: a slice is too small for several */
    const facet_options *options;
    facet_clusters clusters;
    facet_error *error;
    facet_tally lost;      /* properties that are left out */
    const char *lost_name; /* of the first */
} making;

/* -- Vertices ----------------------------------------------------------- */

static facet_status add_vertices(making *m, facet_ply *slice)
{
    facet_scene *scene = NULL;
    TRY(facet_ply_to_scene(slice, NULL, &m->quiet, &scene, m->error));
    const facet_mesh *mesh = scene->meshes[0];
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    facet_status status = facet_clusters_add_vertices(
        &m->clusters, mesh->streams[0].data, colors ? colors->data : NULL,
        colors ? colors->components : 3, mesh->streams[0].count);
    facet_scene_free(scene);
    return status;
}

/* -- Faces -------------------------------------------------------------- */

/* Add a polygon as a fan of triangles. `record` is its number in the slice, which begins with
 * record `first`. */
static facet_status add_polygon(making *m, const facet_ply *slice, uint32_t record, uint32_t first,
                                const uint32_t *vertices, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (vertices[i] < m->clusters.vertex_count)
            continue;
        uint64_t offset, line;
        facet_ply_locate(slice, slice->elements, record, &offset, &line);
        facet_status status =
            facet_fail(m->error, FACET_ERROR_MALFORMED, "PLY-INDEX", offset,
                       "record %" PRIu32 " of element 'face' names vertex %" PRId32
                       ", but the file has %" PRIu32,
                       first + record, (int32_t)vertices[i], m->clusters.vertex_count);
        if (m->error)
            m->error->line = line;
        return status;
    }
    for (uint32_t i = 2; i < count; i++) {
        const uint32_t corners[3] = {vertices[0], vertices[i - 1], vertices[i]};
        TRY(facet_clusters_add_triangle(&m->clusters, corners, FACET_NONE));
    }
    return FACET_OK;
}

static facet_status add_faces(making *m, const facet_ply *slice, uint32_t first)
{
    const facet_ply_element *faces = &slice->elements[0];
    const facet_ply_property *list = facet_ply_find_indices(faces);
    if (!list)
        return FACET_OK;
    uint64_t count = facet_ply_value_count(list, faces->count);
    if (count > UINT32_MAX)
        return facet_fail(m->error, FACET_ERROR_LIMIT, "PLY-LIMIT", FACET_NO_OFFSET,
                          "%d faces have more corners than 32 bits can count", SLICE);
    uint32_t *vertices = facet_arena_allocate(slice->arena, (size_t)count, sizeof *vertices);
    if (!vertices)
        return facet_fail_arena(slice->arena, m->error);
    facet_ply_read_values(list, 0, count, FACET_PLY_UINT32, vertices);
    for (uint32_t i = 0; i < faces->count; i++)
        TRY(add_polygon(m, slice, i, first, vertices + facet_ply_list_first(list, i),
                        facet_ply_list_length(list, i)));
    return FACET_OK;
}

/* -- Slices ------------------------------------------------------------- */

/* Read `count` records of an element into the only element of `slice`. */
static facet_status read_slice(making *m, const facet_ply_element *element, uint32_t count,
                               facet_ply *slice)
{
    facet_ply_element *part = facet_arena_allocate(slice->arena, 1, sizeof *part);
    facet_ply_property *properties =
        facet_arena_allocate(slice->arena, element->property_count, sizeof *properties);
    if (!part || !properties)
        return facet_fail_arena(slice->arena, m->error);
    *part = *element;
    part->count = count;
    part->properties = properties;
    memcpy(properties, element->properties, element->property_count * sizeof *properties);
    slice->encoding = m->ply->encoding;
    slice->elements = part;
    slice->element_count = 1;
    return m->ply->encoding == FACET_PLY_ASCII ? facet_ply_read_ascii(&m->body, slice, part)
                                               : facet_ply_read_binary(&m->body, slice, part);
}

static facet_status run_slice(making *m, const facet_ply_element *element, uint32_t first,
                              uint32_t count)
{
    facet_ply *slice = NULL;
    const uint8_t *from = m->body.source->data + m->body.position;
    TRY(facet_step(m->options, "read", (double)m->body.position / (double)m->body.source->size,
                   m->error));
    TRY(facet_ply_create(&m->quiet, &slice, m->error));
    facet_status status = read_slice(m, element, count, slice);
    if (!status && strcmp(element->name, "vertex") == 0)
        status = add_vertices(m, slice);
    else if (!status && strcmp(element->name, "face") == 0)
        status = add_faces(m, slice, first);
    facet_ply_free(slice);
    facet_source_forget(m->body.source, from, m->body.source->data + m->body.position);
    return status;
}

/* The number of records that the file can hold at most, to bound memory by the file. */
static uint32_t possible(const making *m, const facet_ply_element *element)
{
    uint64_t left = m->body.source->size - m->body.position;
    return element->count < left ? element->count : (uint32_t)left;
}

static facet_status run_element(making *m, const facet_ply_element *element)
{
    if (element->property_count == 0)
        return FACET_OK;
    if (strcmp(element->name, "vertex") == 0)
        TRY(facet_clusters_reserve(&m->clusters, possible(m, element)));
    for (uint32_t first = 0; first < element->count; first += SLICE)
        TRY(run_slice(m, element, first,
                      element->count - first < SLICE ? element->count - first : SLICE));
    return FACET_OK;
}

/* -- Losses ------------------------------------------------------------- */

static void lose(making *m, const char *name)
{
    if (m->lost.count++ == 0)
        m->lost_name = name;
}

static void count_lost_of_vertices(making *m, const facet_ply_element *element)
{
    for (uint32_t i = 0; i < element->property_count; i++) {
        bool kept = false;
        for (size_t k = 0; k < facet_ply_stream_count; k++) {
            const facet_ply_property *found[4];
            facet_semantic semantic = facet_ply_streams[k].semantic;
            uint32_t width = semantic == FACET_POSITION || semantic == FACET_COLOR
                                 ? facet_ply_match(element, &facet_ply_streams[k], found)
                                 : 0;
            for (uint32_t j = 0; j < width; j++)
                kept |= found[j] == &element->properties[i];
        }
        if (!kept)
            lose(m, element->properties[i].name);
    }
}

static void count_lost(making *m)
{
    for (uint32_t i = 0; i < m->ply->element_count; i++) {
        const facet_ply_element *element = &m->ply->elements[i];
        if (element->count == 0)
            continue;
        if (strcmp(element->name, "vertex") == 0) {
            count_lost_of_vertices(m, element);
        } else if (strcmp(element->name, "face") == 0) {
            for (uint32_t k = 0; k < element->property_count; k++) {
                if (&element->properties[k] != facet_ply_find_indices(element))
                    lose(m, element->properties[k].name);
            }
        } else {
            lose(m, element->name);
        }
    }
}

/* -- The file ----------------------------------------------------------- */

/* Faces name vertices, so these come first. Both occur once. */
static facet_status check_elements(const making *m)
{
    const facet_ply_element *vertices = facet_ply_find_element(m->ply, "vertex");
    const facet_ply_element *faces = facet_ply_find_element(m->ply, "face");
    const facet_ply_property *found[4];
    if (!vertices || facet_ply_match(vertices, &facet_ply_streams[0], found) == 0)
        return facet_fail(m->error, FACET_ERROR_UNSUPPORTED, "PLY-VERTEX-MISSING", FACET_NO_OFFSET,
                          "no element 'vertex' with numbers x, y and z");
    bool strips = facet_ply_find_element(m->ply, "tristrips") != NULL;
    if (strips || (faces && faces < vertices))
        return facet_fail(m->error, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", FACET_NO_OFFSET,
                          "this PLY has %s, expected vertices and then faces to cluster them",
                          strips ? "triangle strips" : "faces before their vertices");
    for (uint32_t i = 0; i < m->ply->element_count; i++) {
        const facet_ply_element *element = &m->ply->elements[i];
        if ((strcmp(element->name, "vertex") == 0 && element != vertices) ||
            (strcmp(element->name, "face") == 0 && element != faces))
            return facet_fail(m->error, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", FACET_NO_OFFSET,
                              "this PLY has two elements '%s', expected one", element->name);
    }
    return FACET_OK;
}

static facet_status run(making *m, facet_ply *header, facet_scene *scene)
{
    uint64_t line = 0;
    facet_report *report = m->options ? m->options->report : NULL;
    TRY(facet_ply_read_header(m->body.source, report, header, &m->body.position, &line, m->error));
    m->body.line = header->encoding == FACET_PLY_ASCII ? line : 0;
    TRY(check_elements(m));
    for (uint32_t i = 0; i < header->element_count; i++)
        TRY(run_element(m, &header->elements[i]));
    count_lost(m);
    facet_quoted quoted;
    if (m->lost.count > 0)
        facet_report_add_tally(report, "LOSS-CLUSTERED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &m->lost, "'%s' is left out",
                               facet_quote(&quoted, m->lost_name, strlen(m->lost_name)));
    return facet_clusters_add_to_scene(&m->clusters, scene, m->options);
}

facet_status facet_ply_read_clustered(const facet_source *source, const facet_load_options *load,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error)
{
    making m = {.options = options, .error = error};
    facet_ply *header = NULL;
    facet_scene *made = NULL;
    facet_arena *arena = NULL;
    if (options)
        m.quiet = *options;
    m.quiet.report = NULL;
    m.quiet.progress = NULL;
    m.quiet.threads = NULL;
    facet_status status = facet_ply_create(options, &header, error);
    if (!status)
        status = facet_scene_create(options, &made, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (!status) {
        m.ply = header;
        m.body = (facet_ply_body){.source = source, .options = &m.quiet, .error = error};
        m.clusters = facet_clusters_make(arena, load->max_clusters, error);
        status = run(&m, header, made);
    }
    facet_arena_free(arena);
    facet_ply_free(header);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
