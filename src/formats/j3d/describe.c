/* formats/j3d/describe.c - description of a J3D file, as a tree. */
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/format.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/mdl3_disassemble.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/to_scene/material.h"
#include "formats/j3d/scene/to_scene/to_scene.h"
#include "gx/enumerations.h"

#include <facet/format.h>
#include <facet/scene.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Maximum number of objects of one kind in the list; the others are only counted. */
#define MAX_LISTED 1000
/* Maximum number of register writes in the whole file; packets can share them. */
#define MAX_REGISTERS 100000

/* Shared state of the functions below. If memory runs out, a node of the tree is NULL, and its
 * children also; the arena records it. */
typedef struct describer {
    const facet_j3d *document;
    const facet_options *options;
    facet_description *description;
    facet_arena *arena;
    uint32_t register_count;
} describer;

/* -- Helpers ------------------------------------------------------------ */

static facet_tree *object_in(describer *d, facet_tree *parent, const char *key)
{
    return facet_tree_object(d->arena, parent, key);
}

static facet_tree *array_in(describer *d, facet_tree *parent, const char *key)
{
    return facet_tree_array(d->arena, parent, key);
}

static void add_count(describer *d, facet_tree *parent, const char *key, uint64_t value)
{
    facet_tree_integer(d->arena, parent, key, (int64_t)value);
}

static void add_text(describer *d, facet_tree *parent, const char *key, const char *text)
{
    facet_tree_string(d->arena, parent, key, text);
}

static void add_yes(describer *d, facet_tree *parent, const char *key, bool value)
{
    facet_tree_boolean(d->arena, parent, key, value);
}

/* Add the name of a number, or the number if it has no name. */
static void add_named(describer *d, facet_tree *parent, const char *key,
                      const facet_gx_enumeration *enumeration, uint32_t value)
{
    const char *name = facet_gx_enumeration_name(enumeration, value);
    if (name)
        add_text(d, parent, key, name);
    else
        add_count(d, parent, key, value);
}

/* Name `index` of a table as UTF-8; "" if it has no name. */
static const char *name_of(const facet_j3d_names *names, uint32_t index, char *text, size_t size)
{
    text[0] = '\0';
    if (index < names->count)
        facet_j3d_name_text(names->items[index].bytes, text, size);
    return text;
}

static void add_name(describer *d, facet_tree *parent, const facet_j3d_names *names, uint32_t index)
{
    char text[200];
    add_text(d, parent, "name", name_of(names, index, text, sizeof text));
}

/* JSON has only finite numbers. */
static void add_vector(describer *d, facet_tree *parent, const char *key, const float *values,
                       size_t count)
{
    facet_tree *array = array_in(d, parent, key);
    for (size_t i = 0; i < count; i++) {
        if (isfinite(values[i]))
            facet_tree_real(d->arena, array, NULL, (double)values[i]);
        else
            add_text(d, array, NULL, isnan(values[i]) ? "NaN" : "infinite");
    }
}

static uint32_t listed(uint32_t count)
{
    return count < MAX_LISTED ? count : MAX_LISTED;
}

/* -- The file ----------------------------------------------------------- */

static void add_sections(describer *d, const facet_source *source)
{
    facet_tree *array = array_in(d, d->description->detail, "sections");
    facet_j3d_sections sections;
    facet_j3d_find_sections(source->data, source->size, FACET_J3D_SECTIONS_CHECK, NULL, &sections,
                            NULL);
    for (uint32_t i = 0; i < sections.count; i++) {
        const facet_j3d_section *section = &sections.all[i];
        facet_tree *node = object_in(d, array, NULL);
        facet_tree_text(d->arena, node, "section", (const char *)section->bytes, 4);
        add_count(d, node, "offset", section->offset);
        add_count(d, node, "bytes", section->size);
    }
}

static void add_header(describer *d, const facet_source *source)
{
    const facet_j3d *document = d->document;
    facet_tree *detail = d->description->detail;
    size_t length = 0;
    while (length < 16 && document->signature[length] >= 0x20 && document->signature[length] < 0x7F)
        length++;
    add_named(d, detail, "kind", &facet_gx_file_kinds, document->kind);
    facet_tree_text(d->arena, detail, "signature", (const char *)document->signature, length);
    add_sections(d, source);
}

/* -- Hierarchy ---------------------------------------------------------- */

/* Lines of text, indented by joints. A file can have more levels than any skeleton, but a tree of
 * objects must not. */
