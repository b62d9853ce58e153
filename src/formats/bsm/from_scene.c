/* formats/bsm/from_scene.c - a scene to a document. Unchanged data are not copied: the document
 * points into the scene. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/threads.h"
#include "formats/bsm/scene.h"
#include "scene/axes.h"
#include "scene/losses.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <facet/mesh.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Recommended maximum number of points per hull for physics engines. */
#define HULL_POINTS_ADVISED 64

/* A mesh of the scene and its range in the document. */
typedef struct source_mesh {
    const facet_mesh *mesh;
    const facet_stream *streams[4]; /* position, normal, tangent, texcoord; NULL if missing */
    uint32_t vertex_count;
    uint32_t first_vertex;
} source_mesh;

enum { POSITION, NORMAL, TANGENT, TEXCOORD };

typedef struct writing {
    const facet_scene *scene;
    const facet_options *options; /* their threads are used */
    facet_report *report;
    facet_error *error;
    facet_arena *arena;
    source_mesh *sources; /* meshes with faces */
    uint32_t source_count;
    bool moved;    /* positions and directions need a change of axes */
    bool mirrored; /* winding and handedness change */
    bool flipped;  /* v changes, and handedness with it */
    facet_bsm document;
} writing;

static void *allocate(const writing *w, size_t count, size_t size)
{
    return facet_arena_allocate(w->arena, count, size);
}

/* -- Frame -------------------------------------------------------------- */

/* Convert points to BSM's axes and to meters. */
static void place(const facet_axes *axes, float *points, size_t count)
{
    double unit = facet_axes_unit(axes);
    for (size_t i = 0; i < count; i++) {
        facet_axes_turn(axes, points + 3 * i);
        for (int axis = 0; axis < 3 && unit != 1; axis++)
            points[3 * i + axis] = (float)((double)points[3 * i + axis] * unit);
    }
}

/* -- Sources ------------------------------------------------------------ */

static facet_status not_ready(const writing *w, uint32_t mesh, const char *what)
{
    return facet_fail(w->error, FACET_ERROR_ARGUMENT, "BSM-NOT-READY", FACET_NO_OFFSET,
                      "mesh %" PRIu32 " %s: call facet_prepare first", mesh, what);
}

static facet_status take_source(writing *w, uint32_t index)
{
    static const facet_semantic semantics[4] = {FACET_POSITION, FACET_NORMAL, FACET_TANGENT,
                                                FACET_TEXCOORD};
    source_mesh *source = &w->sources[w->source_count];
    const facet_mesh *mesh = w->scene->meshes[index];
    if (!facet_mesh_is_triangles(mesh))
        return not_ready(w, index, "has polygons");
    source->mesh = mesh;
    source->vertex_count = UINT32_MAX;
    for (int i = 0; i < 4; i++) {
        const facet_stream *stream = facet_mesh_find(mesh, semantics[i], 0);
        source->streams[i] = stream;
        if (!stream && i == TEXCOORD)
            continue;
        if (!stream)
            return not_ready(w, index,
                             i == POSITION ? "has no positions"
                             : i == NORMAL ? "has no normals"
                                           : "has no tangents");
        if (stream->indices != source->streams[POSITION]->indices)
            return not_ready(w, index, "has streams with separate indices");
        if (stream->count < source->vertex_count)
            source->vertex_count = stream->count;
    }
    w->source_count++;
    return FACET_OK;
}

static facet_status take_sources(writing *w)
{
    uint64_t vertices = 0, triangles = 0;
    w->sources = allocate(w, w->scene->mesh_count, sizeof *w->sources);
    if (!w->sources)
        return facet_fail_arena(w->arena, w->error);
    for (uint32_t i = 0; i < w->scene->mesh_count; i++) {
        const facet_mesh *mesh = w->scene->meshes[i];
        if (mesh->face_count == 0) {
            facet_report_add(w->report, "LOSS-MESHES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "mesh %" PRIu32 " has no faces and is not written", i);
            continue;
        }
        TRY(take_source(w, i));
        source_mesh *source = &w->sources[w->source_count - 1];
        source->first_vertex = (uint32_t)vertices;
        vertices += source->vertex_count;
        triangles += mesh->face_count;
        if (vertices > INT32_MAX || triangles > INT32_MAX)
            return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "the scene has %" PRIu64 " vertices and %" PRIu64
                              " triangles or more, a BSM counts to 2147483647",
                              vertices, triangles);
    }
    w->document.vertex_count = (uint32_t)vertices;
    w->document.triangle_count = (uint32_t)triangles;
    return FACET_OK;
}

