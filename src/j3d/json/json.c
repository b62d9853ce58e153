/* j3d/json/json.c - extras and files of JSON, both ways. */
#include "j3d/json/json.h"

#include "base/arena.h"
#include "base/error.h"
#include "j3d/json/record.h"

#include <stdlib.h>
#include <string.h>

/* -- Text --------------------------------------------------------------- */

/* A name as UTF-8 text in `arena`, NULL without memory. */
static const char *name_text(const char *bytes, facet_arena *arena)
{
    size_t length = facet_j3d_name_text(bytes, NULL, 0);
    char *text = facet_arena_allocate(arena, length + 1, 1);
    if (text)
        facet_j3d_name_text(bytes, text, length + 1);
    return text;
}

static const char *name_at(const facet_j3d_names *names, uint32_t index)
{
    return index < names->count ? names->items[index].bytes : "";
}

static json_t *name_json(const facet_j3d_names *names, uint32_t index, facet_arena *arena)
{
    const char *text = name_text(name_at(names, index), arena);
    return text ? json_string(text) : NULL;
}

/* Arrays of numbers and strings, which the indented text has a line for each
 * of, on one line. */
static void fold_lists(char *text)
{
    char *to = text;
    for (char *at = text; *at;) {
        char *end = at + 1;
        bool quoted = false;
        for (; *at == '[' && *end && (quoted || (*end != '[' && *end != '{' && *end != ']'));
             end++) {
            if (quoted && *end == '\\')
                end++;
            else if (*end == '"')
                quoted = !quoted;
        }
        if (*at != '[' || *end != ']') {
            *to++ = *at++;
            continue;
        }
        for (quoted = false; at <= end; at++) {
            if (quoted && *at == '\\')
                *to++ = *at++;
            else if (*at == '"')
                quoted = !quoted;
            if (quoted || (*at != ' ' && *at != '\n')) {
                *to++ = *at;
                if (!quoted && *at == ',')
                    *to++ = ' ';
            }
        }
    }
    *to = '\0';
}

