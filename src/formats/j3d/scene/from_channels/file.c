/* formats/j3d/scene/from_channels/file.c - animations whose files ride in a scene's extras. */
#include "formats/j3d/scene/from_channels/file.h"
#include "base/json.h"

#include "base/arena.h"
#include "base/base64.h"
#include "base/error.h"

#include <string.h>

/* The only file of the kind, or that of this name; *count has how many there are. */
static const facet_json *find_file(const facet_json *list, const char *kind, const char *name,
                                   size_t *count)
{
    const facet_json *found = NULL;
    *count = 0;
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *each = facet_json_array_get(list, i);
        const char *its_kind = facet_json_string_value(facet_json_object_get(each, "kind"));
        const char *its_name = facet_json_string_value(facet_json_object_get(each, "name"));
        if (!its_kind || strcmp(its_kind, kind) != 0)
            continue;
        if (name && (!its_name || strcmp(its_name, name) != 0))
            continue;
        found = each;
        ++*count;
    }
    return *count == 1 ? found : NULL;
}

facet_status facet_j3d_animation_unpack_file(const facet_json *file, const facet_options *options,
                                             facet_j3d_animation **document, facet_error *error)
{
    const facet_json *text = facet_json_object_get(file, "file");
    const char *name = facet_json_string_value(facet_json_object_get(file, "name"));
    facet_arena *scratch = NULL;
    uint8_t *bytes = NULL, *kept = NULL;
    size_t size = 0;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    if (!facet_json_is_string(text) ||
        !facet_base64_decode(scratch, facet_json_string_value(text), facet_json_string_length(text),
                             &bytes, &size))
        status = facet_fail(error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET,
                            "extras: the file of an animation is no base64");
    facet_source source = facet_source_from_memory(bytes, size, name);
    facet_j3d_animation *probe = NULL;
    if (!status)
        status = facet_j3d_animation_read(&source, options, &probe, error);
    if (!status) {
        kept = facet_arena_allocate(probe->arena, size, 1);
        if (kept)
            memcpy(kept, bytes, size);
        else
            status = facet_fail_arena(probe->arena, error);
    }
    if (!status)
        facet_j3d_animation_move_bytes(probe, bytes, kept);
    facet_arena_free(scratch);
    if (status)
        facet_j3d_animation_free(probe);
    else
        *document = probe;
    return status;
}

facet_status facet_j3d_animation_read_stored(const facet_animation *animation,
                                             facet_j3d_animation_kind kind,
                                             const facet_options *options, facet_j3d_stored *stored,
                                             facet_error *error)
{
    facet_json *root = NULL;
    const facet_json *extras = facet_gx_json_of_extras(animation->extras, "animation", &root);
    const facet_json *loop = facet_json_object_get(extras, "loop");
    double rate = facet_json_number_value(facet_json_object_get(extras, "rate"));
    facet_options quiet = options ? *options : (facet_options){0};
    facet_status status = FACET_OK;
    facet_error why;
    quiet.report = NULL;
    *stored = (facet_j3d_stored){.rate = rate > 0 ? rate : 0, .loop = -1};
    if (facet_json_is_integer(loop))
        stored->loop = (int)facet_json_integer_value(loop) & 0xFF;
    if (facet_json_is_string(facet_json_object_get(extras, "file")))
        status = facet_j3d_animation_unpack_file(extras, &quiet, &stored->file, &why);
    facet_json_free(root);
    if (stored->file && stored->file->kind != kind) {
        facet_j3d_animation_free(stored->file);
        stored->file = NULL;
    }
    if (!facet_lacks_memory(status))
        return FACET_OK;
    if (error)
        *error = why;
    return status;
}

facet_status facet_j3d_animation_take_file(const facet_scene *scene, facet_j3d_animation_kind kind,
                                           const facet_options *options,
                                           facet_j3d_animation **document, facet_error *error)
{
    const char *clip = options && options->j3d ? options->j3d->clip : NULL;
    const char *name = facet_j3d_animation_kind_name(kind);
    facet_json *root = NULL;
    size_t count;
    const facet_json *list = facet_gx_json_of_extras(scene->extras, "animations", &root);
    const facet_json *file = find_file(list, name, clip, &count);
    facet_status status =
        file ? facet_j3d_animation_unpack_file(file, options, document, error)
             : facet_fail(error, count == 0 ? FACET_ERROR_UNSUPPORTED : FACET_ERROR_ARGUMENT,
                          "J3D-CLIP", FACET_NO_OFFSET,
                          count == 0 ? "no %s%s rides in the scene's extras"
                                     : "several files %s%s ride in the scene's extras",
                          name, clip ? " of that name" : "");
    facet_json_free(root);
    if (!status && (*document)->kind != kind) {
        facet_j3d_animation_free(*document);
        status = facet_fail(error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET,
                            "extras: the file of an animation is of another kind than it says");
    }
    return status;
}
