#!/usr/bin/env python3
"""house.py SOURCE OBJECTS: hold the floors of docs/architecture.md.

SOURCE is the source tree, OBJECTS the folder with its object files, as CMake
makes them (.../src/mesh/weld.c.o). Fails, and names each case, when
 - a file uses a function of a floor above its own, or of another format;
 - a file includes a header of a floor above its own, or of another format;
 - a file of a family that is usable alone knows more than base, but for its
   side of the scene;
 - files of the library need each other in a circle;
 - a global symbol has no prefix facet_, or cli_ in src/cli;
 - docs/architecture.md lists other folders than there are;
 - a public header does not say how stable it is.
"""

import re
import subprocess
import sys
from pathlib import Path

# A floor knows itself and those before it. Folders of one floor do not know
# one another, but for what ALLOWED says.
FLOORS = [
    ["base"],
    ["scene"],
    ["mesh", "image", "gx", "archive"],
    ["bsm", "binarymesh", "bga", "bpx", "bti", "j3d", "obj", "ply", "stl", "gltf", "assimp",
     "render"],
    ["convert"],
    ["cli"],
]
ALLOWED = {("gx", "image")}  # a GX texture is decoded into an image
# What a folder's own folders may know of one another; others of that folder
# are free. The door is the files of the folder itself.
WITHIN = {
    "j3d": {
        "file": [],
        "gpu": ["file"],
        "check": ["file", "gpu"],
        "json": ["file", "gpu"],
        "to_scene": ["file", "gpu", "json", "animation"],
        "textures": ["file", "gpu", "json"],
        "from_scene": ["file", "gpu", "json", "like", "textures"],
        "from_channels": ["file", "gpu", "json", "animation", "to_scene"],
        "like": ["file", "gpu", "json", "to_scene", "from_scene"],
        "animation": ["file"],
    },
    "gltf": {"file": [], "to_scene": ["file"], "from_scene": ["file"]},
    "assimp": {"file": [], "to_scene": ["file"], "from_scene": ["file"]},
}
# Families that know base alone, but for the files that know the scene.
ALONE = {"bsm", "binarymesh", "bga", "bpx", "ply", "stl"}
SCENE_SIDE = re.compile(r"/(to_scene|from_scene|scene|format)\w*(\.|$)")
FLOOR = {folder: i for i, folders in enumerate(FLOORS) for folder in folders}
# Headers of include/facet by the floor that they are of.
PUBLIC = {"format": "base", "pose": "scene", "facet": "convert", "compare": "mesh",
          "j3d_material": "j3d", "j3d_geometry": "j3d", "j3d_animation": "j3d",
          "gx_material": "base", "gx_bti": "gx", "pack": "mesh"}


# What compilers add: C++ names, its runtime's references, the sanitizer's marks.
COMPILERS = ("_Z", "DW.ref", "__odr_asan")

PUBLIC_INCLUDE = "an include of a public header"


def may_know(one, other):
    if one == other or (one, other) in ALLOWED:
        return True
    return FLOOR[other] < FLOOR[one]


def may_know_within(one, other):
    """Of two files "j3d/check/a.c" and "j3d/file/b.c" of one folder."""
    rules = WITHIN.get(one.split("/")[0])
    a, b = one.split("/")[1], other.split("/")[1]
    if not rules or a == b or a not in rules:
        return True  # the door knows all
    return b in rules[a]


def objects_of(source, folder):
    found = {str(path)[str(path).index("/src/") + 5:-2]: path
             for path in Path(folder).rglob("*.o")
             # Some sources are compiled twice: for the core, and for what has libraries.
             if "/src/" in str(path) and "/facet_core_objects.dir/" not in str(path)}
    # A build folder may still hold objects of files that have moved.
    return {name: path for name, path in found.items() if (source / "src" / name).exists()}


