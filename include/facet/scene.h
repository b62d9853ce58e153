/* facet/scene.h - the neutral model that every format is read into and written
 * from.
 *
 * One mesh, two states. A mesh is faces of corners, and each attribute stream
 * has an index per corner. OBJ and BinaryMesh are born with polygons and
 * separate indices; a GPU wants triangles and one index. "GPU-ready" means:
 * every face is a triangle, and the mesh is indexed: every stream has the same
 * index array (the same pointer) and the same count. Only then is element i of
 * each stream the vertex i. facet/mesh.h has the passes that lead there.
 *
 * A scene is a plain struct: read it, change it, fill it in by hand. Whatever
 * it points to lies in its arena (facet_scene_allocate) and goes with it, or is
 * the caller's and outlives it. What a reader returns is range-checked: every
 * index is below its stream's count or FACET_NONE, every offset, string and array
 * is whole, every number of a stream, a hull, a place, a material and an
 * animation is finite. Whoever changes a scene by hand keeps that promise, or
 * asks facet_scene_check; passes and writers rely on it.
 *
 * A finished scene may be read by any number of threads at once: whatever takes
 * it as const only looks at it, and has its working memory from elsewhere. The
 * functions that add to it, and the passes, want it for themselves.
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

/* What the library notes of an array that the functions facet_..._add_... append
 * to: the array that they made, and how many items have space in it. Callers
 * leave it alone. An array that a caller set is another one: it is copied before
 * something is appended, and stays as it is. */
typedef struct facet_growth {
    const void *items;
    uint32_t capacity;
} facet_growth;

/* -- Streams ------------------------------------------------------------ */

typedef enum facet_semantic {
    FACET_POSITION, /* float x 3 */
    FACET_NORMAL,   /* float x 3, unit length */
    FACET_TANGENT,  /* float x 4, unit xyz along +u, w = +1 or -1: bitangent = w * cross(N, T) */
    FACET_TEXCOORD, /* float x 2 (3 for volume textures), `set` counts the layers */
    FACET_COLOR,    /* float x 3 or 4, linear, straight alpha; `set` counts the layers */
    FACET_JOINTS,   /* uint16 x 4, indices into the skin's joints; `set` for more than 4 */
    FACET_WEIGHTS,  /* float x 4, sum 1 over all sets */
    FACET_CUSTOM,   /* anything, known by `name` */
    /* Differences that a morph target adds to position, normal and the xyz of
     * the tangent: float x 3, `set` is the target, below the mesh's morph_count. */
    FACET_MORPH_POSITION,
    FACET_MORPH_NORMAL,
    FACET_MORPH_TANGENT
} facet_semantic;

/* "position", "normal", ... as messages say it. */
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

/* One attribute: `count` elements of `components` components, tightly packed
 * in host byte order, and the element that each corner uses. */
typedef struct facet_stream {
    facet_semantic semantic;
    uint32_t set;              /* layer of a texcoord, color, joints or weights */
    const char *name;          /* of a custom stream; NULL otherwise */
    facet_component component; /* as the semantic asks for */
    uint32_t components;       /* 1 to 16 */
    uint32_t count;            /* elements; those that no corner uses are allowed, so that streams
                                  that share `indices` may have different counts */
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

/* A morph target of a mesh; its differences are the streams FACET_MORPH_* whose
 * `set` is its number. */
typedef struct facet_morph {
    const char *name; /* "" when it has none */
    float weight;     /* how much of it shows when nothing says otherwise */
} facet_morph;

/* Meshes that turn to the camera about the place of their node, which keep its scale alone. */
typedef enum facet_billboard {
    FACET_BILLBOARD_NONE,
    FACET_BILLBOARD_ALL, /* x and y are the camera's */
    FACET_BILLBOARD_Y    /* x is the camera's, y stays as it is seen */
} facet_billboard;

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
    uint32_t point_count;
    uint32_t *points; /* one vertex index per point that is drawn as such, like `lines` */
    facet_morph *morphs;
    uint32_t morph_count;
    const char *extras;        /* JSON text of what else the source says; NULL when nothing */
    const char *extensions;    /* JSON text, as those of a material */
    facet_billboard billboard; /* of a mesh without a skin */
    struct facet_gx_file_part *gx_file; /* as that of a material: the shape of a J3D file; NULL:
                                           none */

    facet_growth stream_growth; /* the library's own */
} facet_mesh;

