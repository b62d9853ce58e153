/* formats/bpx/describe.c - the description of a BPX file for `facet info`. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

static const char *const sums[] = {"wrong", "right", "absent", "zeroed", "one-step"};

/* -- Sections ----------------------------------------------------------- */

static facet_tree *describe_section(facet_arena *arena, facet_tree *array,
                                    const facet_bpx_layout *layout, const facet_bpx *document,
                                    uint32_t index)
{
    static const char *const compressions[] = {"none", "zlib", "xz"};
    const facet_bpx_contents *contents = &document->sections[index];
    facet_bpx_section s = facet_bpx_section_at(layout, index);
    const char *name = facet_bpx_section_name(layout->revision, layout->type, s.type);
    facet_tree *node = facet_tree_object(arena, array, NULL);
    if (name)
        facet_tree_string(arena, node, "name", name);
    facet_tree_integer(arena, node, "type", s.type);
    facet_tree_integer(arena, node, "flags", s.flags);
    facet_tree_string(arena, node, "compression", compressions[s.compression]);
    facet_tree_integer(arena, node, "offset", (int64_t)s.offset);
    facet_tree_integer(arena, node, "stored_bytes", s.stored_size);
    facet_tree_integer(arena, node, "bytes", (int64_t)contents->size);
    if (layout->entry_size != FACET_BPX_ENTRY_SIZE)
        facet_tree_string(arena, node, "checksum",
                          sums[facet_bpx_section_sum(layout, &s, contents->data, contents->size)]);
    return facet_tree_real(arena, node, "ratio",
                           contents->size ? (double)s.stored_size / (double)contents->size : 1);
}

/* -- Packages ----------------------------------------------------------- */

/* Maximum number of listed files; the rest are counted. */
#define MAX_LISTED 65536

typedef struct listing {
    facet_arena *arena;
    facet_tree *files;
    uint64_t count;
} listing;

static facet_status list_file(void *user, const char *name, const void *data, size_t size,
                              facet_error *error)
{
    listing *l = user;
    (void)data;
    if (l->count++ >= MAX_LISTED)
        return FACET_OK;
    facet_tree *node = facet_tree_object(l->arena, l->files, NULL);
    facet_tree_string(l->arena, node, "name", name);
    return facet_tree_integer(l->arena, node, "bytes", (int64_t)size)
               ? FACET_OK
               : facet_fail_arena(l->arena, error);
}

