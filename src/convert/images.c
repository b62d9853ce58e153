/* convert/images.c - loading of images that a scene only names. */
#include "base/arena.h"
#include "base/error.h"
#include "base/file.h"
#include "base/report.h"
#include "base/table.h"
#include "base/threads.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <facet/gx_material.h>
#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

typedef struct collector {
    facet_scene *scene;
    const facet_source *source;
    const facet_source *folder; /* folder of textures; NULL: none */
    bool encodes;               /* convert other encodings to PNG */
    const char *const *kept;    /* media types that are not converted, NULL-terminated; NULL:
                                   none */
    const facet_options *options;
    facet_error *error;
} collector;

/* -- Bytes -------------------------------------------------------------- */

/* Report a name whose case differs from the file: it is not found on a case-sensitive file system.
 */
static void report_case(const collector *c, const char *base, const facet_source *file)
{
    facet_quoted quoted, found;
    const char *its = file->name ? facet_path_base(file->name) : base;
    if (strcmp(its, base) != 0)
        facet_report_add(c->options ? c->options->report : NULL, "IMAGE-PLACE", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET, "image '%s' does not exist: '%s' is used",
                         facet_quote(&quoted, base, strlen(base)),
                         facet_quote(&found, its, strlen(its)));
}

/* Open a path or one of its ends in the folder of textures; *used becomes what was found. */
static bool open_in_folder(const facet_source *folder, const char *path, facet_source *file,
                           const char **used)
{
    facet_error ignored;
    *used = path;
    return (*path && !facet_source_open_uri(folder, path, file, &ignored)) ||
           facet_source_open_end(folder, path, file, used);
}

/* Open the file of a path. Paths are frequently those of another machine, so their ends are tried
 * next, down to the base name: next to the source, and then in the folder of textures. The error is
 * that of the first attempt. */
static facet_status open_image(const collector *c, const char *path, facet_source *file,
                               facet_error *error)
{
    facet_quoted quoted, found;
    const char *used;
    facet_status first = facet_source_open_uri(c->source, path, file, error);
    if (!first)
        report_case(c, facet_path_base(path), file);
    if (!first || facet_lacks_memory(first))
        return first;
    bool is_near = facet_source_open_end(c->source, path, file, &used);
    if (!is_near && !(c->folder && open_in_folder(c->folder, path, file, &used)))
        return first;
    const char *its =
        used == facet_path_base(path) && file->name ? facet_path_base(file->name) : used;
    facet_report_add(
        c->options ? c->options->report : NULL, "IMAGE-PLACE", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
        "image '%s' does not exist: '%s' %s", facet_quote(&quoted, path, strlen(path)),
        facet_quote(&found, its, strlen(its)),
        is_near ? "next to the file that names it is used" : "in the folder of textures is used");
    return FACET_OK;
}

/* Copy the file that an image names into the scene. FACET_ERROR_IO if it cannot be opened, which
 * the caller tolerates. */
static facet_status load_bytes(const collector *c, facet_image *image, facet_error *error)
{
    facet_source file = {0};
    TRY(open_image(c, image->path, &file, error));
    facet_status status = FACET_OK;
    size_t size = file.size;
    uint8_t *data = facet_arena_allocate(c->scene->arena, size, 1);
    if (data) {
        memcpy(data, file.data, size);
        image->data = data;
        image->size = size;
        image->media_type = facet_image_media_type(data, size);
    } else {
        status = facet_fail_arena(c->scene->arena, error);
    }
    facet_source_close(&file);
    return status;
}

/* -- PNGs --------------------------------------------------------------- */

/* Conversion of an image to PNG, if it is neither PNG nor JPEG. */
typedef struct task {
    facet_output *output;
    facet_status status;
    facet_error fault;
    bool lacked_memory; /* queried on the thread where it failed, because the state is per thread */
} task;

static void end_with(task *t, facet_status status)
{
    t->status = status;
    t->lacked_memory = facet_lacks_memory(status);
}

typedef struct encoding {
    const collector *c;
    facet_options options; /* without threads and report, which only one thread may use */
    task *tasks;
} encoding;

/* True if the bytes of an image are kept. */
static bool is_usual(const collector *c, const facet_image *image)
{
    for (size_t i = 0; image->data && c->kept && c->kept[i]; i++) {
        if (strcmp(image->media_type, c->kept[i]) == 0)
            return true;
    }
    return image->data && (strcmp(image->media_type, "image/png") == 0 ||
                           strcmp(image->media_type, "image/jpeg") == 0);
}

static void encode_task(void *argument, size_t index)
{
    const encoding *e = argument;
    task *t = &e->tasks[index];
    const facet_image *image = e->c->scene->images[index];
    if (t->status || is_usual(e->c, image) || !e->c->encodes)
        return;
    facet_status status = facet_output_open_memory(e->options.allocator, &t->output, &t->fault);
    if (!status)
        status = facet_image_encode(image, "image/png", 0, &e->options, t->output, &t->fault);
    if (!status)
        status = facet_output_commit(t->output, &t->fault);
    end_with(t, status);
}

