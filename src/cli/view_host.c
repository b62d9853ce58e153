/* cli/view_host.c - the viewer's callbacks to the program: loading files, writing pictures. */
#include "cli/view.h"

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/system.h"
#include "cli/record.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now(void *user)
{
    struct timespec t;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* -- Loading ------------------------------------------------------------ */

static facet_status open_plain(const char *path, const facet_options *options, facet_input **input,
                               facet_source *source, facet_error *error)
{
    TRY(facet_input_open(path, options, input, error));
    return facet_input_decompress(*input, source, error);
}

/* Set the file of an error, for the message, unless it is set. */
static void blame(const char *path, facet_error *error)
{
    if (!*error->file)
        snprintf(error->file, sizeof error->file, "%s", path);
}

static facet_status load(void *user, const facet_view_files *files, const facet_options *options,
                         facet_scene **scene, facet_error *error)
{
    const cli_viewing *v = user;
    facet_input *input = NULL;
    facet_source source;
    const char *blamed = files->paths[0];
    *scene = NULL;
    facet_status status = open_plain(files->paths[0], options, &input, &source, error);
    if (!status)
        status = cli_load_picture(v->arguments->record, v->picture, &source, files->paths + 1,
                                  (int)files->count - 1, files->with_normals, options, scene,
                                  &blamed, error);
    facet_input_close(input);
    if (!status)
        return FACET_OK;
    facet_scene_free(*scene);
    *scene = NULL;
    blame(blamed, error);
    return status;
}

static facet_status check(void *user, const char *path, const facet_options *options,
                          facet_report *report, facet_error *error)
{
    facet_input *input = NULL;
    (void)user;
    TRY(facet_input_open(path, options, &input, error));
    facet_source source = facet_input_source(input);
    facet_status status = facet_check(&source, NULL, options, report, error);
    facet_input_close(input);
    return status;
}

/* A number that changes with the file; for a member of an archive, with the archive. 0: no file. */
static int64_t changed(void *user, const char *path)
{
    char file[FACET_PATH_MAX];
    facet_file_info place;
    (void)user;
    size_t archive = facet_file_in_path(path);
    int length = (int)(archive > 0 ? archive : strlen(path));
    if ((size_t)length >= sizeof file)
        return 0;
    snprintf(file, sizeof file, "%.*s", length, path);
    if (!facet_system_get_file_info(file, &place))
        return 0;
    /* The size detects changes that are within the resolution of file times. */
    uint64_t mixed = (uint64_t)place.changed ^ place.size * 0x9E3779B97F4A7C15u;
    return (int64_t)(mixed >> 1) | 1;
}

static facet_status list(void *user, const char *path, char ***paths, size_t *count, size_t *here,
                         facet_error *error)
{
    const cli_viewing *v = user;
    size_t length = facet_file_in_path(path);
    length = length > 0 ? length : facet_path_folder_length(path);
    char *folder = malloc(length + 1);
    if (!folder)
        return facet_fail_memory(error, length + 1);
    memcpy(folder, path, length);
    folder[length] = '\0';
    facet_status status = cli_view_list(folder, &v->options, paths, count, error);
    free(folder);
    if (status)
        return status;
    for (*here = 0; *here < *count && strcmp((*paths)[*here], path) != 0;)
        (*here)++;
    if (*here < *count)
        return FACET_OK;
    cli_view_free_list(*paths, *count);
    return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                      "'%s' is not in its folder", path);
}

static void free_list(void *user, char **paths, size_t count)
{
    (void)user;
    cli_view_free_list(paths, count);
}

/* -- Writing pictures --------------------------------------------------- */

static void add_word(facet_json *words, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    facet_json_append(words, cli_json_text(text));
}

static void add_modes(facet_json *words, const facet_render_options *render)
{
    char text[256] = "";
    size_t length = 0;
    for (unsigned bit = 1; bit <= FACET_RENDER_OCCLUDER && render->modes; bit <<= 1) {
        const char *name = cli_mode_name(bit);
        if (!(render->modes & bit) || !name)
            continue;
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%s%s", length ? "," : "", name);
        if (bit == FACET_RENDER_TEXTURE)
            length += (size_t)snprintf(text + length, sizeof text - length, "%u", render->texture);
    }
    if (*text) {
        facet_json_append(words, cli_json_text("--mode"));
        facet_json_append(words, cli_json_text(text));
    }
}

