/* formats/iqm/to_scene.c - a file to a scene: +Z up, right-handed, meters, and v = 0 at the top of
 * a texture. Blender's exporter writes its world coordinates, and v as 1 - v. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/iqm/scene.h"
#include "scene/scene.h"

#include <facet/iqm.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Extras ------------------------------------------------------------- */

/* Store the comment and the flags of the header as extras. */
static facet_status add_extras(const facet_iqm_scene_reader *r)
{
    const facet_iqm_layout *layout = r->layout;
    const char *comment = (const char *)layout->raw[FACET_IQM_COMMENT];
    size_t length = comment ? strnlen(comment, layout->count[FACET_IQM_COMMENT]) : 0;
    if (length == 0 && layout->flags == 0)
        return FACET_OK;
    facet_json *values = facet_json_object(), *extras = facet_json_object();
    if (length > 0 && facet_utf8_valid(comment, length))
        facet_json_set(values, "comment", facet_json_text(comment, length));
    else if (length > 0)
        facet_report_add(r->report, "LOSS-EXTRAS", FACET_SEVERITY_WARNING,
                         layout->offset[FACET_IQM_COMMENT],
                         "the comment is not UTF-8, and left out");
    if (layout->flags != 0)
        facet_json_set(values, "flags", facet_json_integer(layout->flags));
    facet_json_set(extras, "iqm", values);
    char *text = facet_json_print(extras, NULL);
    if (text)
        r->scene->extras = facet_arena_string(r->scene->arena, text, strlen(text));
    free(text);
    facet_json_free(extras);
    return r->scene->extras ? FACET_OK : facet_fail_memory(r->error, length);
}

facet_status facet_iqm_report_extensions(const facet_iqm_scene_reader *r)
{
    uint32_t count = r->layout->count[FACET_IQM_EXTENSIONS];
    uint32_t offset = r->layout->offset[FACET_IQM_EXTENSIONS];
    facet_iqm_extension extension;
    facet_quoted quoted;
    for (uint32_t i = 0; i < count && facet_iqm_next_extension(r->layout, &offset, &extension);
         i++) {
        const char *name = facet_iqm_name(r->layout, extension.name);
        facet_report_add(r->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, extension.offset,
                         "the extension '%s' of %" PRIu32 " bytes is left out",
                         facet_quote(&quoted, name, strlen(name)), extension.size);
    }
    return FACET_OK;
}

/* -- The conversion ---------------------------------------------------- */

static facet_status build(facet_iqm_scene_reader *r)
{
    r->scene->axes.up = FACET_AXIS_Z;
    r->scene->axes.unit = 1;
    r->scene->axes.uv_origin_top = true;
    TRY(facet_iqm_add_joints(r));
    TRY(facet_iqm_add_meshes(r));
    TRY(facet_iqm_add_animations(r));
    TRY(add_extras(r));
    TRY(facet_iqm_report_extensions(r));
    TRY(facet_scene_replace_nonfinite(r->scene, r->options, r->error));
    return facet_report_status(r->report, r->error);
}

facet_status facet_iqm_scene_of_layout(const facet_iqm_layout *layout, const facet_options *options,
                                       facet_scene **scene, facet_error *error)
{
    facet_iqm_scene_reader r = {.layout = layout,
                                .options = options,
                                .report = options ? options->report : NULL,
                                .error = error};
    TRY(facet_scene_create(options, &r.scene, error));
    facet_status status = facet_arena_create(options, &r.scratch, error);
    if (!status)
        status = build(&r);
    facet_arena_free(r.scratch);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}

facet_status facet_iqm_to_scene(const facet_iqm *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    (void)load; /* an IQM has no hulls and no images */
    facet_arena *scratch = NULL;
    facet_iqm_layout layout;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = facet_iqm_serialize(document, scratch, &layout, error);
    if (!status)
        status = facet_iqm_scene_of_layout(&layout, options, scene, error);
    facet_arena_free(scratch);
    return status;
}

facet_status facet_iqm_load(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error)
{
    (void)load;
    facet_iqm_layout layout;
    TRY(facet_iqm_view(source->data, source->size, &layout, error));
    TRY(facet_iqm_check_name_growth(&layout, options, error));
    TRY(facet_iqm_verify(&layout, error));
    return facet_iqm_scene_of_layout(&layout, options, scene, error);
}