/* -- Vertices ----------------------------------------------------------- */

/* The first `components` of each element of a stream, for all meshes. Zeros where a mesh has no
 * such stream. Returns the stream itself if it is equal. */
static facet_status gather(const writing *w, int which, size_t components, bool change,
                           float **values, bool *borrowed)
{
    const facet_stream *only = w->source_count == 1 ? w->sources[0].streams[which] : NULL;
    *borrowed = only && !change && only->components == components;
    if (*borrowed) {
        *values = only->data;
        return FACET_OK;
    }
    *values = allocate(w, w->document.vertex_count, components * sizeof(float));
    if (!*values)
        return facet_fail_arena(w->arena, w->error);
    for (uint32_t i = 0; i < w->source_count; i++) {
        const facet_stream *stream = w->sources[i].streams[which];
        size_t count = w->sources[i].vertex_count;
        float *to = *values + w->sources[i].first_vertex * components;
        const float *from = stream ? stream->data : NULL;
        if (from && stream->components == components)
            memcpy(to, from, count * components * sizeof *to);
        else if (from)
            for (size_t k = 0; k < count; k++)
                memcpy(to + k * components, from + k * stream->components, components * sizeof *to);
        else
            memset(to, 0, count * components * sizeof *to);
    }
    return FACET_OK;
}

static facet_status take_positions(writing *w)
{
    float *values;
    bool borrowed;
    TRY(gather(w, POSITION, 3, w->moved, &values, &borrowed));
    if (w->moved)
        place(&w->scene->axes, values, w->document.vertex_count);
    w->document.positions = values;
    return FACET_OK;
}

static facet_status take_texcoords(writing *w)
{
    float *values;
    bool borrowed, any = false;
    for (uint32_t i = 0; i < w->source_count; i++)
        any = any || w->sources[i].streams[TEXCOORD];
    if (!any)
        return FACET_OK; /* NULL is written as zeros */
    TRY(gather(w, TEXCOORD, 2, w->flipped, &values, &borrowed));
    for (size_t i = 0; i < w->document.vertex_count && w->flipped; i++)
        values[2 * i + 1] = 1 - values[2 * i + 1];
    w->document.texcoords = values;
    return FACET_OK;
}

/* Unit vectors in BSM's axes. `values` can be changed unless it is borrowed. */
static facet_status take_vectors(const writing *w, int which, size_t components, float **values,
                                 bool *borrowed, facet_bsm_units *found)
{
    size_t count = w->document.vertex_count;
    bool negate = components == 4 && w->mirrored != w->flipped;
    TRY(gather(w, which, components, w->moved || negate, values, borrowed));
    *found = facet_bsm_normalize(*values, NULL, count, components, w->options);
    if (*borrowed && (found->zero || found->scaled || found->hands)) {
        TRY(gather(w, which, components, true, values, borrowed));
    }
    if (*borrowed)
        return FACET_OK;
    facet_bsm_normalize(*values, *values, count, components, w->options);
    for (size_t i = 0; i < count; i++) {
        float *v = *values + i * components;
        if (w->moved)
            facet_axes_turn(&w->scene->axes, v);
        if (negate)
            v[3] = -v[3];
    }
    return FACET_OK;
}

static double length_of(const float *v)
{
    return sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                (double)v[2] * (double)v[2]);
}

/* Normal of a triangle of the document; false if it has no area. */
static bool face_normal(const writing *w, const uint32_t *triangle, float normal[3])
{
    const float *p = w->document.positions + 3 * (size_t)triangle[0];
    const float *q = w->document.positions + 3 * (size_t)triangle[1];
    const float *r = w->document.positions + 3 * (size_t)triangle[2];
    double a[3], b[3];
    for (int axis = 0; axis < 3; axis++) {
        a[axis] = (double)q[axis] - (double)p[axis];
        b[axis] = (double)r[axis] - (double)p[axis];
    }
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int axis = 0; axis < 3 && length > 0; axis++)
        normal[axis] = (float)(n[axis] / length);
    return length > 0;
}

