/* render/render.h - declarations that the files of the renderer share.
 *
 * A scene consists of instances (a mesh with a transform) and batches (a sequence of their
 * triangles with one material). The steps of drawing:
 *
 *   - motion    materials at the time of the animation                  motion.c
 *   - pose      vertices with transforms, normals and tangents          pose.c
 *   - view      vertices on the screen, in 256ths of a sample           view.c
 *   - strokes   lines and points                                        strokes.c
 *   - light     from an environment, if one is given                    surroundings.c
 *   - ground    the shadow on it, if wanted                             ground.c
 *   - bins      the clipped triangles in each tile of samples           bins.c
 *   - tiles     the nearest surface at each sample, then its color      tile.c
 *   - colors    of physically based materials                           shade.c, light.c
 *   - colors    of console materials                                    console.c
 *   - colors    of data to inspect                                      inspect.c
 *
 * Tiles and chunks have fixed sizes, so that the number of threads does not change the result. */
#ifndef FACET_RENDER_RENDER_H
#define FACET_RENDER_RENDER_H

#include "base/arena.h"
#include "base/atomic.h"
#include "base/scratch.h"
#include "gx/sample.h"
#include "gx/tev.h"
#include "gx/vertex.h"

#include <facet/gx_material.h>
#include <facet/pose.h>
#include <facet/render.h>
#include <string.h>

/* -- Textures (texture.c) ----------------------------------------------- */

enum { FACET_RENDER_LEVELS = 15 };

/* A decoded image with its mip levels: RGBA, top row first. */
typedef struct facet_render_image {
    uint32_t level_count; /* 0: no image */
    bool has_alpha;       /* at least one texel is not opaque */
    facet_gx_level levels[FACET_RENDER_LEVELS];
} facet_render_image;

/* A texture map of a material. */
typedef struct facet_render_map {
    const facet_render_image *image; /* NULL: no texture */
    uint32_t uv_set;
    bool is_color; /* values are sRGB */
    bool mips, nearest;
    facet_wrap wrap_u, wrap_v;
    float rows[2][3]; /* from texcoords to image coordinates, with v down */
} facet_render_map;

/* Uses of an image by the materials that are drawn. */
typedef struct facet_render_use {
    bool any;    /* otherwise the image is not decoded */
    bool color;  /* a map reads it as sRGB */
    bool levels; /* smaller mip levels are needed */
} facet_render_use;

/* Decode the used images. */
facet_status facet_render_images(const facet_scene *scene, const facet_render_use *uses,
                                 facet_arena *arena, facet_render_image *images,
                                 const facet_options *options, facet_error *error);
/* Sample a map at u, v. The result is linear. `step_squared` is the squared length, in texels, of a
 * step to the next sample. */
void facet_render_sample(const facet_render_map *map, const float uv[2], float step_squared,
                         float out[4]);

/* Conversion from an sRGB byte to a linear value, and back (color.c). */
extern const float facet_render_linear[256];
/* A table for conversion to sRGB bytes. The upper 16 bits of a float from 2^-13 to 1 select a slot,
 * which has the byte of the slot's first value. A slot spans at most two bytes: its own and the
 * next. */
enum {
    FACET_RENDER_SLOT = 16,
    FACET_RENDER_FIRST_SLOT = (127 - 13) << (23 - FACET_RENDER_SLOT),
    FACET_RENDER_SLOTS = 13 << (23 - FACET_RENDER_SLOT)
};
extern const uint8_t facet_render_slots[FACET_RENDER_SLOTS];
static inline uint8_t facet_render_to_byte(float linear)
{
    uint32_t bits;
    if (!(linear >= 1.0f / 8192)) /* half of byte 1 is larger than that */
        return 0;
    if (linear >= 1)
        return 255;
    memcpy(&bits, &linear, sizeof bits);
    uint32_t low = facet_render_slots[(bits >> FACET_RENDER_SLOT) - FACET_RENDER_FIRST_SLOT];
    /* The encoded mean of two bytes is close to the mean of their linear values. */
    float middle = (facet_render_linear[low] + facet_render_linear[low + 1]) / 2;
    return (uint8_t)(low + (linear >= middle));
}

