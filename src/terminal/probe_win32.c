/* terminal/probe_win32.c - consoles of Windows are not asked: what is shown there is told by
 * --protocol. */
#include "terminal/terminal.h"

void facet_terminal_probe(facet_terminal *terminal)
{
    facet_terminal_init(terminal);
}
