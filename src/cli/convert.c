/* cli/convert.c - facet convert: any format to any other. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_GX_SIDE 1024
#define MOST_LEVELS 11 /* of 1,024 texels */

/* Everything one conversion holds, so that one function lets go of it. */
typedef struct conversion {
    const cli_settings *settings;
    const char *in, *out;
    const facet_format *from, *to;
    facet_source source;
    facet_file *file;
    facet_options options;
    facet_bga_options bga; /* these four are what options point to */
    facet_bpx_options bpx;
    facet_bti_options bti;
    facet_j3d_options j3d;
    facet_scene *scene;
    facet_passes passes;
    facet_output *output;
    /* --split: an output for each mesh, in turn */
    facet_output **pieces;
    uint32_t piece_count;
    /* --materials, --textures: what stands in the files */
    char *materials, *textures;
} conversion;

/* -- Formats ------------------------------------------------------------ */

static int choose_formats(conversion *c)
{
    const cli_settings *s = c->settings;
    bool known = true;
    c->from = s->from ? named_format(s->from, &known) : facet_format_probe(&c->source);
    if (!known)
        return EXIT_USAGE;
    c->to = s->to ? named_format(s->to, &known) : facet_format_of_path(c->out);
    if (!known)
        return EXIT_USAGE;
    if (!c->to) {
        if (strcmp(c->out, "-") == 0)
            complain("standard output needs --to FORMAT");
        else
            complain("no format is named like '%s'; name one with --to, 'facet formats' lists them",
                     c->out);
        return EXIT_USAGE;
    }
    if (strcmp(c->out, "-") == 0 && isatty(STDOUT_FILENO) && !s->force) {
        complain("standard output is a terminal; use --force to write to it all the same");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* -- The words of the command line -------------------------------------- */

/* Index of `word` among the names, or complain; -1 then. */
static int one_of(const char *name, const char *word, const char *const *names)
{
    char list[64] = "";
    for (int i = 0; names[i]; i++) {
        if (strcmp(word, names[i]) == 0)
            return i;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? " or " : "", names[i]);
    }
    complain("--%s takes %s, not '%s'", name, list, word);
    return -1;
}

static const char *const axis_names[] = {"y", "z", "x", NULL}; /* as facet_axis counts them */

static const cli_option_scope scopes[] = {{"format-version", {"binarymesh"}},
                                          {"endian", {"bga"}},
                                          {"interleave", {"bga"}},
                                          {"fps", {"bpx"}},
                                          {"materials", {"bmd", "bdl", "bmt"}},
                                          {"textures", {"bmd", "bdl", "bmt"}},
                                          {"texture-format", {"bti", "bmd", "bdl"}},
                                          {"mips", {"bti", "bmd", "bdl"}},
                                          {"dither", {"bti", "bmd", "bdl"}},
                                          {"quantize", {"bmd", "bdl"}},
                                          {NULL, {NULL}}};

/* How images become textures. */
static int choose_textures(conversion *c)
{
    const cli_settings *s = c->settings;
    const char *format = s->texture_format, *mips = s->texture_mips;
    facet_gx_format known;
    if (format && strcmp(format, "auto") != 0 && !facet_gx_format_named(format, &known)) {
        complain("--texture-format takes auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, C8, "
                 "C14X2 or CMPR, not '%s'",
                 format);
        return EXIT_USAGE;
    }
    if (mips && strcmp(mips, "auto") == 0) {
        c->bti.levels = FACET_GX_ALL_LEVELS;
    } else if (mips) {
        char *end;
        unsigned long levels = strtoul(mips, &end, 10);
        if (mips[0] < '0' || mips[0] > '9' || *end || levels < 1 || levels > MOST_LEVELS) {
            complain("--mips takes auto or 1 to %d, not '%s'", MOST_LEVELS, mips);
            return EXIT_USAGE;
        }
        c->bti.levels = (uint32_t)levels;
    }
    c->bti.format = format;
    c->bti.dither = s->dither;
    return EXIT_DONE;
}

static int choose_words(conversion *c)
{
    static const char *const endian_names[] = {"little", "big", NULL};
    static const char *const interleave_names[] = {"yes", "no", NULL};
    static const char *const quantize_names[] = {"auto", "none", "s16",
                                                 NULL}; /* facet_j3d_quantize */
    const cli_settings *s = c->settings;
    if (!options_suit(&command_convert, scopes, s, c->to))
        return EXIT_USAGE;
    int endian = s->endian ? one_of("endian", s->endian, endian_names) : 0;
    int interleave = s->interleave ? one_of("interleave", s->interleave, interleave_names) : 0;
    int quantize = s->quantize ? one_of("quantize", s->quantize, quantize_names) : 0;
    if (endian < 0 || interleave < 0 || quantize < 0 ||
        (s->up && one_of("up", s->up, axis_names) < 0))
        return EXIT_USAGE;
    if (s->split && strcmp(c->out, "-") == 0) {
        complain("--split makes several files; standard output takes one");
        return EXIT_USAGE;
    }
    if (s->split && wants_collision(s)) {
        complain("--split goes without hulls and occluder, which are the whole model's");
        return EXIT_USAGE;
    }
    if (s->hulls > 256 ||
        (s->hull_vertices && (s->hull_vertices < 8 || s->hull_vertices > 65536))) {
        complain("--hulls takes 1 to 256, --hull-vertices 8 to 65536");
        return EXIT_USAGE;
    }
    if (s->occluder > 1) {
        complain("--occluder takes a share of the triangles, above 0 and up to 1, not %g",
                 s->occluder);
        return EXIT_USAGE;
    }
    c->bga.big_endian = endian == 1;
    c->bga.separate_buffers = interleave == 1;
    c->options.format_version = s->format_version;
    c->j3d.quantize = (facet_j3d_quantize)quantize;
    return choose_textures(c);
}

/* The text of a file that an option names; nothing when `path` is NULL. */
static int read_text(const char *path, char **text)
{
    facet_error error;
    facet_file *file;
    if (!path)
        return EXIT_DONE;
    if (facet_file_open(path, &file, &error))
        return complain_error(path, &error);
    size_t size = facet_file_size(file);
    *text = malloc(size + 1);
    if (*text) {
        memcpy(*text, facet_file_data(file), size);
        (*text)[size] = '\0';
    }
    facet_file_close(file);
    if (!*text)
        complain("%s: out of memory", path);
    return *text ? EXIT_DONE : EXIT_INPUT;
}

static int read_texts(conversion *c)
{
    int result = read_text(c->settings->materials, &c->materials);
    if (result == EXIT_DONE)
        result = read_text(c->settings->textures, &c->textures);
    c->j3d.materials = c->materials;
    c->j3d.textures = c->textures;
    return result;
}

/* The file of JSON that an error speaks of, or NULL. */
static const char *json_to_blame(const conversion *c, const facet_error *error)
{
    if (strcmp(error->rule, "J3D-JSON-MATERIALS") == 0)
        return c->settings->materials;
    return strcmp(error->rule, "J3D-JSON-TEXTURES") == 0 ? c->settings->textures : NULL;
}

/* What the command line knows better than the file. */
static void override_frame(conversion *c)
{
    const cli_settings *s = c->settings;
    if (s->up)
        c->scene->frame.up = (facet_axis)one_of("up", s->up, axis_names);
    if (s->flip_v)
        c->scene->frame.uv_origin_top = !c->scene->frame.uv_origin_top;
    if (s->scale > 0)
        facet_scene_scale(c->scene, (float)s->scale);
}

/* -- Steps -------------------------------------------------------------- */

static facet_status open_output(conversion *c, facet_error *error)
{
    if (strcmp(c->out, "-") == 0)
        return facet_output_open_descriptor(STDOUT_FILENO, &c->output, error);
    return facet_output_open(c->out, &c->output, error);
}

/* True when nothing is asked for that a copy within the family cannot do. */
static bool is_copy(const conversion *c)
{
    const cli_settings *s = c->settings;
    return c->from && facet_format_copies(c->from, c->to) && !s->flat && !s->replace_normals &&
           s->crease == 0 && !s->hull_prefix && !s->occluder_name && !s->up && !s->flip_v &&
           s->scale == 0 && !s->split && !wants_collision(s) && !s->quantize &&
           !s->texture_format && !s->texture_mips && !s->dither && !s->resize;
}

static facet_prepare_options preparation(const conversion *c)
{
    const cli_settings *s = c->settings;
    facet_prepare_options prepare = {0};
    prepare.skip = s->no_optimize ? FACET_NEED_OPTIMIZED : 0;
    if (wants_collision(s))
        prepare.extra = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES;
    prepare.normals.replace = s->replace_normals || s->flat;
    prepare.normals.flat = s->flat;
    prepare.normals.crease_degrees = (float)s->crease;
    return prepare;
}

/* -- One file per mesh -------------------------------------------------- */

/* "out/a.bsm" and mesh 3 called "wheel/left" make "out/a-3-wheel_left.bsm". */
static void name_piece(char *path, size_t space, const char *out, uint32_t index, const char *name)
{
    const char *slash = strrchr(out, '/'), *dot = strrchr(slash ? slash : out, '.');
    int stem = dot ? (int)(dot - out) : (int)strlen(out);
    char tame[64];
    size_t used = 0;
    for (; *name && used + 1 < sizeof tame; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '-' || *name == '.';
        tame[used++] = plain ? *name : '_';
    }
    tame[used] = '\0';
    snprintf(path, space, "%.*s-%" PRIu32 "%s%s%s", stem, out, index, used ? "-" : "", tame,
             dot ? dot : "");
}

static facet_status write_piece(conversion *c, const facet_prepare_options *prepare, uint32_t index,
                                facet_error *error)
{
    char path[4096];
    facet_mesh *mesh = c->scene->meshes[index];
    facet_scene piece = *c->scene;
    piece.meshes = &mesh;
    piece.mesh_count = 1;
    if (index > 0) { /* hulls and occluder are the whole model's: they go with the first */
        piece.hull_count = 0;
        piece.occluder = NULL;
    }
    facet_passes passes;
    facet_status status = facet_prepare(&piece, c->to, prepare, &c->options, &passes, error);
    if (status)
        return status;
    if (index == 0)
        c->passes = passes;
    name_piece(path, sizeof path, c->out, index, mesh->name);
    status = facet_output_open(path, &c->pieces[index], error);
    if (status)
        return status;
    c->piece_count = index + 1;
    return facet_save(&piece, c->to, &c->options, c->pieces[index], error);
}

static facet_status split_scene(conversion *c, const facet_prepare_options *prepare,
                                facet_error *error)
{
    facet_status status = facet_scene_flatten(c->scene, NULL, &c->options, error);
    if (status)
        return status;
    c->pieces = facet_scene_allocate(c->scene, c->scene->mesh_count, sizeof *c->pieces);
    if (!c->pieces) {
        *error = (facet_error){.status = FACET_ERROR_MEMORY, .offset = FACET_NO_OFFSET};
        return FACET_ERROR_MEMORY;
    }
    for (uint32_t i = 0; i < c->scene->mesh_count && !status; i++)
        status = write_piece(c, prepare, i, error);
    return status;
}

/* -- All in one --------------------------------------------------------- */

/* Images alone, and the textures of models whose format wants powers of two. */
static facet_status resize_images(conversion *c, facet_error *error)
{
    const char *to = facet_format_name(c->to);
    bool model = strcmp(to, "bmd") == 0 || strcmp(to, "bdl") == 0;
    uint32_t most = model || strcmp(to, "bti") == 0 ? MOST_GX_SIDE : UINT32_MAX;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < c->scene->image_count && !status; i++) {
        facet_image *image = &c->scene->images[i];
        if ((c->scene->mesh_count > 0 && !model) || (!image->data && !image->pixels))
            continue;
        status = facet_image_decode(c->scene->arena, image, &c->options, error);
        if (!status)
            status = resize_to_power_of_two(c->scene, image, most, error);
    }
    return status;
}

