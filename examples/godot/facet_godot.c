/* examples/godot/facet_godot.c - loader of model files for Godot 3, as a GDNative library.
 *
 * facet_load_for_godot(path) returns a PoolByteArray: a Dictionary in Godot's binary serialization,
 * which bytes2var() decodes. It has "error", or "materials", "images", "meshes", "nodes", "skins",
 * "animations". addons/facet/scene.gd creates a scene from it.
 *
 * GDNative's headers are not needed. Godot passes a table of functions in the order of its
 * gdnative_api.json ("core", 1.0), which is the same for Godot 3.1 to 3.6. */
#include <facet/facet.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_PER_SECOND 30

/* -- GDNative ------------------------------------------------------------- */

/* These sizes are for 64-bit systems. */
typedef struct godot_variant {
    uint64_t words[3];
} godot_variant;
typedef struct godot_handle { /* a string, an array or a pool array */
    uint64_t word;
} godot_handle;

typedef void (*api_function)(void);
typedef struct godot_api {
    unsigned type;
    unsigned version[2];
    const void *next;
    unsigned extension_count;
    const void *extensions;
    api_function functions[]; /* order of "core" in gdnative_api.json */
} godot_api;

typedef struct godot_init_options {
    bool in_editor;
    uint64_t hashes[3];
    api_function report_version_mismatch, report_loading_error;
    void *library;
    const godot_api *api;
    const godot_handle *path;
} godot_init_options;

/* Indices of functions in the table. */
enum {
    POOL_BYTE_ARRAY_NEW = 155,
    POOL_BYTE_ARRAY_RESIZE = 164,
    POOL_BYTE_ARRAY_WRITE = 166,
    POOL_BYTE_ARRAY_DESTROY = 170,
    POOL_BYTE_ARRAY_WRITE_ACCESS_PTR = 296,
    POOL_BYTE_ARRAY_WRITE_ACCESS_DESTROY = 298,
    ARRAY_GET = 333,
    VARIANT_NEW_POOL_BYTE_ARRAY = 530,
    VARIANT_AS_STRING = 541,
    VARIANT_DESTROY = 570,
    CHAR_STRING_GET_DATA = 572,
    CHAR_STRING_DESTROY = 573,
    STRING_UTF8 = 678,
    STRING_DESTROY = 721
};

static const godot_api *api;
#define CALL(place, type) ((type)api->functions[place])

void godot_gdnative_init(godot_init_options *options);
void godot_gdnative_terminate(void *options);
godot_variant facet_load_for_godot(godot_handle *arguments);

void godot_gdnative_init(godot_init_options *options)
{
    api = options->api;
}

void godot_gdnative_terminate(void *options)
{
    (void)options;
    api = NULL;
}

/* -- Binary serialization ------------------------------------------------- */

/* Type numbers of Godot's page "Binary serialization API". */
enum {
    INT = 2,
    REAL = 3,
    STRING = 4,
    COLOR = 14,
    DICTIONARY = 18,
    ARRAY = 19,
    BYTES = 20,
    INTS = 21,
    REALS = 22,
    VECTORS2 = 24,
    VECTORS3 = 25
};

typedef struct writer {
    uint8_t *data;
    size_t size, space;
    bool failed; /* out of memory */
} writer;

static void put(writer *w, const void *data, size_t size)
{
    if (!w->failed && w->space - w->size < size) {
        size_t space = w->space * 2 + size;
        uint8_t *moved = realloc(w->data, space);
        w->failed = !moved;
        w->data = moved ? moved : w->data;
        w->space = moved ? space : w->space;
    }
    if (w->failed)
        return;
    if (size > 0)
        memcpy(w->data + w->size, data, size);
    w->size += size;
}

static void put_word(writer *w, uint32_t value)
{
    put(w, &value, 4);
}

/* Write an array: type, count, data, and zeros up to a multiple of four bytes. */
static void put_block(writer *w, uint32_t type, uint32_t count, const void *data, size_t size)
{
    static const uint8_t zeros[3];
    put_word(w, type);
    put_word(w, count);
    put(w, data, size);
    put(w, zeros, (4 - size % 4) % 4);
}

static void put_string(writer *w, const char *text)
{
    put_block(w, STRING, (uint32_t)strlen(text), text, strlen(text));
}
static void put_int(writer *w, const char *key, uint32_t value) /* FACET_NONE becomes -1 */
{
    put_string(w, key);
    put_word(w, INT);
    put_word(w, value);
}
static void put_real(writer *w, const char *key, float value)
{
    put_string(w, key);
    put_word(w, REAL);
    put(w, &value, 4);
}
static void put_text(writer *w, const char *key, const char *text)
{
    put_string(w, key);
    put_string(w, text ? text : "");
}
static void put_floats(writer *w, const char *key, const float *values, uint32_t count)
{
    put_string(w, key);
    put_block(w, REALS, count, values, (size_t)count * 4);
}
static void put_list(writer *w, const char *key, uint32_t count)
{
    put_string(w, key);
    put_block(w, ARRAY, count, NULL, 0);
}
static void put_dictionary(writer *w, uint32_t count)
{
    put_block(w, DICTIONARY, count, NULL, 0);
}

