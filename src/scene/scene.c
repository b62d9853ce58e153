/* scene/scene.c - creation, growth and release of scenes. */
#include "scene/scene.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "base/text.h"

#include <string.h>

/* -- Scenes ------------------------------------------------------------- */

facet_status facet_scene_create(const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_scene *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    *scene = made;
    return FACET_OK;
}

void facet_scene_free(facet_scene *scene)
{
    if (scene)
        facet_arena_free(scene->arena);
}

void *facet_scene_allocate(facet_scene *scene, size_t count, size_t size)
{
    return facet_arena_allocate(scene->arena, count, size);
}

const char *facet_scene_string(facet_scene *scene, const char *text)
{
    return facet_arena_string(scene->arena, text, strlen(text));
}

/* -- Growing arrays ----------------------------------------------------- */

/* Make space for `more` items after `count`. */
static facet_status make_space(facet_arena *arena, facet_growth *growth, void *array,
                               uint32_t count, uint32_t more, size_t size, facet_error *error)
{
    void *items;
    memcpy(&items, array, sizeof items);
    if (!items && count > 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                          "there are %u items to add to, and no array that holds them", count);
    bool is_own = items && growth->items == items;
    if (more == 0 || (is_own && count < growth->capacity && more <= growth->capacity - count))
        return FACET_OK;
    if (count > UINT32_MAX / 2 || more > UINT32_MAX - count)
        return facet_fail_memory(error, SIZE_MAX);
    uint32_t capacity = count > more ? count * 2 : count + more;
    void *grown = is_own ? facet_arena_resize(arena, items, growth->capacity, capacity, size)
                         : facet_arena_allocate(arena, capacity, size);
    if (!grown)
        return facet_fail_arena(arena, error);
    if (!is_own && count > 0)
        memcpy(grown, items, count * size);
    growth->items = grown;
    growth->capacity = capacity;
    memcpy(array, &grown, sizeof grown);
    return FACET_OK;
}

/* -- Meshes and hulls --------------------------------------------------- */

static facet_mesh *make_mesh(facet_arena *arena)
{
    facet_mesh *mesh = facet_arena_allocate_zeroed(arena, 1, sizeof *mesh);
    if (mesh) {
        mesh->arena = arena;
        mesh->name = "";
    }
    return mesh;
}

facet_status facet_scene_reserve(facet_scene *scene, facet_growth *growth, void *array,
                                 uint32_t count, uint32_t more, size_t size, facet_error *error)
{
    return make_space(scene->arena, growth, array, count, more, size, error);
}

facet_status facet_scene_append(facet_scene *scene, facet_growth *growth, void *array,
                                uint32_t *count, void *item, facet_error *error)
{
    TRY(make_space(scene->arena, growth, array, *count, 1, sizeof item, error));
    char *items;
    memcpy(&items, array, sizeof items);
    memcpy(items + *count * sizeof item, &item, sizeof item);
    ++*count;
    return FACET_OK;
}

facet_status facet_scene_add_mesh(facet_scene *scene, facet_mesh **mesh, facet_error *error)
{
    facet_mesh *made = make_mesh(scene->arena);
    if (!made)
        return facet_fail_arena(scene->arena, error);
    *mesh = made;
    return facet_scene_append(scene, &scene->growth.meshes, &scene->meshes, &scene->mesh_count,
                              made, error);
}

