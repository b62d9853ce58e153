/* cli/pack.c - facet pack: a BPX texture from images, a BPX shader package from sources, an archive
 * from a folder, a J3D animation from its JSON. */
#include "base/error.h"
#include "cli/cli.h"
#include "formats/bpx/bpx.h"
#include "formats/bpx/glsl.h"
#include "scene/format.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct settings {
    bool cube, array, gpu_compress, resize;
    unsigned mips, gl, dx;
    const char *vertex, *geometry, *pixel;
    const char *without; /* a member to remove */
    unsigned archive;    /* 1 + the kind */
    unsigned container;  /* 1 + the index in container_words */
} settings;
static const char *const archive_words[] = {"rarc", "u8", NULL}; /* as facet_archive_kind */
static const char *const container_words[] = {"T", "M", "S", "C", "P", NULL};
static const cli_option_set own;

/* -- Shared code -------------------------------------------------------- */

/* Write through `fill`, and commit the file if it succeeds. */
typedef facet_status (*fill)(void *user, const facet_options *options, facet_output *output,
                             facet_error *error);

static int write_out(const cli_arguments *arguments, fill filler, void *user,
                     const facet_options *options)
{
    const char *path = arguments->words[0];
    facet_error error;
    facet_output *output = NULL;
    int result = EXIT_DONE;
    bool standard = strcmp(path, "-") == 0;
    if (standard && isatty(STDOUT_FILENO)) {
        cli_complain(arguments->record, "standard output is a terminal; BPX files are binary");
        return EXIT_USAGE;
    }
    facet_status status = cli_open_output(arguments, path, options, &output, &error);
    if (!status)
        status = filler(user, options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    if (status)
        result = cli_complain_error(
            arguments->record,
            strcmp(error.rule, "BPX-T-MIPS") == 0 ? "--mips" : cli_output_name(path), &error);
    else
        cli_remark(arguments->record, "%s: %llu bytes", cli_output_name(path),
                   (unsigned long long)facet_output_size(output));
    facet_output_free(output);
    return result;
}

/* -- Textures ----------------------------------------------------------- */

static int load_image(cli_record *record, const char *path, bool resize, facet_scene *into,
                      const facet_options *options)
{
    int result = EXIT_DONE;
    facet_error error;
    facet_source source;
    facet_image *image;
    facet_input *file = cli_open_input(record, path, options->memory_limit, &source, &result, NULL);
    if (!file)
        return result;
    facet_status status = facet_scene_add_image(into, path, &image, &error);
    if (!status) {
        /* Decoding copies its data; the mapped bytes are released afterwards. */
        image->data = source.data;
        image->size = source.size;
        image->media_type = facet_image_media_type(source.data, source.size);
        status = facet_image_decode(into->arena, image, options, &error);
        image->data = NULL;
        image->size = 0;
    }
    if (!status && resize)
        status = cli_resize_to_power_of_two(into, image, UINT32_MAX, &error);
    facet_input_close(file);
    return status ? cli_complain_error(record, cli_input_name(path), &error) : EXIT_DONE;
}

typedef struct texture_job {
    const facet_scene *scene;
    facet_bpx_texture_options how;
} texture_job;

static facet_status write_document(facet_bpx *document, const facet_options *options,
                                   facet_output *output, facet_error *error)
{
    facet_status status = facet_bpx_write(document, options, output, error);
    facet_bpx_free(document);
    return status;
}

static facet_status fill_texture(void *user, const facet_options *options, facet_output *output,
                                 facet_error *error)
{
    const texture_job *job = user;
    facet_bpx *document = NULL;
    TRY(facet_bpx_from_images((const facet_image *const *)job->scene->images,
                              job->scene->image_count, &job->how, options, &document, error));
    return write_document(document, options, output, error);
}

static int pack_texture(const cli_arguments *arguments, const settings *s,
                        const facet_options *options)
{
    int count = arguments->count;
    char **paths = arguments->words;
    facet_error error;
    facet_scene *scene;
    if (count < 2) {
        cli_complain(arguments->record,
                     "pack needs images, or --vertex and --pixel; see 'facet pack --help'");
        return EXIT_USAGE;
    }
    if (facet_scene_create(options, &scene, &error))
        return cli_complain_error(arguments->record, paths[0], &error);
    int result = EXIT_DONE;
    for (int i = 1; i < count && result == EXIT_DONE; i++)
        result = load_image(arguments->record, paths[i], s->resize, scene, options);
    texture_job job = {scene,
                       {.cube = s->cube,
                        .array = s->array,
                        .gpu_compress = s->gpu_compress,
                        .mip_count = s->mips}};
    if (result == EXIT_DONE)
        result = write_out(arguments, fill_texture, &job, options);
    facet_scene_free(scene);
    return result;
}

/* -- Shaders ------------------------------------------------------------ */

enum { STAGES = 3 };

typedef struct shader_job {
    cli_record *record;
    facet_bpx_program gl, dx;
    facet_input *files[2 * STAGES];
    size_t file_count;
} shader_job;

static int load_shader(shader_job *job, const char *path, const facet_options *options,
                       facet_bpx_shader *shader)
{
    int result = EXIT_DONE;
    facet_source source;
    if (!path)
        return EXIT_DONE;
    facet_input *file =
        cli_open_input(job->record, path, options->memory_limit, &source, &result, NULL);
    if (!file)
        return result;
    job->files[job->file_count++] = file;
    shader->data = source.size > 0 ? source.data : (const uint8_t *)"";
    shader->size = source.size;
    shader->name = path;
    return EXIT_DONE;
}

/* Check a source, and raise the program's minimum version to the source's. */
static int check_source(cli_record *record, const facet_bpx_shader *shader, facet_glsl_stage stage,
                        uint32_t *least)
{
    facet_error error;
    uint32_t version;
    if (!shader->data)
        return EXIT_DONE;
    facet_status status = facet_glsl_check(shader, stage, &version, &error);
    if (status == FACET_ERROR_UNSUPPORTED) {
        cli_remark(record, "%s: %s", cli_input_name(shader->name), error.message);
        return EXIT_DONE;
    }
    if (status)
        return cli_complain_error(record, cli_input_name(shader->name), &error);
    *least = version > *least ? version : *least;
    return EXIT_DONE;
}

static int check_sources(shader_job *job, unsigned stated)
{
    uint32_t least = 0;
    int result = check_source(job->record, &job->gl.vertex, FACET_GLSL_VERTEX, &least);
    if (result == EXIT_DONE)
        result = check_source(job->record, &job->gl.geometry, FACET_GLSL_GEOMETRY, &least);
    if (result == EXIT_DONE)
        result = check_source(job->record, &job->gl.pixel, FACET_GLSL_PIXEL, &least);
    if (result != EXIT_DONE)
        return result;
    if (stated && least > stated) {
        cli_complain(job->record, "the shaders need OpenGL %u.%u, more than --gl %u",
                     (unsigned)least / 10, (unsigned)least % 10, stated);
        return EXIT_INPUT;
    }
    job->gl.least_version = stated ? stated : least > 30 ? least : 30;
    return EXIT_DONE;
}

static facet_status fill_shaders(void *user, const facet_options *options, facet_output *output,
                                 facet_error *error)
{
    const shader_job *job = user;
    facet_bpx *document = NULL;
    TRY(facet_bpx_from_programs(&job->gl, &job->dx, options, &document, error));
    return write_document(document, options, output, error);
}

static int pack_shaders(const cli_arguments *arguments, const settings *s,
                        const facet_options *options)
{
    int count = arguments->count;
    char **paths = arguments->words;
    if (!s->vertex || !s->pixel || count > 4 || (count > 1) != (s->dx > 0) || count == 2) {
        cli_complain(
            arguments->record,
            "a shader package needs --vertex and --pixel, and after --dx the compiled vertex "
            "and pixel shaders, then the geometry shader if there is one");
        return EXIT_USAGE;
    }
    if (s->gl && (s->gl < 30 || s->gl > 46 || (s->gl > 33 && s->gl < 40))) {
        cli_complain(arguments->record,
                     "--gl takes 30 to 33 or 40 to 46 (33 is OpenGL 3.3), not %u", s->gl);
        return EXIT_USAGE;
    }
    shader_job job = {.record = arguments->record};
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
        result = load_shader(&job, sources[i].path, options, sources[i].shader);
    job.dx.least_version = s->dx;
    if (result == EXIT_DONE)
        result = check_sources(&job, s->gl);
    if (result == EXIT_DONE)
        result = write_out(arguments, fill_shaders, &job, options);
    for (size_t i = 0; i < job.file_count; i++)
        facet_input_close(job.files[i]);
    return result;
}

/* -- Containers --------------------------------------------------------- */

/* Sections of a container of any type: those of BPX files, and unchanged files. */
typedef struct container_job {
    cli_record *record;
    facet_bpx document;
    facet_input **files;
    facet_bpx **documents;
} container_job;

static facet_status fill_container(void *user, const facet_options *options, facet_output *output,
                                   facet_error *error)
{
    const container_job *job = user;
    return facet_bpx_write(&job->document, options, output, error);
}

static bool add_section(container_job *job, const facet_bpx_contents *section)
{
    facet_bpx *document = &job->document;
    facet_bpx_contents *grown =
        realloc(document->sections, (document->section_count + (size_t)1) * sizeof *grown);
    if (!grown) {
        cli_complain_memory(job->record);
        return false;
    }
    document->sections = grown;
    document->sections[document->section_count++] = *section;
    return true;
}

/* Add all sections of a BPX file of version 0, and its extension. */
static int add_document(container_job *job, const char *path, const facet_source *source,
                        const facet_options *options, facet_bpx **document)
{
    facet_error error;
    if (facet_bpx_read(source, options, document, &error))
        return cli_complain_error(job->record, cli_input_name(path), &error);
    const facet_bpx *read = *document;
    if (read->revision != FACET_BPX_0A) {
        cli_complain(job->record,
                     "%s: the file has revision %s; sections are read only from version 0",
                     cli_input_name(path), facet_bpx_revision_name(read->revision));
        return EXIT_INPUT;
    }
    memcpy(job->document.extension, read->extension, sizeof read->extension);
    for (uint32_t i = 0; i < read->section_count; i++) {
        if (!add_section(job, &read->sections[i]))
            return EXIT_SYSTEM;
    }
    return EXIT_DONE;
}

/* Add an input: "TYPE=FILE" is a section, any other name a BPX file. */
static int add_input(container_job *job, char *word, int index, const facet_options *options)
{
    char *end;
    int result = EXIT_DONE;
    facet_source source;
    unsigned long type = strtoul(word, &end, 10);
    bool section = word[0] >= '0' && word[0] <= '9' && *end == '=';
    if (section && type > 255) {
        cli_complain(job->record, "a section's type is 0 to 255, not '%s'", word);
        return EXIT_USAGE;
    }
    const char *path = section ? end + 1 : word;
    job->files[index] =
        cli_open_input(job->record, path, options->memory_limit, &source, &result, NULL);
    if (!job->files[index])
        return result;
    if (!section)
        return add_document(job, path, &source, options, &job->documents[index]);
    facet_bpx_contents contents = {.type = (uint8_t)type, .data = source.data, .size = source.size};
    return add_section(job, &contents) ? EXIT_DONE : EXIT_SYSTEM;
}

static int pack_container(const cli_arguments *arguments, const settings *s,
                          const facet_options *options)
{
    int count = arguments->count;
    char **paths = arguments->words;
    container_job job = {.record = arguments->record,
                         .document = {.type = container_words[s->container - 1][0]}};
    job.files = calloc((size_t)count, sizeof *job.files);
    job.documents = calloc((size_t)count, sizeof *job.documents);
    int result = job.files && job.documents ? EXIT_DONE : EXIT_SYSTEM;
    if (result != EXIT_DONE)
        cli_complain_memory(arguments->record);
    for (int i = 1; i < count && result == EXIT_DONE; i++)
        result = add_input(&job, paths[i], i, options);
    if (result == EXIT_DONE)
        result = write_out(arguments, fill_container, &job, options);
    for (int i = 1; i < count && job.files && job.documents; i++) {
        facet_bpx_free(job.documents[i]);
        facet_input_close(job.files[i]);
    }
    free(job.documents);
    free(job.files);
    free(job.document.sections);
    return result;
}

/* -- Animations --------------------------------------------------------- */

static facet_status fill_animation(void *user, const facet_options *options, facet_output *output,
                                   facet_error *error)
{
    return facet_j3d_animation_write(user, options, output, error);
}

/* Convert the JSON that 'extract' writes of an animation back to the animation. */
static int pack_animation(const cli_arguments *arguments, facet_j3d_animation_kind kind,
                          const facet_options *options)
{
    int count = arguments->count;
    char **paths = arguments->words;
    int result = EXIT_DONE;
    facet_error error;
    facet_source source;
    facet_j3d_animation *document = NULL;
    if (count != 2) {
        cli_complain(arguments->record, "an animation is packed from one JSON file, not from %d",
                     count - 1);
        return EXIT_USAGE;
    }
    facet_input *file =
        cli_open_input(arguments->record, paths[1], options->memory_limit, &source, &result, NULL);
    if (!file)
        return result;
    if (facet_j3d_animation_from_json((const char *)source.data, source.size, options, &document,
                                      &error)) {
        result = cli_complain_error(arguments->record, cli_input_name(paths[1]), &error);
    } else if (document->kind != kind) {
        cli_complain(arguments->record, "%s: the file is a %s, but '%s' is named like a %s",
                     cli_input_name(paths[1]), facet_j3d_animation_kind_name(document->kind),
                     paths[0], facet_j3d_animation_kind_name(kind));
        result = EXIT_INPUT;
    } else {
        result = write_out(arguments, fill_animation, document, options);
    }
    facet_j3d_animation_free(document);
    facet_input_close(file);
    return result;
}

/* -- Members of archives ------------------------------------------------ */

static bool has_extension_of(const char *a, const char *b)
{
    const char *dot = strrchr(a, '.'), *other = strrchr(b, '.');
    return dot && other && strcasecmp(dot, other) == 0;
}

/* True if OUT is a member of an archive that stores FILE as it is. No format has its extension, or
 * both have the same one. Archives are also stored. */
static bool is_stored(const cli_arguments *arguments, const settings *s, enum facet_pack_job job)
{
    struct stat status;
    bool is_other = s->container || s->vertex || s->pixel || s->geometry || s->gl || s->dx ||
                    s->cube || s->array || s->mips || s->gpu_compress || s->resize || s->archive;
    if (is_other || arguments->count < 2 || facet_archive_in_path(arguments->words[0]) == 0)
        return false;
    return job == FACET_PACK_CONTAINER ||
           (job == FACET_PACK_NONE && has_extension_of(arguments->words[0], arguments->words[1])) ||
           (job == FACET_PACK_ARCHIVE && stat(arguments->words[1], &status) == 0 &&
            S_ISREG(status.st_mode));
}

static facet_status fill_bytes(void *user, const facet_options *options, facet_output *output,
                               facet_error *error)
{
    const facet_source *source = user;
    (void)options;
    (void)error;
    facet_output_write(output, source->data, source->size);
    return FACET_OK;
}

static int pack_member(const cli_arguments *arguments, const facet_options *options)
{
    int result = EXIT_DONE;
    facet_source source;
    if (arguments->count != 2) {
        cli_complain(arguments->record, "a file in an archive is one FILE, not %d",
                     arguments->count - 1);
        return EXIT_USAGE;
    }
    facet_input *file = cli_open_input(arguments->record, arguments->words[1],
                                       options->memory_limit, &source, &result, NULL);
    if (!file)
        return result;
    result = write_out(arguments, fill_bytes, &source, options);
    facet_input_close(file);
    return result;
}

/* -- The command -------------------------------------------------------- */

static int take_out(const cli_arguments *arguments, const char *archive, const char *member,
                    const facet_options *options)
{
    facet_archive_output_options how = cli_archive_output(arguments);
    facet_error error;
    size_t length = strlen(archive);
    char *path = malloc(length + strlen(member) + 2);
    if (!path) {
        cli_complain_memory(arguments->record);
        return EXIT_SYSTEM;
    }
    memcpy(path, archive, length);
    path[length] = '/';
    memcpy(path + length + 1, member, strlen(member) + 1);
    facet_status status = facet_archive_delete(path, &how, options, &error);
    free(path);
    if (status)
        return cli_complain_error(arguments->record, archive, &error);
    cli_remark(arguments->record, "%s: without %s", archive, member);
    return EXIT_DONE;
}

static int pack_archive(const cli_arguments *arguments, const settings *s,
                        const facet_format *named, const facet_options *options)
{
    /* Without a name that is only a U8's, archive.json decides. */
    uint32_t kind = s->archive                                 ? s->archive - 1
                    : named && named->kind == FACET_ARCHIVE_U8 ? FACET_ARCHIVE_U8
                                                               : FACET_NONE;
    if (arguments->count != 2) {
        cli_complain(arguments->record,
                     "an archive is packed from one directory; see 'facet pack --help'");
        return EXIT_USAGE;
    }
    return cli_pack_archive(arguments, arguments->words[0], arguments->words[1], kind, options);
}

static int pack(const cli_arguments *arguments, const settings *s, const facet_options *options)
{
    int count = arguments->count;
    char **paths = arguments->words;
    const facet_format *named = facet_format_from_path(paths[0]);
    if (s->without && count == 1)
        return take_out(arguments, paths[0], s->without, options);
    if (s->without) {
        cli_complain(arguments->record, "--without is only for archives");
        return EXIT_USAGE;
    }
    enum facet_pack_job job = s->archive ? FACET_PACK_ARCHIVE
                              : named    ? named->pack
                                         : FACET_PACK_CONTAINER;
    if (is_stored(arguments, s, job))
        return pack_member(arguments, options);
    if (job == FACET_PACK_ARCHIVE)
        return pack_archive(arguments, s, named, options);
    if (job == FACET_PACK_ANIMATION)
        return pack_animation(arguments, (facet_j3d_animation_kind)named->kind, options);
    if (job == FACET_PACK_NONE) {
        cli_complain(arguments->record,
                     "pack makes BPX files, archives and J3D animations, but '%s' is named like "
                     "%s; use 'facet convert'",
                     paths[0], facet_format_name(named));
        return EXIT_USAGE;
    }
    bool shaders = s->vertex || s->pixel || s->geometry || s->gl || s->dx;
    return s->container ? pack_container(arguments, s, options)
           : shaders    ? pack_shaders(arguments, s, options)
                        : pack_texture(arguments, s, options);
}

static int run(const cli_arguments *arguments)
{
    facet_options options;
    int result = cli_begin_options(arguments, &options)
                     ? pack(arguments, cli_settings_of(arguments, &own), &options)
                     : EXIT_SYSTEM;
    cli_end_options(arguments, &options);
    cli_print_report(arguments->record, cli_output_name(arguments->words[0]), options.report);
    facet_report_free(options.report);
    return result;
}

static const cli_option options[] = {
    {"cube", NULL, "make a cube map of six images: +X -X +Y -Y +Z -Z", CLI_FLAG,
     .offset = offsetof(settings, cube), .fields = "facet_bpx_texture_options.cube"},
    {"array", NULL, "make a texture array, also of a single image", CLI_FLAG,
     .offset = offsetof(settings, array), .fields = "facet_bpx_texture_options.array"},
    {"mips", "N", "have loaders make N mip levels", CLI_COUNT, .offset = offsetof(settings, mips),
     .fields = "facet_bpx_texture_options.mip_count"},
    {"gpu-compress", NULL, "have loaders compress the texture for the GPU", CLI_FLAG,
     .offset = offsetof(settings, gpu_compress),
     .fields = "facet_bpx_texture_options.gpu_compress"},
    {"resize", NULL, "resize images to powers of two", CLI_FLAG,
     .offset = offsetof(settings, resize)},
    {"vertex", "GLSL", "add a vertex shader", CLI_TEXT, .offset = offsetof(settings, vertex)},
    {"geometry", "GLSL", "add a geometry shader", CLI_TEXT, .offset = offsetof(settings, geometry)},
    {"pixel", "GLSL", "add a pixel shader", CLI_TEXT, .offset = offsetof(settings, pixel)},
    {"gl", "VERSION", "require this OpenGL version, 33 is 3.3", CLI_COUNT,
     .default_text = "as the sources say", .offset = offsetof(settings, gl)},
    {"dx", "VERSION",
     "require this DirectX version, 110 is 11.0, for the compiled shaders after OUT", CLI_COUNT,
     .offset = offsetof(settings, dx)},
    {"container", "LETTER", "make a file of this type; each FILE is a section (TYPE=FILE) or a BPX",
     CLI_WORD, .offset = offsetof(settings, container), .words = container_words},
    {"archive", "KIND", "make a rarc or u8 archive", CLI_WORD,
     .default_text = "by archive.json, or the name", .offset = offsetof(settings, archive),
     .words = archive_words},
    {"without", "MEMBER", "remove this file or folder from the archive OUT", CLI_TEXT,
     .offset = offsetof(settings, without)},
    {0}};
static const cli_option_set own = {.options = options, .settings_size = sizeof(settings)};
static const cli_option_set *const sets[] = {&own, &cli_resources, &cli_archives, NULL};

const cli_command cli_command_pack = {
    "pack",
    "OUT FILE...",
    "build an archive, a J3D animation or a BPX file",
    "Build OUT, an archive (.arc, .szs, .u8 ...), a J3D animation or a BPX file:\n"
    "\n"
    "  facet pack stage.szs DIR\n"
    "      an archive of a directory, in the order of its archive.json, which\n"
    "      'facet extract' writes\n"
    "  facet pack stage.szs --without bck/a.bck\n"
    "      remove a file or folder from the archive\n"
    "  facet pack stage.szs/msg/text.bmg text.bmg [--into]\n"
    "      replace a file of any kind in the archive, or add it\n"
    "  facet pack walk.bck animation.json\n"
    "      an edited animation, as 'facet extract walk.bck' wrote it\n"
    "  facet pack t.bpx IMAGE...\n"
    "      a texture; several images of one size make an array, or with --cube a cube map\n"
    "  facet pack s.bpx --vertex V.glsl --pixel P.glsl [--dx 110 V.dxbc P.dxbc [G.dxbc]]\n"
    "      a shader package; its GLSL is checked\n"
    "  facet pack c.bpx --container C [OLD.bpx] 7=FILE ...\n"
    "      sections of types 0 to 255 as they are, those of OLD.bpx first",
    sets,
    1,
    -1,
    run,
    CLI_ITEMS_NONE,
    false,
    false};
