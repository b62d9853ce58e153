/* cli/check.h - checks that animations and a BMT fit the model given with them. */
#ifndef FACET_CLI_CHECK_H
#define FACET_CLI_CHECK_H

#include "cli/cli.h"

/* The only J3D model among the files of a command. */
typedef struct cli_model {
    facet_input *input;
    facet_j3d *document; /* NULL: no model, or several */
} cli_model;

/* Find the model. Unreadable files are reported when they are checked. */
void cli_find_model(const cli_arguments *arguments, cli_model *model);
void cli_release_model(cli_model *model);
/* Report whether an animation or a BMT fits the model; does nothing for other files. */
facet_status cli_check_fit(const cli_model *model, const facet_source *source,
                           const facet_options *options, facet_report *report, facet_error *error);

#endif
