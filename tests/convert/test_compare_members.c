/* facet_compare_scenes: a change of any member of any struct of facet/scene.h is a difference, or
 * is named as not compared. */
#include "support/compare.h"
#include "support/rich_scene.h"

#include <facet/gx_material.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* -- Changes ------------------------------------------------------------ */

/* The struct of a scene that is changed. */
static void *the_scene(facet_scene *s)
{
    return s;
}
static void *the_axes(facet_scene *s)
{
    return &s->axes;
}
static void *the_mesh(facet_scene *s)
{
    return s->meshes[0];
}
static void *the_part(facet_scene *s)
{
    return &s->meshes[0]->parts[0];
}
static void *the_morph(facet_scene *s)
{
    return &s->meshes[0]->morphs[0];
}
static void *the_custom(facet_scene *s)
{
    return facet_mesh_find(s->meshes[0], FACET_CUSTOM, 0);
}
static void *the_layer(facet_scene *s)
{
    return facet_mesh_find(s->meshes[0], FACET_TEXCOORD, 1);
}
static void *the_material(facet_scene *s)
{
    return s->materials[0];
}
static void *the_texture(facet_scene *s)
{
    return s->materials[0]->maps[FACET_MAP_DIFFUSE];
}
static void *the_absent(facet_scene *s)
{
    return s->materials[2]->maps[FACET_MAP_DIFFUSE];
}
static void *the_classic(facet_scene *s)
{
    return (facet_classic *)s->materials[0]->classic;
}
static void *the_use(facet_scene *s)
{
    return &s->materials[0]->variants[0];
}
static void *the_image(facet_scene *s)
{
    return s->images[0];
}
static void *the_transform(facet_scene *s)
{
    return &s->nodes[BOX]->transform;
}
static void *the_camera(facet_scene *s)
{
    return s->cameras[0];
}
static void *the_plan(facet_scene *s)
{
    return s->cameras[1];
}
static void *the_light(facet_scene *s)
{
    return s->lights[0];
}
static void *the_node(facet_scene *s)
{
    return s->nodes[BODY];
}
static void *the_box(facet_scene *s)
{
    return s->nodes[BOX];
}
static void *the_twin(facet_scene *s)
{
    return s->nodes[TWIN];
}
static void *the_hips(facet_scene *s)
{
    return s->nodes[HIPS];
}
static void *the_skin(facet_scene *s)
{
    return s->skins[0];
}
static void *the_animation(facet_scene *s)
{
    return s->animations[0];
}
static void *the_channel(facet_scene *s)
{
    return &s->animations[0]->channels[0];
}
static void *the_fade(facet_scene *s)
{
    return &s->animations[0]->channels[3];
}
static void *the_slide(facet_scene *s)
{
    return &s->animations[0]->channels[4];
}
static void *the_hull(facet_scene *s)
{
    return s->hulls[0];
}