facet_status facet_scene_add_hull(facet_scene *scene, const char *name, uint32_t point_count,
                                  facet_hull **hull, facet_error *error)
{
    facet_hull *made = facet_arena_allocate(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    float *points = facet_arena_allocate(scene->arena, point_count, 3 * sizeof *points);
    if (!made || !copy || !points)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->point_count = point_count;
    made->points = points;
    *hull = made;
    return facet_scene_append(scene, &scene->growth.hulls, &scene->hulls, &scene->hull_count, made,
                              error);
}

facet_status facet_scene_add_occluder(facet_scene *scene, facet_mesh **occluder, facet_error *error)
{
    facet_mesh *made = make_mesh(scene->arena);
    if (!made)
        return facet_fail_arena(scene->arena, error);
    scene->occluder = made;
    *occluder = made;
    return FACET_OK;
}

/* -- Images, nodes, skins, animations ----------------------------------- */

facet_status facet_scene_add_image(facet_scene *scene, const char *name, facet_image **image,
                                   facet_error *error)
{
    facet_image *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    if (!made || !copy)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->media_type = "";
    *image = made;
    return facet_scene_append(scene, &scene->growth.images, &scene->images, &scene->image_count,
                              made, error);
}

facet_status facet_scene_add_node(facet_scene *scene, const char *name, facet_node **node,
                                  facet_error *error)
{
    facet_node *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    if (!made || !copy)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->parent = made->mesh = made->skin = made->camera = made->light = FACET_NONE;
    made->transform.rotation[3] = 1;
    for (int i = 0; i < 3; i++)
        made->transform.scale[i] = 1;
    for (int i = 0; i < 16; i += 5)
        made->matrix[i] = 1;
    *node = made;
    return facet_scene_append(scene, &scene->growth.nodes, &scene->nodes, &scene->node_count, made,
                              error);
}

facet_status facet_scene_add_skin(facet_scene *scene, const char *name, uint32_t joint_count,
                                  facet_skin **skin, facet_error *error)
{
    facet_skin *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    uint32_t *joints = facet_arena_allocate(scene->arena, joint_count, sizeof *joints);
    float *matrices = facet_arena_allocate_zeroed(scene->arena, joint_count, 16 * sizeof *matrices);
    if (!made || !copy || !joints || !matrices)
        return facet_fail_arena(scene->arena, error);
    for (uint32_t joint = 0; joint < joint_count; joint++) {
        joints[joint] = FACET_NONE;
        for (int i = 0; i < 16; i += 5)
            matrices[(size_t)joint * 16 + i] = 1;
    }
    made->name = copy;
    made->joint_count = joint_count;
    made->joints = joints;
    made->inverse_bind = matrices;
    made->skeleton = FACET_NONE;
    *skin = made;
    return facet_scene_append(scene, &scene->growth.skins, &scene->skins, &scene->skin_count, made,
                              error);
}

facet_status facet_scene_add_animation(facet_scene *scene, const char *name, uint32_t channel_count,
                                       facet_animation **animation, facet_error *error)
{
    facet_animation *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    facet_channel *channels =
        facet_arena_allocate_zeroed(scene->arena, channel_count, sizeof *channels);
    if (!made || !copy || !channels)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->channels = channels;
    made->channel_count = channel_count;
    *animation = made;
    return facet_scene_append(scene, &scene->growth.animations, &scene->animations,
                              &scene->animation_count, made, error);
}

facet_status facet_scene_add_camera(facet_scene *scene, const char *name, facet_camera **camera,
                                    facet_error *error)
{
    facet_camera *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    if (!made || !copy)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->field_of_view = 0.78539816F;
    made->near_distance = 0.1F;
    *camera = made;
    return facet_scene_append(scene, &scene->growth.cameras, &scene->cameras, &scene->camera_count,
                              made, error);
}

facet_status facet_scene_add_light(facet_scene *scene, const char *name, facet_light **light,
                                   facet_error *error)
{
    facet_light *made = facet_arena_allocate_zeroed(scene->arena, 1, sizeof *made);
    const char *copy = facet_scene_string(scene, name);
    if (!made || !copy)
        return facet_fail_arena(scene->arena, error);
    made->name = copy;
    made->color[0] = made->color[1] = made->color[2] = made->intensity = 1;
    made->outer_cone_angle = 0.78539816F;
    *light = made;
    return facet_scene_append(scene, &scene->growth.lights, &scene->lights, &scene->light_count,
                              made, error);
}

/* -- Streams ------------------------------------------------------------ */

const char *facet_semantic_name(facet_semantic semantic)
{
    switch (semantic) {
    case FACET_POSITION:
        return "position";
    case FACET_NORMAL:
        return "normal";
    case FACET_TANGENT:
        return "tangent";
    case FACET_TEXCOORD:
        return "texcoord";
    case FACET_COLOR:
        return "color";
    case FACET_JOINTS:
        return "joints";
    case FACET_WEIGHTS:
        return "weights";
    case FACET_CUSTOM:
        return "custom";
    case FACET_MORPH_POSITION:
        return "morph position";
    case FACET_MORPH_NORMAL:
        return "morph normal";
    case FACET_MORPH_TANGENT:
        return "morph tangent";
    }
    return "unknown";
}

size_t facet_component_size(facet_component component)
{
    switch (component) {
    case FACET_INT8:
    case FACET_UINT8:
        return 1;
    case FACET_INT16:
    case FACET_UINT16:
        return 2;
    case FACET_FLOAT64:
        return 8;
    case FACET_FLOAT32:
    case FACET_INT32:
    case FACET_UINT32:
        break;
    }
    return 4;
}

facet_stream *facet_mesh_find(const facet_mesh *mesh, facet_semantic semantic, uint32_t set)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].semantic == semantic && mesh->streams[i].set == set)
            return &mesh->streams[i];
    }
    return NULL;
}

