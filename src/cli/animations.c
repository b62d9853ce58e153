/* cli/animations.c - facet convert: animations of a model, given one by one or as a folder. */
#include "base/error.h"
#include "base/folder.h"
#include "base/report.h"
#include "base/text.h"
#include "cli/convert.h"
#include "cli/record.h"

#include <errno.h>
#include <facet/gx_material.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static facet_status add_input(cli_conversion *c, facet_input *input, facet_error *error)
{
    facet_source source;
    TRY(facet_input_decompress(input, &source, error));
    TRY(cli_record_source(c->arguments->record, &source, error));
    return facet_load_animation(&source, NULL, &c->source, &c->options, c->scene, error);
}

static facet_status add(cli_conversion *c, const char *path, facet_error *error)
{
    facet_input *input = NULL;
    facet_status status = cli_open_side(c->arguments->record, path, &c->options, &input, error);
    if (!status)
        status = add_input(c, input, error);
    facet_input_close(input);
    return status;
}

/* -- Folders ------------------------------------------------------------ */

/* Adds the animations of a folder. Those of other models are skipped; the first is reported. */
typedef struct adding {
    cli_conversion *c;
    const facet_j3d *model;
    uint32_t left_out;
    char first[300], why[300];
} adding;

/* True if the animation has as many joints as the model. */
static bool has_its_joints(const facet_j3d_animation *animation, const facet_j3d *model)
{
    return (animation->kind != FACET_J3D_BCK && animation->kind != FACET_J3D_BCA) ||
           animation->sets[0].count == model->joints.count;
}

static void leave_out(adding *a, const char *name, const facet_j3d_animation *animation,
                      const facet_report *report)
{
    if (a->left_out++ > 0)
        return;
    snprintf(a->first, sizeof a->first, "%s", name);
    if (!has_its_joints(animation, a->model))
        snprintf(a->why, sizeof a->why, "it moves %" PRIu32 " joints, but the model has %" PRIu32,
                 animation->sets[0].count, a->model->joints.count);
    else
        snprintf(a->why, sizeof a->why, "%s",
                 report && facet_report_count(report) > 0 ? facet_report_get(report, 0)->message
                                                          : "it moves nothing of the model");
}

/* Ignore errors of other files in a folder, except out of memory. */
static facet_status only_memory(facet_status status)
{
    return facet_lacks_memory(status) ? status : FACET_OK;
}

/* Test if a file is an animation that fits the model. */
static facet_status find_fit(adding *a, const char *name, facet_input *input, bool *fits,
                             facet_error *error)
{
    facet_source source;
    facet_j3d_animation *animation = NULL;
    facet_report *report = NULL;
    *fits = false;
    facet_status status = facet_input_decompress(input, &source, error);
    if (!status && !facet_format_can_load_animation(facet_format_probe(&source)))
        return FACET_OK;
    if (!status)
        status = facet_j3d_animation_read(&source, NULL, &animation, error);
    if (status)
        return only_memory(status);
    status = facet_report_create(NULL, &report, error);
    if (!status)
        status = facet_j3d_animation_check_fit(animation, a->model, NULL, report, fits, error);
    if (status || !has_its_joints(animation, a->model))
        *fits = false;
    if (!*fits && report)
        leave_out(a, name, animation, report);
    facet_j3d_animation_free(animation);
    facet_report_free(report);
    return only_memory(status);
}

static facet_status add_fitting(adding *a, const char *name, facet_input *input, facet_error *error)
{
    bool fits;
    facet_status status = find_fit(a, name, input, &fits, error);
    if (!status && fits)
        status = add_input(a->c, input, error);
    facet_input_close(input);
    return status;
}

static facet_status add_directory(adding *a, const char *path, const facet_folder *folder,
                                  facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < folder->count && !status; i++) {
        facet_input *input = NULL;
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, folder->names[i]);
        if (folder->names[i][0] == '.')
            continue;
        facet_status opened =
            cli_open_side(a->c->arguments->record, name, &a->c->options, &input, error);
        status = opened ? only_memory(opened) : add_fitting(a, folder->names[i], input, error);
    }
    return status;
}

