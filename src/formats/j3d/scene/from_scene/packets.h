/* formats/j3d/scene/from_scene/packets.h - triangles to packets of at most ten matrices. */
#ifndef FACET_J3D_FROM_SCENE_PACKETS_H
#define FACET_J3D_FROM_SCENE_PACKETS_H

#include <facet/base.h>

/* A range of triangles that ten matrices can draw. */
typedef struct facet_j3d_packet_plan {
    uint32_t first, count; /* range in `order` */
    uint32_t matrix_count;
    uint32_t matrices[10]; /* by slot */
} facet_j3d_packet_plan;

typedef struct facet_j3d_packet_plans {
    uint32_t *order; /* all triangles, sorted by packet */
    facet_j3d_packet_plan *packets;
    uint32_t packet_count;
} facet_j3d_packet_plans;

/* Split triangles into packets. matrix_of[v] is the matrix of vertex v, below `matrix_count`.
 * Results are in `arena`. Greedy: a packet grows by the matrix that completes most triangles.
 * Expected time is linear for meshes whose matrices have few neighbors. */
facet_status facet_j3d_make_packets(facet_arena *arena, const uint32_t *triangles, uint32_t count,
                                    const uint32_t *matrix_of, uint32_t matrix_count,
                                    facet_j3d_packet_plans *plans, facet_error *error);

#endif
