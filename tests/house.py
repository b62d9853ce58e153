#!/usr/bin/env python3
"""house.py SOURCE OBJECTS: check the layers of docs/explanation/architecture.md.

SOURCE is the source tree. OBJECTS is the folder with its object files, as CMake creates them
(.../src/mesh/weld.c.o). Each of these is an error:
- a file uses a function of a layer above its own, or of another format;
- a file includes a header of a layer above its own, or of another format;
- a file of convert uses a family without the format table;
- a file of an independent family uses more than base, except in its conversions of scenes;
- files or folders of the library depend on each other in a cycle;
- a global symbol lacks the prefix facet_, or cli_ in src/cli;
- docs/explanation/architecture.md lists wrong folders, or a missing file or function;
- a test is in a folder that src does not have;
- a public header does not state its stability;
- a file except base/atomic.h includes <stdatomic.h>;
- code outside of the format table compares the name of a format.
"""

import re
import subprocess
import sys
from pathlib import Path

# A layer may use itself and those before it. Folders of one layer do not use one another, except
# for the pairs in ALLOWED.
LAYERS = [
    ["base"],
    ["scene"],
    ["mesh", "image", "gx", "archive"],
    ["formats/bsm", "formats/iqm", "formats/binarymesh", "formats/bga", "formats/bpx",
     "formats/bti", "formats/j3d", "formats/obj", "formats/ply", "formats/stl", "formats/gltf",
     "formats/assimp", "render"],
    ["convert"],
    ["terminal", "view"],
    ["cli"],
    ["batch"],
    ["main.c"],
]
ALLOWED = {("gx", "image")}  # a GX texture is decoded into an image
# Families that use only base, except for the files that use the scene.
ALONE = {"formats/" + name for name in ("bsm", "iqm", "binarymesh", "bga", "bpx", "ply", "stl")}
# Files of convert that list families: the format table, the table of rules, the header with all.
KNOW_FAMILIES = {"convert/table.c", "convert/rules.c", "convert/facet.h"}
SCENE_SIDE = re.compile(r"/(to_scene|from_scene|scene|format)\w*(\.|$)")
LAYER = {folder: i for i, folders in enumerate(LAYERS) for folder in folders}
# Headers of include/facet, and the folder of src that each belongs to.
PUBLIC = {"format": "base", "rule": "base", "pose": "scene", "facet": "convert", "compare": "mesh",
          "j3d_material": "formats/j3d", "j3d_geometry": "formats/j3d",
          "j3d_animation": "formats/j3d", "gx_material": "base", "gx_bti": "base", "pack": "mesh",
          "model": "convert"}


# Names from compilers: C++ names, references of its runtime, marks of the sanitizer.
COMPILERS = ("_Z", "DW.ref", "__odr_asan")

PUBLIC_INCLUDE = "an include of a public header"


def place_of(name):
    """Return the folder of LAYERS that contains a file of src."""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] == "formats" else parts[0]


def public_place(header):
    """Return the same for <facet/HEADER.h>."""
    return PUBLIC.get(header, header if header in LAYER else "formats/" + header)


def may_know(one, other):
    return one == other or (one, other) in ALLOWED or LAYER[other] < LAYER[one]


def objects_of(source, folder):
    found = {str(path)[str(path).index("/src/") + 5:-2]: path
             for path in Path(folder).rglob("*.o")
             # Some sources are compiled twice: for the core, and for the build with libraries.
             if "/src/" in str(path) and "/facet_core_objects.dir/" not in str(path)}
    # A build folder may contain old objects of files that have moved.
    return {name: path for name, path in found.items() if (source / "src" / name).exists()}


def symbols_of(paths):
    """Return for each object the names that it defines, and those that it needs."""
    lines = subprocess.run(["nm", "-g", "-o", *paths], capture_output=True, text=True,
                           check=True).stdout
    symbols = {str(path): (set(), set()) for path in paths}
    for line in lines.splitlines():
        path, _, entry = line.rpartition(":")
        *_, kind, name = entry.split()
        defined, needed = symbols[path]
        (needed if kind in "Uw" else defined).add(name)
        if kind in "VW":  # inline functions of C++ and similar symbols, which several objects
                          # define
            defined.discard(name)
    return symbols


def check_edge(one, other, why, faults):
    a, b = place_of(one), place_of(other)
    for folder in (a, b):
        if folder not in LAYER:
            faults.append(f"src/{folder} is in no layer of tests/house.py")
            return
    if not may_know(a, b):
        faults.append(f"{one} -> {other}: {a} may not know {b} ({why})")
    elif a == "convert" and b.startswith("formats/") and one not in KNOW_FAMILIES:
        faults.append(f"{one} -> {other}: convert knows families only by the format table ({why})")
    elif a in ALONE and not SCENE_SIDE.search(one) and (
            b not in (a, "base") or (a == b and SCENE_SIDE.search(other))):
        faults.append(f"{one} -> {other}: only the scene's side of {a} may know that ({why})")


