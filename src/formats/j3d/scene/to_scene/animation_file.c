/* formats/j3d/scene/to_scene/animation_file.c - animation files in a scene: those with channels,
 * and those that are only embedded. */
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/animation/animation.h"
#include "gx/json/file_part.h"
#include "gx/json/text.h"

#include <facet/pose.h>
#include <stdlib.h>
#include <string.h>

bool facet_j3d_animation_pack_file(const facet_j3d_animation *document,
                                   const facet_options *options, facet_arena *arena,
                                   facet_gx_file_animation *file)
{
    facet_j3d_animation_image image;
    if (facet_j3d_animation_image_make(document, options, &image, NULL))
        return false;
    uint8_t *bytes = facet_arena_allocate(arena, image.size, 1);
    if (bytes)
        memcpy(bytes, image.bytes, image.size);
    *file = (facet_gx_file_animation){.kind = facet_j3d_animation_kind_name(document->kind),
                                      .loop = -1,
                                      .bytes = bytes,
                                      .size = image.size};
    facet_j3d_animation_image_free(&image);
    return bytes != NULL;
}

/* Print the extras, including embedded files. */
static facet_status print(facet_scene *scene, facet_gx_file_part *part, facet_error *error)
{
    facet_json *root = facet_json_read_text(scene->extras);
    if (!facet_json_is_object(root)) {
        facet_json_free(root);
        root = facet_json_object();
    }
    bool ok = facet_gx_file_part_put(part, root, scene->arena);
    const char *text = facet_gx_json_extras_text(facet_gx_json_if(ok, root), scene->arena);
    if (!text)
        return facet_fail_arena(scene->arena, error);
    scene->extras = part->extras = text;
    return FACET_OK;
}

/* Let an animation in which nothing moves last as long as its file. False if out of memory. */
static bool keep_length(const facet_j3d_animation *document, double rate, facet_arena *arena,
                        const facet_animation *animation)
{
    facet_channel *first = animation->channels;
    if (animation->channel_count == 0 || document->frames < 1 ||
        facet_animation_duration(animation) > 0)
        return true;
    float *times = facet_arena_allocate(arena, 2, sizeof *times);
    size_t size = first->width * (first->interpolation == FACET_INTERPOLATION_CUBIC ? 3u : 1u) *
                  sizeof *first->values;
    float *values = facet_arena_allocate(arena, 2, size);
    if (!times || !values)
        return false;
    times[0] = 0;
    times[1] = (float)(document->frames / rate);
    memcpy(values, first->values, size);
    memcpy((uint8_t *)values + size, first->values, size);
    first->times = times;
    first->values = values;
    first->key_count = 2;
    return true;
}

bool facet_j3d_animation_finish(const facet_j3d_animation *document, double rate,
                                facet_arena *arena, facet_animation *animation)
{
    facet_gx_file_part *part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    facet_gx_file_animation *file = facet_arena_allocate_zeroed(arena, 1, sizeof *file);
    if (!part || !file || !facet_j3d_animation_pack_file(document, NULL, arena, file))
        return false;
    file->frames = document->frames;
    file->loop = document->loop;
    file->rate = rate;
    part->motion = file;
    animation->gx_file = part;
    return keep_length(document, rate, arena, animation);
}

facet_status facet_j3d_animation_carry(const facet_j3d_animation *document,
                                       const facet_options *options, facet_scene *scene,
                                       facet_error *error)
{
    facet_arena *arena = scene->arena;
    facet_gx_file_part *part;
    TRY(facet_gx_file_part_now(scene->extras, scene->gx_file, arena, &part, error));
    if (!part)
        part = facet_arena_allocate_zeroed(arena, 1, sizeof *part);
    uint32_t count = part ? part->carried_count : 0;
    const char *name = facet_arena_string(arena, document->name ? document->name : "",
                                          document->name ? strlen(document->name) : 0);
    facet_gx_file_animation *items =
        part ? facet_arena_resize(arena, part->carried, count, count + 1, sizeof *items) : NULL;
    if (!items || !name || !facet_j3d_animation_pack_file(document, options, arena, &items[count]))
        return facet_fail_arena(arena, error);
    items[count].name = name;
    part->carried = items;
    part->carried_count = count + 1;
    scene->gx_file = part;
    if (scene->extras)
        TRY(print(scene, part, error));
    facet_quoted quoted;
    facet_report_add(options ? options->report : NULL, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "the %s '%s' changes nothing that the scene shows: it is kept in the extras",
                     facet_j3d_animation_kind_name(document->kind),
                     facet_quote(&quoted, name, strlen(name)));
    return FACET_OK;
}
