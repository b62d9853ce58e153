/* batch/identify.h - hashes of files, folders and options. */
#ifndef FACET_BATCH_IDENTIFY_H
#define FACET_BATCH_IDENTIFY_H

#include "batch/batch.h"

/* Hash of the options of an item, in 16 hexadecimal digits; NULL: the options of all items. */
void cli_identify_options(const cli_batch_job *job, const cli_batch_item *item, char text[65]);
bool cli_is_plain_file(const char *path);
/* SHA-256 and size of a plain file; false if it is not one, or cannot be read. Any thread. */
bool cli_identify_plain(const char *path, char text[65], uint64_t *bytes);
/* SHA-256 and size of a file, or of an archive's member as it is stored. False if it cannot be
 * read. Only plain files are opened: a pipe would be emptied, or never end. `kept` may be NULL; it
 * is searched first. */
bool cli_identify_in(cli_kept_archive *kept, const char *path, char text[65], uint64_t *bytes);
bool cli_identify_file(const char *path, char text[65], uint64_t *bytes);
/* Hash of the names in a folder. Paths of folders end in "/". */
bool cli_identify_folder(const char *path, char text[65]);
bool cli_is_folder_name(const char *path);

#endif
