/* formats/bsm/check.h - shared functions of the check. */
#ifndef FACET_BSM_CHECK_H
#define FACET_BSM_CHECK_H

#include "base/bytes.h"
#include "base/report.h"
#include "formats/bsm/duplicates.h"
#include "formats/bsm/survey.h"

/* Counts of the errors of triangles. */
typedef struct facet_bsm_triangle_tallies {
    facet_tally range, degenerate, zero_area, winding, hand_uv, hand_mixed;
} facet_bsm_triangle_tallies;

/* The state of a check. The layout has every array that is inside the file; for others, its count
 * is 0, whatever the header says. */
typedef struct facet_bsm_checker {
    facet_bsm_layout layout;
    int64_t stated[FACET_BSM_ARRAY_COUNT]; /* counts in the header; -1 if negative */
    const facet_options *options;
    facet_report *report;
    facet_arena *arena; /* freed after the check */
    facet_bsm_tables tables;
    double longest_normal; /* upper bound of the square of the longest normal's length */
    facet_bsm_survey survey;
    facet_bsm_triangle_tallies triangles;
    uint32_t *triangle_hashes;
    facet_bsm_search equal_vertices, equal_triangles;
} facet_bsm_checker;

/* Check every float, the normals and the tangents. */
void facet_bsm_check_vertices(facet_bsm_checker *checker);
/* Check all triangles, and find duplicates, on the caller's threads. Other functions report the
 * results. */
facet_status facet_bsm_survey_triangles(facet_bsm_checker *checker, facet_error *error);
/* Report duplicate vertices. */
facet_status facet_bsm_check_equal_vertices(facet_bsm_checker *checker, facet_error *error);
/* Check the header's box and sphere against the positions. */
void facet_bsm_check_bounds(facet_bsm_checker *checker);
/* Check the indices, shape, winding and handedness of triangles, and report duplicates. */
facet_status facet_bsm_check_triangles(facet_bsm_checker *checker, facet_error *error);
/* Check the triangle ranges and material names of meshes. */
facet_status facet_bsm_check_meshes(facet_bsm_checker *checker, facet_error *error);
/* Check the collision hulls and the occluder. */
facet_status facet_bsm_check_hulls(facet_bsm_checker *checker, facet_error *error);
facet_status facet_bsm_check_occluder(facet_bsm_checker *checker, facet_error *error);

/* -- Access ------------------------------------------------------------- */

static inline const uint8_t *facet_bsm_record(const facet_bsm_checker *checker,
                                              facet_bsm_array array, size_t index)
{
    return checker->layout.raw[array] + index * facet_bsm_array_infos[array].record_size;
}

/* Offset of a record in the file. */
static inline uint64_t facet_bsm_offset_of(const facet_bsm_checker *checker, facet_bsm_array array,
                                           uint64_t index)
{
    return checker->layout.offset[array] + index * facet_bsm_array_infos[array].record_size;
}

typedef struct facet_bsm_vector {
    double x, y, z;
} facet_bsm_vector;

static inline facet_bsm_vector facet_bsm_load_vector(const uint8_t *at)
{
    facet_bsm_vector v = {(double)facet_load_f32le(at), (double)facet_load_f32le(at + 4),
                          (double)facet_load_f32le(at + 8)};
    return v;
}

static inline facet_bsm_vector facet_bsm_subtract(facet_bsm_vector a, facet_bsm_vector b)
{
    facet_bsm_vector v = {a.x - b.x, a.y - b.y, a.z - b.z};
    return v;
}

static inline double facet_bsm_dot(facet_bsm_vector a, facet_bsm_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline facet_bsm_vector facet_bsm_cross(facet_bsm_vector a, facet_bsm_vector b)
{
    facet_bsm_vector v = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return v;
}

/* The header's box, extended by the tolerance of the rules for positions outside it
 * (check_bounds.c). */
typedef struct facet_bsm_box {
    double minimum[3], maximum[3];
} facet_bsm_box;
facet_bsm_box facet_bsm_tolerant_box(const facet_bsm_layout *layout);
static inline bool facet_bsm_outside(const facet_bsm_box *box, facet_bsm_vector p)
{
    return p.x < box->minimum[0] || p.x > box->maximum[0] || p.y < box->minimum[1] ||
           p.y > box->maximum[1] || p.z < box->minimum[2] || p.z > box->maximum[2];
}

/* -- Marks -------------------------------------------------------------- */

/* One bit per item. */
static inline void facet_bsm_mark(uint64_t *marks, uint32_t item)
{
    marks[item / 64] |= UINT64_C(1) << item % 64;
}

/* (check_triangles.c) Zeroed marks for `count` items. On failure, NULL and *error. */
uint64_t *facet_bsm_marks_create(facet_bsm_checker *checker, uint32_t count, facet_error *error);
/* Free the marks, and return the items that were not marked. */
facet_tally facet_bsm_marks_finish(facet_bsm_checker *checker, uint64_t *marks, uint32_t count);

#endif
