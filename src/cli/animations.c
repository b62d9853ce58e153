/* cli/animations.c - facet convert: animations that belong to a model, named one by
 * one or by their folder. */
#include "cli/convert.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static facet_status add(cli_conversion *c, const char *path, facet_error *error)
{
    facet_file *file = NULL;
    facet_status status = facet_file_open(path, &file, error);
    if (status)
        return status;
    facet_source source = facet_file_source(file);
    status = facet_add(&source, NULL, &c->source, &c->options, c->scene, error);
    facet_file_close(file);
    return status;
}

/* -- Folders ------------------------------------------------------------ */

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Whether a file is an animation that fits the model; why not, is said. */
static bool fits(const char *path, const facet_j3d *model)
{
    facet_file *file = NULL;
    facet_j3d_animation *animation = NULL;
    facet_report *report = NULL;
    bool result = false;
    if (facet_file_open(path, &file, NULL))
        return false;
    facet_source source = facet_file_source(file);
    const facet_format *format = facet_format_probe(&source);
    facet_report_create(NULL, &report, NULL);
    if (facet_format_can_add(format) &&
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
    facet_file_close(file);
    return result;
}

static facet_status add_folder(cli_conversion *c, const char *folder, const char **blamed,
                               facet_error *error)
{
    struct dirent **entries = NULL;
    facet_j3d *model = NULL;
    facet_status status = facet_j3d_read(&c->source, NULL, &model, error);
    if (status)
        return status;
    int count = scandir(folder, &entries, NULL, compare_entries);
    if (count < 0) {
        *blamed = folder;
        *error = (facet_error){.status = FACET_ERROR_IO, .offset = FACET_NO_OFFSET};
        snprintf(error->message, sizeof error->message, "the folder cannot be read");
        status = FACET_ERROR_IO;
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (!status && entries[i]->d_name[0] != '.' && fits(path, model))
            status = add(c, path, error);
        free(entries[i]);
    }
    free(entries);
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
