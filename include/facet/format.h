/* facet/format.h - formats: their entries in the format table, what they need of a mesh, and
 * options that all formats share.
 *
 * Stability: stable, except facet_format_is_folder, facet_format_max_texture_side,
 * facet_format_can_hold_levels, facet_format_poses_copies, facet_format_is_z_up,
 * facet_format_needs, facet_need_name, facet_missing_feature_count, facet_missing_feature_get and
 * facet_description_free. */
#ifndef FACET_FORMAT_H
#define FACET_FORMAT_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Needs -------------------------------------------------------------- */

/* Properties that a format can require of a mesh before it is written. */
typedef enum facet_need {
    FACET_NEED_TRIANGLES = 1 << 0,
    FACET_NEED_SINGLE_INDEX = 1 << 1,
    FACET_NEED_NORMALS = 1 << 2,
    FACET_NEED_TANGENTS = 1 << 3,
    FACET_NEED_SORTED = 1 << 4,    /* faces in runs of one material */
    FACET_NEED_OPTIMIZED = 1 << 5, /* GPU order: cache, overdraw, fetch */
    FACET_NEED_FLAT = 1 << 6,      /* no nodes: every mesh is in its final position */
    FACET_NEED_ONE_MESH = 1 << 7,  /* all meshes merged into one */
    FACET_NEED_IMAGES = 1 << 8,    /* images embedded, as PNG or JPEG: facet_load_options.images */
    FACET_NEED_FACING = 1 << 9,    /* no normals that point to the back of their triangle */
    FACET_NEED_METERS = 1 << 10,   /* lengths in meters, if the scene has another unit */
    FACET_NEED_FACES = 1 << 11,    /* no lines and points */
    FACET_NEED_ALPHA = 1 << 12,    /* opacity in the alpha of the base color's image, with a
                                      matching alpha_mode */
    FACET_NEED_PHYSICAL_MAPS = 1 << 13, /* roughness and metallic in one image, no bump maps that
                                           are normal maps */
    FACET_NEED_OPAQUE = 1 << 14,        /* no alpha in the base color's image of a material that
                                           ignores it */
    FACET_NEED_STRIPS = 1 << 15         /* an order that compresses well: triangles in strips, and
                                           fetch. FACET_NEED_OPTIMIZED has priority */
} facet_need;

/* The last bit, to iterate over all. */
#define FACET_NEED_LAST FACET_NEED_STRIPS

/* -- The format table --------------------------------------------------- */

/* One entry of the format table. */
typedef struct facet_format facet_format;

/* Number of formats. Their order is that of the documentation. */
FACET_API size_t facet_format_count(void);
FACET_API const facet_format *facet_format_get(size_t index);
/* Find a format by name ("bsm"), file name or extension ("a.bsm", ".bsm"), ignoring case. NULL if
 * it is unknown or `name` is NULL. The extension of a compressed file is ignored: "a.bsm.gz" is
 * read as "a.bsm". */
FACET_API const facet_format *facet_format_named(const char *name);
FACET_API const facet_format *facet_format_from_path(const char *path);
/* Detect a format by content, which must not be compressed. source->name decides between text
 * formats that look alike. NULL if no format matches, or for NULL. */
FACET_API const facet_format *facet_format_probe(const facet_source *source);

/* Members of an entry. If `format` is NULL, they are NULL or false. */
FACET_API const char *facet_format_name(const facet_format *format);  /* such as "bsm" */
FACET_API const char *facet_format_title(const facet_format *format); /* such as "Binary Static
                                                                         Mesh" */
/* File extensions with the dot (".bsm"), NULL-terminated, the usual one first. */
FACET_API const char *const *facet_format_extensions(const facet_format *format);
FACET_API bool facet_format_can_read(const facet_format *format);
FACET_API bool facet_format_can_write(const facet_format *format);
/* True for archives, which are not read or written as scenes. To use the files in them, pass paths
 * that contain the archive's name (facet/archive.h). */
FACET_EXPERIMENTAL_API bool facet_format_is_folder(const facet_format *format);
/* Maximum texture side, if sides must be powers of two; 0: any size. */
FACET_EXPERIMENTAL_API uint32_t facet_format_max_texture_side(const facet_format *format);
/* True if one file can store levels of detail. For other formats, write one file per level. */
FACET_EXPERIMENTAL_API bool facet_format_can_hold_levels(const facet_format *format);
/* True if facet_copy applies the pose of facet_j3d_options.poses to a model. */
FACET_EXPERIMENTAL_API bool facet_format_poses_copies(const facet_format *format);
/* True if z points up when the format is rendered: its files do not record axes, and its models are
 * usually oriented for 3D printing. */