bool facet_image_size_of_smaller(uint32_t width, uint32_t height, uint32_t count, size_t *bytes)
{
    *bytes = 0;
    for (uint32_t level = 0; level < count; level++) {
        size_t texels, size;
        if (width <= 1 && height <= 1)
            return false;
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        if (!facet_size_multiply(width, height, &texels) ||
            !facet_size_multiply(texels, 4, &size) || size > SIZE_MAX - *bytes)
            return false;
        *bytes += size;
    }
    return true;
}

bool facet_stream_is_custom(const facet_stream *stream, const char *name, facet_component component,
                            uint32_t components)
{
    if (stream->semantic != FACET_CUSTOM || stream->component != component ||
        stream->components != components || !stream->name)
        return false;
    return strcmp(stream->name + (*stream->name == '_'), name) == 0;
}

const facet_stream *facet_mesh_find_custom(const facet_mesh *mesh, const char *name,
                                           facet_component component, uint32_t components)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (facet_stream_is_custom(&mesh->streams[i], name, component, components))
            return &mesh->streams[i];
    }
    return NULL;
}

facet_status facet_mesh_add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t set,
                                   const char *name, facet_component component, uint32_t components,
                                   uint32_t count, facet_stream **stream, facet_error *error)
{
    TRY(make_space(mesh->arena, &mesh->stream_growth, &mesh->streams, mesh->stream_count, 1,
                   sizeof *mesh->streams, error));
    facet_stream made = {0};
    made.semantic = semantic;
    made.set = set;
    made.component = component;
    made.components = components;
    made.count = count;
    if (name) {
        made.name = facet_arena_string(mesh->arena, name, strlen(name));
        if (!made.name)
            return facet_fail_arena(mesh->arena, error);
    }
    made.data = facet_arena_allocate(mesh->arena, count, facet_stream_element_size(&made));
    if (!made.data)
        return facet_fail_arena(mesh->arena, error);
    mesh->streams[mesh->stream_count] = made;
    *stream = &mesh->streams[mesh->stream_count++];
    return FACET_OK;
}

/* The mesh's own array that `indices` points to, or NULL. */
static uint32_t *shared_indices(const facet_mesh *mesh, const uint32_t *indices)
{
    if (!indices && mesh->stream_count > 0)
        return mesh->streams[0].indices;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].indices == indices)
            return mesh->streams[i].indices;
    }
    return NULL;
}

/* Copy the indices of a new stream. NULL, with an error, on failure. */
static uint32_t *copy_indices(facet_mesh *mesh, const uint32_t *indices, facet_error *error)
{
    uint32_t *copy = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *copy);
    if (!copy)
        facet_fail_arena(mesh->arena, error);
    for (uint32_t corner = 0; copy && corner < mesh->corner_count; corner++)
        copy[corner] = indices ? indices[corner] : corner;
    return copy;
}

