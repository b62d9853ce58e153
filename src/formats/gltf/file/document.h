/* formats/gltf/file/document.h - the JSON of a glTF as C structs. Indices of other objects are as
 * in the file: compare them with the count before use. parse.c fills the structs; the arena owns
 * all memory. */
#ifndef FACET_GLTF_DOCUMENT_H
#define FACET_GLTF_DOCUMENT_H

#include "scene/material_extensions.h"

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Bytes -------------------------------------------------------------- */

typedef struct facet_gltf_buffer {
    uint64_t length;
    const char *uri; /* NULL: the GLB's binary chunk, or a fallback without bytes */
    bool fallback;   /* only compressed views have bytes in this buffer */
    /* Filled by buffers.c: */
    const uint8_t *data; /* NULL: no bytes */
    size_t size;
} facet_gltf_buffer;

/* KHR_meshopt_compression or EXT_meshopt_compression of a buffer view. */
typedef struct facet_gltf_meshopt {
    bool is_khr; /* true for KHR, which has one more filter */
    uint32_t buffer;
    uint64_t offset, length, stride, count;
    const char *mode, *filter; /* filter: "NONE" if missing */
} facet_gltf_meshopt;

typedef struct facet_gltf_view {
    uint32_t buffer;
    uint64_t offset, length, stride;   /* stride 0: tightly packed */
    uint32_t target;                   /* OpenGL's constant; 0 if missing */
    const facet_gltf_meshopt *meshopt; /* NULL: not compressed */
    /* Filled by buffers.c: */
    const uint8_t *data;
} facet_gltf_view;

typedef struct facet_gltf_sparse {
    uint64_t count;
    uint32_t indices_view, values_view;
    uint64_t indices_offset, values_offset;
    uint32_t index_type;
} facet_gltf_sparse;

typedef struct facet_gltf_accessor {
    uint32_t view; /* FACET_NONE: all elements are zero */
    uint64_t offset, count;
    uint32_t type;       /* OpenGL's constant of the component type; 5126 is float */
    uint32_t components; /* 1 to 4 for scalars and vectors; 4, 9, 16 for matrices */
    bool matrix, normalized;
    bool has_bounds; /* min and max are present, one per component */
    double minimum[16], maximum[16];
    const facet_gltf_sparse *sparse; /* NULL: not sparse */
    const uint8_t *data;             /* elements decoded elsewhere (Draco), tightly packed; else
                                      * NULL */
} facet_gltf_accessor;

/* -- Meshes ------------------------------------------------------------- */

typedef struct facet_gltf_attribute {
    const char *name;
    uint32_t accessor;
} facet_gltf_attribute;

typedef struct facet_gltf_target {
    facet_gltf_attribute *attributes;
    uint32_t attribute_count;
} facet_gltf_target;

/* KHR_draco_mesh_compression of a primitive: attribute names, with Draco's ids instead of
 * accessors. */
typedef struct facet_gltf_draco {
    uint32_t view;
    facet_gltf_attribute *attributes;
    uint32_t attribute_count;
} facet_gltf_draco;

typedef struct facet_gltf_primitive {
    facet_gltf_attribute *attributes;
    uint32_t attribute_count;
    uint32_t indices, material; /* FACET_NONE if missing */
    uint32_t mode;              /* 0 points, 1 to 3 lines, 4 triangles, 5 strip, 6 fan */
    facet_gltf_target *targets;
    uint32_t target_count;
    const facet_gltf_draco *draco; /* NULL: not compressed */
    bool has_extras;
    facet_variant_use *variants; /* KHR_materials_variants, as in the file */
    uint32_t variant_count;
    uint32_t shown; /* material of the scene: `material`, or a twin with other variants */
} facet_gltf_primitive;

typedef struct facet_gltf_mesh {
    const char *name, *extras, *extensions;
    facet_gltf_primitive *primitives;
    uint32_t primitive_count;
    float *weights;
    uint32_t weight_count;
    const char **target_names; /* extras.targetNames */
    uint32_t target_name_count;
} facet_gltf_mesh;

