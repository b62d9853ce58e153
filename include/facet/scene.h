/* facet/scene.h - the neutral model that every format is read into and written
 * from.
 *
 * One mesh, two states. A mesh is faces of corners, and each attribute stream
 * has an index per corner. OBJ and BinaryMesh are born with polygons and
 * separate indices; a GPU wants triangles and one index. "GPU-ready" means:
 * every face is a triangle, and every stream has the same index array (the
 * same pointer). facet/mesh.h has the passes that lead there.
 *
 * A scene is a plain struct: read it, change it, fill it in by hand. Whatever
 * it points to lies in its arena (facet_scene_allocate) and goes with it. What
 * a reader returns is range-checked: every index is below its stream's count
 * or FACET_NONE, every offset and string is whole. Whoever changes a scene by
 * hand keeps that promise, or asks facet_scene_check.
 */
#ifndef FACET_SCENE_H
#define FACET_SCENE_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "No index": a corner without this attribute, a face without material. */
#define FACET_NONE UINT32_MAX

/* -- Streams ------------------------------------------------------------ */

typedef enum facet_semantic {
    FACET_POSITION, /* float x 3 */
    FACET_NORMAL,   /* float x 3, unit length */
    FACET_TANGENT,  /* float x 4, unit xyz along +u, w = +1 or -1: bitangent = w * cross(N, T) */
    FACET_TEXCOORD, /* float x 2 (3 for volume textures), `set` counts the layers */
    FACET_COLOR,    /* float x 3 or 4, `set` counts the layers */
    FACET_JOINTS,   /* uint16 x 4, indices into the skin's joints; `set` for more than 4 */
    FACET_WEIGHTS,  /* float x 4, sum 1 over all sets */
    FACET_CUSTOM    /* anything, known by `name` */
} facet_semantic;

typedef enum facet_component {
    FACET_FLOAT32,
    FACET_FLOAT64,
    FACET_INT8,
    FACET_UINT8,
    FACET_INT16,
    FACET_UINT16,
    FACET_INT32,
    FACET_UINT32
} facet_component;

/* Bytes of one component: 1, 2, 4 or 8. */
FACET_API size_t facet_component_size(facet_component component);

/* One attribute: `count` elements of `components` components, tightly packed
 * in host byte order, and the element that each corner uses. */
typedef struct facet_stream {
    facet_semantic semantic;
    uint32_t set;              /* layer of a texcoord, colour, joints or weights */
    const char *name;          /* of a custom stream; NULL otherwise */
    facet_component component; /* as the semantic asks for */
    uint32_t components;       /* 1 to 16 */
    uint32_t count;            /* elements */
    void *data;                /* count * components of them */
    uint32_t *indices;         /* one per corner of the mesh: element, or FACET_NONE */
} facet_stream;

/* -- Meshes ------------------------------------------------------------- */

/* A run of faces with a name: an OBJ object or group. Parts lie in face order
 * and do not overlap; a mesh without parts is nameless as a whole. */
typedef struct facet_part {
    const char *name;  /* object name, "" when there is none */
    const char *group; /* OBJ group names as written, "" when there are none */
    uint32_t first_face;
    uint32_t face_count;
} facet_part;

typedef struct facet_mesh {
    facet_arena *arena; /* where its arrays come from: that of the scene */
    const char *name;   /* "" when it has none */

    uint32_t face_count;
    uint32_t corner_count;
    uint32_t *face_offsets;   /* first corner of each face, and corner_count as last entry;
                                 NULL when every face is a triangle */
    uint32_t *face_materials; /* index into the scene's materials or FACET_NONE, one per face;
                                 NULL when no face has one */
    uint32_t *face_smoothing; /* OBJ smoothing group, 0 is off; NULL when none were given */

    facet_stream *streams; /* position first */
    uint32_t stream_count;
    facet_part *parts;
    uint32_t part_count;

    uint32_t line_count;
    uint32_t *lines; /* two vertex indices per line, into the streams of a GPU-ready mesh (below
                        the count of the position stream); NULL when there are none */
} facet_mesh;

