/* bti/format.c - the line of BTI in the format table: a texture by itself, a
 * scene of one image. */
#include "scene/format.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/tree.h"
#include "gx/bti_texture.h"
#include "gx/enumerations.h"
#include "j3d/json/json.h"

#include <facet/image.h>
#include <string.h>
#include <strings.h>

/* -- Bytes -------------------------------------------------------------- */

/* Where an offset leads, and how much is left from there; NULL when it leads
 * nowhere. */
static const uint8_t *bytes_at(const facet_source *source, uint32_t offset, size_t *left)
{
    bool inside = offset >= FACET_BTI_HEADER_SIZE && offset < source->size;
    *left = inside ? source->size - offset : 0;
    return inside ? source->data + offset : NULL;
}

static facet_status read_header(const facet_source *source, facet_bti_header *header,
                                facet_error *error)
{
    if (source->size < FACET_BTI_HEADER_SIZE)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BTI-HEADER", source->size,
                          "%zu bytes, where a header alone has %d", source->size,
                          FACET_BTI_HEADER_SIZE);
    facet_bti_header_load(source->data, header);
    return FACET_OK;
}

static facet_status read_texture(const facet_source *source, facet_bti_header *header,
                                 facet_gx_texture *texture, facet_error *error)
{
    size_t image_left = 0, palette_left = 0;
    facet_status status = read_header(source, header, error);
    if (status)
        return status;
    const uint8_t *image = bytes_at(source, header->image_offset, &image_left);
    const uint8_t *palette = bytes_at(source, header->palette_offset, &palette_left);
    return facet_bti_texture(header, image, image_left, palette, palette_left, texture, error);
}

static bool is_named(const facet_source *source)
{
    const char *dot = source->name ? strrchr(source->name, '.') : NULL;
    return dot && strcasecmp(dot, ".bti") == 0;
}

/* No magic number: the texels are there, and every field of the header makes sense,
 * or else the name says what it is. */
static int probe(const facet_source *source)
{
    facet_bti_header h;
    facet_gx_texture texture;
    if (read_header(source, &h, NULL))
        return 0;
    bool possible = facet_gx_format_name((facet_gx_format)h.format) && h.width > 0 && h.height > 0;
    if (read_texture(source, &h, &texture, NULL)) /* damaged: to be told what is wrong with it */
        return possible && is_named(source) ? 5 : 0;
    bool sane = h.wrap_s <= 2 && h.wrap_t <= 2 && h.has_palette <= 1 && h.has_mipmaps <= 1 &&
                h.edge_lod <= 1 && h.lod_bias_clamp <= 1 && h.max_anisotropy <= 2 &&
                h.min_filter <= 5 && h.mag_filter <= 1 && h.palette_format <= 2 &&
                texture.width <= 1024 && texture.height <= 1024;
    bool whole = texture.levels == (h.level_count ? h.level_count : 1u);
    return sane && whole ? 40 : sane || is_named(source) ? 10 : 0;
}

/* -- In ----------------------------------------------------------------- */