/* -- Materials ---------------------------------------------------------- */

typedef struct facet_gltf_image {
    const char *name, *extras;
    const char *uri;        /* NULL: in a buffer view */
    const char *media_type; /* "" if missing */
    uint32_t view;
} facet_gltf_image;

typedef struct facet_gltf_sampler {
    uint32_t minify, magnify, wrap_s, wrap_t; /* OpenGL's constants; 0 if missing */
} facet_gltf_sampler;

/* A texture extension that adds an image format. */
typedef struct facet_gltf_picture {
    const char *extension, *media_type;
    const char *ending; /* file name extension, with the dot */
} facet_gltf_picture;

#define FACET_GLTF_PICTURES 4
extern const facet_gltf_picture facet_gltf_pictures[FACET_GLTF_PICTURES];

typedef struct facet_gltf_texture {
    uint32_t image, sampler;                /* FACET_NONE if missing */
    uint32_t pictures[FACET_GLTF_PICTURES]; /* images of the texture extensions; FACET_NONE if
                                             * missing */
    bool is_empty;                          /* neither an image nor an extension */
} facet_gltf_texture;

/* KHR_materials_pbrSpecularGlossiness, described like the extensions in
 * scene/material_extensions.h. It is not in that table, because its values are converted and never
 * written. */
extern const facet_material_extension facet_gltf_glossiness;

typedef struct facet_gltf_texture_use {
    uint32_t texture; /* FACET_NONE: no map */
    uint32_t uv_set;
    float strength; /* "scale" or "strength" */
    bool has_transform;
    float offset[2], rotation, scale[2];
} facet_gltf_texture_use;

/* Values of a material from the extensions in scene/material_extensions.h. */
typedef struct facet_gltf_looks {
    facet_material values; /* only the members of these extensions are used */
    facet_gltf_texture_use uses[FACET_MAP_COUNT];
} facet_gltf_looks;

/* KHR_materials_pbrSpecularGlossiness of a material. */
typedef enum facet_gltf_glossiness_use {
    FACET_GLTF_GLOSSINESS_NONE = 0,
    FACET_GLTF_GLOSSINESS_READ,     /* the values below are converted from it */
    FACET_GLTF_GLOSSINESS_TEXTURED, /* the same, but without the glossiness of its texture */
    FACET_GLTF_GLOSSINESS_DROPPED   /* the file's metallic-roughness values are used instead */
} facet_gltf_glossiness_use;

typedef struct facet_gltf_material {
    const char *name, *extras, *extensions;
    facet_gltf_looks *looks; /* NULL: no extensions */
    facet_gltf_glossiness_use glossiness;
    float base_color[4], metallic, roughness, emissive[3], emissive_strength;
    float alpha_cutoff;
    const char *alpha_mode;
    bool double_sided, unlit;
    facet_gltf_texture_use base, metallic_roughness, normal, occlusion, emissive_map;
} facet_gltf_material;

/* -- Nodes, skins, animations ------------------------------------------- */

/* EXT_mesh_gpu_instancing of a node. FACET_NONE: missing. */
typedef struct facet_gltf_instances {
    uint32_t translation, rotation, scale;
    uint32_t other; /* first attribute that only the application uses */
} facet_gltf_instances;

typedef struct facet_gltf_node {
    const char *name, *extras;
    uint32_t mesh, skin, camera, light; /* FACET_NONE if missing */
    bool hidden;
    uint32_t *children;
    uint32_t child_count;
    const char *extensions; /* unknown extensions that are kept, as JSON text, or NULL */
    uint32_t *lods;         /* MSFT_lod: node indices */
    uint32_t lod_count;
    bool has_matrix;
    bool has_parts; /* with a matrix: also translation, rotation or scale */
    float matrix[16];
    facet_transform transform;
    float *weights;
    uint32_t weight_count;
    const facet_gltf_instances *instances; /* NULL: the node shows its mesh once */
} facet_gltf_node;

