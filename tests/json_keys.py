#!/usr/bin/env python3
"""json_keys.py PROGRAM SOURCE: check the tables of docs/reference/json.md.

Run PROGRAM with every --json on small inputs. Each of these is an error:
- a line of standard output is not one object, in UTF-8, with each key once;
- a printed key is not in its table, or has another type there;
- no run prints a listed key;
- a key without the mark "sometimes" is missing in an object without "error";
- a command has --json and no section, or a section has no run here;
- a line of a batch has a key that the table of docs/reference/batch.md does not list.

Values below a key of the type "tree" (the detail of info) are exempt.
"""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

PLAIN = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict}
faults = []


# -- The page ----------------------------------------------------------------

class Table:
    """The keys of an object: type of each path, and whether it may be absent."""

    def __init__(self, title):
        self.title, self.types, self.sometimes, self.seen = title, {}, set(), set()

    def below(self, path):
        """Keys of the object at a path, which ends in "." or "[]."; "" is the object itself."""
        return [key for key in self.types
                if key.startswith(path) and not re.search(r"[.\[]", key[len(path):])]


def read_page(path):
    tables, title = {}, None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("## ") or line.startswith("### "):
            title = line.lstrip("#").strip()
        row = re.match(r"\| (`[^|]*`) \| ([^|]+) \| ?(.*?) ?\|$", line)
        if not row:
            continue
        table = tables.setdefault(title, Table(title))
        for key in re.findall(r"`([^`]+)`", row[1]):
            if key in table.types:
                faults.append(f"{title}: `{key}` is listed twice")
            table.types[key] = row[2].strip()
            if "*sometimes*" in row[3]:
                table.sometimes.add(key)
    return tables


# -- Output ------------------------------------------------------------------

def once(pairs):
    keys = [key for key, _ in pairs]
    for key in set(keys):
        if keys.count(key) > 1:
            raise ValueError(f"the key '{key}' stands there {keys.count(key)} times")
    return dict(pairs)


def decimal(text):
    digits = re.sub(r"[eE].*|[-.]", "", text).strip("0")
    if len(digits) > 9:
        raise ValueError(f"{text} has {len(digits)} digits")
    return float(text)


def refuse_constant(text):
    raise ValueError(f"{text} is no JSON")


def object_of(line):
    value = json.loads(line.decode("utf-8"), object_pairs_hook=once, parse_float=decimal,
                       parse_constant=refuse_constant)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def check_value(tables, table, path, kind, value, where):
    if kind.endswith(" or null"):
        if value is None:
            return
        kind = kind[:-len(" or null")]
    if kind == "tree":
        if not isinstance(value, dict):
            faults.append(f"{where}: `{path}` is {json.dumps(value)}, not an object")
    elif kind.startswith("array of ") and isinstance(value, list):
        for one in value:
            check_value(tables, table, path + "[]", kind[len("array of "):], one, where)
    elif kind.startswith("object of ") and isinstance(value, dict):
        for one in value.values():
            check_value(tables, table, path, kind[len("object of "):], one, where)
    elif kind in tables and isinstance(value, dict):
        check_object(tables, tables[kind], "", value, where)
    elif kind not in PLAIN or not isinstance(value, PLAIN[kind]) or (
            isinstance(value, bool) and kind != "boolean"):
        faults.append(f"{where}: `{path}` is {json.dumps(value)[:60]}, not: {kind}")
    elif kind == "object":
        check_object(tables, table, path + ".", value, where)


def check_object(tables, table, path, value, where):
    """Check an object against the rows of a table that begin with a path."""
    for key, inner in value.items():
        full = path + key
        if full in table.types:
            table.seen.add(full)
            check_value(tables, table, full, table.types[full], inner, where)
        elif table.below(full + "."):  # an object without its own row
            check_value(tables, table, full, "object", inner, where)
        else:
            faults.append(f"{where}: the key `{full}` is not listed under '{table.title}'")
    if "error" in value:
        return
    for key in table.below(path):
        if key not in table.sometimes and key[len(path):] not in value:
            faults.append(f"{where}: the key `{key}` of '{table.title}' is missing")
    for key in {re.match(r"[^.\[]+", key[len(path):])[0] for key in table.types
                if key.startswith(path) and key not in table.sometimes}:
        if path + key not in table.types and key not in value:
            faults.append(f"{where}: the object `{path + key}` of '{table.title}' is missing")


# -- Inputs ------------------------------------------------------------------

SQUARE = """mtllib square.mtl
o plate
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vn 0 0 1
usemtl red
f 1/1/1 2/2/1 3/3/1 4/4/1
"""


