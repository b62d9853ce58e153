/* formats/j3d/json/json.c - JSON extras and files, in both directions. */
#include "formats/j3d/json/json.h"

#include "base/arena.h"
#include "base/error.h"
#include "formats/j3d/json/tables.h"
#include "gx/enumerations.h"
#include "gx/json/file_part.h"
#include "gx/json/file_state.h"
#include "gx/json/texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Text --------------------------------------------------------------- */

/* A name as UTF-8 text in `arena`; NULL if out of memory. */
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

static facet_json *name_json(const facet_j3d_names *names, uint32_t index, facet_arena *arena)
{
    const char *text = name_text(name_at(names, index), arena);
    return text ? facet_json_string(text) : NULL;
}

/* -- To JSON ------------------------------------------------------------ */

bool facet_j3d_naming_make(const facet_j3d *document, facet_arena *arena, facet_j3d_naming *naming)
{
    naming->materials = facet_j3d_json_occurrences(&document->materials.names, arena);
    naming->textures = facet_j3d_json_occurrences(&document->textures.names, arena);
    return naming->materials && naming->textures;
}

static facet_gx_file_joint joint_of(const facet_j3d_joint *from)
{
    facet_gx_file_joint joint = {.kind = from->kind,
                                 .scale_compensate = from->scale_compensate,
                                 .unknown = from->unknown,
                                 .unknown2 = from->unknown2,
                                 .radius = from->radius};
    memcpy(joint.scale, from->scale, sizeof joint.scale);
    memcpy(joint.rotation, from->rotation, sizeof joint.rotation);
    memcpy(joint.translation, from->translation, sizeof joint.translation);
    memcpy(joint.minimum, from->minimum, sizeof joint.minimum);
    memcpy(joint.maximum, from->maximum, sizeof joint.maximum);
    return joint;
}

static facet_gx_file_shape shape_of(const facet_j3d_shape *from)
{
    facet_gx_file_shape shape = {.type = from->type,
                                 .unknown = from->unknown,
                                 .unknown2 = from->unknown2,
                                 .radius = from->radius};
    memcpy(shape.minimum, from->minimum, sizeof shape.minimum);
    memcpy(shape.maximum, from->maximum, sizeof shape.maximum);
    return shape;
}

static facet_json *encode_material(const facet_j3d *document, const facet_j3d_naming *naming,
                                   const facet_j3d_material *material)
{
    facet_j3d_material standard;
    facet_j3d_json_textures textures = {&document->textures.names, naming->textures};
    facet_gx_json_names names = facet_j3d_json_texture_names(&textures);
    facet_gx_json_context context = {.textures = &names, .whole = true};
    facet_j3d_material_init(&standard);
    return facet_gx_json_encode(&context, &facet_j3d_json_material, material, &standard);
}

static facet_json *encode_texture(const facet_j3d *document, const facet_j3d_naming *naming,
                                  uint32_t index)
{
    return facet_gx_json_texture(
        facet_j3d_json_name(&document->textures.names, naming->textures, index),
        &document->textures.items[index].header);
}

/* -- For scenes --------------------------------------------------------- */

facet_gx_file_part *facet_j3d_file_model(const facet_j3d *document, facet_arena *arena)
{
    facet_gx_file_part *part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    facet_gx_file_model *model = facet_arena_allocate(arena, 1, sizeof *model);
    if (!part || !model)
        return NULL;
    *model = (facet_gx_file_model){.kind = (uint8_t)document->kind,
                                   .flags = document->hierarchy.flags,
                                   .generation_a = document->layout.generation_a};
    part->model = model;
    return part;
}

facet_gx_file_part *facet_j3d_file_joint(const facet_j3d_joint *joint, facet_arena *arena)
{
    facet_gx_file_part *part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    facet_gx_file_joint *made = facet_arena_allocate(arena, 1, sizeof *made);
    if (!part || !made)
        return NULL;
    *made = joint_of(joint);
    part->joint = made;
    return part;
}

