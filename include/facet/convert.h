/* facet/convert.h - from any format to any other: load, prepare, save, and what
 * else can be asked of a file of any format. Sources that begin with Yaz0 or Yay0
 * are decompressed first, whatever they are called.
 *
 * Stability: stable, except facet_scene_print_extras, facet_scene_move_paths, facet_extract and
 * facet_describe. */
#ifndef FACET_CONVERT_H
#define FACET_CONVERT_H

#include <facet/format.h>
#include <facet/mesh.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Load, prepare, save ------------------------------------------------ */

/* Read a scene. format NULL: by content. load may be NULL. The scene is to be
 * freed with facet_scene_free and points to nothing in the source. */
FACET_API facet_status facet_load(const facet_source *source, const facet_format *format,
                                  const facet_load_options *load, const facet_options *options,
                                  facet_scene **scene, facet_error *error);

/* The same of a path: a file, or a member of an archive ("Link.arc/bdl/cl.bdl"). Files that
 * it names are looked for beside it. Errors: those of facet_input_open and of facet_load. */
FACET_API facet_status facet_load_path(const char *path, const facet_load_options *load,
                                       const facet_options *options, facet_scene **scene,
                                       facet_error *error);

/* Give every image and texture of a scene its bytes, as facet_load does when load->images is set:
 * the files that they name are opened as siblings of `source`, the file that the scene was read
 * from, else looked for by their base names there and in load->texture_folder. Images that have
 * bytes keep them. With load->images all that is neither PNG nor JPEG becomes PNG, except what
 * load->images_for holds. What is not there is left out with a warning LOSS-IMAGES. */
FACET_API facet_status facet_scene_load_images(facet_scene *scene, const facet_source *source,
                                               const facet_load_options *load,
                                               const facet_options *options, facet_error *error);

/* True when facet_load_animation works for a format: it holds an animation without its model, or,
 * as IQM does, models, animations or both. */
FACET_API bool facet_format_can_load_animation(const facet_format *format);
/* Add an animation, or all of an IQM, to the scene that was loaded from its model, before anything
 * in the scene was changed. An IQM is added to an IQM, whose joints are its poses. format NULL: by
 * content. `model` is the model's source. Errors: those of the format's own reader;
 * FACET_ERROR_UNSUPPORTED with FORMAT-DIRECTION for a format that cannot, and when the animation
 * does not fit the model; the scene is then to be freed. */
FACET_API facet_status facet_load_animation(const facet_source *source, const facet_format *format,
                                            const facet_source *model, const facet_options *options,
                                            facet_scene *scene, facet_error *error);

typedef struct facet_prepare_options {
    uint32_t struct_size; /* sizeof(facet_prepare_options), or 0: that of release 0.2 */
    unsigned extra;       /* facet_need bits to satisfy beyond the format's own */
    unsigned skip; /* facet_need bits not to satisfy: FACET_NEED_OPTIMIZED; FACET_NEED_NORMALS,
                      which leaves meshes without normals as they are if all of their materials have
                      a console part: the console lights them by the ambient color only */
    const facet_normals_options *normals; /* NULL: their defaults */
    bool tangents;       /* give tangents to meshes whose materials have normal maps, whatever the
                            format needs */
    bool keep_vertices;  /* vertices of equal value stay apart: facet_mesh_weld is left out */
    float weld_distance; /* make one position of those that are within this share of the diagonal of
                            the mesh's box, 0 to 0.1, before all else; 0: none */
    /* facet_mesh_reduce, before tangents and unless NULL; implies triangles and a single
     * index. max_triangles and max_vertices are those of all meshes together, of which each
     * mesh gets its share. */
    const facet_reduce_options *reduce;
    facet_reduce_summary *reduced; /* what it left: all meshes, and the largest error; or NULL */
} facet_prepare_options;

/* Which passes changed a mesh, in order. */
typedef struct facet_passes {
    const char *names[16]; /* static strings: "triangulate", "index", ... */
    size_t count;
} facet_passes;

/* Run the passes that `format` needs and the scene's meshes still lack, no
 * others; where a format needs a single index, no two vertices of a mesh are equal
 * afterwards. format NULL: what a GPU wants, whatever the meshes came from, which is
 * triangles, a single index, normals, faces sorted by material, and triangles and
 * vertices in a good order; nodes stay, and tangents come with
 * prepare->extra = FACET_NEED_TANGENTS. prepare and passes may be NULL.
 * FACET_ERROR_UNSUPPORTED (rule CONVERT-NO-MESH) for a picture without a mesh
 * that is to become a model. */
FACET_API facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                                     const facet_prepare_options *prepare,
                                     const facet_options *options, facet_passes *passes,
                                     facet_error *error);

#define FACET_MAX_LODS 8

