/* mesh/tangents/space.h - what the files of the tangents pass share: the mesh as
 * MikkTSpace sees it, and the fan of corners around a vertex.
 *
 * MikkTSpace welds corners of equal position, normal and texture coordinate,
 * derives directions of increasing u and v per triangle, joins at each vertex
 * the triangles that are neighbors across an edge and agree in orientation,
 * and gives each such group the sum of its directions, projected into the
 * plane of the normal and weighted by corner angle. All but one step of this
 * looks at nothing beyond the triangles around one vertex. Around nearly every
 * vertex they are one closed ring of one kind; its sum is built in the order of
 * triangles, without knowing who is whose neighbor (sums.c). The other vertices
 * are looked at one by one, in any order and on any thread (fan.c). */
#ifndef FACET_MESH_TANGENTS_SPACE_H
#define FACET_MESH_TANGENTS_SPACE_H

#include <facet/mesh.h>

/* -- The mesh ----------------------------------------------------------- */

enum {
    TRIANGLE_DEGENERATE = 1, /* two corners at one place: takes part in nothing */
    TRIANGLE_ANY = 2,        /* no area in texture space: joins any group, adds nothing */
    TRIANGLE_POSITIVE = 4,   /* texture space is not mirrored */
    TRIANGLE_UNSETTLED = 8   /* only while such triangles are listed */
};

/* Unit directions of increasing u and v, or zero. */
typedef struct facet_tangent_directions {
    float s[3], t[3];
} facet_tangent_directions;

/* What the triangles around an id come to, in their order. */
typedef struct facet_tangent_sum {
    float s[4];   /* angle times s in the plane of the normal; the fourth: the angles */
    float t[4];   /* t; the fourth: 1 for each that is not mirrored, less 1 for each that is */
    float excess; /* by how much FACET_TANGENT_WIDEST is beyond the least angle; more than
                     itself where a corner can not be judged by its angle */
    uint32_t count;
    uint64_t balance; /* hashes of the next vertices less those of the previous ones: 0 when
                         both are the same vertices */
} facet_tangent_sum;
#define FACET_TANGENT_WIDEST 4.0f

/* Triangles that one thread sums up, and the ids that they name. */
#define FACET_TANGENT_PARTS 4
typedef struct facet_tangent_part {
    uint32_t begin, end;     /* triangles */
    uint32_t first, count;   /* ids */
    facet_tangent_sum *sums; /* of each of them */
} facet_tangent_part;