facet_gx_file_part *facet_j3d_file_shape(const facet_j3d_shape *shape, facet_arena *arena)
{
    facet_gx_file_part *part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    facet_gx_file_shape *made = facet_arena_allocate(arena, 1, sizeof *made);
    if (!part || !made)
        return NULL;
    *made = shape_of(shape);
    part->shape = made;
    return part;
}

facet_gx_file_material *facet_j3d_file_material(const facet_j3d *document,
                                                const facet_j3d_naming *naming,
                                                const facet_j3d_material *material,
                                                facet_arena *arena)
{
    facet_gx_file_material *file = facet_arena_allocate_zeroed(arena, 1, sizeof *file);
    facet_gx_file_texture *textures = facet_arena_allocate(arena, 8, sizeof *textures);
    bool ok = file && textures;
    if (!ok)
        return NULL;
    file->is_known = true;
    file->given = material->given;
    file->mode = material->mode;
    file->gx = material->gx;
    file->textures = textures;
    memcpy(file->unused, material->unused, sizeof file->unused);
    for (unsigned i = 0; i < 8 && ok; i++) {
        uint16_t texture = material->gx.textures[i];
        uint32_t at = 0;
        if (!(material->given.textures >> i & 1))
            continue;
        while (at < file->texture_count && textures[at].index != texture)
            at++;
        if (at == file->texture_count) {
            ok = facet_j3d_file_texture(&document->textures, naming->textures, texture, arena,
                                        &textures[at]);
            file->texture_count++;
        }
        file->gx.textures[i] = (uint16_t)at;
    }
    ok = ok &&
         facet_gx_file_textures_check(textures, file->texture_count, arena, &file->wrong_textures);
    return ok ? file : NULL;
}

facet_gx_file_image *facet_j3d_file_image(const facet_j3d *document, const facet_j3d_naming *naming,
                                          const uint32_t *textures, uint32_t count,
                                          facet_arena *arena)
{
    facet_gx_file_image *file = facet_arena_allocate_zeroed(arena, 1, sizeof *file);
    facet_gx_file_texture *items = facet_arena_allocate(arena, count, sizeof *items);
    bool ok = file && items;
    for (uint32_t i = 0; i < count && ok; i++)
        ok = facet_j3d_file_texture(&document->textures, naming->textures, textures[i], arena,
                                    &items[i]);
    if (!ok)
        return NULL;
    file->textures = items;
    file->texture_count = count;
    return facet_gx_file_textures_check(items, count, arena, &file->wrong_textures) ? file : NULL;
}

/* -- Files -------------------------------------------------------------- */

const char *facet_j3d_materials_json(const facet_j3d *document, facet_arena *arena)
{
    facet_j3d_naming naming;
    facet_json *list = facet_json_array(), *file = facet_gx_json_file("facet-j3d-materials");
    bool ok = facet_j3d_naming_make(document, arena, &naming);
    for (uint32_t i = 0; i < document->materials.slot_count && ok; i++) {
        facet_json *name = facet_j3d_json_name(&document->materials.names, naming.materials, i);
        facet_j3d_material material;
        bool read = !facet_j3d_get_material(document, i, &material, NULL);
        facet_json *state = read ? encode_material(document, &naming, &material) : NULL;
        ok = facet_gx_json_append(list, facet_gx_json_with_name(name, state));
    }
    ok = facet_gx_json_put(file, "materials", list) && ok;
    return facet_gx_json_file_text(facet_gx_json_if(ok, file), arena);
}

const char *facet_j3d_textures_json(const facet_j3d *document, facet_arena *arena)
{
    facet_j3d_naming naming;
    facet_json *list = facet_json_array();
    bool ok = facet_j3d_naming_make(document, arena, &naming);
    for (uint32_t i = 0; i < document->textures.count && ok; i++)
        ok = facet_gx_json_append(list, encode_texture(document, &naming, i));
    return facet_gx_textures_file(facet_gx_json_if(ok, list), arena);
}

/* The name of a joint or material, or null for FACET_J3D_NONE. */
static facet_json *name_or_null(const facet_j3d_names *names, uint16_t index, facet_arena *arena)
{
    return index == FACET_J3D_NONE ? facet_json_null() : name_json(names, index, arena);
}

