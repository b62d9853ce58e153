/* mesh/tangents/space.h - declarations shared by the tangents pass: the mesh as MikkTSpace
 * defines it, and the fan of corners around a vertex.
 *
 * - MikkTSpace welds corners of equal position, normal and texture coordinate.
 * - It derives the directions of increasing u and v of each triangle.
 * - At each vertex, it joins triangles that are neighbors across an edge and agree in
 *   orientation.
 * - It gives each such group the sum of its directions, projected into the plane of the normal
 *   and weighted by corner angle.
 *
 * All steps but one use only the triangles around one vertex. Around nearly every vertex, these
 * form one closed ring of one kind. Its sum is built in the order of triangles, without a search
 * for neighbors (sums.c). The other vertices are processed one by one, in any order and on any
 * thread (fan.c). */
#ifndef FACET_MESH_TANGENTS_SPACE_H
#define FACET_MESH_TANGENTS_SPACE_H

#include <facet/mesh.h>

/* -- The mesh ----------------------------------------------------------- */

enum {
    TRIANGLE_DEGENERATE = 1, /* two corners at one position: the triangle is ignored */
    TRIANGLE_ANY = 2,        /* no area in texture space: joins any group, adds nothing */
    TRIANGLE_POSITIVE = 4,   /* texture space is not mirrored */
    TRIANGLE_UNSETTLED = 8   /* set only while such triangles are listed */
};

/* Unit directions of increasing u and v, or zero. */
typedef struct facet_tangent_directions {
    float s[3], t[3];
} facet_tangent_directions;

/* Sums over the triangles around an id, in the order of the triangles. */
typedef struct facet_tangent_sum {
    float s[4];   /* sum of angle times s, in the plane of the normal; the fourth: sum of the
                     angles */
    float t[4];   /* sum of t; the fourth: number of triangles that are not mirrored, minus number
                     of mirrored ones */
    float excess; /* FACET_TANGENT_WIDEST minus the least angle; more than FACET_TANGENT_WIDEST if
                     the angle of a corner is not reliable */
    uint32_t count;
    uint64_t balance; /* hashes of the next vertices minus those of the previous ones; 0 if both are
                         the same vertices */
} facet_tangent_sum;
#define FACET_TANGENT_WIDEST 4.0f

/* A part: triangles that one thread sums up, and the range of ids that they use. */
#define FACET_TANGENT_PARTS 4
typedef struct facet_tangent_part {
    uint32_t begin, end;     /* range of triangles */
    uint32_t first, count;   /* range of ids */
    facet_tangent_sum *sums; /* one per id */
} facet_tangent_part;

typedef struct facet_tangent_mesh {
    facet_arena *arena;
    const float *positions, *normals, *texcoords; /* per vertex */
    uint32_t texcoord_stride;                     /* in floats: 2 or 3 */
    uint32_t vertex_count, triangle_count, corner_count;
    const uint32_t *vertices; /* per corner: its vertex, which gets its tangent */
    const uint32_t *ids;      /* per corner: the first vertex with the same values as its vertex;
                                 the same array as `vertices` if all values differ */

    uint8_t *flags; /* per triangle */
    bool has_any;   /* some triangles have no orientation */
    uint32_t part_count;
    facet_tangent_part parts[FACET_TANGENT_PARTS];
    uint32_t *ends;      /* per id: end of its entries in `corners` */
    uint32_t *unsettled; /* triangles at ids that sums do not settle, in order */
    uint32_t unsettled_count;
    facet_tangent_directions *directions; /* per unsettled triangle */
    uint32_t *corners; /* corners of such ids, by id, then by number. The number is three times the
                          index in `unsettled`, plus the corner of the triangle */
    uint32_t left;     /* number of entries in `corners` */
    uint32_t widest;   /* largest number of entries for one id */
    bool has_unused;   /* some vertices have no corner */

    /* Arrays above that the mesh owns and must release; NULL if it does not own the array. */
    float *own_values;
    uint32_t *own_vertices, *own_ids;
} facet_tangent_mesh;

static inline uint32_t facet_tangent_begin(const facet_tangent_mesh *mesh, uint32_t id)
{
    return id == 0 ? 0 : mesh->ends[id - 1];
}
static inline uint32_t facet_tangent_valence(const facet_tangent_mesh *mesh, uint32_t id)
{
    return mesh->ends[id] - facet_tangent_begin(mesh, id);
}

/* Initialize `mesh` from a mesh of triangles: positions, vertices, ids. `distinct`: all vertices
 * differ in their values, and share one index. Release with facet_tangent_mesh_free, also after
 * a failure. */
facet_status facet_tangent_mesh_weld(facet_tangent_mesh *mesh, const facet_mesh *from,
                                     bool distinct, const facet_options *options,
                                     facet_error *error);
/* Add the flags of the triangles, and the sums around ids. */
facet_status facet_tangent_mesh_measure(facet_tangent_mesh *mesh, const facet_options *options,
                                        facet_error *error);
/* Write the tangents of ids that their sums settle, and zeros for all others; then release the
 * sums. `ends` becomes the number of corners of each unsettled id. */
facet_status facet_tangent_mesh_finish(facet_tangent_mesh *mesh, float (*tangents)[4],
                                       const facet_options *options, facet_error *error);
/* List the triangles at unsettled ids, while `ends` still marks these; add their directions. */
facet_status facet_tangent_mesh_direct(facet_tangent_mesh *mesh, const facet_options *options,
                                       facet_error *error);