static facet_status load(conversion *c, facet_error *error)
{
    facet_load_options how = {c->settings->hull_prefix, c->settings->occluder_name,
                              (facet_format_needs(c->to) & FACET_NEED_IMAGES) != 0};
    facet_status status = facet_load(&c->source, c->from, &how, &c->options, &c->scene, error);
    if (status)
        return status;
    /* Nothing in the scene points into the file: its pages are free to go. */
    facet_file_close(c->file);
    c->file = NULL;
    override_frame(c);
    return c->settings->resize ? resize_images(c, error) : FACET_OK;
}

static facet_status through_scene(conversion *c, const char **blamed, facet_error *error)
{
    facet_prepare_options prepare = preparation(c);
    *blamed = c->in;
    facet_status status = load(c, error);
    if (!status && c->settings->split)
        return split_scene(c, &prepare, error);
    if (!status)
        status = facet_prepare(c->scene, c->to, &prepare, &c->options, &c->passes, error);
    if (!status)
        status = add_collision(c->settings, c->scene, &c->options, blamed, error);
    if (status)
        return status;
    *blamed = c->out;
    status = open_output(c, error);
    return status ? status : facet_save(c->scene, c->to, &c->options, c->output, error);
}

/* --strict: a warning about loss is a reason not to write. */
static int refuse_losses(const conversion *c)
{
    size_t losses = facet_report_count_of(c->options.report, FACET_SEVERITY_WARNING);
    if (!c->settings->strict || losses == 0)
        return EXIT_DONE;
    complain("%s: not written: %zu warning%s, and --strict was given", shown_name(c->out), losses,
             losses == 1 ? "" : "s");
    return EXIT_INPUT;
}

