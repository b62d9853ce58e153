/* gx/json/file_state.c - console data of materials and images, as extras and back. */
#include "gx/json/file_state.h"

#include "base/arena.h"
#include "base/error.h"
#include "gx/json/material_fields.h"
#include "gx/json/text.h"
#include "gx/json/texture.h"

#include <facet/scene.h>
#include <string.h>

enum { MAX_TEXTURES = UINT16_MAX - 1 };

static const facet_gx_json_field material_fields[] = {
    FACET_GX_FILE_MATERIAL_FIELDS(facet_gx_file_material)};
static const facet_gx_json_record material_record = FACET_GX_JSON_TABLE(material_fields);

static const facet_gx_value_name alpha_modes[] = {{FACET_ALPHA_OPAQUE, "OPAQUE", NULL},
                                                  {FACET_ALPHA_MASK, "MASK", NULL},
                                                  {FACET_ALPHA_BLEND, "BLEND", NULL}};
static const facet_gx_enumeration alpha_mode_names =
    FACET_GX_ENUMERATION("alpha mode", alpha_modes);
static const facet_gx_json_field look_fields[] = {
    {"baseColor", FLOAT, AT(facet_gx_file_look, base_color), .inner = 4},
    {"alpha", NAME, AT(facet_gx_file_look, alpha_mode), .names = &alpha_mode_names},
    {"alphaCutoff", FLOAT, AT(facet_gx_file_look, alpha_cutoff), .quiet = true},
    {"doubleSided", FLAG, AT(facet_gx_file_look, double_sided)},
    {"unlit", FLAG, AT(facet_gx_file_look, unlit)},
    {"hasTexture", FLAG, AT(facet_gx_file_look, has_texture)},
    {"texCoord", UNSIGNED, AT(facet_gx_file_look, uv_set), .quiet = true},
    {"offset", FLOAT, AT(facet_gx_file_look, offset), .inner = 2, .quiet = true},
    {"rotation", FLOAT, AT(facet_gx_file_look, rotation), .quiet = true},
    {"scale", FLOAT, AT(facet_gx_file_look, scale), .inner = 2, .quiet = true},
};
static const facet_gx_json_record look_record = FACET_GX_JSON_TABLE(look_fields);
static const facet_gx_file_look standard_look = {.alpha_cutoff = 0.5F, .scale = {1, 1}};

static facet_gx_file_material standard_material(void)
{
    facet_gx_file_material standard = {.mode = 1};
    facet_gx_material_init(&standard.gx);
    memset(standard.unused, 0xFF, sizeof standard.unused);
    return standard;
}

/* -- To JSON ------------------------------------------------------------ */

static facet_json *texture_name(const facet_gx_file_texture *texture)
{
    return texture->name ? facet_json_string(texture->name) : facet_json_integer(texture->index);
}

static facet_json *name_of(const void *user, uint32_t index)
{
    const facet_gx_file_material *file = user;
    return texture_name(&file->textures[index]);
}

/* A list of the textures that have a header. */
static facet_json *texture_list(const facet_gx_file_texture *textures, uint32_t count)
{
    facet_json *list = facet_json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; i < count && ok; i++) {
        if (!textures[i].has_header)
            continue;
        facet_json *texture =
            facet_gx_json_texture(texture_name(&textures[i]), &textures[i].header);
        ok = facet_gx_json_put(texture, "index", facet_json_integer(textures[i].index));
        ok = facet_gx_json_append(list, texture) && ok;
    }
    return facet_gx_json_if(ok, list);
}

static bool put_look(facet_json *j3d, const facet_gx_file_look *look)
{
    facet_gx_json_context context = {0};
    if (!look)
        return true;
    facet_json *object = facet_gx_json_encode(&context, &look_record, look, &standard_look);
    bool ok =
        !look->texture || facet_gx_json_put(object, "texture", facet_json_string(look->texture));
    return facet_gx_json_put(j3d, "shown", facet_gx_json_if(ok, object));
}

static facet_json *all_extras(facet_json *j3d)
{
    facet_json *root = facet_json_object();
    bool ok = facet_gx_json_put(root, "j3d", j3d);
    return facet_gx_json_if(ok, root);
}

static bool put_textures(facet_json *j3d, const facet_gx_file_texture *textures, uint32_t count)
{
    facet_json *list = texture_list(textures, count);
    if (list && facet_json_array_size(list) == 0) {
        facet_json_free(list);
        return true;
    }
    return facet_gx_json_put(j3d, "textures", list);
}

