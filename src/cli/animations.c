/* cli/animations.c - facet convert: animations that belong to a model, named one by
 * one or by their folder. */
#include "base/folder.h"
#include "base/report.h"
#include "cli/convert.h"
#include "cli/record.h"

#include <stdlib.h>
#include <string.h>

static facet_status add(cli_conversion *c, const char *path, facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_status status = facet_input_open(path, &c->options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status) {
        cli_record_source(&source);
        status = facet_load_animation(&source, NULL, &c->source, &c->options, c->scene, error);
    }
    facet_input_close(input);
    return status;
}

/* -- Folders ------------------------------------------------------------ */

/* Whether a file is an animation that fits the model; why not, is said. */
static bool fits(const char *path, const facet_j3d *model)
{
    facet_input *input = NULL;
    facet_source source;
    facet_j3d_animation *animation = NULL;
    facet_report *report = NULL;
    bool result = false;
    if (facet_input_open(path, NULL, &input, NULL))
        return false;
    facet_report_create(NULL, &report, NULL);
    if (facet_input_decompress(input, &source, NULL) == FACET_OK &&
        facet_format_can_load_animation(facet_format_probe(&source)) &&
        facet_j3d_animation_read(&source, NULL, &animation, NULL) == FACET_OK) {
        if (facet_j3d_animation_check_fit(animation, model, NULL, report, &result, NULL))
            result = false;
        if (!result)
            cli_remark("%s: left out: %s", path,
                       report && facet_report_count(report) > 0
                           ? facet_report_get(report, 0)->message
                           : "it moves nothing of the model");
        facet_j3d_animation_free(animation);
    }
    facet_report_free(report);
    facet_input_close(input);
    return result;
}

/* The file "folder/name", if it is an animation that fits. */
static facet_status add_fitting(cli_conversion *c, const char *folder, const char *name,
                                const facet_j3d *model, facet_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fits(path, model) ? add(c, path, error) : FACET_OK;
}

static facet_status add_directory(cli_conversion *c, const char *path, const facet_folder *folder,
                                  const facet_j3d *model, facet_error *error)
{
    facet_status status = FACET_OK;
    for (size_t i = 0; i < folder->count && !status; i++) {
        if (folder->names[i][0] != '.')
            status = add_fitting(c, path, folder->names[i], model, error);
    }
    return status;
}

/* All files of an archive, in whatever folder. */
static facet_status add_archive(cli_conversion *c, const char *path, const facet_j3d *model,
                                facet_error *error)
{
    facet_input *input = NULL;
    facet_source source;
    facet_archive *archive = NULL;
    facet_status status = facet_input_open(path, &c->options, &input, error);
    if (!status)
        status = facet_input_decompress(input, &source, error);
    if (!status)
        status = facet_archive_read(&source, &c->options, &archive, error);
    for (uint32_t i = 0; archive && i < archive->member_count && !status; i++) {
        char name[2048];
        bool is_file = !(archive->members[i].flags & FACET_ARCHIVE_FOLDER);
        if (is_file && facet_archive_path(archive, i, name, sizeof name) < sizeof name)
            status = add_fitting(c, path, name, model, error);
    }
    facet_archive_free(archive);
    facet_input_close(input);
    return status;
}

static facet_status add_folder(cli_conversion *c, const char *folder, const char **blamed,
                               facet_error *error)
{
    facet_j3d *model = NULL;
    facet_folder listed;
    uint32_t before = c->scene->animation_count;
    const char *carried = c->scene->extras; /* new text when an animation rides there */
    bool is_folder = facet_folder_list(folder, &listed);
    facet_status status = facet_j3d_read(&c->source, NULL, &model, error);
    if (!status) {
        *blamed = folder;
        status = is_folder ? add_directory(c, folder, &listed, model, error)
                           : add_archive(c, folder, model, error);
        if (!status && c->scene->animation_count == before && c->scene->extras == carried)
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
