/* facet/format.h - what a format is: its line in the format table, what it
 * needs of a mesh, and what is asked of every format alike.
 *
 * Stability: stable, except facet_format_is_folder, facet_format_max_texture_side,
 * facet_format_can_hold_levels, facet_format_poses_copies, facet_format_is_z_up, facet_need_name,
 * facet_missing_feature_count, facet_missing_feature_get and facet_description_free. */
#ifndef FACET_FORMAT_H
#define FACET_FORMAT_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Needs -------------------------------------------------------------- */

/* What a format wants of a mesh before it can be written. */
typedef enum facet_need {
    FACET_NEED_TRIANGLES = 1 << 0,
    FACET_NEED_SINGLE_INDEX = 1 << 1,
    FACET_NEED_NORMALS = 1 << 2,
    FACET_NEED_TANGENTS = 1 << 3,
    FACET_NEED_SORTED = 1 << 4,    /* faces in runs of one material */
    FACET_NEED_OPTIMIZED = 1 << 5, /* GPU order: cache, overdraw, fetch */
    FACET_NEED_FLAT = 1 << 6,      /* no nodes: every mesh where it is seen */
    FACET_NEED_ONE_MESH = 1 << 7,  /* all meshes in one */
    FACET_NEED_IMAGES = 1 << 8,    /* images inside, as PNG or JPEG: facet_load_options.images */
    FACET_NEED_FACING = 1 << 9,    /* no normals that point to the far side of their triangle */
    FACET_NEED_METERS = 1 << 10,   /* lengths in meters, of a scene that has another unit */
    FACET_NEED_FACES = 1 << 11,    /* no lines and points */
    FACET_NEED_ALPHA = 1 << 12,    /* opacity in the alpha of the base color's image, and an
                                      alpha_mode that goes with it */
    FACET_NEED_PHYSICAL_MAPS = 1 << 13 /* roughness and metallic in one image, no bump maps
                                          that are normal maps */
} facet_need;

/* The last bit, for loops over all. */
#define FACET_NEED_LAST FACET_NEED_PHYSICAL_MAPS

/* -- The format table --------------------------------------------------- */

/* One line of the table. */
typedef struct facet_format facet_format;

/* All formats, in the order of the documentation. */
FACET_API size_t facet_format_count(void);
FACET_API const facet_format *facet_format_get(size_t index);
/* By name ("bsm") or by file name or extension ("a.bsm", ".bsm"); NULL when
 * unknown, and for NULL. Letter case does not matter. Of a path the extension of a codec is not
 * looked at: "a.bsm.gz" is "a.bsm". */
FACET_API const facet_format *facet_format_named(const char *name);
FACET_API const facet_format *facet_format_from_path(const char *path);
/* By content, which is not compressed; source->name breaks ties between text
 * formats. NULL when no format knows it, and for NULL. */
FACET_API const facet_format *facet_format_probe(const facet_source *source);

/* What stands in a line. Of NULL, which is no format: NULL, and false. */
FACET_API const char *facet_format_name(const facet_format *format);  /* "bsm" */
FACET_API const char *facet_format_title(const facet_format *format); /* "Binary Static Mesh" */
/* NULL-terminated, the usual one first, with the dot: ".bsm". */
FACET_API const char *const *facet_format_extensions(const facet_format *format);
FACET_API bool facet_format_can_read(const facet_format *format);
FACET_API bool facet_format_can_write(const facet_format *format);
/* True of archives, which are neither read nor written as scenes: the files in
 * them are, by paths that run through them (facet/archive.h). */
FACET_EXPERIMENTAL_API bool facet_format_is_folder(const facet_format *format);
/* Sides of its textures are powers of two, at most this; 0: any size. */
FACET_EXPERIMENTAL_API uint32_t facet_format_max_texture_side(const facet_format *format);
/* Whether one file holds levels of detail; of other formats, write a file per level. */
FACET_EXPERIMENTAL_API bool facet_format_can_hold_levels(const facet_format *format);
/* True when facet_copy writes a model in the pose that facet_j3d_options.poses gives it. */
FACET_EXPERIMENTAL_API bool facet_format_poses_copies(const facet_format *format);
/* Whether z points up in pictures, because its files do not say what does and its models lie on
 * the bed of a printer. */
