/* cli/view.h - what the files of facet view share. */
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

/* view_host.c: the functions of the viewer that take the program; `viewing` is their user. */
facet_view_host cli_view_host(cli_viewing *viewing);
/* view_files.c: the words as things to look at: animations and materials go to the model before
 * them, folders and archives become what is in them. An exit status. */
int cli_view_add_words(const cli_viewing *viewing, facet_viewer *viewer);
/* Models in a folder or an archive, sorted; to be freed with cli_view_free_list. */
facet_status cli_view_list(const char *folder, const facet_options *options, char ***paths,
                           size_t *count, facet_error *error);
void cli_view_free_list(char **paths, size_t count);

#endif
