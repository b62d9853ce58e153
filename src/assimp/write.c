/* assimp/write.c - a scene to PLY, STL, COLLADA or FBX. */
#include "assimp/assimp.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

facet_status assimp_write_no_memory(const assimp_writer *w, uint64_t count, size_t size)
{
    size_t bytes = count > SIZE_MAX / (size ? size : 1) ? SIZE_MAX : (size_t)count * size;
    return facet_fail_memory(w->error, bytes);
}

void assimp_lose(const assimp_writer *w, const char *rule, const char *format, ...)
{
    char sentence[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add(w->report, rule, FACET_SEVERITY_WARNING, FACET_NO_OFFSET, "%s", sentence);
}

void assimp_set_text(struct aiString *to, const char *text)
{
    size_t length = strnlen(text, TEXT_CAPACITY - 1);
    while (length > 0 && !facet_utf8_valid(text, length) && text[length] != '\0')
        length--; /* not in the middle of a character */
    memcpy(to->data, text, length);
    to->data[length] = '\0';
    to->length = (ai_uint32)length;
}

/* -- What no target holds ----------------------------------------------- */

static void say_losses(const assimp_writer *w)
{
    const facet_scene *scene = w->scene;
    const char *name = w->target->name;
    if (scene->hull_count > 0)
        assimp_lose(w, "LOSS-HULLS", "collision hulls have no place in a %s file", name);
    if (scene->occluder)
        assimp_lose(w, "LOSS-OCCLUDER", "the occluder has no place in a %s file", name);
    if (scene->extras)
        assimp_lose(w, "LOSS-EXTRAS", "the extras of the scene are not written to %s", name);
    bool morphs = false;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        morphs |= scene->meshes[i]->morph_count > 0;
    if (morphs && !w->target->morphs)
        assimp_lose(w, "LOSS-MORPH", "morph targets have no place in a %s file", name);
    if (w->target->scene)
        return;
    if (scene->skin_count > 0)
        assimp_lose(w, "LOSS-SKIN", "skins have no place in a %s file", name);
    if (scene->animation_count > 0)
        assimp_lose(w, "LOSS-ANIMATION", "animations have no place in a %s file", name);
    if (scene->image_count > 0)
        assimp_lose(w, "LOSS-IMAGES", "images have no place in a %s file", name);
}

/* -- Writing ------------------------------------------------------------ */

/* assimp's binary PLY says that colors are bytes and writes floats. */
static const char *id_of(const assimp_writer *w)
{
    bool colors = false;
    for (uint32_t i = 0; i < w->to.mNumMeshes; i++)
        colors |= w->to.mMeshes[i]->mColors[0] != NULL;
    return !colors || w->target->scene || w->target->soup ? w->target->id : "ply";
}

static facet_status build(assimp_writer *w)
{
    facet_status status = assimp_name_nodes(w);
    if (!status)
        status = assimp_write_meshes(w);
    if (!status)
        status = assimp_write_nodes(w);
    if (!status && w->target->scene)
        status = assimp_write_images(w);
    if (!status)
        status = assimp_write_materials(w);
    if (!status && w->target->scene)
        status = assimp_write_skins(w);
    if (!status && w->target->morphs)
        status = assimp_write_morphs(w);
    if (!status && w->target->scene)
        status = assimp_write_animations(w);
    if (!status && w->target->has_frame)
        status = assimp_write_metadata(w);
    return status;
}

static facet_status write_once(assimp_writer *w, facet_output *output, bool *images_refused)
{
    *images_refused = false;
    facet_status status = facet_arena_create(w->options, &w->scratch, w->error);
    if (status)
        return status;
    status = build(w);
    if (!status)
        status = assimp_export(w, id_of(w), output, images_refused);
    facet_arena_free(w->scratch);
    return status;
}

facet_status assimp_write(const facet_scene *scene, const assimp_target *target,
                          const facet_options *options, facet_output *output, facet_error *error)
{
    facet_report *report = options ? options->report : NULL;
    assimp_writer w = {
        .target = target, .scene = scene, .options = options, .report = report, .error = error};
    say_losses(&w);
    bool images_refused;
    facet_status status = write_once(&w, output, &images_refused);
    if (status && images_refused) {
        /* A stream has no place for files beside it. */
        assimp_lose(&w, "LOSS-IMAGES",
                    "images are written by name only: no second file can stand "
                    "beside a stream");
        assimp_writer again = {
            .target = target, .scene = scene, .options = options, .error = error};
        again.drop_images = true;
        status = write_once(&again, output, &images_refused);
    }
    return status;
}
