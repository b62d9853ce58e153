/* mesh/surface.c - the triangles of a scene as one surface, with its attributes. */
#include "mesh/surface.h"

#include "base/arena.h"
#include "base/error.h"
#include "mesh/vector.h"
#include "scene/axes.h"

#include <math.h>
#include <string.h>

/* -- Gathering ---------------------------------------------------------- */

static facet_status count_all(const facet_scene *scene, facet_surface *surface, facet_error *error)
{
    uint64_t points = 0, triangles = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_stream *positions = facet_mesh_find(scene->meshes[i], FACET_POSITION, 0);
        points += positions ? positions->count : 0;
        triangles += positions ? scene->meshes[i]->face_count : 0;
    }
    if (points > UINT32_MAX || triangles > UINT32_MAX / 4)
        return facet_fail(error, FACET_ERROR_LIMIT, "COMPARE-SIZE", FACET_NO_OFFSET,
                          "more than %u triangles in one surface", UINT32_MAX / 4);
    surface->point_count = (uint32_t)points;
    surface->triangle_count = (uint32_t)triangles;
    return FACET_OK;
}

static void add_points(facet_surface *surface, const facet_stream *positions, double scale,
                       uint32_t first)
{
    const float *values = positions->data;
    for (uint32_t i = 0; i < positions->count; i++) {
        float turned[3];
        memcpy(turned, values + 3 * (size_t)i, sizeof turned);
        facet_axes_turn(&surface->scene->axes, turned);
        for (int k = 0; k < 3; k++)
            surface->points[3 * ((size_t)first + i) + k] = scale * turned[k];
    }
}

/* Add the triangles, and extend the box by the points that they use. */
static void add_triangles(facet_surface *surface, const facet_mesh *mesh,
                          const facet_stream *positions, uint32_t first_triangle,
                          uint32_t first_point)
{
    for (uint32_t c = 0; c < 3 * mesh->face_count; c++) {
        uint32_t point = first_point + positions->indices[c];
        surface->triangles[3 * (size_t)first_triangle + c] = point;
        for (int k = 0; k < 3; k++) {
            double x = surface->points[3 * (size_t)point + k];
            surface->low[k] = fmin(surface->low[k], x);
            surface->high[k] = fmax(surface->high[k], x);
        }
    }
}

facet_status facet_surface_gather(const facet_scene *scene, double scale,
                                  const facet_options *options, const double range[2],
                                  facet_arena *arena, facet_surface *surface, facet_error *error)
{
    facet_surface made = {.scene = scene};
    TRY(count_all(scene, &made, error));
    if (made.triangle_count == 0) {
        *surface = made;
        return FACET_OK;
    }
    made.points = facet_arena_allocate(arena, made.point_count, 3 * sizeof *made.points);
    made.triangles = facet_arena_allocate(arena, made.triangle_count, 3 * sizeof(uint32_t));
    made.first = facet_arena_allocate(arena, (size_t)scene->mesh_count + 1, sizeof(uint32_t));
    if (!made.points || !made.triangles || !made.first)
        return facet_fail_arena(arena, error);
    for (int k = 0; k < 3; k++) {
        made.low[k] = INFINITY;
        made.high[k] = -INFINITY;
    }
    uint32_t point = 0, triangle = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
        made.first[i] = triangle;
        if (!positions)
            continue;
        add_points(&made, positions, scale, point);
        add_triangles(&made, mesh, positions, triangle, point);
        point += positions->count;
        triangle += mesh->face_count;
    }
    made.first[scene->mesh_count] = triangle;
    facet_status status =
        facet_surface_tree_build(made.points, made.triangles, made.triangle_count, options,
                                 "compare", range, arena, &made.tree, error);
    if (!status)
        *surface = made;
    return status;
}

/* -- Places ------------------------------------------------------------- */

void facet_surface_point(const facet_surface *surface, const facet_surface_location *place,
                         double point[3])
{
    const uint32_t *t = surface->triangles + 3 * (size_t)place->triangle;
    for (int k = 0; k < 3; k++)
        point[k] = place->share[0] * surface->points[3 * (size_t)t[0] + k] +
                   place->share[1] * surface->points[3 * (size_t)t[1] + k] +
                   place->share[2] * surface->points[3 * (size_t)t[2] + k];
}

/* The share of a corner is the area of the triangle opposite to it, relative to the whole.
 * Without area, all shares are equal. */
void facet_surface_locate(const facet_surface *surface, uint32_t triangle, const double point[3],
                          facet_surface_location *place)
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    const double *corner[3];
    double spoke[3][3], whole[3], edge[2][3];
    for (int c = 0; c < 3; c++) {
        corner[c] = surface->points + 3 * (size_t)t[c];
        facet_subtract(corner[c], point, spoke[c]);
    }
    facet_subtract(corner[1], corner[0], edge[0]);
    facet_subtract(corner[2], corner[0], edge[1]);
    facet_cross(edge[0], edge[1], whole);
    double area = facet_dot(whole, whole), sum = 0;
    place->triangle = triangle;
    for (int c = 0; c < 3; c++) {
        double part[3];
        facet_cross(spoke[(c + 1) % 3], spoke[(c + 2) % 3], part);
        double share = area > 0 ? facet_dot(part, whole) / area : 1;
        place->share[c] = fmin(fmax(share, 0), 1);
        sum += place->share[c];
    }
    for (int c = 0; c < 3; c++)
        place->share[c] = sum > 0 ? place->share[c] / sum : 1.0 / 3;
}

