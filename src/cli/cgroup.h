/* cli/cgroup.h - the memory limit of Linux's control groups. */
#ifndef FACET_CLI_CGROUP_H
#define FACET_CLI_CGROUP_H

#include <stdint.h>

/* Smallest limit of the groups of the process, in bytes; 0: no limit. `membership` is
 * /proc/self/cgroup, `root` /sys/fs/cgroup. */
uint64_t cli_cgroup_limit(const char *membership, const char *root);

#endif
