#!/usr/bin/env python3
"""thread_limits.py PROGRAM: check that a memory limit does not depend on the number of threads.

Run each command with --threads for increasing memory limits, until two of them are enough, and for
the last one, with 0, 1, 2 and 8 threads. 0 means one for each processor. All four must have the
same exit status and the same outputs. A command with the option and without a run here is an error,
except those that need a terminal or a window.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LIMITS = (1, 2, 4, 6, 9, 14, 24)  # MiB; the smallest are too small for most runs
RUNS = {
    "info": ["info", "a.obj"],
    "check": ["check", "a.glb"],
    "convert to GLB": ["convert", "a.obj", "out/a.glb"],
    "convert to BMD": ["convert", "a.obj", "out/a.bmd"],
    "convert to BSM": ["convert", "a.glb", "out/a.bsm"],
    "a hull of many points": ["convert", "--hulls", "1", "--hull-vertices", "65536", "a.obj", "out/h.bsm"],
    "simplify": ["convert", "--simplify", "0.3", "a.obj", "out/s.glb"],
    "levels of detail": ["convert", "--lods", "2", "a.obj", "out/l.glb"],
    "occluder": ["convert", "--occluder", "0.5", "small.obj", "out/o.bsm"],
    "turntable": ["render", "--size", "64x64", "--turntable", "4", "a.glb", "out/a.png"],
    "render": ["render", "--size", "64x64", "a.glb", "out/a.png"],
    "compare": ["compare", "a.glb", "b.glb"],
    "extract": ["extract", "a.arc", "out"],
    "pack": ["pack", "out/b.arc", "folder"],
    "pack compressed": ["pack", "out/b.szs", "folder"],
}
WITHOUT_RUN = {"show", "view"}


def grid(side, step=1):
    """A bumpy square with texture coordinates. A step of -1 reverses the order of the faces."""
    lines = [f"v {x} {y} {x * y % 7}\nvt {x / side} {y / side}\n"
             for y in range(side) for x in range(side)]
    for y in range(side - 1)[::step]:
        for a in range(y * side + 1, y * side + side):
            b, c, d = a + 1, a + side + 1, a + side
            lines.append(f"f {a}/{a} {b}/{b} {c}/{c}\nf {a}/{a} {c}/{c} {d}/{d}\n")
    return "".join(lines)


def run(program, words, folder):
    """Status and outputs of a command. Standard output is one of them."""
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, timeout=300)
    files = {path.name: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    return done.returncode, done.stdout, files


def make_inputs(program, folder):
    (folder / "a.obj").write_text(grid(80))  # 12,482 triangles; a thread reduces 8,192
    (folder / "b.obj").write_text(grid(80, -1))  # equal bytes would not be compared
    (folder / "small.obj").write_text(grid(4))  # an occluder of the other takes seconds
    (folder / "folder").mkdir()
    (folder / "folder" / "pad").write_bytes(bytes(16 << 20))  # more memory than stacks of threads
    for words in (["convert", "-q", "a.obj", "a.glb"],
                  ["convert", "-q", "a.glb", "folder/a.bmd"],
                  ["convert", "-q", "b.obj", "b.glb"],
                  ["pack", "-q", "a.arc", "folder"]):
        subprocess.run([program, *words], cwd=folder, check=True)


def commands_with_threads(program):
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"^ +(?:facet )?([a-z]+) ", text, re.MULTILINE):
        help_text = subprocess.run([program, name, "--help"], capture_output=True, text=True)
        if help_text.returncode == 0 and "--threads" in help_text.stdout:
            yield name


def main():
    program, faults = str(Path(sys.argv[1]).resolve()), []
    # Other tests find leaks; the search takes half of the time of a short run.
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    covered = {words[0] for words in RUNS.values()} | WITHOUT_RUN
    found = set(commands_with_threads(program))
    if not found:
        faults.append("no command with --threads found")
    faults += [f"{name}: no run here" for name in sorted(found - covered)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_inputs(program, folder)
        for title, words in RUNS.items():
            statuses, enough = set(), 0
            for limit in LIMITS:
                if enough == 2 and limit != LIMITS[-1]:
                    continue
                results = {
                    threads: run(program, [*words, "--memory-limit", str(limit), "--threads",
                                           str(threads)], folder)
                    for threads in (0, 1, 2, 8)}
                statuses.add(results[1][0])
                enough += results[1][0] == 0
                for threads, result in results.items():
                    if result != results[1]:
                        faults.append(f"{title}, {limit} MiB, {threads} threads: status "
                                      f"{result[0]}, with one thread {results[1][0]}, or other "
                                      f"outputs")
            if 0 not in statuses or not statuses <= {0, 1}:
                faults.append(f"{title}: statuses {sorted(statuses)}, expected 0 and perhaps 1")
    for fault in faults:
        print(fault)
    print(f"{len(RUNS)} runs, {len(LIMITS)} limits, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