facet_json *facet_gx_file_material_json(const facet_gx_file_material *file)
{
    facet_gx_file_material standard = standard_material();
    facet_gx_json_names names = {.user = file, .count = file->texture_count, .name = name_of};
    facet_gx_json_context context = {.textures = &names};
    facet_json *j3d = facet_json_object();
    bool ok = facet_gx_json_put(j3d, "material",
                                facet_gx_json_encode(&context, &material_record, file, &standard));
    ok = ok && put_textures(j3d, file->textures, file->texture_count);
    ok = ok && put_look(j3d, file->shown);
    return all_extras(facet_gx_json_if(ok, j3d));
}

facet_json *facet_gx_file_image_json(const facet_gx_file_image *file)
{
    facet_json *j3d = facet_json_object();
    bool ok =
        file->is_computed
            ? facet_gx_json_put(j3d, "computed", facet_json_boolean(true))
            : facet_gx_json_put(j3d, "textures", texture_list(file->textures, file->texture_count));
    return all_extras(facet_gx_json_if(ok, j3d));
}

/* -- From JSON ---------------------------------------------------------- */

bool facet_gx_has_other_extras(const facet_json *extras)
{
    bool own = facet_json_is_object(extras);
    for (size_t i = 0; own && i < facet_json_object_size(extras); i++)
        own = strcmp(facet_json_object_key(extras, i), "j3d") == 0;
    return !own;
}

facet_status facet_gx_file_wrong(facet_status status, const facet_error *why, facet_arena *arena,
                                 const char **wrong, facet_error *error)
{
    if (status == FACET_ERROR_MALFORMED) {
        *wrong = facet_arena_string(arena, why->message, strlen(why->message));
        return *wrong ? FACET_OK : facet_fail_arena(arena, error);
    }
    if (status && error)
        *error = *why;
    return status;
}

/* Maps names to textures while a material is read. */
typedef struct naming {
    facet_gx_file_material *file;
    facet_arena *arena;
    uint32_t space;
    bool failed;
} naming;

static uint32_t add_texture(naming *n, const char *name, uint32_t index)
{
    facet_gx_file_material *file = n->file;
    uint32_t count = file->texture_count;
    for (uint32_t i = 0; i < count; i++) {
        const facet_gx_file_texture *known = &file->textures[i];
        if (name ? known->name && strcmp(known->name, name) == 0
                 : !known->name && known->index == index)
            return i;
    }
    if (count == n->space) { /* one for each map, in addition to those of the list */
        uint32_t space = count + 8;
        facet_gx_file_texture *grown =
            facet_arena_resize(n->arena, file->textures, n->space, space, sizeof *grown);
        n->failed |= !grown;
        if (!grown)
            return 0;
        file->textures = grown;
        n->space = space;
    }
    const char *kept = name ? facet_arena_string(n->arena, name, strlen(name)) : NULL;
    n->failed |= name && !kept;
    file->textures[count] = (facet_gx_file_texture){.name = kept, .index = index};
    return file->texture_count++;
}

static uint32_t find_name(const void *user, const char *name)
{
    naming *n = *(naming *const *)user;
    return add_texture(n, name, 0);
}

static void list_nothing(const void *user, char *text, size_t size)
{
    (void)user;
    (void)size;
    *text = '\0';
}

/* Map the numbers that replace names to the textures of the file. */
static void add_numbers(naming *n, const facet_json *object)
{
    const facet_json *list = facet_json_object_get(object, "textures");
    facet_gx_file_material *file = n->file;
    for (unsigned i = 0; i < 8; i++) {
        if (file->given.textures >> i & 1 && !facet_json_is_string(facet_json_array_get(list, i)))
            file->gx.textures[i] = (uint16_t)add_texture(n, NULL, file->gx.textures[i]);
    }
}

static facet_status read_state(facet_gx_file_material *file, const facet_json *object,
                               facet_arena *arena, facet_error *error)
{
    facet_error why;
    naming n = {.file = file, .arena = arena, .space = file->texture_count};
    naming *const user = &n;
    facet_gx_json_names names = {
        .user = &user, .count = MAX_TEXTURES, .find = find_name, .list = list_nothing};
    facet_gx_json_context context = facet_gx_json_extras_context(&why);
    facet_gx_json_path place = {NULL, "material", 0};
    context.textures = &names;
    facet_status status =
        facet_gx_json_decode(&context, &place, &material_record, object, NULL, file);
    if (!status)
        add_numbers(&n, object);
    if (n.failed)
        return facet_fail_arena(arena, error);
    file->is_known = !status;
    return facet_gx_file_wrong(status, &why, arena, &file->wrong, error);
}