typedef struct facet_gltf_skin {
    const char *name, *extras;
    uint32_t *joints;
    uint32_t joint_count;
    uint32_t inverse_bind, skeleton; /* FACET_NONE if missing */
} facet_gltf_skin;

typedef struct facet_gltf_channel {
    uint32_t sampler, node; /* FACET_NONE if missing */
    const char *path;
    const char *pointer; /* KHR_animation_pointer; "" if missing */
} facet_gltf_channel;

typedef struct facet_gltf_animation_sampler {
    uint32_t input, output;
    const char *interpolation;
} facet_gltf_animation_sampler;

typedef struct facet_gltf_animation {
    const char *name, *extras;
    facet_gltf_channel *channels;
    uint32_t channel_count;
    facet_gltf_animation_sampler *samplers;
    uint32_t sampler_count;
} facet_gltf_animation;

typedef struct facet_gltf_scene {
    const char *name, *extras;
    uint32_t *roots;
    uint32_t root_count;
} facet_gltf_scene;

/* Counters of an extension: its uses in the file, and those that are only kept as JSON. */
typedef struct facet_gltf_extension_use {
    uint32_t found, kept;
    bool is_lost_at_root; /* the root's object cannot be kept, so no object of this extension is
                           * kept */
} facet_gltf_extension_use;

typedef struct facet_gltf_document {
    const char *version, *minimum_version, *generator, *copyright;
    const char **used, **required; /* names of extensions */
    uint32_t used_count, required_count;
    facet_gltf_extension_use *uses; /* one per name, for the first use_count names of `used` */
    uint32_t use_count;
    uint64_t lost_extras; /* objects whose extras a scene cannot store */
    uint64_t lost_names;  /* textures and samplers with a name */
    const char **variants;
    uint32_t variant_count;
    const char *asset; /* copyright, extras and kept extensions, as JSON text, or NULL */
    facet_gltf_buffer *buffers;
    uint32_t buffer_count;
    facet_gltf_view *views;
    uint32_t view_count;
    facet_gltf_accessor *accessors;
    uint32_t accessor_count;
    facet_gltf_mesh *meshes;
    uint32_t mesh_count;
    facet_gltf_image *images;
    uint32_t image_count;
    facet_gltf_sampler *samplers;
    uint32_t sampler_count;
    facet_gltf_texture *textures;
    uint32_t texture_count;
    facet_gltf_material *materials;
    uint32_t material_count;
    facet_gltf_node *nodes;
    uint32_t node_count;
    facet_gltf_skin *skins;
    uint32_t skin_count;
    facet_gltf_animation *animations;
    uint32_t animation_count;
    facet_gltf_scene *scenes;
    uint32_t scene_count;
    uint32_t scene; /* default scene, or FACET_NONE */
    facet_camera *cameras;
    uint32_t camera_count;
    facet_light *lights;
    uint32_t light_count;
    const char *extras, *extensions;
    uint64_t repeated_keys; /* members of the JSON with the key of an earlier one in their object */
    const char *repeated_key;
    uint64_t repeated_at; /* offset of the first in the file */
} facet_gltf_document;

/* Parse the JSON text of a glTF. `offset` is its offset in the file, for errors: GLTF-JSON
 * (invalid, or nested too deeply), GLTF-VERSION, GLTF-PROPERTY (missing, or of the wrong type). */
facet_status facet_gltf_parse(const char *json, size_t size, uint64_t offset, facet_arena *arena,
                              facet_gltf_document *document, facet_error *error);

/* Find an attribute by its name, or NULL. Attributes are sorted by name. */
const facet_gltf_attribute *facet_gltf_find_attribute(const facet_gltf_attribute *attributes,
                                                      uint32_t count, const char *name);

#ifdef __cplusplus
}
#endif
#endif