/* Changes of arrays. */
static void change_first_face(facet_scene *s)
{
    s->meshes[0]->parts[0].first_face = 1;
    s->meshes[0]->parts[1].first_face = 2;
    s->meshes[0]->parts[1].face_count = 0;
}
static void change_part(facet_scene *s)
{
    facet_part parts[2] = {{"left", "other", 0, 1}, {"right", "group", 1, 1}};
    memcpy(s->meshes[0]->parts, parts, sizeof parts);
}
static void change_morph(facet_scene *s)
{
    s->meshes[0]->morphs[1].name = "grin";
}
static void drop_morph(facet_scene *s)
{
    facet_mesh_remove_stream(s->meshes[0], facet_mesh_find(s->meshes[0], FACET_MORPH_POSITION, 1));
    s->meshes[0]->morph_count = 1;
}
static void change_billboard(facet_scene *s)
{
    s->meshes[1]->billboard = FACET_BILLBOARD_Y;
}
static void drop_image(facet_scene *s)
{
    facet_texture *texture = the_texture(s);
    texture->has_image = false;
    texture->path = "other.png";
}
static void drop_transform(facet_scene *s)
{
    facet_texture *texture = s->materials[1]->maps[FACET_MAP_DIFFUSE];
    texture->offset[0] = 0.5F;
}
static void change_stated(facet_scene *s)
{
    ((facet_classic *)the_classic(s))->stated &= ~(unsigned)FACET_CLASSIC_SPECULAR;
    ((facet_classic *)the_classic(s))->specular[0] = 0.5F;
}
static void make_float(facet_scene *s)
{
    s->images[0]->pixels = test_copy(s, (const float[]){0, 0, 0, 0}, 4);
    s->images[0]->is_float = true;
}
static void drop_rows(facet_scene *s)
{
    s->images[0]->width = 2;
    s->images[0]->height = 2;
}
static void change_channel_count(facet_scene *s)
{
    s->images[0]->width = 2;
    s->images[0]->channels = 2;
}
static void change_rotation(facet_scene *s)
{
    s->nodes[BOX]->transform.rotation[3] = 0;
    s->nodes[BOX]->transform.rotation[2] = 1;
}
static void change_transform(facet_scene *s)
{
    s->nodes[ARM]->transform.translation[1] = 1;
}
static void change_matrix(facet_scene *s)
{
    s->nodes[TWIN]->matrix[0] = 2;
}
static void drop_channel_value(facet_scene *s)
{
    s->animations[0]->channels[1].width = 1;
}
static void change_channel_map(facet_scene *s)
{
    facet_channel *channel = the_slide(s);
    channel->map = FACET_MAP_OCCLUSION;
}
static void change_unit(facet_scene *s)
{
    s->axes.unit = 2;
}
static void drop_mesh(facet_scene *s)
{
    s->nodes[HIDDEN]->mesh = FACET_NONE;
    s->mesh_count--;
}
static void add_material(facet_scene *s)
{
    facet_material *material = NULL;
    assert_int_equal(facet_scene_add_material(s, "more", &material, NULL), FACET_OK);
}
static void drop_node(facet_scene *s)
{
    s->root_count--;
    s->node_count--;
}
static void drop_skin(facet_scene *s)
{
    s->nodes[BODY]->skin = FACET_NONE;
    s->skin_count = 0;
}
static void add_camera(facet_scene *s)
{
    facet_camera *camera = NULL;
    assert_int_equal(facet_scene_add_camera(s, "more", &camera, NULL), FACET_OK);
}
static void add_light(facet_scene *s)
{
    facet_light *light = NULL;
    assert_int_equal(facet_scene_add_light(s, "more", &light, NULL), FACET_OK);
}
static void add_variant(facet_scene *s)
{
    const char **names = facet_scene_allocate(s, 3, sizeof *names);
    names[0] = "day";
    names[1] = "night";
    names[2] = "more";
    s->variants = names;
    s->variant_count = 3;
}

