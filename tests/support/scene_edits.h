/* tests/support/scene_edits.h - structs of a rich scene, and changes of members that are not plain
 * values. */
#ifndef FACET_TESTS_SCENE_EDITS_H
#define FACET_TESTS_SCENE_EDITS_H

#include "support/rich_scene.h"

#include <facet/gx_material.h>
#include <string.h>

/* -- Structs ------------------------------------------------------------ */

/* The struct of a scene that is changed. */
static inline void *the_scene(facet_scene *s)
{
    return s;
}
static inline void *the_axes(facet_scene *s)
{
    return &s->axes;
}
static inline void *the_mesh(facet_scene *s)
{
    return s->meshes[0];
}
static inline void *the_part(facet_scene *s)
{
    return &s->meshes[0]->parts[0];
}
static inline void *the_morph(facet_scene *s)
{
    return &s->meshes[0]->morphs[0];
}
static inline void *the_custom(facet_scene *s)
{
    return facet_mesh_find(s->meshes[0], FACET_CUSTOM, 0);
}
static inline void *the_layer(facet_scene *s)
{
    return facet_mesh_find(s->meshes[0], FACET_TEXCOORD, 1);
}
static inline void *the_material(facet_scene *s)
{
    return s->materials[0];
}
static inline void *the_texture(facet_scene *s)
{
    return s->materials[0]->maps[FACET_MAP_DIFFUSE];
}
static inline void *the_absent(facet_scene *s)
{
    return s->materials[2]->maps[FACET_MAP_DIFFUSE];
}
static inline void *the_classic(facet_scene *s)
{
    return (facet_classic *)s->materials[0]->classic;
}
static inline void *the_use(facet_scene *s)
{
    return &s->materials[0]->variants[0];
}
static inline void *the_image(facet_scene *s)
{
    return s->images[0];
}
static inline void *the_transform(facet_scene *s)
{
    return &s->nodes[BOX]->transform;
}
static inline void *the_camera(facet_scene *s)
{
    return s->cameras[0];
}
static inline void *the_plan(facet_scene *s)
{
    return s->cameras[1];
}
static inline void *the_light(facet_scene *s)
{
    return s->lights[0];
}
static inline void *the_node(facet_scene *s)
{
    return s->nodes[BODY];
}
static inline void *the_box(facet_scene *s)
{
    return s->nodes[BOX];
}
static inline void *the_twin(facet_scene *s)
{
    return s->nodes[TWIN];
}
static inline void *the_hips(facet_scene *s)
{
    return s->nodes[HIPS];
}
static inline void *the_skin(facet_scene *s)
{
    return s->skins[0];
}
static inline void *the_animation(facet_scene *s)
{
    return s->animations[0];
}
static inline void *the_channel(facet_scene *s)
{
    return &s->animations[0]->channels[0];
}
static inline void *the_fade(facet_scene *s)
{
    return &s->animations[0]->channels[3];
}
static inline void *the_slide(facet_scene *s)
{
    return &s->animations[0]->channels[4];
}
static inline void *the_hull(facet_scene *s)
{
    return s->hulls[0];
}

