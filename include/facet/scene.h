/* facet/scene.h - the neutral model that every format is read into and written from.
 *
 * A mesh consists of faces, a face of corners. Each attribute stream has one index per corner. OBJ
 * and BinaryMesh files store polygons and separate indices; a GPU needs triangles and one index. A
 * mesh is "GPU-ready" if every face is a triangle and the mesh is indexed: all streams have the
 * same index array (the same pointer) and the same count. Only then does element i of each stream
 * belong to vertex i. The passes of facet/mesh.h make a mesh GPU-ready.
 *
 * A scene is a plain struct that you can read, change and fill in. Everything it points to is
 * either in its arena (facet_scene_allocate) and freed with it, or owned by the caller and outlives
 * it.
 *
 * Readers return valid scenes. Every index is below its stream's count or FACET_NONE. Offsets,
 * strings and arrays are complete. A mesh has one stream of each semantic and set; custom streams
 * are distinguished by name. Joints with a weight other than 0 are below the joint count of the
 * skin of each node with the mesh. Every number of a stream, hull, transform, material and
 * animation is finite. Passes and writers rely on these invariants. If you modify a scene, preserve
 * them or call facet_scene_check.
 *
 * Any number of threads may read a finished scene at once. Functions that take it as const only
 * read it; their working memory is separate. Functions that add to a scene, and the passes, need
 * exclusive access.
 *
 * Stability: stable. Structs that a scene points to may get more members at their end; the
 * facet_..._add_... and facet_..._init functions set them.
 */
#ifndef FACET_SCENE_H
#define FACET_SCENE_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Private bookkeeping for an array that the facet_..._add_... functions append to: the array that
 * they allocated and its capacity in items. Do not change it. If you replace the array by your own,
 * the next append copies it first and leaves yours unchanged. */
typedef struct facet_growth {
    const void *items;
    uint32_t capacity;
} facet_growth;

/* -- Streams ------------------------------------------------------------ */

typedef enum facet_semantic {
    FACET_POSITION, /* float x 3 */
    FACET_NORMAL,   /* float x 3, unit length */
    FACET_TANGENT,  /* float x 4, unit xyz along +u, w = +1 or -1: bitangent = w * cross(N, T) */
    FACET_TEXCOORD, /* float x 2 (3 for volume textures); `set` is the layer */
    FACET_COLOR,    /* float x 3 or 4, linear, straight alpha; `set` is the layer */
    FACET_JOINTS,   /* uint16 x 4, indices into the skin's joints; more sets for more than 4 */
    FACET_WEIGHTS,  /* float x 4, sum 1 over all sets */
    FACET_CUSTOM,   /* any data, identified by `name` */
    /* Differences that a morph target adds to position, normal and the xyz of the tangent: float x
     * 3. `set` is the target, below the mesh's morph_count. */
    FACET_MORPH_POSITION,
    FACET_MORPH_NORMAL,
    FACET_MORPH_TANGENT
} facet_semantic;

/* Name of a semantic as used in messages: "position", "normal", ... */
FACET_API const char *facet_semantic_name(facet_semantic semantic);

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

/* One attribute: `count` elements of `components` components, tightly packed in host byte order,
 * and the index of the element that each corner uses. */
typedef struct facet_stream {
    facet_semantic semantic;
    uint32_t set;              /* layer of a texcoord, color, joints or weights */
    const char *name;          /* of a custom stream; NULL for others */
    facet_component component; /* type of each component, as the semantic requires */
    uint32_t components;       /* 1 to 16 */
    uint32_t count;            /* number of elements. Elements that no corner uses are allowed,
                                  so streams that share `indices` may have different counts */
    void *data;                /* count * components values */
    uint32_t *indices;         /* one per corner of the mesh: index of an element, or FACET_NONE */
} facet_stream;

/* -- Meshes ------------------------------------------------------------- */

/* A run of faces with a name: an OBJ object or group. Parts are in face order and do not overlap.
 * If a mesh has no parts, none of its faces has a part name. */
typedef struct facet_part {
    const char *name;  /* object name, "": none */
    const char *group; /* OBJ group names as written, "": none */
    uint32_t first_face;
    uint32_t face_count;
} facet_part;

/* A morph target of a mesh. Its differences are the streams FACET_MORPH_* whose `set` is its index.
 */
typedef struct facet_morph {
    const char *name; /* "": no name */
    float weight;     /* default weight, if neither node nor animation sets one */
} facet_morph;

/* Meshes that turn to the camera around the position of their node. They use only position and
 * scale of the node's transform. */
typedef enum facet_billboard {
    FACET_BILLBOARD_NONE,
    FACET_BILLBOARD_ALL, /* x and y axes are the camera's */
    FACET_BILLBOARD_Y    /* the x axis is the camera's; the y axis is unchanged */
} facet_billboard;

