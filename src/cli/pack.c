/* cli/pack.c - facet pack: a BPX texture out of images, a BPX shader package out
 * of sources. */
#include "cli/cli.h"

#include <string.h>

/* -- Shared ------------------------------------------------------------- */

/* Write through `fill`, and make the file appear when it went well. */
typedef facet_status (*fill)(void *user, const facet_options *options, facet_output *output,
                             facet_error *error);

static int write_out(const char *path, fill filler, void *user, const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    int result = EXIT_DONE;
    facet_status status = facet_output_open(path, &output, &error);
    if (!status)
        status = filler(user, options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    if (status)
        result = complain_error(path, &error);
    else
        remark("%s: %llu bytes", path, (unsigned long long)facet_output_size(output));
    facet_output_free(output);
    return result;
}

/* -- Textures ----------------------------------------------------------- */

static int load_image(const char *path, const cli_settings *settings, facet_scene *into,
                      const facet_options *options)
{
    int result = EXIT_DONE;
    facet_error error;
    facet_source source;
    facet_image *image;
    facet_file *file = open_input(path, settings, &source, &result, NULL);
    if (!file)
        return result;
    facet_status status = facet_scene_add_image(into, path, &image, &error);
    if (!status) {
        /* Decoding copies what it needs; the mapped bytes are let go of after it. */
        image->data = source.data;
        image->size = source.size;
        image->media_type = facet_image_media_type(source.data, source.size);
        status = facet_image_decode(into->arena, image, options, &error);
        image->data = NULL;
        image->size = 0;
    }
    if (!status && settings->resize)
        status = resize_to_power_of_two(into, image, &error);
    facet_file_close(file);
    return status ? complain_error(path, &error) : EXIT_DONE;
}

typedef struct texture_job {
    const facet_scene *scene;
    facet_bpx_texture_options how;
} texture_job;

static facet_status fill_texture(void *user, const facet_options *options, facet_output *output,
                                 facet_error *error)
{
    const texture_job *job = user;
    return facet_bpx_write_texture(job->scene->images, job->scene->image_count, &job->how, options,
                                   output, error);
}

static int pack_texture(const cli_settings *s, int count, char **paths,
                        const facet_options *options)
{
    facet_error error;
    facet_scene *scene;
    if (count < 2) {
        complain("pack needs images, or --vertex and --pixel; see 'facet pack --help'");
        return EXIT_USAGE;
    }
    if (facet_scene_create(options, &scene, &error))
        return complain_error(paths[0], &error);
    int result = EXIT_DONE;
    for (int i = 1; i < count && result == EXIT_DONE; i++)
        result = load_image(paths[i], s, scene, options);
    texture_job job = {scene, {s->cube, s->array, s->gpu_compress, s->mips}};
    if (result == EXIT_DONE)
        result = write_out(paths[0], fill_texture, &job, options);
    facet_scene_free(scene);
    return result;
}

/* -- Shaders ------------------------------------------------------------ */

enum { STAGES = 3 };

typedef struct shader_job {
    facet_bpx_program gl, dx;
    facet_file *files[2 * STAGES];
    size_t file_count;
} shader_job;

static int load_shader(shader_job *job, const char *path, const cli_settings *settings,
                       facet_bpx_shader *shader)
{
    int result = EXIT_DONE;
    facet_source source;
    if (!path)
        return EXIT_DONE;
    facet_file *file = open_input(path, settings, &source, &result, NULL);
    if (!file)
        return result;
    job->files[job->file_count++] = file;
    shader->data = source.size > 0 ? source.data : (const uint8_t *)"";
    shader->size = source.size;
    shader->name = path;
    return EXIT_DONE;
}

/* Check a source, and raise the program's least version to its own. */
static int check_source(const facet_bpx_shader *shader, facet_glsl_stage stage, uint32_t *least)
{
    facet_error error;
    uint32_t version;
    if (!shader->data)
        return EXIT_DONE;
    facet_status status = facet_glsl_check(shader, stage, &version, &error);
    if (status == FACET_ERROR_UNSUPPORTED) {
        remark("%s", error.message);
        return EXIT_DONE;
    }
    if (status)
        return complain_error(shader->name, &error);
    *least = version > *least ? version : *least;
    return EXIT_DONE;
}

static int check_sources(shader_job *job, unsigned stated)
{
    uint32_t least = 0;
    int result = check_source(&job->gl.vertex, FACET_GLSL_VERTEX, &least);
    if (result == EXIT_DONE)
        result = check_source(&job->gl.geometry, FACET_GLSL_GEOMETRY, &least);
    if (result == EXIT_DONE)
        result = check_source(&job->gl.pixel, FACET_GLSL_PIXEL, &least);
    if (result != EXIT_DONE)
        return result;
    if (stated && least > stated) {
        complain("the shaders need OpenGL %u.%u, more than --gl %u", (unsigned)least / 10,
                 (unsigned)least % 10, stated);
        return EXIT_INPUT;
    }
    job->gl.least_version = stated ? stated : least > 30 ? least : 30;
    return EXIT_DONE;
}

static facet_status fill_shaders(void *user, const facet_options *options, facet_output *output,
                                 facet_error *error)
{
    const shader_job *job = user;
    return facet_bpx_write_shaders(&job->gl, &job->dx, options, output, error);
}

static int pack_shaders(const cli_settings *s, int count, char **paths,
                        const facet_options *options)
{
    if (!s->vertex || !s->pixel || count > 4 || (count > 1) != (s->dx > 0) || count == 2) {
        complain("a shader package needs --vertex and --pixel, and after --dx the compiled vertex "
                 "and pixel shaders, then the geometry shader if there is one");
        return EXIT_USAGE;
    }
    shader_job job = {0};
    const struct {
        const char *path;
        facet_bpx_shader *shader;
    } sources[] = {{s->vertex, &job.gl.vertex},
                   {s->geometry, &job.gl.geometry},
                   {s->pixel, &job.gl.pixel},
                   {count > 1 ? paths[1] : NULL, &job.dx.vertex},
                   {count > 2 ? paths[2] : NULL, &job.dx.pixel},
                   {count > 3 ? paths[3] : NULL, &job.dx.geometry}};
    int result = EXIT_DONE;
    for (size_t i = 0; i < sizeof sources / sizeof *sources && result == EXIT_DONE; i++)
        result = load_shader(&job, sources[i].path, s, sources[i].shader);
    job.dx.least_version = s->dx;
    if (result == EXIT_DONE)
        result = check_sources(&job, s->gl);
    if (result == EXIT_DONE)
        result = write_out(paths[0], fill_shaders, &job, options);
    for (size_t i = 0; i < job.file_count; i++)
        facet_file_close(job.files[i]);
    return result;
}

/* -- The command -------------------------------------------------------- */

static int run(const cli_settings *settings, int count, char **paths)
{
    facet_options options;
    begin_options(settings, &options);
    bool shaders =
        settings->vertex || settings->pixel || settings->geometry || settings->gl || settings->dx;
    int result = shaders ? pack_shaders(settings, count, paths, &options)
                         : pack_texture(settings, count, paths, &options);
    end_options(&options);
    print_report(paths[0], options.report);
    facet_report_free(options.report);
    return result;
}

static const cli_option options[] = {
    {"cube", 0, NULL, "a cube map of six images: +X -X +Y -Y +Z -Z", OPTION_FLAG,
     offsetof(cli_settings, cube)},
    {"array", 0, NULL, "a texture array, also of a single image", OPTION_FLAG,
     offsetof(cli_settings, array)},
    {"mips", 0, "N", "mip levels that a loader is to make", OPTION_COUNT,
     offsetof(cli_settings, mips)},
    {"gpu-compress", 0, NULL, "ask loaders to compress for the GPU", OPTION_FLAG,
     offsetof(cli_settings, gpu_compress)},
    {"resize", 0, NULL, "resize images to the nearest powers of two", OPTION_FLAG,
     offsetof(cli_settings, resize)},
    {"vertex", 0, "GLSL", "vertex shader", OPTION_TEXT, offsetof(cli_settings, vertex)},
    {"geometry", 0, "GLSL", "geometry shader", OPTION_TEXT, offsetof(cli_settings, geometry)},
    {"pixel", 0, "GLSL", "pixel shader", OPTION_TEXT, offsetof(cli_settings, pixel)},
    {"gl", 0, "VERSION", "least OpenGL, 33 is 3.3; default: what the sources say", OPTION_COUNT,
     offsetof(cli_settings, gl)},
    {"dx", 0, "VERSION", "least DirectX, 110 is 11.0, of the compiled shaders that follow OUT",
     OPTION_COUNT, offsetof(cli_settings, dx)},
    {"memory-limit", 0, "MIB", "refuse to use more memory than this", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, memory_limit)},
    {"threads", 'j', "N", "threads to use; default: one per processor", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, threads)},
    {0}};

const cli_command command_pack = {
    "pack",
    "OUT FILE...",
    "build a BPX texture or shader package",
    "Build OUT, a BPX file: a texture out of one image or several of the same size (an\n"
    "array, or with --cube a cube map), or with --vertex and --pixel a shader package,\n"
    "whose GLSL is checked.",
    options,
    1,
    -1,
    run};