/* Data of GameCube and Wii files, in items without extras. */
static facet_gx_file_part *new_part(facet_scene *s)
{
    facet_gx_file_part *part = facet_scene_allocate(s, 1, sizeof *part);
    memset(part, 0, sizeof *part);
    return part;
}
static void change_gx_shape(facet_scene *s)
{
    static facet_gx_file_shape shape = {.radius = 3};
    s->meshes[1]->gx_file = new_part(s);
    s->meshes[1]->gx_file->shape = &shape;
}
static void change_gx_joint(facet_scene *s)
{
    static facet_gx_file_joint joint = {.radius = 3};
    s->nodes[COARSE]->gx_file = new_part(s);
    s->nodes[COARSE]->gx_file->joint = &joint;
}
static void change_gx_animation(facet_scene *s)
{
    static facet_gx_file_animation motion = {.kind = "bck", .loop = 2, .frames = 3};
    s->animations[0]->gx_file = new_part(s);
    s->animations[0]->gx_file->motion = &motion;
}
static void change_gx_scene(facet_scene *s)
{
    static facet_gx_file_model model = {.flags = 1};
    s->gx_file = new_part(s);
    s->gx_file->model = &model;
}
static void change_gx_material(facet_scene *s)
{
    static facet_gx_file_texture texture = {.name = "a"};
    facet_gx_file_material *file = facet_scene_allocate(s, 1, sizeof *file);
    memset(file, 0, sizeof *file);
    file->textures = &texture;
    file->texture_count = 1;
    s->materials[1]->gx_file = file;
}
static void change_gx_image(facet_scene *s)
{
    static facet_gx_file_texture texture = {.name = "a"};
    facet_gx_file_image *file = facet_scene_allocate(s, 1, sizeof *file);
    memset(file, 0, sizeof *file);
    file->textures = &texture;
    file->texture_count = 1;
    s->images[1]->gx_file = file;
}
static void change_data(facet_scene *s)
{
    ((float *)s->meshes[0]->streams[12].data)[1] += 1;
}
static void change_indices(facet_scene *s)
{
    facet_stream *heat = the_custom(s);
    heat->indices = test_copy(s, (const uint32_t[]){0, 1, 2, 0, 3, 2}, 6);
}
static void change_offsets(facet_scene *s)
{
    s->meshes[1]->face_offsets = test_copy(s, (const uint32_t[]){0, 3}, 2);
    s->meshes[1]->corner_count = 3;
}
static void change_face_materials(facet_scene *s)
{
    s->meshes[0]->face_materials[1] = 2;
}
static void change_smoothing(facet_scene *s)
{
    s->meshes[0]->face_smoothing[1] = 1;
}
static void change_coarse(facet_scene *s)
{
    ((float *)s->meshes[2]->streams[0].data)[2] = 0.25F;
}
static void change_hidden(facet_scene *s)
{
    ((float *)s->meshes[3]->streams[0].data)[2] = 0.25F;
}
static void change_normals(facet_scene *s)
{
    float *normal = facet_mesh_find(s->meshes[0], FACET_NORMAL, 0)->data;
    normal[1] = 1;
    normal[2] = 0;
}
static void change_layer(facet_scene *s)
{
    float *layer = ((facet_stream *)the_layer(s))->data;
    layer[2] = 0.5F;
}
static void change_tangents(facet_scene *s)
{
    ((float *)facet_mesh_find(s->meshes[0], FACET_TANGENT, 0)->data)[3] = -1;
}
static void change_morph_normal(facet_scene *s)
{
    ((float *)facet_mesh_find(s->meshes[0], FACET_MORPH_NORMAL, 0)->data)[1] = 1;
}
static void change_skin_weights(facet_scene *s)
{
    float *weights = facet_mesh_find(s->meshes[0], FACET_WEIGHTS, 0)->data;
    weights[0] = 0.25F;
    weights[1] = 0.75F;
}
static void change_streams(facet_scene *s)
{
    facet_mesh_remove_stream(s->meshes[0], facet_mesh_find(s->meshes[0], FACET_TEXCOORD, 1));
}
static void change_stream_count(facet_scene *s)
{
    s->meshes[0]->stream_count--;
}
static void change_semantic(facet_scene *s)
{
    facet_stream *layer = the_layer(s);
    layer->semantic = FACET_COLOR;
}
static void change_face_count(facet_scene *s)
{
    s->meshes[0]->face_count = 1;
    s->meshes[0]->corner_count = 3;
    s->meshes[0]->part_count = 1;
}
static void change_line(facet_scene *s)
{
    s->meshes[0]->lines[0] = 1;
}
static void change_point(facet_scene *s)
{
    s->meshes[0]->points[0] = 2;
}
static void change_line_material(facet_scene *s)
{
    s->meshes[0]->line_materials[0] = 0;
}
static void change_point_material(facet_scene *s)
{
    s->meshes[0]->point_materials[1] = FACET_NONE;
}
static void change_classic(facet_scene *s)
{
    facet_classic *classic = facet_scene_allocate(s, 1, sizeof *classic);
    *classic = *s->materials[0]->classic;
    classic->specular[1] = 1;
    s->materials[0]->classic = classic;
}
static void change_map(facet_scene *s)
{
    test_map(s, s->materials[1], FACET_MAP_OCCLUSION);
}
static void change_variants(facet_scene *s)
{
    s->materials[1]->variants[0].material = 2;
}
static void change_pixels(facet_scene *s)
{
    ((uint8_t *)s->images[0]->pixels)[0] = 11;
}
static void change_smaller(facet_scene *s)
{
    s->images[0]->smaller = test_copy(s, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8}, 2);
}
static void change_bytes(facet_scene *s)
{
    s->images[2]->data = test_copy(s, (const uint8_t[]){1, 2, 3, 5}, 1);
}
static void cut_bytes(facet_scene *s)
{
    s->images[2]->size = 3;
}
static void change_weights(facet_scene *s)
{
    s->nodes[BODY]->weights[0] = 0;
}
static void change_lods(facet_scene *s)
{
    s->nodes[BOX]->lods[0] = TWIN;
}
static void change_joints(facet_scene *s)
{
    s->skins[0]->joints[1] = BODY;
}
static void change_bind(facet_scene *s)
{
    s->skins[0]->inverse_bind[12] = 0.5F;
}
static void change_channels(facet_scene *s)
{
    s->animations[0]->channels[1].values[3] += 1;
}
static void change_times(facet_scene *s)
{
    s->animations[0]->channels[0].times[1] = 2;
}
static void change_values(facet_scene *s)
{
    s->animations[0]->channels[0].values[3] = 1;
}
static void change_hull(facet_scene *s)
{
    s->hulls[0]->points[3] = 2;
}
static void change_occluder(facet_scene *s)
{
    ((float *)s->occluder->streams[0].data)[3] = 2;
}
static void change_variant_name(facet_scene *s)
{
    s->variants[1] = "noon";
}
static void swap(void **items)
{
    void *first = items[0];
    items[0] = items[1];
    items[1] = first;
}
static void change_roots(facet_scene *s)
{
    s->roots[1] = COARSE;
}
static void exchange_meshes(facet_scene *s)
{
    swap((void **)s->meshes);
}
static void exchange_materials(facet_scene *s)
{
    swap((void **)s->materials);
}
static void exchange_images(facet_scene *s)
{
    swap((void **)s->images);
}
static void exchange_nodes(facet_scene *s)
{
    swap((void **)s->nodes + BOX);
}
static void exchange_cameras(facet_scene *s)
{
    swap((void **)s->cameras);
}
static void exchange_lights(facet_scene *s)
{
    swap((void **)s->lights);
}
static void change_key_count(facet_scene *s)
{
    s->animations[0]->channels[0].key_count = 1;
}
static void change_cubic(facet_scene *s)
{
    facet_channel *channel = &s->animations[0]->channels[0];
    static const float values[18] = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.25F};
    channel->values = test_copy(s, values, 18);
    channel->interpolation = FACET_INTERPOLATION_CUBIC;
}

