/* convert/extract.c - extraction of the parts of a file, or of the images of its scene. */
#include "base/budget.h"
#include "base/error.h"
#include "convert/decoded_source.h"
#include "image/image.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/image.h>

static facet_status extract_plain(const facet_source *source, const facet_format *format,
                                  const facet_options *options, const facet_extractor *extractor,
                                  facet_error *error)
{
    facet_scene *scene = NULL;
    if (!format)
        format = facet_format_probe(source);
    if (format && format->extract)
        return format->extract(source, options, extractor, error);
    facet_status status = facet_load(source, format, NULL, options, &scene, error);
    if (!status)
        status = facet_extract_images(scene, options, extractor, error);
    facet_scene_free(scene);
    return status;
}

/* Limits the total size of the parts. Parts may share bytes: many textures may use one image. */
typedef struct bounded {
    const facet_extractor *to;
    facet_budget budget;
} bounded;

static facet_status put_bounded(void *user, const char *name, const void *data, size_t size,
                                facet_error *error)
{
    bounded *b = user;
    TRY(facet_budget_spend(&b->budget, size, "pieces of the file", error));
    return b->to->put(b->to->user, name, data, size, error);
}

facet_status facet_extract(const facet_source *source, const facet_format *format,
                           const facet_options *options, const facet_extractor *extractor,
                           facet_error *error)
{
    facet_plain plain;
    TRY(facet_plain_open(source, options, &plain, error));
    bounded b = {extractor, facet_budget_of(options, plain.source.size, FACET_BUDGET_WORK)};
    facet_extractor each = {put_bounded, &b};
    facet_status status = extract_plain(&plain.source, format, options, &each, error);
    facet_plain_close(&plain);
    if (status)
        facet_error_set_file(error, source->name);
    return status;
}
