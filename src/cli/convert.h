/* cli/convert.h - the state of one conversion, from options to results. */
#ifndef FACET_CLI_CONVERT_H
#define FACET_CLI_CONVERT_H

#include "cli/cli.h"

/* The command's own options. */
typedef struct cli_convert_settings {
    const facet_format *from, *to;
    bool strict, verify, split, no_optimize, resize, force, allow_external, json;
    bool flat, new_normals, keep_vertices, tangents;
    double crease, merge;
    unsigned up, output_up; /* facet_axis + 1 */
    double scale;
    bool flip_v;
    unsigned format_version;
    const char *variant;
    const char *depfile;
    const char *animations; /* a folder */
} cli_convert_settings;

/* The state of one conversion, which one function frees. */
typedef struct cli_conversion {
    const cli_arguments *arguments;
    const cli_convert_settings *settings;
    const char *in, *out;
    char **added; /* animations given after IN */
    int added_count;
    const facet_format *from, *to;
    bool copy; /* copy the family's document, without a scene */
    facet_source source;
    facet_input *file;
    facet_options options;
    facet_j3d_options j3d; /* options, changed for --force, poses, replaced */
    facet_input **pose_files;
    facet_source *poses;
    facet_bti_options bti; /* for a texture that is replaced */
    facet_source replaced; /* the file at OUT whose settings or keys are kept */
    facet_input *replaced_file;
    facet_scene *scene;
    facet_scene *pictures; /* memory of resized pictures of --texture and --texture-dir */
    facet_source folder;   /* that of --texture-dir; its pictures are resized */
    const facet_source *given_folder;
    facet_normals_options normals;
    facet_reduce_options reduce;
    facet_reduce_summary reduced;
    facet_passes passes;
    uint64_t faces, vertices; /* counts of OUT */
    facet_output *output, *depfile;
    /* With --split, one output per mesh; with --lods, one per level, the finest first */
    facet_output **pieces;
    uint32_t piece_count;
    cli_prepared_json prepared; /* of --json, before the commit */
    size_t prepared_findings;
    uint64_t prepared_bytes;
} cli_conversion;

/* convert_run.c: convert the source to outputs that are not committed yet. On failure, *blamed is
 * the file. */
facet_status cli_convert_run(cli_conversion *c, const char **blamed, facet_error *error);

/* convert_textures.c: with --resize, resize the pictures of --texture and --add-texture, and those
 * of
 * --texture-dir when they are opened. On failure, *blamed is the picture. */
facet_status cli_resize_textures(cli_conversion *c, const char **blamed, facet_error *error);

/* animations.c: add animations of the command line, and fitting ones of a folder, to the scene. */
facet_status cli_add_animations(cli_conversion *c, const char **blamed, facet_error *error);

/* The same for a copy in their pose; and the release after the conversion. */
facet_status cli_open_poses(cli_conversion *c, const char **blamed, facet_error *error);
void cli_close_poses(cli_conversion *c);

/* True if OUT contains levels of detail. */
bool cli_holds_levels(const cli_conversion *c);

/* convert_verify.c: check the outputs before they are committed: with --verify, and in a worker if
 * OUT is not a copy. */
int cli_convert_verify(const cli_conversion *c, facet_error *error);

/* convert_result.c: report the result. Returns the exit status. */
int cli_convert_complain(const cli_conversion *c, const char *blamed, const facet_error *error);
/* --strict: fail if there are warnings about losses. */
int cli_convert_check_losses(const cli_conversion *c, facet_error *error);
void cli_convert_summarize(const cli_conversion *c);
/* --json: print the result or error as an object. That of a success is prepared before outputs are
 * committed. */
int cli_convert_prepare_json(cli_conversion *c, facet_error *error);
void cli_convert_print(cli_conversion *c, const facet_error *error);

/* True if the arguments of a conversion ask for a depfile; false for other commands. */
bool cli_convert_writes_depfile(const cli_arguments *arguments);

#endif
