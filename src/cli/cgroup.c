/* cli/cgroup.c - memory limits of Linux's control groups. A group's limit is the minimum over it
 * and all groups around it: Slurm, Kubernetes and systemd nest them. Version 2 has one tree,
 * version 1 a separate one for memory. */
#include "cli/cgroup.h"
#include "base/system.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0: no limit. */
static uint64_t read_limit(const char *path)
{
    char text[32] = "";
    FILE *file = fopen(path, "r");
    bool number = file && fgets(text, sizeof text, file) && *text >= '0' && *text <= '9';
    if (file)
        fclose(file);
    return number ? strtoull(text, NULL, 10) : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

/* Minimum limit of the group and all groups around it, up to the root of the tree. In a container,
 * the root is the container's group, and the group's path may not exist. */
static uint64_t limit_of_group(const char *tree, const char *group, const char *file)
{
    char path[FACET_PATH_MAX], below[FACET_PATH_MAX];
    uint64_t limit = 0;
    if (strlen(group) >= sizeof below)
        return 0;
    strcpy(below, group);
    for (;;) {
        while (*below && below[strlen(below) - 1] == '/')
            below[strlen(below) - 1] = '\0';
        if (snprintf(path, sizeof path, "%s%s/%s", tree, below, file) < (int)sizeof path)
            limit = smaller(limit, read_limit(path));
        char *slash = strrchr(below, '/');
        if (!slash)
            return limit;
        *slash = '\0';
    }
}

/* True if a list of controllers, like "cpu,memory", has memory. */
static bool has_memory(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t word = 0;
        while (at + word < length && text[at + word] != ',')
            word++;
        if (word == strlen("memory") && strncmp(text + at, "memory", word) == 0)
            return true;
        at += word + 1;
    }
    return false;
}

uint64_t cli_cgroup_limit(const char *membership, const char *root)
{
    char line[FACET_PATH_MAX], tree[FACET_PATH_MAX];
    uint64_t limit = 0;
    FILE *file = fopen(membership, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        /* "0::/group" of version 2, "4:memory:/group" of version 1 */
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(++controllers, ':') : NULL;
        if (!group)
            continue;
        size_t length = (size_t)(group++ - controllers);
        if (length == 0) {
            limit = smaller(limit, limit_of_group(root, group, "memory.max"));
        } else if (has_memory(controllers, length) &&
                   snprintf(tree, sizeof tree, "%s/memory", root) < (int)sizeof tree) {
            limit = smaller(limit, limit_of_group(tree, group, "memory.limit_in_bytes"));
        }
    }
    if (file)
        fclose(file);
    return limit;
}
