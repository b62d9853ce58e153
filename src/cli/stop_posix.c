/* cli/stop_posix.c - early ends of the program. */
#include "cli/stop.h"

#include "base/output.h"
#include "cli/cli.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Clean up, then let the signal take its default action, which the parent process sees. */
static void on_signal(int number)
{
    facet_outputs_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

/* The handler's message is prepared in advance. */
static char late_message[128];

static void on_time(int number)
{
    (void)number;
    facet_outputs_abandon();
    if (write(STDERR_FILENO, late_message, strlen(late_message)) < 0)
        _exit(EXIT_SYSTEM);
    _exit(EXIT_SYSTEM);
}

void cli_stop_setup(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};
    struct sigaction action = {0}, was;
    action.sa_handler = on_signal;
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        /* Signals that the caller ignores, as with nohup, stay ignored. */
        if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
}

void cli_stop_after(double seconds)
{
    struct itimerval timer = {0};
    double whole = floor(seconds);
    struct sigaction action = {0};
    snprintf(late_message, sizeof late_message,
             "facet: error: not done after %g seconds, the --time-limit\n", seconds);
    action.sa_handler = on_time;
    sigfillset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    timer.it_value.tv_sec = (time_t)whole;
    timer.it_value.tv_usec = (suseconds_t)((seconds - whole) * 1e6);
    if (whole < 1 && timer.it_value.tv_usec == 0)
        timer.it_value.tv_usec = 1;
    setitimer(ITIMER_REAL, &timer, NULL);
}
