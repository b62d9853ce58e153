/* cli/stop.h - what ends the program before it is done: signals, and the time limit. */
#ifndef FACET_CLI_STOP_H
#define FACET_CLI_STOP_H

/* From here on a signal that ends the program leaves no half-written file, and a file
 * that grows beyond what the system allows is an error to write. */
void cli_stop_setup(void);
/* End the program with EXIT_SYSTEM when so many seconds have passed, above 0. */
void cli_stop_after(double seconds);
/* From here on an input that is mapped, and that another process cuts short, ends the program
 * with this status and a message that names it. */
void cli_stop_for_lost_inputs(int status);

#endif