typedef struct facet_mesh {
    facet_arena *arena; /* arena of the scene, which owns the mesh's arrays */
    const char *name;   /* "": no name */

    uint32_t face_count;
    uint32_t corner_count;
    uint32_t *face_offsets;   /* first corner of each face; the last entry is corner_count; NULL:
                                 every face is a triangle */
    uint32_t *face_materials; /* one per face: index into the scene's materials or FACET_NONE;
                                 NULL: no face has a material */
    uint32_t *face_smoothing; /* one per face: OBJ smoothing group, 0: off; NULL: not given */

    facet_stream *streams; /* the position stream is first */
    uint32_t stream_count;
    facet_part *parts;
    uint32_t part_count;

    uint32_t line_count;
    uint32_t *lines; /* two vertex indices per line, into the streams of a GPU-ready mesh (below
                        the count of the position stream); NULL: no lines */
    uint32_t point_count;
    uint32_t *points; /* one vertex index per drawn point, with the same rules as `lines` */
    facet_morph *morphs;
    uint32_t morph_count;
    const char *extras;                 /* JSON text with other data of the source; NULL: none */
    const char *extensions;             /* JSON text, as in facet_material */
    facet_billboard billboard;          /* for meshes without a skin */
    struct facet_gx_file_part *gx_file; /* the shape of a J3D file, as in facet_material; NULL:
                                           none */

    facet_growth stream_growth; /* private */

    uint32_t *line_materials;  /* one per line, with the same rules as `face_materials` */
    uint32_t *point_materials; /* one per drawn point, likewise */
} facet_mesh;

/* The stream with a semantic and set, or NULL. For FACET_CUSTOM, the first such stream. */
FACET_API facet_stream *facet_mesh_find(const facet_mesh *mesh, facet_semantic semantic,
                                        uint32_t set);
/* Add a stream with space for `count` elements and without indices: the caller sets `indices`.
 * `name` is copied; it must be NULL except for custom streams. Pointers to other streams of the
 * mesh become invalid. */
FACET_API facet_status facet_mesh_add_stream(facet_mesh *mesh, facet_semantic semantic,
                                             uint32_t set, const char *name,
                                             facet_component component, uint32_t components,
                                             uint32_t count, facet_stream **stream,
                                             facet_error *error);
/* Add a stream and fill it. `data` (count * components values) and `indices` (one per corner) are
 * copied. Set the mesh's corner_count first. If `indices` is the array of another stream of the
 * mesh, it is shared, not copied. NULL shares the indices of the first stream; for the first stream
 * itself, corner i uses element i. FACET_ERROR_ARGUMENT if an index is neither below count nor
 * FACET_NONE; the mesh is then unchanged. stream may be NULL. Pointers to other streams become
 * invalid. Linear. */
FACET_API facet_status facet_mesh_add_stream_copy(facet_mesh *mesh, facet_semantic semantic,
                                                  uint32_t set, const char *name,
                                                  facet_component component, uint32_t components,
                                                  uint32_t count, const void *data,
                                                  const uint32_t *indices, facet_stream **stream,
                                                  facet_error *error);
/* Remove a stream and free its memory, and its indices if no other stream shares them. Pointers to
 * other streams become invalid. */
FACET_API void facet_mesh_remove_stream(facet_mesh *mesh, facet_stream *stream);

/* First corner of a face, and the end of its corners. Every face is a triangle if face_offsets is
 * NULL. */
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
/* True when all streams share one index array and have the same count. Streams that share an index
 * array but have different counts (because of unused elements) are valid, but not indexed.
 * facet_mesh_index makes them indexed. */
FACET_API bool facet_mesh_is_indexed(const facet_mesh *mesh);

/* -- Materials ---------------------------------------------------------- */

/* Purpose of a texture map. */
typedef enum facet_map {
    FACET_MAP_AMBIENT,
    FACET_MAP_DIFFUSE, /* or base color */
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
    FACET_MAP_METALLIC_ROUGHNESS, /* one image: roughness in green, metallic in blue */
    FACET_MAP_OCCLUSION,          /* in red */
    /* Maps of glTF's material extensions, with the channels that they use. */
    FACET_MAP_SPECULAR_FACTOR,     /* alpha */
    FACET_MAP_SPECULAR_COLOR,      /* sRGB */
    FACET_MAP_CLEARCOAT,           /* red */
    FACET_MAP_CLEARCOAT_ROUGHNESS, /* green */
    FACET_MAP_CLEARCOAT_NORMAL,
    FACET_MAP_SHEEN_COLOR,                /* sRGB */
    FACET_MAP_SHEEN_ROUGHNESS,            /* alpha */
    FACET_MAP_TRANSMISSION,               /* red */
    FACET_MAP_THICKNESS,                  /* green */
    FACET_MAP_IRIDESCENCE,                /* red */
    FACET_MAP_IRIDESCENCE_THICKNESS,      /* green */
    FACET_MAP_ANISOTROPY,                 /* direction in red and green, strength in blue */
    FACET_MAP_DIFFUSE_TRANSMISSION,       /* alpha */
    FACET_MAP_DIFFUSE_TRANSMISSION_COLOR, /* sRGB */
    FACET_MAP_COUNT
} facet_map;

