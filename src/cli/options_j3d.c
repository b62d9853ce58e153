/* cli/options_j3d.c - options for writing J3D models. */
#include "base/error.h"
#include "base/file.h"
#include "base/folder.h"
#include "cli/cli.h"
#include "cli/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef FACET_CORE_MODULE

/* glTF has only the rate of animations. */
typedef struct settings {
    facet_j3d_options j3d;
    double rate;
} settings;

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    (void)record, (void)error;
    settings *s = given;
    s->j3d.rate = s->rate;
    options->j3d = &s->j3d;
    return EXIT_DONE;
}

static const cli_option options[] = {
    {"fps", "FRAMES", NULL, CLI_NUMBER, .offset = offsetof(settings, rate), .formats = "glb, gltf"},
    {0}};

const cli_option_set cli_j3d = {
    .options = options, .settings_size = sizeof(settings), .apply = apply};

#else

typedef struct settings {
    facet_j3d_options j3d;
    unsigned quantize;
    const char *materials, *textures;           /* paths */
    char *text_of_materials, *text_of_textures; /* their contents */
    facet_input *materials_file, *textures_file;
    facet_source materials_source, textures_source;
    const char *material_folder;
    facet_input **material_inputs;
    facet_source *material_sources;
    bool one_joint, merge_materials, repair;
    unsigned weights;
    const char *root;
    const char *like; /* a path */
    facet_input *like_file;
    facet_source like_source;
    cli_texts replaced, added; /* NAME=FILE */
    const char *folder;
    facet_source folder_source;
    facet_j3d_texture_change *changes;
    facet_input **files; /* for textures */
    char **names;
    const char *clip;
    double rate, distance, angle;
    unsigned loop;
    double frame;
    const char *camera_file;
    facet_render_camera camera;
    facet_j3d_camera log_camera;
    facet_bpx_options bpx; /* sampling rate of animations */
} settings;

/* -- From settings to the library's options ----------------------------- */

/* Read the text of an option's file, which stays open because images can be next to it. Does
 * nothing if `path` is NULL. */
static int read_text(cli_record *record, const char *path, const facet_options *options,
                     facet_input **input, facet_source *source, char **text, facet_error *error)
{
    int result = EXIT_DONE;
    if (!path)
        return EXIT_DONE;
    *input = cli_open_input(record, path, options->memory_limit, source, &result, error);
    if (!*input)
        return result;
    *text = malloc(source->size + 1);
    if (*text) {
        memcpy(*text, source->data, source->size);
        (*text)[source->size] = '\0';
    }
    if (*text)
        return EXIT_DONE;
    facet_fail_memory(error, source->size + 1);
    return cli_complain_error(record, path, error);
}

static int refuse_folder(cli_record *record, const char *path, const char *why, facet_error *error)
{
    facet_fail(error, FACET_ERROR_MALFORMED, NULL, FACET_NO_OFFSET, "%s", why);
    return cli_complain_error(record, path, error);
}

/* True for a .json that lists materials. facet extract writes other lists next to
 * materials.json. */
static bool lists_materials(const char *name)
{
    static const char *const others[] = {"textures.json", "hierarchy.json", "archive.json"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(name, others[i]) == 0)
            return false;
    }
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ".json") == 0;
}

/* Open every NAME.json of a folder, in the order of names. */
static int open_material_files(cli_record *record, settings *s, const facet_options *options,
                               facet_error *error)
{
    facet_folder folder;
    int result = EXIT_DONE;
    if (!facet_folder_list(s->material_folder, &folder)) {
        bool no_memory = errno == ENOMEM;
        facet_folder_free(&folder);
        if (!no_memory)
            return refuse_folder(record, s->material_folder, "no folder with materials", error);
        facet_fail_memory(error, 0);
        return cli_complain_error(record, s->material_folder, error);
    }
    if (!cli_record_folder(record, s->material_folder)) {
        facet_folder_free(&folder);
        facet_fail_memory(error, strlen(s->material_folder));
        return cli_complain_error(record, s->material_folder, error);
    }
    s->material_inputs = calloc(folder.count + 1, sizeof *s->material_inputs);
    s->material_sources = calloc(folder.count + 1, sizeof *s->material_sources);
    if (!s->material_inputs || !s->material_sources) {
        facet_fail_memory(error, folder.count * sizeof *s->material_sources);
        result = cli_complain_error(record, s->material_folder, error);
    }
    for (size_t i = 0; i < folder.count && result == EXIT_DONE; i++) {
        char path[4096];
        if (!lists_materials(folder.names[i]))
            continue;
        unsigned count = s->j3d.material_file_count;
        snprintf(path, sizeof path, "%s/%s", s->material_folder, folder.names[i]);
        s->material_inputs[count] = cli_open_input(record, path, options->memory_limit,
                                                   &s->material_sources[count], &result, error);
        s->j3d.material_file_count += s->material_inputs[count] != NULL;
    }
    s->j3d.material_files = s->material_sources;
    if (result == EXIT_DONE && s->j3d.material_file_count == 0)
        result = refuse_folder(record, s->material_folder, "no .json in the folder", error);
    facet_folder_free(&folder);
    return result;
}

