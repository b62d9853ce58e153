/* formats/j3d/scene/from_channels/file.c - animation files embedded in a scene. */
#include "formats/j3d/scene/from_channels/file.h"

#include "base/arena.h"
#include "base/error.h"
#include "gx/json/file_part.h"

#include <string.h>

/* Find the only file of the kind, or the one with this name. *count is the number of matches. */
static const facet_gx_file_animation *find_file(const facet_gx_file_part *part, const char *kind,
                                                const char *name, size_t *count)
{
    const facet_gx_file_animation *found = NULL;
    *count = 0;
    for (uint32_t i = 0; part && i < part->carried_count; i++) {
        const facet_gx_file_animation *each = &part->carried[i];
        if (!each->kind || strcmp(each->kind, kind) != 0)
            continue;
        if (name && (!each->name || strcmp(each->name, name) != 0))
            continue;
        found = each;
        ++*count;
    }
    return *count == 1 ? found : NULL;
}

facet_status facet_j3d_animation_unpack_file(const facet_gx_file_animation *file,
                                             const facet_options *options,
                                             facet_j3d_animation **document, facet_error *error)
{
    if (!file->bytes)
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET,
                          "extras: the file of an animation is not base64");
    facet_source source = facet_source_from_memory(file->bytes, file->size, file->name);
    facet_j3d_animation *probe = NULL;
    TRY(facet_j3d_animation_read(&source, options, &probe, error));
    uint8_t *kept = facet_arena_allocate(probe->arena, file->size, 1);
    if (!kept) {
        facet_status status = facet_fail_arena(probe->arena, error);
        facet_j3d_animation_free(probe);
        return status;
    }
    memcpy(kept, file->bytes, file->size);
    facet_j3d_animation_move_bytes(probe, file->bytes, kept);
    *document = probe;
    return FACET_OK;
}

static facet_status read_stored(const facet_gx_file_animation *file, facet_j3d_animation_kind kind,
                                const facet_options *options, facet_j3d_stored *stored,
                                facet_error *error)
{
    facet_options quiet = options ? *options : (facet_options){0};
    facet_status status = FACET_OK;
    facet_error why;
    quiet.report = NULL;
    stored->rate = file->rate;
    stored->loop = file->loop;
    if (file->bytes)
        status = facet_j3d_animation_unpack_file(file, &quiet, &stored->file, &why);
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

/* Read the file that is replaced, if the extras have none. */
static facet_status read_replaced(const facet_source *source, facet_j3d_animation_kind kind,
                                  const facet_options *options, facet_j3d_stored *stored,
                                  facet_error *error)
{
    const facet_gx_file_animation file = {
        .rate = stored->rate, .loop = -1, .bytes = source->data, .size = source->size};
    int loop = stored->loop;
    TRY(read_stored(&file, kind, options, stored, error));
    stored->loop = loop < 0 && stored->file ? stored->file->loop : loop;
    return FACET_OK;
}

facet_status facet_j3d_animation_read_stored(const facet_animation *animation,
                                             facet_j3d_animation_kind kind,
                                             const facet_options *options, facet_j3d_stored *stored,
                                             facet_error *error)
{
    facet_arena *scratch;
    facet_gx_file_part *part;
    *stored = (facet_j3d_stored){.loop = -1};
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status =
        facet_gx_file_part_now(animation->extras, animation->gx_file, scratch, &part, error);
    if (!status && part && part->motion)
        status = read_stored(part->motion, kind, options, stored, error);
    facet_arena_free(scratch);
    const facet_source *replaced = options && options->j3d ? options->j3d->replaced : NULL;
    if (!status && !stored->file && replaced)
        status = read_replaced(replaced, kind, options, stored, error);
    return status;
}

static facet_status take_file(const facet_gx_file_part *part, facet_j3d_animation_kind kind,
                              const facet_options *options, facet_j3d_animation **document,
                              facet_error *error)
{
    const char *clip = options && options->j3d ? options->j3d->clip : NULL;
    const char *name = facet_j3d_animation_kind_name(kind);
    size_t count;
    const facet_gx_file_animation *file = find_file(part, name, clip, &count);
    if (!file)
        return facet_fail(error, count == 0 ? FACET_ERROR_UNSUPPORTED : FACET_ERROR_ARGUMENT,
                          "J3D-CLIP", FACET_NO_OFFSET,
                          count == 0 ? "the scene's extras hold no %s%s"
                                     : "the scene's extras hold several files %s%s",
                          name, clip ? " of that name" : "");
    TRY(facet_j3d_animation_unpack_file(file, options, document, error));
    if ((*document)->kind == kind)
        return FACET_OK;
    facet_j3d_animation_free(*document);
    return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-JSON", FACET_NO_OFFSET,
                      "extras: the file of an animation is of another kind than it says");
}

facet_status facet_j3d_animation_take_file(const facet_scene *scene, facet_j3d_animation_kind kind,
                                           const facet_options *options,
                                           facet_j3d_animation **document, facet_error *error)
{
    facet_arena *scratch;
    facet_gx_file_part *part;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status =
        facet_gx_file_part_now(scene->extras, scene->gx_file, scratch, &part, error);
    if (!status)
        status = take_file(part, kind, options, document, error);
    facet_arena_free(scratch);
    return status;
}