/* -- The model --------------------------------------------------------------- */

static const facet_pack_attribute attributes[] = {
    {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, false},
    {FACET_NORMAL, 0, NULL, FACET_PACK_FLOAT32, 3, 1, false, true},
    {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT32, 2, 2, false, true},
    {FACET_JOINTS, 0, NULL, FACET_PACK_SINT32, 4, 3, false, true},
    {FACET_WEIGHTS, 0, NULL, FACET_PACK_FLOAT32, 4, 4, false, true},
};

static void put_material(writer *w, const facet_model *model, uint32_t index)
{
    const facet_material *m = model->scene->materials[index];
    const facet_image *image = facet_model_image(model, index, FACET_MAP_DIFFUSE);
    float emission[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3; i++)
        emission[i] = m->emissive[i] * m->emissive_strength;
    put_dictionary(w, 9);
    put_text(w, "name", m->name);
    put_string(w, "color");
    put_word(w, COLOR);
    put(w, m->base_color, 16);
    put_string(w, "emission");
    put_word(w, COLOR);
    put(w, emission, 16);
    put_real(w, "metallic", m->metallic);
    put_real(w, "roughness", m->roughness);
    put_int(w, "alpha_mode", (uint32_t)m->alpha_mode);
    put_real(w, "alpha_cutoff", m->alpha_cutoff);
    put_int(w, "double_sided", m->double_sided || m->sides_unknown);
    put_int(w, "image", image && !image->is_float ? m->maps[FACET_MAP_DIFFUSE]->image : FACET_NONE);
}

static void put_image(writer *w, const facet_image *image)
{
    bool usable = image->pixels && !image->is_float;
    size_t size = usable ? (size_t)image->width * image->height * 4 : 0;
    put_dictionary(w, 3);
    put_int(w, "width", usable ? image->width : 0);
    put_int(w, "height", usable ? image->height : 0);
    put_string(w, "pixels");
    put_block(w, BYTES, (uint32_t)size, image->pixels, size);
}

/* Godot's front faces are clockwise, Facet's are counterclockwise. */
static void put_indices(writer *w, const facet_packed *mesh, const facet_packed_draw *draw)
{
    const uint32_t *from = (const uint32_t *)mesh->indices + draw->first_index;
    put_string(w, "indices");
    put_word(w, INTS);
    put_word(w, draw->index_count);
    for (uint32_t i = 0; i + 2 < draw->index_count; i += 3) {
        put_word(w, from[i]);
        put_word(w, from[i + 2]);
        put_word(w, from[i + 1]);
    }
}

static void put_mesh(writer *w, const facet_mesh *named, const facet_packed *mesh)
{
    static const char *const keys[] = {"vertices", "normals", "uvs", "bones", "weights"};
    static const uint32_t types[] = {VECTORS3, VECTORS3, VECTORS2, INTS, REALS},
                          per[] = {1, 1, 1, 4, 4};
    put_dictionary(w, 7);
    put_text(w, "name", named->name);
    for (uint32_t i = 0; i < 5; i++) {
        bool is_there = mesh->vertex_count > 0 && !mesh->attributes[i].missing;
        put_string(w, keys[i]);
        put_block(w, types[i], is_there ? mesh->vertex_count * per[i] : 0, mesh->buffers[i].data,
                  is_there ? mesh->buffers[i].size : 0);
    }
    put_list(w, "draws", mesh->draw_count);
    for (uint32_t i = 0; i < mesh->draw_count; i++) {
        put_dictionary(w, 2);
        put_int(w, "material", mesh->draws[i].material);
        put_indices(w, mesh, &mesh->draws[i]);
    }
}

static void put_nodes(writer *w, const facet_scene *scene, const facet_pose *pose)
{
    put_list(w, "nodes", scene->node_count);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        put_dictionary(w, 6);
        put_text(w, "name", scene->nodes[i]->name);
        put_int(w, "parent", scene->nodes[i]->parent);
        put_int(w, "mesh", scene->nodes[i]->mesh);
        put_int(w, "skin", scene->nodes[i]->skin);
        put_int(w, "visible", pose->seen[i]);
        put_floats(w, "matrix", pose->local + (size_t)16 * i, 16);
    }
    put_list(w, "skins", scene->skin_count);
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        const facet_skin *skin = scene->skins[i];
        put_dictionary(w, 2);
        put_string(w, "joints");
        put_block(w, INTS, skin->joint_count, skin->joints, (size_t)skin->joint_count * 4);
        put_floats(w, "binds", skin->inverse_bind, skin->inverse_bind ? skin->joint_count * 16 : 0);
    }
}

static bool moves(const facet_animation *animation, uint32_t node)
{
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (animation->channels[i].node == node &&
            animation->channels[i].target <= FACET_TARGET_SCALE)
            return true;
    }
    return false;
}