/* Replace zero normals by that of an adjacent triangle, or +Z. */
static void replace_normals(const writing *w, float *normals)
{
    for (uint32_t i = 0; i < w->document.triangle_count; i++) {
        const uint32_t *triangle = w->document.triangles + 3 * (size_t)i;
        for (int corner = 0; corner < 3; corner++) {
            float *normal = normals + 3 * (size_t)triangle[corner], face[3];
            if (length_of(normal) < FACET_BSM_NO_LENGTH && face_normal(w, triangle, face))
                memcpy(normal, face, sizeof face);
        }
    }
    for (size_t i = 0; i < w->document.vertex_count; i++) {
        float *normal = normals + 3 * i;
        if (length_of(normal) < FACET_BSM_NO_LENGTH) {
            normal[0] = normal[1] = 0;
            normal[2] = 1;
        }
    }
}

/* Replace zero tangents by a unit vector orthogonal to the normal. */
static void replace_tangents(const writing *w, float *tangents)
{
    for (size_t i = 0; i < w->document.vertex_count; i++) {
        float *t = tangents + 4 * i;
        if (length_of(t) >= FACET_BSM_NO_LENGTH)
            continue;
        const float *n = w->document.normals + 3 * i;
        int axis = fabsf(n[0]) <= fabsf(n[1]) && fabsf(n[0]) <= fabsf(n[2]) ? 0
                   : fabsf(n[1]) <= fabsf(n[2])                             ? 1
                                                                            : 2;
        /* cross(n, unit vector of that axis) */
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        double length = sqrt((double)n[next] * (double)n[next] + (double)n[last] * (double)n[last]);
        t[axis] = 0;
        t[next] = (float)((double)n[last] / length);
        t[last] = (float)(-(double)n[next] / length);
    }
}

/* Take normals. Missing ones are computed from the triangles, which must exist. */
static facet_status take_normals(writing *w)
{
    float *values;
    bool borrowed;
    facet_bsm_units found;
    TRY(take_vectors(w, NORMAL, 3, &values, &borrowed, &found));
    if (found.zero > 0)
        replace_normals(w, values);
    facet_tally tally = {found.zero, 0};
    facet_report_add_tally(w->report, "BSM-NORMAL-ZERO", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &tally, "a normal without length is replaced by that of a face");
    w->document.normals = values;
    return FACET_OK;
}

static facet_status take_tangents(writing *w)
{
    float *values;
    bool borrowed;
    facet_bsm_units found;
    TRY(take_vectors(w, TANGENT, 4, &values, &borrowed, &found));
    if (found.zero > 0)
        replace_tangents(w, values);
    facet_tally tally = {found.zero, 0};
    facet_report_add_tally(w->report, "BSM-TANGENT-ZERO", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                           &tally,
                           "a tangent without length is replaced by one orthogonal to its normal");
    w->document.tangents = values;
    return FACET_OK;
}

/* -- Triangles and materials -------------------------------------------- */

/* Groups triangles into mesh records by material, in order of first use. */
typedef struct grouping {
    facet_bsm_mesh *records; /* one per material, plus one for no material */
    uint32_t record_count;
    uint32_t *record_of; /* by material; the last entry is for no material */
    facet_table names;   /* names of the records */
    facet_tally degenerate, merged, cut;
    bool in_order; /* triangles are already in the order of the records */
} grouping;

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    const facet_bsm_mesh *records = user;
    return strcmp(records[a].material, records[b].material);
}

static facet_status start_grouping(const writing *w, grouping *group)
{
    size_t most = (size_t)w->scene->material_count + 1;
    memset(group, 0, sizeof *group);
    group->in_order = true;
    group->records = allocate(w, most, sizeof *group->records);
    group->record_of = allocate(w, most, sizeof *group->record_of);
    if (!group->records || !group->record_of)
        return facet_fail_arena(w->arena, w->error);
    memset(group->record_of, 0xFF, most * sizeof *group->record_of);
    group->names = facet_table_make(w->arena);
    return FACET_OK;
}