/* Parse and open a change like "eye=new.png" or "eye:1=new.bti". */
static int open_change(cli_record *record, settings *s, const facet_options *options,
                       const char *text, const char *option, bool is_new, facet_error *error)
{
    const char *equals = strrchr(text, '=');
    unsigned i = s->j3d.texture_change_count;
    int result = EXIT_DONE;
    if (!equals || equals == text || !equals[1]) {
        cli_complain(record, "--%s takes NAME=FILE, not '%s'", option, text);
        return EXIT_USAGE;
    }
    char *name = malloc((size_t)(equals - text) + 1);
    if (!name) {
        facet_fail_memory(error, (size_t)(equals - text) + 1);
        return cli_complain_error(record, text, error);
    }
    memcpy(name, text, (size_t)(equals - text));
    name[equals - text] = '\0';
    s->names[i] = name;
    s->changes[i].name = name;
    s->changes[i].is_new = is_new;
    s->j3d.texture_change_count++;
    s->files[i] = cli_open_input(record, equals + 1, options->memory_limit, &s->changes[i].source,
                                 &result, error);
    return s->files[i] ? EXIT_DONE : result;
}

static int open_changes(cli_record *record, settings *s, const facet_options *options,
                        facet_error *error)
{
    unsigned count = s->replaced.count + s->added.count;
    int result = EXIT_DONE;
    if (count == 0)
        return EXIT_DONE;
    s->changes = calloc(count, sizeof *s->changes);
    s->files = calloc(count, sizeof *s->files);
    s->names = calloc(count, sizeof *s->names);
    s->j3d.texture_changes = s->changes;
    if (!s->changes || !s->files || !s->names) {
        facet_fail_memory(error, count * sizeof *s->changes);
        return cli_complain_error(record, "--texture", error);
    }
    for (unsigned i = 0; i < s->replaced.count && result == EXIT_DONE; i++)
        result = open_change(record, s, options, s->replaced.items[i], "texture", false, error);
    for (unsigned i = 0; i < s->added.count && result == EXIT_DONE; i++)
        result = open_change(record, s, options, s->added.items[i], "add-texture", true, error);
    return result;
}

/* Opens files of a folder as siblings of an empty source. */
static void close_file(facet_source *source)
{
    facet_file_close(source->user);
}

static facet_status open_file(const facet_source *folder, const char *name, facet_source *sibling,
                              facet_error *error)
{
    char path[4096];
    facet_file *file = NULL;
    if (snprintf(path, sizeof path, "%s/%s", folder->name, name) >= (int)sizeof path)
        return FACET_ERROR_IO;
    facet_status status = facet_file_open_steady(path, NULL, &file, error);
    if (!cli_record_side(folder->user, path, status == FACET_OK)) {
        facet_file_close(file);
        return facet_fail_memory(error, strlen(path));
    }
    if (status)
        return status;
    *sibling = facet_file_source(file);
    sibling->user = file;
    sibling->open_sibling = NULL;
    sibling->close = close_file;
    return FACET_OK;
}

static int open_folder(cli_record *record, settings *s, facet_error *error)
{
    struct stat status;
    if (stat(s->folder, &status) != 0 || !S_ISDIR(status.st_mode))
        return refuse_folder(record, s->folder, "no folder with textures", error);
    s->folder_source = (facet_source){.name = s->folder, .open_sibling = open_file, .user = record};
    s->j3d.texture_folder = &s->folder_source;
    return EXIT_DONE;
}

static int read_camera(cli_record *record, settings *s, facet_error *error)
{
    if (cli_read_camera(s->camera_file, &s->camera, error))
        return cli_complain_error(record, s->camera_file, error);
    if (!cli_record_side(record, s->camera_file, true)) {
        facet_fail_memory(error, strlen(s->camera_file));
        return cli_complain_error(record, s->camera_file, error);
    }
    memcpy(s->log_camera.position, s->camera.position, sizeof s->camera.position);
    memcpy(s->log_camera.target, s->camera.target, sizeof s->camera.target);
    memcpy(s->log_camera.up, s->camera.up, sizeof s->camera.up);
    s->log_camera.field_of_view = s->camera.field_of_view;
    s->log_camera.height = s->camera.height;
    s->j3d.camera = &s->log_camera;
    return EXIT_DONE;
}