static void summarize(const conversion *c)
{
    char passes[256] = "";
    for (size_t i = 0; i < c->passes.count; i++) {
        size_t used = strlen(passes);
        snprintf(passes + used, sizeof passes - used, "%s%s", i ? ", " : "", c->passes.names[i]);
    }
    const char *out = strcmp(c->out, "-") == 0 ? "(stdout)" : c->out;
    if (!c->scene) {
        bool changed = c->settings->materials || c->settings->textures;
        remark("%s: %s to %s, %" PRIu64 " bytes", shown_name(c->in), changed ? "changed" : "copied",
               out, facet_output_size(c->output));
        return;
    }
    uint64_t faces = 0, vertices = 0, bytes = c->output ? facet_output_size(c->output) : 0;
    for (uint32_t i = 0; i < c->piece_count; i++)
        bytes += facet_output_size(c->pieces[i]);
    for (uint32_t i = 0; i < c->scene->mesh_count; i++) {
        faces += c->scene->meshes[i]->face_count;
        vertices += c->scene->meshes[i]->stream_count ? c->scene->meshes[i]->streams[0].count : 0;
    }
    char files[32] = "";
    if (c->pieces)
        snprintf(files, sizeof files, "%" PRIu32 " files, ", c->piece_count);
    remark("%s: %s, %s%" PRIu64 " faces, %" PRIu64 " vertices, %" PRIu64 " bytes; passes: %s", out,
           facet_format_name(c->to), files, faces, vertices, bytes, *passes ? passes : "none");
}

