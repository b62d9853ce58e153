/* cli/convert.c - facet convert: any format to any other. This file selects the steps. */
#include "cli/convert.h"
#include "base/system.h"
#include "cli/deps.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- Selection --------------------------------------------------------- */

static int choose_formats(cli_conversion *c)
{
    const cli_convert_settings *s = c->settings;
    c->from = s->from ? s->from : facet_format_probe(&c->source);
    c->to = s->to ? s->to : facet_format_from_path(c->out);
    bool standard = strcmp(c->out, "-") == 0;
    if (!c->to && standard) {
        cli_complain(c->arguments->record, "standard output needs --to FORMAT");
        return EXIT_USAGE;
    }
    facet_file_info place;
    if (!c->to && facet_system_get_file_info(c->out, &place) && place.is_folder) {
        cli_complain(c->arguments->record, "'%s' is a folder; OUT is the name of a file in it",
                     c->out);
        return EXIT_USAGE;
    }
    if (!c->to) {
        cli_complain(
            c->arguments->record,
            "the extension of '%s' is unknown; give --to FORMAT ('facet formats' lists them)%s",
            c->out,
            facet_archive_in_path(c->out) > 0 ? "; 'facet pack' stores any file as it is" : "");
        return EXIT_USAGE;
    }
    if (standard && isatty(STDOUT_FILENO) && !s->force) {
        cli_complain(c->arguments->record,
                     "standard output is a terminal; use --force to write to it anyway");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* Reject options without effect, or that exclude one another. */
static int check_options(const cli_conversion *c)
{
    const cli_convert_settings *s = c->settings;
    if (!cli_options_suit(c->arguments, c->to))
        return EXIT_USAGE;
    if (s->json && strcmp(c->out, "-") == 0) {
        cli_complain(c->arguments->record, "--json and OUT cannot both use standard output");
        return EXIT_USAGE;
    }
    if (s->depfile &&
        (cli_is_same_file(s->depfile, c->in) || cli_is_same_file(s->depfile, c->out))) {
        cli_complain(c->arguments->record, "--depfile: '%s' is IN or OUT; nothing is written",
                     s->depfile);
        return EXIT_USAGE;
    }
    if (s->depfile && strcmp(s->depfile, "-") == 0) {
        cli_complain(c->arguments->record, "--depfile takes a file, not standard output");
        return EXIT_USAGE;
    }
    if (s->depfile && (s->split || strcmp(c->out, "-") == 0)) {
        cli_complain(c->arguments->record, "--depfile needs OUT to be one file");
        return EXIT_USAGE;
    }
    if (s->split && strcmp(c->out, "-") == 0) {
        cli_complain(c->arguments->record,
                     "--split writes several files; OUT cannot be standard output");
        return EXIT_USAGE;
    }
    if (s->split && facet_archive_in_path(c->out) > 0) {
        cli_complain(c->arguments->record,
                     "--split writes several files; OUT cannot be in an archive");
        return EXIT_USAGE;
    }
    if (s->scale > 0 && !isnormal((float)s->scale)) {
        cli_complain(c->arguments->record, "--scale takes a number from 1.2e-38 to 3.4e38, not %g",
                     s->scale);
        return EXIT_USAGE;
    }
    bool levels = cli_levels(c->arguments) > 0;
    bool one_file = levels && (strcmp(c->out, "-") == 0 || facet_archive_in_path(c->out) > 0);
    if (levels && (s->split || (one_file && !cli_holds_levels(c)))) {
        cli_complain(c->arguments->record, "--lods writes several files, which %s cannot hold",
                     s->split   ? "--split"
                     : one_file ? "an archive or standard output"
                                : "OUT");
        return EXIT_USAGE;
    }
    if (s->split && cli_wants_collision(c->arguments)) {
        cli_complain(
            c->arguments->record,
            "--split cannot be used with hulls or an occluder, which belong to the whole model");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

#ifdef FACET_CORE_MODULE
/* glTF keeps nothing of a replaced file. */
static void open_replaced(cli_conversion *c)
{
    (void)c;
}
#else
/* True if the replaced file is a texture that can be read. */
static bool is_texture(const cli_conversion *c)
{
    facet_error why;
    facet_bti *texture;
    if (c->to != facet_format_named("bti") || facet_bti_read(&c->replaced, NULL, &texture, &why))
        return false;
    facet_bti_free(texture);
    return true;
}

/* Open a file that is replaced: a picture over a texture uses its settings, and an animation over
 * another its keys. An unreadable file is replaced as a whole. */
static void open_replaced(cli_conversion *c)
{
    facet_error why;
    struct stat status;
    bool keeps = c->to == facet_format_named("bti") || facet_format_can_load_animation(c->to);
    if (!keeps || c->copy || c->from == c->to)
        return;
    bool is_file = stat(c->out, &status) == 0 && S_ISREG(status.st_mode);
    if ((!is_file && facet_archive_in_path(c->out) == 0) ||
        facet_input_open(c->out, &c->options, &c->replaced_file, &why))
        return;
    c->replaced = facet_input_source(c->replaced_file);
    if (facet_format_probe(&c->replaced) != c->to)
        return;
    c->j3d.replaced = &c->replaced;
    if (!is_texture(c))
        return;
    c->bti = *c->options.bti;
    c->bti.like = &c->replaced;
    c->options.bti = &c->bti;
}
#endif

static int choose(cli_conversion *c, facet_error *error)
{
    int result = choose_formats(c);
    if (result == EXIT_DONE)
        result = check_options(c);
    if (result != EXIT_DONE)
        return result;
    c->copy = c->from && facet_format_copies(c->from, c->to) && !cli_needs_scene(c->arguments) &&
              (c->added_count == 0 || facet_format_poses_copies(c->to));
    c->options.format_version = c->settings->format_version;
    result = cli_apply_options(c->arguments, &c->options, error);
    if (result != EXIT_DONE)
        return result;
    if (c->options.j3d->repair && !c->copy && c->from) { /* an unknown file is not read later */
        cli_complain(c->arguments->record,
                     "--repair is for a BMD, BDL or archive; it cannot be used with options or "
                     "formats that make a new file");
        return EXIT_USAGE;
    }
    c->j3d = *c->options.j3d;
    c->j3d.force = c->settings->force;
    c->options.j3d = &c->j3d;
    open_replaced(c);
#ifndef FACET_CORE_MODULE
    const char *blamed = NULL;
    if (cli_resize_textures(c, &blamed, error))
        return cli_complain_error(c->arguments->record, blamed ? cli_input_name(blamed) : c->out,
                                  error);
#endif
    return EXIT_DONE;
}

/* -- Converting --------------------------------------------------------- */

static int commit(cli_conversion *c, facet_error *error)
{
    facet_output *two[2] = {c->output}, **outputs = c->pieces ? c->pieces : two;
    uint32_t count = c->pieces ? c->piece_count : 1;
    if (c->pieces && c->output) /* levels of detail; the array has space for it and the depfile */
        outputs[count++] = c->output;
    /* Writing an archive again can add findings. */
    size_t said = facet_report_count(c->options.report);
    cli_timings_step("commit");
    facet_status status =
        cli_commit_beside(c->arguments->record, c->out, outputs, count, c->depfile, error);
    cli_print_findings_from(c->arguments->record, cli_output_name(c->out), c->options.report, said);
    return status ? cli_complain_error(c->arguments->record, cli_output_name(c->out), error)
                  : EXIT_DONE;
}

/* Write the depfile; all files that were read with IN are known. If this fails, OUT is not written,
 * since make would consider it complete. */
#ifdef FACET_CORE_MODULE
static int write_depfile(cli_conversion *c, facet_error *error)
{
    (void)c, (void)error; /* it has no option --depfile */
    return EXIT_DONE;
}
#else
static int write_depfile(cli_conversion *c, facet_error *error)
{
    const char *path = c->settings->depfile;
    cli_record *record = c->arguments->record;
    for (size_t i = 0; path && i < record->sides.count; i++) {
        if (cli_is_same_file(path, record->sides.items[i])) {
            cli_complain(c->arguments->record, "--depfile: '%s' is an input; nothing is written",
                         path);
            return EXIT_USAGE;
        }
    }
    if (!path || !cli_write_depfile(path, c->out, c->in, record, &c->depfile, error))
        return EXIT_DONE;
    return cli_complain_error(c->arguments->record, path, error);
}
#endif

/* Run the conversion. *error is set if the error is not in the command line. */
static int convert(cli_conversion *c, facet_error *error)
{
    int result = EXIT_DONE;
    c->file = cli_open_input(c->arguments->record, c->in, c->arguments->memory_limit, &c->source,
                             &result, error);
    if (!c->file)
        return result;
    c->source.allow_external = c->settings->allow_external;
    result = choose(c, error);
    if (result != EXIT_DONE)
        return result;
    cli_record_check_origin(&c->source, c->options.report);
    const char *blamed;
    facet_status status = cli_convert_run(c, &blamed, error);
    cli_end_options(c->arguments, &c->options);
    cli_print_report(c->arguments->record, cli_input_name(c->in), c->options.report);
    if (status)
        return cli_convert_complain(c, blamed, error);
    result = cli_convert_check_losses(c, error);
    if (result == EXIT_DONE)
        result = cli_convert_verify(c, error);
    if (result == EXIT_DONE)
        result = write_depfile(c, error);
    if (result == EXIT_DONE)
        result = cli_convert_prepare_json(c, error);
    return result == EXIT_DONE ? commit(c, error) : result;
}

static int convert_and_tell(cli_conversion *c)
{
    facet_error error = {0};
    int result = convert(c, &error);
    if (c->settings->json && result != EXIT_USAGE)
        cli_convert_print(c, result == EXIT_DONE ? NULL : &error);
    else if (result == EXIT_DONE)
        cli_convert_summarize(c);
    return result;
}

/* -- The command -------------------------------------------------------- */

#define OFFSET(name) .offset = offsetof(cli_convert_settings, name)

static const char *const axis_words[] = {"y", "z", "x", NULL}; /* in the order of facet_axis */
static const cli_option options[] = {
    {"from", "FORMAT", CLI_HELP("read IN as this format"), CLI_FORMAT,
     .default_text = CLI_HELP("by content"), OFFSET(from)},
    {"to", "FORMAT", CLI_HELP("write this format"), CLI_FORMAT,
     .default_text = CLI_HELP("by the extension of OUT"), OFFSET(to)},
    {"strict", NULL, CLI_HELP("write nothing if anything would be lost"), CLI_FLAG, OFFSET(strict)},
    {"verify", NULL, CLI_HELP("check the output and its bounds; write nothing on errors"), CLI_FLAG,
     OFFSET(verify)},
    {"crease", "DEGREES", CLI_HELP("compute missing normals, with hard edges above DEGREES"),
     CLI_NUMBER, .default_text = CLI_HELP("40, where OUT needs normals"), OFFSET(crease),
     .most = 180, .needs_scene = true, .fields = CLI_HELP("facet_normals_options.crease_degrees")},
    {"new-normals", NULL, CLI_HELP("compute all normals again, also those that IN has"), CLI_FLAG,
     OFFSET(new_normals), .needs_scene = true, .fields = CLI_HELP("facet_normals_options.replace")},
    {"flat", NULL, CLI_HELP("compute one normal per face"), CLI_FLAG, OFFSET(flat),
     .needs_scene = true, .fields = CLI_HELP("facet_normals_options.flat")},
    {"merge", "DISTANCE",
     CLI_HELP("join positions closer than this fraction of the diagonal, up to 0.1"), CLI_NUMBER,
     OFFSET(merge), .most = 0.1, .needs_scene = true,
     .fields = CLI_HELP("facet_prepare_options.weld_distance")},
    {"keep-vertices", NULL, CLI_HELP("keep duplicate vertices"), CLI_FLAG, OFFSET(keep_vertices),
     .needs_scene = true, .fields = CLI_HELP("facet_prepare_options.keep_vertices")},
    {"tangents", NULL, CLI_HELP("compute tangents for meshes with normal maps"), CLI_FLAG,
     OFFSET(tangents), .formats = "glb, gltf", .needs_scene = true,
     .fields = CLI_HELP("facet_prepare_options.tangents")},
    {"split", NULL, CLI_HELP("write one file per mesh: OUT-0-NAME.bsm, OUT-1-NAME.bsm ..."),
     CLI_FLAG, OFFSET(split), .needs_scene = true},
    {"up", "AXIS", CLI_HELP("set the up axis of IN: x, y or z"), CLI_WORD,
     .default_text = CLI_HELP("as IN says"), OFFSET(up), .words = axis_words, .needs_scene = true,
     .fields = CLI_HELP("facet_axes.up")},
    {"output-up", "AXIS", CLI_HELP("turn the model so that AXIS points up in OUT"), CLI_WORD,
     .default_text = CLI_HELP("y"), OFFSET(output_up), .words = axis_words,
     .formats = "obj, ply, stl, bga", .needs_scene = true, .fields = CLI_HELP("facet_axes.up")},
    {"scale", "FACTOR", CLI_HELP("scale by FACTOR"), CLI_NUMBER, OFFSET(scale),
     .needs_scene = true},
    {"flip-v", NULL, CLI_HELP("flip texture coordinates vertically"), CLI_FLAG, OFFSET(flip_v),
     .needs_scene = true, .fields = CLI_HELP("facet_axes.uv_origin_top")},
    {"format-version", "N", CLI_HELP("set the format version to write; BinaryMesh: 1, 3 or 4"),
     CLI_COUNT, OFFSET(format_version), .formats = "binarymesh",
     .fields = CLI_HELP("facet_options.format_version")},
    {"variant", "NAME", CLI_HELP("apply this material variant"), CLI_TEXT, OFFSET(variant),
     .needs_scene = true, .fields = CLI_HELP("facet_load_options.variant")},
    {"resize", NULL, CLI_HELP("resize images and BMD or BDL textures to powers of two"), CLI_FLAG,
     OFFSET(resize), .needs_scene = true, .unless = "texture, add-texture, texture-dir"},
    {"no-optimize", NULL, CLI_HELP("keep the order of triangles and vertices"), CLI_FLAG,
     OFFSET(no_optimize), .fields = CLI_HELP("facet_prepare_options.skip")},
    {"allow-external", NULL, CLI_HELP("follow file names that leave the directory of IN"), CLI_FLAG,
     OFFSET(allow_external), .fields = CLI_HELP("facet_source.allow_external")},
#ifndef FACET_CORE_MODULE
    {"depfile", "FILE", CLI_HELP("write a dependency file for make and ninja"), CLI_TEXT,
     OFFSET(depfile)},
#endif
    {"animations", "FOLDER",
     CLI_HELP("add all animations of a folder or archive that fit IN, a J3D model"), CLI_TEXT,
     OFFSET(animations), .needs_scene = true},
    {"json", NULL, CLI_HELP("print one JSON object: inputs, passes, losses and outputs"), CLI_FLAG,
     OFFSET(json)},
    {"force", NULL, CLI_HELP("write to a terminal; with --like, accept a different model"),
     CLI_FLAG, OFFSET(force), .letter = 'f', .fields = CLI_HELP("facet_j3d_options.force")},
    {0}};

static const char *at_fault(const void *given, const facet_error *error)
{
    const cli_convert_settings *s = given;
    bool version = error->status == FACET_ERROR_UNSUPPORTED &&
                   strncmp(error->rule, "BM-VERSION-", strlen("BM-VERSION-")) == 0;
    return s->format_version && version ? "--format-version" : NULL;
}

static const cli_option_set own = {
    .options = options, .settings_size = sizeof(cli_convert_settings), .at_fault = at_fault};
#ifdef FACET_CORE_MODULE /* which writes only glTF */
#define OUTPUT_SETS &cli_gltf, &cli_image, &cli_j3d
#else
#define OUTPUT_SETS &cli_bga, &cli_bti, &cli_gltf, &cli_image, &cli_j3d, &cli_ply, &cli_stl
#endif
static const cli_option_set *const sets[] = {
    &own, &cli_resources, &cli_archives, &cli_reduced, &cli_collision, OUTPUT_SETS, NULL};

bool cli_convert_writes_depfile(const cli_arguments *arguments)
{
    const cli_convert_settings *s = cli_settings_of(arguments, &own);
    return s && s->depfile;
}

static int run(const cli_arguments *arguments)
{
    cli_conversion c = {.arguments = arguments,
                        .settings = cli_settings_of(arguments, &own),
                        .in = arguments->words[0],
                        .out = arguments->words[arguments->count - 1],
                        .added = arguments->words + 1,
                        .added_count = arguments->count - 2};
    if (cli_is_same_file(c.in, c.out))
        arguments->record->guard = CLI_GUARD_NONE;
    int result = cli_begin_options(arguments, &c.options) ? convert_and_tell(&c) : EXIT_SYSTEM;
    cli_end_options(arguments, &c.options);
    facet_output_free(c.output);
    facet_output_free(c.depfile);
    for (uint32_t i = 0; i < c.piece_count; i++)
        facet_output_free(c.pieces[i]);
    facet_scene_free(c.scene);
    facet_scene_free(c.pictures);
    facet_input_close(c.file);
    facet_input_close(c.replaced_file);
    cli_close_poses(&c);
    cli_free_prepared(&c.prepared);
    facet_report_free(c.options.report);
    return result;
}

const cli_command cli_command_convert = {
    "convert",
    "IN [ANIMATION...] OUT",
    CLI_HELP("convert a file to another format"),
    CLI_HELP(
        "Convert IN to OUT, from any format to any other. The content of IN selects the reader,\n"
        "the extension of OUT selects the writer. Facet runs the passes that the format of OUT\n"
        "needs, and reports what OUT cannot hold. OUT appears complete or not at all.\n"
        "\n"
        "Animations are added to IN, their model: J3D animations and IQM files. OUT may also be\n"
        "a J3D animation: 'facet convert edited.glb walk.bck --clip Walk --like cl.bdl'.\n"
        "\n"
        "All paths may lead into archives: 'facet convert cl.glb Link.arc/bdl/cl.bdl' replaces\n"
        "one file of Link.arc and keeps the rest."),
    sets,
    2,
    -1,
    run,
    CLI_ITEMS_IN_OUT,
    false,
    true};