/* Add all fitting files of an archive, in any folder. */
static facet_status add_archive(adding *a, const char *path, facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_archive *archive = NULL;
    facet_status status =
        cli_open_side(a->c->arguments->record, path, &a->c->options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status)
        status = facet_archive_read(&source, &a->c->options, &archive, error);
    for (uint32_t i = 0; archive && i < archive->member_count && !status; i++) {
        facet_input *member = NULL;
        if (!(archive->members[i].flags & FACET_ARCHIVE_FOLDER) &&
            !facet_input_open_member(archive, i, path, &a->c->options, &member, NULL))
            status = add_fitting(a, archive->members[i].name, member, error);
    }
    facet_archive_free(archive);
    facet_input_close(input);
    return status;
}

/* Number of animations that the scene has no channels for. */
static uint32_t carried_count(const facet_scene *scene)
{
    return scene->gx_file ? scene->gx_file->carried_count : 0;
}

static facet_status add_folder(cli_conversion *c, const char *folder, const char **blamed,
                               facet_error *error)
{
    facet_j3d *model = NULL;
    facet_folder listed;
    uint32_t before = c->scene->animation_count;
    uint32_t carried = carried_count(c->scene);
    bool is_folder = facet_folder_list(folder, &listed);
    if (!is_folder && errno == ENOMEM) {
        facet_folder_free(&listed);
        return facet_fail_memory(error, strlen(folder));
    }
    if (is_folder && !cli_record_folder(c->arguments->record, folder)) {
        facet_folder_free(&listed);
        return facet_fail_memory(error, strlen(folder));
    }
    facet_status status = facet_j3d_read(&c->source, NULL, &model, error);
    if (!status) {
        *blamed = folder;
        adding a = {.c = c, .model = model};
        status =
            is_folder ? add_directory(&a, folder, &listed, error) : add_archive(&a, folder, error);
        if (a.left_out > 0)
            cli_remark(c->arguments->record,
                       "%s: %" PRIu32 " animation%s left out, the first is '%s': %s", folder,
                       a.left_out, facet_plural(a.left_out, "", "s"), a.first, a.why);
        if (!status && c->scene->animation_count == before && carried_count(c->scene) == carried)
            facet_report_add(c->options.report, "ANIMATIONS-NONE", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET, "no animation in '%s' fits the model", folder);
    }
    facet_folder_free(&listed);
    facet_j3d_free(model);
    return status;
}

facet_status cli_add_animations(cli_conversion *c, const char **blamed, facet_error *error)
{
    facet_status status = FACET_OK;
    for (int i = 0; i < c->added_count && !status; i++) {
        status = add(c, c->added[i], error);
        if (status)
            *blamed = c->added[i];
    }
    if (!status && c->settings->animations)
        status = add_folder(c, c->settings->animations, blamed, error);
    return status;
}

/* -- Poses -------------------------------------------------------------- */

facet_status cli_open_poses(cli_conversion *c, const char **blamed, facet_error *error)
{
    size_t count = c->added_count > 0 ? (size_t)c->added_count : 0;
    facet_status status = FACET_OK;
    if (count == 0)
        return FACET_OK;
    c->pose_files = calloc(count, sizeof *c->pose_files);
    c->poses = calloc(count, sizeof *c->poses);
    if (!c->pose_files || !c->poses)
        return facet_fail_memory(error, count * sizeof *c->poses);
    for (size_t i = 0; i < count && !status; i++) {
        *blamed = c->added[i];
        status =
            cli_open_side(c->arguments->record, c->added[i], &c->options, &c->pose_files[i], error);
        if (!status)
            status = facet_input_decompress(c->pose_files[i], &c->poses[i], error);
        if (!status)
            status = cli_record_source(c->arguments->record, &c->poses[i], error);
    }
    c->j3d.poses = c->poses;
    c->j3d.pose_count = (uint32_t)count;
    return status;
}

void cli_close_poses(cli_conversion *c)
{
    for (int i = 0; c->pose_files && i < c->added_count; i++)
        facet_input_close(c->pose_files[i]);
    free(c->pose_files);
    free(c->poses);
}
