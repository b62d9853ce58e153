/* cli/stop.h - early ends of the program: signals, and the time limit. */
#ifndef FACET_CLI_STOP_H
#define FACET_CLI_STOP_H

/* Handle signals: a signal leaves no partial file, and a file beyond the system's size limit is a
 * write error. */
void cli_stop_setup(void);
/* End the program with EXIT_SYSTEM after this many seconds (above 0). */
void cli_stop_after(double seconds);
/* If another process truncates a mapped input, end the program with this status and a message with
 * its name. */
void cli_stop_for_lost_inputs(int status);

#endif
