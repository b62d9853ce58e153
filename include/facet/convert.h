/* facet/convert.h - conversion between formats: load, prepare, save; and extract, check and
 * describe for files of any format. Sources that begin with Yaz0 or Yay0 are decompressed first,
 * whatever their name is.
 *
 * Stability: stable, except facet_scene_load_images, facet_format_can_load_animation,
 * facet_scene_make_lods, facet_scene_take_hulls, facet_scene_take_occluder, facet_format_copies,
 * facet_scene_print_extras, facet_scene_move_paths, facet_extract and facet_describe. */
#ifndef FACET_CONVERT_H
#define FACET_CONVERT_H

#include <facet/format.h>
#include <facet/mesh.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Load, prepare, save ------------------------------------------------ */

/* Read a scene. format NULL: detect it by content. load may be NULL. Free the scene with
 * facet_scene_free. It does not point into the source. */
FACET_API facet_status facet_load(const facet_source *source, const facet_format *format,
                                  const facet_load_options *load, const facet_options *options,
                                  facet_scene **scene, facet_error *error);

/* Read a scene from a path: a file, or a member of an archive ("Link.arc/bdl/cl.bdl"). Files that
 * it names are searched next to it. Errors: those of facet_input_open and of facet_load. */
FACET_API facet_status facet_load_path(const char *path, const facet_load_options *load,
                                       const facet_options *options, facet_scene **scene,
                                       facet_error *error);

/* Load the bytes of every image and texture of a scene, as facet_load does when load->images is
 * set. The files that they name are opened as siblings of `source`, the file that the scene was
 * read from. If one is missing, its base name is searched there and in load->texture_folder. Images
 * that have bytes keep them. With load->images, other encodings than PNG and JPEG are converted to
 * PNG, except those that load->images_for can store. Missing images are left out with a warning
 * LOSS-IMAGES; with load->keep_missing_images they stay in the scene without bytes. */
FACET_EXPERIMENTAL_API facet_status facet_scene_load_images(facet_scene *scene,
                                                            const facet_source *source,
                                                            const facet_load_options *load,
                                                            const facet_options *options,
                                                            facet_error *error);

/* True if facet_load_animation supports a format: one that stores an animation without its model,
 * or IQM, which stores models, animations or both. */
FACET_EXPERIMENTAL_API bool facet_format_can_load_animation(const facet_format *format);
/* Add an animation, or all animations of an IQM, to the scene that was loaded from its model. The
 * scene must be unchanged since then. An IQM is added to an IQM; the joints of the model are its
 * poses. format NULL: detect it by content. `model` is the model's source. Errors: those of the
 * format's reader; FACET_ERROR_UNSUPPORTED with FORMAT-DIRECTION if the format has no animations or
 * the animation does not fit the model. After an error, free the scene. */
FACET_API facet_status facet_load_animation(const facet_source *source, const facet_format *format,
                                            const facet_source *model, const facet_options *options,
                                            facet_scene *scene, facet_error *error);

typedef struct facet_prepare_options {
    uint32_t struct_size; /* sizeof(facet_prepare_options), or 0: that of release 0.2 */
    unsigned extra;       /* facet_need bits to satisfy in addition to the format's own */
    unsigned skip; /* facet_need bits not to satisfy: FACET_NEED_OPTIMIZED or FACET_NEED_NORMALS.
                      The latter leaves out normals only for meshes whose materials all have a
                      console part: the console lights such meshes only by the ambient color */
    const facet_normals_options *normals; /* NULL: their defaults */
    bool tangents;       /* add tangents to meshes whose materials have normal maps, even if the
                            format does not need them */
    bool keep_vertices;  /* keep vertices of equal value separate: facet_mesh_weld does not run */
    float weld_distance; /* merge positions within this distance before all other passes, as a
                            share (0 to 0.1) of the diagonal of the mesh's box; 0: none */
    /* Options of facet_mesh_reduce, which runs before tangents; NULL: do not reduce. Implies
     * triangles and a single index. max_triangles and max_vertices apply to all meshes together;
     * each mesh gets its share. */
    const facet_reduce_options *reduce;
    facet_reduce_summary *reduced; /* result of the reduction: totals of all meshes, and the
                                      largest error; NULL: not wanted */
} facet_prepare_options;

/* The passes that changed a mesh, in order. */
typedef struct facet_passes {
    const char *names[16]; /* static strings: "triangulate", "index", ... */
    size_t count;
} facet_passes;

/* Run the passes that `format` needs and the scene's meshes still lack, and no others. If a format
 * needs a single index, no two vertices of a mesh are equal afterwards.
 *
 * A format of NULL prepares for a GPU, for any source: triangles, a single index, normals, faces
 * sorted by material, triangles and vertices in GPU order. Nodes stay. For tangents, set
 * prepare->extra to FACET_NEED_TANGENTS. prepare and passes may be NULL. FACET_ERROR_UNSUPPORTED
 * (rule CONVERT-NO-MESH) if the scene is a picture without a mesh and the format is for models. */
FACET_API facet_status facet_prepare(facet_scene *scene, const facet_format *format,
                                     const facet_prepare_options *prepare,
                                     const facet_options *options, facet_passes *passes,
                                     facet_error *error);

#define FACET_MAX_LODS 8