static facet_json *joint_list(const facet_j3d *document, facet_arena *arena)
{
    const facet_j3d_names *names = &document->joints.names;
    facet_json *list = facet_json_array();
    bool ok = true;
    for (uint32_t i = 0; i < document->joints.count && ok; i++) {
        uint16_t parent = document->joints.items[i].parent;
        facet_gx_file_joint state = joint_of(&document->joints.items[i]);
        facet_json *joint =
            facet_gx_json_with_name(name_json(names, i, arena), facet_gx_file_joint_json(&state));
        ok = facet_gx_json_put(joint, "parent", name_or_null(names, parent, arena));
        ok = facet_gx_json_append(list, joint) && ok;
    }
    return facet_gx_json_if(ok, list);
}

static facet_json *shape_list(const facet_j3d *document, facet_arena *arena)
{
    const facet_j3d_names *joints = &document->joints.names,
                          *materials = &document->materials.names;
    facet_json *list = facet_json_array();
    bool ok = true;
    for (uint32_t i = 0; i < document->shapes.count && ok; i++) {
        const facet_j3d_shape *s = &document->shapes.items[i];
        facet_gx_file_shape state = shape_of(s);
        facet_json *shape = facet_gx_file_shape_json(&state);
        ok = facet_gx_json_put(shape, "joint", name_or_null(joints, s->joint, arena)) &&
             facet_gx_json_put(shape, "material", name_or_null(materials, s->material, arena)) &&
             facet_gx_json_put(shape, "packets", facet_json_integer(s->packet_count));
        ok = facet_gx_json_append(list, shape) && ok;
    }
    return facet_gx_json_if(ok, list);
}

/* The drawing order as a flat list: it can have hundreds of levels. */
static facet_json *node_list(const facet_j3d *document)
{
    facet_json *list = facet_json_array();
    bool ok = true;
    int64_t depth = 0;
    for (uint32_t i = 0; i < document->hierarchy.node_count && ok; i++) {
        const facet_j3d_node *n = &document->hierarchy.nodes[i];
        if (n->type < FACET_J3D_NODE_JOINT) {
            depth += n->type == FACET_J3D_NODE_OPEN ? 1 : -1;
            continue;
        }
        const char *type = facet_gx_enumeration_name(&facet_gx_node_types, n->type);
        facet_json *node = facet_json_object();
        ok = facet_gx_json_put(node, "depth", facet_json_integer(depth)) &&
             facet_gx_json_put(node, "type", facet_json_string(type ? type : "")) &&
             facet_gx_json_put(node, "index", facet_json_integer(n->index));
        ok = facet_gx_json_append(list, node) && ok;
    }
    return facet_gx_json_if(ok, list);
}

const char *facet_j3d_hierarchy_json(const facet_j3d *document, facet_arena *arena)
{
    facet_json *file = facet_gx_json_file("facet-j3d-hierarchy");
    bool ok =
        facet_gx_json_put(file, "scaling", facet_gx_scaling_json(document->hierarchy.flags)) &&
        facet_gx_json_put(file, "joints", joint_list(document, arena)) &&
        facet_gx_json_put(file, "shapes", shape_list(document, arena)) &&
        facet_gx_json_put(file, "nodes", node_list(document));
    return facet_gx_json_file_text(facet_gx_json_if(ok, file), arena);
}

/* -- From extras -------------------------------------------------------- */

const facet_json *facet_j3d_extras_of(facet_j3d_extras *extras, const char *text)
{
    if (!text)
        return NULL;
    uint32_t before = extras->texts.count;
    if (!FACET_GROW(extras->texts.table.arena, extras->roots, before, extras->space)) {
        extras->failed = true;
        return NULL;
    }
    uint32_t number = facet_names_put(&extras->texts, text, strlen(text));
    extras->failed |= number == UINT32_MAX;
    if (number == before)
        extras->roots[number] = facet_json_read_text(text);
    return number == UINT32_MAX ? NULL : extras->roots[number];
}

