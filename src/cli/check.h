/* cli/check.h - whether animations fit the model that is checked beside them. */
#ifndef FACET_CLI_CHECK_H
#define FACET_CLI_CHECK_H

#include "cli/cli.h"

/* The only J3D model among the files of a command. */
typedef struct cli_model {
    facet_input *input;
    facet_j3d *document; /* NULL: there is none, or several */
} cli_model;

/* What cannot be read is told when the file itself is checked. */
void cli_find_model(const cli_arguments *arguments, cli_model *model);
void cli_release_model(cli_model *model);
/* Add to the report whether an animation fits; nothing for other files. */
facet_status cli_check_fit(const cli_model *model, const facet_source *source,
                           const facet_options *options, facet_report *report, facet_error *error);

#endif