/* Give every node with a mesh, and each mesh of a scene without nodes, `levels` coarser
 * nodes (facet_node.lods; at most FACET_MAX_LODS): each has half the triangles of the one
 * before, by facet_mesh_reduce, no farther from it than max_error (a share of the
 * diagonal; 0: any). What moves a node moves them. Meshes are triangles with a single
 * index (FACET_ERROR_ARGUMENT when not). glTF writes them as MSFT_lod. */
FACET_API facet_status facet_scene_make_lods(facet_scene *scene, uint32_t levels, float max_error,
                                             const facet_options *options, facet_error *error);

/* Replace a scene's hulls by those of another: its own, or when it has none the
 * hulls of its meshes, one per part. `from` may change; it is freed by the
 * caller. Both have the same axes, or it is FACET_ERROR_ARGUMENT (rule
 * COLLISION-FRAME). Where both have a unit and it is not the same, the points are
 * converted to that of `scene`, with a note COLLISION-UNIT; an unknown unit is
 * taken for that of the other. */
FACET_API facet_status facet_scene_take_hulls(facet_scene *scene, facet_scene *from,
                                              const facet_options *options, facet_error *error);
/* Replace a scene's occluder by that of another, or by its meshes. As above. */
FACET_API facet_status facet_scene_take_occluder(facet_scene *scene, facet_scene *from,
                                                 const facet_options *options, facet_error *error);

/* Write a scene; it must satisfy the format's needs. What the format cannot
 * hold becomes a warning LOSS-* in options->report. The caller commits. format
 * NULL is FACET_ERROR_ARGUMENT. The scene is only looked at: any number of
 * threads may write it at once, each to an output of its own. */
FACET_API facet_status facet_save(const facet_scene *scene, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* Prepare a scene for the format that a path's extension names, and write it there: the
 * file and its siblings appear whole or not at all. The path may name a member that an
 * archive has: it is replaced. `prepare` may be NULL. The scene changes as by
 * facet_prepare, also when writing fails. Errors: FACET_ERROR_ARGUMENT (rule
 * FORMAT-UNKNOWN) for an extension that no format has, and those of facet_prepare,
 * facet_save and facet_output_commit. */
FACET_API facet_status facet_save_path(facet_scene *scene, const char *path,
                                       const facet_prepare_options *prepare,
                                       const facet_options *options, facet_error *error);

/* True when facet_copy makes `to` of `from`: both are one, or of one family. */
FACET_API bool facet_format_copies(const facet_format *from, const facet_format *to);
/* From a format to itself (format NULL: by content), or to another one of its
 * family (`format` is that one), by way of their own document: what the target
 * can hold is kept. With facet_j3d_options.repair models are repaired, of an archive all that are
 * in it. The caller commits. */
FACET_API facet_status facet_copy(const facet_source *source, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* Print what a file of a GameCube or Wii says of the scene, its nodes, meshes, materials, images
 * and animations (their gx_file) into their extras, where these are NULL:
 * {"j3d": {"material": {...}, "textures": [...]}}, as in glTF files
 * (docs/reference/formats/j3d-materials.md). Writers do not need it. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_LIMIT; some extras are printed then. */
FACET_EXPERIMENTAL_API facet_status facet_scene_print_extras(facet_scene *scene,
                                                             facet_error *error);

/* Name textures as the file `to` is to name them: paths of the scene's materials and images that
 * lead, from the folder of the file `from`, to files that are there. Absolute paths, URLs and
 * what is not there stay; so does all when one of the two is "-", or inside an archive. For
 * scenes whose images are not in them (facet_load_options.images). Linear in the textures;
 * asks the file system for each. Errors: memory. */
FACET_EXPERIMENTAL_API facet_status facet_scene_move_paths(facet_scene *scene, const char *from,
                                                           const char *to, facet_error *error);

/* -- Extract ------------------------------------------------------------ */

/* Take out what is inside a file (format NULL: by content): a format's own pieces
 * where it has any, otherwise the images of its scene, as they are encoded or as
 * PNG or, of floats, Radiance HDR. */
FACET_EXPERIMENTAL_API facet_status facet_extract(const facet_source *source,
                                                  const facet_format *format,
                                                  const facet_options *options,
                                                  const facet_extractor *extractor,
                                                  facet_error *error);
/* -- Check, describe ---------------------------------------------------- */

/* Apply every rule of the format (NULL: by content) and add what is found to
 * report. FACET_OK also when the file is full of errors: ask
 * facet_report_severity_count(report, FACET_SEVERITY_ERROR). */
FACET_API facet_status facet_check(const facet_source *source, const facet_format *format,
                                   const facet_options *options, facet_report *report,
                                   facet_error *error);

/* Describe a file (format NULL: by content). Free with facet_description_free. */
FACET_EXPERIMENTAL_API facet_status facet_describe(const facet_source *source,
                                                   const facet_format *format,
                                                   const facet_options *options,
                                                   facet_description **description,
                                                   facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