void facet_j3d_extras_free(facet_j3d_extras *extras)
{
    for (uint32_t i = 0; i < extras->texts.count; i++)
        facet_json_free(extras->roots[i]);
}

void facet_j3d_joint_from_file(const facet_gx_file_joint *from, facet_j3d_joint *joint)
{
    joint->kind = from->kind;
    joint->scale_compensate = from->scale_compensate;
    joint->unknown = from->unknown;
    joint->unknown2 = from->unknown2;
    joint->radius = from->radius;
    memcpy(joint->scale, from->scale, sizeof joint->scale);
    memcpy(joint->rotation, from->rotation, sizeof joint->rotation);
    memcpy(joint->translation, from->translation, sizeof joint->translation);
    memcpy(joint->minimum, from->minimum, sizeof joint->minimum);
    memcpy(joint->maximum, from->maximum, sizeof joint->maximum);
}

/* -- Materials and images ----------------------------------------------- */

facet_status facet_j3d_file_material_now(facet_j3d_extras *extras, const char *text,
                                         const facet_gx_file_material *file,
                                         const facet_gx_file_material **now, facet_error *error)
{
    facet_gx_file_material *read = NULL;
    *now = file;
    if (file && file->extras == text)
        return FACET_OK;
    facet_status status = facet_gx_file_material_read(text, facet_j3d_extras_of(extras, text),
                                                      extras->texts.table.arena, &read, error);
    *now = read;
    return status;
}

facet_status facet_j3d_file_image_now(facet_j3d_extras *extras, const char *text,
                                      const facet_gx_file_image *file,
                                      const facet_gx_file_image **now, facet_error *error)
{
    facet_gx_file_image *read = NULL;
    *now = file;
    if (file && file->extras == text)
        return FACET_OK;
    facet_status status = facet_gx_file_image_read(text, facet_j3d_extras_of(extras, text),
                                                   extras->texts.table.arena, &read, error);
    *now = read;
    return status;
}

static facet_status fail_texture(unsigned map, const facet_gx_file_texture *texture,
                                 const facet_j3d_textures *textures, facet_error *error)
{
    facet_gx_json_context context = facet_gx_json_extras_context(error);
    facet_gx_json_path material = {NULL, "material", 0}, list = {&material, "textures", 0},
                       place = {&list, NULL, map};
    char known[140] = "", name[64];
    facet_quoted quoted;
    if (textures)
        facet_j3d_json_list_names(&textures->names, known, sizeof known);
    if (texture->name)
        snprintf(name, sizeof name, "\"%.40s\"",
                 facet_quote(&quoted, texture->name, strlen(texture->name)));
    else
        snprintf(name, sizeof name, "%" PRIu32, texture->index);
    return facet_gx_json_fail(&context, &place, "texture %s does not exist; the model has %s", name,
                              *known ? facet_quote(&quoted, known, strlen(known)) : "none");
}

facet_status facet_j3d_material_from_file(const facet_gx_file_material *file,
                                          const facet_j3d_textures *textures,
                                          facet_j3d_material *material, facet_error *error)
{
    uint16_t found[8];
    for (unsigned i = 0; i < 8; i++) {
        found[i] = file->gx.textures[i];
        if (!(file->given.textures >> i & 1))
            continue;
        const facet_gx_file_texture number = {.index = found[i]};
        const facet_gx_file_texture *texture =
            found[i] < file->texture_count ? &file->textures[found[i]] : &number;
        uint32_t count = textures ? textures->names.count : 0, index = UINT32_MAX;
        if (texture->name && count)
            index = facet_j3d_json_find(&textures->names, texture->name);
        else if (!texture->name && texture->index < count)
            index = texture->index;
        if (index >= UINT16_MAX)
            return fail_texture(i, texture, textures, error);
        found[i] = (uint16_t)index;
    }
    facet_j3d_material_init(material);
    material->given = file->given;
    material->mode = file->mode;
    material->gx = file->gx;
    memcpy(material->gx.textures, found, sizeof found);
    memcpy(material->unused, file->unused, sizeof file->unused);
    return FACET_OK;
}
