/* facet/model.h - a model file for a renderer in one call: vertex and index buffers with draws,
 * materials, decoded images.
 *
 *     facet_model *model;
 *     if (facet_load_model_path("spider.obj", NULL, NULL, &model, &error) == FACET_OK) {
 *         for (uint32_t i = 0; i < model->scene->image_count; i++)
 *             create_texture(model->scene->images[i]); // pixels: RGBA, or NULL
 *         for (uint32_t i = 0; i < model->mesh_count; i++)
 *             create_buffers(model->meshes[i]);        // facet_packed of facet/pack.h
 *         facet_model_free(model);
 *     }
 *
 * The call does what facet_load, facet_scene_set_axes, facet_scene_flatten, facet_prepare,
 * facet_mesh_pack and facet_image_decode do, in this order. Programs that need something between
 * two of them call them one by one.
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

/* How a model is loaded. All zero: the defaults. */
typedef struct facet_model_options {
    uint32_t struct_size;   /* sizeof(facet_model_options), or 0: that of release 0.2 */
    const facet_axes *axes; /* of all numbers; NULL: +Y up, right-handed, meters, v = 0 at the
                               upper edge of a texture, which is the first row of its pixels */
    const facet_pack_layout *layout; /* NULL: one buffer of 48 bytes a vertex: position (3 floats),
                                        normal (3), texture coordinates (2), linear color (4);
                                        meshes without texture coordinates have zeros, without
                                        colors ones */
    bool keep_nodes; /* false: meshes are where they are seen at rest, without nodes, skins, morph
                        targets and animations. true: as the file has them, for facet/pose.h; each
                        mesh is in its own space */
    const facet_load_options *load;       /* NULL: the defaults. target_axes, target_unit and images
                                             are not used: images are always loaded */
    const facet_prepare_options *prepare; /* NULL: the defaults. Triangles and vertices are put into
                                             a good order for caches only when `extra` has
                                             FACET_NEED_OPTIMIZED */
} facet_model_options;

/* A loaded model. Its arrays belong to it. */
typedef struct facet_model {
    /* Materials, images, nodes, and the meshes that the buffers were made from: triangles with
     * one index. Materials have the maps of glTF: opacity is the alpha of the base color, roughness
     * and metallic are in one image. Images have pixels of four channels, top row first; an image
     * that is missing, or that this build cannot decode, has pixels NULL, with a warning
     * LOSS-IMAGES. */
    facet_scene *scene;
    facet_packed **meshes; /* meshes[i] is made from scene->meshes[i]. The material of a draw is
                              always an index into scene->materials: where faces have none, the
                              default material is added to the scene */
    uint32_t mesh_count;
    double minimum[3], maximum[3]; /* box around what is seen at rest; zeros when that is nothing */
} facet_model;

/* Load a model. how and options may be NULL. Free it with facet_model_free; it points to nothing
 * in the source. Lines and points are left out with warnings LOSS-LINES and LOSS-POINTS.
 * Memory: scene and buffers each hold the geometry. Linear in the file, except welding and
 * ordering, which are as facet/mesh.h says.
 * Errors: those of facet_load, facet_scene_set_axes, facet_prepare and facet_mesh_pack. */
FACET_API facet_status facet_load_model(const facet_source *source, const facet_model_options *how,
                                        const facet_options *options, facet_model **model,
                                        facet_error *error);
/* The same of a path, as facet_load_path: a file, or a member of an archive. */
FACET_API facet_status facet_load_model_path(const char *path, const facet_model_options *how,
                                             const facet_options *options, facet_model **model,
                                             facet_error *error);
/* NULL is fine. */
FACET_API void facet_model_free(facet_model *model);

/* The image of a material's map, or NULL when it has none or the image has no pixels. Colors, of
 * FACET_MAP_DIFFUSE (the base color) and FACET_MAP_EMISSIVE, are sRGB; other maps are linear. */
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