static facet_status check_indices(const uint32_t *indices, uint32_t corner_count, uint32_t count,
                                  facet_error *error)
{
    for (uint32_t corner = 0; corner < corner_count; corner++) {
        uint32_t element = indices ? indices[corner] : corner;
        if (element >= count && element != FACET_NONE)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "SCENE", FACET_NO_OFFSET,
                              "corner %u uses element %u of %u", corner, element, count);
    }
    return FACET_OK;
}

facet_status facet_mesh_show_vertices(facet_mesh *mesh, facet_error *error)
{
    uint32_t count = mesh->stream_count > 0 ? mesh->streams[0].count : 0;
    if (count == 0 || mesh->face_count > 0 || mesh->line_count > 0 || mesh->point_count > 0)
        return FACET_OK;
    mesh->points = facet_arena_allocate(mesh->arena, count, sizeof *mesh->points);
    if (!mesh->points)
        return facet_fail_arena(mesh->arena, error);
    for (uint32_t i = 0; i < count; i++)
        mesh->points[i] = i;
    mesh->point_count = count;
    mesh->point_materials = NULL;
    return FACET_OK;
}

facet_status facet_mesh_add_stream_copy(facet_mesh *mesh, facet_semantic semantic, uint32_t set,
                                        const char *name, facet_component component,
                                        uint32_t components, uint32_t count, const void *data,
                                        const uint32_t *indices, facet_stream **stream,
                                        facet_error *error)
{
    uint32_t *own = shared_indices(mesh, indices);
    const uint32_t *wanted = own ? own : indices;
    TRY(check_indices(wanted, mesh->corner_count, count, error));
    facet_stream *made = NULL;
    TRY(facet_mesh_add_stream(mesh, semantic, set, name, component, components, count, &made,
                              error));
    made->indices = own ? own : copy_indices(mesh, wanted, error);
    if (!made->indices) {
        facet_mesh_remove_stream(mesh, made);
        return facet_fail_arena(mesh->arena, error);
    }
    if (count > 0)
        memcpy(made->data, data, count * facet_stream_element_size(made));
    if (stream)
        *stream = made;
    return FACET_OK;
}

void facet_stream_release_indices(facet_mesh *mesh, facet_stream *stream)
{
    uint32_t *indices = stream->indices;
    stream->indices = NULL;
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        if (mesh->streams[i].indices == indices)
            return;
    }
    facet_arena_release(mesh->arena, indices, mesh->corner_count, sizeof *indices);
}

void facet_mesh_remove_stream(facet_mesh *mesh, facet_stream *stream)
{
    facet_stream_release_indices(mesh, stream);
    facet_arena_release(mesh->arena, stream->data, stream->count,
                        facet_stream_element_size(stream));
    size_t index = (size_t)(stream - mesh->streams);
    memmove(stream, stream + 1, (mesh->stream_count - index - 1) * sizeof *stream);
    mesh->stream_count--;
}

bool facet_mesh_is_triangles(const facet_mesh *mesh)
{
    if (!mesh->face_offsets)
        return true;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        if (mesh->face_offsets[face + 1] - mesh->face_offsets[face] != 3)
            return false;
    }
    return true;
}

bool facet_mesh_is_indexed(const facet_mesh *mesh)
{
    for (uint32_t i = 1; i < mesh->stream_count; i++) {
        if (!facet_streams_share_vertices(&mesh->streams[i], &mesh->streams[0]))
            return false;
    }
    return true;
}

facet_status facet_scene_check_image(const facet_scene *scene, const char *file, facet_error *error)
{
    if (scene->image_count == 1 && scene->mesh_count == 0)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IMAGE-SCENE", FACET_NO_OFFSET,
                      "the scene has %u mesh%s and %u image%s, but %s holds one image; 'facet "
                      "extract' writes the images of a scene, and 'facet render' draws it",
                      scene->mesh_count, facet_plural(scene->mesh_count, "", "es"),
                      scene->image_count, facet_plural(scene->image_count, "", "s"), file);
}