typedef enum facet_wrap { FACET_WRAP_REPEAT = 0, FACET_WRAP_CLAMP, FACET_WRAP_MIRROR } facet_wrap;

typedef enum facet_filter {
    FACET_FILTER_DEFAULT = 0, /* the renderer chooses */
    FACET_FILTER_NEAREST,
    FACET_FILTER_LINEAR,
    FACET_FILTER_NEAREST_MIPMAP_NEAREST, /* from here on for minification only */
    FACET_FILTER_LINEAR_MIPMAP_NEAREST,
    FACET_FILTER_NEAREST_MIPMAP_LINEAR,
    FACET_FILTER_LINEAR_MIPMAP_LINEAR
} facet_filter;

/* A texture of a material. facet_scene_add_map adds one. */
typedef struct facet_texture {
    const char *path; /* as the source names it, "": the image is inside the source */
    bool has_image;   /* `image` is valid */
    uint32_t image;   /* index into the scene's images, if has_image */
    uint32_t uv_set;  /* `set` of the FACET_TEXCOORD stream */
    float strength;   /* default 1. FACET_MAP_NORMAL, FACET_MAP_CLEARCOAT_NORMAL: factor of x and
                         y; FACET_MAP_OCCLUSION: 0 (no effect) to 1; FACET_MAP_BUMP: factor of
                         the height */
    /* Texture transform, in the v of the scene's axes. c and s are the cosine and sine of
     * `rotation`, which is in radians:
     *
     * | u' = offset[0] + c * scale[0] * u + s * scale[1] * v
     * | v' = offset[1] - s * scale[0] * u + c * scale[1] * v
     *
     * Source: the example of KHR_texture_transform. */
    bool has_transform; /* false: identity; the members below are ignored */
    float offset[2], rotation, scale[2];
    facet_wrap wrap_u, wrap_v;
    facet_filter minify, magnify;
} facet_texture;

typedef enum facet_alpha_mode {
    FACET_ALPHA_OPAQUE = 0,
    FACET_ALPHA_MASK, /* visible if alpha is at least alpha_cutoff */
    FACET_ALPHA_BLEND
} facet_alpha_mode;

/* Bits of facet_classic.stated. */
enum facet_classic_value {
    FACET_CLASSIC_AMBIENT = 1 << 0,
    FACET_CLASSIC_DIFFUSE = 1 << 1,
    FACET_CLASSIC_SPECULAR = 1 << 2,
    FACET_CLASSIC_EMISSIVE = 1 << 3,
    FACET_CLASSIC_TRANSMISSION = 1 << 4,
    FACET_CLASSIC_SHININESS = 1 << 5,
    FACET_CLASSIC_OPACITY = 1 << 6,
    FACET_CLASSIC_REFRACTION = 1 << 7,
    FACET_CLASSIC_ILLUMINATION = 1 << 8,
    FACET_CLASSIC_ROUGHNESS = 1 << 9,
    FACET_CLASSIC_METALLIC = 1 << 10,
    FACET_CLASSIC_SHEEN = 1 << 11,
    FACET_CLASSIC_CLEARCOAT = 1 << 12,
    FACET_CLASSIC_CLEARCOAT_ROUGHNESS = 1 << 13,
    FACET_CLASSIC_ANISOTROPY = 1 << 14,
    FACET_CLASSIC_ANISOTROPY_ROTATION = 1 << 15
};

/* A material in the terms of MTL, FBX and COLLADA. facet_classic_init sets the defaults. Colors are
 * linear floats, usually 0 to 1. */
typedef struct facet_classic {
    uint32_t stated;        /* facet_classic_value bits: values that the source states and
                               writers write. Members without their bit are valid as well */
    float ambient[3];       /* Ka; default 0 */
    float diffuse[3];       /* Kd; default 1 */
    float specular[3];      /* Ks; default 0 */
    float emissive[3];      /* Ke; default 0 */
    float transmission[3];  /* Tf; default 0 */
    float shininess;        /* Ns, 0 to 1000; default 0 */
    float opacity;          /* d; default 1: opaque */
    float refraction_index; /* Ni; default 1 */
    int32_t illumination;   /* illum, 0 to 10; default 2 */
    float roughness;        /* Pr; default 1 */
    float metallic;         /* Pm; default 0 */
    float sheen, clearcoat, clearcoat_roughness, anisotropy, anisotropy_rotation; /* default 0 */
} facet_classic;

/* The appearance of a material in one variant of the scene. */
typedef struct facet_variant_use {
    uint32_t variant;  /* index into the scene's variants */
    uint32_t material; /* index into the scene's materials: the one that replaces this material */
} facet_variant_use;

/* A material. The values of glTF's metallic-roughness model are always valid, and every writer
 * reads them. Values that the source states in other terms are stored next to them. Colors are
 * linear floats, usually 0 to 1. Faces, lines and points without a material have the default
 * material: white and opaque. */