/* -- Materials (material.c) --------------------------------------------- */

typedef enum facet_render_kind {
    FACET_RENDER_SOLID, /* opaque, or masked by alpha */
    FACET_RENDER_CONSOLE,
    FACET_RENDER_BLENDED
} facet_render_kind;

typedef struct facet_render_material {
    facet_render_kind kind;
    bool masked, blended, unlit, culls;
    const struct facet_render_coating *coating; /* material extensions; NULL: none */
    float base[4], emissive[3];
    float metallic, roughness, cutoff, normal_scale, occlusion;
    facet_render_map color, opacity, metal_rough, metal, rough, normal, occluded, emits;
    bool needs_uv; /* true if any map exists */
    bool v_down;   /* for tangents: the bitangent points down in images */
    /* Members of console materials. */
    const facet_gx_material *gx;
    facet_gx_program program;
    facet_gx_texture_unit units[8];
    facet_gx_light lights[8];
    bool skipped; /* helper of a multi-pass effect that is not drawn */
} facet_render_material;

/* Variants of each material of the scene, for its lines and points. */
enum facet_render_stroke_material {
    FACET_RENDER_UNLIT_STROKE, /* without normals */
    FACET_RENDER_LIT_STROKE,
    FACET_RENDER_STROKE_MATERIALS
};

/* Set all materials, after the batches are known: these decide what is drawn. */
facet_status facet_render_materials(facet_renderer *renderer, const facet_options *options,
                                    facet_error *error);
/* Set one material. It need not be the scene's own, and console materials may have another
 * state. */
facet_status facet_render_set_material(const facet_renderer *renderer, const facet_material *from,
                                       facet_arena *arena, facet_render_material *to,
                                       facet_error *error);
/* Set the variants of a material for lines and points. */
facet_status facet_render_set_strokes(const facet_renderer *renderer, const facet_material *from,
                                      facet_arena *arena,
                                      facet_render_material to[FACET_RENDER_STROKE_MATERIALS],
                                      facet_error *error);
void facet_render_set_console(const facet_renderer *renderer, const facet_material *from,
                              const facet_gx_material *gx, facet_render_material *to);
/* Index into renderer->materials of the variants of a material for lines and points. */
uint32_t facet_render_stroke_material(const facet_renderer *renderer, uint32_t material);

/* -- The prepared scene ------------------------------------------------- */

typedef struct facet_render_instance {
    const facet_mesh *mesh;
    uint32_t node; /* FACET_NONE: at the origin */
    uint32_t first_vertex, vertex_count;
    const uint32_t *corners; /* three per triangle */
    const facet_stream *positions, *normals, *tangents, *joints, *weights;
    const float *texcoords[8];
    uint32_t texcoord_components[8];
    const facet_stream *colors; /* linear floats */
    const uint8_t *stored[2];   /* colors in the console's format, or NULL */
    const facet_stream *color1;
    const uint8_t *texture_matrices[8]; /* texture matrix of each vertex, as a console model selects
                                         * it; NULL: none */
    const float *normal_lengths; /* original length of each normal, for texture coordinates; NULL:
                                  * all 1 */
    bool is_overlay;             /* Set for lines and points, NULL for faces. They have four
                                  * vertices each, at vertices of instance `source`: ends_per_stroke
                                  * indices for each line or point. */
    /* For lines and points, four vertices each: the connected vertices of instance `source`. NULL:
     * faces. */
    const uint32_t *ends;
    uint32_t ends_per_stroke, source;
} facet_render_instance;

/* Index in the mesh's streams of a vertex of the instance. */
static inline uint32_t facet_render_source_vertex(const facet_render_instance *instance,
                                                  uint32_t vertex)
{
    if (!instance->ends)
        return vertex;
    bool is_second = vertex % 4 == 1 || vertex % 4 == 2;
    return instance->ends[vertex / 4 * instance->ends_per_stroke +
                          (is_second ? instance->ends_per_stroke - 1 : 0)];
}

