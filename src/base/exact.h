/* base/exact.h - functions with the same results on every machine. They use only additions and
 * products; those of the C library differ between machines. */
#ifndef FACET_BASE_EXACT_H
#define FACET_BASE_EXACT_H

/* The power of 2 to x, with a relative error of 1e-9; 0 below -1000, infinite above 1000. */
double facet_exact_exp2(double x);
/* Binary logarithm of x, which is above 0, with an error of 1e-14. */
double facet_exact_log2(double x);
/* Sine and cosine of an angle in degrees, with an error of 1e-12. */
void facet_exact_sine_cosine(double degrees, double *sine, double *cosine);

#endif