static int apply(cli_record *record, void *given, facet_options *options, facet_error *error)
{
    settings *s = given;
    int result = read_text(record, s->materials, options, &s->materials_file, &s->materials_source,
                           &s->text_of_materials, error);
    if (result == EXIT_DONE)
        result = read_text(record, s->textures, options, &s->textures_file, &s->textures_source,
                           &s->text_of_textures, error);
    if (result == EXIT_DONE && s->material_folder)
        result = open_material_files(record, s, options, error);
    s->j3d.quantize = s->quantize ? (facet_j3d_quantize)(s->quantize - 1) : 0;
    s->j3d.materials = s->text_of_materials;
    s->j3d.textures = s->text_of_textures;
    s->j3d.materials_file = s->materials_file    ? &s->materials_source
                            : s->material_inputs ? &s->material_sources[0]
                                                 : NULL;
    s->j3d.textures_file = s->textures_file ? &s->textures_source : NULL;
    s->j3d.one_joint = s->one_joint;
    s->j3d.repair = s->repair;
    s->j3d.merge_materials = s->merge_materials;
    s->j3d.weights = s->weights;
    s->j3d.root = s->root;
    if (result == EXIT_DONE && s->like) {
        s->like_file =
            cli_open_input(record, s->like, options->memory_limit, &s->like_source, &result, error);
        s->j3d.like = s->like_file ? &s->like_source : NULL;
    }
    if (result == EXIT_DONE)
        result = open_changes(record, s, options, error);
    if (result == EXIT_DONE && s->folder)
        result = open_folder(record, s, error);
    if (result == EXIT_DONE && s->camera_file)
        result = read_camera(record, s, error);
    s->j3d.frame = s->frame;
    s->j3d.clip = s->clip;
    s->j3d.rate = s->rate;
    s->j3d.distance = s->distance;
    s->j3d.angle = s->angle;
    s->j3d.loop = s->loop;
    options->j3d = &s->j3d;
    s->bpx.frame_rate = s->rate;
    options->bpx = &s->bpx;
    return result;
}

static const char *at_fault(const void *given, const facet_error *error)
{
    const settings *s = given;
    if (strcmp(error->rule, "J3D-JSON-MATERIALS") == 0)
        return s->materials ? s->materials : s->material_folder;
    if (strcmp(error->rule, "J3D-LIKE") == 0)
        return s->like;
    return strcmp(error->rule, "J3D-JSON-TEXTURES") == 0 ? s->textures : NULL;
}

static void release(void *given)
{
    settings *s = given;
    free(s->text_of_materials);
    free(s->text_of_textures);
    facet_input_close(s->materials_file);
    facet_input_close(s->textures_file);
    for (unsigned i = 0; i < s->j3d.material_file_count; i++)
        facet_input_close(s->material_inputs[i]);
    free(s->material_inputs);
    free(s->material_sources);
    facet_input_close(s->like_file);
    for (unsigned i = 0; s->files && i < s->j3d.texture_change_count; i++)
        facet_input_close(s->files[i]), free(s->names[i]);
    free(s->names);
    free(s->files);
    free(s->changes);
    free(s->replaced.items);
    free(s->added.items);
}

/* -- The options -------------------------------------------------------- */

static const char *const quantize_words[] = {"auto", "none", "s16", NULL}; /* facet_j3d_quantize */
/* Formats written from channels, without those whose files are only carried. */
#define MOVING "bck, bca, btk, brk, bpk, bpa, btp, bva"
#define ANIMATIONS MOVING ", blk, bla, bxk, bxa"

static const char *const loop_words[] = {"once",        "reset",         "repeat",
                                         "mirror-once", "mirror-repeat", NULL}; /* facet_j3d_loop */
