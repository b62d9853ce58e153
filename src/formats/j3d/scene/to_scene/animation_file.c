/* formats/j3d/scene/to_scene/animation_file.c - animations that a scene has no channels for: their
 * files ride in its extras, {"j3d": {"animations": [{"name", "kind", "file"}]}}. */
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/animation/animation.h"
#include "gx/json/text.h"

#include <stdlib.h>
#include <string.h>

static facet_json *file_of(const facet_j3d_animation *document, const facet_options *options,
                           facet_arena *arena)
{
    facet_j3d_animation_image image;
    if (facet_j3d_animation_image_make(document, options, &image, NULL))
        return NULL;
    const char *bytes = facet_base64_encode(arena, image.bytes, image.size);
    const char *name = document->name ? document->name : "";
    facet_json *file = facet_json_object();
    bool ok = bytes && facet_gx_json_put(file, "name", facet_json_string(name)) &&
              facet_gx_json_put(file, "kind",
                                facet_json_string(facet_j3d_animation_kind_name(document->kind))) &&
              facet_gx_json_put(file, "file", facet_json_string(bytes));
    facet_j3d_animation_image_free(&image);
    return facet_gx_json_if(ok, file);
}

/* The object of a key, made when it is not there; NULL without memory. */
static facet_json *child(facet_json *object, const char *key, bool is_list)
{
    facet_json *found = facet_json_object_get(object, key);
    if (is_list ? facet_json_is_array(found) : facet_json_is_object(found))
        return found;
    found = is_list ? facet_json_array() : facet_json_object();
    return facet_gx_json_put(object, key, found) ? found : NULL;
}

facet_status facet_j3d_animation_carry(const facet_j3d_animation *document,
                                       const facet_options *options, facet_scene *scene,
                                       facet_error *error)
{
    facet_json *root = facet_json_read_text(scene->extras);
    if (!facet_json_is_object(root)) {
        facet_json_free(root);
        root = facet_json_object();
    }
    facet_json *j3d = child(root, "j3d", false),
               *list = j3d ? child(j3d, "animations", true) : NULL;
    bool ok = list && facet_gx_json_append(list, file_of(document, options, scene->arena));
    char *text = ok ? facet_json_print(root, &(facet_json_style){.digits = 9}) : NULL;
    facet_json_free(root);
    const char *kept = text ? facet_arena_string(scene->arena, text, strlen(text)) : NULL;
    free(text);
    if (!kept)
        return facet_fail_arena(scene->arena, error);
    scene->extras = kept;
    facet_quoted quoted;
    const char *name = document->name ? document->name : "";
    facet_report_add(options ? options->report : NULL, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "the %s '%s' is no motion of nodes: it rides in the extras, and is not shown",
                     facet_j3d_animation_kind_name(document->kind),
                     facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}