/* The stream of a semantic and set (the first such for FACET_CUSTOM), or NULL. */
FACET_API facet_stream *facet_mesh_find(const facet_mesh *mesh, facet_semantic semantic,
                                        uint32_t set);
/* A new stream with room for `count` elements and no indices yet: the caller
 * sets `indices`. `name` is copied, and NULL but for custom streams.
 * Pointers to other streams of the mesh become invalid. */
FACET_API facet_status facet_mesh_add_stream(facet_mesh *mesh, facet_semantic semantic,
                                             uint32_t set, const char *name,
                                             facet_component component, uint32_t components,
                                             uint32_t count, facet_stream **stream,
                                             facet_error *error);
/* Remove a stream and give its memory back, indices included if no other
 * stream shares them. Pointers to other streams become invalid. */
FACET_API void facet_mesh_remove_stream(facet_mesh *mesh, facet_stream *stream);

/* First corner of a face, and one past its last: a triangle when face_offsets is NULL. */
static inline uint32_t facet_face_begin(const facet_mesh *mesh, uint32_t face)
{
    return mesh->face_offsets ? mesh->face_offsets[face] : face * 3;
}
static inline uint32_t facet_face_end(const facet_mesh *mesh, uint32_t face)
{
    return mesh->face_offsets ? mesh->face_offsets[face + 1] : face * 3 + 3;
}

/* True when every face is a triangle. */
FACET_API bool facet_mesh_is_triangles(const facet_mesh *mesh);
/* True when all streams share one index array. */
FACET_API bool facet_mesh_is_welded(const facet_mesh *mesh);

/* -- Materials ---------------------------------------------------------- */

/* What a texture map is for. */
typedef enum facet_map {
    FACET_MAP_AMBIENT,
    FACET_MAP_DIFFUSE, /* or base colour */
    FACET_MAP_SPECULAR,
    FACET_MAP_EMISSIVE,
    FACET_MAP_SHININESS,
    FACET_MAP_OPACITY,
    FACET_MAP_BUMP, /* height */
    FACET_MAP_NORMAL,
    FACET_MAP_DISPLACEMENT,
    FACET_MAP_DECAL,
    FACET_MAP_REFLECTION,
    FACET_MAP_ROUGHNESS,
    FACET_MAP_METALLIC,
    FACET_MAP_SHEEN,
    FACET_MAP_COUNT
} facet_map;

/* A texture as a material uses it. */
typedef struct facet_texture {
    const char *path;    /* as the source wrote it; NULL: the material has no such map */
    const char *options; /* MTL options before the path ("-s 2 2 1 -clamp on"), "" when none;
                            kept as written */
} facet_texture;

/* Which of a material's values the source gave; the others hold defaults. */
enum facet_material_value {
    FACET_MATERIAL_AMBIENT = 1 << 0,
    FACET_MATERIAL_DIFFUSE = 1 << 1,
    FACET_MATERIAL_SPECULAR = 1 << 2,
    FACET_MATERIAL_EMISSIVE = 1 << 3,
    FACET_MATERIAL_TRANSMISSION = 1 << 4,
    FACET_MATERIAL_SHININESS = 1 << 5,
    FACET_MATERIAL_OPACITY = 1 << 6,
    FACET_MATERIAL_REFRACTION = 1 << 7,
    FACET_MATERIAL_ILLUMINATION = 1 << 8,
    FACET_MATERIAL_ROUGHNESS = 1 << 9,
    FACET_MATERIAL_METALLIC = 1 << 10,
    FACET_MATERIAL_SHEEN = 1 << 11,
    FACET_MATERIAL_CLEARCOAT = 1 << 12,
    FACET_MATERIAL_CLEARCOAT_ROUGHNESS = 1 << 13,
    FACET_MATERIAL_ANISOTROPY = 1 << 14,
    FACET_MATERIAL_ANISOTROPY_ROTATION = 1 << 15
};

