/* formats/j3d/scene/to_scene/animation_file.c - animation files in a scene: those with channels,
 * and those that are only embedded. */
#include "formats/j3d/scene/to_scene/animation.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/animation/animation.h"
#include "gx/json/file_part.h"
#include "gx/json/text.h"

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
