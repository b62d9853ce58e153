/* fuzz/replay.c - run a harness over files, as an ordinary test:
 * replay HARNESS FILE-OR-FOLDER... */
#include "replay.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const fuzz_harness *harness;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file || fstat(fileno(file), &status) != 0) {
        fprintf(stderr, "replay: cannot open '%s'\n", path);
        return -1;
    }
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size ? size : 1);
    if (!data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "replay: cannot read '%s'\n", path);
        exit(1);
    }
    fclose(file);
    harness->run(data, size);
    free(data);
    return 1;
}

static int replay(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return replay_file(path);
    DIR *directory = opendir(path);
    int total = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        char inside[4096];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        int done = replay(inside);
        if (done < 0)
            exit(1);
        total += done;
    }
    if (directory)
        closedir(directory);
    return total;
}

int main(int count, char **arguments)
{
    for (const fuzz_harness *each = fuzz_harnesses; count > 1 && each->name; each++) {
        if (strcmp(each->name, arguments[1]) == 0)
            harness = each;
    }
    if (!harness) {
        fprintf(stderr, "replay HARNESS FILE-OR-FOLDER...: no such harness\n");
        return 1;
    }
    int total = 0;
    for (int i = 2; i < count; i++) {
        int done = replay(arguments[i]);
        if (done < 0)
            return 1;
        total += done;
    }
    printf("%d inputs replayed\n", total);
    return total > 0 ? 0 : 1;
}