/* -- The command -------------------------------------------------------- */

static int convert(conversion *c)
{
    int result = EXIT_DONE;
    c->file = open_input(c->in, c->settings, &c->source, &result, NULL);
    if (!c->file)
        return result;
    result = choose_formats(c);
    if (result == EXIT_DONE)
        result = choose_words(c);
    if (result == EXIT_DONE)
        result = read_texts(c);
    if (result != EXIT_DONE)
        return result;

    facet_error error;
    const char *blamed = c->out;
    facet_status status;
    if (is_copy(c)) {
        status = open_output(c, &error);
        if (!status) {
            blamed = c->in;
            status = facet_copy(&c->source, c->to, &c->options, c->output, &error);
        }
    } else {
        status = through_scene(c, &blamed, &error);
    }
    end_options(&c->options);
    print_report(c->in, c->options.report);
    if (status) {
        const char *json = json_to_blame(c, &error);
        result = complain_error(json ? json : blamed, &error);
        if (json && status == FACET_ERROR_ARGUMENT) /* an input like IN */
            result = EXIT_INPUT;
        /* A format or a version that is never written was asked for by the command
         * line; what a format cannot hold of this input is the input's affair. */
        bool asked = strcmp(error.rule, "FORMAT-DIRECTION") == 0 || c->settings->format_version;
        return status == FACET_ERROR_UNSUPPORTED && asked ? EXIT_USAGE : result;
    }
    result = refuse_losses(c);
    if (result != EXIT_DONE)
        return result;
    if (c->output && facet_output_commit(c->output, &error))
        return complain_error(c->out, &error);
    for (uint32_t i = 0; i < c->piece_count; i++) {
        if (facet_output_commit(c->pieces[i], &error))
            return complain_error(c->out, &error);
    }
    summarize(c);
    return EXIT_DONE;
}