struct facet_gx_material;
typedef struct facet_material {
    const char *name;        /* "": no name */
    float base_color[4];     /* RGBA; default 1 */
    float metallic;          /* 0 to 1; default 1 */
    float roughness;         /* 0 to 1; default 1 */
    float emissive[3];       /* default 0 */
    float emissive_strength; /* factor of `emissive`; default 1 */
    facet_alpha_mode alpha_mode;
    float alpha_cutoff; /* threshold of FACET_ALPHA_MASK; default 0.5 */
    bool double_sided;  /* both sides are drawn */
    bool unlit;         /* drawn in its color, without lighting */
    bool sides_unknown; /* the source cannot express double_sided (MTL, PLY, BSM): writers write
                           double_sided, facet_render draws both sides */
    const char *extras; /* JSON text; NULL: none */

    /* The same material in the terms of MTL, FBX or COLLADA. NULL: the source has none.
     * facet_scene_set_classic sets it; facet_material_get_classic computes it. */
    const facet_classic *classic;

    /* State of the graphics chip, if the source is a model of a GameCube or Wii
     * (facet/gx_material.h). Its textures are images of the scene. The values above approximate it.
     * If the material culls front faces, its faces are reversed, so that the visible side is the
     * front. NULL: none. */
    const struct facet_gx_material *gx;

    /* Values of glTF's material extensions KHR_materials_... Each is multiplied by its map. */
    float ior;      /* index of refraction, 1 or more, or 0: reflects all light; default 1.5 */
    float specular; /* 0 to 1: strength of the reflection of non-metals; default 1 */
    float specular_color[3];   /* color of the reflection at normal incidence; default 1 */
    float clearcoat;           /* 0 to 1; default 0: no coat */
    float clearcoat_roughness; /* 0 to 1; default 0 */
    float sheen_color[3];      /* default 0: no sheen */
    float sheen_roughness;     /* 0 to 1; default 0 */
    float transmission;        /* 0 to 1: light that is transmitted instead of diffused; default
                                  0 */
    float thickness; /* of the volume below the surface, in units of the mesh; default 0: a thin
                        wall */
    float attenuation_distance;     /* distance in the volume at which light has attenuation_color,
                                       in units of the scene; default 0: unlimited */
    float attenuation_color[3];     /* default 1 */
    float iridescence;              /* 0 to 1; default 0: no thin film */
    float iridescence_ior;          /* of the film, 1 or more; default 1.3 */
    float iridescence_thickness[2]; /* of the film in nanometers, where its map is 0 and 1;
                                       without a map, the second value applies; default 100 and
                                       400 */
    float anisotropy;               /* 0 to 1; default 0 */
    float anisotropy_rotation;      /* radians from the tangent toward the upper edge of
                                       textures; default 0 */
    float dispersion;               /* 20 divided by the Abbe number; default 0 */
    float diffuse_transmission;     /* 0 to 1: light that is transmitted diffusely; default 0 */
    float diffuse_transmission_color[3]; /* default 1 */

    facet_variant_use *variants; /* replacements of this material in variants; NULL: none */
    uint32_t variant_count;
    const char *extensions; /* JSON text: an object of glTF extensions that Facet keeps
                               unchanged; NULL: none */
    /* The material as a GameCube or Wii file stores it. NULL: the source is not such a file. If
     * `extras` is not NULL and not gx_file->extras, writers read `extras` instead. Readers of such
     * files leave `extras` NULL; facet_scene_print_extras creates the text. */
    struct facet_gx_file_material *gx_file;

    /* NULL: the material has no such map. Last, because later releases add maps. */
    facet_texture *maps[FACET_MAP_COUNT];
} facet_material;

/* Strength of a map (facet_texture.strength), or 1 if the material has no such map. */
static inline float facet_material_strength(const facet_material *material, facet_map map)
{
    return material->maps[map] ? material->maps[map]->strength : 1;
}

/* Set the defaults documented in facet_classic. No value is marked as stated. */
FACET_API void facet_classic_init(facet_classic *classic);

/* Compute a material in the terms of MTL. If the material has a classic part, its values are
 * returned. Exceptions are values that no longer match the material (facet_scene_set_classic): they
 * are computed and become stated. Without a classic part, all are computed:
 *  - diffuse: the base color;
 *  - opacity: alpha of the base color, 1 if the material is opaque;
 *  - shininess: 1000 * (1 - roughness)^2;
 *  - specular: 0.04 + (base color - 0.04) * metallic;
 *  - emissive: emissive * emissive_strength, stated if it is not 0;
 *  - roughness, metallic: the same;
 *  - illumination: 0 if the material is unlit, stated only then;
 *  - sheen: the luminance of sheen_color;
 *  - clearcoat and its roughness, anisotropy: the same; its rotation: that of glTF / (2 pi).
 *
 * Opacity is stated only if it is not 1; sheen, clearcoat and anisotropy only if they are not 0.
 * Nothing is stated if all values of the material are defaults. */