typedef struct facet_render_batch {
    uint32_t instance, material; /* index into renderer->materials */
    uint32_t first_face, face_count;
    uint32_t scene_material; /* FACET_NONE: none */
    unsigned modes;          /* 0: in all modes; otherwise only in these modes */
} facet_render_batch;

/* Materials that are not in the scene. */
enum facet_render_extra {
    FACET_RENDER_NO_MATERIAL,
    FACET_RENDER_HULL,
    FACET_RENDER_OCCLUDERS,
    FACET_RENDER_STROKE,       /* lines and points with normals: their color, lit */
    FACET_RENDER_FLAT_STROKE,  /* lines and points without normals: their color, unlit */
    FACET_RENDER_PLAIN_STROKE, /* lines and points without colors: dark, unlit */
    FACET_RENDER_EXTRAS
};

struct facet_renderer {
    facet_arena *arena;
    const facet_scene *scene;
    float turn[16]; /* from the scene's axes to +Y up */
    facet_render_image *images;
    /* Materials of the scene, then facet_render_extra, then facet_render_stroke_materials. */
    facet_render_material *materials;
    uint32_t material_count;
    bool has_painted_strokes; /* lines or points have materials of the scene */
    facet_render_instance *instances;
    uint32_t instance_count;
    facet_render_batch *batches;
    uint32_t batch_count;
    uint32_t vertex_count;
    bool has_console, has_ramps; /* has_ramps: light 0 is red */
};

/* -- One picture -------------------------------------------------------- */

enum {
    FACET_RENDER_SAMPLES = 16384, /* maximal samples on a side of a picture */
    FACET_RENDER_TILE = 64,       /* samples on a side */
    FACET_RENDER_CHUNK = 4096,    /* triangles that are binned together */
    FACET_RENDER_VERTICES = 8192  /* vertices that are transformed together */
};

/* Work of a picture, in units of about a nanosecond on one processor. Each triangle visits the
 * samples of its box, in each tile. Transparent triangles visit them again for each layer behind
 * the first. Data of the file decides how often; the size of the picture does not bound it, so it
 * is counted and limited. The color of the nearest solid surface is not counted, because there is
 * one for each sample. */
enum {
    FACET_RENDER_WORK_TILE = 128,   /* prepare a triangle for a tile */
    FACET_RENDER_WORK_VISIT = 2,    /* test a sample of its box */
    FACET_RENDER_WORK_ALPHA = 32,   /* alpha of a masked material */
    FACET_RENDER_WORK_COLOR = 64,   /* color of a transparent layer; for each light of the scene, */
    FACET_RENDER_WORK_LAMP = 16,    /* this is added */
    FACET_RENDER_WORK_LOOK = 1024,  /* the same, with material extensions */
    FACET_RENDER_WORK_CONSOLE = 64, /* color of a console material, with this for each stage */
    FACET_RENDER_WORK_STAGE = 32,
    /* The limit is a fixed part, and parts for each sample and each triangle. All are multiplied by
     * facet_options.growth_limit. By default it is about 13 s for 4,096 x 4,096 samples. */
    FACET_RENDER_WORK_FIXED = 1 << 28,
    FACET_RENDER_WORK_SAMPLE = 32,
    FACET_RENDER_WORK_TRIANGLE = 64,
    /* Units that are counted at once, so that a size_t of 32 bits can count them. */
    FACET_RENDER_WORK_BLOCK = 4096
};

/* A vertex on the screen. */
typedef struct facet_render_point {
    int32_t x, y;     /* 256ths of a sample */
    float reciprocal; /* 1 / w, w: distance along the view */
    float depth;      /* 1 near, 0 far; linear on the screen */
} facet_render_point;

/* Vertex data of a console material. */
typedef struct facet_render_raster {
    uint8_t colors[2][4];
} facet_render_raster;

