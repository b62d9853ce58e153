/* formats/iqm/describe.c - the description of a file, as a tree. */
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/iqm/file.h"

#include <math.h>
#include <string.h>

/* Maximum number of listed records of each kind. */
#define MAX_LISTED 4096

typedef struct iqm_describer {
    const facet_iqm_layout *layout;
    facet_arena *arena;
    facet_tree *detail;
} iqm_describer;

static uint32_t listed(const iqm_describer *d, facet_iqm_section section)
{
    uint32_t count = d->layout->count[section];
    return count < MAX_LISTED ? count : MAX_LISTED;
}

static void add_name(const iqm_describer *d, facet_tree *line, const char *key, uint32_t offset)
{
    const char *name = facet_iqm_text(d->layout, offset);
    facet_tree_text(d->arena, line, key, name ? name : "", name ? strlen(name) : 0);
}

static void add_sections(const iqm_describer *d)
{
    facet_tree *sections = facet_tree_array(d->arena, d->detail, "sections");
    for (int section = 0; section < FACET_IQM_SECTION_COUNT; section++) {
        facet_tree *line = facet_tree_object(d->arena, sections, NULL);
        facet_tree_string(d->arena, line, "name", facet_iqm_section_infos[section].name);
        facet_tree_integer(d->arena, line, "count", d->layout->count[section]);
        facet_tree_integer(d->arena, line, "offset", d->layout->offset[section]);
    }
}

static void add_meshes(const iqm_describer *d)
{
    facet_tree *meshes = facet_tree_array(d->arena, d->detail, "meshes");
    for (uint32_t i = 0; i < listed(d, FACET_IQM_MESHES); i++) {
        facet_tree *line = facet_tree_object(d->arena, meshes, NULL);
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(d->layout, i, &mesh);
        add_name(d, line, "name", mesh.name);
        add_name(d, line, "material", mesh.material);
        facet_tree_integer(d->arena, line, "first_vertex", mesh.first_vertex);
        facet_tree_integer(d->arena, line, "vertices", mesh.vertex_count);
        facet_tree_integer(d->arena, line, "first_triangle", mesh.first_triangle);
        facet_tree_integer(d->arena, line, "triangles", mesh.triangle_count);
    }
}

static void add_arrays(const iqm_describer *d)
{
    static const char *const types[] = {"position",      "texcoord",      "normal", "tangent",
                                        "blend indexes", "blend weights", "color"};
    static const char *const formats[] = {"int8",   "uint8",   "int16",   "uint16", "int32",
                                          "uint32", "float16", "float32", "float64"};
    facet_tree *arrays = facet_tree_array(d->arena, d->detail, "vertex_arrays");
    for (uint32_t i = 0; i < listed(d, FACET_IQM_ARRAYS); i++) {
        facet_tree *line = facet_tree_object(d->arena, arrays, NULL);
        facet_iqm_array array;
        facet_iqm_load_array(d->layout, i, &array);
        if (array.type >= FACET_IQM_CUSTOM)
            add_name(d, line, "custom", array.type - FACET_IQM_CUSTOM);
        else
            facet_tree_string(d->arena, line, "type",
                              array.type <= FACET_IQM_COLOR ? types[array.type] : "reserved");
        facet_tree_string(d->arena, line, "format",
                          facet_iqm_component_size(array.format) ? formats[array.format]
                                                                 : "unknown");
        facet_tree_integer(d->arena, line, "components", array.size);
        facet_tree_integer(d->arena, line, "offset", array.offset);
    }
}

static void add_joints(const iqm_describer *d)
{
    facet_tree *joints = facet_tree_array(d->arena, d->detail, "joints");
    for (uint32_t i = 0; i < listed(d, FACET_IQM_JOINTS); i++) {
        facet_tree *line = facet_tree_object(d->arena, joints, NULL);
        facet_iqm_joint joint;
        facet_iqm_load_joint(d->layout, i, &joint);
        add_name(d, line, "name", joint.name);
        facet_tree_integer(d->arena, line, "parent", joint.parent);
    }
}

