/* batch/hook.h - commands of --fetch and --store. They run without a shell: a name is data in one
 * word. */
#ifndef FACET_BATCH_HOOK_H
#define FACET_BATCH_HOOK_H

#include "cli/cli.h"

#include <sys/types.h>

typedef struct cli_hook {
    const char *option, *given; /* NULL: no hook */
    char *text, **words;
    int count;
} cli_hook;

/* Values of the names in a template; NULL: not used. */
typedef struct cli_hook_names {
    const char *in, *out, *file;
} cli_hook_names;

typedef enum cli_hook_result {
    CLI_HOOK_DONE,
    CLI_HOOK_FAILED, /* permanent error: exit status 65 or 66 */
    CLI_HOOK_RETRY,  /* temporary error: any other exit status */
    CLI_HOOK_SYSTEM  /* service not available: exit status 75, or the command cannot be started */
} cli_hook_result;

/* Split and check a template. `names` are the allowed ones; a name after '!' is required, as in
 * "!in,file". NULL given: no hook. An exit status. Free the hook either way. */
int cli_hook_parse(cli_hook *hook, const char *option, const char *given, const char *names);
void cli_hook_free(cli_hook *hook);
/* watchdog.c: hooks end also if SIGKILL ends the batch. The watchdog starts once. */
void cli_watchdog_open(void);
void cli_watchdog_add(pid_t group);
void cli_watchdog_remove(pid_t group);
/* Create a pipe whose ends other processes do not inherit. */
bool cli_hook_open_pipe(int ends[2]);
/* Start a hook; *output is its standard output, which the caller closes. `output` may be NULL to
 * discard it. False, and errno: EINVAL if a name would be read as an option. */
bool cli_hook_start(const cli_hook *hook, const cli_hook_names *names, pid_t *process, int *output);
/* Kill a hook and the processes that it started. Its end follows. */
void cli_hook_kill(pid_t process);
/* False if the process still runs. It does not wait for other processes that the hook started: they
 * may stay in the background. */
bool cli_hook_has_ended(pid_t process, cli_hook_result *result);
/* Wait until the process ends. */
cli_hook_result cli_hook_end(pid_t process);
/* Start a hook without output, and wait. */
cli_hook_result cli_hook_run(const cli_hook *hook, const cli_hook_names *names);

#endif