static facet_status put_animations(writer *w, const facet_scene *scene, facet_error *error)
{
    put_list(w, "animations", scene->animation_count);
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        const facet_animation *animation = scene->animations[a];
        facet_baked baked = {0};
        uint32_t count = 0;
        facet_status status =
            facet_animation_bake(scene, a, FRAMES_PER_SECOND, NULL, &baked, error);
        if (status)
            return status;
        for (uint32_t node = 0; node < scene->node_count; node++)
            count += moves(animation, node);
        put_dictionary(w, 4);
        put_text(w, "name", animation->name);
        put_real(w, "length", (float)facet_animation_duration(animation));
        put_real(w, "rate", FRAMES_PER_SECOND);
        put_list(w, "tracks", count);
        for (uint32_t node = 0; node < scene->node_count; node++) {
            if (!moves(animation, node))
                continue;
            put_dictionary(w, 2);
            put_int(w, "node", node);
            put_string(w, "matrices");
            put_word(w, REALS);
            put_word(w, baked.frame_count * 16);
            for (uint32_t frame = 0; frame < baked.frame_count; frame++)
                put(w, baked.local + ((size_t)frame * scene->node_count + node) * 16, 64);
        }
        facet_baked_free(&baked);
    }
    return FACET_OK;
}

static facet_status put_model(writer *w, const facet_model *model, facet_error *error)
{
    const facet_scene *scene = model->scene;
    facet_pose pose = {0};
    facet_status status = facet_scene_pose(scene, FACET_NONE, 0, NULL, &pose, error);
    if (status)
        return status;
    put_dictionary(w, 6);
    put_list(w, "materials", scene->material_count);
    for (uint32_t i = 0; i < scene->material_count; i++)
        put_material(w, model, i);
    put_list(w, "images", scene->image_count);
    for (uint32_t i = 0; i < scene->image_count; i++)
        put_image(w, scene->images[i]);
    put_list(w, "meshes", model->mesh_count);
    for (uint32_t i = 0; i < model->mesh_count; i++)
        put_mesh(w, scene->meshes[i], model->meshes[i]);
    put_nodes(w, scene, &pose);
    facet_pose_free(&pose);
    return put_animations(w, scene, error);
}

static void load(const char *path, writer *w)
{
    const facet_pack_layout layout = {sizeof layout, attributes, 5, 4, 0, false};
    const facet_model_options how = {
        .struct_size = sizeof how, .layout = &layout, .keep_nodes = true};
    facet_model *model = NULL;
    facet_error error = {.message = "out of memory"};
    facet_status status = facet_load_model_path(path, &how, NULL, &model, &error);
    if (!status)
        status = put_model(w, model, &error);
    if (status) {
        w->size = 0;
        put_dictionary(w, 1);
        put_text(w, "error", error.message);
    }
    facet_model_free(model);
}

/* -- The call ----------------------------------------------------------------- */

godot_variant facet_load_for_godot(godot_handle *arguments)
{
    godot_variant argument =
        CALL(ARRAY_GET, godot_variant(*)(const godot_handle *, int))(arguments, 0);
    godot_handle text = CALL(VARIANT_AS_STRING, godot_handle(*)(const godot_variant *))(&argument);
    godot_handle path = CALL(STRING_UTF8, godot_handle(*)(const godot_handle *))(&text);
    writer w = {0};
    load(CALL(CHAR_STRING_GET_DATA, const char *(*)(const godot_handle *))(&path), &w);
    CALL(CHAR_STRING_DESTROY, void (*)(godot_handle *))(&path);
    CALL(STRING_DESTROY, void (*)(godot_handle *))(&text);
    CALL(VARIANT_DESTROY, void (*)(godot_variant *))(&argument);

    godot_handle bytes;
    godot_variant result;
    int size = w.failed || w.size > INT32_MAX ? 0 : (int)w.size; /* empty if out of memory */
    CALL(POOL_BYTE_ARRAY_NEW, void (*)(godot_handle *))(&bytes);
    CALL(POOL_BYTE_ARRAY_RESIZE, void (*)(godot_handle *, int))(&bytes, size);
    void *access = CALL(POOL_BYTE_ARRAY_WRITE, void *(*)(godot_handle *))(&bytes);
    if (size > 0)
        memcpy(CALL(POOL_BYTE_ARRAY_WRITE_ACCESS_PTR, uint8_t * (*)(const void *))(access), w.data,
               (size_t)size);
    CALL(POOL_BYTE_ARRAY_WRITE_ACCESS_DESTROY, void (*)(void *))(access);
    CALL(VARIANT_NEW_POOL_BYTE_ARRAY, void (*)(godot_variant *, const godot_handle *))
    (&result, &bytes);
    CALL(POOL_BYTE_ARRAY_DESTROY, void (*)(godot_handle *))(&bytes);
    free(w.data);
    return result;
}
