/* image/format.c - images in the format table, as scenes with one image. */
#include "scene/format.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/tree.h"
#include "image/image.h"
#include "scene/scene.h"

#include <string.h>

/* -- Reading ------------------------------------------------------------ */

static facet_status read_image(const facet_source *source, const facet_load_options *load,
                               const facet_options *options, facet_scene **scene,
                               facet_error *error)
{
    (void)load;
    facet_scene *made = NULL;
    facet_image *image = NULL;
    TRY(facet_scene_create(options, &made, error));
    const char *name = source->name ? source->name : "";
    const char *slash = strrchr(name, '/');
    facet_status status = facet_scene_add_image(made, slash ? slash + 1 : name, &image, error);
    if (!status) {
        uint8_t *data = facet_scene_allocate(made, source->size, 1);
        if (data) {
            memcpy(data, source->data, source->size);
            image->data = data;
            image->size = source->size;
            image->media_type = facet_image_media_type(data, source->size);
            status = facet_image_decode(made->arena, image, options, error);
        } else {
            status = facet_fail_memory(error, source->size);
        }
    }
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

static facet_status describe_image(const facet_source *source, const facet_options *options,
                                   facet_description *description, facet_error *error)
{
    facet_scene *scene = NULL;
    TRY(read_image(source, NULL, options, &scene, error));
    const facet_image *image = scene->images[0];
    description->images = 1;
    facet_tree_integer(description->arena, description->detail, "width", image->width);
    facet_tree_integer(description->arena, description->detail, "height", image->height);
    facet_tree_integer(description->arena, description->detail, "channels", image->channels);
    facet_tree_string(description->arena, description->detail, "samples",
                      image->is_float ? "float" : "8-bit");
    facet_scene_free(scene);
    return FACET_OK;
}

/* Check an image by decoding it; images have no other rules. */
static facet_status check_image(const facet_source *source, const facet_options *options,
                                facet_report *report, facet_error *error)
{
    facet_options reporting = {0};
    if (options)
        reporting = *options;
    reporting.report = report;
    facet_scene *scene = NULL;
    facet_error fault;
    facet_status status = read_image(source, NULL, &reporting, &scene, &fault);
    facet_scene_free(scene);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT) {
        facet_report_add(report, "IMAGE-DAMAGED", FACET_SEVERITY_ERROR, fault.offset, "%s",
                         fault.message);
        return FACET_OK;
    }
    if (status && error)
        *error = fault;
    return status;
}

/* -- Writing ------------------------------------------------------------ */

static facet_status write_image(const facet_scene *scene, const char *media_type,
                                const facet_options *options, facet_output *output,
                                facet_error *error)
{
    TRY(facet_scene_check_image(scene, "an image file", error));
    if (facet_image_has_extras(scene->images[0]))
        facet_report_add(options ? options->report : NULL, "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "other data of image '%s', such as its filter, is not written",
                         scene->images[0]->name);
    /* The caller's scene must not change: pixels decoded here are freed with the copy. */
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    facet_image image = *scene->images[0];
    facet_status status = facet_image_decode(scratch, &image, options, error);
    if (!status)
        status = facet_image_encode(&image, media_type, 0, options, output, error);
    facet_arena_free(scratch);
    return status;
}

static facet_status write_png(const facet_scene *scene, const facet_options *options,
                              facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return write_image(scene, "image/png", options, output, error);
}

static facet_status write_jpeg(const facet_scene *scene, const facet_options *options,
                               facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return write_image(scene, "image/jpeg", options, output, error);
}

static facet_status write_hdr(const facet_scene *scene, const facet_options *options,
                              facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return write_image(scene, "image/vnd.radiance", options, output, error);
}

/* -- Lines of the table ------------------------------------------------- */

/* True for a BMP. Text can also begin with its two letters, so the following header must have a
 * known length, from OS/2's 12 bytes to Windows' 124. */
static bool is_bitmap(const facet_source *source)
{
    enum { FILE_HEADER = 14 };
    if (source->size < FILE_HEADER + 4)
        return false;
    uint32_t length = facet_load_u32le(source->data + FILE_HEADER);
    return length >= 12 && length <= 124;
}

static int probe(const facet_source *source, const char *media_type)
{
    if (strcmp(facet_image_media_type(source->data, source->size), media_type) != 0)
        return 0;
    /* Without a magic number, or with two letters, the format is uncertain. */
    if (strcmp(media_type, "image/x-tga") == 0)
        return 5;
    if (strcmp(media_type, "image/bmp") == 0)
        return is_bitmap(source) ? 80 : 5;
    return 100;
}

#define IMAGE_FORMAT(format_name, format_title, media_type, writer, ...)                     \
    static int probe_##format_name(const facet_source *source)                               \
    {                                                                                        \
        return probe(source, media_type);                                                    \
    }                                                                                        \
    static const char *const format_name##_extensions[] = {__VA_ARGS__, NULL};               \
    const facet_format facet_format_##format_name = {.name = #format_name,                   \
                                                     .title = format_title,                  \
                                                     .extensions = format_name##_extensions, \
                                                     .probe = probe_##format_name,           \
                                                     .image = true,                          \
                                                     .read = read_image,                     \
                                                     .write = writer,                        \
                                                     .check = check_image,                   \
                                                     .describe = describe_image};

IMAGE_FORMAT(png, "Portable Network Graphics", "image/png", write_png, ".png")
IMAGE_FORMAT(jpeg, "JPEG image", "image/jpeg", write_jpeg, ".jpg", ".jpeg")
IMAGE_FORMAT(tga, "Targa image", "image/x-tga", NULL, ".tga")
IMAGE_FORMAT(bmp, "Windows bitmap", "image/bmp", NULL, ".bmp")
IMAGE_FORMAT(psd, "Photoshop document", "image/vnd.adobe.photoshop", NULL, ".psd")
IMAGE_FORMAT(hdr, "Radiance HDR image", "image/vnd.radiance", write_hdr, ".hdr")