/* A batch that is drawn. */
typedef struct facet_render_draw {
    const facet_render_batch *batch;
    const facet_render_instance *instance;
    const facet_render_material *material;
    uint32_t first_triangle; /* index in the picture */
    float far_away;          /* distance of its joint: sorts translucent draws */
    uint32_t order;
    bool mirrored;                /* the transform mirrors: back faces are treated as fronts */
    facet_render_raster *rasters; /* for each vertex of the instance */
    float (*coordinates)[3];      /* texgen_count values for each vertex */
} facet_render_draw;

/* A piece of a clipped triangle: its corners, relative to those of the triangle. */
typedef struct facet_render_piece {
    uint32_t triangle;
    facet_render_point points[3];
    float weights[3][2]; /* weights of the triangle's second and third corner */
} facet_render_piece;

typedef struct facet_render_surroundings facet_render_surroundings;
typedef struct facet_render_ground facet_render_ground;

/* A light of the scene. */
enum { FACET_RENDER_LAMPS = 64 /* maximum in a picture: each costs time at each sample */ };
typedef struct facet_render_lamp {
    facet_light_kind kind;
    float place[3], toward[3]; /* position; direction against its beam: in the camera's axes */
    float strength[3];         /* color and intensity, divided by pi */
    float unit;                /* meters per unit of the scene */
    float range;               /* in units of the scene; 0: unlimited */
    float cone_scale, cone_offset;
} facet_render_lamp;

typedef struct facet_render_view {
    const facet_renderer *renderer;
    const facet_options *options;
    facet_render_options how;
    unsigned fill;               /* the mode that fills faces */
    const bool *hidden;          /* hidden nodes, or NULL */
    const facet_picture *bounds; /* bounds of an earlier picture; NULL: compute them */
    facet_arena *arena;
    facet_error *error;
    /* Size of the picture, with `grid` samples on each side of a pixel. */
    uint32_t width, height, grid, columns, rows, tiles_x, tiles_y;
    int32_t shifts[4]; /* offsets of samples in their cells: facet_render_sample_x */
    /* Members for the camera. */
    float camera[3][4]; /* rows: right, up, toward the viewer; relative to `origin` */
    bool is_perspective;
    float scale; /* samples per unit: at distance 1, or for orthographic cameras at any distance */
    float near_z, far_z;
    float light[3], half[3];
    float key, exposure;      /* strength of the key light; factor of all light */
    facet_render_lamp *lamps; /* lights of the scene */
    uint32_t lamp_count;
    facet_render_surroundings *surroundings; /* NULL: the studio */
    facet_render_ground *ground;             /* NULL: no shadow */
    uint8_t background[4];
    const facet_render_material *materials; /* materials at the time of the picture */
    /* Vertices, in the axes of the model and of the camera. */
    facet_pose pose;
    float **skins; /* matrices of the joints of each skin, for nodes that share it */
    float (*positions)[3], (*normals)[3], (*tangents)[4];
    float origin[3];    /* point that `positions` and `camera` are relative to: floats are finer
                           near 0. It is 0 unless the model is far from it */
    bool *mirrored;     /* for each instance: true if its transform mirrors */
    float (*places)[3]; /* positions in the camera's axes */
    facet_render_point *points;
    uint8_t *outside;
    /* Triangles in drawing order. */
    facet_render_draw *draws;
    uint32_t draw_count, triangle_count;
    uint32_t solid_end, console_end; /* end of the solid draws; end of the console draws */
    /* Bins: the entries of a chunk in a tile begin at offsets[chunk * tiles + tile]. Numbers from
     * triangle_count on are pieces. */
    uint32_t chunk_count;
    size_t max_work;    /* limit of the work, in blocks */
    atomic_size_t work; /* so far */
    uint32_t *counts;
    uint64_t *offsets;
    uint32_t *entries;
    uint32_t *piece_offsets;
    facet_render_piece *pieces;
    uint8_t *pixels;
    facet_scratch tile_scratch; /* of facet_render_tile */
} facet_render_view;

/* draw.c: check the options and set the size. Then draw the picture from transformed vertices; its
 * arena exists. */
