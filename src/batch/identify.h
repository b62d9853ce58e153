/* batch/identify.h - sums of files, folders and options. */
#ifndef FACET_BATCH_IDENTIFY_H
#define FACET_BATCH_IDENTIFY_H

#include "batch/batch.h"

/* The options that an item is converted with, in 16 digits; NULL: those of all items. */
void cli_identify_options(const cli_batch_job *job, const cli_batch_item *item, char text[65]);
bool cli_is_plain_file(const char *path);
/* SHA-256 and size of a file, or of one in an archive as it is stored there; false
 * when it cannot be read. Other than plain files are not opened: a pipe would be
 * emptied, or never end. `kept` may be NULL; it is looked into first. */
bool cli_identify_in(cli_kept_archive *kept, const char *path, char text[65], uint64_t *bytes);
bool cli_identify_file(const char *path, char text[65], uint64_t *bytes);
/* The same of a folder: what changes is which names are in it. Paths of folders end in "/". */
bool cli_identify_folder(const char *path, char text[65]);
bool cli_is_folder_name(const char *path);

#endif