/* Sort the corners of these ids, and give an orientation to triangles without one. */
facet_status facet_tangent_mesh_connect(facet_tangent_mesh *mesh, facet_error *error);
void facet_tangent_mesh_release_sums(facet_tangent_mesh *mesh);
void facet_tangent_mesh_free(facet_tangent_mesh *mesh);

/* -- Triangles ---------------------------------------------------------- */

/* A block of triangles, with one array per component. */
#define FACET_TANGENT_BLOCK 64
typedef struct facet_tangent_block {
    float position[3][3][FACET_TANGENT_BLOCK], normal[3][3][FACET_TANGENT_BLOCK]; /* per corner */
    float s[3][FACET_TANGENT_BLOCK], t[3][FACET_TANGENT_BLOCK]; /* edges; later, directions */
    float u21[FACET_TANGENT_BLOCK], v21[FACET_TANGENT_BLOCK]; /* the same edges in texture space */
    float u31[FACET_TANGENT_BLOCK], v31[FACET_TANGENT_BLOCK];
    uint32_t kind[FACET_TANGENT_BLOCK]; /* flags, as far as they follow from texture space */
    float weighed[3][4][FACET_TANGENT_BLOCK], excess[3][FACET_TANGENT_BLOCK]; /* as in a sum */
    float sign[FACET_TANGENT_BLOCK];
} facet_tangent_block;

/* Replace the edges by directions, and compute the kind. */
void facet_tangent_derive(facet_tangent_block *b, uint32_t count);
/* Then compute what each corner adds to the sum of its id. */
void facet_tangent_weigh(facet_tangent_block *b, uint32_t count);

/* -- Fans --------------------------------------------------------------- */

enum { FACET_FAN_NORMAL, FACET_FAN_S, FACET_FAN_TO_NEXT, FACET_FAN_TO_PREVIOUS, FACET_FAN_ROWS };

/* The corners around one or several vertices, in ascending order. One array per component allows
 * arithmetic on all of them in vector registers. */
typedef struct facet_fan {
    uint32_t count;
    float (*rows[FACET_FAN_ROWS])[4];   /* per corner, as gathered: the normal, s, and the edges;
                                           the fourth number is unused */
    float *normal[3], *s[3], *t[3];     /* s, t: in the plane of the normal, unit length or zero; t
                                           is valid only while a fan is resolved in full */
    float *to_next[3], *to_previous[3]; /* edges, likewise in the plane of the normal */
    float *turns[3];                    /* at the first corner of an id: the sum of t of all its
                                           corners, not projected */
    float *angle;                       /* per corner, in radians */
    uint32_t *corner, *flags;
    uint32_t *place;            /* index of its triangle among those that have directions */
    uint32_t *next, *previous;  /* ids of the other two corners of the triangle */
    uint32_t *left, *right;     /* indices in the fan of the neighbors across the edges to the next
                                   and the previous corner, or FACET_NONE */
    uint32_t *group, *follower; /* per corner: its group, and the next corner of the group */
    uint32_t *head, *tail, *size, *suspect; /* per group */
    float *sum[3];                          /* per group */
    uint32_t *result;                       /* per corner: index of its tangent in `results` */
    float (*results)[4];
    uint32_t result_count;
    uint32_t (*extras)[2]; /* vertex and result of elements beyond one per vertex */
    uint64_t *keys;        /* two per corner, for sorting */
} facet_fan;

/* Capacity of a fan, as the number of items of FACET_FAN_BYTES. It is a multiple of four, so
 * that every array is aligned to 16 bytes, and leaves space for one more result than corners. */
#define FACET_FAN_CAPACITY(capacity) (((size_t)(capacity) + 4) & ~(size_t)3)
#define FACET_FAN_BYTES \
    ((22 + 4 * FACET_FAN_ROWS) * sizeof(float) + 16 * sizeof(uint32_t) + 4 * sizeof(float) + 16)

/* Place a fan in such memory, which must be aligned to 16 bytes. */
void facet_fan_init(facet_fan *fan, void *memory, uint32_t capacity);
/* Append the corners of an id: their flags, normals, edges and directions. */
void facet_fan_add(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t id);
/* Find neighbors among the `count` corners from `begin` on, which must be those of one id.
 * Indices are relative to `begin`. */
void facet_fan_link(facet_fan *fan, uint32_t begin, uint32_t count);
/* Project vectors into the planes of the normals, and scale them to unit length; or zero. */
void facet_fan_flatten(const facet_fan *fan, float *const v[3], uint32_t begin, uint32_t count);
/* Convert the rows to arrays, project s and the edges of all corners into the planes of the
 * normals, and compute the angles. */
void facet_fan_measure(facet_fan *fan);
/* Find the groups and their tangents, as `result` and `results`. */
void facet_fan_resolve(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t begin,
                       uint32_t count);

/* Compute a tangent from the sum of a group; false if the sum has no direction. */
bool facet_tangent_finish(const float sum[3], const float normal[3], float tangent[3]);
/* True if the sum shows that no two of `count` directions of t are opposite in the plane of the
 * normal. */
bool facet_tangent_turns_agree(const float normal[3], const float sum[3], uint32_t count);
/* A unit vector orthogonal to `normal`, finite for any input. */
void facet_tangent_fallback(const float normal[3], float tangent[3]);

#endif
