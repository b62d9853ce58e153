/* gx/json/file_part.c - console data of nodes, meshes, animations and scenes, as extras and
 * back. */
#include "gx/json/file_part.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "gx/enumerations.h"
#include "gx/json/fields.h"
#include "gx/json/file_state.h"
#include "gx/json/text.h"

#include <string.h>

/* -- Tables ------------------------------------------------------------- */

static const facet_gx_json_field joint_fields[] = {
    {"kind", NAME, AT(facet_gx_file_joint, kind), .names = &facet_gx_joint_kinds},
    {"scaleCompensate", FLAG, AT(facet_gx_file_joint, scale_compensate)},
    {"unknown", UNSIGNED, AT(facet_gx_file_joint, unknown), .quiet = true},
    {"scale", FLOAT, AT(facet_gx_file_joint, scale), .inner = 3},
    {"rotation", SIGNED, AT(facet_gx_file_joint, rotation), .inner = 3},
    {"unknown2", UNSIGNED, AT(facet_gx_file_joint, unknown2), .quiet = true},
    {"translation", FLOAT, AT(facet_gx_file_joint, translation), .inner = 3},
    {"radius", FLOAT, AT(facet_gx_file_joint, radius)},
    {"minimum", FLOAT, AT(facet_gx_file_joint, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_gx_file_joint, maximum), .inner = 3},
};
static const facet_gx_json_record joint_record = FACET_GX_JSON_TABLE(joint_fields);
static const facet_gx_file_joint standard_joint = {
    .unknown = 0xFF, .unknown2 = 0xFFFF, .scale = {1, 1, 1}};

static const facet_gx_json_field shape_fields[] = {
    {"type", NAME, AT(facet_gx_file_shape, type), .names = &facet_gx_shape_types},
    {"unknown", UNSIGNED, AT(facet_gx_file_shape, unknown), .quiet = true},
    {"unknown2", UNSIGNED, AT(facet_gx_file_shape, unknown2), .quiet = true},
    {"radius", FLOAT, AT(facet_gx_file_shape, radius)},
    {"minimum", FLOAT, AT(facet_gx_file_shape, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_gx_file_shape, maximum), .inner = 3},
};
static const facet_gx_json_record shape_record = FACET_GX_JSON_TABLE(shape_fields);
static const facet_gx_file_shape standard_shape = {.unknown = 0xFF, .unknown2 = 0xFFFF};

/* -- To JSON ------------------------------------------------------------ */

facet_json *facet_gx_file_joint_json(const facet_gx_file_joint *joint)
{
    facet_gx_json_context context = {0};
    return facet_gx_json_encode(&context, &joint_record, joint, &standard_joint);
}

facet_json *facet_gx_file_shape_json(const facet_gx_file_shape *shape)
{
    facet_gx_json_context context = {0};
    return facet_gx_json_encode(&context, &shape_record, shape, &standard_shape);
}

facet_json *facet_gx_scaling_json(uint16_t flags)
{
    const char *name = facet_gx_enumeration_name(&facet_gx_scalings, flags & 15u);
    return name ? facet_json_string(name) : facet_json_integer(flags & 15);
}

static facet_json *model_json(const facet_gx_file_model *model)
{
    const char *kind = facet_gx_enumeration_name(&facet_gx_file_kinds, model->kind);
    uint16_t flags = model->flags;
    facet_json *object = facet_json_object();
    bool ok =
        facet_gx_json_put(object, "kind", facet_json_string(kind ? kind : "BMD3")) &&
        facet_gx_json_put(object, "scaling", facet_gx_scaling_json(flags)) &&
        (flags < 16 || facet_gx_json_put(object, "flags", facet_json_integer(flags & 0xFFF0))) &&
        facet_gx_json_put(object, "generationA", facet_json_boolean(model->generation_a));
    return facet_gx_json_if(ok, object);
}

static bool put_text(facet_json *object, const char *key, const char *text)
{
    return !text || facet_gx_json_put(object, key, facet_json_string(text));
}