FACET_API void facet_material_get_classic(const facet_material *material, facet_classic *classic);

/* -- Images ------------------------------------------------------------- */

/* An image: the bytes of a PNG or JPEG file, or pixels, or the name of a file. */
typedef struct facet_image {
    const char *name;       /* "": no name */
    const char *media_type; /* type of `data`, such as "image/png"; "": unknown */
    const char *path;       /* of an external file as the source names it; NULL: none */
    const uint8_t *data;    /* encoded bytes; NULL: none */
    size_t size;            /* bytes of `data` */
    void *pixels;           /* width * height * channels bytes or floats, top row first; NULL: not
                               decoded */
    bool is_float; /* true: pixels are linear floats; false: bytes, in sRGB except for data such
                      as normals */
    uint32_t width, height; /* in pixels; 0: unknown */
    uint32_t channels;      /* 1 to 4: gray, gray and alpha, RGB, RGBA */
    const char *extras;     /* JSON text; NULL: none */
    /* Mip levels of the source below `pixels`, which are then bytes. They are RGBA whatever
       `channels` is, and are stored one after another. Each is half as wide and high as the one
       before, rounded down, at least 1. If you change `pixels`, set both members to 0. */
    const uint8_t *smaller; /* NULL: none; compute them if needed */
    uint32_t smaller_count;
    struct facet_gx_file_image *gx_file; /* the textures that show it, as in facet_material;
                                            NULL: none */
} facet_image;

/* -- Nodes -------------------------------------------------------------- */

/* A transform: scale, then rotation, then translation. */
typedef struct facet_transform {
    float translation[3];
    float rotation[4]; /* unit quaternion x, y, z, w */
    float scale[3];
} facet_transform;

/* -- Cameras and lights ------------------------------------------------- */

/* A camera. It is at the origin of its node and looks along -z; +y is up. */
typedef struct facet_camera {
    const char *name; /* "": no name */
    bool is_orthographic;
    float field_of_view; /* perspective: vertical angle of view in radians, above 0 */
    float aspect_ratio;  /* perspective: width / height; 0: that of the picture */
    float width, height; /* orthographic: half of the visible size, in units of the scene */
    float near_distance; /* in units of the scene */
    float far_distance;  /* in units of the scene; 0: unlimited, only for perspective */
    const char *extras;  /* JSON text; NULL: none */
} facet_camera;

typedef enum facet_light_kind {
    FACET_LIGHT_DIRECTIONAL = 0,
    FACET_LIGHT_POINT,
    FACET_LIGHT_SPOT
} facet_light_kind;

/* A light at the origin of its node. It shines along -z unless it is a point light. Source of the
 * model: KHR_lights_punctual. */
typedef struct facet_light {
    const char *name; /* "": no name */
    facet_light_kind kind;
    float color[3];  /* linear; default 1 */
    float intensity; /* in candela, for directional lights in lux; default 1 */
    float range;     /* maximum distance, in units of the scene; 0: unlimited */
    float inner_cone_angle, outer_cone_angle; /* of a spot light, radians from its axis; 0 <=
                                                 inner < outer <= pi / 2 */
    const char *extras;                       /* JSON text; NULL: none */
} facet_light;

/* -- Nodes -------------------------------------------------------------- */

/* A node of the scene's hierarchy. Its children are the nodes whose `parent` it is. Parents may
 * follow their children in the array, and no node is its own ancestor. */
typedef struct facet_node {
    const char *name; /* "": no name */
    uint32_t parent;  /* index of a node, or FACET_NONE */
    uint32_t mesh;    /* index into the scene's meshes, or FACET_NONE */
    uint32_t skin;    /* index into the scene's skins, or FACET_NONE */
    bool has_matrix;  /* `matrix` is valid, not `transform` */
    facet_transform transform;
    float matrix[16];   /* column-major: translation in 12, 13, 14 */
    float *weights;     /* weights of the mesh's morph targets, morph_count of them; NULL: the
                           mesh's defaults */
    uint32_t camera;    /* index into the scene's cameras, or FACET_NONE */
    uint32_t light;     /* index into the scene's lights, or FACET_NONE */
    bool hidden;        /* the node and its descendants are invisible at rest */
    const char *extras; /* JSON text; NULL: none */
    struct facet_gx_file_part *gx_file; /* the joint of a J3D file, as in facet_material; NULL:
                                           none */
    /* Nodes that replace this one at a distance (levels of detail), each coarser than the one
     * before. They are neither roots nor children, so they are not visible themselves. NULL: none.
     */
    uint32_t *lods;
    uint32_t lod_count;
    const char *extensions; /* JSON text, as in facet_material */
} facet_node;

/* -- Skins -------------------------------------------------------------- */

