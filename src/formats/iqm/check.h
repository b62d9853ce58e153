/* formats/iqm/check.h - the parts of a check. */
#ifndef FACET_IQM_CHECK_H
#define FACET_IQM_CHECK_H

#include "base/report.h"
#include "formats/iqm/file.h"

/* The state of a check. The sections in the layout are inside the file. */
typedef struct facet_iqm_checker {
    facet_iqm_layout layout;
    bool whole[FACET_IQM_PART_COUNT]; /* true if that part of facet_iqm_verify succeeded */
    facet_arena *arena;
    facet_report *report;
    const facet_options *options;
    facet_error *error;
} facet_iqm_checker;

/* Check the values of vertices: normals, tangents, weights (check_vertices.c). */
facet_status facet_iqm_check_vertices(facet_iqm_checker *checker);

/* Check meshes, triangles and their neighbors (check_triangles.c). */
facet_status facet_iqm_check_triangles(facet_iqm_checker *checker);

/* Check joints, poses, animations, bounds (check_motion.c). */
facet_status facet_iqm_check_motion(facet_iqm_checker *checker);

#endif
