/* fuzz/folder.h - a temporary folder for harnesses that read and write files. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char own_folder[64];

/* Remove the folder and its content when the process exits. */
static void remove_own_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", own_folder);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", own_folder);
}

/* Path of `name` in the folder, valid until the second next call. The first call creates the
 * folder, in memory if possible (outputs are synced), and discards stderr from then on. */
static const char *own_path(const char *name)
{
    static char paths[2][400];
    static unsigned turn;
    if (!*own_folder) {
        snprintf(own_folder, sizeof own_folder, "%s/facet-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        if (!mkdtemp(own_folder))
            abort();
        atexit(remove_own_folder);
        if (!getenv("FACET_FUZZ_LOUD"))
            stderr = fopen("/dev/null", "w");
    }
    char *path = paths[turn++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", own_folder, name);
    return path;
}

static const char *put_own_file(const char *name, const uint8_t *data, size_t size)
{
    const char *path = own_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

#endif