/* A skin. FACET_JOINTS elements of a mesh are indices into its joints. */
typedef struct facet_skin {
    const char *name; /* "": no name */
    uint32_t joint_count;
    uint32_t *joints;    /* indices of nodes */
    float *inverse_bind; /* column-major 4x4 matrices, one per joint; NULL: all identity */
    uint32_t skeleton;   /* node at the root of the joints, or FACET_NONE */
    const char *extras;  /* JSON text; NULL: none */
} facet_skin;

/* -- Animations --------------------------------------------------------- */

typedef enum facet_channel_target {
    FACET_TARGET_TRANSLATION, /* 3 values */
    FACET_TARGET_ROTATION,    /* 4: unit quaternion x, y, z, w; interpolated along the shorter
                                 arc */
    FACET_TARGET_SCALE,       /* 3 */
    FACET_TARGET_WEIGHTS,     /* 1 per morph target of the node's mesh */
    FACET_TARGET_VISIBILITY,  /* 1: 0 hides the node and its descendants; steps */
    /* Targets of a material. Colors are linear, like those of facet_material. */
    FACET_TARGET_BASE_COLOR, /* 4 */
    FACET_TARGET_EMISSIVE,   /* 3 */
    /* Targets of a material's map: its texture transform, and the image that it shows. */
    FACET_TARGET_TEXTURE_OFFSET,   /* 2 */
    FACET_TARGET_TEXTURE_ROTATION, /* 1: radians */
    FACET_TARGET_TEXTURE_SCALE,    /* 2 */
    FACET_TARGET_TEXTURE_IMAGE     /* 1: index into the scene's images; steps */
} facet_channel_target;

typedef enum facet_interpolation {
    FACET_INTERPOLATION_LINEAR = 0,
    FACET_INTERPOLATION_STEP,
    FACET_INTERPOLATION_CUBIC /* Hermite; each key has in-tangent, value, out-tangent */
} facet_interpolation;

/* One animated property of one node or material. Before the first key and after the last, the value
 * of the nearest key applies. */
typedef struct facet_channel {
    uint32_t node; /* FACET_NONE: a material is animated */
    facet_channel_target target;
    facet_interpolation interpolation;
    uint32_t width;     /* values per key, determined by the target */
    uint32_t key_count; /* at least 1 */
    float *times;       /* seconds, ascending */
    float *values;      /* key_count * width values; three times that for cubic */
    uint32_t material;  /* used only by targets of materials */
    facet_map map;      /* for FACET_TARGET_TEXTURE_...: a map that the material has */
} facet_channel;

typedef struct facet_animation {
    const char *name; /* "": no name */
    facet_channel *channels;
    uint32_t channel_count;
    const char *extras;                 /* JSON text; NULL: none */
    struct facet_gx_file_part *gx_file; /* the file, as in facet_material; NULL: none */
} facet_animation;

/* -- Scenes ------------------------------------------------------------- */

typedef enum facet_axis { FACET_AXIS_Y = 0, FACET_AXIS_Z = 1, FACET_AXIS_X = 2 } facet_axis;

/* Conventions of coordinates, as read. All zero: +Y up, right-handed, meters, v = 0 at the lower
 * edge of a texture. */
typedef struct facet_axes {
    facet_axis up;
    bool left_handed;   /* the third axis is reversed */
    double unit;        /* meters per unit; 0: unknown, treated as 1 */
    bool uv_origin_top; /* v increases downward */
} facet_axes;

/* A convex collision body: the convex hull of its points. */
typedef struct facet_hull {
    const char *name; /* "": no name */
    uint32_t point_count;
    float *points; /* point_count * 3 values */
} facet_hull;

/* A scene. Each array holds pointers, none of them NULL, so that pointers to items stay valid when
 * others are added. */
typedef struct facet_scene {
    facet_arena *arena;
    facet_axes axes;
    facet_mesh **meshes;
    uint32_t mesh_count;
    facet_material **materials;
    uint32_t material_count;
    facet_hull **hulls;
    uint32_t hull_count;
    facet_mesh *occluder; /* triangles, positions only; NULL: none */

    const char *name;      /* NULL: no name */
    const char *generator; /* the program that wrote the source, as the source names it; NULL:
                              unknown */
    facet_image **images;
    uint32_t image_count;
    /* Without nodes, every mesh appears once at the origin. With nodes, a mesh appears at each node
     * that refers to it and is a root or below one. */
    facet_node **nodes;
    uint32_t node_count;
    uint32_t *roots; /* nodes without parent that are visible; NULL: all of them, except levels of
                        detail */
    uint32_t root_count;
    facet_skin **skins;
    uint32_t skin_count;
    facet_animation **animations;
    uint32_t animation_count;
    facet_camera **cameras;
    uint32_t camera_count;
    facet_light **lights;
    uint32_t light_count;
    const char *extras; /* JSON text; NULL: none */

    /* Appearances that a viewer can choose between (KHR_materials_variants). Each material lists
     * its replacements; facet_scene_choose_variant applies one variant. */
    const char **variants;
    uint32_t variant_count;
    const char *asset;      /* JSON text: an object with other data of the source about itself,
                               such as "copyright" and "extras"; NULL: none */
    const char *extensions; /* JSON text, as in facet_material */
    struct facet_gx_file_part *gx_file; /* the model as a whole, and animations that the scene
                                           has no channels for, as in facet_material; NULL: none */

    struct { /* private */
        facet_growth meshes, materials, hulls, images, nodes, skins, animations, cameras, lights,
            roots, variants;
    } growth;
} facet_scene;