/* Describe a package. If its table has an error, the files before it are still listed. */
static facet_status describe_package(const facet_bpx *document, facet_description *description,
                                     facet_error *error)
{
    listing l = {description->arena,
                 facet_tree_array(description->arena, description->detail, "files"), 0};
    facet_extractor lister = {list_file, &l};
    facet_status status = facet_bpx_extract_package(document, &lister, error);
    if (facet_lacks_memory(status))
        return status;
    if (l.count > MAX_LISTED)
        facet_tree_integer(description->arena, description->detail, "files_not_listed",
                           (int64_t)(l.count - MAX_LISTED));
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

static void describe_texture(const facet_bpx *document, facet_description *description)
{
    static const char *const formats[] = {"", "RGB", "RGBA", "gray", "float"};
    facet_bpx_texture t;
    facet_error error;
    if (facet_bpx_get_texture(document, &t, NULL, &error))
        return;
    facet_arena *arena = description->arena;
    facet_tree *tree = facet_tree_object(arena, description->detail, "texture");
    description->images = t.image_count;
    facet_tree_integer(arena, tree, "width", t.width);
    facet_tree_integer(arena, tree, "height", t.height);
    facet_tree_string(arena, tree, "format", formats[t.format]);
    facet_tree_integer(arena, tree, "images", t.image_count);
    facet_tree_boolean(arena, tree, "array", t.is_array);
    facet_tree_boolean(arena, tree, "cube", t.is_cube);
    facet_tree_boolean(arena, tree, "gpu_compress", t.gpu_compress);
    facet_tree_integer(arena, tree, "mips", t.mip_count);
    facet_tree_integer(arena, tree, "predicted_bytes", (int64_t)(t.image_size * t.image_count));
}

/* -- Models ------------------------------------------------------------- */

static void describe_components(facet_arena *arena, facet_tree *parent,
                                const facet_bpx_model *model)
{
    static const char *const types[] = {"", "float", "int", "uint"};
    static const char *const meanings[] = {"position", "normal", "texcoord", "tangent", "bitangent",
                                           "color",    "joints", "weights",  "custom"};
    facet_tree *array = facet_tree_array(arena, parent, "components");
    for (uint32_t i = 0; i < model->component_count; i++) {
        const facet_bpx_component *c = &model->components[i];
        facet_tree *node = facet_tree_object(arena, array, NULL);
        facet_tree_string(arena, node, "type", types[c->type]);
        facet_tree_integer(arena, node, "elements", c->elements);
        facet_tree_string(arena, node, "taken_for", meanings[c->meaning]);
    }
}

static void find_bounds(const facet_bpx_model *model, facet_description *d)
{
    const facet_bpx_component *position = NULL;
    for (uint32_t i = 0; i < model->component_count && !position; i++) {
        if (model->components[i].meaning == FACET_BPX_POSITION)
            position = &model->components[i];
    }
    for (uint32_t a = 0; a < model->array_count && position; a++) {
        const facet_bpx_vertex_array *array = &model->arrays[a];
        for (uint32_t v = 0; v < array->vertex_count; v++) {
            const uint8_t *at = array->vertices + (size_t)v * model->vertex_size;
            for (int k = 0; k < 3; k++) {
                double x = (double)facet_load_f32le(at + position->offset + 4 * k);
                if (!d->has_bounds || x < d->minimum[k])
                    d->minimum[k] = x;
                if (!d->has_bounds || x > d->maximum[k])
                    d->maximum[k] = x;
            }
            d->has_bounds = true;
        }
    }
}

/* Predict sizes by the formulas of the specification, which requires them in advance: S * V for
 * vertices (9.3.3), F * B * 64 for frames (9.6.2). */
static void predict_sizes(facet_arena *arena, facet_tree *parent, const facet_bpx_model *model)
{
    int64_t vertices = 0, frame = (int64_t)model->bone_count * FACET_BPX_MATRIX_SIZE;
    int64_t rate = model->frame_count > 0 && model->frame_rate > 0 ? model->frame_rate : 30;
    for (uint32_t i = 0; i < model->array_count; i++)
        vertices += (int64_t)model->vertex_size * model->arrays[i].vertex_count;
    facet_tree *tree = facet_tree_object(arena, parent, "predicted_bytes");
    facet_tree_integer(arena, tree, "vertices", vertices);
    if (model->bone_count == 0)
        return;
    facet_tree_integer(arena, tree, "frame", frame);
    facet_tree_integer(arena, tree, "second", frame * rate);
    facet_tree_integer(arena, tree, "frames", frame * model->frame_count);
}

static facet_status describe_model(const facet_bpx *document, facet_description *description,
                                   facet_error *error)
{
    facet_arena *arena = description->arena;
    facet_bpx_model model;
    facet_status status = facet_bpx_get_model(document, &model, error);
    if (status) /* an invalid model still has sections; `check` reports the errors */
        return facet_lacks_memory(status) ? status : FACET_OK;
    facet_tree *tree = facet_tree_object(arena, description->detail, "model");
    facet_tree_integer(arena, tree, "vertex_bytes", model.vertex_size);
    describe_components(arena, tree, &model);
    facet_tree *arrays = facet_tree_array(arena, tree, "vertex_arrays");
    for (uint32_t i = 0; i < model.array_count; i++) {
        size_t length;
        bool cut;
        const char *name = facet_bpx_name(&model.strings, model.arrays[i].material, &length, &cut);
        facet_tree *node = facet_tree_object(arena, arrays, NULL);
        facet_tree_text(arena, node, "material", name, length);
        facet_tree_integer(arena, node, "vertices", model.arrays[i].vertex_count);
        facet_tree_integer(arena, node, "section", model.arrays[i].section + 1);
        description->vertices += model.arrays[i].vertex_count;
    }
    description->meshes = description->materials = model.array_count;
    description->triangles = description->faces = description->vertices / 3;
    description->joints = model.bone_count;
    description->animations = model.frame_count > 0;
    if (model.frame_count > 0) {
        facet_tree *frames = facet_tree_object(arena, tree, "frames");
        facet_tree_integer(arena, frames, "count", model.frame_count);
        facet_tree_integer(arena, frames, "rate", model.frame_rate);
    }
    predict_sizes(arena, tree, &model);
    find_bounds(&model, description);
    return FACET_OK;
}

/* -- Shader packages ---------------------------------------------------- */

static void describe_assembly(facet_arena *arena, facet_tree *parent, const char *key,
                              const facet_bpx_assembly *a)
{
    if (!a->is_present)
        return;
    facet_tree *tree = facet_tree_object(arena, parent, key);
    facet_tree_integer(arena, tree, "least_version", a->least_version);
    if (a->vertex != FACET_NONE)
        facet_tree_integer(arena, tree, "vertex", (int64_t)a->vertex + 1);
    if (a->geometry != FACET_NONE)
        facet_tree_integer(arena, tree, "geometry", (int64_t)a->geometry + 1);
    if (a->pixel != FACET_NONE)
        facet_tree_integer(arena, tree, "pixel", (int64_t)a->pixel + 1);
}

static void describe_shaders(const facet_bpx *document, facet_description *description)
{
    facet_bpx_shaders s;
    facet_error error;
    if (facet_bpx_get_shaders(document, &s, &error))
        return;
    facet_tree *tree = facet_tree_object(description->arena, description->detail, "programs");
    describe_assembly(description->arena, tree, "opengl", &s.gl);
    describe_assembly(description->arena, tree, "directx", &s.dx);
}

/* -- The description --------------------------------------------------- */

static facet_status describe_contents(const facet_bpx *document, facet_description *description,
                                      facet_error *error)
{
    bool ours = document->revision == FACET_BPX_0A;
    if (ours && document->type == 'T')
        describe_texture(document, description);
    else if (ours && document->type == 'M')
        return describe_model(document, description, error);
    else if (ours && document->type == 'S')
        describe_shaders(document, description);
    else if (document->revision >= FACET_BPX_1 && document->type == 'P')
        return describe_package(document, description, error);
    return FACET_OK;
}

facet_status facet_bpx_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    facet_bpx_layout layout;
    facet_bpx *document = NULL;
    facet_status status = facet_bpx_view(source->data, source->size, &layout, error);
    if (!status)
        status = facet_bpx_read_layout(&layout, options, &document, error);
    if (status)
        return status;
    description->version = facet_bpx_revision_name(layout.revision);
    facet_tree_text(arena, detail, "type", &layout.type, 1);
    facet_tree_string(arena, detail, "checksum", sums[facet_bpx_file_sum(&layout)]);
    facet_tree *sections = facet_tree_array(arena, detail, "sections");
    for (uint32_t i = 0; i < layout.section_count; i++)
        describe_section(arena, sections, &layout, document, i);
    status = describe_contents(document, description, error);
    facet_bpx_free(document);
    return status;
}
