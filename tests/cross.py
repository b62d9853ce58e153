#!/usr/bin/env python3
"""cross.py SOURCE BUILD MACHINE...: check that Facet's output is the same on every machine.

Build the core and its program for this machine and for each MACHINE (a file of cmake/machines). Run
each program, in its emulator, over a table of conversions, checks and descriptions. Compare every
byte. Exit with 1 if one differs, or if a compiler violates the requirements for its arithmetic.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFACET_DEPENDENCIES=OFF",
             "-DFACET_CXX=OFF", "-DFACET_SHARED=OFF", "-DFACET_MODULES=OFF", "-DFACET_CLI=ON",
             "-DFACET_WERROR=ON"]
EMULATORS = {"arm64": ["qemu-aarch64"], "s390x": ["qemu-s390x"], "i686": ["qemu-i386"],
             "armhf": ["qemu-arm"], "riscv64": ["qemu-riscv64"], "musl": [],
             "windows": ["/usr/lib/wine/wine64"]}
# From the seeds of the fuzz harnesses, which are in the tree, and from real files if FACET_CORPUS
# is set.
SEEDS = ["obj/collision.obj", "obj/fast.obj", "ply/rich.ply", "ply/uneven.ply", "stl/viscam.stl",
         "stl/text.stl", "bsm/full.bsm", "bga/kinds.bga", "bga/orders.bga",
         "binarymesh/mixed.v1.binarymesh", "binarymesh/mixed.v2.binarymesh",
         "binarymesh/mixed.v3.binarymesh", "binarymesh/mixed.v4.binarymesh", "bpx/model.bpx",
         "bpx/texture.bpx", "j3d/golden.bmd", "j3d/golden.bdl", "bti/c14x2", "bti/cmpr-levels",
         "archive/rarc", "archive/yaz0"]
CORPUS = ["obj/rabbit.obj", "obj/spider.obj", "obj/smoothing_group_162.obj",
          "ply/platonic_shelf_ascii.ply", "ply/cycloidal.ply", "stl/20mm-xyz-cube.stl",
          "bsm/test.bsm", "bga/fish.big-endian.v2.bga", "j3d/fish_static.bmd",
          "j3d/greenman_skinned.bdl", "binarymesh/juice_00.v2.binarymesh", "binarymesh/juice_00.v3.binarymesh",
          "binarymesh/archive_84bd9df4.v4.binarymesh",
          "bpx/bpx-tools_test_1632.bpx"]
TARGETS = [["bsm"], ["bga"], ["bga", "--endian", "big"], ["obj"], ["ply"], ["stl"], ["glb"],
           ["gltf"], ["binarymesh", "--format-version", "1"], ["bpx"], ["bmd"]]


def say(*words):
    print(*words, flush=True)


def run(command, **more):
    return subprocess.run(command, capture_output=True, **more)


def build(source, folder, machine):
    """Return the folder with the program of a machine."""
    toolchain = [f"-DCMAKE_TOOLCHAIN_FILE={source}/cmake/machines/{machine}.cmake"]
    for command in (["cmake", "-S", str(source), "-B", str(folder), *CONFIGURE,
                     *(toolchain if machine else [])],
                    ["ninja", "-C", str(folder), "facet", "facet_arithmetic"]):
        done = run(command)
        if done.returncode != 0:
            say(done.stdout.decode()[-4000:], done.stderr.decode()[-2000:])
            sys.exit(f"{machine or 'this machine'}: cannot be built")
    return folder


def program_of(folder, machine, name):
    emulator = EMULATORS[machine] if machine else []
    return [*emulator, str(folder / (name + (".exe" if machine == "windows" else "")))]


def inputs_of(source):
    corpus = os.environ.get("FACET_CORPUS")
    found = [(source / "fuzz/corpus" / name, name) for name in SEEDS]
    found += [(Path(corpus) / name, name) for name in CORPUS] if corpus else []
    return [(path, name.replace("/", "-")) for path, name in found]


def jobs_of(names):
    """Yield every run: its name, and the arguments of the program."""
    for name in names:
        yield f"check {name}", ["check", "--json", f"in/{name}"], None
        yield f"info {name}", ["info", "--json", f"in/{name}"], None
        for target in TARGETS:
            place = f"out/{name}-{'-'.join(target)}"
            yield f"{name} to {' '.join(target)}", ["convert", "-q", *target[1:], f"in/{name}",
                                                  f"{place}/made.{target[0]}"], place


def outcome(program, folder, job, environment):
    """Output of a run, as one line."""
    title, arguments, place = job
    if place:
        (folder / place).mkdir()
    # The program never fails without a message. Without one, the program did not start: on a busy
    # machine wine sometimes fails first.
    for _ in range(3 if program[0].endswith("wine64") else 1):
        done = run([*program, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL)
        if done.returncode == 0 or done.stderr or done.stdout:
            break
    digest = hashlib.sha256()
    digest.update(done.stdout)
    files = []
    if place:
        files = sorted((folder / place).iterdir())
        for each in files:
            digest.update(each.name.encode() + each.read_bytes())
    # The error message is the same on every machine.
    digest.update(done.stderr)
    return title, (done.returncode, len(files), digest.hexdigest()), done


def run_all(folder, machine, inputs):
    work = folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    (work / "in").mkdir(parents=True)
    (work / "out").mkdir()
    for path, name in inputs:
        shutil.copy(path, work / "in" / name)
        for beside in path.parent.glob(path.stem + ".mtl"):
            shutil.copy(beside, work / "in" / beside.name)
    environment = dict(os.environ, WINEDEBUG="-all", WINEPREFIX=str(folder.parent / "wine"),
                       LC_ALL="C.UTF-8")
    program = program_of(folder, machine, "facet")
    first = run([*program, "--version"], cwd=work, env=environment)  # wine creates its folder
    if first.returncode != 0:
        sys.exit(f"{machine}: the program does not run: {first.stderr.decode()[-500:]}")
    arithmetic = run(program_of(folder, machine, "facet_arithmetic"), cwd=work, env=environment)
    if arithmetic.returncode != 0:
        sys.exit(f"{machine}: {arithmetic.stdout.decode()}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {title: (result, done) for title, result, done in pool.map(
            lambda job: outcome(program, work, job, environment), list(jobs_of(
                [name for _, name in inputs])))}


def main():
    source, folder, machines = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]
    unknown = [machine for machine in machines if machine not in EMULATORS]
    if unknown or not machines:
        sys.exit(f"unknown: {' '.join(unknown)}; there are {' '.join(EMULATORS)}")
    inputs = inputs_of(source)
    wanted = run_all(build(source, folder / "native", None), None, inputs)
    made = sum(result[1] > 0 for result, _ in wanted.values())
    say(f"this machine: {len(wanted)} runs, {made} make files")
    if made < len(inputs) * 3:
        sys.exit("fewer files than a table is worth")
    failed = False
    for machine in machines:
        got = run_all(build(source, folder / machine, machine), machine, inputs)
        differing = [title for title in wanted if wanted[title][0] != got[title][0]]
        say(f"{machine}: {len(wanted) - len(differing)} of {len(wanted)} runs equal")
        for title in differing:
            say(f"  differs: {title}: exit {got[title][0][0]}, here {wanted[title][0][0]}",
                got[title][1].stderr.decode(errors='replace')[:200].strip())
        failed |= bool(differing)
    sys.exit(failed)


main()