def symbols_of(path):
    """Names that an object defines, and those that it needs."""
    lines = subprocess.run(["nm", "-g", path], capture_output=True, text=True, check=True).stdout
    defined, needed = set(), set()
    for line in lines.splitlines():
        *_, kind, name = line.split()
        (needed if kind in "Uw" else defined).add(name)
        if kind in "VW":  # inline functions and the like of C++: nobody's own
            defined.discard(name)
    return defined, needed


def check_edge(one, other, why, faults):
    a, b = one.split("/")[0], other.split("/")[0]
    for folder in (a, b):
        if folder not in FLOOR:
            faults.append(f"src/{folder} is on no floor of tests/house.py")
            return
    if not may_know(a, b):
        faults.append(f"{one} -> {other}: {a} may not know {b} ({why})")
    elif a in ALONE and not SCENE_SIDE.search(one) and (
            b not in (a, "base") or (a == b and SCENE_SIDE.search(other))):
        faults.append(f"{one} -> {other}: only the scene's side of {a} may know that ({why})")
    elif a == b and why != PUBLIC_INCLUDE and not may_know_within(one, other):
        faults.append(f"{one} -> {other}: these folders may not know one another ({why})")


def edges_of_objects(source, folder, faults):
    objects = objects_of(source, folder)
    owner, needs, edges = {}, {}, {}
    for name, path in sorted(objects.items()):
        defined, needs[name] = symbols_of(path)
        for symbol in defined:
            owner[symbol] = name
            plain = re.sub(r"\.\w+$", "", symbol)
            prefix = "cli_" if name.startswith("cli/") else "facet_"
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
    """Strongly connected parts of more than one file (Tarjan, without recursion)."""
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


def check_includes(source, faults):
    for path in sorted((source / "src").rglob("*.[ch]*")):
        name = str(path.relative_to(source / "src"))
        for included in re.findall(r'^#include [<"]([\w./]+)[>"]', path.read_text(), re.M):
            if included.startswith("facet/") and name.split("/")[0] != "cli":
                public = included[len("facet/"):-2]
                check_edge(name, PUBLIC.get(public, public) + "/" + public, PUBLIC_INCLUDE, faults)
            elif (source / "src" / included).exists():
                check_edge(name, included, "an include", faults)
    for path in sorted((source / "include/facet").glob("*.h")):
        one = PUBLIC.get(path.stem, path.stem)
        for public in re.findall(r"^#include <facet/(\w+)\.h>", path.read_text(), re.M):
            check_edge(f"{one}/{path.name}", PUBLIC.get(public, public) + "/" + public,
                       "an include", faults)


def check_stability(source, faults):
    """Every public header but facet.h, which includes them all, says what of it stays."""
    for path in sorted((source / "include/facet").glob("*.h")):
        head = path.read_text().split("*/")[0]
        if path.name != "facet.h" and not re.search(r"Stability: (stable|experimental)", head):
            faults.append(f"include/facet/{path.name}: its head does not say 'Stability: ...'")


def check_picture(source, faults):
    drawn = set(re.findall(r"`src/([\w/]+)/`", (source / "docs/architecture.md").read_text()))
    there = {str(path.parent.relative_to(source / "src")) for path in (source / "src").rglob("*.c")}
    for folder in sorted(drawn ^ there):
        where = "is not there" if folder in drawn else "is missing in docs/architecture.md"
        faults.append(f"src/{folder}/ {where}")


def main():
    source, folder = Path(sys.argv[1]), sys.argv[2]
    faults = []
    edges, objects = edges_of_objects(source, folder, faults)
    if len(objects) < 200:
        faults.append(f"only {len(objects)} object files in {folder}")
    for circle in circles_of(edges):
        faults.append("a circle: " + ", ".join(circle))
    check_includes(source, faults)
    check_stability(source, faults)
    check_picture(source, faults)
    for fault in sorted(set(faults)):
        print(fault)
    print(f"{len(objects)} files, {sum(map(len, edges.values()))} edges, {len(set(faults))} faults")
    sys.exit(1 if faults else 0)


main()