static void add_hierarchy(describer *d)
{
    const facet_j3d *document = d->document;
    const facet_j3d_hierarchy *hierarchy = &document->hierarchy;
    uint32_t joint_count = document->joints.count, count = 0;
    facet_tree *tree = object_in(d, d->description->detail, "hierarchy");
    uint32_t *depths = facet_arena_allocate_zeroed(d->arena, joint_count, sizeof *depths);
    if (!depths || !tree)
        return;
    add_named(d, tree, "scaling", &facet_gx_scalings, hierarchy->flags & 15u);
    add_count(d, tree, "nodes", hierarchy->node_count);
    facet_tree *lines = array_in(d, tree, "tree");
    for (uint32_t i = 0; i < hierarchy->node_count && count < MAX_LISTED; i++) {
        const facet_j3d_node *node = &hierarchy->nodes[i];
        char line[500], name[200];
        uint32_t depth = 0;
        if (node->type == FACET_J3D_NODE_JOINT) {
            uint16_t parent = document->joints.items[node->index].parent;
            depth = parent == FACET_J3D_NONE ? 0 : depths[parent] + 1;
            depths[node->index] = depth;
            snprintf(line, sizeof line, "%*sjoint %u %s", (int)(depth > 60 ? 60 : depth) * 2, "",
                     (unsigned)node->index,
                     name_of(&document->joints.names, node->index, name, sizeof name));
        } else if (node->type == FACET_J3D_NODE_SHAPE) {
            const facet_j3d_shape *shape = &document->shapes.items[node->index];
            depth = shape->joint == FACET_J3D_NONE ? 0 : depths[shape->joint] + 1;
            snprintf(line, sizeof line, "%*sshape %u, material %d %s",
                     (int)(depth > 60 ? 60 : depth) * 2, "", (unsigned)node->index,
                     shape->material == FACET_J3D_NONE ? -1 : (int)shape->material,
                     name_of(&document->materials.names, shape->material, name, sizeof name));
        } else {
            continue;
        }
        add_text(d, lines, NULL, line);
        count++;
    }
    facet_arena_release(d->arena, depths, joint_count, sizeof *depths);
}

/* -- Skeleton ----------------------------------------------------------- */

/* Describe the rest transform that `convert` writes for a joint, if it differs from the joint's
 * numbers. */
static void add_rest(describer *d, facet_tree *node, const facet_j3d_skeleton *skeleton,
                     uint32_t index)
{
    facet_j3d_matrix local;
    facet_transform transform;
    switch (facet_j3d_joint_rest(d->document, skeleton, index, local, &transform)) {
    case FACET_J3D_REST_AS_STORED:
        break;
    case FACET_J3D_REST_COMPUTED:
        add_text(d, node, "shown_otherwise",
                 "its transform depends on the scale of joints: its node has the result at rest");
        break;
    case FACET_J3D_REST_SHEARED:
        add_text(d, node, "shown_otherwise",
                 "sheared by the scale of its parents: its node has a matrix, which no animation "
                 "can move");
    }
}

/* The file does not store the unit; report the one that convert uses. */
static void add_units(describer *d)
{
    facet_tree *units = object_in(d, d->description->detail, "units");
    facet_tree_real(d->arena, units, "meters_per_unit", FACET_J3D_UNIT);
    add_text(d, units, "convert",
             "a unit is a centimeter in formats that have units; --scale 100 keeps the numbers, as "
             "meters");
}

static facet_status add_joints(describer *d, facet_error *error)
{
    const facet_j3d_joints *joints = &d->document->joints;
    facet_tree *array = array_in(d, d->description->detail, "joints");
    facet_arena *scratch;
    facet_j3d_skeleton skeleton;
    TRY(facet_arena_create(d->options, &scratch, error));
    facet_status status = facet_j3d_skeleton_create(d->document, scratch, &skeleton, error);
    for (uint32_t i = 0; i < listed(joints->count); i++) {
        const facet_j3d_joint *joint = &joints->items[i];
        facet_tree *node = object_in(d, array, NULL);
        add_name(d, node, &joints->names, i);
        if (joint->parent != FACET_J3D_NONE)
            add_count(d, node, "parent", joint->parent);
        add_named(d, node, "kind", &facet_gx_joint_kinds, joint->kind & 15u);
        if (joint->scale[0] != 1 || joint->scale[1] != 1 || joint->scale[2] != 1)
            add_vector(d, node, "scale", joint->scale, 3);
        facet_tree *rotation = array_in(d, node, "rotation");
        for (int k = 0; k < 3; k++)
            facet_tree_integer(d->arena, rotation, NULL, joint->rotation[k]);
        add_vector(d, node, "translation", joint->translation, 3);
        if (!status)
            add_rest(d, node, &skeleton, i);
    }
    facet_arena_free(scratch);
    return status;
}