facet_status facet_render_begin(facet_render_view *view);
facet_status facet_render_draw_frame(facet_render_view *view, facet_picture *picture);
/* motion.c: set the materials at the time of the picture. */
facet_status facet_render_move_materials(facet_render_view *view);
/* pose.c: transform the vertices of all instances. */
facet_status facet_render_pose(facet_render_view *view);
/* Transform the billboards, after the camera is placed; *any: the scene has billboards. */
facet_status facet_render_turn_billboards(facet_render_view *view, bool *any);
/* camera.c: place the camera, and set the screen. picture->any is false if nothing is visible. */
facet_status facet_render_place_camera(facet_render_view *view, facet_picture *picture);
/* scene_camera.c: find view->how.scene_camera of the scene; the picture has its bounds. */
facet_status facet_render_find_camera(const facet_render_view *view, const facet_picture *picture,
                                      facet_render_camera *camera);
/* Set the near and far planes again, after vertices were moved. */
facet_status facet_render_place_planes(facet_render_view *view);
/* surroundings.c: compute view->surroundings of the given environment in `arena`. They depend only
 * on its pixels. Temporary data is in the view's arena. */
facet_status facet_render_make_surroundings(facet_render_view *view, facet_arena *arena);
/* Turn the surroundings to the camera, which is placed. If they are missing, compute them in the
 * view's arena. Without an environment, do nothing. */
facet_status facet_render_surround(facet_render_view *view);
/* Light of the surroundings on a diffuse surface, and the reflection by a surface of a roughness.
 * Directions have unit length, in the camera's axes. */
void facet_render_surroundings_diffuse(const facet_render_surroundings *surroundings,
                                       const float normal[3], float out[3]);
void facet_render_surroundings_reflected(const facet_render_surroundings *surroundings,
                                         const float direction[3], float roughness, float out[3]);
/* ground.c: compute the shadow on the ground, after the triangles are in order and the limit of the
 * work is set. */
facet_status facet_render_place_ground(facet_render_view *view);
/* Share of the background that is in shadow, at a position in samples: 0 to 1. */
float facet_render_shadow_at(const facet_render_view *view, float x, float y);
/* lamps.c: place the lights of the scene, after the camera. Add their light to points with unit
 * directions. Report if the scene has no lights, or too
 * many. */
facet_status facet_render_place_lamps(facet_render_view *view);
struct facet_render_points;
void facet_render_add_lamps(const facet_render_view *view, struct facet_render_points *points);
void facet_render_report_lamps(const facet_render_view *view);
/* view.c: sort the batches into drawing order. */
facet_status facet_render_order(facet_render_view *view);
/* console.c: compute the vertex data of the chip. */
facet_status facet_render_light_vertices(facet_render_view *view);
/* view.c */
void facet_render_project(facet_render_view *view);
/* Project a vertex that is already transformed. */
void facet_render_project_vertex(facet_render_view *view, uint32_t vertex);
facet_render_point facet_render_project_point(const facet_render_view *view, const float place[3]);
/* strokes.c: count the instances for lines and points of a mesh. Add those of all instances so far.
 * Set their width, after their vertices are projected. */
uint32_t facet_render_count_strokes(const facet_mesh *mesh);
facet_status facet_render_add_strokes(facet_renderer *r, facet_error *error);
void facet_render_widen_strokes(facet_render_view *view);
/* bins.c: count the visits of all samples by all triangles, and store the triangles. */
facet_status facet_render_fill_bins(facet_render_view *view);
/* work.c: set the limit of the work. Add work. Check whether the limit is exceeded: then the
 * picture is incomplete. The sum does not depend on the order of the threads, and neither does the
 * result. Report the error. */
void facet_render_limit_work(facet_render_view *view);
bool facet_render_works_too_long(facet_render_view *view);
facet_status facet_render_fail_work(const facet_render_view *view);
/* Maximal distance of samples from the centers of their cells, in 256ths. */
static inline int32_t facet_render_spread(const facet_render_view *view)
{
    return view->shifts[0] < 0 ? -view->shifts[0] : view->shifts[0];
}