typedef enum kind { FLOATS, FLAG, NUMBER, TEXT, CODE, EXEMPT } kind;

/* A change of a member. FLOATS changes each float of it in turn. */
typedef struct change {
    const char *of, *member;
    kind kind;
    void *(*find)(facet_scene *scene);
    size_t offset, size;
    uint32_t number;
    void (*code)(facet_scene *scene);
    const char *reason;
} change;

#define AT(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define ROW(type, member_, ...)                      \
    {                                                \
        .of = #type, .member = #member_, __VA_ARGS__ \
    }
#define IS_FLOATS(type, member, where) \
    ROW(type, member, .kind = FLOATS, .find = where, AT(type, member))
#define IS_FLAG(type, member, where) \
    ROW(type, member, .kind = FLAG, .find = where, AT(type, member))
#define IS_NUMBER(type, member, where, value) \
    ROW(type, member, .kind = NUMBER, .find = where, AT(type, member), .number = value)
#define IS_TEXT(type, member, where) \
    ROW(type, member, .kind = TEXT, .find = where, AT(type, member))
#define IS_CODE(type, member, function) ROW(type, member, .kind = CODE, .code = function)
#define IS_EXEMPT(type, member, why) ROW(type, member, .kind = EXEMPT, .reason = why)

static const change changes[] = {
    IS_CODE(facet_stream, semantic, change_semantic),
    IS_NUMBER(facet_stream, set, the_layer, 2),
    IS_TEXT(facet_stream, name, the_custom),
    IS_NUMBER(facet_stream, component, the_custom, FACET_UINT32),
    IS_NUMBER(facet_stream, components, the_layer, 2),
    IS_EXEMPT(facet_stream, count, "elements that no corner uses are not content"),
    IS_CODE(facet_stream, data, change_data),
    IS_CODE(facet_stream, data, change_normals),
    IS_CODE(facet_stream, data, change_tangents),
    IS_CODE(facet_stream, data, change_layer),
    IS_CODE(facet_stream, data, change_morph_normal),
    IS_CODE(facet_stream, data, change_skin_weights),
    IS_CODE(facet_stream, data, change_coarse),
    IS_CODE(facet_stream, data, change_hidden),
    IS_CODE(facet_stream, indices, change_indices),
    IS_TEXT(facet_part, name, the_part),
    IS_TEXT(facet_part, group, the_part),
    IS_CODE(facet_part, first_face, change_first_face),
    IS_NUMBER(facet_part, face_count, the_part, 0),
    IS_TEXT(facet_morph, name, the_morph),
    IS_FLOATS(facet_morph, weight, the_morph),
    IS_EXEMPT(facet_mesh, arena, "private"),
    IS_TEXT(facet_mesh, name, the_mesh),
    IS_CODE(facet_mesh, face_count, change_face_count),
    IS_CODE(facet_mesh, corner_count, change_offsets),
    IS_CODE(facet_mesh, face_offsets, change_offsets),
    IS_CODE(facet_mesh, face_materials, change_face_materials),
    IS_CODE(facet_mesh, face_smoothing, change_smoothing),
    IS_CODE(facet_mesh, streams, change_streams),
    IS_CODE(facet_mesh, stream_count, change_stream_count),
    IS_NUMBER(facet_mesh, part_count, the_mesh, 1),
    IS_CODE(facet_mesh, parts, change_part),
    IS_NUMBER(facet_mesh, line_count, the_mesh, 0),
    IS_CODE(facet_mesh, lines, change_line),
    IS_NUMBER(facet_mesh, point_count, the_mesh, 1),
    IS_CODE(facet_mesh, points, change_point),
    IS_CODE(facet_mesh, morphs, change_morph),
    IS_CODE(facet_mesh, morph_count, drop_morph),
    IS_TEXT(facet_mesh, extras, the_mesh),
    IS_TEXT(facet_mesh, extensions, the_mesh),
    IS_CODE(facet_mesh, billboard, change_billboard),
    IS_CODE(facet_mesh, gx_file, change_gx_shape),
    IS_EXEMPT(facet_mesh, stream_growth, "private"),
    IS_CODE(facet_mesh, line_materials, change_line_material),
    IS_CODE(facet_mesh, point_materials, change_point_material),
    IS_TEXT(facet_texture, path, the_absent),
    IS_CODE(facet_texture, has_image, drop_image),
    IS_NUMBER(facet_texture, image, the_texture, 1),
    IS_NUMBER(facet_texture, uv_set, the_texture, 1),
    IS_FLOATS(facet_texture, strength, the_texture),
    IS_CODE(facet_texture, has_transform, drop_transform),
    IS_FLOATS(facet_texture, offset, the_texture),
    IS_FLOATS(facet_texture, rotation, the_texture),
    IS_FLOATS(facet_texture, scale, the_texture),
    IS_NUMBER(facet_texture, wrap_u, the_texture, FACET_WRAP_CLAMP),
    IS_NUMBER(facet_texture, wrap_v, the_texture, FACET_WRAP_MIRROR),
    IS_NUMBER(facet_texture, minify, the_texture, FACET_FILTER_NEAREST),
    IS_NUMBER(facet_texture, magnify, the_texture, FACET_FILTER_NEAREST),
    IS_CODE(facet_classic, stated, change_stated),
    IS_FLOATS(facet_classic, ambient, the_classic),
    IS_EXEMPT(facet_classic, diffuse, "the value of facet_material is compared"),
    IS_FLOATS(facet_classic, specular, the_classic),
    IS_EXEMPT(facet_classic, emissive, "the value of facet_material is compared"),
    IS_FLOATS(facet_classic, transmission, the_classic),
    IS_FLOATS(facet_classic, shininess, the_classic),
    IS_EXEMPT(facet_classic, opacity, "the value of facet_material is compared"),
    IS_FLOATS(facet_classic, refraction_index, the_classic),
    IS_NUMBER(facet_classic, illumination, the_classic, 4),
    IS_EXEMPT(facet_classic, roughness, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, metallic, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, sheen, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, clearcoat, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, clearcoat_roughness, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, anisotropy, "the value of facet_material is compared"),
    IS_EXEMPT(facet_classic, anisotropy_rotation, "the value of facet_material is compared"),
    IS_NUMBER(facet_variant_use, variant, the_use, 1),
    IS_NUMBER(facet_variant_use, material, the_use, 2),
    IS_TEXT(facet_material, name, the_material),
    IS_FLOATS(facet_material, base_color, the_material),
    IS_FLOATS(facet_material, metallic, the_material),
    IS_FLOATS(facet_material, roughness, the_material),
    IS_FLOATS(facet_material, emissive, the_material),
    IS_FLOATS(facet_material, emissive_strength, the_material),
    IS_NUMBER(facet_material, alpha_mode, the_material, FACET_ALPHA_BLEND),
    IS_FLOATS(facet_material, alpha_cutoff, the_material),
    IS_FLAG(facet_material, double_sided, the_material),
    IS_FLAG(facet_material, unlit, the_material),
    IS_EXEMPT(facet_material, sides_unknown, "describes what the source can express"),
    IS_TEXT(facet_material, extras, the_material),
    IS_CODE(facet_material, classic, change_classic),
    IS_EXEMPT(facet_material, gx, "computed from gx_file"),
    IS_CODE(facet_material, maps, change_map),
    IS_FLOATS(facet_material, ior, the_material),
    IS_FLOATS(facet_material, specular, the_material),
    IS_FLOATS(facet_material, specular_color, the_material),
    IS_FLOATS(facet_material, clearcoat, the_material),
    IS_FLOATS(facet_material, clearcoat_roughness, the_material),
    IS_FLOATS(facet_material, sheen_color, the_material),
    IS_FLOATS(facet_material, sheen_roughness, the_material),
    IS_FLOATS(facet_material, transmission, the_material),
    IS_FLOATS(facet_material, thickness, the_material),
    IS_FLOATS(facet_material, attenuation_distance, the_material),
    IS_FLOATS(facet_material, attenuation_color, the_material),
    IS_FLOATS(facet_material, iridescence, the_material),
    IS_FLOATS(facet_material, iridescence_ior, the_material),
    IS_FLOATS(facet_material, iridescence_thickness, the_material),
    IS_FLOATS(facet_material, anisotropy, the_material),
    IS_FLOATS(facet_material, anisotropy_rotation, the_material),
    IS_FLOATS(facet_material, dispersion, the_material),
    IS_FLOATS(facet_material, diffuse_transmission, the_material),
    IS_FLOATS(facet_material, diffuse_transmission_color, the_material),
    IS_CODE(facet_material, variants, change_variants),
    IS_NUMBER(facet_material, variant_count, the_material, 0),
    IS_TEXT(facet_material, extensions, the_material),
    IS_CODE(facet_material, gx_file, change_gx_material),
    IS_TEXT(facet_image, name, the_image),
    IS_EXEMPT(facet_image, media_type, "follows from the bytes"),
    IS_EXEMPT(facet_image, path, "the location of a file is not content; its stem is the name"),
    IS_CODE(facet_image, data, change_bytes),
    IS_CODE(facet_image, size, cut_bytes),
    IS_CODE(facet_image, pixels, change_pixels),
    IS_CODE(facet_image, is_float, make_float),
    IS_NUMBER(facet_image, width, the_image, 3),
    IS_CODE(facet_image, height, drop_rows),
    IS_CODE(facet_image, channels, change_channel_count),
    IS_TEXT(facet_image, extras, the_image),
    IS_CODE(facet_image, smaller, change_smaller),
    IS_NUMBER(facet_image, smaller_count, the_image, 0),
    IS_CODE(facet_image, gx_file, change_gx_image),
    IS_FLOATS(facet_transform, translation, the_transform),
    IS_CODE(facet_transform, rotation, change_rotation),
    IS_FLOATS(facet_transform, scale, the_transform),
    IS_TEXT(facet_camera, name, the_camera),
    IS_FLAG(facet_camera, is_orthographic, the_camera),
    IS_FLOATS(facet_camera, field_of_view, the_camera),
    IS_FLOATS(facet_camera, aspect_ratio, the_camera),
    IS_FLOATS(facet_camera, width, the_plan),
    IS_FLOATS(facet_camera, height, the_plan),
    IS_FLOATS(facet_camera, near_distance, the_camera),
    IS_FLOATS(facet_camera, far_distance, the_camera),
    IS_TEXT(facet_camera, extras, the_camera),
    IS_TEXT(facet_light, name, the_light),
    IS_NUMBER(facet_light, kind, the_light, FACET_LIGHT_POINT),
    IS_FLOATS(facet_light, color, the_light),
    IS_FLOATS(facet_light, intensity, the_light),
    IS_FLOATS(facet_light, range, the_light),
    IS_FLOATS(facet_light, inner_cone_angle, the_light),
    IS_FLOATS(facet_light, outer_cone_angle, the_light),
    IS_TEXT(facet_light, extras, the_light),
    IS_TEXT(facet_node, name, the_box),
    IS_NUMBER(facet_node, parent, the_node, FACET_NONE),
    IS_NUMBER(facet_node, mesh, the_box, 2),
    IS_NUMBER(facet_node, skin, the_node, FACET_NONE),
    IS_FLAG(facet_node, has_matrix, the_twin),
    IS_CODE(facet_node, transform, change_transform),
    IS_CODE(facet_node, matrix, change_matrix),
    IS_CODE(facet_node, weights, change_weights),
    IS_NUMBER(facet_node, camera, the_hips, 1),
    IS_NUMBER(facet_node, light, the_hips, 1),
    IS_FLAG(facet_node, hidden, the_box),
    IS_TEXT(facet_node, extras, the_box),
    IS_CODE(facet_node, gx_file, change_gx_joint),
    IS_CODE(facet_node, lods, change_lods),
    IS_NUMBER(facet_node, lod_count, the_box, 0),
    IS_TEXT(facet_node, extensions, the_box),
    IS_TEXT(facet_skin, name, the_skin),
    IS_NUMBER(facet_skin, joint_count, the_skin, 1),
    IS_CODE(facet_skin, joints, change_joints),
    IS_CODE(facet_skin, inverse_bind, change_bind),
    IS_NUMBER(facet_skin, skeleton, the_skin, ARM),
    IS_TEXT(facet_skin, extras, the_skin),
    IS_NUMBER(facet_channel, node, the_channel, BOX),
    IS_NUMBER(facet_channel, target, the_channel, FACET_TARGET_SCALE),
    IS_CODE(facet_channel, interpolation, change_cubic),
    IS_CODE(facet_channel, width, drop_channel_value),
    IS_CODE(facet_channel, key_count, change_key_count),
    IS_CODE(facet_channel, times, change_times),
    IS_CODE(facet_channel, values, change_values),
    IS_NUMBER(facet_channel, material, the_fade, 1),
    IS_CODE(facet_channel, map, change_channel_map),
    IS_TEXT(facet_animation, name, the_animation),
    IS_CODE(facet_animation, channels, change_channels),
    IS_NUMBER(facet_animation, channel_count, the_animation, CHANNELS - 1),
    IS_TEXT(facet_animation, extras, the_animation),
    IS_CODE(facet_animation, gx_file, change_gx_animation),
    IS_NUMBER(facet_axes, up, the_axes, FACET_AXIS_Z),
    IS_FLAG(facet_axes, left_handed, the_axes),
    IS_CODE(facet_axes, unit, change_unit),
    IS_FLAG(facet_axes, uv_origin_top, the_axes),
    IS_TEXT(facet_hull, name, the_hull),
    IS_NUMBER(facet_hull, point_count, the_hull, 3),
    IS_CODE(facet_hull, points, change_hull),
    IS_EXEMPT(facet_scene, arena, "private"),
    IS_CODE(facet_scene, axes, change_unit),
    IS_CODE(facet_scene, meshes, exchange_meshes),
    IS_CODE(facet_scene, mesh_count, drop_mesh),
    IS_CODE(facet_scene, materials, exchange_materials),
    IS_CODE(facet_scene, material_count, add_material),
    IS_CODE(facet_scene, hulls, change_hull),
    IS_NUMBER(facet_scene, hull_count, the_scene, 0),
    IS_CODE(facet_scene, occluder, change_occluder),
    IS_TEXT(facet_scene, name, the_scene),
    IS_EXEMPT(facet_scene, generator, "the program that wrote a file is not content"),
    IS_CODE(facet_scene, images, exchange_images),
    IS_NUMBER(facet_scene, image_count, the_scene, 2),
    IS_CODE(facet_scene, nodes, exchange_nodes),
    IS_CODE(facet_scene, node_count, drop_node),
    IS_CODE(facet_scene, roots, change_roots),
    IS_NUMBER(facet_scene, root_count, the_scene, 2),
    IS_CODE(facet_scene, skins, change_bind),
    IS_CODE(facet_scene, skin_count, drop_skin),
    IS_CODE(facet_scene, animations, change_values),
    IS_NUMBER(facet_scene, animation_count, the_scene, 0),
    IS_CODE(facet_scene, cameras, exchange_cameras),
    IS_CODE(facet_scene, camera_count, add_camera),
    IS_CODE(facet_scene, lights, exchange_lights),
    IS_CODE(facet_scene, light_count, add_light),
    IS_TEXT(facet_scene, extras, the_scene),
    IS_CODE(facet_scene, variants, change_variant_name),
    IS_CODE(facet_scene, variant_count, add_variant),
    IS_TEXT(facet_scene, asset, the_scene),
    IS_TEXT(facet_scene, extensions, the_scene),
    IS_CODE(facet_scene, gx_file, change_gx_scene),
    IS_EXEMPT(facet_scene, growth, "private"),
};