/* Record of a material; FACET_NONE if out of memory. */
static uint32_t find_record(const writing *w, grouping *group, uint32_t material)
{
    uint32_t slot = material == FACET_NONE ? w->scene->material_count : material;
    if (group->record_of[slot] != FACET_NONE)
        return group->record_of[slot];
    const char *name = material == FACET_NONE ? "" : w->scene->materials[material]->name;
    facet_bsm_mesh *record = &group->records[group->record_count];
    memset(record, 0, sizeof *record);
    if (!facet_bsm_set_material(record, name))
        facet_tally_hit(&group->cut, slot);
    uint32_t hash = facet_hash_bytes(record->material, strlen(record->material));
    uint32_t found =
        facet_table_put(&group->names, hash, group->record_count, compare_names, group->records);
    if (found == group->record_count)
        group->record_count++;
    else if (found != FACET_NONE)
        facet_tally_hit(&group->merged, slot);
    return group->record_of[slot] = found;
}

static bool repeats(const uint32_t *t)
{
    return (t[0] == t[1]) | (t[1] == t[2]) | (t[2] == t[0]);
}

static uint32_t material_of(const facet_mesh *mesh, uint32_t face)
{
    return mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
}

#define LEAST_TRIANGLES ((size_t)32768)

typedef struct degenerate_search {
    const uint32_t *indices;
    uint32_t found[FACET_MAX_PARTS];
} degenerate_search;

static void search_part(void *argument, size_t part, size_t first, size_t end)
{
    degenerate_search *search = argument;
    uint32_t count = 0;
    for (size_t face = first; face < end; face++)
        count += repeats(search->indices + 3 * face);
    search->found[part] = count;
}

static uint32_t count_degenerate(const writing *w, grouping *group, const uint32_t *indices,
                                 uint32_t first, uint32_t end)
{
    degenerate_search search;
    search.indices = indices + 3 * (size_t)first;
    size_t parts = facet_run_parts(w->options, search_part, &search, end - first, LEAST_TRIANGLES);
    uint32_t count = 0;
    for (size_t i = 0; i < parts; i++)
        count += search.found[i];
    for (uint32_t face = first; count > 0 && face < end; face++) {
        if (repeats(indices + 3 * (size_t)face))
            facet_tally_hit(&group->degenerate, face);
    }
    return count;
}

/* Count the triangles per record, and assign a record to each material. */
static facet_status count_triangles(const writing *w, grouping *group)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < w->source_count; i++) {
        const facet_mesh *mesh = w->sources[i].mesh;
        for (uint32_t face = 0, end; face < mesh->face_count; face = end) {
            end = facet_mesh_end_of_material(mesh, face);
            uint32_t record = find_record(w, group, material_of(mesh, face));
            if (record == FACET_NONE)
                return facet_fail_arena(w->arena, w->error);
            uint32_t kept =
                end - face - count_degenerate(w, group, mesh->streams[0].indices, face, end);
            if (kept == 0)
                continue;
            group->in_order = group->in_order && record >= last;
            group->records[record].triangle_count += kept;
            last = record;
        }
    }
    return FACET_OK;
}

/* Drop empty records, and set where each begins. */
static uint32_t lay_out_records(grouping *group, uint32_t *next)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < group->record_count; i++) {
        group->records[i].first_triangle = next[i] = total;
        total += group->records[i].triangle_count;
    }
    return total;
}

static void drop_empty_records(grouping *group)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < group->record_count; i++) {
        if (group->records[i].triangle_count > 0)
            group->records[kept++] = group->records[i];
    }
    group->record_count = kept;
}

static void fill_triangles(const writing *w, grouping *group, uint32_t *next, uint32_t *triangles)
{
    for (uint32_t i = 0; i < w->source_count; i++) {
        const facet_mesh *mesh = w->sources[i].mesh;
        uint32_t first = w->sources[i].first_vertex;
        for (uint32_t face = 0; face < mesh->face_count; face++) {
            const uint32_t *from = mesh->streams[0].indices + 3 * (size_t)face;
            if (repeats(from))
                continue;
            uint32_t *to =
                triangles + 3 * (size_t)next[find_record(w, group, material_of(mesh, face))]++;
            to[0] = first + from[0];
            to[1] = first + from[w->mirrored ? 2 : 1];
            to[2] = first + from[w->mirrored ? 1 : 2];
        }
    }
}