/* Changes of arrays. */
static inline void change_first_face(facet_scene *s)
{
    s->meshes[0]->parts[0].first_face = 1;
    s->meshes[0]->parts[1].first_face = 2;
    s->meshes[0]->parts[1].face_count = 0;
}
static inline void change_part(facet_scene *s)
{
    facet_part parts[2] = {{"left", "other", 0, 1}, {"right", "group", 1, 1}};
    memcpy(s->meshes[0]->parts, parts, sizeof parts);
}
static inline void change_morph(facet_scene *s)
{
    s->meshes[0]->morphs[1].name = "grin";
}
static inline void drop_morph(facet_scene *s)
{
    facet_mesh_remove_stream(s->meshes[0], facet_mesh_find(s->meshes[0], FACET_MORPH_POSITION, 1));
    s->meshes[0]->morph_count = 1;
}
static inline void change_billboard(facet_scene *s)
{
    s->meshes[1]->billboard = FACET_BILLBOARD_Y;
}
static inline void drop_image(facet_scene *s)
{
    facet_texture *texture = the_texture(s);
    texture->has_image = false;
    texture->path = "other.png";
}
static inline void drop_transform(facet_scene *s)
{
    facet_texture *texture = s->materials[1]->maps[FACET_MAP_DIFFUSE];
    texture->offset[0] = 0.5F;
}
static inline void change_stated(facet_scene *s)
{
    ((facet_classic *)the_classic(s))->stated &= ~(unsigned)FACET_CLASSIC_SPECULAR;
    ((facet_classic *)the_classic(s))->specular[0] = 0.5F;
}
static inline void make_float(facet_scene *s)
{
    s->images[0]->pixels = test_copy(s, (const float[]){0, 0, 0, 0}, 4);
    s->images[0]->is_float = true;
}
static inline void drop_rows(facet_scene *s)
{
    s->images[0]->width = 2;
    s->images[0]->height = 2;
}
static inline void change_channel_count(facet_scene *s)
{
    s->images[0]->width = 2;
    s->images[0]->channels = 2;
}
static inline void change_rotation(facet_scene *s)
{
    s->nodes[BOX]->transform.rotation[3] = 0;
    s->nodes[BOX]->transform.rotation[2] = 1;
}
static inline void change_transform(facet_scene *s)
{
    s->nodes[ARM]->transform.translation[1] = 1;
}
static inline void change_matrix(facet_scene *s)
{
    s->nodes[TWIN]->matrix[0] = 2;
}
static inline void drop_channel_value(facet_scene *s)
{
    s->animations[0]->channels[1].width = 1;
}
static inline void change_channel_map(facet_scene *s)
{
    facet_channel *channel = the_slide(s);
    channel->map = FACET_MAP_OCCLUSION;
}
static inline void change_unit(facet_scene *s)
{
    s->axes.unit = 2;
}
static inline void drop_mesh(facet_scene *s)
{
    s->nodes[HIDDEN]->mesh = FACET_NONE;
    s->mesh_count--;
}
static inline void add_material(facet_scene *s)
{
    facet_material *material = NULL;
    assert_int_equal(facet_scene_add_material(s, "more", &material, NULL), FACET_OK);
}
static inline void drop_node(facet_scene *s)
{
    s->root_count--;
    s->node_count--;
}
static inline void drop_skin(facet_scene *s)
{
    s->nodes[BODY]->skin = FACET_NONE;
    s->skin_count = 0;
}
static inline void add_camera(facet_scene *s)
{
    facet_camera *camera = NULL;
    assert_int_equal(facet_scene_add_camera(s, "more", &camera, NULL), FACET_OK);
}
static inline void add_light(facet_scene *s)
{
    facet_light *light = NULL;
    assert_int_equal(facet_scene_add_light(s, "more", &light, NULL), FACET_OK);
}
static inline void add_variant(facet_scene *s)
{
    const char **names = facet_scene_allocate(s, 3, sizeof *names);
    names[0] = "day";
    names[1] = "night";
    names[2] = "more";
    s->variants = names;
    s->variant_count = 3;
}