static facet_json *animation_json(const facet_gx_file_animation *file, facet_arena *arena)
{
    const char *bytes = file->bytes ? facet_base64_encode(arena, file->bytes, file->size) : NULL;
    facet_json *object = facet_json_object();
    bool ok = put_text(object, "name", file->name) && put_text(object, "kind", file->kind);
    if (ok && file->loop >= 0)
        ok = facet_gx_json_put(object, "frames", facet_json_integer(file->frames)) &&
             facet_gx_json_put(object, "loop", facet_json_integer(file->loop));
    if (ok && file->rate > 0)
        ok = facet_gx_json_put(object, "rate", facet_json_real(file->rate));
    ok = ok && (bytes || !file->bytes) && put_text(object, "file", bytes);
    return facet_gx_json_if(ok, object);
}

static facet_json *carried_json(const facet_gx_file_part *file, facet_arena *arena)
{
    facet_json *list = facet_json_array();
    bool ok = true;
    for (uint32_t i = 0; i < file->carried_count && ok; i++)
        ok = facet_gx_json_append(list, animation_json(&file->carried[i], arena));
    return facet_gx_json_if(ok, list);
}

bool facet_gx_file_part_put(const facet_gx_file_part *file, facet_json *root, facet_arena *arena)
{
    facet_json *j3d = facet_json_object_get(root, "j3d");
    bool ok = true;
    if (!facet_json_is_object(j3d)) {
        j3d = facet_json_object();
        ok = facet_gx_json_put(root, "j3d", j3d);
    }
    if (ok && file->model)
        ok = facet_gx_json_put(j3d, "model", model_json(file->model));
    if (ok && file->joint)
        ok = facet_gx_json_put(j3d, "joint", facet_gx_file_joint_json(file->joint));
    if (ok && file->shape)
        ok = facet_gx_json_put(j3d, "shape", facet_gx_file_shape_json(file->shape));
    if (ok && file->motion)
        ok = facet_gx_json_put(j3d, "animation", animation_json(file->motion, arena));
    if (ok && file->carried_count > 0)
        ok = facet_gx_json_put(j3d, "animations", carried_json(file, arena));
    return ok;
}

facet_json *facet_gx_file_part_json(const facet_gx_file_part *file, facet_arena *arena)
{
    facet_json *root = facet_json_object();
    return facet_gx_json_if(facet_gx_file_part_put(file, root, arena), root);
}

/* -- From JSON ---------------------------------------------------------- */

typedef struct part_reader {
    facet_json *extras;
    facet_arena *arena;
    facet_error *error;
} part_reader;

/* Read a struct by its table. *made is NULL if the key is missing or the value invalid. */
static facet_status read_record(const part_reader *r, const char *key,
                                const facet_gx_json_record *record, const void *standard,
                                size_t size, void **made, const char **wrong)
{
    const facet_json *object = facet_gx_json_in_extras(r->extras, key);
    void *kept = NULL;
    facet_error why;
    if (object) {
        kept = facet_arena_allocate(r->arena, 1, size);
        if (!kept)
            return facet_fail_arena(r->arena, r->error);
        memcpy(kept, standard, size);
        facet_gx_json_context context = facet_gx_json_extras_context(&why);
        facet_gx_json_path place = {NULL, key, 0};
        TRY(facet_gx_file_wrong(facet_gx_json_decode(&context, &place, record, object, NULL, kept),
                                &why, r->arena, wrong, r->error));
    }
    *made = *wrong ? NULL : kept;
    return FACET_OK;
}

static facet_status read_model(const part_reader *r, facet_gx_file_part *part)
{
    const facet_json *object = facet_gx_json_in_extras(r->extras, "model");
    if (!object)
        return FACET_OK;
    facet_gx_json_context context = facet_gx_json_extras_context(r->error);
    const char *kind_name = facet_json_string_value(facet_json_object_get(object, "kind"));
    const facet_json *scale = facet_json_object_get(object, "scaling");
    double flags = facet_json_number_value(facet_json_object_get(object, "flags"));
    uint32_t kind = 3, scaling = 0;
    facet_error why;
    if (facet_json_is_string(scale) &&
        !facet_gx_enumeration_value(&facet_gx_scalings, facet_json_string_value(scale), false,
                                    &scaling)) {
        context.error = &why;
        return facet_gx_file_wrong(
            facet_gx_json_fail(&context, NULL, "model.scaling is not BASIC, SOFTIMAGE or MAYA"),
            &why, r->arena, &part->wrong_model, r->error);
    }
    if (facet_json_is_number(scale) && facet_json_number_value(scale) >= 0 &&
        facet_json_number_value(scale) < 16)
        scaling = (uint32_t)facet_json_number_value(scale);
    if (kind_name)
        facet_gx_enumeration_value(&facet_gx_file_kinds, kind_name, false, &kind);
    part->model = facet_arena_allocate(r->arena, 1, sizeof *part->model);
    if (!part->model)
        return facet_fail_arena(r->arena, r->error);
    *part->model = (facet_gx_file_model){
        .kind = (uint8_t)kind,
        .flags = (uint16_t)(scaling | (flags >= 0 && flags < 65536 ? (uint32_t)flags & 0xFFF0 : 0)),
        .generation_a = facet_json_is_true(facet_json_object_get(object, "generationA"))};
    return FACET_OK;
}

