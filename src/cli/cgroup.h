/* cli/cgroup.h - the memory limit of Linux's control groups. */
#ifndef FACET_CLI_CGROUP_H
#define FACET_CLI_CGROUP_H

#include <stdint.h>

/* The smallest limit of the groups that the process is in, in bytes; 0: none. `membership` is
 * /proc/self/cgroup, `root` /sys/fs/cgroup. */
uint64_t cli_cgroup_limit(const char *membership, const char *root);

#endif