static void report_grouping(const writing *w, const grouping *group)
{
    facet_report_add_tally(
        w->report, "BSM-TRI-DEGENERATE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &group->degenerate,
        "triangle %" PRIu64 " has two equal indices and is not written", group->degenerate.first);
    facet_report_add_tally(w->report, "LOSS-NAMES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &group->cut, "the name of material %" PRIu64 " is cut to 255 bytes",
                           group->cut.first);
    facet_report_add_tally(
        w->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &group->merged,
        "material %" PRIu64 " has the name of another and is merged with it", group->merged.first);
}

static facet_status take_triangles(writing *w)
{
    grouping group;
    TRY(start_grouping(w, &group));
    TRY(count_triangles(w, &group));
    uint32_t *next = allocate(w, group.record_count, sizeof *next);
    if (!next)
        return facet_fail_arena(w->arena, w->error);
    w->document.triangle_count = lay_out_records(&group, next);
    bool as_is = w->source_count == 1 && !w->mirrored && group.in_order && !group.degenerate.count;
    if (as_is) {
        w->document.triangles = w->sources[0].mesh->streams[0].indices;
    } else {
        uint32_t *triangles = allocate(w, w->document.triangle_count, 3 * sizeof *triangles);
        if (!triangles)
            return facet_fail_arena(w->arena, w->error);
        fill_triangles(w, &group, next, triangles);
        w->document.triangles = triangles;
    }
    drop_empty_records(&group);
    w->document.meshes = group.records;
    w->document.mesh_count = group.record_count;
    report_grouping(w, &group);
    return FACET_OK;
}

/* -- Hulls, occluder ---------------------------------------------------- */

static facet_status take_hulls(writing *w)
{
    uint64_t total = 0;
    facet_tally large = {0, 0};
    for (uint32_t i = 0; i < w->scene->hull_count; i++) {
        total += w->scene->hulls[i]->point_count;
        if (w->scene->hulls[i]->point_count > HULL_POINTS_ADVISED)
            facet_tally_hit(&large, i);
    }
    if (total > INT32_MAX)
        return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the hulls have %" PRIu64 " points, a BSM counts to 2147483647", total);
    facet_bsm_hull *hulls = allocate(w, w->scene->hull_count, sizeof *hulls);
    float *points = allocate(w, (size_t)total, 3 * sizeof *points);
    if (!hulls || !points)
        return facet_fail_arena(w->arena, w->error);
    uint32_t used = 0;
    for (uint32_t i = 0; i < w->scene->hull_count; i++) {
        const facet_hull *hull = w->scene->hulls[i];
        hulls[i].first_point = used;
        hulls[i].point_count = hull->point_count;
        if (hull->point_count > 0)
            memcpy(points + 3 * (size_t)used, hull->points, hull->point_count * 3 * sizeof *points);
        used += hull->point_count;
    }
    place(&w->scene->axes, points, used);
    w->document.hulls = hulls;
    w->document.hull_count = w->scene->hull_count;
    w->document.hull_points = points;
    w->document.hull_point_count = used;
    facet_report_add_tally(w->report, "BSM-HULL-LARGE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &large,
                           "hull %" PRIu64 " has %" PRIu32
                           " points, more than the %d that physics engines do well with",
                           large.first, large.count ? w->scene->hulls[large.first]->point_count : 0,
                           HULL_POINTS_ADVISED);
    return FACET_OK;
}