/* A material by name, and what an MTL says of it. Colours are linear floats,
 * usually 0 to 1. */
typedef struct facet_material {
    const char *name; /* "" when it has none */
    uint32_t given;   /* facet_material_value bits */
    float ambient[3];
    float diffuse[3];
    float specular[3];
    float emissive[3];
    float transmission[3];  /* Tf */
    float shininess;        /* Ns, 0 to 1000 */
    float opacity;          /* d, 1 is opaque */
    float refraction_index; /* Ni */
    int32_t illumination;   /* illum, 0 to 10 */
    float roughness, metallic, sheen;
    float clearcoat, clearcoat_roughness;
    float anisotropy, anisotropy_rotation;
    facet_texture maps[FACET_MAP_COUNT];
} facet_material;

/* -- Scenes ------------------------------------------------------------- */

typedef enum facet_axis { FACET_AXIS_Y = 0, FACET_AXIS_Z = 1, FACET_AXIS_X = 2 } facet_axis;

/* The conventions of the numbers, as read. All zero: +Y up, right-handed,
 * metres, v = 0 at the lower edge of a texture. */
typedef struct facet_frame {
    facet_axis up;
    bool left_handed;
    double unit;        /* metres per unit; 0 when unknown, taken as 1 */
    bool uv_origin_top; /* v grows downwards */
} facet_frame;

/* A convex collision body: the hull of its points. */
typedef struct facet_hull {
    const char *name;
    uint32_t point_count;
    float *points; /* point_count * 3 */
} facet_hull;

typedef struct facet_scene {
    facet_arena *arena;
    facet_frame frame;
    facet_mesh **meshes;
    uint32_t mesh_count;
    facet_material *materials;
    uint32_t material_count;
    facet_hull *hulls;
    uint32_t hull_count;
    facet_mesh *occluder; /* triangles, positions only; NULL when there is none */
} facet_scene;

/* An empty scene. Free with facet_scene_free. */
FACET_API facet_status facet_scene_create(const facet_options *options, facet_scene **scene,
                                          facet_error *error);
/* Free the scene and everything in it. NULL is fine. */
FACET_API void facet_scene_free(facet_scene *scene);

/* Memory that lives as long as the scene: 16-byte aligned, not cleared. NULL
 * when `count * size` overflows, or memory or the scene's limit is used up. */
FACET_API void *facet_scene_allocate(facet_scene *scene, size_t count, size_t size);
/* A copy of a string in the scene, or NULL. */
FACET_API const char *facet_scene_string(facet_scene *scene, const char *text);

/* An empty mesh at the end of scene->meshes. */
FACET_API facet_status facet_scene_add_mesh(facet_scene *scene, facet_mesh **mesh,
                                            facet_error *error);
/* A material with this name and default values at the end of scene->materials;
 * pointers to the others become invalid. Its index is material_count - 1. */
FACET_API facet_status facet_scene_add_material(facet_scene *scene, const char *name,
                                                facet_material **material, facet_error *error);
/* A hull with room for `point_count` points at the end of scene->hulls. */
FACET_API facet_status facet_scene_add_hull(facet_scene *scene, const char *name,
                                            uint32_t point_count, facet_hull **hull,
                                            facet_error *error);
/* An empty mesh as the scene's occluder; one that was there is dropped. */
FACET_API facet_status facet_scene_add_occluder(facet_scene *scene, facet_mesh **occluder,
                                                facet_error *error);

/* Check the promise at the head of this file on a scene made or changed by
 * hand: FACET_ERROR_ARGUMENT and a sentence for the first broken index, count
 * or missing array. Linear in the scene's size. */
FACET_API facet_status facet_scene_check(const facet_scene *scene, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