def skinned_triangle(x):
    """A glTF with every attribute. Its second corner is at x."""
    attributes = [
        ("POSITION", "VEC3", 5126, struct.pack("<9f", 0, 0, 0, x, 0, 0, 0, 1, 0)),
        ("NORMAL", "VEC3", 5126, struct.pack("<9f", *[0, 0, 1] * 3)),
        ("TANGENT", "VEC4", 5126, struct.pack("<12f", *[1, 0, 0, 1] * 3)),
        ("TEXCOORD_0", "VEC2", 5126, struct.pack("<6f", 0, 0, 1, 0, 0, 1)),
        ("COLOR_0", "VEC4", 5126, struct.pack("<12f", *[1, 0, 0, 1] * 3)),
        ("JOINTS_0", "VEC4", 5121, bytes(12)),
        ("WEIGHTS_0", "VEC4", 5126, struct.pack("<12f", *[1, 0, 0, 0] * 3)),
    ]
    data, views, accessors = b"", [], []
    for name, kind, component, values in attributes:
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(values)})
        accessors.append({"bufferView": len(accessors), "componentType": component, "count": 3,
                          "type": kind})
        data += values
    accessors[0].update(min=[0, 0, 0], max=[x, 1, 0])
    primitive = {"attributes": {each[0]: i for i, each in enumerate(attributes)}}
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"mesh": 0, "skin": 0}, {"name": "joint"}],
        "skins": [{"joints": [1]}], "meshes": [{"primitives": [primitive]}],
        "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64,"
                     + base64.b64encode(data).decode()}]})


def make_inputs(run):
    Path("square.obj").write_text(SQUARE)
    Path("square.mtl").write_text("newmtl red\nKd 1 0 0\nPm none\n")  # a finding for a file next to
                                                                      # the source
    Path("moved.obj").write_text(SQUARE.replace("v 1 1 0", "v 1.5 1 0"))
    Path("broken.obj").write_text("v 0 0 0\nf 1 2 3\n")
    Path("short.glb").write_bytes(b"glTF\2\0\0\0")
    Path("flat.stl").write_text("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"
                                "vertex 1 0 0\nvertex 2 0 0\nendloop\nendfacet\nendsolid a\n")
    Path("far.ply").write_text("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                               "property float y\nproperty float z\nelement face 1\n"
                               "property list uchar int vertex_indices\nend_header\n"
                               "0 0 0\n1 0 0\nnan 1 0\n3 0 1 2\n")
    Path("boundless.gltf").write_text(
        '{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],'
        '"accessors":[{"componentType":5126,"type":"VEC3","count":3}]}')
    Path("unknown").write_bytes(b"no format")
    Path("one.gltf").write_text(skinned_triangle(1))
    Path("two.gltf").write_text(skinned_triangle(1.5))
    for words in (["convert", "-q", "square.obj", "square.bmd"],
                  ["render", "-q", "square.obj", "square.png", "--size", "16"]):
        if run(words)[0] != 0:
            faults.append(f"facet {' '.join(words)} failed")


# -- Runs --------------------------------------------------------------------

# For each section: exit status, number of expected objects, words of the command.
RUNS = {
    "info": [(0, 1, "info --json square.obj"), (0, 2, "info --json square.bmd square.png"),
             (3, 2, "info --json missing square.obj"), (1, 1, "info --json unknown"),
             (1, 2, "info --json broken.obj short.glb")],
    "info --sizes": [(0, 2, "info --json --sizes square.bmd square.obj"),
                     (3, 1, "info --json --sizes missing")],
    "check": [(0, 1, "check --json square.bmd"), (1, 2, "check --json short.glb broken.obj"),
              (1, 3, "check --json flat.stl far.ply boundless.gltf"),
              (3, 1, "check --json missing"), (1, 1, "check --json unknown"),
              (0, 2, "check --json --deep pack.arc"),
              (1, 2, "check --json --explain far.ply unknown")],
    "convert": [(0, 1, "convert --json square.obj out.bsm"),
                (0, 1, "convert --json square.bmd copy.bmd"),
                (0, 1, "convert --json --simplify 0.5 square.obj half.bsm"),
                (1, 1, "convert --json --strict square.obj strict.bsm"),
                (1, 1, "convert --json broken.obj never.bsm"),
                (3, 1, "convert --json missing never.bsm"),
                (3, 1, "convert --json square.obj never.bmd --materials missing")],
    "compare": [(0, 1, "compare --json square.obj square.obj"),
                (1, 1, "compare --json --picture both.png square.obj moved.obj"),
                (1, 1, "compare --json one.gltf two.gltf"),
                (1, 1, "compare --json square.obj unknown"),
                (3, 1, "compare --json square.obj missing")],
    "render": [(0, 1, "render --json square.obj a.png --size 16"),
               (0, 1, "render --json square.obj a.png --size 16 --orthographic"),
               (0, 1, "render --json square.obj a.png --size 16 --sheet"),
               (0, 2, "render --json square.obj a.png --size 16 --turntable 2"),
               (1, 1, "render --json square.png a.png --size 16"),
               (1, 1, "render --json broken.obj a.png"), (3, 1, "render --json missing a.png")],
    "view": [(0, 1, "view --once --screenshot v.png --size 16 square.obj"),
             (0, 1, "view --once --screenshot v.png --size 16 --orthographic square.obj"),
             (0, 1, "view --frames 3 --json --size 16 square.obj"),
             (1, 1, "view --json --once --screenshot v.png broken.obj"),
             (3, 1, "view --json --once --screenshot v.png missing")],
    "deps": [(0, 1, "deps --json square.obj"), (3, 2, "deps --json missing square.obj")],
    "rule": [(0, 1, "rule --json BSM-MAGIC"), (0, None, "rule --json")],
    "formats": [(0, None, "formats --json")],
    "--options": [(0, None, "--options")],
    "--timings": [(0, -1, "info --json --timings square.obj")],
    "batch report": [(3, 1, "batch report --json --manifest items.jsonl results.jsonl")],
}
PROGRESS = "batch --progress json"


