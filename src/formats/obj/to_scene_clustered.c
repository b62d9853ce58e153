/* formats/obj/to_scene_clustered.c - an OBJ to a scene whose vertices are clustered: the file is
 * parsed in stretches, whose vertices and faces are added and then dropped. */
#include "formats/obj/reader.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "mesh/cluster/cluster.h"

#include <inttypes.h>
#include <string.h>

typedef struct making {
    facet_obj_reader *r;
    facet_clusters clusters;
    uint32_t face_count; /* of earlier stretches */
    bool is_begun;       /* colors were read */
    float color_unit;    /* divisor of colors: 1, or 255 for bytes */
    /* Data that is left out, by kind. */
    bool has_texcoords, has_normals, has_parts, has_smoothing, has_painted;
    uint32_t line_count, point_count;
} making;

/* -- Vertices ----------------------------------------------------------- */

/* Some programs write bytes for all vertices. The first stretch with colors decides. */
static void settle_colors(making *m, float *colors, uint32_t count)
{
    if (!m->is_begun)
        m->color_unit = facet_color_bytes(colors, (size_t)count * 3, 1, 1) > 0 ? 255 : 1;
    m->is_begun = true;
    for (size_t i = 0; i < (size_t)count * 3; i++)
        colors[i] /= m->color_unit;
    facet_srgb_decode_colors(colors, count, 3);
}

static facet_status add_vertices(making *m)
{
    facet_obj_reader *r = m->r;
    const facet_obj_elements *e = &r->elements[FACET_OBJ_POSITION];
    if (r->colors && e->count > 0)
        settle_colors(m, r->colors, e->count);
    return facet_clusters_add_vertices(&m->clusters, (const float(*)[3])e->data, r->colors, 3,
                                       e->count);
}

/* -- Faces -------------------------------------------------------------- */

static facet_status fail_index(making *m, uint32_t vertex, uint32_t face)
{
    uint64_t line = facet_obj_line_of_face(m->r->source, m->face_count + face);
    if (vertex == FACET_NONE)
        return facet_fail_line(m->r->error, FACET_ERROR_MALFORMED, "OBJ-INDEX", line,
                               "vertex 0 is named, expected numbers from 1");
    return facet_fail_line(m->r->error, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", line,
                           "face names vertex %" PRIu64 ", but only %" PRIu32
                           " come before it; clustering needs the vertices before their faces",
                           (uint64_t)vertex + 1, m->clusters.vertex_count);
}

/* Add a polygon as a fan of triangles. */
static facet_status add_face(making *m, uint32_t face, uint32_t material)
{
    const facet_obj_reader *r = m->r;
    uint32_t begin = r->offsets ? r->offsets[face] : face * 3;
    uint32_t end = r->offsets ? r->offsets[face + 1] : begin + 3;
    const uint32_t *vertices = r->indices[FACET_OBJ_POSITION];
    for (uint32_t i = begin; i < end; i++) {
        if (vertices[i] >= m->clusters.vertex_count)
            return fail_index(m, vertices[i], face);
    }
    for (uint32_t i = begin + 2; i < end; i++) {
        const uint32_t corners[3] = {vertices[begin], vertices[i - 1], vertices[i]};
        TRY(facet_clusters_add_triangle(&m->clusters, corners, material));
    }
    return FACET_OK;
}

static facet_status add_faces(making *m)
{
    const facet_obj_runs *runs = &m->r->materials;
    uint32_t material = FACET_NONE, next = 0;
    for (uint32_t face = 0; face < m->r->face_count; face++) {
        while (next < runs->count && runs->items[next].first_face <= face)
            material = runs->items[next++].value;
        TRY(add_face(m, face, material));
    }
    return FACET_OK;
}

/* -- Stretches ---------------------------------------------------------- */

/* Keep only the last value, which applies to the next faces. */
static void keep_last(facet_obj_runs *runs)
{
    if (runs->count == 0)
        return;
    runs->items[0] = (facet_obj_run){0, runs->items[runs->count - 1].value};
    runs->count = 1;
}

/* Drop what the reader has read, except names. */
static void drop(making *m)
{
    facet_obj_reader *r = m->r;
    m->has_texcoords |= r->elements[FACET_OBJ_TEXCOORD].count > 0;
    m->has_normals |= r->elements[FACET_OBJ_NORMAL].count > 0;
    m->has_parts |= r->part_name_count > 0;
    m->has_smoothing |= r->smoothing.count > 0;
    m->has_painted |= r->painted_count > 0;
    m->line_count += r->lines.count / 2;
    m->point_count += r->points.count;
    m->face_count += r->face_count;
    for (int kind = 0; kind < FACET_OBJ_KINDS; kind++) {
        r->dropped[kind] += r->elements[kind].count;
        r->elements[kind].count = 0;
    }
    r->corner_count = r->face_count = 0;
    r->lines.count = r->points.count = r->painted_count = 0;
    r->parts.count = r->part_name_count = 0;
    keep_last(&r->materials);
    keep_last(&r->smoothing);
}

static facet_status add_all(making *m)
{
    facet_obj_reader *r = m->r;
    const uint8_t *at = r->start;
    ptrdiff_t first = r->end - at < FACET_OBJ_STRIDE ? r->end - at : FACET_OBJ_STRIDE;
    facet_obj_amounts amounts = facet_obj_estimate(r->source, at, at + first);
    TRY(facet_obj_make_space(r, &amounts));
    while (at < r->end) {
        TRY(facet_obj_run_stretch(r, &at, r->end));
        TRY(add_vertices(m));
        TRY(add_faces(m));
        drop(m);
    }
    return FACET_OK;
}

/* -- The file ----------------------------------------------------------- */

static void say_lost(const making *m)
{
    facet_report *report = m->r->options ? m->r->options->report : NULL;
    const struct {
        bool is_lost;
        const char *what;
    } kinds[] = {{m->has_texcoords, "texture coordinates are"},
                 {m->has_normals, "normals are"},
                 {m->has_parts, "names of objects and groups are"},
                 {m->has_smoothing, "smoothing groups are"},
                 {m->has_painted, "colors in comments are"},
                 {m->line_count > 0, "lines are"},
                 {m->point_count > 0, "points are"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].is_lost)
            facet_report_add(report, "LOSS-CLUSTERED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "%s left out", kinds[i].what);
    }
}

/* Instead of all other steps, read all lines into a mesh of at most load->max_clusters vertices. */
static facet_status cluster(facet_obj_reader *r, const facet_load_options *load)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(r->options, &arena, r->error));
    making m = {.r = r, .clusters = facet_clusters_make(arena, load->max_clusters, r->error)};
    r->arena = r->scratch;
    facet_status status = add_all(&m);
    r->arena = r->scene->arena;
    if (!status) {
        facet_obj_say_tallies(r);
        say_lost(&m);
        status = facet_obj_finish_materials(r);
    }
    if (!status)
        status = facet_clusters_add_to_scene(&m.clusters, r->scene, r->options);
    facet_arena_free(arena);
    return status;
}

facet_status facet_obj_read_clustered(const facet_source *source, const facet_load_options *load,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error)
{
    return facet_obj_read_with(cluster, source, load, options, NULL, scene, error);
}
