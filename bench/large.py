#!/usr/bin/env python3
"""large.py GENERATE-SURFACE FACET [ROWS]: reduce files that are larger than memory.

Writes a surface of 4 * ROWS * ROWS triangles (5000 rows: 10^8) as PLY, STL and OBJ. Each is
clustered to 2 million vertices, then reduced to 500,000 triangles. Prints time and peak memory.

A surface of a million triangles is reduced with and without clusters. Prints the distances from it
as shares of those without clusters.
"""
import os
import re
import subprocess
import sys
import tempfile
import time


def measure(command):
    """Seconds, processor seconds and peak memory in MB of a command."""
    begin = time.monotonic()
    process = subprocess.Popen(command)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f'{command} failed')
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def distances(facet, source, made):
    """Mean, root mean square and greatest distance of the source from the result."""
    printed = subprocess.run([facet, 'compare', source, made], capture_output=True, text=True).stdout
    line = next(line for line in printed.splitlines() if 'first to second' in line)
    return [float(re.search(word + r' ([\d.e+-]+)', line)[1]) for word in ('mean', 'rms', 'greatest')]


def main():
    generate, facet = sys.argv[1:3]
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 5000
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, 'made.glb')
        for kind in ('ply', 'stl', 'obj'):
            source = os.path.join(folder, 'surface.' + kind)
            subprocess.run([generate, str(rows), kind, source], check=True)
            took, work, peak = measure([facet, 'convert', '-q', source, made, '--cluster', '2000000',
                                        '--simplify', '500000'])
            print(f'{kind}: {4 * rows * rows} triangles, {os.path.getsize(source) / 1e9:.2f} GB: {took:.1f} s, '
                  f'{work:.1f} s of processor time, {peak:.0f} MB', flush=True)
            os.remove(source)
        source = os.path.join(folder, 'small.ply')
        subprocess.run([generate, '500', 'ply', source], check=True)
        for target in (2000, 5000, 26000):
            subprocess.run([facet, 'convert', '-q', source, made, '--simplify', str(target)], check=True)
            whole = distances(facet, source, made)
            subprocess.run([facet, 'convert', '-q', source, made, '--cluster', str(target * 8), '--simplify',
                            str(target)], check=True)
            ratios = [a / b for a, b in zip(distances(facet, source, made), whole)]
            print(f'1000000 to {target} triangles, clustered to {target * 8} vertices before: '
                  f'mean {ratios[0]:.2f}, rms {ratios[1]:.2f}, greatest {ratios[2]:.2f} of the distance in memory')


main()