/* Data of GameCube and Wii files, in items without extras. */
static inline facet_gx_file_part *new_part(facet_scene *s)
{
    facet_gx_file_part *part = facet_scene_allocate(s, 1, sizeof *part);
    memset(part, 0, sizeof *part);
    return part;
}
static inline void change_gx_shape(facet_scene *s)
{
    static facet_gx_file_shape shape = {.radius = 3};
    s->meshes[1]->gx_file = new_part(s);
    s->meshes[1]->gx_file->shape = &shape;
}
static inline void change_gx_joint(facet_scene *s)
{
    static facet_gx_file_joint joint = {.radius = 3};
    s->nodes[COARSE]->gx_file = new_part(s);
    s->nodes[COARSE]->gx_file->joint = &joint;
}
static inline void change_gx_animation(facet_scene *s)
{
    static facet_gx_file_animation motion = {.kind = "bck", .loop = 2, .frames = 3};
    s->animations[0]->gx_file = new_part(s);
    s->animations[0]->gx_file->motion = &motion;
}
static inline void change_gx_scene(facet_scene *s)
{
    static facet_gx_file_model model = {.flags = 1};
    s->gx_file = new_part(s);
    s->gx_file->model = &model;
}
static inline void change_gx_material(facet_scene *s)
{
    static facet_gx_file_texture texture = {.name = "a"};
    facet_gx_file_material *file = facet_scene_allocate(s, 1, sizeof *file);
    memset(file, 0, sizeof *file);
    file->textures = &texture;
    file->texture_count = 1;
    s->materials[1]->gx_file = file;
}
static inline void change_gx_image(facet_scene *s)
{
    static facet_gx_file_texture texture = {.name = "a"};
    facet_gx_file_image *file = facet_scene_allocate(s, 1, sizeof *file);
    memset(file, 0, sizeof *file);
    file->textures = &texture;
    file->texture_count = 1;
    s->images[1]->gx_file = file;
}
static inline void change_data(facet_scene *s)
{
    ((float *)s->meshes[0]->streams[12].data)[1] += 1;
}
static inline void change_indices(facet_scene *s)
{
    facet_stream *heat = the_custom(s);
    heat->indices = test_copy(s, (const uint32_t[]){0, 1, 2, 0, 3, 2}, 6);
}
static inline void change_offsets(facet_scene *s)
{
    s->meshes[1]->face_offsets = test_copy(s, (const uint32_t[]){0, 3}, 2);
    s->meshes[1]->corner_count = 3;
}
static inline void change_face_materials(facet_scene *s)
{
    s->meshes[0]->face_materials[1] = 2;
}
static inline void change_smoothing(facet_scene *s)
{
    s->meshes[0]->face_smoothing[1] = 1;
}
static inline void change_coarse(facet_scene *s)
{
    ((float *)s->meshes[2]->streams[0].data)[2] = 0.25F;
}
static inline void change_hidden(facet_scene *s)
{
    ((float *)s->meshes[3]->streams[0].data)[2] = 0.25F;
}
static inline void change_normals(facet_scene *s)
{
    float *normal = facet_mesh_find(s->meshes[0], FACET_NORMAL, 0)->data;
    normal[1] = 1;
    normal[2] = 0;
}
static inline void change_layer(facet_scene *s)
{
    float *layer = ((facet_stream *)the_layer(s))->data;
    layer[2] = 0.5F;
}
static inline void change_tangents(facet_scene *s)
{
    ((float *)facet_mesh_find(s->meshes[0], FACET_TANGENT, 0)->data)[3] = -1;
}
static inline void change_morph_normal(facet_scene *s)
{
    ((float *)facet_mesh_find(s->meshes[0], FACET_MORPH_NORMAL, 0)->data)[1] = 1;
}
static inline void change_skin_weights(facet_scene *s)
{
    float *weights = facet_mesh_find(s->meshes[0], FACET_WEIGHTS, 0)->data;
    weights[0] = 0.25F;
    weights[1] = 0.75F;
}
static inline void change_streams(facet_scene *s)
{
    facet_mesh_remove_stream(s->meshes[0], facet_mesh_find(s->meshes[0], FACET_TEXCOORD, 1));
}
static inline void change_stream_count(facet_scene *s)
{
    s->meshes[0]->stream_count--;
}
static inline void change_semantic(facet_scene *s)
{
    facet_stream *layer = the_layer(s);
    layer->semantic = FACET_COLOR;
}
static inline void change_face_count(facet_scene *s)
{
    s->meshes[0]->face_count = 1;
    s->meshes[0]->corner_count = 3;
    s->meshes[0]->part_count = 1;
}
static inline void change_line(facet_scene *s)
{
    s->meshes[0]->lines[0] = 1;
}
static inline void change_point(facet_scene *s)
{
    s->meshes[0]->points[0] = 2;
}
static inline void change_line_material(facet_scene *s)
{
    s->meshes[0]->line_materials[0] = 0;
}
static inline void change_point_material(facet_scene *s)
{
    s->meshes[0]->point_materials[1] = FACET_NONE;
}
static inline void change_classic(facet_scene *s)
{
    facet_classic *classic = facet_scene_allocate(s, 1, sizeof *classic);
    *classic = *s->materials[0]->classic;
    classic->specular[1] = 1;
    s->materials[0]->classic = classic;
}
static inline void change_map(facet_scene *s)
{
    test_map(s, s->materials[1], FACET_MAP_OCCLUSION);
}
static inline void change_variants(facet_scene *s)
{
    s->materials[1]->variants[0].material = 2;
}
static inline void change_pixels(facet_scene *s)
{
    ((uint8_t *)s->images[0]->pixels)[0] = 11;
}
static inline void change_smaller(facet_scene *s)
{
    s->images[0]->smaller = test_copy(s, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 2);
}
static inline void change_bytes(facet_scene *s)
{
    s->images[2]->data = test_copy(s, (const uint8_t[]){1, 2, 3, 5}, 1);
}
static inline void cut_bytes(facet_scene *s)
{
    s->images[2]->size = 3;
}
static inline void change_weights(facet_scene *s)
{
    s->nodes[BODY]->weights[0] = 0;
}
static inline void change_lods(facet_scene *s)
{
    s->nodes[BOX]->lods[0] = TWIN;
}
static inline void change_joints(facet_scene *s)
{
    s->skins[0]->joints[1] = BODY;
}
static inline void change_bind(facet_scene *s)
{
    s->skins[0]->inverse_bind[12] = 0.5F;
}
static inline void change_channels(facet_scene *s)
{
    s->animations[0]->channels[1].values[3] += 1;
}
static inline void change_times(facet_scene *s)
{
    s->animations[0]->channels[0].times[1] = 2;
}
static inline void change_values(facet_scene *s)
{
    s->animations[0]->channels[0].values[3] = 1;
}
static inline void change_hull(facet_scene *s)
{
    s->hulls[0]->points[3] = 2;
}
static inline void change_occluder(facet_scene *s)
{
    ((float *)s->occluder->streams[0].data)[3] = 2;
}
static inline void change_variant_name(facet_scene *s)
{
    s->variants[1] = "noon";
}
static inline void swap(void **items)
{
    void *first = items[0];
    items[0] = items[1];
    items[1] = first;
}
static inline void change_roots(facet_scene *s)
{
    s->roots[1] = COARSE;
}
static inline void exchange_meshes(facet_scene *s)
{
    swap((void **)s->meshes);
}
static inline void exchange_materials(facet_scene *s)
{
    swap((void **)s->materials);
}
static inline void exchange_images(facet_scene *s)
{
    swap((void **)s->images);
}
static inline void exchange_nodes(facet_scene *s)
{
    swap((void **)s->nodes + BOX);
}
static inline void exchange_cameras(facet_scene *s)
{
    swap((void **)s->cameras);
}
static inline void exchange_lights(facet_scene *s)
{
    swap((void **)s->lights);
}
static inline void change_key_count(facet_scene *s)
{
    s->animations[0]->channels[0].key_count = 1;
}
static inline void change_cubic(facet_scene *s)
{
    facet_channel *channel = &s->animations[0]->channels[0];
    static const float values[18] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.25F};
    channel->values = test_copy(s, values, 18);
    channel->interpolation = FACET_INTERPOLATION_CUBIC;
}

#endif
