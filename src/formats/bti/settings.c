/* formats/bti/settings.c - options for textures, applied to a copy. */
#include "formats/bti/settings.h"

#include "base/error.h"
#include "gx/bti_settings.h"

#include <facet/scene.h>

/* Encode the texture in another format, or with other mip levels. */
static facet_status encode_again(facet_bti **document, const facet_options *options,
                                 facet_error *error)
{
    facet_scene *scene = NULL;
    facet_bti *made = NULL;
    TRY(facet_bti_to_scene(*document, NULL, options, &scene, error));
    facet_status status = facet_bti_from_scene(scene, options, &made, error);
    facet_scene_free(scene);
    if (status)
        return status;
    facet_bti_free(*document);
    *document = made;
    return FACET_OK;
}

facet_status facet_bti_apply_settings(facet_bti **document, const facet_options *options,
                                      facet_error *error)
{
    if (!options || !options->bti)
        return FACET_OK;
    const char *name = (*document)->name ? (*document)->name : "";
    facet_bti_wanted wanted;
    facet_bti_options settings = *options->bti;
    facet_options left = *options;
    settings.format = NULL;
    settings.levels = 0;
    left.bti = &settings;
    TRY(facet_bti_find_wanted(&left, name, &wanted, error));
    if (!facet_bti_has_texels(&(*document)->header, &wanted))
        return encode_again(document, &left, error);
    facet_bti_set_sampler(&wanted, &(*document)->header);
    if (wanted.has_wrap_s || wanted.has_wrap_t)
        facet_bti_report_sides(&(*document)->header, name, "BTI-SIZE", options);
    facet_bti_report_unused(options, &name, 1);
    return FACET_OK;
}