FACET_EXPERIMENTAL_API bool facet_format_is_z_up(const facet_format *format);
/* facet_need bits. For NULL: those that facet_prepare satisfies for a GPU. */
FACET_EXPERIMENTAL_API unsigned facet_format_needs(const facet_format *format);
/* Name of one bit, such as "triangles". */
FACET_EXPERIMENTAL_API const char *facet_need_name(facet_need need);

/* -- What this build is without ------------------------------------------- */

typedef struct facet_missing_feature {
    const char *name;         /* a library or a format family */
    const char *brings;       /* the features that it provides */
    const char *build_switch; /* name of the CMake option: "FACET_QHULL" means FACET_QHULL=ON */
} facet_missing_feature;

/* Number of optional libraries and format families that this build was made without. */
FACET_EXPERIMENTAL_API size_t facet_missing_feature_count(void);
/* One missing feature, or NULL if `index` is too large. */
FACET_EXPERIMENTAL_API const facet_missing_feature *facet_missing_feature_get(size_t index);

/* -- Reading ------------------------------------------------------------ */

/* Parts that facet_load leaves out. Meshes and images stay in the scene with their names, so that
 * references to them are valid. The glTF reader does not read these parts; other readers read them,
 * and they are removed afterwards. */
enum {
    FACET_SKIP_GEOMETRY = 1,   /* streams, faces, lines, morph targets, hulls and the occluder */
    FACET_SKIP_ANIMATIONS = 2, /* all of them */
    FACET_SKIP_IMAGES = 4      /* bytes and pixels; images keep name and path */
};

/* Options of every reader, in addition to the general ones. All zero: the defaults. */
typedef struct facet_load_options {
    uint32_t struct_size;    /* sizeof(facet_load_options), or 0: that of release 0.2 */
    const char *hull_prefix; /* objects with this name prefix become hulls; NULL:
                                "collision_mesh" */
    const char
        *occluder_name; /* the object with this name becomes the occluder; NULL: "occlusion_mesh" */
    bool images;        /* load images that the source only names into the scene, as PNG or JPEG.
                           Missing files are left out with a warning LOSS-IMAGES */
    bool image_files;   /* load them in any encoding; images that have bytes or pixels are
                           unchanged */
    const struct facet_axes *target_axes; /* axes that facet_scene_set_axes applies after
                                             reading; NULL: keep those of the file */
    double target_unit; /* meters per unit after reading; 0: that of target_axes, or of the file */
    uint32_t skip;      /* FACET_SKIP_* bits, 0: none. With FACET_SKIP_IMAGES, `images` loads
                           nothing */
    const facet_format *images_for; /* with `images`: also keep encodings that this format can
                                       store besides PNG and JPEG; for glTF these are WebP, AVIF,
                                       KTX2 and DDS; NULL: none */
    const struct facet_source *texture_folder; /* also search next to this source for images that
                                                  are not where the source names them; NULL: no
                                                  second place */
    const char *variant; /* variant that facet_scene_choose_variant applies after reading; NULL:
                            keep all variants */
    bool keep_missing_images; /* with `images`: missing images stay without bytes, and so do their
                                 textures; for options->j3d->like, where the original has them */
    uint32_t max_clusters; /* cluster the vertices while reading, so that at most so many are left,
                              64 or more: for OBJ, PLY and STL that are larger than memory. The
                              scene has one mesh with positions, colors and materials; the rest is
                              left out with a warning LOSS-CLUSTERED. 0: read everything */
} facet_load_options;

/* -- Extracting --------------------------------------------------------- */

/* Receives the files inside a file. `name` is the name in the file, with an extension and / between
 * folders. It is not trusted, and may occur twice. */
typedef struct facet_extractor {
    facet_status (*put)(void *user, const char *name, const void *data, size_t size,
                        facet_error *error);
    void *user;
} facet_extractor;

/* -- Describing --------------------------------------------------------- */

/* Content of a file, as facet_describe returns it. */
typedef struct facet_description {
    facet_arena *arena;
    const facet_format *format;
    const char *version; /* of the format, such as "1"; "": none */
    uint64_t bytes;
    uint64_t meshes, vertices, faces, triangles, materials, images, joints, hulls, animations;
    bool has_bounds;
    double minimum[3], maximum[3];
    facet_tree *detail; /* the format's own tree, an object */
} facet_description;

/* Free a description. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_description_free(facet_description *description);

#ifdef __cplusplus
}
#endif
#endif
