#include <facet/facet.h>
#include <stdio.h>
int main(void)
{
    puts(facet_version());
    return 0;
}
