/* terminal/probe_win32.c - a replacement without queries. On Windows, --protocol sets the
 * protocol. */
#include "terminal/terminal.h"

void facet_terminal_probe(facet_terminal *terminal)
{
    facet_terminal_init(terminal);
}