/* Set the result of a task as the image's bytes. */
static void take_bytes(const collector *c, task *t, facet_image *image)
{
    if (t->status || !t->output)
        return;
    size_t size = (size_t)facet_output_size(t->output);
    uint8_t *data = facet_arena_allocate(c->scene->arena, size, 1);
    if (!data) {
        end_with(t, facet_fail_arena(c->scene->arena, &t->fault));
        return;
    }
    memcpy(data, facet_output_data(t->output), size);
    image->data = data;
    image->size = size;
    image->media_type = "image/png";
}

/* Load the bytes or pixels of one image; decode it if necessary. */
static void find_pixels(const collector *c, uint32_t index, task *tasks)
{
    facet_image *image = c->scene->images[index];
    task *t = &tasks[index];
    if (!image->data && !image->pixels)
        end_with(t, image->path ? load_bytes(c, image, &t->fault)
                                : facet_fail(&t->fault, FACET_ERROR_IO, NULL, FACET_NO_OFFSET,
                                             "it has neither bytes nor a file"));
    /* A conversion of floats reports the loss of precision. Only this thread may report, so it
     * encodes them here. */
    if (!c->encodes)
        return;
    if (!t->status && !is_usual(c, image))
        end_with(t, facet_image_decode(c->scene->arena, image, c->options, &t->fault));
    if (!t->status && !is_usual(c, image) && image->is_float) {
        encoding alone = {.c = c, .tasks = tasks};
        alone.options = c->options ? *c->options : alone.options;
        encode_task(&alone, index);
        take_bytes(c, t, image);
    }
}

/* Handle the result of a task. *usable is false if the image has no bytes: that is reported, and is
 * not a failure. */
static facet_status settle(const collector *c, const task *t, const facet_image *image,
                           bool *usable)
{
    facet_quoted quoted;
    *usable = !t->status;
    /* A limit that the user can raise is an error, as for the images that are decoded later. */
    bool is_limit = t->status == FACET_ERROR_LIMIT && strcmp(t->fault.rule, "IMAGE-RATIO") == 0;
    if (t->lacked_memory || is_limit || t->status == FACET_ERROR_CANCELED) {
        if (c->error)
            *c->error = t->fault;
        return t->status;
    }
    const char *name = image->path ? image->path : image->name;
    if (t->status)
        facet_report_add(c->options ? c->options->report : NULL, "LOSS-IMAGES",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET, "image '%s' is left out: %s",
                         facet_quote(&quoted, name, strlen(name)), t->fault.message);
    return FACET_OK;
}

static facet_status collect_all(const collector *c, bool *usable)
{
    facet_scene *scene = c->scene;
    uint32_t count = scene->image_count;
    encoding e = {.c = c};
    e.tasks = facet_arena_allocate_zeroed(scene->arena, count, sizeof *e.tasks);
    if (!e.tasks)
        return facet_fail_arena(scene->arena, c->error);
    if (c->options)
        e.options = *c->options;
    e.options.allocator = NULL; /* only the caller's thread may use the caller's allocator */
    e.options.threads = NULL;
    e.options.report = NULL;
    e.options.progress = NULL;
    for (uint32_t i = 0; i < count; i++)
        find_pixels(c, i, e.tasks);
    facet_run(c->options, encode_task, &e, count);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_usual(c, scene->images[i]))
            take_bytes(c, &e.tasks[i], scene->images[i]);
        facet_output_free(e.tasks[i].output);
        if (!status)
            status = settle(c, &e.tasks[i], scene->images[i], &usable[i]);
    }
    facet_arena_release(scene->arena, e.tasks, count, sizeof *e.tasks);
    return status;
}

/* -- Textures ----------------------------------------------------------- */

/* Paths of images, and the first image of each. */
typedef struct paths {
    facet_names names;
    uint32_t *images;
} paths;

/* Find the first image of a path. A new path is added with image `index`. */
static facet_status put_path(const collector *c, paths *known, const char *path, uint32_t index,
                             uint32_t *image)
{
    uint32_t count = known->names.count;
    uint32_t number = facet_names_put(&known->names, path, strlen(path));
    if (number == FACET_NONE)
        return facet_fail_arena(c->scene->arena, c->error);
    if (number == count)
        known->images[number] = index;
    *image = known->images[number];
    return FACET_OK;
}

/* Find the image of a texture's path, or create one. */
static facet_status link_texture(const collector *c, paths *known, facet_texture *texture)
{
    const char *path = texture->path, *slash = strrchr(path, '/');
    uint32_t next = c->scene->image_count;
    facet_image *image = NULL;
    facet_status status = put_path(c, known, path, next, &texture->image);
    if (!status && texture->image == next) {
        status = facet_scene_add_image(c->scene, slash ? slash + 1 : path, &image, c->error);
        if (!status)
            image->path = path;
    }
    if (!status)
        texture->has_image = true;
    return status;
}