static const char *keep(const part_reader *r, const facet_json *text)
{
    return facet_json_is_string(text) ? facet_arena_string(r->arena, facet_json_string_value(text),
                                                           strlen(facet_json_string_value(text)))
                                      : NULL;
}

static void read_animation(const part_reader *r, const facet_json *object,
                           facet_gx_file_animation *file)
{
    const facet_json *loop = facet_json_object_get(object, "loop"),
                     *text = facet_json_object_get(object, "file");
    double rate = facet_json_number_value(facet_json_object_get(object, "rate"));
    uint8_t *bytes = NULL;
    *file = (facet_gx_file_animation){.name = keep(r, facet_json_object_get(object, "name")),
                                      .kind = keep(r, facet_json_object_get(object, "kind")),
                                      .loop = -1,
                                      .rate = rate > 0 ? rate : 0};
    if (facet_json_is_integer(loop))
        file->loop = (int32_t)(facet_json_integer_value(loop) & 0xFF);
    file->frames = (int16_t)facet_json_integer_value(facet_json_object_get(object, "frames"));
    if (facet_json_is_string(text) &&
        facet_base64_decode(r->arena, facet_json_string_value(text), facet_json_string_length(text),
                            &bytes, &file->size))
        file->bytes = bytes;
}

/* Read the animation of the extras, and the list of embedded animations. */
static facet_status read_animations(const part_reader *r, facet_gx_file_part *part)
{
    const facet_json *one = facet_gx_json_in_extras(r->extras, "animation"),
                     *list = facet_gx_json_in_extras(r->extras, "animations");
    uint32_t count = (uint32_t)facet_json_array_size(list);
    if (count > 0) {
        part->carried = facet_arena_allocate(r->arena, count, sizeof *part->carried);
        part->carried_count = part->carried ? count : 0;
    }
    for (uint32_t i = 0; i < part->carried_count; i++)
        read_animation(r, facet_json_array_get(list, i), &part->carried[i]);
    if (one)
        part->motion = facet_arena_allocate(r->arena, 1, sizeof *part->motion);
    if (part->motion)
        read_animation(r, one, part->motion);
    return facet_arena_status(r->arena, r->error);
}

static facet_status read_part(const part_reader *r, facet_gx_file_part *part)
{
    void *joint = NULL, *shape = NULL;
    TRY(read_record(r, "joint", &joint_record, &standard_joint, sizeof standard_joint, &joint,
                    &part->wrong_joint));
    TRY(read_record(r, "shape", &shape_record, &standard_shape, sizeof standard_shape, &shape,
                    &part->wrong_shape));
    part->joint = joint;
    part->shape = shape;
    TRY(read_model(r, part));
    return read_animations(r, part);
}

facet_status facet_gx_file_part_now(const char *text, facet_gx_file_part *file, facet_arena *arena,
                                    facet_gx_file_part **now, facet_error *error)
{
    *now = file;
    if (text == (file ? file->extras : NULL))
        return FACET_OK;
    *now = NULL;
    if (!text)
        return FACET_OK;
    facet_gx_file_part *part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    if (!part)
        return facet_fail_arena(arena, error);
    part->extras = text;
    part_reader r = {facet_json_read_text(text), arena, error};
    part->has_others = facet_gx_has_other_extras(r.extras);
    facet_status status = read_part(&r, part);
    facet_json_free(r.extras);
    if (!status)
        *now = part;
    return status;
}