/* Arguments of `facet render` for the same picture; the same object has the camera. */
static facet_json *words_of(const cli_viewing *v, const facet_view_files *files,
                            const facet_render_options *render, const char *clip, const char *path)
{
    facet_json *words = facet_json_array();
    for (size_t i = 0; i < files->count; i++)
        facet_json_append(words, cli_json_name(files->paths[i]));
    facet_json_append(words, cli_json_name(path));
    add_word(words, "--size");
    add_word(words, "%ux%u", render->width, render->height);
    add_modes(words, render);
    if (render->samples) {
        add_word(words, "--samples");
        add_word(words, "%u", render->samples);
    }
    if (render->background && render->background[3] > 0) {
        add_word(words, "--background");
        add_word(words, "#%02x%02x%02x%02x", render->background[0], render->background[1],
                 render->background[2], render->background[3]);
    }
    if (render->has_time) {
        add_word(words, "--animation");
        facet_json_append(words, cli_json_text(clip ? clip : "0"));
        add_word(words, "--time");
        add_word(words, "%.17g", render->time);
    }
    if (render->light) {
        add_word(words, "--light");
        add_word(words, "%.17g,%.17g,%.17g", render->light[0], render->light[1], render->light[2]);
    }
    const struct {
        const char *option, *value;
    } typed[] = {{"--line-width", v->picture->line_width},
                 {"--variant", v->picture->variant},
                 {"--environment", v->picture->environment},
                 {"--environment-rotation", v->picture->environment_rotation},
                 {"--exposure", v->picture->exposure},
                 {"--shadow", v->picture->shadow},
                 {"--from", v->picture->from ? facet_format_name(v->picture->from) : NULL}};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        if (typed[i].value) {
            facet_json_append(words, cli_json_text(typed[i].option));
            facet_json_append(words, cli_json_name(typed[i].value));
        }
    }
    if (v->picture->up) {
        static const char *const axes[] = {"y", "z", "x"};
        add_word(words, "--up");
        add_word(words, "%s", axes[v->picture->up - 1]);
    }
    if (v->picture->scene_lights)
        add_word(words, "--scene-lights");
    if (v->picture->fog)
        add_word(words, "--fog");
    if (v->picture->file_order)
        add_word(words, "--file-order");
    return words;
}

static char *line_of(const cli_viewing *v, const facet_view_files *files,
                     const facet_picture *picture, const facet_render_options *render,
                     const char *clip, const char *path)
{
    facet_json *object = cli_picture_json(files->paths[0], path, picture, true);
    facet_json_set(object, "arguments", words_of(v, files, render, clip, path));
    char *line = cli_json_line(object);
    facet_json_free(object);
    return line;
}

static facet_status save(void *user, const facet_view_files *files, const facet_picture *picture,
                         const facet_render_options *render, const char *clip, const char *path,
                         facet_error *error)
{
    const cli_viewing *v = user;
    facet_output *output = NULL;
    bool is_standard = strcmp(path, "-") == 0;
    /* Prepared before the picture is committed: if out of memory, neither is written. */
    char *line = line_of(v, files, picture, render, clip, path);
    if (!line)
        return facet_fail_memory(error, 0);
    facet_status status = is_standard
                              ? facet_output_open_descriptor(STDOUT_FILENO, &output, error)
                              : cli_open_file(v->arguments->record, path, true, &output, error);
    if (!status)
        status = facet_image_encode(&picture->image, "image/png", 0, &v->options, output, error);
    if (!status)
        status = cli_commit(v->arguments->record, path, output, error);
    facet_output_free(output);
    if (!status && !is_standard) {
        fputs(line, stdout);
        fflush(stdout);
    }
    free(line);
    return status;
}

facet_view_host cli_view_host(cli_viewing *viewing)
{
    return (facet_view_host){.user = viewing,
                             .load = load,
                             .check = check,
                             .save = save,
                             .list = list,
                             .free_list = free_list,
                             .changed = changed,
                             .now = now};
}
