/* base/exact.h - functions whose results are the same on every machine: made of
 * additions and products alone, which the C library's are not. */
#ifndef FACET_BASE_EXACT_H
#define FACET_BASE_EXACT_H

/* 2 to the power of x, to 1e-9 of the value; 0 below -1000, and infinite above 1000. */
double facet_exact_exp2(double x);
/* The binary logarithm of x, above 0, to 1e-14. */
double facet_exact_log2(double x);
/* Sine and cosine of an angle in degrees, to 1e-12. */
void facet_exact_sine_cosine(double degrees, double *sine, double *cosine);

#endif