/* The stream of a semantic and set (the first such for FACET_CUSTOM), or NULL. */
FACET_API facet_stream *facet_mesh_find(const facet_mesh *mesh, facet_semantic semantic,
                                        uint32_t set);
/* A new stream with space for `count` elements and no indices yet: the caller
 * sets `indices`. `name` is copied, and NULL but for custom streams.
 * Pointers to other streams of the mesh become invalid. */
FACET_API facet_status facet_mesh_add_stream(facet_mesh *mesh, facet_semantic semantic,
                                             uint32_t set, const char *name,
                                             facet_component component, uint32_t components,
                                             uint32_t count, facet_stream **stream,
                                             facet_error *error);
/* A new stream that is filled at once: `data`, count * components of them, and
 * `indices`, one per corner, are copied. Set the mesh's corner_count first.
 * Indices that are those of another stream of the mesh are shared with it, not
 * copied; NULL shares those of the first stream, and in the first stream means
 * that corner i uses element i. FACET_ERROR_ARGUMENT when an index is neither
 * below count nor FACET_NONE; then the mesh is as before. stream may be NULL.
 * Pointers to other streams become invalid. Linear. */
FACET_API facet_status facet_mesh_add_stream_copy(facet_mesh *mesh, facet_semantic semantic,
                                                  uint32_t set, const char *name,
                                                  facet_component component, uint32_t components,
                                                  uint32_t count, const void *data,
                                                  const uint32_t *indices, facet_stream **stream,
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
/* True when all streams share one index array and have the same count. Streams that share an
 * index array and differ in their counts (by elements that no corner uses) are valid, and not
 * indexed: facet_mesh_index makes them so. */
FACET_API bool facet_mesh_is_indexed(const facet_mesh *mesh);

/* -- Materials ---------------------------------------------------------- */

/* What a texture map is for. */
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
    /* Of glTF's material extensions: the channels that they read. */
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

/* A texture as a material uses it. facet_scene_add_map adds one to a material. */
typedef struct facet_texture {
    const char *path; /* as the source names it, "" when the image is inside the source */
    bool has_image;   /* the image is one of the scene's */
    uint32_t image;   /* index into the scene's images, when has_image */
    uint32_t uv_set;  /* which FACET_TEXCOORD */
    float strength;   /* 1 by default. FACET_MAP_NORMAL, FACET_MAP_CLEARCOAT_NORMAL: factor of x
                         and y; FACET_MAP_OCCLUSION: 0 (no effect) to 1; FACET_MAP_BUMP: factor of
                         the height */
    /* In the scene's v, with c, s the cosine and sine of `rotation` (radians):
     *   u' = offset[0] + c * scale[0] * u + s * scale[1] * v
     *   v' = offset[1] - s * scale[0] * u + c * scale[1] * v
     * Source: the example of KHR_texture_transform. */
    bool has_transform; /* false: the identity, whatever the members below hold */
    float offset[2], rotation, scale[2];
    facet_wrap wrap_u, wrap_v;
    facet_filter minify, magnify;
} facet_texture;

typedef enum facet_alpha_mode {
    FACET_ALPHA_OPAQUE = 0,
    FACET_ALPHA_MASK, /* visible where alpha is at least alpha_cutoff */
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

/* A material in the terms of MTL, FBX and COLLADA. facet_classic_init sets their defaults.
 * Colors are linear floats, usually 0 to 1. */
typedef struct facet_classic {
    uint32_t stated;        /* facet_classic_value bits: which values the source states, and a
                               writer writes; every member is valid without its bit */
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
    uint32_t material; /* index into the scene's materials: what faces have instead */
} facet_variant_use;

/* A material: the values of glTF's metallic-roughness model, which are always valid and which
 * every writer reads; next to them what the source says in other terms. Colors are linear
 * floats, usually 0 to 1. Faces without a material have the default material:
 * white and opaque. */
struct facet_gx_material;
typedef struct facet_material {
    const char *name;        /* "" when it has none */
    float base_color[4];     /* alpha last; default 1 */
    float metallic;          /* 0 to 1; default 1 */
    float roughness;         /* 0 to 1; default 1 */
    float emissive[3];       /* default 0 */
    float emissive_strength; /* factor of `emissive`; default 1 */
    facet_alpha_mode alpha_mode;
    float alpha_cutoff; /* of FACET_ALPHA_MASK; default 0.5 */
    bool double_sided;  /* both sides are drawn */
    bool unlit;         /* drawn in its color, whatever light there is */
    bool sides_unknown; /* the source has no term for double_sided (MTL, PLY, BSM):
                           writers write double_sided, facet_render draws both sides */
    const char *extras; /* JSON text, or NULL */

    /* The same material in the terms of MTL, FBX or COLLADA, if the source has them. NULL:
     * none. facet_scene_set_classic sets it; facet_material_get_classic computes it. */
    const facet_classic *classic;

    /* The state of the graphics chip, if the source is a model of a GameCube or Wii
     * (facet/gx_material.h); its textures are images of the scene. The values above are the
     * nearest ones. Faces of a material that culls front faces are reversed, so that their
     * visible side is the front. NULL: none. */
    const struct facet_gx_material *gx;

    facet_texture *maps[FACET_MAP_COUNT]; /* NULL: the material has no such map */

    /* The values of glTF's material extensions KHR_materials_... Each is multiplied by its map. */
    float ior;      /* index of refraction, 1 or more; 0: reflects everything; default 1.5 */
    float specular; /* 0 to 1: strength of the reflection of non-metals; default 1 */
    float specular_color[3];   /* its color when seen from the front; default 1 */
    float clearcoat;           /* 0 to 1; default 0: no coat */
    float clearcoat_roughness; /* 0 to 1; default 0 */
    float sheen_color[3];      /* default 0: no sheen */
    float sheen_roughness;     /* 0 to 1; default 0 */
    float transmission;        /* 0 to 1: light that passes instead of being diffused; default 0 */
    float thickness; /* of the volume below the surface, in units of the mesh; default 0: a
                        thin wall */
    float attenuation_distance; /* after which light in the volume has attenuation_color, in units
                                   of the scene; default 0: unlimited */
    float attenuation_color[3]; /* default 1 */
    float iridescence;          /* 0 to 1; default 0: no thin film */
    float iridescence_ior;      /* of the film, 1 or more; default 1.3 */
    float iridescence_thickness[2]; /* of the film in nanometers, where its map is 0 and 1; without
                                       a map the second; default 100 and 400 */
    float anisotropy;               /* 0 to 1; default 0 */
    float anisotropy_rotation;      /* radians from the tangent toward the upper edge of textures;
                                       default 0 */
    float dispersion;               /* 20 divided by the Abbe number; default 0 */
    float diffuse_transmission;     /* 0 to 1: diffused light that passes; default 0 */
    float diffuse_transmission_color[3]; /* default 1 */

    facet_variant_use *variants; /* how faces of this material appear in variants; NULL: the same */
    uint32_t variant_count;
    const char *extensions; /* JSON text: an object of glTF extensions that Facet only keeps, or
                               NULL */
    /* The material as a GameCube or Wii file stores it; NULL: it comes from no such file. When
     * `extras` points to another text than gx_file->extras, that text is read instead. Readers of
     * such files leave `extras` NULL; facet_scene_print_extras makes the text. */
    struct facet_gx_file_material *gx_file;
} facet_material;

/* The factor of a material's map: facet_texture.strength, 1 when there is no such map. */
static inline float facet_material_strength(const facet_material *material, facet_map map)
{
    return material->maps[map] ? material->maps[map]->strength : 1;
}

/* Set the default values that the comments of facet_classic give, none of them stated. */
FACET_API void facet_classic_init(facet_classic *classic);

/* Compute a material in the terms of MTL. If the material has a classic part, its values are
 * returned, except where a value of the material no longer follows from them
 * (facet_scene_set_classic): these are computed and become stated. Without one, all are
 * computed:
 *   diffuse    the base color
 *   opacity    alpha of the base color, 1 when the material is opaque
 *   shininess  1000 * (1 - roughness)^2
 *   specular   0.04 + (base color - 0.04) * metallic
 *   emissive   emissive * emissive_strength, stated when it is not 0
 *   roughness, metallic   the same
 * Opacity is stated only when it is not 1, and nothing of a material whose values are all
 * defaults. */
FACET_API void facet_material_get_classic(const facet_material *material, facet_classic *classic);

/* -- Images ------------------------------------------------------------- */

/* An image: the bytes of a PNG or JPEG, or pixels, or the name of a file. */
typedef struct facet_image {
    const char *name;       /* "" when it has none */
    const char *media_type; /* of `data`: "image/png"; "" when unknown */
    const char *path;    /* of an external file as the source names it; NULL when there is none */
    const uint8_t *data; /* encoded bytes, or NULL */
    size_t size;         /* bytes of `data` */
    void *pixels;        /* width * height * channels bytes, or floats; top row first; NULL when not
                            decoded */
    bool is_float; /* pixels are floats, linear; else bytes, sRGB but for data such as normals */
    uint32_t width, height; /* in pixels, 0 when they are not known */
    uint32_t channels;      /* 1 to 4: gray, gray and alpha, RGB, RGBA */
    const char *extras;     /* JSON text, or NULL */
    /* Mip levels of the source below `pixels`, which are bytes: RGBA whatever `channels` says, each
       half as wide and high as the one before, rounded down, at least 1, right behind it.
       Who changes `pixels` sets both to 0. */
    const uint8_t *smaller; /* NULL when there are none: whoever needs them makes them */
    uint32_t smaller_count;
    struct facet_gx_file_image *gx_file; /* as that of a material: the textures that show it;
                                                  NULL: none */
} facet_image;

/* -- Nodes -------------------------------------------------------------- */

/* Scale, then rotate, then translate. */
typedef struct facet_transform {
    float translation[3];
    float rotation[4]; /* unit quaternion x y z w */
    float scale[3];
} facet_transform;

/* -- Cameras and lights ------------------------------------------------- */

/* A camera. It is at the origin of its node, looks along -z, and +y is up. */
typedef struct facet_camera {
    const char *name; /* "" when it has none */
    bool is_orthographic;
    float field_of_view; /* perspective: angle of the picture's height in radians, above 0 */
    float aspect_ratio;  /* perspective: width / height; 0: that of the picture */
    float width, height; /* orthographic: half of what is visible, in units of the scene */
    float near_distance; /* in units of the scene */
    float far_distance;  /* 0: unlimited, only when perspective */
    const char *extras;  /* JSON text, or NULL */
} facet_camera;

typedef enum facet_light_kind {
    FACET_LIGHT_DIRECTIONAL = 0,
    FACET_LIGHT_POINT,
    FACET_LIGHT_SPOT
} facet_light_kind;

/* A light at the origin of its node, which shines along -z unless it is a point light. Source of
 * the model: KHR_lights_punctual. */
typedef struct facet_light {
    const char *name; /* "" when it has none */
    facet_light_kind kind;
    float color[3];  /* linear; default 1 */
    float intensity; /* candela, of a directional light lux; default 1 */
    float range;     /* where it ends, in units of the scene; 0: unlimited */
    float inner_cone_angle, outer_cone_angle; /* of a spot light, radians from its axis;
                                                 0 <= inner < outer <= pi / 2 */
    const char *extras;                       /* JSON text, or NULL */
} facet_light;

/* -- Nodes -------------------------------------------------------------- */

/* A place in the scene. Its children are the nodes that name it as parent;
 * parents may stand after their children, and no node is its own ancestor. */
typedef struct facet_node {
    const char *name; /* "" when it has none */
    uint32_t parent;  /* index of a node, or FACET_NONE */
    uint32_t mesh;    /* index into the scene's meshes, or FACET_NONE */
    uint32_t skin;    /* index into the scene's skins, or FACET_NONE */
    bool has_matrix;  /* the place is `matrix`, not `transform` */
    facet_transform transform;
    float matrix[16];   /* column-major: translation in 12, 13, 14 */
    float *weights;     /* of the mesh's morph targets, morph_count of them; NULL: the mesh's */
    uint32_t camera;    /* index into the scene's cameras, or FACET_NONE */
    uint32_t light;     /* index into the scene's lights, or FACET_NONE */
    bool hidden;        /* neither the node nor what is below it is visible at rest */
    const char *extras; /* JSON text, or NULL */
    struct facet_gx_file_part *gx_file; /* as that of a material: the joint of a J3D file; NULL:
                                           none */
    /* Nodes that stand for this one farther away, each coarser than the one before. They
     * are no roots and nothing's children, and so are not seen themselves. NULL: none. */
    uint32_t *lods;
    uint32_t lod_count;
    const char *extensions; /* JSON text, as those of a material */
} facet_node;

/* -- Skins -------------------------------------------------------------- */

/* FACET_JOINTS elements of a mesh count these joints. */
typedef struct facet_skin {
    const char *name; /* "" when it has none */
    uint32_t joint_count;
    uint32_t *joints;    /* nodes */
    float *inverse_bind; /* column-major 4x4 matrices, one per joint; NULL: all identity */
    uint32_t skeleton;   /* node at the root of the joints, or FACET_NONE */
    const char *extras;  /* JSON text, or NULL */
} facet_skin;

/* -- Animations --------------------------------------------------------- */

typedef enum facet_channel_target {
    FACET_TARGET_TRANSLATION, /* 3 values */
    FACET_TARGET_ROTATION,    /* 4: unit quaternion x y z w; between keys along the shorter arc */
    FACET_TARGET_SCALE,       /* 3 */
    FACET_TARGET_WEIGHTS,     /* one per morph target of the node's mesh */
    FACET_TARGET_VISIBILITY,  /* 1: 0 hides the node and all below it; steps */
    /* Of a material; colors are linear, as the material's own. */
    FACET_TARGET_BASE_COLOR, /* 4 */
    FACET_TARGET_EMISSIVE,   /* 3 */
    /* Of a material's map: its texture transform, and which image it shows. */
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

/* One animated property of one node or material. Before the first key and after the
 * last the nearest key holds. */
typedef struct facet_channel {
    uint32_t node; /* FACET_NONE when a material is animated */
    facet_channel_target target;
    facet_interpolation interpolation;
    uint32_t width;     /* values per key, as the target says */
    uint32_t key_count; /* at least 1 */
    float *times;       /* seconds, ascending */
    float *values;      /* key_count * width, times 3 when cubic */
    uint32_t material;  /* of targets of materials; not looked at otherwise */
    facet_map map;      /* of FACET_TARGET_TEXTURE_...: a map that the material has */
} facet_channel;

typedef struct facet_animation {
    const char *name; /* "" when it has none */
    facet_channel *channels;
    uint32_t channel_count;
    const char *extras;                 /* JSON text, or NULL */
    struct facet_gx_file_part *gx_file; /* as that of a material: the file; NULL: none */
} facet_animation;

/* -- Scenes ------------------------------------------------------------- */

typedef enum facet_axis { FACET_AXIS_Y = 0, FACET_AXIS_Z = 1, FACET_AXIS_X = 2 } facet_axis;

/* The conventions of the numbers, as read. All zero: +Y up, right-handed,
 * meters, v = 0 at the lower edge of a texture. */
typedef struct facet_axes {
    facet_axis up;
    bool left_handed;   /* the third axis points the other way */
    double unit;        /* meters per unit; 0 when unknown, taken as 1 */
    bool uv_origin_top; /* v grows downwards */
} facet_axes;

/* A convex collision body: the hull of its points. */
typedef struct facet_hull {
    const char *name; /* "" when it has none */
    uint32_t point_count;
    float *points; /* point_count * 3 */
} facet_hull;

/* Each array holds pointers, none of them NULL, so that pointers to an item stay valid when
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
    facet_mesh *occluder; /* triangles, positions only; NULL when there is none */

    const char *name;      /* NULL when it has none */
    const char *generator; /* the program that wrote it, as it says; NULL: not known */
    facet_image **images;
    uint32_t image_count;
    /* Without nodes every mesh stands once at the origin; with nodes it stands
     * wherever a node that is below a root names it. */
    facet_node **nodes;
    uint32_t node_count;
    uint32_t *roots; /* nodes without parent that are seen; NULL: all of them */
    uint32_t root_count;
    facet_skin **skins;
    uint32_t skin_count;
    facet_animation **animations;
    uint32_t animation_count;
    facet_camera **cameras;
    uint32_t camera_count;
    facet_light **lights;
    uint32_t light_count;
    const char *extras; /* JSON text, or NULL */

    /* Appearances that a viewer can choose between (KHR_materials_variants). Materials say which
     * other material they become; facet_scene_choose_variant applies one. */
    const char **variants;
    uint32_t variant_count;
    const char *asset;      /* JSON text: an object of what else the source says of itself, such as
                               "copyright" and "extras", or NULL */
    const char *extensions; /* JSON text, as those of a material */
    struct facet_gx_file_part *gx_file; /* as that of a material: the model as a whole, and
                                           animations that the scene has no channels for; NULL:
                                           none */

    struct { /* the library's own */
        facet_growth meshes, materials, hulls, images, nodes, skins, animations, cameras, lights;
    } growth;
} facet_scene;

/* An empty scene. Free with facet_scene_free. */
FACET_API facet_status facet_scene_create(const facet_options *options, facet_scene **scene,
                                          facet_error *error);
/* Free the scene and everything in it. NULL is fine. */
FACET_API void facet_scene_free(facet_scene *scene);

/* The same scene once more, in memory of its own: nothing in *copy points into `scene`,
 * which keeps the promise at the head of this file. Streams that share an index share
 * it in the copy. Free it with facet_scene_free. Linear in the scene's size; options may
 * be NULL. Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_scene_copy(const facet_scene *scene, const facet_options *options,
                                        facet_scene **copy, facet_error *error);

/* Memory that lives as long as the scene: 16-byte aligned, not cleared. NULL
 * when `count * size` overflows, or memory or the scene's limit is used up. */
FACET_API void *facet_scene_allocate(facet_scene *scene, size_t count, size_t size);
/* A copy of a string in the scene, or NULL. */
FACET_API const char *facet_scene_string(facet_scene *scene, const char *text);

/* An empty mesh at the end of scene->meshes. */
FACET_API facet_status facet_scene_add_mesh(facet_scene *scene, facet_mesh **mesh,
                                            facet_error *error);
/* A material with this name and the default values of glTF (white, opaque, metallic 1, roughness 1,
 * one-sided, no maps) at the end of scene->materials. Its index is material_count - 1. */
FACET_API facet_status facet_scene_add_material(facet_scene *scene, const char *name,
                                                facet_material **material, facet_error *error);
/* Give a material of the scene a map with the default values (path "", no image, strength 1, no
 * transform, repeated), in place of one that it has. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_MEMORY_LIMIT; the material is then unchanged. */
FACET_API facet_status facet_scene_add_map(facet_scene *scene, facet_material *material,
                                           facet_map map, facet_texture **texture,
                                           facet_error *error);
/* Store a copy of `classic` in the scene as the classic part of a material of the scene, and
 * set the values that follow from it:
 *   base color  diffuse and opacity
 *   alpha mode  FACET_ALPHA_BLEND when opacity is below 1 or the material has a
 *               FACET_MAP_OPACITY, else FACET_ALPHA_OPAQUE
 *   emissive    the same, with emissive_strength 1
 *   roughness   the same if stated, else 1 - sqrt(shininess / 1000) if that is stated, else 1
 *               (Blender's formula)
 *   metallic    the same if stated, else 1 with a FACET_MAP_METALLIC or
 *               FACET_MAP_METALLIC_ROUGHNESS, else 0
 * Set the maps first. Errors: FACET_ERROR_MEMORY, FACET_ERROR_LIMIT; the material is then
 * unchanged. */
FACET_API facet_status facet_scene_set_classic(facet_scene *scene, facet_material *material,
                                               const facet_classic *classic, facet_error *error);
/* Give all faces the materials that they have in a variant. The scene has no variants afterwards.
 * FACET_ERROR_ARGUMENT (rule SCENE-VARIANT) when no variant has
 * this name; the first of that name is chosen. */
FACET_API facet_status facet_scene_choose_variant(facet_scene *scene, const char *name,
                                                  facet_error *error);
/* A hull with space for `point_count` points at the end of scene->hulls. */
FACET_API facet_status facet_scene_add_hull(facet_scene *scene, const char *name,
                                            uint32_t point_count, facet_hull **hull,
                                            facet_error *error);
/* An empty mesh as the scene's occluder; one that was there is dropped. */
FACET_API facet_status facet_scene_add_occluder(facet_scene *scene, facet_mesh **occluder,
                                                facet_error *error);

/* An image at the end of scene->images: no bytes yet. */
FACET_API facet_status facet_scene_add_image(facet_scene *scene, const char *name,
                                             facet_image **image, facet_error *error);
/* A node without parent, mesh, skin, camera and light, at the origin, at the end of
 * scene->nodes. */
FACET_API facet_status facet_scene_add_node(facet_scene *scene, const char *name, facet_node **node,
                                            facet_error *error);
/* A skin with space for its joints at the end of scene->skins: joints are
 * FACET_NONE until set, inverse_bind holds identities. */
FACET_API facet_status facet_scene_add_skin(facet_scene *scene, const char *name,
                                            uint32_t joint_count, facet_skin **skin,
                                            facet_error *error);
/* An animation with `channel_count` cleared channels. */
FACET_API facet_status facet_scene_add_animation(facet_scene *scene, const char *name,
                                                 uint32_t channel_count,
                                                 facet_animation **animation, facet_error *error);
/* A perspective camera with a field of view of 45 degrees and a near distance of 0.1 at the end
 * of scene->cameras. */
FACET_API facet_status facet_scene_add_camera(facet_scene *scene, const char *name,
                                              facet_camera **camera, facet_error *error);
/* A white directional light of intensity 1, with cone angles of 0 and pi / 4, at the end of
 * scene->lights. */
FACET_API facet_status facet_scene_add_light(facet_scene *scene, const char *name,
                                             facet_light **light, facet_error *error);

/* Make everything `factor` times as large: positions, hulls, the transforms of nodes and joints,
 * the animations that move them, and the distances of cameras and lights. */
FACET_API void facet_scene_scale(facet_scene *scene, double factor);

/* Convert the scene to other axes: positions, normals, tangents, morph targets, hulls and
 * occluder, the transforms of nodes and joints, inverse bind matrices, animations, the order of
 * corners where the handedness changes, v of texture coordinates and texture transforms where
 * its origin changes, and all lengths where axes->unit is above 0 and not the scene's (an unknown
 * unit of the scene counts as a meter). Rotating the axes does not round any value. Where cameras
 * and lights would look elsewhere, they get a node below theirs. Custom streams and extras stay
 * as they are. Afterwards scene->axes equals *axes, except that a unit of 0 keeps the scene's.
 * Errors: FACET_ERROR_ARGUMENT, FACET_ERROR_MEMORY, FACET_ERROR_LIMIT when a number exceeds a
 * float; FACET_ERROR_UNSUPPORTED (rule SCENE-AXES) when v changes its origin and an animation
 * moves a texture. Linear. */
FACET_API facet_status facet_scene_set_axes(facet_scene *scene, const facet_axes *axes,
                                            facet_error *error);

/* Check the promise at the head of this file on a scene made or changed by
 * hand: FACET_ERROR_ARGUMENT (rule SCENE) and a sentence for the first array,
 * index or count that breaks it, and last of all (rule SCENE-NONFINITE) for a
 * number that is not finite. What is accepted here can be prepared and saved in
 * any format, or is refused by it with a reason. Linear in the scene's size;
 * allocates 9 bytes a node, from options->allocator (NULL: malloc), and gives
 * them back. */
FACET_API facet_status facet_scene_check(const facet_scene *scene, const facet_options *options,
                                         facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
