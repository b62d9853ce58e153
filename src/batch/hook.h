/* batch/hook.h - commands of --fetch and --store. They run without a shell: what a name has in it
 * is data, in one word. */
#ifndef FACET_BATCH_HOOK_H
#define FACET_BATCH_HOOK_H

#include "cli/cli.h"

#include <sys/types.h>

typedef struct cli_hook {
    const char *option, *given; /* NULL: there is none */
    char *text, **words;
    int count;
} cli_hook;

/* What the names in a template are; NULL: they are not in it. */
typedef struct cli_hook_names {
    const char *in, *out, *file;
} cli_hook_names;

typedef enum cli_hook_result {
    CLI_HOOK_DONE,
    CLI_HOOK_FAILED, /* for good: exit status 65 or 66 */
    CLI_HOOK_RETRY,  /* another attempt may help: any other */
    CLI_HOOK_SYSTEM  /* nobody is served: 75, or it cannot be started */
} cli_hook_result;

/* Cut and check a template: `names` are the ones it may have, and must have when they begin with
 * '!': "!in,file". NULL given: no hook. An exit status. Free it either way. */
int cli_hook_parse(cli_hook *hook, const char *option, const char *given, const char *names);
void cli_hook_free(cli_hook *hook);
/* Start it; *output is its standard output, to be closed. False, and errno: EINVAL is a name that
 * would be read as an option. */
bool cli_hook_start(const cli_hook *hook, const cli_hook_names *names, pid_t *process, int *output);
/* Wait for its end. */
cli_hook_result cli_hook_end(pid_t process);
/* Start it, drop what it prints, wait. */
cli_hook_result cli_hook_run(const cli_hook *hook, const cli_hook_names *names);

#endif
