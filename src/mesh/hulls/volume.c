/* mesh/hulls/volume.c - the volume of the hull of a few points.
 *
 * The search for cuts computes hundreds of thousands of such volumes, of about a dozen points
 * each. For so few points, setting up qhull takes longer than the computation. Points are added
 * one by one. The faces that see a new point are removed, and the edges between them and the
 * other faces are connected to it. These edges are found only by their directions, so the
 * surface stays closed despite rounding. */
#include "mesh/hulls/volume.h"

#include "mesh/vector.h"

#include <math.h>
#include <string.h>

#define MAX_FACES (4 * FACET_FEW_POINTS)

/* A point counts as in a face below this distance, as a share of the size of the set. */
#define IN_FACE 1e-13

typedef struct face {
    uint8_t corners[3]; /* counter-clockwise from outside */
    double normal[3];   /* its length is twice the area */
    double offset;
} face;

typedef struct hull {
    const double *points;
    face faces[MAX_FACES];
    uint32_t count;
    uint64_t edges[FACET_FEW_POINTS]; /* bit b of entry a: a removed face has the edge from a to
                                         b */
    double in_face;
} hull;

static bool add_face(hull *h, uint32_t a, uint32_t b, uint32_t c)
{
    if (h->count == MAX_FACES)
        return false;
    face *f = &h->faces[h->count++];
    double u[3], v[3];
    f->corners[0] = (uint8_t)a;
    f->corners[1] = (uint8_t)b;
    f->corners[2] = (uint8_t)c;
    facet_subtract(h->points + 3 * (size_t)b, h->points + 3 * (size_t)a, u);
    facet_subtract(h->points + 3 * (size_t)c, h->points + 3 * (size_t)a, v);
    facet_cross(u, v, f->normal);
    f->offset = facet_dot(f->normal, h->points + 3 * (size_t)a);
    return true;
}

static bool sees(const hull *h, const face *f, const double *point)
{
    double height = facet_dot(f->normal, point) - f->offset;
    return height > 0 && height * height > h->in_face * facet_dot(f->normal, f->normal);
}

static bool add_point(hull *h, uint32_t number)
{
    const double *point = h->points + 3 * (size_t)number;
    uint8_t going[MAX_FACES][3];
    uint32_t gone = 0, kept = 0;
    for (uint32_t i = 0; i < h->count; i++) {
        if (sees(h, &h->faces[i], point))
            memcpy(going[gone++], h->faces[i].corners, sizeof going[0]);
        else
            h->faces[kept++] = h->faces[i];
    }
    if (gone == 0)
        return true;
    h->count = kept;
    memset(h->edges, 0, sizeof h->edges);
    for (uint32_t i = 0; i < gone; i++) {
        for (int k = 0; k < 3; k++)
            h->edges[going[i][k]] |= UINT64_C(1) << going[i][(k + 1) % 3];
    }
    for (uint32_t i = 0; i < gone; i++) {
        for (int k = 0; k < 3; k++) {
            uint32_t a = going[i][k], b = going[i][(k + 1) % 3];
            if (!(h->edges[b] >> a & 1) && !add_face(h, a, b, number))
                return false;
        }
    }
    return true;
}

/* -- The first four ----------------------------------------------------- */

/* Squared distance of a point from the line through `origin` along `unit`. */
static double beside(const double *origin, const double *unit, const double *point)
{
    double from[3], across[3];
    facet_subtract(point, origin, from);
    facet_cross(unit, from, across);
    return facet_dot(across, across);
}

/* Choose four points far from one another: the first, the farthest from it, the farthest from
 * their line, and the farthest from their plane. False if the points are nearly flat. */
static bool choose_four(hull *h, uint32_t count, uint32_t *four)
{
    const double *p = h->points, *origin = p;
    double most = 0, along[3], normal[3], from[3];
    for (uint32_t i = 1; i < count; i++) {
        facet_subtract(p + 3 * (size_t)i, origin, from);
        double far = facet_dot(from, from);
        if (far > most) {
            most = far;
            four[1] = i;
        }
    }
    if (!(most > 0))
        return false;
    h->in_face = IN_FACE * IN_FACE * most;
    facet_subtract(p + 3 * (size_t)four[1], origin, along);
    for (int k = 0; k < 3; k++)
        along[k] /= sqrt(most);
    most = h->in_face;
    for (uint32_t i = 1; i < count; i++) {
        double far = beside(origin, along, p + 3 * (size_t)i);
        if (far > most) {
            most = far;
            four[2] = i;
        }
    }
    if (four[2] == 0)
        return false;
    facet_subtract(p + 3 * (size_t)four[2], origin, from);
    facet_cross(along, from, normal);
    most = 0;
    for (uint32_t i = 1; i < count; i++) {
        facet_subtract(p + 3 * (size_t)i, origin, from);
        double height = facet_dot(normal, from);
        if (fabs(height) > fabs(most)) {
            most = height;
            four[3] = i;
        }
    }
    if (most > 0) { /* the fourth point must be behind the face of the first three */
        uint32_t other = four[1];
        four[1] = four[2];
        four[2] = other;
    }
    return most * most > h->in_face * facet_dot(normal, normal);
}

/* -- The volume --------------------------------------------------------- */

bool facet_few_points_volume(const double *points, uint32_t count, double *volume)
{
    hull h = {.points = points};
    uint32_t four[4] = {0};
    *volume = 0;
    if (count > FACET_FEW_POINTS)
        return false;
    if (count < 4 || !choose_four(&h, count, four))
        return true;
    add_face(&h, four[0], four[1], four[2]);
    add_face(&h, four[0], four[2], four[3]);
    add_face(&h, four[2], four[1], four[3]);
    add_face(&h, four[1], four[0], four[3]);
    for (uint32_t i = 0; i < count; i++) {
        if (i != four[0] && i != four[1] && i != four[2] && i != four[3] && !add_point(&h, i))
            return false;
    }
    /* Sum six times the volume between each face and the first point. */
    double sum = 0;
    for (uint32_t i = 0; i < h.count; i++)
        sum += h.faces[i].offset - facet_dot(h.faces[i].normal, points);
    *volume = sum / 6;
    return true;
}