static void add_matrices(describer *d)
{
    const facet_j3d *document = d->document;
    uint32_t rigid = 0;
    for (uint32_t i = 0; i < document->draw_matrices.effective_count; i++)
        rigid += !document->draw_matrices.items[i].is_envelope;
    facet_tree *node = object_in(d, d->description->detail, "draw_matrices");
    add_count(d, node, "joints", rigid);
    add_count(d, node, "envelopes", document->draw_matrices.effective_count - rigid);
    add_count(d, node, "stored", document->draw_matrices.count);
    add_count(d, node, "influences", document->envelopes.influence_count);
    add_count(d, node, "inverse_bind", document->envelopes.inverse_bind_count);
}

/* -- Vertices and shapes ------------------------------------------------ */

static void add_arrays(describer *d)
{
    facet_tree *array = array_in(d, d->description->detail, "vertex_arrays");
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *a = &d->document->vertices.arrays[i];
        bool is_color = i == FACET_J3D_ARRAY_COLOR0 || i == FACET_J3D_ARRAY_COLOR0 + 1;
        if (!a->bytes)
            continue;
        facet_tree *node = object_in(d, array, NULL);
        add_named(d, node, "attribute", &facet_gx_attributes, a->format->attribute);
        add_named(d, node, "component",
                  is_color ? &facet_gx_color_components : &facet_gx_components,
                  a->format->component);
        add_count(d, node, "count_code", a->format->count_code);
        add_count(d, node, "fraction_bits", a->format->fraction_bits);
        add_count(d, node, "count", a->count);
        add_count(d, node, "stride", a->stride);
    }
}

static uint64_t count_primitives(const facet_j3d *document, const facet_j3d_shape *shape,
                                 const facet_j3d_vertex_layout *layout)
{
    uint64_t count = 0;
    for (uint32_t k = 0; k < shape->packet_count; k++) {
        facet_j3d_commands commands = facet_j3d_commands_of(
            &document->shapes.display_lists[shape->first_display_list + k], layout);
        facet_j3d_primitive primitive;
        while (facet_j3d_next(&commands, &primitive) == FACET_J3D_STEP_DRAW)
            count++;
    }
    return count;
}

/* Size of the display lists in bytes. */
static uint64_t display_bytes(const facet_j3d *document, const facet_j3d_shape *shape)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < shape->packet_count; i++) {
        uint32_t list = (uint32_t)shape->first_display_list + i;
        if (list < document->shapes.display_list_count)
            bytes += document->shapes.display_lists[list].size;
    }
    return bytes;
}

static void add_shape(describer *d, facet_tree *array, uint32_t index,
                      const facet_j3d_geometry *geometry)
{
    const facet_j3d_shape *shape = &d->document->shapes.items[index];
    facet_tree *node = object_in(d, array, NULL);
    add_named(d, node, "type", &facet_gx_shape_types, shape->type);
    if (shape->joint != FACET_J3D_NONE)
        add_count(d, node, "joint", shape->joint);
    if (shape->material != FACET_J3D_NONE)
        add_count(d, node, "material", shape->material);
    add_count(d, node, "packets", shape->packet_count);
    add_count(d, node, "bytes", display_bytes(d->document, shape));
    add_count(d, node, "primitives", count_primitives(d->document, shape, &geometry->layout));
    add_count(d, node, "triangles", geometry->triangle_count);
    add_count(d, node, "vertices", geometry->vertex_count);
    facet_tree *attributes = array_in(d, node, "attributes");
    for (uint32_t i = 0; i < geometry->layout.part_count; i++)
        add_named(d, attributes, NULL, &facet_gx_attributes, geometry->layout.parts[i].attribute);
}

/* Extend the bounds by a shape's positions at rest. */
static void extend_bounds(describer *d, const facet_j3d_skeleton *skeleton,
                          const facet_j3d_geometry *geometry, const float *positions)
{
    facet_description *description = d->description;
    for (uint32_t i = 0; i < geometry->vertex_count; i++) {
        uint16_t draw = facet_j3d_geometry_draw_matrix(geometry, i);
        float point[3];
        if (draw >= d->document->draw_matrices.count)
            continue;
        facet_j3d_matrix_point(facet_j3d_skeleton_draw_matrix(d->document, skeleton, draw),
                               positions + 3 * (size_t)i, point);
        if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2]))
            continue;
        for (int axis = 0; axis < 3; axis++) {
            double value = (double)point[axis];
            if (!description->has_bounds || value < description->minimum[axis])
                description->minimum[axis] = value;
            if (!description->has_bounds || value > description->maximum[axis])
                description->maximum[axis] = value;
        }
        description->has_bounds = true;
    }
}