static int run(const cli_settings *settings, int count, char **paths)
{
    (void)count;
    conversion c = {0};
    c.settings = settings;
    c.in = paths[0];
    c.out = paths[1];
    begin_options(settings, &c.options);
    c.options.bga = &c.bga;
    c.options.bpx = &c.bpx;
    c.options.bti = &c.bti;
    c.options.j3d = &c.j3d;
    c.bpx.frame_rate = settings->fps;
    int result = convert(&c);
    end_options(&c.options);
    facet_output_free(c.output);
    for (uint32_t i = 0; i < c.piece_count; i++)
        facet_output_free(c.pieces[i]);
    facet_scene_free(c.scene);
    facet_file_close(c.file);
    facet_report_free(c.options.report);
    free(c.materials);
    free(c.textures);
    return result;
}

static const cli_option options[] = {
    {"from", 0, "FORMAT", "read IN as this format; default: by its content", OPTION_TEXT,
     offsetof(cli_settings, from)},
    {"to", 0, "FORMAT", "write this format; default: by the extension of OUT", OPTION_TEXT,
     offsetof(cli_settings, to)},
    {"strict", 0, NULL, "write nothing if anything would be lost", OPTION_FLAG,
     offsetof(cli_settings, strict)},
    {"crease", 0, "DEGREES", "without smoothing groups, keep edges sharper than this hard",
     OPTION_NUMBER, offsetof(cli_settings, crease)},
    {"new-normals", 0, NULL, "compute all normals, also those that are there", OPTION_FLAG,
     offsetof(cli_settings, replace_normals)},
    {"flat", 0, NULL, "one normal per face", OPTION_FLAG, offsetof(cli_settings, flat)},
    {"hulls", 0, "N", "make up to N convex collision hulls, 1 to 256", OPTION_COUNT,
     offsetof(cli_settings, hulls)},
    {"hull-vertices", 0, "N", "points of a hull at most; default: 64", OPTION_COUNT,
     offsetof(cli_settings, hull_vertices)},
    {"hulls-from", 0, "FILE", "take the hulls, or the objects as hulls, of this file", OPTION_TEXT,
     offsetof(cli_settings, hulls_from)},
    {"occluder", 0, "RATIO", "make an occluder of this share of the triangles, such as 0.02",
     OPTION_NUMBER, offsetof(cli_settings, occluder)},
    {"occluder-from", 0, "FILE", "take the occluder, or the mesh, of this file", OPTION_TEXT,
     offsetof(cli_settings, occluder_from)},
    {"split", 0, NULL, "one file per mesh: OUT-0-NAME.bsm, OUT-1-NAME.bsm ...", OPTION_FLAG,
     offsetof(cli_settings, split)},
    {"up", 0, "AXIS", "the axis that points up in IN, x, y or z, whatever IN says", OPTION_TEXT,
     offsetof(cli_settings, up)},
    {"scale", 0, "FACTOR", "make everything so many times as large", OPTION_NUMBER,
     offsetof(cli_settings, scale)},
    {"flip-v", 0, NULL, "turn texture coordinates upside down", OPTION_FLAG,
     offsetof(cli_settings, flip_v)},
    {"format-version", 0, "N", "version of the format to write; BinaryMesh: 1, 3 or 4",
     OPTION_COUNT, offsetof(cli_settings, format_version)},
    {"endian", 0, "ORDER", "BGA: byte order, little or big; default: little", OPTION_TEXT,
     offsetof(cli_settings, endian)},
    {"interleave", 0, "YES/NO", "BGA: one buffer for all attributes, yes or no; default: yes",
     OPTION_TEXT, offsetof(cli_settings, interleave)},
    {"quantize", 0, "HOW",
     "BMD, BDL: 16-bit numbers where precise enough (auto), always (s16), never (none)",
     OPTION_TEXT, offsetof(cli_settings, quantize)},
    {"resize", 0, NULL, "resize images, BMD and BDL textures too, to the nearest powers of two",
     OPTION_FLAG, offsetof(cli_settings, resize)},
    {"texture-format", 0, "NAME",
     "BTI, BMD, BDL: auto, I4, I8, IA4, IA8, RGB565, RGB5A3, RGBA32, C4, "
     "C8, C14X2 or CMPR; default: what the image was before, or auto, by content",
     OPTION_TEXT, offsetof(cli_settings, texture_format)},
    {"mips", 0, "N", "BTI, BMD, BDL: mip levels, 1 to 11, or auto; default: as before, or 1",
     OPTION_TEXT, offsetof(cli_settings, texture_mips)},
    {"dither", 0, NULL, "BTI, BMD, BDL: spread the error of rounding colors", OPTION_FLAG,
     offsetof(cli_settings, dither)},
    {"fps", 0, "N", "BPX: frames a second of baked animations; default: 30", OPTION_NUMBER,
     offsetof(cli_settings, fps)},
    {"materials", 0, "FILE", "BMD, BDL, BMT: materials.json, ours or SuperBMD's, to put over",
     OPTION_TEXT, offsetof(cli_settings, materials)},
    {"textures", 0, "FILE", "the same with textures.json, or SuperBMD's tex_headers.json",
     OPTION_TEXT, offsetof(cli_settings, textures)},
    {"no-optimize", 0, NULL, "keep the order of triangles and vertices", OPTION_FLAG,
     offsetof(cli_settings, no_optimize)},
    {"hull-prefix", 0, "NAME", "objects so named become hulls; default: collision_mesh",
     OPTION_TEXT, offsetof(cli_settings, hull_prefix)},
    {"occluder-name", 0, "NAME", "the object so named is the occluder; default: occlusion_mesh",
     OPTION_TEXT, offsetof(cli_settings, occluder_name)},
    {"allow-external", 0, NULL, "follow names that leave the directory of IN", OPTION_FLAG,
     offsetof(cli_settings, allow_external)},
    {"memory-limit", 0, "MIB", "refuse to use more memory than this", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, memory_limit)},
    {"threads", 'j', "N", "threads to use; default: one per processor", OPTION_COUNT_OR_ZERO,
     offsetof(cli_settings, threads)},
    {"force", 'f', NULL, "write binary data to a terminal", OPTION_FLAG,
     offsetof(cli_settings, force)},
    {0}};

const cli_command command_convert = {
    "convert",
    "IN OUT",
    "convert a file to another format",
    "Convert IN to OUT: any format to any other, by the content of IN and the\n"
    "extension of OUT. The passes that OUT's format needs are run and named; what it\n"
    "cannot hold is said. OUT appears whole or not at all.",
    options,
    2,
    2,
    run};
