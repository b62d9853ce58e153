/* facet/model.h - a model file for a renderer in one call: vertex and index buffers with draws,
 * materials, decoded images.
 *
 * ```
 * facet_model *model;
 * if (facet_load_model_path("spider.obj", NULL, NULL, &model, &error) == FACET_OK) {
 *     for (uint32_t i = 0; i < model->scene->image_count; i++)
 *         create_texture(model->scene->images[i]); // pixels: RGBA, or NULL
 *     for (uint32_t i = 0; i < model->mesh_count; i++)
 *         create_buffers(model->meshes[i]);        // facet_packed of facet/pack.h
 *     facet_model_free(model);
 * }
 * ```
 *
 * It calls facet_load, facet_scene_set_axes, facet_scene_flatten, facet_prepare, facet_mesh_pack
 * and facet_image_decode, in this order. Programs that need another step between two of them call
 * them separately.
 *
 * Stability: stable. */
#ifndef FACET_MODEL_H
#define FACET_MODEL_H

#include <facet/convert.h>
#include <facet/pack.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options for loading a model. All zero: the defaults. */
typedef struct facet_model_options {
    uint32_t struct_size;            /* sizeof(facet_model_options), or 0: that of release 0.2 */
    const facet_axes *axes;          /* axes and unit of all coordinates; NULL: +Y up, right-handed,
                                        meters, v = 0 at the upper edge of a texture, which is the first
                                        row of its pixels */
    const facet_pack_layout *layout; /* NULL: one buffer of 48 bytes per vertex: position (3
                                        floats), normal (3), texture coordinates (2), linear
                                        color (4). Without texture coordinates, a mesh has zeros;
                                        without colors, ones */
    bool keep_nodes; /* false: meshes are in their final position at rest, without nodes, skins,
                        morph targets and animations. True: nodes stay as in the file, for
                        facet/pose.h; each mesh is in its own space */
    const facet_load_options *load;       /* NULL: the defaults. target_axes, target_unit and images
                                             are not used: images are always loaded */
    const facet_prepare_options *prepare; /* NULL: the defaults. Triangles and vertices are
                                             ordered for GPU caches only if `extra` has
                                             FACET_NEED_OPTIMIZED */
} facet_model_options;

/* A loaded model. It owns its arrays. */
typedef struct facet_model {
    /* Materials, images, nodes, and the meshes that the buffers were created from: triangles with
     * one index. Materials have the maps of glTF: opacity is the alpha of the base color; roughness
     * and metallic are in one image. Images have pixels of four channels, top row first. If an
     * image is missing, or this build cannot decode it, its pixels are NULL (warning LOSS-IMAGES).
     */
    facet_scene *scene;
    facet_packed **meshes; /* meshes[i] is packed from scene->meshes[i]. The material of a draw
                              is always an index into scene->materials: for faces without one,
                              the default material is added to the scene */
    uint32_t mesh_count;
    double minimum[3], maximum[3]; /* box around everything visible at rest; zeros if nothing is */
} facet_model;

/* Load a model. how and options may be NULL. Free it with facet_model_free; it does not point into
 * the source. Lines and points are left out with warnings LOSS-LINES and LOSS-POINTS. Memory: scene
 * and buffers each hold the geometry. Time: linear in the file, except welding and ordering (see
 * facet/mesh.h). Errors: those of facet_load, facet_scene_set_axes, facet_prepare and
 * facet_mesh_pack. */
FACET_API facet_status facet_load_model(const facet_source *source, const facet_model_options *how,
                                        const facet_options *options, facet_model **model,
                                        facet_error *error);
/* Load a model from a path, which may lead into an archive, as in facet_load_path. */
FACET_API facet_status facet_load_model_path(const char *path, const facet_model_options *how,
                                             const facet_options *options, facet_model **model,
                                             facet_error *error);
/* Free a model. NULL is allowed. */
FACET_API void facet_model_free(facet_model *model);

/* The image of a material's map. NULL if the material has no such map or the image has no pixels.
 * Its index in scene->images is materials[material]->maps[map]->image. The colors of
 * FACET_MAP_DIFFUSE (the base color) and FACET_MAP_EMISSIVE are sRGB; other maps are linear. */
static inline const facet_image *facet_model_image(const facet_model *model, uint32_t material,
                                                   facet_map map)
{
    const facet_scene *scene = model->scene;
    const facet_texture *texture =
        material < scene->material_count ? scene->materials[material]->maps[map] : NULL;
    const facet_image *image = texture && texture->has_image ? scene->images[texture->image] : NULL;
    return image && image->pixels ? image : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
