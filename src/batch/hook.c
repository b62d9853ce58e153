/* batch/hook.c - processes of --fetch and --store. */
#include "batch/hook.h"
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* -- Templates ---------------------------------------------------------- */

static const char *const known_names[] = {"in", "out", "file", NULL};

/* Name in a template at a position, or NULL. */
static const char *name_at(const char *at)
{
    for (size_t i = 0; known_names[i]; i++) {
        size_t length = strlen(known_names[i]);
        if (*at == '{' && strncmp(at + 1, known_names[i], length) == 0 && at[length + 1] == '}')
            return known_names[i];
    }
    return NULL;
}

static bool has_name(const cli_hook *hook, const char *name)
{
    bool found = false;
    for (int i = 0; i < hook->count && !found; i++) {
        for (const char *at = hook->words[i]; *at && !found; at++)
            found = name_at(at) && strcmp(name_at(at), name) == 0;
    }
    return found;
}

static int check_names(const cli_hook *hook, const char *names)
{
    for (size_t i = 0; known_names[i]; i++) {
        const char *allowed = strstr(names, known_names[i]);
        bool wanted = allowed && allowed > names && allowed[-1] == '!';
        bool is_there = has_name(hook, known_names[i]);
        if (is_there ? !allowed : wanted) {
            cli_complain(NULL, "--%s '%s': {%s} is %s", hook->option, hook->given, known_names[i],
                         wanted ? "missing" : "not known here");
            return EXIT_USAGE;
        }
    }
    return EXIT_DONE;
}

int cli_hook_parse(cli_hook *hook, const char *option, const char *given, const char *names)
{
    *hook = (cli_hook){.option = option, .given = given};
    if (!given)
        return EXIT_DONE;
    hook->text = strdup(given);
    hook->words = calloc(strlen(given) / 2 + 2, sizeof *hook->words);
    if (!hook->text || !hook->words) {
        cli_complain_memory(NULL);
        return EXIT_SYSTEM;
    }
    hook->count = cli_batch_split_words(hook->text, hook->words);
    if (hook->count < 1) {
        cli_complain(NULL, "--%s '%s': expected a command", option, given);
        return EXIT_USAGE;
    }
    return check_names(hook, names);
}

void cli_hook_free(cli_hook *hook)
{
    free(hook->text);
    free(hook->words);
    *hook = (cli_hook){0};
}

static const char *value_of(const cli_hook_names *names, const char *name)
{
    const char *value = strcmp(name, "in") == 0    ? names->in
                        : strcmp(name, "out") == 0 ? names->out
                                                   : names->file;
    return value ? value : "";
}

/* A word with its names replaced by values; NULL, and errno. */
static char *expand(const char *word, const cli_hook_names *names)
{
    size_t space = 1, used = 0;
    for (const char *at = word; *at; at++)
        space += name_at(at) ? strlen(value_of(names, name_at(at))) : 1;
    char *made = malloc(space);
    for (const char *at = word; *at && made; at++) {
        const char *name = name_at(at), *value = name ? value_of(names, name) : NULL;
        if (value) {
            memcpy(made + used, value, strlen(value));
            used += strlen(value);
            at += strlen(name) + 1;
        } else {
            made[used++] = *at;
        }
    }
    if (!made)
        return NULL;
    made[used] = '\0';
    if (*made == '-' && *word != '-') { /* a name must not become an option */
        free(made);
        errno = EINVAL;
        return NULL;
    }
    return made;
}

static void free_words(char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        free(words[i]);
    free(words);
}

static char **expand_all(const cli_hook *hook, const cli_hook_names *names)
{
    char **words = calloc((size_t)hook->count + 1, sizeof *words);
    bool made = words != NULL;
    for (int i = 0; i < hook->count && made; i++) {
        words[i] = expand(hook->words[i], names);
        made = words[i] != NULL;
    }
    int saved = errno;
    if (!made)
        free_words(words);
    errno = saved;
    return made ? words : NULL;
}

/* -- Processes ---------------------------------------------------------- */

bool cli_hook_open_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Start a process in a separate group: a shell and the commands that it runs end together. Its
 * standard output is `to`, or nothing if that is negative. An error number. */
static int spawn(char **words, int to, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
                                              POSIX_SPAWN_SETPGROUP);
    int fault = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (fault == 0)
        fault = to >= 0 ? posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO)
                        : posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null",
                                                           O_WRONLY, 0);
    if (fault == 0)
        fault = posix_spawnp(process, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return fault;
}

bool cli_hook_start(const cli_hook *hook, const cli_hook_names *names, pid_t *process, int *output)
{
    int ends[2] = {-1, -1};
    char **words = expand_all(hook, names);
    if (!words)
        return false;
    cli_watchdog_open();
    int fault = !output || cli_hook_open_pipe(ends) ? spawn(words, ends[1], process) : errno;
    if (fault == 0)
        cli_watchdog_add(*process);
    free_words(words);
    if (ends[1] >= 0)
        close(ends[1]);
    if (fault != 0 && ends[0] >= 0)
        close(ends[0]);
    if (output)
        *output = ends[0];
    errno = fault == EINVAL ? ENOEXEC : fault;
    return fault == 0;
}

void cli_hook_kill(pid_t process)
{
    if (kill(-process, SIGKILL) != 0)
        kill(process, SIGKILL);
}

static cli_hook_result result_of(int status)
{
    enum { BAD_DATA = 65, NO_INPUT = 66, TRY_LATER = 75, NOT_RUN = 126, NOT_FOUND = 127 };
    if (!WIFEXITED(status))
        return CLI_HOOK_RETRY;
    switch (WEXITSTATUS(status)) {
    case 0:
        return CLI_HOOK_DONE;
    case BAD_DATA:
    case NO_INPUT:
        return CLI_HOOK_FAILED;
    case TRY_LATER:
    case NOT_RUN:
    case NOT_FOUND:
        return CLI_HOOK_SYSTEM;
    default:
        return CLI_HOOK_RETRY;
    }
}

/* Wait for a process as waitpid does. False if it still runs. */
static bool wait_for(pid_t process, int how, cli_hook_result *result)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(process, &status, how);
    while (ended < 0 && errno == EINTR);
    if (ended != 0)
        cli_watchdog_remove(process);
    *result = ended == process ? result_of(status) : CLI_HOOK_RETRY;
    return ended != 0;
}

bool cli_hook_has_ended(pid_t process, cli_hook_result *result)
{
    return wait_for(process, WNOHANG, result);
}

cli_hook_result cli_hook_end(pid_t process)
{
    cli_hook_result result;
    wait_for(process, 0, &result);
    return result;
}

cli_hook_result cli_hook_run(const cli_hook *hook, const cli_hook_names *names)
{
    pid_t process;
    if (!cli_hook_start(hook, names, &process, NULL))
        return errno == EINVAL ? CLI_HOOK_FAILED : CLI_HOOK_SYSTEM;
    return cli_hook_end(process);
}
