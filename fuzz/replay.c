/* fuzz/replay.c - run a harness over files, as an ordinary test:
 * replay FILE-OR-FOLDER... */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    LLVMFuzzerTestOneInput(data, size);
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

int main(int count, char **paths)
{
    int total = 0;
    for (int i = 1; i < count; i++) {
        int done = replay(paths[i]);
        if (done < 0)
            return 1;
        total += done;
    }
    printf("%d inputs replayed\n", total);
    return total > 0 ? 0 : 1;
}
