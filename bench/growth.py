#!/usr/bin/env python3
"""growth.py GENERATE-OBJ FACET [MAX]: measure how the time of a job grows with its size.

Prints the processor time of `facet convert` for OBJ files of 10,000 to 30 million triangles (or
MAX), and the exponent between two sizes. The system's time is printed separately. Most of it is for
new pages, and on a virtual machine it can vary by 10 times between runs.
"""
import math
import os
import resource
import subprocess
import sys
import tempfile


def seconds_of(command, runs):
    """Mean processor time of some runs of a command, in user code and in the system. A single short
    run is too short for the system's clock ticks."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(runs):
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) / runs, (after.ru_stime - before.ru_stime) / runs


def main():
    generate, facet = sys.argv[1:3]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else 30_000_000
    jobs = (('to BSM', 'out.bsm', []), ('to GLB', 'out.glb', []),
            ('to BSM, a tenth of the triangles', 'out.bsm', ['--simplify', '0.1']),
            ('to GLB, clustered', 'out.glb', ['--cluster', '100000']))
    sizes = [n for n in (10_000, 100_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000) if n <= most]
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, 'mesh.obj')
        before = {}
        for size in sizes:
            subprocess.run([generate, str(size), source], check=True)
            for title, name, options in jobs:
                took, system = seconds_of([facet, 'convert', '-q', '-j', '1', *options, source,
                                   os.path.join(folder, name)], max(3, 500_000 // size))
                growth = ''
                if title in before:
                    count, last = before[title]
                    growth = f', exponent {math.log(took / last) / math.log(size / count):.2f}'
                print(f'{title}: {size} triangles, {took:.3f} s{growth}; {system:.3f} s in the system',
                      flush=True)
                before[title] = (size, took)


main()