/* tile.c: a task needs facet_render_tile_size bytes of view->tile_scratch. */
extern const size_t facet_render_tile_size;
void facet_render_tile(void *view, size_t tile);

/* True if a triangle shows its back. `area` is twice its area, with y down on the screen. */
static inline bool facet_render_shows_back(const facet_render_draw *draw, int64_t area)
{
    return (area > 0) != draw->mirrored;
}

/* Find the draw of a triangle; `hint` is the result of the last call. */
const facet_render_draw *facet_render_find_draw(const facet_render_view *view, uint32_t triangle,
                                                uint32_t *hint);
static inline const facet_render_draw *facet_render_draw_of(const facet_render_view *view,
                                                            uint32_t triangle, uint32_t *hint)
{
    const facet_render_draw *draw = &view->draws[*hint < view->draw_count ? *hint : 0];
    bool same = triangle >= draw->first_triangle &&
                triangle - draw->first_triangle < draw->batch->face_count;
    return same ? draw : facet_render_find_draw(view, triangle, hint);
}

/* -- Triangles in a tile (triangle.c) ----------------------------------- */

/* A triangle prepared for the samples of a tile. */
typedef struct facet_render_triangle {
    uint32_t id; /* number of the triangle; larger values are pieces */
    const facet_render_draw *draw;
    uint32_t corners[3]; /* indices of vertices in the picture */
    bool is_back;
    float front[3]; /* normal of the front, in the model's axes: set by facet_render_set_front */
    int32_t left, top, right, bottom; /* samples of the tile; right and bottom are exclusive */
    /* Edges: a sample is inside if no value is negative. Steps are for a 256th of a sample. */
    int64_t start[3], step_x[3], step_y[3];
    const int32_t *shifts; /* shifts of the view */
    float depth, depth_x, depth_y;
    float reciprocals[3];
    float l1, l1_x, l1_y, l2, l2_x, l2_y; /* shares of the second and third corner, on the screen */
    bool is_piece;
    float weights[3][2];
} facet_render_triangle;

/* Offsets of a sample, in 256ths. The samples of a pixel form a rotated grid: rows are shifted
 * sideways, and columns up or down. No two samples share a row or column, so nearly horizontal or
 * vertical edges have as many steps as there are samples. */
static inline int32_t facet_render_sample_x(const facet_render_triangle *t, int32_t x, int32_t y)
{
    return x * 256 + t->shifts[y & 3];
}
static inline int32_t facet_render_sample_y(const facet_render_triangle *t, int32_t x, int32_t y)
{
    return y * 256 - t->shifts[x & 3];
}

static inline bool facet_render_covers(const facet_render_triangle *t, int32_t x, int32_t y)
{
    int64_t at_x = facet_render_sample_x(t, x, y), at_y = facet_render_sample_y(t, x, y), all = 0;
    for (int i = 0; i < 3; i++)
        all |= t->start[i] + t->step_x[i] * at_x + t->step_y[i] * at_y;
    return all >= 0;
}

static inline float facet_render_plane_at(const facet_render_triangle *t, float x, float y)
{
    return t->depth + t->depth_y * y + t->depth_x * x;
}

static inline float facet_render_depth_at(const facet_render_triangle *t, int32_t x, int32_t y)
{
    float at_x = (float)facet_render_sample_x(t, x, y) * (1.0f / 256);
    float at_y = (float)facet_render_sample_y(t, x, y) * (1.0f / 256);
    return facet_render_plane_at(t, at_x, at_y);
}

/* Prepare a triangle. False if it covers no sample of the tile at x, y. */
bool facet_render_set_up(const facet_render_view *view, uint32_t id, uint32_t x, uint32_t y,
                         uint32_t *hint, facet_render_triangle *triangle);