typedef struct facet_tangent_mesh {
    facet_arena *arena;
    const float *positions, *normals, *texcoords; /* per vertex */
    uint32_t texcoord_stride;                     /* floats: 2 or 3 */
    uint32_t vertex_count, triangle_count, corner_count;
    const uint32_t *vertices; /* per corner: its vertex, where its tangent goes */
    const uint32_t *ids;      /* per corner: the first vertex with the values of its vertex; the
                                 same array as `vertices` when no two have the same */

    uint8_t *flags; /* per triangle */
    bool has_any;   /* some triangles have no orientation */
    uint32_t part_count;
    facet_tangent_part parts[FACET_TANGENT_PARTS];
    uint32_t *ends;      /* per id: one past its last entry in `corners` */
    uint32_t *unsettled; /* triangles at ids that sums do not settle, in order */
    uint32_t unsettled_count;
    facet_tangent_directions *directions; /* of each of these */
    uint32_t *corners; /* those of such ids, by id, then by number: three times the place of the
                          triangle in `unsettled`, and which of its corners it is */
    uint32_t left;     /* how many they are */
    uint32_t widest;   /* most of them around one id */
    bool has_unused;   /* some vertices have no corner */

    /* What the mesh owns of the above, to give back. */
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

/* Set `mesh` up from a mesh of triangles: positions, vertices, ids. `distinct`: no two vertices
 * have the same values, and all share one index. In either
 * case facet_tangent_mesh_free gives back what it holds. */
facet_status facet_tangent_mesh_weld(facet_tangent_mesh *mesh, const facet_mesh *from,
                                     bool distinct, const facet_options *options,
                                     facet_error *error);
/* Add the triangles' flags, and the sums around ids. */
facet_status facet_tangent_mesh_measure(facet_tangent_mesh *mesh, const facet_options *options,
                                        facet_error *error);
/* Write the tangents of ids that their sums settle, and zeros for all others; then the sums are
 * released. Leaves the number of corners of each id that is not settled in `ends`. */
facet_status facet_tangent_mesh_settle(facet_tangent_mesh *mesh, float (*tangents)[4],
                                       const facet_options *options, facet_error *error);
/* List the triangles at ids that are not settled, while `ends` tells which; add their
 * directions. */
facet_status facet_tangent_mesh_direct(facet_tangent_mesh *mesh, const facet_options *options,
                                       facet_error *error);
/* Add these corners by id; give triangles an orientation that have none. */
facet_status facet_tangent_mesh_connect(facet_tangent_mesh *mesh, facet_error *error);
void facet_tangent_mesh_release_sums(facet_tangent_mesh *mesh);
void facet_tangent_mesh_free(facet_tangent_mesh *mesh);

/* -- Triangles ---------------------------------------------------------- */

/* Some triangles, one array per component. */
#define FACET_TANGENT_BLOCK 64
typedef struct facet_tangent_block {
    float position[3][3][FACET_TANGENT_BLOCK], normal[3][3][FACET_TANGENT_BLOCK]; /* per corner */
    float s[3][FACET_TANGENT_BLOCK], t[3][FACET_TANGENT_BLOCK]; /* edges, then directions */
    float u21[FACET_TANGENT_BLOCK], v21[FACET_TANGENT_BLOCK]; /* the same edges in texture space */
    float u31[FACET_TANGENT_BLOCK], v31[FACET_TANGENT_BLOCK];
    uint32_t kind[FACET_TANGENT_BLOCK]; /* flags, as far as texture space tells */
    float weighed[3][4][FACET_TANGENT_BLOCK], excess[3][FACET_TANGENT_BLOCK]; /* as in a sum */
    float sign[FACET_TANGENT_BLOCK];
} facet_tangent_block;

/* Edges to directions, and the kind. */
void facet_tangent_derive(facet_tangent_block *b, uint32_t count);
/* Then what each corner adds to the sum of its id. */
void facet_tangent_weigh(facet_tangent_block *b, uint32_t count);

/* -- Fans --------------------------------------------------------------- */

enum { FACET_FAN_NORMAL, FACET_FAN_S, FACET_FAN_TO_NEXT, FACET_FAN_TO_PREVIOUS, FACET_FAN_ROWS };

/* Space for the corners around one or several vertices, one array per
 * component, so that arithmetic runs over all of them in vector registers.
 * Corners stand in ascending order. */
typedef struct facet_fan {
    uint32_t count;
    float (*rows[FACET_FAN_ROWS])[4];   /* of each corner as they are gathered: the normal, s, and
                                           the edges; a fourth number that says nothing */
    float *normal[3], *s[3], *t[3];     /* s, t: in the plane of the normal, unit length or zero;
                                           t is there only while a fan is resolved in full */
    float *to_next[3], *to_previous[3]; /* edges, likewise */
    float *turns[3];                    /* at the first corner of an id: the sum of t of all, as
                                           the triangles have it */
    float *angle;                       /* at the corner, in radians */
    uint32_t *corner, *flags;
    uint32_t *place;            /* of its triangle among those that have directions */
    uint32_t *next, *previous;  /* ids of the other two corners of the triangle */
    uint32_t *left, *right;     /* places in the fan of the neighbors across the edges to the
                                   next and the previous corner, or FACET_NONE */
    uint32_t *group, *follower; /* of each corner: its group, the next corner in it */
    uint32_t *head, *tail, *size, *suspect; /* of each group */
    float *sum[3];                          /* of each group */
    uint32_t *result;                       /* of each corner: its tangent */
    float (*results)[4];
    uint32_t result_count;
    uint32_t (*extras)[2]; /* vertex and result of elements beyond one per vertex */
    uint64_t *keys;        /* two per corner, for sorting */
} facet_fan;

/* What a fan of a capacity takes: so many items of FACET_FAN_BYTES. Multiples
 * of four, so that every array starts on 16 bytes; one more result than
 * corners. */
#define FACET_FAN_CAPACITY(capacity) (((size_t)(capacity) + 4) & ~(size_t)3)
#define FACET_FAN_BYTES \
    ((22 + 4 * FACET_FAN_ROWS) * sizeof(float) + 16 * sizeof(uint32_t) + 4 * sizeof(float) + 16)

/* Lay a fan out in such memory, aligned to 16 bytes. */
void facet_fan_init(facet_fan *fan, void *memory, uint32_t capacity);
/* Append the corners of an id: what they are, their normal, edges and directions. */
void facet_fan_add(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t id);
/* Find neighbors among the `count` corners from `begin` on, which are those
 * of one id; places count from `begin`. */
void facet_fan_link(facet_fan *fan, uint32_t begin, uint32_t count);
/* Lay vectors into the planes of the normals: unit length, or zero. */
void facet_fan_flatten(const facet_fan *fan, float *const v[3], uint32_t begin, uint32_t count);
/* Make arrays of the rows; lay s and the edges of all corners into the planes of the
 * normals; compute the angles. */
void facet_fan_measure(facet_fan *fan);
/* Find the groups and their tangents: result and results. */
void facet_fan_resolve(facet_fan *fan, const facet_tangent_mesh *mesh, uint32_t begin,
                       uint32_t count);

/* Make a tangent of a group's sum: false when nothing is left of it. */
bool facet_tangent_finish(const float sum[3], const float normal[3], float tangent[3]);
/* True when no two of `count` directions of t are opposite in the plane of the normal, as far as
 * their sum tells. */
bool facet_tangent_turns_agree(const float normal[3], const float sum[3], uint32_t count);
/* Some unit vector orthogonal to `normal`, finite whatever that holds. */
void facet_tangent_fallback(const float normal[3], float tangent[3]);

#endif
