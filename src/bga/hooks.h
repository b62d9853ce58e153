/* bga/hooks.h - what the files of this folder share beyond the view. */
#ifndef FACET_BGA_HOOKS_H
#define FACET_BGA_HOOKS_H

#include "scene/format.h"

#include <facet/bga.h>

/* View a source, and add to the report (NULL: to none) what its header has to
 * say short of errors. */
facet_status facet_bga_view_reported(const facet_source *source, const facet_options *options,
                                     facet_bga *bga, facet_error *error);
/* Add to the report the rules of the header that leave a file usable. */
void facet_bga_remark(const facet_bga *bga, facet_report *report);

/* The members of facet_format_bga. */
facet_status facet_bga_read_scene(const facet_source *source, const facet_load_options *load,
                                  const facet_options *options, facet_scene **scene,
                                  facet_error *error);
facet_status facet_bga_write_scene(const facet_scene *scene, const facet_options *options,
                                   facet_output *output, facet_error *error);
facet_status facet_bga_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);
facet_status facet_bga_describe(const facet_source *source, const facet_options *options,
                                facet_description *description, facet_error *error);
facet_status facet_bga_copy(const facet_source *source, const facet_options *options,
                            facet_output *output, facet_error *error);

#endif