/* Read the appearance. An invalid one is unknown: nothing depends on it. */
static facet_status read_look(facet_gx_file_material *file, const facet_json *object,
                              facet_arena *arena, facet_error *error)
{
    static const char *const keys[] = {"texture", NULL};
    facet_error why;
    facet_gx_json_context context = facet_gx_json_extras_context(&why);
    facet_gx_json_path place = {NULL, "shown", 0};
    facet_gx_file_look *look = facet_arena_allocate(arena, 1, sizeof *look);
    const char *texture = facet_json_string_value(facet_json_object_get(object, "texture"));
    if (!look)
        return facet_fail_arena(arena, error);
    *look = standard_look;
    if (facet_gx_json_decode(&context, &place, &look_record, object, keys, look))
        return FACET_OK;
    look->texture = texture ? facet_arena_string(arena, texture, strlen(texture)) : NULL;
    file->shown = look;
    return texture && !look->texture ? facet_fail_arena(arena, error) : FACET_OK;
}

facet_status facet_gx_file_material_read(const char *text, const facet_json *extras,
                                         facet_arena *arena, facet_gx_file_material **file,
                                         facet_error *error)
{
    const facet_json *object = facet_gx_json_in_extras(extras, "material");
    facet_error why;
    *file = NULL;
    if (!object && !facet_gx_json_in_extras(extras, "textures"))
        return FACET_OK;
    facet_gx_file_material *made = facet_arena_allocate(arena, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(arena, error);
    *made = standard_material();
    made->extras = text;
    made->has_others = facet_gx_has_other_extras(extras);
    facet_status status =
        facet_gx_textures_from_extras(extras, arena, &made->textures, &made->texture_count, &why);
    TRY(facet_gx_file_wrong(status, &why, arena, &made->wrong_textures, error));
    if (object)
        TRY(read_state(made, object, arena, error));
    if (facet_gx_json_in_extras(extras, "shown"))
        TRY(read_look(made, facet_gx_json_in_extras(extras, "shown"), arena, error));
    *file = made;
    return FACET_OK;
}

facet_status facet_gx_file_image_read(const char *text, const facet_json *extras,
                                      facet_arena *arena, facet_gx_file_image **file,
                                      facet_error *error)
{
    facet_error why;
    *file = NULL;
    if (!facet_json_object_get(extras, "j3d"))
        return FACET_OK;
    facet_gx_file_image *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(arena, error);
    made->extras = text;
    made->has_others = facet_gx_has_other_extras(extras);
    made->is_computed = facet_json_is_true(facet_gx_json_in_extras(extras, "computed"));
    facet_status status =
        facet_gx_textures_from_extras(extras, arena, &made->textures, &made->texture_count, &why);
    TRY(facet_gx_file_wrong(status, &why, arena, &made->wrong_textures, error));
    *file = made;
    return FACET_OK;
}

/* -- Both directions ---------------------------------------------------- */

static int compare_names(const char *a, const char *b)
{
    if (!a || !b)
        return !b - !a;
    return strcmp(a, b);
}

static int compare_textures(const facet_gx_file_material *a, const facet_gx_file_material *b)
{
    int order = (a->texture_count > b->texture_count) - (a->texture_count < b->texture_count);
    for (uint32_t i = 0; i < a->texture_count && !order; i++) {
        const facet_gx_file_texture *x = &a->textures[i], *y = &b->textures[i];
        order = (x->index > y->index) - (x->index < y->index);
        if (!order)
            order = x->has_header - y->has_header;
        if (!order)
            order = compare_names(x->name, y->name);
        if (!order)
            order = facet_gx_json_compare(&facet_gx_json_header, &x->header, &y->header);
    }
    return order;
}

int facet_gx_file_look_compare(const facet_gx_file_look *a, const facet_gx_file_look *b)
{
    if (!a || !b)
        return !b - !a;
    int order = facet_gx_json_compare(&look_record, a, b);
    return order ? order : compare_names(a->texture, b->texture);
}

bool facet_gx_file_material_has(const facet_gx_file_material *file, const facet_gx_material *gx)
{
    facet_gx_file_material now = *file;
    now.gx = *gx;
    memcpy(now.gx.textures, file->gx.textures, sizeof now.gx.textures);
    return facet_gx_json_compare(&material_record, file, &now) == 0;
}

int facet_gx_file_material_compare(const facet_gx_file_material *a, const facet_gx_file_material *b)
{
    if (a == b)
        return 0;
    int order = compare_names(a->extras, b->extras);
    if (!order && !a->extras)
        order = facet_gx_file_look_compare(a->shown, b->shown);
    if (!order && !a->extras)
        order = facet_gx_json_compare(&material_record, a, b);
    if (!order && !a->extras)
        order = compare_textures(a, b);
    return order;
}

bool facet_gx_file_textures_check(const facet_gx_file_texture *textures, uint32_t count,
                                  facet_arena *arena, const char **wrong)
{
    *wrong = NULL;
    for (uint32_t i = 0; i < count && !*wrong; i++) {
        if (textures[i].name || !textures[i].has_header)
            continue;
        *wrong = facet_arena_format(arena, "extras, textures[%u]: the name is missing", i);
        if (!*wrong)
            return false;
    }
    return true;
}