static const cli_option options[] = {
    {"materials", "FILE", "apply a materials.json of Facet or SuperBMD", CLI_TEXT,
     .offset = offsetof(settings, materials), .formats = "bmd, bdl, bmt",
     .fields = "facet_j3d_options.materials, facet_j3d_options.materials_file"},
    {"textures", "FILE", "apply a textures.json, or a tex_headers.json of SuperBMD", CLI_TEXT,
     .offset = offsetof(settings, textures), .formats = "bmd, bdl, bmt",
     .fields = "facet_j3d_options.textures, facet_j3d_options.textures_file"},
    {"material-dir", "DIR", "apply every .json in DIR to the materials it names", CLI_TEXT,
     .offset = offsetof(settings, material_folder), .formats = "bmd, bdl, bmt",
     .fields = "facet_j3d_options.material_files"},
    {"one-joint", NULL, "write one joint for all static meshes, one shape per material", CLI_FLAG,
     .offset = offsetof(settings, one_joint), .formats = "bmd, bdl", .needs_scene = true,
     .fields = "facet_j3d_options.one_joint"},
    {"merge-materials", NULL, "merge materials that differ only in their names", CLI_FLAG,
     .offset = offsetof(settings, merge_materials), .formats = "bmd, bdl", .needs_scene = true,
     .fields = "facet_j3d_options.merge_materials"},
    {"weights", "N", "keep the N largest weights of each vertex, 1 to 32", CLI_COUNT,
     .default_text = "all", .offset = offsetof(settings, weights), .least = 1, .most = 32,
     .formats = "bmd, bdl", .needs_scene = true, .fields = "facet_j3d_options.weights"},
    {"root", "NAME", "use the tree below node NAME as joints", CLI_TEXT,
     .default_text = "below skeleton_root, if it exists", .offset = offsetof(settings, root),
     .formats = "bmd, bdl", .needs_scene = true, .fields = "facet_j3d_options.root"},
    {"quantize", "HOW",
     "store 16-bit numbers where precise enough (auto), always (s16) or never (none); not for BMT",
     CLI_WORD, .offset = offsetof(settings, quantize), .words = quantize_words, .needs_scene = true,
     .fields = "facet_j3d_options.quantize"},
    {"like", "MODEL",
     "keep everything of MODEL that IN does not change; for animations, the model they move",
     CLI_TEXT, .offset = offsetof(settings, like), .formats = "bmd, bdl, " MOVING,
     .needs_scene = true, .fields = "facet_j3d_options.like"},
    {"repair", NULL, "fix what games cannot load, also in archives; keep the rest", CLI_FLAG,
     .offset = offsetof(settings, repair), .formats = "bmd, bdl, rarc, u8",
     .fields = "facet_j3d_options.repair"},
    {"texture", "NAME=FILE",
     "replace texture NAME with a PNG or BTI; NAME:1 is the second of that name", CLI_TEXTS,
     .offset = offsetof(settings, replaced), .formats = "bmd, bdl, bmt",
     .fields = "facet_j3d_options.texture_changes"},
    {"add-texture", "NAME=FILE", "add a texture that the model does not have yet", CLI_TEXTS,
     .offset = offsetof(settings, added), .formats = "bmd, bdl, bmt",
     .fields = "facet_j3d_options.texture_changes"},
    {"texture-dir", "DIR",
     "search DIR for images that are missing; for BMD and BDL also use every NAME.png, NAME.bti "
     "and NAME_mip1.png of facet extract",
     CLI_TEXT, .offset = offsetof(settings, folder), .formats = "bmd, bdl, bmt, gltf, glb, fbx",
     .fields = "facet_j3d_options.texture_folder"},
    {"clip", "NAME", "write this animation", CLI_TEXT,
     .default_text = "the one named like OUT, or the only one", .offset = offsetof(settings, clip),
     .formats = ANIMATIONS ", dff", .fields = "facet_j3d_options.clip"},
    {"frame", "N", "pose the model at frame N of its animations", CLI_NUMBER_OR_ZERO,
     .default_text = "0", .offset = offsetof(settings, frame), .formats = "dff",
     .fields = "facet_j3d_options.frame"},
    {"camera", "FILE", "use the camera of a JSON file that facet render --json printed", CLI_TEXT,
     .offset = offsetof(settings, camera_file), .formats = "dff",
     .fields = "facet_j3d_options.camera"},
    {"fps", "FRAMES", "set the frames per second of animations", CLI_NUMBER,
     .default_text = "30, or as IN says", .offset = offsetof(settings, rate),
     .formats = MOVING ", glb, gltf, bpx, fbx, dae, dff",
     .fields = "facet_j3d_options.rate, facet_bpx_options.frame_rate"},
    {"frames-limit", "MIB", "limit baked animations to MIB", CLI_COUNT, .default_text = "256",
     .offset = offsetof(settings, bpx.frames_limit), .most = 4096, .formats = "bpx",
     .fields = "facet_bpx_options.frames_limit"},
    {"tolerance", "UNITS", "set the error allowed for translation keys", CLI_NUMBER,
     .default_text = "0.01", .offset = offsetof(settings, distance), .formats = "bck, bca, btk",
     .fields = "facet_j3d_options.distance"},
    {"angle-tolerance", "DEGREES", "set the error allowed for rotation keys", CLI_NUMBER,
     .default_text = "0.05", .offset = offsetof(settings, angle), .formats = "bck, bca, btk",
     .fields = "facet_j3d_options.angle"},
    {"loop", "MODE", "set the loop mode: once, reset, repeat, mirror-once or mirror-repeat",
     CLI_WORD, .default_text = "as IN says", .offset = offsetof(settings, loop),
     .words = loop_words, .formats = MOVING, .fields = "facet_j3d_options.loop", .first_word = 1},
    {0}};

const cli_option_set cli_j3d = {.heading = "BMD, BDL, BMT",
                                .formats = "bmd, bdl",
                                .options = options,
                                .settings_size = sizeof(settings),
                                .apply = apply,
                                .at_fault = at_fault,
                                .release = release};

#endif