/* Set further data, for the colors of its samples. */
void facet_render_set_front(const facet_render_view *view, facet_render_triangle *triangle);
/* Perspective shares of the second and third corner, at a position in the tile. */
static inline void facet_render_shares(const facet_render_triangle *t, float x, float y,
                                       float shares[2])
{
    float l1 = t->l1 + t->l1_x * x + t->l1_y * y, l2 = t->l2 + t->l2_x * x + t->l2_y * y;
    float w0 = (1 - l1 - l2) * t->reciprocals[0];
    float w1 = l1 * t->reciprocals[1], w2 = l2 * t->reciprocals[2];
    float sum = w0 + w1 + w2;
    float scale = sum != 0 ? 1 / sum : 0;
    w1 *= scale, w2 *= scale;
    if (t->is_piece) { /* relative to the whole triangle */
        const float(*w)[2] = t->weights;
        w0 *= scale;
        shares[0] = w[0][0] * w0 + w[1][0] * w1 + w[2][0] * w2;
        shares[1] = w[0][1] * w0 + w[1][1] * w1 + w[2][1] * w2;
        return;
    }
    shares[0] = w1;
    shares[1] = w2;
}

/* -- Colors ------------------------------------------------------------- */

/* A sample to color, in samples right and down from the center of the tile's first cell. */
typedef struct facet_render_sample_at {
    const facet_render_view *view;
    const facet_render_triangle *triangle;
    float x, y;
    float shares[2];
} facet_render_sample_at;

enum { FACET_RENDER_PLANES = 8 }; /* six, and two more to fill vectors */

/* Surface with glTF's material extensions at one sample. Directions have unit length, in the
 * camera's axes. */
typedef struct facet_render_look {
    float color[3], emitted[3];
    float metallic, roughness, occlusion;
    float f0[3], specular; /* reflectance from the front; its specular factor */
    float clearcoat, clearcoat_roughness, clearcoat_normal[3];
    float sheen[3], sheen_roughness;
    float transmission, tint[3]; /* tint: share of light that passes through the volume */
    float iridescence, film_ior, film_thickness;
    float anisotropy, tangent[3], bitangent[3];
    float diffuse_transmission, diffuse_transmission_color[3];
} facet_render_look;

/* Material extensions of a material: the values for maps of 1, and the maps. */
enum { FACET_RENDER_LOOK_MAPS = FACET_MAP_COUNT - FACET_MAP_SPECULAR_FACTOR };
typedef struct facet_render_coating {
    facet_render_look look;
    float film_thickness[2]; /* for map values 0 and 1 */
    float clearcoat_normal_scale;
    float rotation[2]; /* cosine and sine of the angle of the grooves */
    float thickness, attenuation_distance, attenuation_color[3];
    facet_render_map maps[FACET_RENDER_LOOK_MAPS]; /* from FACET_MAP_SPECULAR_FACTOR on */
} facet_render_coating;

/* A triangle prepared for colors: data that its samples share. */
typedef struct facet_render_ready {
    facet_render_triangle triangle;
    bool is_plain; /* lit, without textures and vertex colors: facet_render_add_plain */
    float alpha;
    /* Normal and position at the first corner, and their changes to the second and third
     * corners. */
    float planes[3][FACET_RENDER_PLANES];
} facet_render_ready;

/* Surface data of many samples, for lighting. */
enum {
    FACET_RENDER_LANES = 8, /* number of points is rounded up to this */
    FACET_RENDER_LOOKS = 16 /* maximum of points with extensions, which are large */
};
typedef struct facet_render_points {
    uint32_t count;
    float place[3][FACET_RENDER_TILE];  /* in the camera's axes; only set for lights of the scene */
    float normal[3][FACET_RENDER_TILE]; /* of any length, in the model's axes */
    float side[3][FACET_RENDER_TILE];   /* normal of the visible side */
    float toward[3][FACET_RENDER_TILE]; /* toward the viewer, of any length, in the camera's axes */
    float color[3][FACET_RENDER_TILE], light[3][FACET_RENDER_TILE]; /* light: emission */
    float metallic[FACET_RENDER_TILE], roughness[FACET_RENDER_TILE];
    float occlusion[FACET_RENDER_TILE], alpha[FACET_RENDER_TILE];
    float passed[FACET_RENDER_TILE]; /* share of light from behind that passes */
    /* Points with normals from a texture: unit length, in the camera's axes. */
    uint32_t bent_count, bent[FACET_RENDER_TILE];
    float bent_normal[FACET_RENDER_TILE][3];
    /* Points with material extensions. */
    uint32_t look_count, look_of[FACET_RENDER_LOOKS];
    facet_render_look looks[FACET_RENDER_LOOKS];
} facet_render_points;

