/* The same without vector instructions. */
#define FACET_NUMBERS_PLAIN 1
#include "test_lanes.c"
