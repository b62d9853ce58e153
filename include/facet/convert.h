/* facet/convert.h - from any format to any other: the format table, and the
 * three steps load, prepare, save. */
#ifndef FACET_CONVERT_H
#define FACET_CONVERT_H

#include <facet/mesh.h>
#include <facet/scene.h>

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
    FACET_NEED_FACING = 1 << 9     /* no normals that point to the far side of their triangle */
} facet_need;

/* The last bit, for loops over all. */
#define FACET_NEED_LAST FACET_NEED_FACING

/* -- The format table --------------------------------------------------- */

/* One line of the table. */
typedef struct facet_format facet_format;

/* All formats, in the order of the documentation. */
FACET_API size_t facet_format_count(void);
FACET_API const facet_format *facet_format_get(size_t index);
/* By name ("bsm") or by file name or extension ("a.bsm", ".bsm"); NULL when
 * unknown. Letter case does not matter. */
FACET_API const facet_format *facet_format_named(const char *name);
FACET_API const facet_format *facet_format_of_path(const char *path);
/* By content; source->name breaks ties between text formats. NULL when no
 * format knows it. */
FACET_API const facet_format *facet_format_probe(const facet_source *source);

FACET_API const char *facet_format_name(const facet_format *format);  /* "bsm" */
FACET_API const char *facet_format_title(const facet_format *format); /* "Binary Static Mesh" */
/* NULL-terminated, the usual one first, with the dot: ".bsm". */
FACET_API const char *const *facet_format_extensions(const facet_format *format);
FACET_API bool facet_format_can_read(const facet_format *format);
FACET_API bool facet_format_can_write(const facet_format *format);
FACET_API unsigned facet_format_needs(const facet_format *format); /* facet_need bits */
/* "triangles", for one bit. */
FACET_API const char *facet_need_name(facet_need need);

/* -- Load, prepare, save ------------------------------------------------ */

typedef struct facet_load_options {
    const char *hull_prefix; /* objects so named become hulls; NULL: "collision_mesh" */
    const char
        *occluder_name; /* the object so named becomes the occluder; NULL: "occlusion_mesh" */
    bool images; /* take the images that the source only names into the scene, as PNG or JPEG;
                    those that cannot be had are left out with a warning LOSS-IMAGES */
} facet_load_options;

/* Read a scene. format NULL: by content. load may be NULL. The scene is to be
 * freed with facet_scene_free and points to nothing in the source. */
FACET_API facet_status facet_load(const facet_source *source, const facet_format *format,
                                  const facet_load_options *load, const facet_options *options,
                                  facet_scene **scene, facet_error *error);

typedef struct facet_prepare_options {
    unsigned extra; /* facet_need bits to satisfy beyond the format's own */
    unsigned skip;  /* facet_need bits not to satisfy; only FACET_NEED_OPTIMIZED may be left out */
    facet_normals_options normals;
} facet_prepare_options;

/* Which passes a prepare ran, in order. */
typedef struct facet_passes {
    const char *names[16]; /* static strings: "triangulate", "weld", ... */
    size_t count;
} facet_passes;

/* Run the passes that `format` needs and the scene's meshes still lack, no
 * others. prepare and passes may be NULL. */
FACET_API facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                                     const facet_prepare_options *prepare,
                                     const facet_options *options, facet_passes *passes,
                                     facet_error *error);

/* Replace a scene's hulls by those of another: its own, or when it has none the
 * hulls of its meshes, one per part. `from` may change; it is freed by the
 * caller. Both have the same axes, or it is FACET_ERROR_ARGUMENT. */
FACET_API facet_status facet_take_hulls(facet_scene *scene, facet_scene *from,
                                        const facet_options *options, facet_error *error);
/* Replace a scene's occluder by that of another, or by its meshes. As above. */
FACET_API facet_status facet_take_occluder(facet_scene *scene, facet_scene *from,
                                           const facet_options *options, facet_error *error);

/* Write a scene; it must satisfy the format's needs. What the format cannot
 * hold becomes a warning LOSS-* in options->report. The caller commits. */
FACET_API facet_status facet_save(const facet_scene *scene, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* True when facet_copy works for a format. */
FACET_API bool facet_format_can_copy(const facet_format *format);
/* True when facet_copy makes `to` of `from`: both are one, or of one family. */
FACET_API bool facet_format_copies(const facet_format *from, const facet_format *to);
/* From a format to itself (format NULL: by content), or to another one of its
 * family (`format` is that one), by way of their own document: what the target
 * can hold is kept. The caller commits. */
FACET_API facet_status facet_copy(const facet_source *source, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* -- Extract ------------------------------------------------------------ */

/* Takes the files that are inside a file. `name` is what the file calls it, with
 * an extension and / between folders; it is not trusted, and may come twice. */
typedef struct facet_extractor {
    facet_status (*put)(void *user, const char *name, const void *data, size_t size,
                        facet_error *error);
    void *user;
} facet_extractor;

/* Take out what is inside a file (format NULL: by content): a format's own pieces
 * where it has any, otherwise the images of its scene, as they are encoded or as
 * PNG or, of floats, Radiance HDR. */
FACET_API facet_status facet_extract(const facet_source *source, const facet_format *format,
                                     const facet_options *options, const facet_extractor *extractor,
                                     facet_error *error);
/* Hand the images of a scene to an extractor. */
FACET_API facet_status facet_extract_images(const facet_scene *scene, const facet_options *options,
                                            const facet_extractor *extractor, facet_error *error);

/* -- Check, describe ---------------------------------------------------- */

/* Apply every rule of the format (NULL: by content) and add what is found to
 * report. FACET_OK also when the file is full of errors: ask
 * facet_report_count_of(report, FACET_SEVERITY_ERROR). */
FACET_API facet_status facet_check(const facet_source *source, const facet_format *format,
                                   const facet_options *options, facet_report *report,
                                   facet_error *error);

/* What is in a file. */
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

/* Describe a file (format NULL: by content). Free with facet_description_free. */
FACET_API facet_status facet_describe(const facet_source *source, const facet_format *format,
                                      const facet_options *options, facet_description **description,
                                      facet_error *error);
FACET_API void facet_description_free(facet_description *description);

#ifdef __cplusplus
}
#endif
#endif
