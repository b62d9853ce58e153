/* cli/check_fit.c - checks that animations and a BMT fit the model given with them. */
#include "cli/check.h"
#include "formats/j3d/file/material_table.h"

#include <string.h>

/* Animations begin with J3D1, models of all kinds with J3D2bm or J3D2bd. */
static bool begins_like(const facet_source *source, const char *magic)
{
    return source->size >= strlen(magic) && memcmp(source->data, magic, strlen(magic)) == 0;
}

void cli_find_model(const cli_arguments *arguments, cli_model *model)
{
    facet_source source, found = {0};
    bool several = false;
    for (int i = 0; i < arguments->count && arguments->count > 1 && !several; i++) {
        facet_input *input = NULL;
        if (strcmp(arguments->words[i], "-") == 0 ||
            facet_input_open(arguments->words[i], NULL, &input, NULL))
            continue;
        bool is_model = facet_input_decompress(input, &source, NULL) == FACET_OK &&
                        (begins_like(&source, "J3D2bmd") || begins_like(&source, "J3D2bdl"));
        several = is_model && model->input;
        if (!is_model || several) {
            facet_input_close(input);
            continue;
        }
        model->input = input;
        found = source;
    }
    if (several || !model->input || facet_j3d_read(&found, NULL, &model->document, NULL))
        model->document = NULL;
}

void cli_release_model(cli_model *model)
{
    facet_j3d_free(model->document);
    facet_input_close(model->input);
}

static facet_status check_table(const cli_model *model, const facet_source *source,
                                facet_report *report, facet_error *error)
{
    facet_j3d *table = NULL;
    if (facet_j3d_read(source, NULL, &table, NULL))
        return FACET_OK;
    facet_status status = facet_j3d_check_table(model->document, table, report, error);
    facet_j3d_free(table);
    return status;
}

facet_status cli_check_fit(const cli_model *model, const facet_source *source,
                           const facet_options *options, facet_report *report, facet_error *error)
{
    facet_j3d_animation *animation = NULL;
    if (model->document && begins_like(source, "J3D2bmt"))
        return check_table(model, source, report, error);
    if (!model->document || !begins_like(source, "J3D1") ||
        facet_j3d_animation_read(source, NULL, &animation, NULL))
        return FACET_OK;
    facet_status status =
        facet_j3d_animation_check_fit(animation, model->document, options, report, NULL, error);
    facet_j3d_animation_free(animation);
    return status;
}
