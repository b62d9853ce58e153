/* batch/watchdog.c - a process that ends hooks when the batch was killed.
 *
 * Hooks have their own process groups, so SIGKILL of the group of the batch does not reach them.
 * The watchdog reads the groups from a socket, whose other end only the batch has. At its end, the
 * watchdog kills the groups that are left. */
#include "batch/hook.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/* More hooks than this at once are not watched. */
enum { MAX_GROUPS = 1024 };
enum { MAX_FILES = 65536 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int watchdog_socket = -1;

/* Read groups until the other end closes: a positive number begins one, a negative number ends it.
 * After fork in a program with threads, only async-signal-safe functions may be called. */
static void watch(int from)
{
    static pid_t groups[MAX_GROUPS];
    pid_t number;
    ssize_t got;
    int count = 0;
    while ((got = read(from, &number, sizeof number)) == (ssize_t)sizeof number ||
           (got < 0 && errno == EINTR)) {
        int at = 0;
        if (got < 0)
            continue;
        while (at < count && groups[at] != -number)
            at++;
        if (number > 0 && count < MAX_GROUPS)
            groups[count++] = number;
        else if (number < 0 && at < count)
            groups[at] = groups[--count];
    }
    for (int i = 0; i < count; i++)
        kill(-groups[i], SIGKILL);
    _exit(0);
}

static void start(void)
{
    int ends[2], kind = SOCK_STREAM;
    sigset_t all, before;
#ifdef SOCK_CLOEXEC
    kind |= SOCK_CLOEXEC; /* other threads start processes */
#endif
    if (socketpair(AF_UNIX, kind, 0, ends) != 0)
        return;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    long most = sysconf(_SC_OPEN_MAX);
    int files = most > 0 && most < MAX_FILES ? (int)most : MAX_FILES;
    pid_t process = fork();
    if (process == 0) {
        setpgid(0, 0);
        for (int i = 0; i < files; i++) { /* pipes of workers: only the batch may keep them open */
            if (i != ends[0])
                close(i);
        }
        watch(ends[0]);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(ends[0]);
    if (process > 0)
        watchdog_socket = ends[1];
    else
        close(ends[1]);
}

void cli_watchdog_open(void)
{
    pthread_once(&once, start);
}

static void send_number(pid_t number)
{
#ifdef MSG_NOSIGNAL
    const int flags = MSG_NOSIGNAL; /* the watchdog may have been killed */
#else
    const int flags = 0;
#endif
    if (watchdog_socket >= 0)
        send(watchdog_socket, &number, sizeof number, flags);
}

void cli_watchdog_add(pid_t group)
{
    send_number(group);
}

void cli_watchdog_remove(pid_t group)
{
    send_number(-group);
}