static facet_status take_occluder(writing *w)
{
    const facet_mesh *occluder = w->scene->occluder;
    const facet_stream *stream = occluder ? facet_mesh_find(occluder, FACET_POSITION, 0) : NULL;
    if (!stream || occluder->face_count == 0)
        return FACET_OK;
    if (!facet_mesh_is_triangles(occluder))
        return facet_fail(w->error, FACET_ERROR_ARGUMENT, "BSM-NOT-READY", FACET_NO_OFFSET,
                          "the occluder has polygons, expected triangles");
    if (occluder->face_count > INT32_MAX)
        return facet_fail(w->error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                          "the occluder has %" PRIu32 " triangles, a BSM counts to 2147483647",
                          occluder->face_count);
    w->document.occluder_vertex_count = stream->count;
    w->document.occluder_triangle_count = occluder->face_count;
    w->document.occluder_positions = stream->data;
    w->document.occluder_triangles = stream->indices;
    if (!w->moved)
        return FACET_OK;
    float *positions = allocate(w, stream->count, 3 * sizeof *positions);
    uint32_t *triangles = allocate(w, occluder->face_count, 3 * sizeof *triangles);
    if (!positions || !triangles)
        return facet_fail_arena(w->arena, w->error);
    memcpy(positions, stream->data, stream->count * 3 * sizeof *positions);
    memcpy(triangles, stream->indices, occluder->face_count * 3 * sizeof *triangles);
    place(&w->scene->axes, positions, stream->count);
    for (size_t i = 0; i < occluder->face_count && w->mirrored; i++) {
        uint32_t second = triangles[3 * i + 1];
        triangles[3 * i + 1] = triangles[3 * i + 2];
        triangles[3 * i + 2] = second;
    }
    w->document.occluder_positions = positions;
    w->document.occluder_triangles = triangles;
    return FACET_OK;
}

/* -- Losses ------------------------------------------------------------- */

static const facet_capacity capacity = {
    "BSM",
    FACET_LACKS_BILLBOARDS | FACET_LACKS_ASSET | FACET_LACKS_SKINS | FACET_LACKS_JOINTS |
        FACET_LACKS_CUSTOM | FACET_LACKS_SMOOTHING | FACET_LACKS_LINES | FACET_LACKS_POINTS |
        FACET_LACKS_MORPHS | FACET_LACKS_PART_NAMES | FACET_LACKS_MESH_NAMES |
        FACET_LACKS_HULL_NAMES | FACET_LACKS_MATERIAL_VALUES | FACET_LACKS_NODES |
        FACET_LACKS_CAMERAS | FACET_LACKS_ANIMATIONS | FACET_LACKS_IMAGES | FACET_LACKS_EXTRAS,
    0,
    1,
    2,
    0,
    FACET_UNUSED_MATERIALS,
    false,
    false};

/* -- The conversion ---------------------------------------------------- */

static facet_status take_bounds(writing *w)
{
    facet_bounds bounds;
    facet_bsm *document = &w->document;
    TRY(facet_bounds_compute(document->positions, document->vertex_count, 0, w->options, &bounds,
                             w->error));
    memcpy(document->center, bounds.center, sizeof document->center);
    document->radius = bounds.radius;
    memcpy(document->minimum, bounds.minimum, sizeof document->minimum);
    memcpy(document->maximum, bounds.maximum, sizeof document->maximum);
    return FACET_OK;
}

static facet_status make_document(writing *w)
{
    TRY(take_sources(w));
    TRY(take_positions(w));
    TRY(take_triangles(w));
    TRY(take_normals(w));
    TRY(take_tangents(w));
    TRY(take_texcoords(w));
    TRY(take_hulls(w));
    TRY(take_occluder(w));
    return take_bounds(w);
}

facet_status facet_bsm_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_bsm **document, facet_error *error)
{
    const facet_axes *axes = &scene->axes;
    writing w;
    memset(&w, 0, sizeof w);
    w.scene = scene;
    w.options = options;
    w.report = options ? options->report : NULL;
    w.error = error;
    w.mirrored = axes->left_handed;
    w.flipped = facet_axes_flips_v(axes, false);
    w.moved = facet_axes_is_turned(axes) || facet_axes_unit(axes) != 1;
    TRY(facet_arena_create(options, &w.arena, error));
    facet_bsm *made = allocate(&w, 1, sizeof *made);
    facet_status status = made ? make_document(&w) : facet_fail_arena(w.arena, error);
    if (status) {
        facet_arena_free(w.arena);
        return status;
    }
    facet_scene_report_losses(scene, &capacity, w.report);
    *made = w.document;
    made->arena = w.arena;
    *document = made;
    return FACET_OK;
}
