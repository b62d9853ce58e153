/* What starting any program takes, to measure the start of ours beside. */
int main(void)
{
    return 0;
}