static void apply(const change *c, int step, facet_scene *scene)
{
    char *at = c->find ? (char *)c->find(scene) + c->offset : NULL;
    if (c->kind == FLOATS) {
        ((float *)at)[step] += 0.25F;
    } else if (c->kind == FLAG) {
        *(bool *)at = !*(bool *)at;
    } else if (c->kind == NUMBER) {
        assert_int_equal(c->size, sizeof(uint32_t));
        memcpy(at, &c->number, sizeof c->number);
    } else if (c->kind == TEXT) {
        const char *text = "changed";
        memcpy(at, &text, sizeof text);
    } else {
        c->code(scene);
    }
}

/* -- Tests -------------------------------------------------------------- */

TEST(a_scene_is_equal_to_itself_and_its_copy)
{
    facet_scene *copy = NULL, *scene = rich_scene();
    facet_error error;
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    facet_scene *others[2] = {rich_scene(), copy};
    for (int i = 0; i < 2; i++) {
        facet_comparison result;
        facet_report *report = compare(i ? scene : rich_scene(), others[i], NULL, &result);
        for (size_t f = 0; f < facet_report_count(report); f++)
            print_message("%s\n", facet_report_get(report, f)->message);
        assert_int_equal(errors(report), 0);
        assert_true(result.same_triangles);
        facet_report_free(report);
    }
}