/* The text of a value, which is taken over and may be NULL. */
static const char *finish(json_t *value, bool file, facet_arena *arena)
{
    char *text =
        value ? json_dumps(value, (file ? JSON_INDENT(2) : JSON_COMPACT) | JSON_REAL_PRECISION(9))
              : NULL;
    json_decref(value);
    if (text && file) {
        fold_lists(text);
        size_t length = strlen(text);
        char *longer = realloc(text, length + 2);
        if (!longer)
            free(text);
        else
            memcpy(longer + length, "\n", 2);
        text = longer;
    }
    const char *kept = text ? facet_arena_string(arena, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

/* {"j3d": {key: value}} */
static const char *extras_of(const char *key, json_t *value, facet_arena *arena)
{
    json_t *j3d = json_object(), *root = json_object();
    bool ok = j3d && facet_j3d_json_put(j3d, key, value);
    if (!j3d)
        json_decref(value);
    ok = root && facet_j3d_json_put(root, "j3d", j3d) && ok;
    if (!root)
        json_decref(j3d);
    if (ok)
        return finish(root, false, arena);
    json_decref(root);
    return NULL;
}

/* {"name": ..., the rest of `object`}: names stand first. Takes both over. */
static json_t *with_name(json_t *name, json_t *object)
{
    json_t *named = json_object();
    bool ok = named && facet_j3d_json_put(named, "name", name);
    if (!named)
        json_decref(name);
    ok = ok && object && json_object_update(named, object) == 0;
    json_decref(object);
    if (ok)
        return named;
    json_decref(named);
    return NULL;
}

/* -- To JSON ------------------------------------------------------------ */

bool facet_j3d_naming_make(const facet_j3d *document, facet_arena *arena, facet_j3d_naming *naming)
{
    naming->materials = facet_j3d_json_occurrences(&document->materials.names, arena);
    naming->textures = facet_j3d_json_occurrences(&document->textures.names, arena);
    return naming->materials && naming->textures;
}

static json_t *encode_joint(const facet_j3d *document, uint32_t joint)
{
    static const facet_j3d_joint standard = {.unknown = 0xFF, .unknown2 = 0xFFFF};
    j3d_json_context context = {0};
    return facet_j3d_json_encode(&context, &facet_j3d_json_joint, &document->joints.items[joint],
                                 &standard);
}

static json_t *encode_shape(const facet_j3d *document, uint32_t shape)
{
    static const facet_j3d_shape standard = {.unknown = 0xFF, .unknown2 = 0xFFFF};
    j3d_json_context context = {0};
    return facet_j3d_json_encode(&context, &facet_j3d_json_shape, &document->shapes.items[shape],
                                 &standard);
}

static json_t *encode_material(const facet_j3d *document, const facet_j3d_naming *naming,
                               uint32_t slot, bool whole)
{
    facet_j3d_material material, standard;
    j3d_json_context context = {.textures = &document->textures.names,
                                .texture_occurrences = naming->textures,
                                .whole = whole};
    facet_j3d_material_init(&standard);
    if (facet_j3d_get_material(document, slot, &material, NULL))
        return NULL;
    json_t *object =
        facet_j3d_json_encode(&context, &facet_j3d_json_material, &material, &standard);
    return whole
               ? with_name(facet_j3d_json_name(&document->materials.names, naming->materials, slot),
                           object)
               : object;
}

static json_t *encode_texture(const facet_j3d *document, const facet_j3d_naming *naming,
                              uint32_t index)
{
    static const facet_bti_header standard = {0};
    j3d_json_context context = {0};
    return with_name(facet_j3d_json_name(&document->textures.names, naming->textures, index),
                     facet_j3d_json_encode(&context, &facet_j3d_json_texture,
                                           &document->textures.items[index].header, &standard));
}

const char *facet_j3d_model_extras(const facet_j3d *document, facet_arena *arena)
{
    const char *kind = facet_gx_enumeration_name(&facet_gx_kinds, document->kind);
    uint16_t flags = document->hierarchy.flags;
    const char *scaling = facet_gx_enumeration_name(&facet_gx_scalings, flags & 15);
    json_t *model = json_object();
    bool ok = model && facet_j3d_json_put(model, "kind", json_string(kind ? kind : "BMD3")) &&
              facet_j3d_json_put(model, "scaling",
                                 scaling ? json_string(scaling) : json_integer(flags & 15)) &&
              (flags < 16 || facet_j3d_json_put(model, "flags", json_integer(flags & 0xFFF0))) &&
              facet_j3d_json_put(model, "generationA", json_boolean(document->layout.generation_a));
    if (ok)
        return extras_of("model", model, arena);
    json_decref(model);
    return NULL;
}

const char *facet_j3d_joint_extras(const facet_j3d *document, uint32_t joint, facet_arena *arena)
{
    return extras_of("joint", encode_joint(document, joint), arena);
}

const char *facet_j3d_shape_extras(const facet_j3d *document, uint32_t shape, facet_arena *arena)
{
    return extras_of("shape", encode_shape(document, shape), arena);
}

const char *facet_j3d_material_extras(const facet_j3d *document, const facet_j3d_naming *naming,
                                      uint32_t slot, facet_arena *arena)
{
    return extras_of("material", encode_material(document, naming, slot, false), arena);
}

const char *facet_j3d_textures_extras(const facet_j3d *document, const facet_j3d_naming *naming,
                                      const uint32_t *textures, uint32_t count, facet_arena *arena)
{
    json_t *array = json_array();
    bool ok = array != NULL;
    for (uint32_t i = 0; i < count && ok; i++) {
        json_t *texture = encode_texture(document, naming, textures[i]);
        ok = texture && facet_j3d_json_put(texture, "index", json_integer(textures[i]));
        ok = texture && facet_j3d_json_append(array, texture) && ok;
    }
    if (ok)
        return extras_of("textures", array, arena);
    json_decref(array);
    return NULL;
}

const char *facet_j3d_baked_image_extras(facet_arena *arena)
{
    return extras_of("computed", json_true(), arena);
}

/* -- Files -------------------------------------------------------------- */

/* {"format": ..., "version": 1, key: list}; takes the list over. */
static const char *file_of(const char *key, json_t *list, const char *format, facet_arena *arena)
{
    json_t *root = json_object();
    bool ok = root && facet_j3d_json_put(root, "format", json_string(format)) &&
              facet_j3d_json_put(root, "version", json_integer(1));
    ok = root && facet_j3d_json_put(root, key, list) && ok;
    if (!root)
        json_decref(list);
    if (ok)
        return finish(root, true, arena);
    json_decref(root);
    return NULL;
}

const char *facet_j3d_materials_json(const facet_j3d *document, facet_arena *arena)
{
    facet_j3d_naming naming;
    json_t *list = facet_j3d_naming_make(document, arena, &naming) ? json_array() : NULL;
    bool ok = list != NULL;
    for (uint32_t i = 0; i < document->materials.slot_count && ok; i++)
        ok = facet_j3d_json_append(list, encode_material(document, &naming, i, true));
    if (ok)
        return file_of("materials", list, "facet-j3d-materials", arena);
    json_decref(list);
    return NULL;
}

const char *facet_j3d_textures_json(const facet_j3d *document, facet_arena *arena)
{
    facet_j3d_naming naming;
    json_t *list = facet_j3d_naming_make(document, arena, &naming) ? json_array() : NULL;
    bool ok = list != NULL;
    for (uint32_t i = 0; i < document->textures.count && ok; i++)
        ok = facet_j3d_json_append(list, encode_texture(document, &naming, i));
    if (ok)
        return file_of("textures", list, "facet-j3d-textures", arena);
    json_decref(list);
    return NULL;
}

static json_t *joint_list(const facet_j3d *document, facet_arena *arena)
{
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; i < document->joints.count && ok; i++) {
        uint16_t parent = document->joints.items[i].parent;
        json_t *joint =
            with_name(name_json(&document->joints.names, i, arena), encode_joint(document, i));
        ok = joint && facet_j3d_json_put(joint, "parent",
                                         parent == FACET_J3D_NONE
                                             ? json_null()
                                             : name_json(&document->joints.names, parent, arena));
        ok = joint && facet_j3d_json_append(list, joint) && ok;
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *shape_list(const facet_j3d *document, facet_arena *arena)
{
    json_t *list = json_array();
    bool ok = list != NULL;
    for (uint32_t i = 0; i < document->shapes.count && ok; i++) {
        const facet_j3d_shape *s = &document->shapes.items[i];
        json_t *shape = encode_shape(document, i);
        ok = shape &&
             facet_j3d_json_put(shape, "joint",
                                s->joint == FACET_J3D_NONE
                                    ? json_null()
                                    : name_json(&document->joints.names, s->joint, arena)) &&
             facet_j3d_json_put(shape, "material",
                                s->material == FACET_J3D_NONE
                                    ? json_null()
                                    : name_json(&document->materials.names, s->material, arena)) &&
             facet_j3d_json_put(shape, "packets", json_integer(s->packet_count));
        if (shape)
            ok = facet_j3d_json_append(list, shape) && ok;
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* The order of drawing, flat: levels may be hundreds deep. */
static json_t *node_list(const facet_j3d *document)
{
    json_t *list = json_array();
    bool ok = list != NULL;
    json_int_t depth = 0;
    for (uint32_t i = 0; i < document->hierarchy.node_count && ok; i++) {
        const facet_j3d_node *n = &document->hierarchy.nodes[i];
        if (n->type < FACET_J3D_NODE_JOINT) {
            depth += n->type == FACET_J3D_NODE_OPEN ? 1 : -1;
            continue;
        }
        const char *type = facet_gx_enumeration_name(&facet_gx_node_types, n->type);
        json_t *node = json_object();
        ok = node && facet_j3d_json_put(node, "depth", json_integer(depth)) &&
             facet_j3d_json_put(node, "type", json_string(type ? type : "")) &&
             facet_j3d_json_put(node, "index", json_integer(n->index));
        if (node)
            ok = facet_j3d_json_append(list, node) && ok;
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

const char *facet_j3d_hierarchy_json(const facet_j3d *document, facet_arena *arena)
{
    const char *scaling =
        facet_gx_enumeration_name(&facet_gx_scalings, document->hierarchy.flags & 15);
    json_t *root = json_object();
    bool ok = root && facet_j3d_json_put(root, "format", json_string("facet-j3d-hierarchy")) &&
              facet_j3d_json_put(root, "version", json_integer(1)) &&
              facet_j3d_json_put(root, "scaling",
                                 scaling ? json_string(scaling)
                                         : json_integer(document->hierarchy.flags & 15)) &&
              facet_j3d_json_put(root, "joints", joint_list(document, arena)) &&
              facet_j3d_json_put(root, "shapes", shape_list(document, arena)) &&
              facet_j3d_json_put(root, "nodes", node_list(document));
    if (ok)
        return finish(root, true, arena);
    json_decref(root);
    return NULL;
}

/* -- From extras -------------------------------------------------------- */

/* What extras say under "j3d" and `key`, or NULL; *root is to be released. */
static const json_t *look_up(const char *extras, const char *key, json_t **root)
{
    *root = extras ? json_loads(extras, 0, NULL) : NULL;
    return json_object_get(json_object_get(*root, "j3d"), key);
}

bool facet_j3d_is_joint_extras(const char *extras)
{
    json_t *root;
    const json_t *joint = look_up(extras, "joint", &root);
    bool is = json_is_object(joint);
    json_decref(root);
    return is;
}

bool facet_j3d_is_baked_image_extras(const char *extras)
{
    json_t *root;
    const json_t *computed = look_up(extras, "computed", &root);
    bool is = json_is_true(computed);
    json_decref(root);
    return is;
}

static j3d_json_context extras_context(const facet_j3d_names *textures, facet_error *error)
{
    j3d_json_context context = {.textures = textures,
                                .status = FACET_ERROR_MALFORMED,
                                .rule = "J3D-JSON",
                                .what = "extras",
                                .error = error};
    return context;
}

facet_status facet_j3d_model_from_extras(const char *extras, facet_j3d_model_state *model,
                                         bool *found, facet_error *error)
{
    json_t *root;
    const json_t *object = look_up(extras, "model", &root);
    j3d_json_context context = extras_context(NULL, error);
    facet_status status = FACET_OK;
    *found = object != NULL;
    if (object) {
        uint32_t kind = FACET_J3D_BMD3, scaling = 0;
        const char *kind_name = json_string_value(json_object_get(object, "kind"));
        const json_t *scale = json_object_get(object, "scaling");
        double flags = json_number_value(json_object_get(object, "flags"));
        if (json_is_string(scale) &&
            !facet_gx_enumeration_value(&facet_gx_scalings, json_string_value(scale), false,
                                         &scaling))
            status = facet_j3d_json_fail(&context, NULL,
                                         "model.scaling is none of BASIC, "
                                         "SOFTIMAGE and MAYA");
        else if (json_is_number(scale) && json_number_value(scale) >= 0 &&
                 json_number_value(scale) < 16)
            scaling = (uint32_t)json_number_value(scale);
        if (kind_name)
            facet_gx_enumeration_value(&facet_gx_kinds, kind_name, false, &kind);
        if (!status) {
            model->kind = (facet_j3d_kind)kind;
            model->flags =
                (uint16_t)(scaling | (flags >= 0 && flags < 65536 ? (uint32_t)flags & 0xFFF0 : 0));
            model->generation_a = json_is_true(json_object_get(object, "generationA"));
        }
    }
    json_decref(root);
    return status;
}

facet_status facet_j3d_joint_from_extras(const char *extras, facet_j3d_joint *joint, bool *found,
                                         facet_error *error)
{
    json_t *root;
    const json_t *object = look_up(extras, "joint", &root);
    j3d_json_context context = extras_context(NULL, error);
    j3d_json_place place = {NULL, "joint", 0};
    facet_j3d_joint read = {
        .unknown = 0xFF, .unknown2 = 0xFFFF, .scale = {1, 1, 1}, .parent = FACET_J3D_NONE};
    facet_status status = FACET_OK;
    *found = object != NULL;
    if (object)
        status =
            facet_j3d_json_decode(&context, &place, &facet_j3d_json_joint, object, NULL, &read);
    if (object && !status)
        *joint = read;
    json_decref(root);
    return status;
}

facet_status facet_j3d_shape_from_extras(const char *extras, facet_j3d_shape *shape, bool *found,
                                         facet_error *error)
{
    json_t *root;
    const json_t *object = look_up(extras, "shape", &root);
    j3d_json_context context = extras_context(NULL, error);
    j3d_json_place place = {NULL, "shape", 0};
    facet_j3d_shape read = {
        .unknown = 0xFF, .unknown2 = 0xFFFF, .material = FACET_J3D_NONE, .joint = FACET_J3D_NONE};
    facet_status status = FACET_OK;
    *found = object != NULL;
    if (object)
        status =
            facet_j3d_json_decode(&context, &place, &facet_j3d_json_shape, object, NULL, &read);
    if (object && !status)
        *shape = read;
    json_decref(root);
    return status;
}

facet_status facet_j3d_material_from_extras(const char *extras, const facet_j3d_textures *textures,
                                            facet_j3d_material *material, bool *found,
                                            facet_error *error)
{
    json_t *root;
    const json_t *object = look_up(extras, "material", &root);
    j3d_json_context context = extras_context(textures ? &textures->names : NULL, error);
    j3d_json_place place = {NULL, "material", 0};
    facet_j3d_material read;
    facet_status status = FACET_OK;
    *found = object != NULL;
    facet_j3d_material_init(&read);
    if (object)
        status =
            facet_j3d_json_decode(&context, &place, &facet_j3d_json_material, object, NULL, &read);
    if (object && !status)
        *material = read;
    json_decref(root);
    return status;
}

static facet_status texture_state(j3d_json_context *context, const json_t *object, size_t number,
                                  facet_arena *arena, facet_j3d_texture_state *state)
{
    static const char *const keys[] = {"name", "index", NULL};
    j3d_json_place list = {NULL, "textures", 0}, place = {&list, NULL, number};
    const char *name = json_string_value(json_object_get(object, "name"));
    double index = json_number_value(json_object_get(object, "index"));
    memset(state, 0, sizeof *state);
    facet_status status = facet_j3d_json_decode(context, &place, &facet_j3d_json_texture, object,
                                                keys, &state->header);
    if (status)
        return status;
    if (!name)
        return facet_j3d_json_fail(context, &place, "there is no name");
    state->index = index >= 0 && index < 65536 ? (uint32_t)index : 0;
    state->name = facet_arena_string(arena, name, strlen(name));
    return state->name ? FACET_OK : facet_fail_memory(context->error, strlen(name));
}

facet_status facet_j3d_textures_from_extras(const char *extras, facet_arena *arena,
                                            facet_j3d_texture_state **textures, uint32_t *count,
                                            facet_error *error)
{
    json_t *root;
    const json_t *list = look_up(extras, "textures", &root);
    j3d_json_context context = extras_context(NULL, error);
    size_t length = json_array_size(list);
    facet_j3d_texture_state *states =
        length < FACET_J3D_NONE ? facet_arena_allocate(arena, length, sizeof *states) : NULL;
    facet_status status = states ? FACET_OK : facet_fail_memory(error, length * sizeof *states);
    for (size_t i = 0; i < length && !status; i++)
        status = texture_state(&context, json_array_get(list, i), i, arena, &states[i]);
    json_decref(root);
    if (!status) {
        *textures = states;
        *count = (uint32_t)length;
    }
    return status;
}