/* -- Attributes --------------------------------------------------------- */

static uint32_t mesh_of(const facet_surface *surface, uint32_t triangle)
{
    uint32_t low = 0, high = surface->scene->mesh_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (surface->first[middle] <= triangle)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int facet_surface_value(const facet_surface *surface, const facet_surface_location *place,
                        facet_semantic semantic, uint32_t set, double value[4])
{
    uint32_t index = mesh_of(surface, place->triangle);
    const facet_mesh *mesh = surface->scene->meshes[index];
    const facet_stream *stream = facet_mesh_find(mesh, semantic, set);
    bool direction = semantic == FACET_NORMAL || semantic == FACET_TANGENT;
    if (!stream || stream->component != FACET_FLOAT32 || stream->components > 4)
        return 0;
    int count = semantic == FACET_NORMAL ? 3 : (int)stream->components;
    uint32_t corner = 3 * (place->triangle - surface->first[index]);
    bool flips_v = facet_axes_flips_v(&surface->scene->axes, false);
    float hand = surface->scene->axes.left_handed != flips_v ? -1 : 1;
    memset(value, 0, 4 * sizeof *value);
    for (int c = 0; c < 3; c++) {
        uint32_t element = stream->indices[corner + c];
        if (element == FACET_NONE)
            return 0;
        const float *from = (const float *)stream->data + (size_t)element * stream->components;
        float turned[4] = {0};
        memcpy(turned, from, (size_t)count * sizeof *from);
        if (direction)
            facet_axes_turn(&surface->scene->axes, turned);
        if (semantic == FACET_TEXCOORD && flips_v)
            turned[1] = 1 - turned[1];
        if (semantic == FACET_TANGENT)
            turned[3] *= hand;
        for (int k = 0; k < count; k++)
            value[k] += place->share[c] * turned[k];
    }
    if (direction)
        facet_normalize(value);
    if (semantic == FACET_COLOR && count == 3) {
        value[3] = 1;
        count = 4;
    }
    /* The third coordinate, of volume textures, is 0 if it is missing. */
    return semantic == FACET_TEXCOORD ? 3 : count;
}

static int add_weight(facet_surface_weight *weights, int count, int most, uint32_t joint,
                      double weight)
{
    int i = 0;
    while (i < count && weights[i].joint != joint)
        i++;
    if (i == count && count < most) {
        weights[count++] = (facet_surface_weight){joint, 0};
    }
    if (i < count)
        weights[i].weight += weight;
    return count;
}

int facet_surface_weights(const facet_surface *surface, const facet_surface_location *place,
                          facet_surface_weight *weights, int most)
{
    uint32_t index = mesh_of(surface, place->triangle);
    const facet_mesh *mesh = surface->scene->meshes[index];
    uint32_t corner = 3 * (place->triangle - surface->first[index]);
    int count = 0;
    const facet_stream *joints = NULL;
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *stream = &mesh->streams[s];
        if (stream->semantic != FACET_CUSTOM)
            continue;
        if (strcmp(stream->name, FACET_SURFACE_JOINTS) == 0)
            joints = stream;
        if (!joints || strcmp(stream->name, FACET_SURFACE_WEIGHTS) != 0)
            continue;
        for (int c = 0; c < 3; c++) {
            uint32_t j = joints->indices[corner + c], w = stream->indices[corner + c];
            if (j == FACET_NONE || w == FACET_NONE)
                continue;
            for (int k = 0; k < 4; k++) {
                double weight = place->share[c] * ((const float *)stream->data)[4 * (size_t)w + k];
                uint32_t joint = ((const uint32_t *)joints->data)[4 * (size_t)j + k];
                if (weight > 0)
                    count = add_weight(weights, count, most, joint, weight);
            }
        }
        joints = NULL;
    }
    return count;
}

/* The mirror of left-handed axes reverses the winding (scene/axes.h). */
void facet_surface_front(const facet_surface *surface, uint32_t triangle, double front[3])
{
    const uint32_t *t = surface->triangles + 3 * (size_t)triangle;
    double edge[2][3];
    for (int e = 0; e < 2; e++)
        facet_subtract(surface->points + 3 * (size_t)t[e + 1], surface->points + 3 * (size_t)t[0],
                       edge[e]);
    bool mirrored = surface->scene->axes.left_handed;
    facet_cross(edge[mirrored], edge[!mirrored], front);
}

uint32_t facet_surface_material(const facet_surface *surface, uint32_t triangle)
{
    uint32_t index = mesh_of(surface, triangle);
    const uint32_t *materials = surface->scene->meshes[index]->face_materials;
    uint32_t material = materials ? materials[triangle - surface->first[index]] : FACET_NONE;
    return material != FACET_NONE && surface->materials ? surface->materials[material] : material;
}