/* Create an empty scene. Free it with facet_scene_free. */
FACET_API facet_status facet_scene_create(const facet_options *options, facet_scene **scene,
                                          facet_error *error);
/* Free the scene and everything that it owns. NULL is allowed. */
FACET_API void facet_scene_free(facet_scene *scene);

/* Copy a scene. Nothing in *copy points into `scene`. `scene` must satisfy the invariants at the
 * top of this file. Streams that share an index array share it in the copy. Free the copy with
 * facet_scene_free. Linear in the scene's size; options may be NULL. Errors: FACET_ERROR_ARGUMENT,
 * FACET_ERROR_MEMORY. */
FACET_API facet_status facet_scene_copy(const facet_scene *scene, const facet_options *options,
                                        facet_scene **copy, facet_error *error);

/* Append a copy of the content of another scene: meshes, materials, images, nodes, skins,
 * animations, cameras, lights, hulls, the occluder and the variants. Indices of the copy are
 * renumbered, so that its first mesh has the former mesh_count of `scene`, and likewise its other
 * items. `other` is not changed; it may be `scene` itself.
 *
 *  - The copy is converted to the axes of `scene` (facet_scene_set_axes). An unknown unit is 1 m.
 *  - If only one of the scenes has nodes, each mesh of the other gets a node at the origin, so that
 *    it stays visible.
 *  - Variants of the same name become one variant. Two occluders become one.
 *  - If `scene` has no content, it gets the name, generator, asset, extras and extensions of
 *    `other`. Otherwise it keeps its own, and those of `other` are dropped: options->report gets
 *    LOSS-NAMES, LOSS-EXTRAS and LOSS-ASSET.
 *
 * Paths of textures and images are copied unchanged. They are relative to the source of their
 * scene: before you add a scene from another folder, load its images (facet_scene_load_images) and
 * empty these paths.
 *
 * Both scenes must satisfy the invariants at the top of this file. Pointers into `scene` stay
 * valid, except to the arrays that list its items, and to its occluder. Linear in the size of
 * `other`, and if it has variants, in the number of variants; options may be NULL. Errors, after
 * which `scene` has its former content: FACET_ERROR_ARGUMENT, FACET_ERROR_UNSUPPORTED (both
 * SCENE-AXES), FACET_ERROR_MEMORY, FACET_ERROR_MEMORY_LIMIT, FACET_ERROR_LIMIT (more items than an
 * index can count). */
FACET_API facet_status facet_scene_add_scene(facet_scene *scene, const facet_scene *other,
                                             const facet_options *options, facet_error *error);

/* Allocate memory that lives as long as the scene: 16-byte aligned, not cleared. NULL if `count *
 * size` overflows, memory is exhausted, or the scene's limit is exceeded. */
FACET_API void *facet_scene_allocate(facet_scene *scene, size_t count, size_t size);
/* Copy a string into the scene. NULL if out of memory. */
FACET_API const char *facet_scene_string(facet_scene *scene, const char *text);

/* Append an empty mesh to scene->meshes. Its index is mesh_count - 1; the same applies to the other
 * functions below that append. */
FACET_API facet_status facet_scene_add_mesh(facet_scene *scene, facet_mesh **mesh,
                                            facet_error *error);
/* Append a material with this name and glTF's defaults (white, opaque, metallic 1, roughness 1,
 * one-sided, no maps) to scene->materials. */
FACET_API facet_status facet_scene_add_material(facet_scene *scene, const char *name,
                                                facet_material **material, facet_error *error);
/* Give a material of the scene a map with the default values (path "", no image, strength 1, no
 * transform, repeated). An existing map is replaced. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_MEMORY_LIMIT; the material is then unchanged. */
FACET_API facet_status facet_scene_add_map(facet_scene *scene, facet_material *material,
                                           facet_map map, facet_texture **texture,
                                           facet_error *error);
/* Store a copy of `classic` as the classic part of a material of the scene. Set the maps first,
 * because the following values are then set:
 *  - base color: diffuse and opacity;
 *  - alpha mode: FACET_ALPHA_BLEND if opacity is below 1 or the material has a FACET_MAP_OPACITY,
 *    otherwise FACET_ALPHA_OPAQUE;
 *  - emissive: the same, with emissive_strength 1;
 *  - roughness: the same if stated, otherwise 1 - sqrt(shininess / 1000) if that is stated,
 *    otherwise 1 (Blender's formula);
 *  - metallic: the same if stated, otherwise 1 with a FACET_MAP_METALLIC or
 *    FACET_MAP_METALLIC_ROUGHNESS, otherwise 0;
 *  - unlit: true for the stated illumination 0, otherwise unchanged;
 *  - sheen_color: the sheen, with a sheen_roughness of 0.5 as in Blender;
 *  - clearcoat and clearcoat_roughness: the same;
 *  - anisotropy: the same; anisotropy_rotation: 2 pi times the same. Sheen, coat and anisotropy are
 *    0 if they are not stated, and so is what belongs to them.
 *
 * Errors: FACET_ERROR_MEMORY, FACET_ERROR_LIMIT; the material is then unchanged. */
