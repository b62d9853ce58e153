/* convert/compare_posed.c - comparison of the visible surfaces of two scenes at some times of their
 * animations. Transforms, weights and skins are compared before; this finds differences that only
 * they cause together. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "convert/compare.h"
#include "mesh/distance.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <facet/mesh.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Sample points of a surface at a time. */
enum { SAMPLES = 2000 };
/* Triangles that are compared at all times together, before the limit in proportion to the
 * triangles of the scenes. */
#define WORK ((uint64_t)1 << 21)
/* Rounding of a posed point, relative to its distance from the origin. */
#define ROUNDING 2e-6

/* The meshes of all nodes of a scene, as triangles with only positions. */
typedef struct posed_scene {
    const facet_scene *scene;
    facet_scene *flat; /* its meshes are the visible ones at a time */
    facet_mesh **all;  /* one per node with faces */
    uint32_t *nodes;   /* the node of each */
    uint32_t count;
    uint64_t triangles; /* of all */
    facet_pose pose;
} posed_scene;

/* -- Meshes of nodes ---------------------------------------------------- */

static facet_status add_mesh(posed_scene *posed, const facet_mesh *from, const facet_options *quiet,
                             facet_error *error)
{
    const facet_stream *positions = facet_mesh_find(from, FACET_POSITION, 0);
    facet_mesh *mesh = NULL;
    TRY(facet_scene_add_mesh(posed->flat, &mesh, error));
    mesh->face_count = from->face_count;
    mesh->corner_count = from->corner_count;
    if (from->face_offsets) {
        size_t count = (size_t)from->face_count + 1;
        mesh->face_offsets = facet_scene_allocate(posed->flat, count, sizeof(uint32_t));
        if (!mesh->face_offsets)
            return facet_fail_arena(posed->flat->arena, error);
        memcpy(mesh->face_offsets, from->face_offsets, count * sizeof(uint32_t));
    }
    TRY(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                                   positions->count, positions->data, positions->indices, NULL,
                                   error));
    TRY(facet_mesh_triangulate(mesh, quiet, NULL, error));
    posed->triangles += mesh->face_count;
    posed->all[posed->count++] = mesh;
    return FACET_OK;
}

static facet_status open_posed(const facet_comparing *c, const facet_scene *scene,
                               posed_scene *posed, facet_error *error)
{
    facet_options quiet = *c->options;
    quiet.report = NULL;
    posed->scene = scene;
    bool *all = facet_arena_allocate(c->arena, scene->node_count, sizeof *all);
    if (!all)
        return facet_fail_arena(c->arena, error);
    for (uint32_t i = 0; i < scene->node_count; i++)
        all[i] = true;
    TRY(facet_scene_check_growth(scene, all, c->options, error));
    posed->all = facet_arena_allocate(c->arena, scene->node_count, sizeof(facet_mesh *));
    posed->nodes = facet_arena_allocate(c->arena, scene->node_count, sizeof *posed->nodes);
    if (!posed->all || !posed->nodes)
        return facet_fail_arena(c->arena, error);
    TRY(facet_scene_create(&quiet, &posed->flat, error));
    posed->flat->axes = scene->axes;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t mesh = scene->nodes[i]->mesh;
        if (mesh == FACET_NONE || scene->meshes[mesh]->face_count == 0 ||
            !facet_mesh_find(scene->meshes[mesh], FACET_POSITION, 0))
            continue;
        posed->nodes[posed->count] = i;
        TRY(add_mesh(posed, scene->meshes[mesh], &quiet, error));
    }
    return FACET_OK;
}

/* Move the vertices to a time, and list the visible meshes. */
static facet_status move(const facet_comparing *c, posed_scene *posed, uint32_t animation,
                         double time, facet_error *error)
{
    TRY(facet_scene_pose(posed->scene, animation, time, c->options, &posed->pose, error));
    posed->flat->mesh_count = 0;
    for (uint32_t i = 0; i < posed->count; i++) {
        facet_mesh *mesh = posed->all[i];
        if (!posed->pose.seen[posed->nodes[i]])
            continue;
        TRY(facet_pose_positions(posed->scene, &posed->pose, posed->nodes[i], c->options,
                                 mesh->streams[0].data, error));
        posed->flat->meshes[posed->flat->mesh_count++] = mesh;
    }
    return FACET_OK;
}

/* -- One time ----------------------------------------------------------- */

static void get_corner(const facet_scene *flat, const facet_mesh *mesh, uint32_t corner,
                       double scale, double out[3])
{
    const facet_stream *positions = &mesh->streams[0];
    float point[3];
    memcpy(point, (const float *)positions->data + 3 * (size_t)positions->indices[corner],
           sizeof point);
    facet_axes_turn(&flat->axes, point);
    for (int k = 0; k < 3; k++)
        out[k] = scale * (double)point[k];
}

/* True if all corners are near one another in their order, so that the surfaces are near. */
static bool are_near(const facet_comparing *c, const facet_scene *a, const facet_scene *b)
{
    if (a->mesh_count != b->mesh_count)
        return false;
    for (uint32_t m = 0; m < a->mesh_count; m++) {
        const facet_mesh *x = a->meshes[m], *y = b->meshes[m];
        if (x->corner_count != y->corner_count)
            return false;
        for (uint32_t i = 0; i < x->corner_count; i++) {
            double here[3], there[3], squares = 0, from_origin = 0;
            get_corner(a, x, i, 1, here);
            get_corner(b, y, i, c->scale, there);
            for (int k = 0; k < 3; k++) {
                squares += (here[k] - there[k]) * (here[k] - there[k]);
                from_origin = fmax(from_origin, fabs(here[k]));
            }
            if (!(sqrt(squares) <= fmax(c->tolerance, ROUNDING * from_origin)))
                return false;
        }
    }
    return true;
}