TEST(every_changed_member_is_reported)
{
    const char *absent = "image 'absent' is in neither file: it is not compared";
    /* The surfaces have at most two triangles. The default of 20,000 takes six times as long. */
    const facet_compare_options few = {.samples = 1000};
    unsigned unseen = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        int steps = c->kind == FLOATS ? (int)(c->size / sizeof(float)) : c->kind != EXEMPT;
        for (int step = 0; step < steps; step++) {
            facet_scene *scene = rich_scene();
            apply(c, step, scene);
            facet_report *report = compare(rich_scene(), scene, &few, NULL);
            size_t found = errors(report);
            for (size_t f = 0; f < facet_report_count(report); f++) {
                const facet_finding *finding = facet_report_get(report, f);
                found += finding->severity == FACET_SEVERITY_WARNING &&
                         strcmp(finding->message, absent) != 0;
                /* Extras belong to the names of their items. That does not compare the names. */
                found -= strcmp(c->member, "name") == 0 &&
                         strcmp(finding->rule, "COMPARE-ASSET") == 0 &&
                         strncmp(finding->message, "ext", 3) == 0;
            }
            if (found == 0) {
                print_message("%s.%s, step %d: called equal\n", c->of, c->member, step);
                unseen++;
            }
            facet_report_free(report);
        }
    }
    assert_int_equal(unseen, 0);
}