FACET_API facet_status facet_scene_set_classic(facet_scene *scene, facet_material *material,
                                               const facet_classic *classic, facet_error *error);
/* Replace the materials of all faces by those of a variant. Afterwards the scene has no variants.
 * If several variants have this name, the first is chosen; if none has, FACET_ERROR_ARGUMENT (rule
 * SCENE-VARIANT). */
FACET_API facet_status facet_scene_choose_variant(facet_scene *scene, const char *name,
                                                  facet_error *error);
/* Append a hull with space for `point_count` points to scene->hulls. */
FACET_API facet_status facet_scene_add_hull(facet_scene *scene, const char *name,
                                            uint32_t point_count, facet_hull **hull,
                                            facet_error *error);
/* Set an empty mesh as the scene's occluder. An existing occluder is dropped. */
FACET_API facet_status facet_scene_add_occluder(facet_scene *scene, facet_mesh **occluder,
                                                facet_error *error);

/* Append an image without bytes to scene->images. */
FACET_API facet_status facet_scene_add_image(facet_scene *scene, const char *name,
                                             facet_image **image, facet_error *error);
/* Append a node to scene->nodes, at the origin and without parent, mesh, skin, camera and light. */
FACET_API facet_status facet_scene_add_node(facet_scene *scene, const char *name, facet_node **node,
                                            facet_error *error);
/* Append a skin with space for its joints to scene->skins. Joints are FACET_NONE until set;
 * inverse_bind holds identities. */
FACET_API facet_status facet_scene_add_skin(facet_scene *scene, const char *name,
                                            uint32_t joint_count, facet_skin **skin,
                                            facet_error *error);
/* Append an animation with `channel_count` cleared channels to scene->animations. */
FACET_API facet_status facet_scene_add_animation(facet_scene *scene, const char *name,
                                                 uint32_t channel_count,
                                                 facet_animation **animation, facet_error *error);
/* Append a perspective camera with a field of view of 45 degrees and a near distance of 0.1 to
 * scene->cameras. */
FACET_API facet_status facet_scene_add_camera(facet_scene *scene, const char *name,
                                              facet_camera **camera, facet_error *error);
/* Append a white directional light of intensity 1, with cone angles of 0 and pi / 4, to
 * scene->lights. */
FACET_API facet_status facet_scene_add_light(facet_scene *scene, const char *name,
                                             facet_light **light, facet_error *error);

/* Scale the scene by `factor`: positions, hulls, the transforms of nodes and joints, the animations
 * that move them, and the distances of cameras and lights. Intensities stay: a lamp that is
 * `factor` times as far away gives 1 / factor^2 of the illuminance. */
FACET_API void facet_scene_scale(facet_scene *scene, double factor);

/* Convert the scene to other axes:
 *  - positions, normals, tangents, morph targets, hulls and occluder;
 *  - the transforms of nodes and joints, inverse bind matrices, animations;
 *  - the order of corners, if the handedness changes;
 *  - v of texture coordinates and texture transforms, if the origin of v changes;
 *  - all lengths, if axes->unit is above 0 and is not the scene's (an unknown unit of the scene is
 *    treated as a meter).
 *
 * Rotation of the axes does not round any value. If cameras and lights would change direction, they
 * move to an added child node. Custom streams and extras are not changed. Afterwards scene->axes
 * equals *axes, except that a unit of 0 keeps the scene's. Errors: FACET_ERROR_ARGUMENT;
 * FACET_ERROR_MEMORY; FACET_ERROR_LIMIT if a number exceeds a float; FACET_ERROR_UNSUPPORTED (rule
 * SCENE-AXES) if v changes its origin and an animation moves a texture. Linear. */
FACET_API facet_status facet_scene_set_axes(facet_scene *scene, const facet_axes *axes,
                                            facet_error *error);

/* Check the invariants at the top of this file, for a scene that was created or modified by the
 * caller. FACET_ERROR_ARGUMENT with a sentence for the first array, index or count that breaks them
 * (rule SCENE), or, checked last, for a number that is not finite (rule SCENE-NONFINITE). If this
 * check accepts a scene, it can be prepared and saved in any format, or the format rejects it with
 * a reason. Linear in the scene's size. Its temporary memory, from options->allocator (NULL:
 * malloc), is some bytes per node, mesh and stream. */
FACET_API facet_status facet_scene_check(const facet_scene *scene, const facet_options *options,
                                         facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