static facet_status link_textures(const collector *c)
{
    facet_scene *scene = c->scene;
    size_t most = scene->image_count + (size_t)scene->material_count * FACET_MAP_COUNT;
    paths known = {facet_names_make(scene->arena),
                   facet_arena_allocate(scene->arena, most, sizeof(uint32_t))};
    if (!known.images)
        return facet_fail_arena(scene->arena, c->error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        uint32_t first;
        if (scene->images[i]->path)
            status = put_path(c, &known, scene->images[i]->path, i, &first);
    }
    for (uint32_t m = 0; m < scene->material_count; m++) {
        for (int map = 0; map < FACET_MAP_COUNT && !status; map++) {
            facet_texture *texture = scene->materials[m]->maps[map];
            if (texture && *texture->path && !texture->has_image)
                status = link_texture(c, &known, texture);
        }
    }
    facet_names_free(&known.names);
    facet_arena_release(scene->arena, known.images, most, sizeof(uint32_t));
    return status;
}

/* -- Unusable images ---------------------------------------------------- */

/* Update channels that select images to the new indices. Keys of removed images are dropped, and so
 * are channels of removed textures. */
static void renumber_channels(const facet_scene *scene, const uint32_t *numbers)
{
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        facet_animation *animation = scene->animations[a];
        uint32_t kept = 0;
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            facet_channel channel = animation->channels[c];
            uint32_t keys = 0;
            for (uint32_t k = 0;
                 channel.target == FACET_TARGET_TEXTURE_IMAGE && k < channel.key_count; k++) {
                uint32_t image = numbers[(uint32_t)channel.values[k]];
                if (image == FACET_NONE)
                    continue;
                channel.times[keys] = channel.times[k];
                channel.values[keys++] = (float)image;
            }
            if (channel.target == FACET_TARGET_TEXTURE_IMAGE)
                channel.key_count = keys;
            bool mapped = channel.target >= FACET_TARGET_TEXTURE_OFFSET;
            if (channel.key_count > 0 &&
                !(mapped && !scene->materials[channel.material]->maps[channel.map]))
                animation->channels[kept++] = channel;
        }
        animation->channel_count = kept;
    }
}

/* Likewise for the textures of a console material, whose state may be shared. */
static facet_status renumber_gx(const collector *c, facet_material *material,
                                const uint32_t *numbers, uint32_t count)
{
    facet_gx_material *gx = facet_arena_allocate(c->scene->arena, 1, sizeof *gx);
    if (!gx)
        return facet_fail_arena(c->scene->arena, c->error);
    *gx = *material->gx;
    for (int i = 0; i < 8; i++) {
        uint32_t image = gx->textures[i] < count ? numbers[gx->textures[i]] : FACET_NONE;
        gx->textures[i] = (uint16_t)(image < FACET_GX_NO_TEXTURE ? image : FACET_GX_NO_TEXTURE);
    }
    material->gx = gx;
    return FACET_OK;
}

/* Keep unusable images without bytes. */
static void empty_images(const facet_scene *scene, const bool *usable)
{
    for (uint32_t i = 0; i < scene->image_count; i++) {
        if (usable[i])
            continue;
        scene->images[i]->data = NULL;
        scene->images[i]->size = 0;
        scene->images[i]->pixels = NULL;
    }
}

/* Remove unusable images, and the textures that show them. */
static facet_status drop_images(const collector *c, const bool *usable)
{
    facet_scene *scene = c->scene;
    uint32_t count = scene->image_count, kept = 0;
    uint32_t *numbers = facet_arena_allocate(scene->arena, count, sizeof *numbers);
    if (!numbers)
        return facet_fail_arena(scene->arena, c->error);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = usable[i] ? kept : FACET_NONE;
        if (usable[i])
            scene->images[kept++] = scene->images[i];
    }
    scene->image_count = kept;
    facet_status status = FACET_OK;
    for (uint32_t m = 0; m < scene->material_count && !status; m++) {
        if (scene->materials[m]->gx && kept < count)
            status = renumber_gx(c, scene->materials[m], numbers, count);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            facet_texture *texture = scene->materials[m]->maps[map];
            if (!texture || !texture->has_image)
                continue;
            if (numbers[texture->image] == FACET_NONE)
                scene->materials[m]->maps[map] = NULL;
            else
                texture->image = numbers[texture->image];
        }
    }
    renumber_channels(scene, numbers);
    facet_arena_release(scene->arena, numbers, count, sizeof *numbers);
    return status;
}

facet_status facet_scene_load_images(facet_scene *scene, const facet_source *source,
                                     const facet_load_options *load, const facet_options *options,
                                     facet_error *error)
{
    collector c = {.scene = scene,
                   .source = source,
                   .folder = load->texture_folder,
                   .encodes = load->images,
                   .kept = load->images_for ? load->images_for->image_types : NULL,
                   .options = options,
                   .error = error};
    facet_status status = link_textures(&c);
    uint32_t count = scene->image_count;
    if (status || count == 0)
        return status;
    bool *usable = facet_arena_allocate(scene->arena, count, sizeof *usable);
    if (!usable)
        return facet_fail_arena(scene->arena, error);
    status = collect_all(&c, usable);
    if (!status && load->keep_missing_images)
        empty_images(scene, usable);
    else if (!status)
        status = drop_images(&c, usable);
    facet_arena_release(scene->arena, usable, count, sizeof *usable);
    return status;
}