def check_lines(tables, section, text, expected, where):
    lines = text.split(b"\n")
    if lines.pop() != b"":
        faults.append(f"{where}: the last line has no end")
    if expected == -1:  # only the last one belongs to the section
        lines = lines[-1:]
    elif len(lines) == 0 or (expected and len(lines) != expected):
        faults.append(f"{where}: {len(lines)} lines, not {expected}")
    for line in lines:
        try:
            check_object(tables, tables[section], "", object_of(line), where)
        except ValueError as fault:
            faults.append(f"{where}: {fault}: {line[:120]!r}")


def run_section(run, tables, section):
    for status, expected, words in RUNS[section]:
        result, out, err = run(words.split())
        if result != status:
            faults.append(f"facet {words}: exit status {result}, not {status}: {err[:200]!r}")
        check_lines(tables, section, out, expected, f"facet {words}")


def run_batch(run, tables, listed):
    """A batch whose last item never ends, so that progress is printed after a second."""
    os.mkfifo("hang.obj")
    items = ["square.obj", "broken.obj", "hang.obj", "missing.obj"]
    Path("items.jsonl").write_text("".join(
        json.dumps({"in": name, "out": name[:-3] + "batch.bsm"}) + "\n"
        for name in items[:3] + ["never.obj"]))
    words = ["batch", *items, "--out", "{stem}.batch.bsm", "--results", "results.jsonl", "-j", "1",
             "--timeout", "4", "--attempts", "9", "--progress", "json", "-q", "--", "convert",
             "--json"]
    _, _, err = run(words)
    told = [line for line in err.splitlines(True) if line.startswith(b"{")]
    check_lines(tables, PROGRESS, b"".join(told), None, f"facet {PROGRESS}")
    lines = Path("results.jsonl").read_bytes().splitlines()
    if len(lines) != len(items):
        faults.append(f"a batch of {len(items)} items has {len(lines)} lines")
    for line in lines:
        value = object_of(line)
        for key in set(value) - listed:
            faults.append(f"the key `{key}` of a batch's line is not in docs/reference/batch.md")
        if value["status"] == "ok":
            check_object(tables, tables["convert"], "", value["result"], "the result of a batch")


def keys_of_results(path):
    part = path.read_text(encoding="utf-8").split("\n## Results\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", part, re.M)
    return set(re.findall(r"`(\w+)`", " ".join(rows))) | {"finding_count"}


def commands_with_json(run):
    names = re.findall(r"^  ((?:batch report)|\w+) +\S", run(["--help"])[1].decode(), re.M)
    takes = re.compile(rb"^ +(?:-\w, )?--json ", re.M)  # not if another option names it
    return [name for name in names if takes.search(run([*name.split(), "--help"])[1])], names


def main():
    program, source = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2]).resolve()
    tables = read_page(source / "docs/reference/json.md")

    def run(words):
        done = subprocess.run([program, *words], capture_output=True, stdin=subprocess.DEVNULL,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    with_json, names = commands_with_json(run)
    kinds = {word for table in tables.values() for kind in table.types.values()
             for word in kind.split()}
    if len(with_json) < 5:
        faults.append("the help names too few commands that have --json")
    for section in sorted({*with_json, *RUNS, PROGRESS} - set(tables)):
        faults.append(f"docs/reference/json.md has no table for '{section}'")
    for section in sorted(set(tables) - set(RUNS) - {PROGRESS} - kinds):
        faults.append(f"no run is about '{section}' of docs/reference/json.md")
    skipped = set()
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        make_inputs(run)
        if "pack" in names:
            Path("packed").mkdir()
            Path("packed/square.bmd").write_bytes(Path("square.bmd").read_bytes())
            run(["pack", "pack.arc", "packed"])
        if "batch" in names:
            run_batch(run, tables, keys_of_results(source / "docs/reference/batch.md"))
        else:
            skipped = {"batch report", PROGRESS}
        for section in RUNS:
            if section in tables and section not in skipped:
                run_section(run, tables, section)
        os.chdir(before)
    for section, table in tables.items():
        for key in table.types if section not in skipped else []:
            if key not in table.seen:
                faults.append(f"no run prints the key `{key}` of '{section}'")
    for fault in sorted(set(faults)):
        print(fault)
    keys = sum(len(table.types) for table in tables.values())
    print(f"{len(tables)} tables, {keys} keys, {len(set(faults))} faults")
    sys.exit(1 if faults else 0)


main()
