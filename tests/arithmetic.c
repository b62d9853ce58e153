/* Requirements for the compiler's arithmetic (CMakeLists.txt): a product and a sum are rounded
 * separately, and no value has more digits than its type. With a compiler that violates this,
 * results differ between machines. */
#include <stdio.h>

/* Not known at compile time. */
static volatile float one_float = 1, big = 16777216; /* 2^24 */
static volatile double one = 1, small = 0x1p-27, nearly = 0x1p-26;

int main(void)
{
    /* (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54, which rounds to 1 + 2^-26. The fused sum with -(1 + 2^-26)
     * keeps the last part. */
    double x = one + small, y = x * x - (one + nearly);
    /* 2^24 + 1 is not a float: it rounds to 2^24. */
    float sum = big + one_float, rest = sum - big, at_once = (big + one_float) - big;
    if (y != 0)
        printf("a product and a sum are fused: %g is left, expected 0\n", y);
    if (rest != 0 || at_once != 0)
        printf("floats have more digits than floats: %g and %g are left, expected 0\n",
               (double)rest, (double)at_once);
    return y != 0 || rest != 0 || at_once != 0;
}