static facet_status add_shapes(describer *d, facet_error *error)
{
    const facet_j3d *document = d->document;
    facet_arena *scratch;
    TRY(facet_arena_create(d->options, &scratch, error));
    facet_j3d_decoder decoder = {.document = document, .arena = scratch};
    facet_j3d_skeleton skeleton;
    facet_tree *array = array_in(d, d->description->detail, "shapes");
    facet_status status = facet_j3d_skeleton_create(document, scratch, &skeleton, error);
    for (uint32_t i = 0; i < document->shapes.count && !status; i++) {
        facet_j3d_geometry geometry;
        status = facet_j3d_decode_shape(&decoder, i, &geometry, error);
        if (status)
            break;
        d->description->vertices += geometry.vertex_count;
        d->description->triangles += geometry.triangle_count;
        if (i < MAX_LISTED)
            add_shape(d, array, i, &geometry);
        if (!facet_j3d_geometry_has(&geometry, FACET_J3D_POSITION))
            continue;
        float *positions = facet_arena_allocate(scratch, geometry.vertex_count, 3 * sizeof(float));
        if (!positions) {
            status = facet_fail_arena(scratch, error);
            break;
        }
        facet_j3d_geometry_positions(&geometry, positions);
        extend_bounds(d, &skeleton, &geometry, positions);
        facet_arena_release(scratch, positions, geometry.vertex_count, 3 * sizeof(float));
    }
    d->description->meshes = document->shapes.count;
    d->description->faces = d->description->triangles;
    facet_arena_free(scratch);
    return status;
}

/* -- Materials and textures --------------------------------------------- */

static void add_material(describer *d, facet_tree *array, uint32_t slot,
                         const facet_j3d_material *material, uint32_t doubts)
{
    const facet_j3d_textures *textures = &d->document->textures;
    facet_tree *node = object_in(d, array, NULL);
    add_name(d, node, &d->document->materials.names, slot);
    add_named(d, node, "mode", &facet_gx_material_modes, material->mode);
    add_named(d, node, "cull", &facet_gx_cull_modes, material->gx.cull_mode);
    add_named(d, node, "blend", &facet_gx_blend_types, material->gx.blend.type);
    add_count(d, node, "channels", material->gx.channel_count);
    add_count(d, node, "texgens", material->gx.texgen_count);
    add_count(d, node, "stages", material->gx.stage_count);
    if (material->given.indirect && material->gx.indirect.enabled)
        add_count(d, node, "indirect_stages", material->gx.indirect.stage_count);
    if (doubts) {
        char text[600];
        facet_j3d_doubts_text(doubts, text, sizeof text);
        add_text(d, node, "shown_otherwise", text);
    }
    facet_tree *used = array_in(d, node, "textures");
    for (int i = 0; i < 8; i++) {
        char name[200];
        if (material->gx.textures[i] != FACET_J3D_NONE)
            add_text(d, used, NULL,
                     name_of(&textures->names, material->gx.textures[i], name, sizeof name));
    }
}

/* Find the differences of a scene of the model, as converting reports them. A model that cannot
 * become a scene has none. */
static facet_status find_doubts(const describer *d, uint32_t *doubts, facet_error *error)
{
    facet_scene *scene = NULL;
    facet_j3d_vertex_wants *wants = NULL;
    facet_options quiet = d->options ? *d->options : (facet_options){0};
    quiet.report = NULL;
    facet_status status = facet_scene_create(&quiet, &scene, error);
    if (!status)
        status = facet_j3d_scene_materials(d->document, scene, &wants, &quiet, error);
    for (uint32_t i = 0; i < d->document->materials.slot_count && !status; i++)
        doubts[i] = wants[i].doubts;
    facet_scene_free(scene);
    return facet_lacks_memory(status) || status == FACET_ERROR_CANCELED ? status : FACET_OK;
}

static facet_status add_materials(describer *d, facet_error *error)
{
    const facet_j3d_materials *materials = &d->document->materials;
    facet_tree *array = array_in(d, d->description->detail, "materials");
    uint32_t count = materials->slot_count;
    facet_j3d_material *material = facet_arena_allocate(d->arena, 1, sizeof *material);
    uint32_t *doubts = facet_arena_allocate_zeroed(d->arena, count, sizeof *doubts);
    if (!material || !doubts)
        return facet_fail_arena(d->arena, error);
    d->description->materials = count;
    facet_status status = find_doubts(d, doubts, error);
    for (uint32_t i = 0; i < listed(count) && !status; i++) {
        status = facet_j3d_get_material(d->document, i, material, error);
        if (!status)
            add_material(d, array, i, material, doubts[i]);
    }
    facet_arena_release(d->arena, doubts, count, sizeof *doubts);
    facet_arena_release(d->arena, material, 1, sizeof *material);
    return status;
}