/* -- Completeness ------------------------------------------------------- */

static bool has_row(const char *of, const char *member, size_t length)
{
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (strcmp(changes[i].of, of) == 0 && strlen(changes[i].member) == length &&
            memcmp(changes[i].member, member, length) == 0)
            return true;
    }
    return false;
}

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Replace comments and the bodies of inner structs by spaces. */
static void blank(char *text)
{
    int depth = 0;
    char *linkage = strstr(text, "extern \"C\" {");
    assert_non_null(linkage);
    memset(linkage, ' ', strlen("extern \"C\" {"));
    for (char *at = text; *at; at++) {
        if (at[0] == '/' && at[1] == '*') {
            char *end = strstr(at, "*/");
            assert_non_null(end);
            memset(at, ' ', (size_t)(end + 2 - at));
        }
        depth -= *at == '}';
        if (depth > 1 || (depth == 1 && *at == '}'))
            *at = ' ';
        depth += *at == '{';
    }
}

/* The last word of each declarator of a struct is a member: "float x[2], *y" has two. */
static unsigned check_struct(const char *of, const char *begin, const char *end)
{
    unsigned count = 0;
    const char *word = NULL;
    size_t length = 0;
    bool in_brackets = false;
    for (const char *at = begin; at < end; at++) {
        if (!in_brackets && is_word(*at) && !is_word(at[-1]))
            word = at;
        if (!in_brackets && is_word(*at) && !is_word(at[1]))
            length = (size_t)(at + 1 - word);
        in_brackets = *at == '[' || (in_brackets && *at != ']');
        if (*at != ',' && *at != ';')
            continue;
        count++;
        if (!has_row(of, word, length))
            fail_msg("facet/scene.h has %s.%.*s, which no row of this test changes", of,
                     (int)length, word);
    }
    return count;
}

/* A member that is added to facet/scene.h needs a row of the table above, and facet_compare_scenes
 * must compare it. */
TEST(every_member_of_the_header_has_a_change)
{
    static char text[200000];
    FILE *file = fopen(test_path("../include/facet/scene.h"), "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_in_range(size, 1, sizeof text - 2);
    text[size] = '\0';
    blank(text);
    unsigned members = 0, structs = 0;
    for (const char *at = text; (at = strstr(at, "typedef struct facet_")); structs++) {
        char name[64];
        assert_int_equal(sscanf(at, "typedef struct %63[a-z_]", name), 1);
        const char *begin = strchr(at, '{'), *end = strchr(at, '}');
        assert_true(begin && end && begin < end);
        at = end;
        if (strcmp(name, "facet_growth") != 0) /* private */
            members += check_struct(name, begin + 1, end);
    }
    unsigned distinct = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        distinct += i == 0 || strcmp(changes[i].of, changes[i - 1].of) != 0 ||
                    strcmp(changes[i].member, changes[i - 1].member) != 0;
    assert_int_equal(members, distinct); /* rows of one member are adjacent */
    assert_int_equal(structs, 20);       /* so that the parser above cannot miss one */
}