def edges_of_objects(source, folder, faults):
    objects = objects_of(source, folder)
    found = symbols_of(sorted(objects.values()))
    owner, needs, edges = {}, {}, {}
    for name, path in sorted(objects.items()):
        defined, needs[name] = found[str(path)]
        for symbol in defined:
            owner[symbol] = name
            plain = re.sub(r"\.\w+$", "", symbol)
            prefix = "cli_" if name.startswith(("cli/", "batch/")) else "facet_"
            if not plain.startswith((prefix,) + COMPILERS) and plain != "main":
                faults.append(f"{name}: the global symbol {symbol} has no prefix {prefix}")
    for name, symbols in needs.items():
        for symbol in sorted(symbols):
            other = owner.get(symbol)
            if other and other != name:
                edges.setdefault(name, set()).add(other)
                check_edge(name, other, symbol, faults)
    return edges, objects


def circles_of(edges):
    """Strongly connected components of more than one file (Tarjan, without recursion)."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for root in sorted(edges):
        if root in index:
            continue
        work = [(root, iter(sorted(edges.get(root, ()))))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(edges.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = set()
                    while node not in part:
                        part.add(stack[-1])
                        on.discard(stack.pop())
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def check_folders(edges, faults):
    """Check that no folders depend on each other in a cycle: neither those in one folder, nor one
    of them and a file next to it."""
    needs, cause = {}, {}
    for one, others in edges.items():
        for other in others:
            a, b = one.split("/"), other.split("/")
            same = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), 0)
            inside = "/".join(a[:same])
            # "." represents the files of the folder itself.
            x = a[same] if len(a) > same + 1 else "."
            y = b[same] if len(b) > same + 1 else "."
            if x == y or not inside:
                continue
            needs.setdefault(inside + "/" + x, set()).add(inside + "/" + y)
            cause.setdefault((inside + "/" + x, inside + "/" + y), f"{one} -> {other}")
    for circle in circles_of(needs):
        causes = [cause[x, y] for x in circle for y in circle if (x, y) in cause]
        faults.append("folders in a circle: " + ", ".join(circle) + " by " + "; ".join(causes))


def check_includes(source, faults):
    edges = {}
    for path in sorted((source / "src").rglob("*.[ch]*")):
        name = str(path.relative_to(source / "src"))
        for included in re.findall(r'^#include [<"]([\w./]+)[>"]', path.read_text(), re.M):
            if included.startswith("facet/") and place_of(name) not in ("view", "cli", "batch", "main.c"):
                public = included[len("facet/"):-2]
                check_edge(name, public_place(public) + "/" + public, PUBLIC_INCLUDE, faults)
            elif included == "stdatomic.h" and name != "base/atomic.h":
                faults.append(f"{name} includes <stdatomic.h>, which MSVC lacks, instead of base/atomic.h")
            elif (source / "src" / included).exists():
                check_edge(name, included, "an include", faults)
                edges.setdefault(name, set()).add(included)
    for path in sorted((source / "include/facet").glob("*.h")):
        one = public_place(path.stem)
        for public in re.findall(r"^#include <facet/(\w+)\.h>", path.read_text(), re.M):
            check_edge(f"{one}/{path.name}", public_place(public) + "/" + public,
                       "an include", faults)
    return edges


# Number of functions that the stable headers promise. Tools and consoles are experimental.
MAX_CORE_FUNCTIONS = 155


def check_stability(source, faults):
    """Check that every public header except facet.h, which includes them all, states its stability
    and declares its functions accordingly. A stable header names its experimental functions. The
    stable functions are few enough to keep a promise about them."""
    core = 0
    for path in sorted((source / "include/facet").glob("*.h")):
        text = path.read_text()
        head = text.split("*/")[0]
        stability = re.findall(r"Stability: (stable|experimental)", head) or [""]
        exceptions = set(re.findall(r"facet_\w+", (re.findall(r"stable, except ([^.]*)", head) or [""])[0]))
        for macro, name in re.findall(r"^FACET_(\w*API) [^;{}]*?\b(facet_\w+)\(", text, re.M):
            experimental = stability[0] == "experimental" or name in exceptions
            core += macro == "API"
            if (macro == "EXPERIMENTAL_API") != experimental:
                faults.append(f"include/facet/{path.name}: {name} is declared with FACET_{macro}")
        if path.name != "facet.h" and not re.search(r"Stability: (stable|experimental)", head):
            faults.append(f"include/facet/{path.name}: its head does not say 'Stability: ...'")
    if core > MAX_CORE_FUNCTIONS:
        faults.append(f"include/facet: {core} stable functions, at most {MAX_CORE_FUNCTIONS}")


def check_tests(source, faults):
    """Check that the folders of tests are those of src."""
    for path in sorted((source / "tests").rglob("test_*.c")):
        folder = path.parent.relative_to(source / "tests")
        if folder == Path(".") or not (source / "src" / folder).is_dir():
            faults.append(f"{path.relative_to(source)}: no folder of src has its tests there")


def check_picture(source, faults):
    drawn = set(re.findall(r"`src/([\w/]+)/`", (source / "docs/explanation/architecture.md").read_text()))
    there = {str(path.parent.relative_to(source / "src")) for path in (source / "src").rglob("*.c")}
    there.remove(".")  # main.c
    for folder in sorted(drawn ^ there):
        where = "is not there" if folder in drawn else "is missing in docs/explanation/architecture.md"
        faults.append(f"src/{folder}/ {where}")


def check_places(source, faults):
    """Check that the files and functions in docs/explanation/architecture.md exist."""
    page = (source / "docs/explanation/architecture.md").read_text()
    for path in set(re.findall(r"`(src/[a-z0-9_/]+\.(?:[chm]|cpp|def))`", page)):
        if not (source / path).exists():
            faults.append(f"docs/explanation/architecture.md leads to {path}, which does not exist")
    text = "".join(path.read_text() for path in (source / "src").rglob("*.[ch]"))
    for name in set(re.findall(r"`(facet_\w+)`", page)):
        if not re.search(rf"\b{name}\b", text):
            faults.append(f"docs/explanation/architecture.md names {name}, which src does not have")


def names_of_formats(source):
    """Return the names in the lines of the format table."""
    text = "".join(path.read_text() for path in (source / "src").rglob("*.c")
                   if path.name.startswith("format") and "cli" not in path.parts)
    return set(re.findall(r'\.name = "(\w+)",', text)) | \
        set(re.findall(r"^FORMAT\((\w+),", text, re.M))


def check_comparisons(source, faults):
    """Check that commands and bindings read properties of a format, never its name. Blender's menus
    have an entry per format and are exempt."""
    names = names_of_formats(source)
    if len(names) < 30:
        faults.append(f"only {len(names)} formats in the format table")
    quoted = rf"""["'](?:{'|'.join(sorted(names))})["']"""
    wrong = {
        ".c": re.compile(rf"(?:strn?(?:case)?cmp|facet_equal\w*)\([^;]*?(?:{quoted}|facet_format_name)"),
        ".py": re.compile(rf"\b(?:to|name|format\w*)\s*(?:[!=]=|(?:not )?in)\s*[(\[{{]?{quoted}"),
        ".js": re.compile(rf"\b(?:to|format)\s*[!=]==?\s*{quoted}")}
    for folder in ("src", "python/facet", "web"):
        for path in sorted((source / folder).rglob("*")):
            name = str(path.relative_to(source))
            if path.suffix not in wrong or "node_modules" in path.parts or \
                    name.startswith(("src/formats/", "src/archive/", "web/tests/", "web/build/")):
                continue
            text = path.read_text()
            for found in wrong[path.suffix].finditer(text):
                line = text.count("\n", 0, found.start()) + 1
                faults.append(f"{name}:{line}: compares the name of a format; put the property into "
                              "its line of the table (src/scene/format.h)")


def check_hidden_state(source, faults):
    """Check that no thread-local state affects a call."""
    for path in sorted((source / "src").rglob("*.[ch]*")):
        name = str(path.relative_to(source))
        for found in re.finditer(r"\b(?:_Thread_local|__thread|thread_local)\b", path.read_text()):
            faults.append(f"{name}: {found[0]}; pass what is needed as an argument, or keep it in the arena")


def main():
    source, folder = Path(sys.argv[1]), sys.argv[2]
    faults = []
    edges, objects = edges_of_objects(source, folder, faults)
    if len(objects) < 200:
        faults.append(f"only {len(objects)} object files in {folder}")
    for circle in circles_of(edges):
        faults.append("a circle: " + ", ".join(circle))
    includes = check_includes(source, faults)
    check_folders(edges, faults)
    check_folders(includes, faults)
    check_stability(source, faults)
    check_picture(source, faults)
    check_places(source, faults)
    check_tests(source, faults)
    check_comparisons(source, faults)
    check_hidden_state(source, faults)
    for fault in sorted(set(faults)):
        print(fault)
    print(f"{len(objects)} files, {sum(map(len, edges.values()))} edges, {len(set(faults))} faults")
    sys.exit(1 if faults else 0)


main()