/* The name of the file without folder and extension. */
static const char *name_of(facet_arena *arena, const facet_source *source)
{
    const char *path = source->name ? source->name : "", *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return facet_arena_string(arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

/* A document of one texture and nothing else, to be told as those of models are. */
typedef struct one_texture {
    facet_j3d document;
    facet_j3d_texture texture;
    facet_j3d_name name;
    char bytes[256];
} one_texture;

static void make_document(const facet_bti_header *header, const char *name, one_texture *one)
{
    memset(one, 0, sizeof *one);
    facet_j3d_name_bytes(name, one->bytes, sizeof one->bytes, NULL);
    one->name.bytes = one->bytes;
    one->name.hash = facet_j3d_hash(one->bytes);
    one->texture.header = *header;
    one->texture.image = one->texture.palette = FACET_J3D_NO_TEXELS;
    one->document.has_textures = true;
    one->document.textures.items = &one->texture;
    one->document.textures.count = 1;
    one->document.textures.names.items = &one->name;
    one->document.textures.names.count = 1;
}

/* Everything the header says. */
static const char *extras_of(facet_arena *arena, const facet_bti_header *header, const char *name)
{
    one_texture one;
    const uint32_t index = 0, before = 0; /* no other texture has its name */
    facet_j3d_naming naming = {&before, &before};
    make_document(header, name, &one);
    return facet_j3d_textures_extras(&one.document, &naming, &index, 1, arena);
}

static facet_status fill_image(const facet_source *source, facet_scene *scene,
                               const facet_options *options, facet_error *error)
{
    facet_bti_header header;
    facet_gx_texture texture;
    facet_image *image = NULL;
    facet_report *report = options ? options->report : NULL;
    facet_status status = read_texture(source, &header, &texture, error);
    if (status)
        return status;
    const char *name = name_of(scene->arena, source);
    if (!name)
        return facet_fail_memory(error, strlen(source->name));
    status = facet_scene_add_image(scene, name, &image, error);
    if (!status)
        status = facet_gx_decode_image(scene->arena, &texture, options, image, error);
    if (status)
        return status;
    image->extras = extras_of(scene->arena, &header, name);
    if (!image->extras)
        return facet_fail_memory(error, sizeof header);
    if (texture.levels < header.level_count)
        facet_report_add(report, "BTI-LEVELS", FACET_SEVERITY_WARNING, 0x18,
                         "%u mip levels are promised, but there are %u", header.level_count,
                         texture.levels);
    else if (texture.levels > 1)
        facet_report_add(report, "BTI-LEVELS", FACET_SEVERITY_NOTE, 0x18,
                         "of %u mip levels the largest is read; a writer makes the others anew",
                         texture.levels);
    return FACET_OK;
}

static facet_status read_scene(const facet_source *source, const facet_load_options *load,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    (void)load;
    facet_scene *made = NULL;
    facet_status status = facet_scene_create(options, &made, error);
    if (!status)
        status = fill_image(source, made, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

/* -- Out ---------------------------------------------------------------- */

/* What an image says of the texture it was; *known is false when nothing. */
static facet_status known_header(const facet_image *image, facet_arena *scratch,
                                 facet_bti_header *header, bool *known, facet_error *error)
{
    facet_j3d_texture_state *textures = NULL;
    uint32_t count = 0;
    facet_status status =
        facet_j3d_textures_from_extras(image->extras, scratch, &textures, &count, error);
    *known = !status && count > 0;
    if (*known)
        *header = textures[0].header;
    return status;
}

/* Space for a palette: the hardware's loader takes 16 entries, or 256. */
static size_t palette_capacity(uint32_t count)
{
    if (count == 0)
        return 0;
    return count <= 16 ? 32 : count <= 256 ? 512 : facet_align_up((size_t)count * 2, 32);
}

static void put_texture(const facet_bti_header *header, const facet_gx_texture *texture,
                        facet_output *output)
{
    static const uint8_t zeros[512];
    uint8_t bytes[FACET_BTI_HEADER_SIZE];
    facet_bti_header h = *header;
    size_t entries = (size_t)texture->palette.count * 2;
    size_t space = palette_capacity(texture->palette.count);
    h.palette_offset = FACET_BTI_HEADER_SIZE;
    h.image_offset = (uint32_t)(FACET_BTI_HEADER_SIZE + space);
    facet_bti_header_store(&h, bytes);
    facet_output_write(output, bytes, sizeof bytes);
    if (space > 0) {
        facet_output_write(output, texture->palette.entries, entries);
        facet_output_write(output, zeros, space - entries);
    }
    facet_output_write(output, texture->data, texture->size);
}

static facet_status write_image(const facet_image *source, facet_arena *scratch,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    facet_image image = *source; /* pixels decoded here go with the copy */
    facet_bti_header before, header;
    facet_gx_texture_options how;
    facet_gx_texture texture;
    bool known = false;
    facet_status status = known_header(source, scratch, &before, &known, error);
    if (!status)
        status = facet_image_decode(scratch, &image, options, error);
    if (!status)
        status = facet_bti_encoding(options, known ? &before : NULL, &how, error);
    if (!status)
        status = facet_gx_encode_image(scratch, &image, &how, options, &texture, error);
    if (status)
        return status;
    facet_bti_header_for(&texture, known ? &before : NULL, &header);
    put_texture(&header, &texture, output);
    return FACET_OK;
}

static facet_status write_scene(const facet_scene *scene, const facet_options *options,
                                facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    if (scene->image_count != 1 || scene->mesh_count != 0)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "IMAGE-SCENE", FACET_NO_OFFSET,
                          "a texture file holds one image, not %u meshes and %u images; 'extract' "
                          "takes a scene's images out",
                          scene->mesh_count, scene->image_count);
    facet_status status = facet_arena_create(options, &scratch, error);
    if (!status)
        status = write_image(&scene->images[0], scratch, options, output, error);
    facet_arena_free(scratch);
    return status;
}

/* Byte for byte, as long as it is a texture. */
static facet_status copy(const facet_source *source, const facet_options *options,
                         facet_output *output, facet_error *error)
{
    facet_bti_header header;
    facet_gx_texture texture;
    (void)options;
    facet_status status = read_texture(source, &header, &texture, error);
    if (!status)
        facet_output_write(output, source->data, source->size);
    return status;
}

/* -- Check -------------------------------------------------------------- */

/* Texels whose index has no entry are only found by decoding them. */
static facet_status check_indices(const facet_source *source, const facet_options *options,
                                  facet_report *report, facet_error *error)
{
    facet_bti_header header;
    facet_gx_texture texture;
    if (read_texture(source, &header, &texture, NULL))
        return FACET_OK; /* said already */
    if (facet_gx_palette_limit(texture.format) == 0)
        return FACET_OK;
    facet_arena *scratch = NULL;
    facet_options reporting = {0};
    if (options)
        reporting = *options;
    reporting.report = report;
    facet_status status = facet_arena_create(options, &scratch, error);
    if (status)
        return status;
    size_t stride = (size_t)texture.width * 4;
    uint8_t *rgba = facet_arena_allocate(scratch, texture.height, stride);
    if (!rgba)
        status = facet_fail_memory(error, texture.height * stride);
    for (uint32_t level = 0; level < texture.levels && !status; level++)
        status = facet_gx_decode(&texture, level, &reporting, rgba, stride, error);
    facet_arena_free(scratch);
    return status;
}

static facet_status check(const facet_source *source, const facet_options *options,
                          facet_report *report, facet_error *error)
{
    facet_bti_header header;
    facet_error fault;
    if (read_header(source, &header, &fault)) {
        facet_report_add(report, "BTI-HEADER", FACET_SEVERITY_ERROR, fault.offset, "%s",
                         fault.message);
        return FACET_OK;
    }
    facet_bti_check_header(&header, source->size, 0, report);
    return check_indices(source, options, report, error);
}

/* -- Describe ----------------------------------------------------------- */

static void name_value(facet_arena *arena, facet_tree *tree, const char *key,
                       const facet_gx_enumeration *names, uint32_t value)
{
    const char *name = facet_gx_enumeration_name(names, value);
    if (name)
        facet_tree_string(arena, tree, key, name);
    else
        facet_tree_integer(arena, tree, key, value);
}

static facet_status describe(const facet_source *source, const facet_options *options,
                             facet_description *description, facet_error *error)
{
    (void)options;
    facet_arena *arena = description->arena;
    facet_tree *tree = description->detail;
    facet_bti_header h;
    facet_gx_texture texture;
    facet_status status = read_texture(source, &h, &texture, error);
    if (status)
        return status;
    description->images = 1;
    facet_tree_integer(arena, tree, "width", h.width);
    facet_tree_integer(arena, tree, "height", h.height);
    facet_tree_string(arena, tree, "format", facet_gx_format_name(texture.format));
    facet_tree_integer(arena, tree, "levels", texture.levels);
    facet_tree_integer(arena, tree, "transparency", h.transparency);
    if (facet_gx_palette_limit(texture.format) > 0) {
        facet_tree *palette = facet_tree_object(arena, tree, "palette");
        facet_tree_string(arena, palette, "format",
                          facet_gx_palette_format_name(texture.palette.format));
        facet_tree_integer(arena, palette, "entries", texture.palette.count);
    }
    name_value(arena, tree, "wrap_s", &facet_gx_wraps, h.wrap_s);
    name_value(arena, tree, "wrap_t", &facet_gx_wraps, h.wrap_t);
    name_value(arena, tree, "min_filter", &facet_gx_filters, h.min_filter);
    name_value(arena, tree, "mag_filter", &facet_gx_filters, h.mag_filter);
    name_value(arena, tree, "anisotropy", &facet_gx_anisotropies, h.max_anisotropy);
    facet_tree_real(arena, tree, "min_lod", h.min_lod / 8.0);
    facet_tree_real(arena, tree, "max_lod", h.max_lod / 8.0);
    facet_tree_real(arena, tree, "lod_bias", h.lod_bias / 100.0);
    facet_tree_boolean(arena, tree, "edge_lod", h.edge_lod != 0);
    facet_tree_boolean(arena, tree, "lod_bias_clamp", h.lod_bias_clamp != 0);
    return FACET_OK;
}

/* -- Extract ------------------------------------------------------------ */

/* The picture, and beside it what the header says: textures.json, as a model's. */
static facet_status extract(const facet_source *source, const facet_options *options,
                            const facet_extractor *extractor, facet_error *error)
{
    facet_scene *scene = NULL;
    facet_bti_header header;
    one_texture one;
    facet_status status = read_scene(source, NULL, options, &scene, error);
    if (!status)
        status = facet_extract_images(scene, options, extractor, error);
    if (!status) {
        facet_bti_header_load(source->data, &header);
        make_document(&header, scene->images[0].name, &one);
        const char *json = facet_j3d_textures_json(&one.document, scene->arena);
        status = json ? extractor->put(extractor->user, "textures.json", json, strlen(json), error)
                      : facet_fail_memory(error, sizeof header);
    }
    facet_scene_free(scene);
    return status;
}

/* -- The table's line --------------------------------------------------- */

static const char *const extensions[] = {".bti", NULL};

const facet_format facet_format_bti = {
    .name = "bti",
    .title = "GameCube and Wii texture",
    .extensions = extensions,
    .probe = probe,
    .read = read_scene,
    .write = write_scene,
    .check = check,
    .describe = describe,
    .copy = copy,
    .extract = extract,
};