/* light.c: remove all points, and set all lanes to values that are safe to light. */
void facet_render_no_points(facet_render_points *points, uint32_t lanes);
/* Light all points, and remove them. Colors are for the screen: linear and premultiplied. Surfaces
 * behind a point are multiplied by `tints` and 1 - alpha; NULL: only by 1 - alpha. */
void facet_render_light(const facet_render_view *view, facet_render_points *points, float (*out)[4],
                        float (*tints)[3]);

/* look.c: the light of a surface with normal n toward the viewer v. */
void facet_render_light_look(const facet_render_view *view, const facet_render_look *look,
                             const float n[3], const float v[3], float out[3]);
/* Share of the light from l that is reflected to the viewer, times pi. */
void facet_render_reflect(const facet_render_look *look, const float n[3], const float v[3],
                          const float l[3], float out[3]);
/* Share of light from behind that passes through. */
void facet_render_pass(const facet_render_look *look, const float n[3], const float v[3],
                       float out[3]);
/* Reflectance of a film on a surface; thickness in nanometers. */
void facet_render_film(float film_ior, float thickness, const float f0[3], float cosine,
                       float out[3]);
/* Share of light from all directions that a white sheen reflects. */
float facet_render_sheen_share(float cosine, float roughness);
/* Share of light left after `thickness`, where `color` is left after `distance`; distance 0: no
 * loss. */
float facet_render_attenuation(float color, float distance, float thickness);
/* shade.c: add a point, if there is space for it and its extensions. False if it needs no light:
 * then `out` has its color. */
bool facet_render_add(const facet_render_sample_at *at, facet_render_points *points, float out[4]);
/* Complete a triangle that was set up. */
void facet_render_make_ready(const facet_render_view *view, facet_render_ready *ready);
/* facet_render_add for a plain triangle. */
void facet_render_add_plain(const facet_render_ready *ready, const float shares[2],
                            facet_render_points *points);
/* Color a single sample. */
void facet_render_shade(const facet_render_sample_at *at, float out[4], float tint[3]);
/* Only the alpha of a masked or blended material. */
float facet_render_alpha(const facet_render_sample_at *at);
/* Color a lit surface that is gray, or has the given color. */
void facet_render_shade_plain(const facet_render_sample_at *at, const float color[3], float out[4]);
/* inspect.c: color a sample in all other modes. */
void facet_render_inspect(const facet_render_sample_at *at, float out[4]);
void facet_render_overdraw_color(uint32_t layers, float out[4]);
/* Draw lines over a color, if the sample is near an edge. */
void facet_render_lay_wires(const facet_render_sample_at *at, float color[4]);
/* Interpolate values of the corners. */
void facet_render_mix(const facet_render_sample_at *at, const float *a, const float *b,
                      const float *c, uint32_t count, float *out);
bool facet_render_normal_at(const facet_render_sample_at *at, float normal[3]);

/* console.c: a frame in bytes of the chip, and the covered share. */
typedef struct facet_render_frame {
    uint8_t color[FACET_RENDER_TILE * FACET_RENDER_TILE][4];
    uint8_t covered[FACET_RENDER_TILE * FACET_RENDER_TILE];
} facet_render_frame;
/* Draw a triangle. Returns the number of samples that were colored. */
uint32_t facet_render_console_triangle(const facet_render_view *view,
                                       const facet_render_triangle *triangle, float *depth,
                                       facet_render_frame *frame);

#endif