/* Measure the distance of two surfaces. Infinite if only one has triangles, 0 within the tolerance.
 * *is_open is set if it can be larger, because the search stopped at its limit. */
static facet_status measure(const facet_comparing *c, const facet_scene *a, const facet_scene *b,
                            facet_arena *arena, double *distance, bool *is_open, facet_error *error)
{
    static const double range[2] = {0, 0};
    facet_surface here, there;
    facet_surface_samples samples;
    facet_distance found[2];
    facet_surface_effort effort;
    facet_surface_effort_init(&effort, c->options);
    double limit = c->tolerance;
    TRY(facet_surface_gather(a, 1, c->options, range, arena, &here, error));
    TRY(facet_surface_gather(b, c->scale, c->options, range, arena, &there, error));
    *distance = !here.triangle_count != !there.triangle_count ? INFINITY : 0;
    if (!here.triangle_count || !there.triangle_count)
        return FACET_OK;
    for (int k = 0; k < 3; k++)
        limit = fmax(limit, ROUNDING * fmax(fabs(here.low[k]), fabs(here.high[k])));
    TRY(facet_surface_sample(&here, SAMPLES, c->options, range, arena, &samples, error));
    TRY(facet_surface_measure(&here, &there, &samples, limit / 2, &effort, c->options, range, arena,
                              &found[0], error));
    TRY(facet_surface_sample(&there, SAMPLES, c->options, range, arena, &samples, error));
    TRY(facet_surface_measure(&there, &here, &samples, limit / 2, &effort, c->options, range, arena,
                              &found[1], error));
    double most = fmax(found[0].greatest, found[1].greatest);
    *distance = most > limit ? most : 0;
    *is_open |= most <= limit && fmax(found[0].greatest_bound, found[1].greatest_bound) > limit;
    return FACET_OK;
}

static facet_status compare_at(const facet_comparing *c, posed_scene posed[2],
                               const uint32_t animations[2], double time, double *distance,
                               bool *is_open, facet_error *error)
{
    for (int s = 0; s < 2; s++)
        TRY(move(c, &posed[s], animations[s], time, error));
    *distance = 0;
    if (are_near(c, posed[0].flat, posed[1].flat))
        return FACET_OK;
    facet_arena *arena = NULL;
    TRY(facet_arena_create(c->options, &arena, error));
    facet_status status = measure(c, posed[0].flat, posed[1].flat, arena, distance, is_open, error);
    facet_arena_free(arena);
    return status;
}

/* -- All times ---------------------------------------------------------- */

static void report_distance(const facet_comparing *c, const facet_animation *animation,
                            double distance, double time)
{
    facet_quoted name;
    facet_quote(&name, animation->name, strlen(animation->name));
    if (isinf(distance))
        facet_compare_add(c, FACET_COMPARE_ANIMATIONS, "COMPARE-ANIMATION", FACET_NO_OFFSET,
                          "animation '%.60s' shows a surface in one file only, at %g s", name.text,
                          time);
    else
        facet_compare_add(c, FACET_COMPARE_ANIMATIONS, "COMPARE-ANIMATION", FACET_NO_OFFSET,
                          "animation '%.60s' moves the surface up to %g away from that of the "
                          "second file, at %g s",
                          name.text, distance, time);
}

static facet_status compare_times(const facet_comparing *c, posed_scene posed[2],
                                  const uint32_t *pairs, facet_error *error)
{
    /* Fractions that no motion repeats after. */
    static const double fractions[] = {1, 0.29, 0.59, 0.83};
    enum { TIMES = sizeof fractions / sizeof *fractions };
    const facet_scene *a = posed[0].scene, *b = posed[1].scene;
    uint64_t each = posed[0].triangles + posed[1].triangles + a->node_count + b->node_count + 1;
    uint64_t left = TIMES + WORK / each;
    uint32_t skipped = 0;
    for (uint32_t i = 0; i < a->animation_count; i++) {
        if (pairs[i] == FACET_NONE)
            continue;
        double duration = fmax(facet_animation_duration(a->animations[i]),
                               facet_animation_duration(b->animations[pairs[i]]));
        double distance = 0;
        bool is_open = left == 0;
        for (int t = 0; t < TIMES && left > 0 && distance == 0; t++, left--) {
            double time = duration * fractions[t];
            TRY(compare_at(c, posed, (uint32_t[]){i, pairs[i]}, time, &distance, &is_open, error));
            if (distance > 0)
                report_distance(c, a->animations[i], distance, time);
        }
        skipped += is_open && distance == 0;
    }
    if (skipped > 0)
        facet_report_add(c->report, "COMPARE-TIMES", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the surfaces of %" PRIu32 " animations are not compared, only the motion "
                         "of nodes, skins and weights",
                         skipped);
    return FACET_OK;
}

facet_status facet_compare_posed(const facet_comparing *c, const facet_compared_nodes *p,
                                 const uint32_t *pairs, facet_error *error)
{
    posed_scene posed[2] = {{0}};
    if (p->a->animation_count == 0 || p->b->animation_count == 0)
        return FACET_OK;
    facet_status status = open_posed(c, p->a, &posed[0], error);
    if (!status)
        status = open_posed(c, p->b, &posed[1], error);
    if (!status)
        status = compare_times(c, posed, pairs, error);
    for (int s = 0; s < 2; s++) {
        facet_pose_free(&posed[s].pose);
        facet_scene_free(posed[s].flat);
    }
    return status;
}
