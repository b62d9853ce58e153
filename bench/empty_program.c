/* bench/empty_program.c - an empty program; bench_start compares with its start. */
int main(void)
{
    return 0;
}