/* Create `levels` coarser nodes (facet_node.lods; at most FACET_MAX_LODS) for every node with a
 * mesh, and for each mesh of a scene without nodes. They are computed by facet_mesh_reduce. Each
 * has half the triangles of the one before, and is at most max_error from it (a share of the
 * diagonal; 0: any). Animations of a node also move its levels. Meshes must be triangles with a
 * single index (FACET_ERROR_ARGUMENT otherwise). glTF writes the levels as MSFT_lod. */
FACET_EXPERIMENTAL_API facet_status facet_scene_make_lods(facet_scene *scene, uint32_t levels,
                                                          float max_error,
                                                          const facet_options *options,
                                                          facet_error *error);

/* Replace a scene's hulls by those of `from`. If `from` has no hulls, the hulls of its meshes are
 * computed, one per part. `from` may change; the caller frees it. Both scenes must have the same
 * axes, otherwise FACET_ERROR_ARGUMENT (rule COLLISION-FRAME). If their units differ, the points
 * are converted to that of `scene`, with a note COLLISION-UNIT. An unknown unit is treated as that
 * of the other scene. */
FACET_EXPERIMENTAL_API facet_status facet_scene_take_hulls(facet_scene *scene, facet_scene *from,
                                                           const facet_options *options,
                                                           facet_error *error);
/* Replace a scene's occluder by that of `from`, or by its meshes. Otherwise like
 * facet_scene_take_hulls. */
FACET_EXPERIMENTAL_API facet_status facet_scene_take_occluder(facet_scene *scene, facet_scene *from,
                                                              const facet_options *options,
                                                              facet_error *error);

/* Write a scene, which must satisfy the format's needs. Data that the format cannot store becomes a
 * warning LOSS-* in options->report. Call facet_output_commit to finish. A NULL format is
 * FACET_ERROR_ARGUMENT. The scene is only read: any number of threads may write it at once, each to
 * its own output. */
FACET_API facet_status facet_save(const facet_scene *scene, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* Prepare a scene for the format of a path's extension, and write it there. The file and its
 * siblings appear complete or not at all. If the path names a member that an archive already has,
 * the member is replaced. `prepare` may be NULL. The scene changes as with facet_prepare, even if
 * writing fails. Errors: FACET_ERROR_ARGUMENT (rule FORMAT-UNKNOWN) for an unknown extension, and
 * those of facet_prepare, facet_save and facet_output_commit. */
FACET_API facet_status facet_save_path(facet_scene *scene, const char *path,
                                       const facet_prepare_options *prepare,
                                       const facet_options *options, facet_error *error);

/* True if facet_copy can write `to` from `from`: they are the same format, or of one family. */
FACET_EXPERIMENTAL_API bool facet_format_copies(const facet_format *from, const facet_format *to);
/* Copy a file to its own format (format NULL: detected by content), or to `format`, another one of
 * its family. The copy goes through the family's document, so everything that the target can store
 * is kept. With facet_j3d_options.repair, models are repaired, in an archive all of its models.
 * Call facet_output_commit to finish. */
FACET_API facet_status facet_copy(const facet_source *source, const facet_format *format,
                                  const facet_options *options, facet_output *output,
                                  facet_error *error);

/* Print the gx_file data of the scene, its nodes, meshes, materials, images and animations (from a
 * file of a GameCube or Wii) into their extras, if these are NULL. The form is {"j3d": {"material":
 * {...}, "textures": [...]}}, as in glTF files (docs/reference/formats/j3d-materials.md). Writers
 * do not need it. Errors: FACET_ERROR_MEMORY, FACET_ERROR_LIMIT; some extras are printed then. */
FACET_EXPERIMENTAL_API facet_status facet_scene_print_extras(facet_scene *scene,
                                                             facet_error *error);

/* Make the texture paths of the scene's materials and images relative to the file `to`, instead of
 * the file `from`. A path to a missing file, frequently that of another machine, becomes that of
 * the file that facet_scene_load_images uses instead. Paths without a file, absolute paths to
 * existing files and URLs stay. Nothing changes if one of the two is "-" or inside an archive. For
 * scenes whose images are not loaded (facet_load_options.images). Linear in the textures; queries
 * the file system for each. Errors: memory. */
FACET_EXPERIMENTAL_API facet_status facet_scene_move_paths(facet_scene *scene, const char *from,
                                                           const char *to, facet_error *error);

/* -- Extract ------------------------------------------------------------ */

/* Extract the files inside a file (format NULL: detected by content): the format's own parts if it
 * has any, otherwise the images of its scene. Images are written as they are encoded, or as PNG,
 * or, if they are floats, as Radiance HDR. */
FACET_EXPERIMENTAL_API facet_status facet_extract(const facet_source *source,
                                                  const facet_format *format,
                                                  const facet_options *options,
                                                  const facet_extractor *extractor,
                                                  facet_error *error);
/* -- Check, describe ---------------------------------------------------- */

/* Apply every rule of the format (NULL: detected by content) and add the findings to report.
 * Returns FACET_OK even if there are errors among them: query facet_report_severity_count(report,
 * FACET_SEVERITY_ERROR). */
FACET_API facet_status facet_check(const facet_source *source, const facet_format *format,
                                   const facet_options *options, facet_report *report,
                                   facet_error *error);

/* Describe a file (format NULL: detected by content). Free with facet_description_free. */
FACET_EXPERIMENTAL_API facet_status facet_describe(const facet_source *source,
                                                   const facet_format *format,
                                                   const facet_options *options,
                                                   facet_description **description,
                                                   facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
