/* cli/convert.h - one conversion, from choosing to what is said of it. */
#ifndef FACET_CLI_CONVERT_H
#define FACET_CLI_CONVERT_H

#include "cli/cli.h"

/* The command's own options. */
typedef struct cli_convert_settings {
    const facet_format *from, *to;
    bool strict, verify, split, no_optimize, resize, force, allow_external, json;
    bool flat, new_normals, keep_vertices, tangents;
    double crease, merge;
    unsigned up; /* facet_axis + 1 */
    double scale;
    bool flip_v;
    unsigned format_version;
    const char *variant;
    const char *depfile;
    const char *animations; /* a folder */
} cli_convert_settings;

/* Everything one conversion holds, so that one function lets go of it. */
typedef struct cli_conversion {
    const cli_arguments *arguments;
    const cli_convert_settings *settings;
    const char *in, *out;
    char **added; /* animations of IN */
    int added_count;
    const facet_format *from, *to;
    bool copy; /* by way of the family's document, not of a scene */
    facet_source source;
    facet_input *file;
    facet_options options;
    facet_j3d_options j3d; /* with --force, and the animations whose pose a copy has */
    facet_input **pose_files;
    facet_source *poses;
    facet_bti_options bti; /* with the texture that OUT was, when a picture replaces it */
    facet_source replaced;
    facet_input *replaced_file;
    facet_scene *scene;
    facet_normals_options normals;
    facet_reduce_options reduce;
    facet_reduce_summary reduced;
    facet_passes passes;
    uint64_t faces, vertices; /* of what is in OUT */
    facet_output *output, *depfile;
    /* --split: an output for each mesh, in turn; --lods: for each level from the first on */
    facet_output **pieces;
    uint32_t piece_count;
    cli_prepared_json prepared; /* --json, prepared before the outputs are committed */
    size_t prepared_findings;
    uint64_t prepared_bytes;
} cli_conversion;

/* convert_run.c: from the source to outputs that are not committed yet. On failure
 * *blamed is the name of the file at fault. */
facet_status cli_convert_run(cli_conversion *c, const char **blamed, facet_error *error);

/* animations.c: add the animations that the command line names to the scene, and those
 * of a folder that fit. */
facet_status cli_add_animations(cli_conversion *c, const char **blamed, facet_error *error);

/* The same where OUT is a copy in their pose; and after the conversion. */
facet_status cli_open_poses(cli_conversion *c, const char **blamed, facet_error *error);
void cli_close_poses(cli_conversion *c);

/* True when OUT has levels of detail inside. */
bool cli_holds_levels(const cli_conversion *c);

/* convert_result.c: what came of it, and the exit status that it means. */
int cli_convert_complain(const cli_conversion *c, const char *blamed, const facet_error *error);
/* --strict: a warning about loss is a reason not to write. */
int cli_convert_refuse_losses(const cli_conversion *c, facet_error *error);
/* Check what was written, before it is committed: with --verify, and in a worker what is no
 * copy. */
int cli_convert_verify(const cli_conversion *c, facet_error *error);
void cli_convert_summarize(const cli_conversion *c);
/* --json: the same as one object, or what went wrong. What will be printed of a success is made
 * before outputs are committed. */
int cli_convert_prepare_json(cli_conversion *c, facet_error *error);
void cli_convert_print(cli_conversion *c, const facet_error *error);

#endif