static void add_animations(const iqm_describer *d)
{
    facet_tree *animations = facet_tree_array(d->arena, d->detail, "animations");
    for (uint32_t i = 0; i < listed(d, FACET_IQM_ANIMATIONS); i++) {
        facet_tree *line = facet_tree_object(d->arena, animations, NULL);
        facet_iqm_animation animation;
        facet_iqm_load_animation(d->layout, i, &animation);
        add_name(d, line, "name", animation.name);
        facet_tree_integer(d->arena, line, "first_frame", animation.first_frame);
        facet_tree_integer(d->arena, line, "frames", animation.frame_count);
        if (isfinite(animation.rate))
            facet_tree_real(d->arena, line, "rate", (double)animation.rate);
        facet_tree_boolean(d->arena, line, "loop", animation.flags & FACET_IQM_LOOP);
    }
}

static void add_others(const iqm_describer *d)
{
    const facet_iqm_layout *layout = d->layout;
    const char *comment = (const char *)layout->raw[FACET_IQM_COMMENT];
    if (comment)
        facet_tree_text(d->arena, d->detail, "comment", comment,
                        strnlen(comment, layout->count[FACET_IQM_COMMENT]));
    facet_tree *extensions = facet_tree_array(d->arena, d->detail, "extensions");
    uint32_t offset = layout->offset[FACET_IQM_EXTENSIONS];
    facet_iqm_extension extension;
    for (uint32_t i = 0; i < listed(d, FACET_IQM_EXTENSIONS) &&
                         facet_iqm_next_extension(layout, &offset, &extension);
         i++) {
        facet_tree *line = facet_tree_object(d->arena, extensions, NULL);
        add_name(d, line, "name", extension.name);
        facet_tree_integer(d->arena, line, "bytes", extension.size);
    }
}

/* Compute the box of the positions, if they exist and are finite. */
static void take_bounds(const facet_iqm_layout *layout, facet_description *description)
{
    facet_iqm_array array;
    if (!facet_iqm_find_array(layout, FACET_IQM_POSITION, &array) || !array.data || array.size < 3)
        return;
    uint32_t component = facet_iqm_component_size(array.format);
    const uint8_t *at = array.data;
    bool whole = layout->vertex_count > 0;
    for (int axis = 0; axis < 3; axis++) {
        description->minimum[axis] = INFINITY;
        description->maximum[axis] = -INFINITY;
    }
    for (uint32_t v = 0; v < layout->vertex_count; v++, at += (size_t)component * array.size) {
        for (int axis = 0; axis < 3; axis++) {
            double value = facet_iqm_component(at + component * axis, array.format, false);
            whole = whole && isfinite(value);
            description->minimum[axis] = fmin(description->minimum[axis], value);
            description->maximum[axis] = fmax(description->maximum[axis], value);
        }
    }
    description->has_bounds = whole;
    for (int axis = 0; axis < 3 && !whole; axis++)
        description->minimum[axis] = description->maximum[axis] = 0;
}

static uint32_t count_materials(const facet_iqm_layout *layout)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < layout->count[FACET_IQM_MESHES]; i++) {
        facet_iqm_mesh mesh;
        facet_iqm_load_mesh(layout, i, &mesh);
        const char *name = facet_iqm_text(layout, mesh.material);
        count += name && *name;
    }
    return count;
}

facet_status facet_iqm_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_iqm_layout layout;
    TRY(facet_iqm_view(source->data, source->size, &layout, error));
    TRY(facet_iqm_check_name_growth(&layout, options, error));
    iqm_describer d = {&layout, description->arena, description->detail};
    description->version = facet_arena_format(d.arena, "%u", (unsigned)layout.version);
    add_sections(&d);
    add_meshes(&d);
    add_arrays(&d);
    add_joints(&d);
    facet_tree_integer(d.arena, d.detail, "poses", layout.count[FACET_IQM_POSES]);
    facet_tree_integer(d.arena, d.detail, "frames", layout.count[FACET_IQM_FRAMES]);
    add_animations(&d);
    add_others(&d);
    description->meshes = layout.count[FACET_IQM_MESHES];
    description->vertices = layout.vertex_count;
    description->faces = description->triangles = layout.count[FACET_IQM_TRIANGLES];
    description->materials = count_materials(&layout);
    description->joints = layout.count[FACET_IQM_JOINTS];
    description->animations = layout.count[FACET_IQM_ANIMATIONS];
    take_bounds(&layout, description);
    return facet_arena_status(d.arena, error);
}
