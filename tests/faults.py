"""`faults.py` FACET [NAME...]: check the files after a failed system call.

A library that is loaded before the program (`faults.c`) lets one call fail: the n-th allocation,
write, sync, close, rename and so on. Then one of two results is right. The program ends with status
3 and a message, and every file is unchanged. Or the call did not matter, and files, standard output
and messages are the same as without it.

Allocations are sampled: one for each call stack, over all commands. With --memory-limit the error
is that of the option, MEMORY-LIMIT, and status 1. fault_plans.py has a line for each option of each
command, from the program's own tables. An option without a line, and a line that fails although no
call does, are errors of this test.
"""

import concurrent.futures
import json
import math
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import fault_plans

HERE = Path(__file__).resolve().parent
CALLS = ("write", "fsync", "close", "rename", "link", "truncate", "open", "mkdir")
MAX_CALLS = 40
OLD = b"what stood here before"


# -- Inputs ----------------------------------------------------------------------


def png(side):
    rows = b"".join(b"\0" + bytes((x * 16 % 256, y * 16 % 256, 99) * 1)[:3] * 1
                    for y in range(side) for x in range(1)) if side == 1 else \
        b"".join(b"\0" + bytes(v for x in range(side) for v in (x * 16 % 256, y * 16 % 256, 99))
                 for y in range(side))
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data +
                struct.pack(">I", zlib.crc32(kind + data)))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def obj():
    text = ["mtllib a.mtl\n"]
    for y in range(4):
        for x in range(4):
            text.append(f"v {x} {y} {x * y % 3}\nvt {x / 3} {y / 3}\n")
    for y in range(3):
        text.append(f"o part{y}\nusemtl m{y % 2}\ns {y}\n")
        for x in range(3):
            a = y * 4 + x + 1
            text.append(f"f {a}/{a} {a + 1}/{a + 1} {a + 5}/{a + 5} {a + 4}/{a + 4}\n")
    return "".join(text)


def ball():
    """300 points of a sphere: more than qhull is used for."""
    rows = []
    for i in range(300):
        height, turn = 1 - (2 * i + 1) / 300, i * 2.399963
        radius = math.sqrt(1 - height * height)
        rows.append(f"v {radius * math.cos(turn)} {radius * math.sin(turn)} {height}\n")
    return "".join(rows) + "".join(f"f {i + 1} {i + 2} {i + 3}\n" for i in range(298))


def animated_gltf():
    """A triangle that moves, with a skin of two joints and a morph target."""
    import base64
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)           # positions, 36
    data += struct.pack("<9f", 0, 0, 1, 0, 0, 1, 0, 0, 1)          # morph, 36
    data += struct.pack("<12B", *([0, 1, 0, 0] * 3))               # joints, 12
    data += struct.pack("<12f", *([0.5, 0.5, 0, 0] * 3))           # weights, 48
    data += struct.pack("<32f", *([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] * 2))  # 128
    data += struct.pack("<3f", 0, 1, 2) + struct.pack("<9f", *range(9))  # times 12, moves 36
    def view(start, size):
        return {"buffer": 0, "byteOffset": start, "byteLength": size}
    def accessor(i, kind, count, component=5126, **more):
        return dict(bufferView=i, componentType=component, count=count, type=kind, **more)
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0, "name": "body"}, {"name": "root", "children": [2]},
                  {"name": "tip", "translation": [0, 1, 0]}],
        "skins": [{"joints": [1, 2], "inverseBindMatrices": 4}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "JOINTS_0": 2, "WEIGHTS_0": 3},
                                    "targets": [{"POSITION": 1}]}], "weights": [0]}],
        "animations": [{"name": "move", "samplers": [{"input": 5, "output": 6}],
                        "channels": [{"sampler": 0, "target": {"node": 2, "path": "translation"}}]}],
        "accessors": [accessor(0, "VEC3", 3, min=[0, 0, 0], max=[1, 1, 0]),
                      accessor(1, "VEC3", 3, min=[0, 0, 1], max=[0, 0, 1]),
                      accessor(2, "VEC4", 3, 5121), accessor(3, "VEC4", 3),
                      accessor(4, "MAT4", 2), accessor(5, "SCALAR", 3, min=[0], max=[2]),
                      accessor(6, "VEC3", 3)],
        "bufferViews": [view(0, 36), view(36, 36), view(72, 12), view(84, 48), view(132, 128),
                        view(260, 12), view(272, 36)],
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64," +
                     base64.b64encode(data).decode()}]})