FACET_EXPERIMENTAL_API bool facet_format_is_z_up(const facet_format *format);
/* facet_need bits. Of NULL: those that facet_prepare satisfies for a GPU. */
FACET_API unsigned facet_format_needs(const facet_format *format);
/* "triangles", for one bit. */
FACET_EXPERIMENTAL_API const char *facet_need_name(facet_need need);

/* -- What this build is without ------------------------------------------- */

typedef struct facet_missing_feature {
    const char *name;         /* a library, or a family of formats */
    const char *brings;       /* what it would bring */
    const char *build_switch; /* what to build with: "FACET_QHULL" stands for FACET_QHULL=ON */
} facet_missing_feature;

FACET_EXPERIMENTAL_API size_t facet_missing_feature_count(void);
/* NULL beyond the last. */
FACET_EXPERIMENTAL_API const facet_missing_feature *facet_missing_feature_get(size_t index);

/* -- Reading ------------------------------------------------------------ */

/* What facet_load leaves out. Meshes and images stay in the scene with their names, so that what
 * refers to them is valid. Of glTF it is not read at all; the other readers read it, and then it is
 * taken out. */
enum {
    FACET_SKIP_GEOMETRY = 1,   /* streams, faces, lines, morph targets, hulls and the occluder */
    FACET_SKIP_ANIMATIONS = 2, /* all of them */
    FACET_SKIP_IMAGES = 4      /* bytes and pixels; images keep name and path */
};

/* What every reader takes beside the general options. All zero: the defaults. */
typedef struct facet_load_options {
    uint32_t struct_size;    /* sizeof(facet_load_options), or 0: that of release 0.2 */
    const char *hull_prefix; /* objects so named become hulls; NULL: "collision_mesh" */
    const char
        *occluder_name; /* the object so named becomes the occluder; NULL: "occlusion_mesh" */
    bool images;      /* take the images that the source only names into the scene, as PNG or JPEG;
                         those that are not there are left out with a warning LOSS-IMAGES */
    bool image_files; /* take them in whatever form they are; what has bytes or pixels stays */
    const struct facet_axes *target_axes; /* facet_scene_set_axes to these after reading; NULL: the
                                             axes of the file */
    double target_unit; /* meters per unit after reading; 0: that of target_axes, or of the file */
    uint32_t skip;      /* FACET_SKIP_GEOMETRY and others, 0: none; `images` takes no images then */
    const facet_format *images_for; /* with `images`: images that this format holds beside PNG and
                                       JPEG stay as they are, of glTF WebP, AVIF, KTX2 and DDS;
                                       NULL: none */
    const struct facet_source *texture_folder; /* images that are not where the source names them
                                       are looked for beside this one as well; NULL: none */
    const char *variant; /* facet_scene_choose_variant of this name after reading; NULL: the scene
                            keeps its variants */
} facet_load_options;

/* -- Taking out ---------------------------------------------------------- */

/* Takes the files that are inside a file. `name` is what the file calls it, with
 * an extension and / between folders; it is not trusted, and may come twice. */
typedef struct facet_extractor {
    facet_status (*put)(void *user, const char *name, const void *data, size_t size,
                        facet_error *error);
    void *user;
} facet_extractor;

/* -- Describing --------------------------------------------------------- */

/* What is in a file, as facet_describe returns it. */
typedef struct facet_description {
    facet_arena *arena;
    const facet_format *format;
    const char *version; /* of the format, "1"; "" when it has none */
    uint64_t bytes;
    uint64_t meshes, vertices, faces, triangles, materials, images, joints, hulls, animations;
    bool has_bounds;
    double minimum[3], maximum[3];
    facet_tree *detail; /* the format's own tree; an object */
} facet_description;

/* NULL is fine. */
FACET_EXPERIMENTAL_API void facet_description_free(facet_description *description);

#ifdef __cplusplus
}
#endif
#endif