/* Size of image and palette in bytes, which other textures can share. */
static uint64_t texel_bytes(const facet_j3d_textures *textures, const facet_j3d_texture *texture)
{
    uint64_t bytes = 0;
    if (texture->image < textures->texels_count)
        bytes += textures->texels[texture->image].size;
    if (texture->palette < textures->texels_count)
        bytes += textures->texels[texture->palette].size;
    return bytes;
}

static void add_textures(describer *d)
{
    const facet_j3d_textures *textures = &d->document->textures;
    facet_tree *array = array_in(d, d->description->detail, "textures");
    d->description->images = textures->count;
    for (uint32_t i = 0; i < listed(textures->count); i++) {
        const facet_j3d_texture *texture = &textures->items[i];
        const facet_bti_header *header = &texture->header;
        facet_tree *node = object_in(d, array, NULL);
        add_name(d, node, &textures->names, i);
        add_named(d, node, "format", &facet_gx_texture_formats, header->format);
        add_count(d, node, "width", header->width);
        add_count(d, node, "height", header->height);
        add_count(d, node, "levels", header->level_count ? header->level_count : 1);
        add_count(d, node, "bytes", texel_bytes(textures, texture));
        if (texture->palette != FACET_J3D_NO_TEXELS) {
            add_named(d, node, "palette", &facet_gx_palette_formats, header->palette_format);
            add_count(d, node, "palette_colors", header->palette_count);
        }
        add_named(d, node, "wrap_s", &facet_gx_wraps, header->wrap_s);
        add_named(d, node, "wrap_t", &facet_gx_wraps, header->wrap_t);
        add_named(d, node, "min_filter", &facet_gx_filters, header->min_filter);
        add_named(d, node, "mag_filter", &facet_gx_filters, header->mag_filter);
        if (texture->image == FACET_J3D_NO_TEXELS)
            add_yes(d, node, "image", false);
    }
}

/* -- Baked materials ---------------------------------------------------- */

static void add_packet(describer *d, facet_tree *array, uint32_t index)
{
    const facet_j3d_packet *packet = &d->document->packets.items[index];
    facet_j3d_load_list list = facet_j3d_loads_of(packet->bytes, packet->size);
    facet_j3d_load load;
    facet_tree *node = object_in(d, array, NULL);
    add_name(d, node, &d->document->packets.names, index);
    add_count(d, node, "bytes", packet->size);
    facet_tree *registers = array_in(d, node, "registers");
    while (d->register_count < MAX_REGISTERS && facet_j3d_next_load(&list, &load)) {
        char text[1000];
        facet_j3d_load_text(&load, text, sizeof text);
        add_text(d, registers, NULL, text);
        d->register_count++;
    }
}

static void add_packets(describer *d)
{
    facet_tree *array = array_in(d, d->description->detail, "packets");
    for (uint32_t i = 0; i < listed(d->document->packets.count); i++)
        add_packet(d, array, i);
}

/* -- The description ---------------------------------------------------- */

static facet_status describe_document(describer *d, const facet_source *source, facet_error *error)
{
    const facet_j3d *document = d->document;
    facet_status status = FACET_OK;
    d->description->version = facet_gx_enumeration_name(&facet_gx_file_kinds, document->kind);
    d->description->joints = document->joints.count;
    add_header(d, source);
    if (document->has_vertices)
        add_units(d);
    if (document->has_hierarchy)
        add_hierarchy(d);
    if (document->has_vertices)
        add_arrays(d);
    if (document->has_joints)
        status = add_joints(d, error);
    if (document->has_draw_matrices)
        add_matrices(d);
    if (document->has_shapes && !status)
        status = add_shapes(d, error);
    if (document->has_materials && !status)
        status = add_materials(d, error);
    if (document->has_textures)
        add_textures(d);
    if (document->has_packets)
        add_packets(d);
    return status;
}

facet_status facet_j3d_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_j3d *document;
    TRY(facet_j3d_read(source, options, &document, error));
    describer d = {document, options, description, description->arena, 0};
    facet_status status = describe_document(&d, source, error);
    facet_j3d_free(document);
    return status;
}