KINDS = ("obj", "ply", "stl", "gltf", "glb", "bsm", "binarymesh", "bga", "bpx", "bmd", "bdl")


def make_inputs(facet, folder):
    (folder / "a.obj").write_text(obj())
    (folder / "a.mtl").write_text("newmtl m0\nKd 1 0 0\nmap_Kd t.png\nnewmtl m1\nKs 1 1 1\n")
    (folder / "t.png").write_bytes(png(8))
    (folder / "moved.gltf").write_text(animated_gltf())
    (folder / "ball.obj").write_text(ball())
    (folder / "sub").mkdir()
    (folder / "sub" / "a.txt").write_text("text\n" * 20)
    (folder / "sub" / "b.txt").write_text("more\n" * 20)
    def run(*words):
        subprocess.run([facet, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    for kind in KINDS[1:]:
        run("convert", "-q", "a.obj", f"b.{kind}")
    shutil.copy(folder / "a.obj", folder / "b.obj")
    run("convert", "-q", "moved.gltf", "moved.bpx")
    run("convert", "-q", "t.png", "t.bti")
    run("pack", "sub.arc", "sub")
    run("pack", "sub.szs", "sub")
    fault_plans.make_inputs(facet, folder)


def tables(facet):
    return fault_plans.options(facet) | fault_plans.formats(facet)


def commands(facet):
    """Return name and words of each command. Inputs are in "in/"; outputs are in the current
    folder."""
    found = tables(facet)
    for one in KINDS:
        for other in KINDS:
            found[f"{one} to {other}"] = ["convert", "-j", "1", f"in/b.{one}", f"out.{other}"]
        found[f"check {one}"] = ["check", f"in/b.{one}"]
        found[f"info {one}"] = ["info", "--json", f"in/b.{one}"]
    for kind in ("glb", "bpx", "obj"):
        found[f"moved to {kind}"] = ["convert", "-j", "1", "in/moved.gltf", f"out.{kind}"]
    found |= {
        "moved bpx to gltf": ["convert", "-j", "1", "in/moved.bpx", "out.gltf"],
        "split": ["convert", "-j", "1", "--split", "in/b.obj", "out.gltf"],
        "hulls": ["convert", "-j", "1", "--hulls", "4", "--occluder", "0.5", "in/b.obj", "out.bsm"],
        "a hull of many points": ["convert", "-j", "1", "--hulls", "1", "--hull-vertices", "300", "in/ball.obj",
                                  "out.bsm"],
        "png to bti": ["convert", "in/t.png", "out.bti"],
        "bti to png": ["convert", "in/t.bti", "out.png"],
        "bti to bpx": ["convert", "in/t.bti", "out.bpx"],
        "to standard output": ["convert", "-j", "1", "in/b.obj", "-", "--to", "bsm"],
        "extract bmd": ["extract", "in/b.bmd", "out.d"],
        "extract bpx": ["extract", "in/b.bpx", "out.d"],
        "extract arc": ["extract", "in/sub.arc", "out.d"],
        "extract szs": ["extract", "in/sub.szs", "out.d"],
        "pack arc": ["pack", "out.arc", "in/sub"],
        "pack szs": ["pack", "out.szs", "in/sub"],
        "formats": ["formats"],
        "help": ["convert", "--help"],
    }
    return found


# -- Runs ------------------------------------------------------------------------


class Bench:
    def __init__(self, facet, folder):
        self.facet, self.folder = str(Path(facet).resolve()), folder
        self.shim = folder / "faults.so"
        subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", self.shim,
                        HERE / "faults.c", "-ldl"], check=True)
        self.inputs = folder / "in"
        self.inputs.mkdir()
        make_inputs(self.facet, self.inputs)

    def run(self, words, fault=None, log=None, old=(), named=False):
        """Return status, standard output, messages, and the files by name."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        (place / "in").symlink_to(self.inputs)
        if any(word.startswith("own.arc") for word in words):
            shutil.copy(self.inputs / "sub.arc", place / "own.arc")
        if "own.shards" in words:
            (place / "own.shards").mkdir()
            shutil.copy(self.inputs / "items.jsonl", place / "own.shards" / "a.jsonl")
        for name in old:
            (place / name).write_bytes(OLD)
        environment = dict(os.environ, LD_PRELOAD=str(self.shim), SOURCE_DATE_EPOCH="0")
        if fault:
            environment["FACET_FAULT"] = fault
        if log:
            environment["FACET_FAULT_LOG"] = str(log)
        if named:
            environment["FACET_FAULT_NAMED"] = "1"
        requests = str(self.inputs / "request") if words[0] == "worker" else os.devnull
        with open(requests, "rb") as given:
            try:
                done = subprocess.run([self.facet, *words], cwd=place, env=environment, stdin=given,
                                      capture_output=True, timeout=20)
            except subprocess.TimeoutExpired:
                shutil.rmtree(place)
                return HANGS, b"", b"it hangs", {}
        files = {str(path.relative_to(place)): path.read_bytes()
                 for path in sorted(place.rglob("*")) if path.is_file() and
                 not path.is_relative_to(place / "in")}
        shutil.rmtree(place)
        if words[0] in ("batch", "worker"):
            files = {name: without_times(data) for name, data in files.items()}
        if words[0] in ("batch", "worker", "view", "render") or "--timings" in words:
            return done.returncode, without_times(done.stdout), without_times(done.stderr), files
        return done.returncode, done.stdout, done.stderr, files


# Parts that differ between runs, in the lines of a batch and in its output. Without memory for a
# copy, an equal item is converted.
TIMES = re.compile(rb'"(ms|peak_bytes|in_ns|ns|\w*[mM]illiseconds|framesPerSecond)":[0-9.]+,?|"same_as":"[^"]*",|'
                   rb"\(?[0-9.]+ (s|ms|a second|MiB)\b\)?|^[a-z]+ {2,}.*$", re.MULTILINE)
HANGS = 124


def without_times(data):
    return TIMES.sub(b"", data).replace(b",}", b"}")


def words_end_with(words):
    return {"batch": 75, "worker": 71}.get(words[0], 0)


def verdict(clean, faulty, before, said=True, words=("",)):
    """Return None, or a description of the error in a run with a failed call."""
    status, printed, errors, files = faulty
    extra = [name for name in files if name not in before and name not in clean[3]]
    # A worker without memory for a request ends with 71; otherwise its answer has the error. A
    # batch that stops because of the system ends with 75 (docs/reference/batch.md).
    if status == words_end_with(words) and status:
        return None
    if words[0] == "worker" and status == 0 and b'"status":"memory"' in printed:
        return f"status 0, and left {', '.join(files)}" if files else None
    if status < 0:
        return f"ended by signal {signal.Signals(-status).name}"
    if extra:
        return f"left {', '.join(extra)}"
    if status == clean[0] and status != 3:
        if files != clean[3]:
            return f"status {status}, and other files"
        if printed != clean[1]:
            return f"status {status}, and other standard output"
        if said and errors != clean[2]:
            return f"status {status}, and it said something else"
        return None
    if status == 1 and b"[MEMORY-LIMIT]" in errors and "--memory-limit" in words:
        return None
    if status != 3:
        return f"status {status}: {errors.decode(errors='replace').strip()[-200:]}"
    if not errors.strip():
        return "status 3 without a word"
    return None


def unchanged(faulty, before):
    return {name: OLD for name in before} == faulty[3]


def leaves(words):
    """Files that a batch may leave when it stops: the list of running items, and a shard for
    others."""
    shards = [f"own.shards/{state}a.jsonl" for state in ("", "claimed/")] if "own.shards" in words else []
    return ("out.jsonl.begun", "out-a.jsonl.begun", *shards) if words[0] == "batch" else ()


# -- Plans -----------------------------------------------------------------------


def memory(bench, name, words, known, faults):
    """F1, F2, F3: every call stack of an allocation that no former command had."""
    log = bench.folder / "log"
    log.unlink(missing_ok=True)
    clean = bench.run(words, log=log)
    places = log.read_text().split()
    if clean[0] != 0:
        faults.append(f"{name}: status {clean[0]} without a fault: {clean[2].decode()[-200:]}")
        return len(places), 0
    before = {"own.arc": (bench.inputs / "sub.arc").read_bytes()} \
        if any(word.startswith("own.arc") for word in words) else {}
    chosen = {}
    for i, place in enumerate(places, 1):
        if place not in known:
            known.add(place)
            chosen[place] = i
    def one(number):
        faulty = bench.run(words, f"memory:{number}")
        wrong = verdict(clean, faulty, leaves(words), words=words)
        # A batch keeps finished items, and extract keeps complete files.
        keeps = words[0] in ("extract", "batch", "worker")
        if not wrong and faulty[0] == 3 and not keeps and faulty[3] != before:
            wrong = f"status 3, and {', '.join(faulty[3])} is there"
        if wrong:
            faults.append(f"{name}: allocation {number}: {wrong}")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, chosen.values()))
    return len(places), len(chosen)


def calls(bench, name, words, faults):
    """F4: every system call fails once, with and without older output files. F7: one of the syncs
    is that of the folder. Without it a file is complete, but its name may be lost."""
    clean = bench.run(words)
    tried, folders = 0, 0
    for call in CALLS:
        for old in (sorted(clean[3]), ()):
            if old and any("/" in each for each in old):
                continue
            for number in range(1, MAX_CALLS + 1):
                faulty = bench.run(words, f"{call}:{number}", old=old)
                tried += 1
                wrong = verdict(clean, faulty, old, said=call != "write")
                folder_only = call == "fsync" and faulty[0] == 3 and faulty[3] == clean[3]
                folders += folder_only
                if not wrong and faulty[0] == 3 and "extract" not in words and not folder_only \
                        and not unchanged(faulty, old):
                    wrong = "status 3, and files have changed"
                # A file that another file names and that cannot be opened is reported and left out.
                left_out = call == "open" and faulty[0] == clean[0] and b": warning [" in faulty[2]
                if wrong and not left_out:
                    faults.append(f"{name}: {call} {number}: {wrong}")
                if faulty[0] != 3 and number > 3:
                    break
    # If several files belong together and their folder cannot be synced, all are removed.
    if len(clean[3]) == 1 and "extract" not in words and folders == 0:
        faults.append(f"{name}: F7: the folder is not synced, or nobody asks whether it was")
    return tried


def ends(bench, name, words, faults):
    """Kill before a call (F4), or terminate (F5). A main file is never mixed with siblings of
    another run, and a terminated program leaves nothing."""
    clean = bench.run(words)
    old = sorted(clean[3])
    main = words[-1]
    tried = 0
    for how in ("kill", "term"):
        for call in ("write", "fsync", "link", "rename", "close"):
            for named in (False, True):
                for number in range(1, 13):
                    faulty = bench.run(words, f"{call}:{number}:{how}", old=old, named=named)
                    files = {key: value for key, value in faulty[3].items()
                             if not key.endswith((".tmp", ".old"))}
                    tried += 1
                    new = {key: clean[3][key] for key in files}
                    if main in files and files != new and files != dict.fromkeys(old, OLD):
                        faults.append(f"{name}: {how} before {call} {number}: old and new files")
                    if how == "term" and (files != faulty[3] or len(files) != len(old)):
                        faults.append(f"{name}: {how} at {call} {number}: left " +
                                      ", ".join(faulty[3]))
                    if faulty[0] == 0:
                        break
    return tried


def main():
    facet, names = sys.argv[1], sys.argv[2:]
    faults, known = [], set()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(facet, Path(folder))
        plans = commands(facet)
        faults += [f"{name}: no line in fault_plans.py" for name, words in plans.items() if not words]
        chosen = {name: words for name, words in plans.items()
                  if words and (not names or any(part in name for part in names))}
        known_lines = tables(facet)
        # Without a failed call, each line ends with status 0. A new option needs a line.
        tabled = {name: words for name, words in chosen.items() if name in known_lines}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name, done in zip(tabled, pool.map(bench.run, tabled.values())):
                if done[0] != 0:
                    faults.append(f"{name}: status {done[0]}: {done[2].decode(errors='replace')[-200:]}")
        print(f"plans: {len(tabled)} lines from the tables of options and formats")
        made = tried = 0
        for name, words in chosen.items():
            allocations, new = memory(bench, name, words, known, faults)
            made += allocations
            tried += new
        print(f"memory: {len(chosen)} commands made {made} allocations at {len(known)} places; "
              f"{tried} failed, one at each place")
        some = [name for name in chosen if name in (
            "obj to gltf", "obj to obj", "gltf to obj", "bmd to bmd", "glb to bsm", "split",
            "to standard output", "extract arc", "extract bmd", "pack szs", "pack arc", "info bsm",
            "check bga", "png to bti", "ply to stl", "bsm to ply", "bga to binarymesh",
            "bpx to bga")]
        tried = sum(calls(bench, name, chosen[name], faults) for name in some)
        print(f"calls: {len(some)} commands, {tried} runs: {', '.join(CALLS)}")
        beside = [name for name in some if name in ("obj to gltf", "obj to obj", "bga to binarymesh")]
        tried = sum(ends(bench, name, chosen[name], faults) for name in beside)
        print(f"ends: {len(beside)} commands, {tried} runs killed or told to end")
    for fault in faults:
        print(fault)
    print(f"{len(faults)} faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
