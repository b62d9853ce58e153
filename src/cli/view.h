/* cli/view.h - shared functions of facet view. */
#ifndef FACET_CLI_VIEW_H
#define FACET_CLI_VIEW_H

#include "cli/render.h"
#include "view/viewer.h"

typedef struct cli_view_settings {
    const char *screenshot;
    unsigned frames;
    bool compare, once, json, untrusted, play;
} cli_view_settings;

typedef struct cli_viewing {
    const cli_arguments *arguments;
    const cli_view_settings *settings;
    const cli_picture_settings *picture;
    facet_options options;
} cli_viewing;

/* view_host.c: callbacks for the viewer; `viewing` is their user data. */
facet_view_host cli_view_host(cli_viewing *viewing);
/* view_files.c: add the arguments as entries. Animations and materials belong to the model before
 * them; folders and archives are expanded. Returns an exit status. */
int cli_view_add_words(const cli_viewing *viewing, facet_viewer *viewer);
/* Sorted paths of the models in a folder or an archive; free them with cli_view_free_list. */
facet_status cli_view_list(const char *folder, const facet_options *options, char ***paths,
                           size_t *count, facet_error *error);
void cli_view_free_list(char **paths, size_t count);

#endif
