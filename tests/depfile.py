"""depfile.py FACET: make and ninja read the names in a depfile correctly, or Facet refuses them.

A glTF has each of some 200 names in turn as the URI of its buffer, and the command writes a
depfile. One result is that nothing is written and DEPFILE-NAME is reported. In the other, the real
make and the real ninja read the depfile correctly. OUT is up to date, and a changed buffer makes it
again. Nothing else happens in the folder, and ninja lists IN and the buffer as dependencies. The
same holds for OUT's own name.

Missing files that an input names are also dependencies: OUT is made again until they exist. A name is
not missing if the reader found the file under another one.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.parse
from pathlib import Path

SYNTAX = [
    "x.bin\ninclude\tevil.mk\n", "x\rinclude evil.mk", "x\n\ttouch ran", "x;touch ran",
    "x;touch${IFS}ran", "x ; touch ran", "x: ; touch ran", "x:y", "x: y", "x :", "x:", ":x", "x::",
    "x|y", "x | y", "|", "x#y", "x #y", "#x", "x\\#y", "x\\\\#y", "x\\\\\\#y", "x$y", "x$$y", "$x",
    "$(shell touch ran)", "${shell touch ran}", "$(eval include evil.mk)", "$", "x$", "$$",
    "$(info x)", "`touch ran`", "x=y", "x = y", "x:=y", "x+=y", "x?=y", "x!=touch ran", "x::=y",
    "SHELL=/bin/false", "x%y", "%", "%.bin", "x\\%y", "x\\\\%y", "x*", "*.bin", "x?", "[a-z]", "x[",
    "x]", "~", "~root", "x~", "~/x", "x y", " x", "x ", "  x  y  ", "x\\ y", "x\\\\ y",
    "x\\\\\\ y", "x\\", "x\\\\", "x\\\\\\", "\\x", "\\\\x", "\\", "x\\:y", "x\\\\:y", "x\ty", "\tx",
    "x\t", "x\\\ty", "x\vy", "x\fy", "x\by", "x\x1by", "x\x7fy", "x&", "x &", "&", "&:", "x&y",
    "lib(member)", "lib(x", "x)", "(x)", "lib(a b)", "((x))", "-x", "--", "-", "-include evil.mk",
    "-f evil.mk", "@x", "+x", "include evil.mk", "include", "sinclude evil.mk", "-include",
    "define x", "endef", "ifdef x", "ifeq (a,a)", "else", "endif", "export x", "unexport x",
    "override x", "private x", "vpath %.c src", ".PHONY", ".DEFAULT", ".SUFFIXES", ".POSIX",
    ".ONESHELL", ".SILENT", ".IGNORE", ".WAIT", ".SECONDEXPANSION", ".DELETE_ON_ERROR", ".c.o",
    ".RECIPEPREFIX", ".EXPORT_ALL_VARIABLES", "x'y", "'x'", 'x"y', '"x"', "x,y", ",", "{x}", "{",
    "}", "x^y", "^", "x!", "!x", "<x>", "x<y", "x>ran", ">ran", "$<", "$@", "$^", "$*", "$(<)",
    "\u00e9", "\u4e2d\u6587", "x\u2028y", "x\u0085y", "x\u00a0y", "x\u202ey", "\U0001f600",
    "x\u3000y", "build x: phony", "rule x", "default x", "pool x", "subninja x", "x$\n y", "x$ y",
    "x$:y", "$\n", "in", "out.bsm", "Makefile", "x.d", "x.mk", "x..y", "...", "x.", ". x", "C:x",
    "c:", "c:\\x", "x:\\y", "a" * 250, "\\" * 20, "$" * 20, "\\ " * 20, "$\\" * 10, "# " * 10,
    "\x01", "\x02x", "x\x03", "x\x04y", "x\x1f",
]
BETWEEN = [f"a{c}b" for c in "\"&'(),;<>@[]^`{}~+-_"] + [f"a\\{c}b" for c in "$\"'();=|*?~!&,"]
NAMES = [n for n in dict.fromkeys(SYNTAX + BETWEEN) if n not in ("in", "out.bsm", "Makefile")]


def gltf(uri):
    box = {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0],
           "max": [0, 0, 0]}
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "accessors": [box],
        "bufferViews": [{"buffer": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36, "uri": urllib.parse.quote(uri, safe="")}]})


def run(words, folder):
    return subprocess.run(words, cwd=folder, capture_output=True, timeout=60,
                          # Other tests find leaks; the search takes half of the time.
                          env={"PATH": os.environ["PATH"], "IFS": " ", "ASAN_OPTIONS": "detect_leaks=0"})


def at(path, seconds):
    os.utime(path, (seconds, seconds))


def is_made(folder, target):
    """Return whether make builds the target, and its output."""
    log = folder / "log"
    log.unlink(missing_ok=True)
    done = run(["make", "-r", "-R", "-f", "ask.mk", "--", target], folder)
    return log.exists(), done.stderr if done.returncode else b""


def check_make(folder, target, changed):
    (folder / "ask.mk").write_text("-include dep.d\n.DEFAULT: ; @true\n%: ; @echo made >>log\n")
    once, complaint = is_made(folder, target)
    at(changed, 4000)
    again, more = is_made(folder, target)
    if complaint or more:
        return f"make fails: {complaint + more!r}"
    if once:
        return "make makes what is up to date"
    return None if again else "make does not know of the dependency"


def check_ninja(folder, target, names):
    escaped = target.replace("$", "$$").replace(" ", "$ ").replace(":", "$:")
    (folder / "build.ninja").write_text(
        f"rule r\n  command = true\n  depfile = dep.copy\n  deps = gcc\nbuild {escaped}: r in.gltf\n")
    shutil.copy(folder / "dep.d", folder / "dep.copy")
    built = run(["ninja"], folder)
    if built.returncode:
        return f"ninja fails: {built.stdout!r}"
    lines = run(["ninja", "-t", "deps"], folder).stdout.decode(errors="surrogateescape")
    found = [line[4:] for line in lines.split("\n") if line.startswith("    ")]
    return None if sorted(found) == sorted(names) else f"ninja has {found}"


def check(facet, buffer, target):
    """Test one name. Return an error message or None, and whether the name was refused."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "evil.mk").write_text("$(shell touch ran)\n")
        (folder / "in.gltf").write_text(gltf(buffer))
        (folder / buffer).parent.mkdir(parents=True, exist_ok=True)
        (folder / buffer).write_bytes(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
        done = run([facet, "convert", "--to", "bsm", "--depfile", "dep.d", "--", "in.gltf", target],
                   folder)
        wrote = [p for p in ("dep.d", target) if (folder / p).exists()]
        if done.returncode:  # other names lead out of the folder, or to no file
            told = done.returncode == 1 and b"DEPFILE-NAME" in done.stderr
            told = told or b"FILE-EXTERNAL" in done.stderr or b"cannot" in done.stderr
            wrong = None if told else f"status {done.returncode}: {done.stderr!r}"
            return (f"refused, and {wrote} is there" if wrote else wrong), True
        for path in ("in.gltf", buffer, "evil.mk", "dep.d"):
            at(folder / path, 1000)
        at(folder / target, 2000)
        before = {p.name for p in folder.iterdir()} | {"log", "ask.mk", "build.ninja", "dep.copy",
                                                       ".ninja_log", ".ninja_deps"}
        wrong = check_make(folder, target, folder / buffer)
        wrong = wrong or check_ninja(folder, target, ["in.gltf", buffer])
        more = {p.name for p in folder.iterdir()} - before
        return (f"there is {more}" if more else wrong), False


def missing(facet):
    """Return error messages on missing files."""
    triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"
    cases = [  # files, and the expected dependencies after IN
        ({"in.obj": "mtllib late.mtl\n" + triangle}, "late.mtl"),
        ({"in.obj": "mtllib a.mtl b.mtl\n" + triangle, "a.mtl": "newmtl a\n"}, "a.mtl b.mtl"),
        ({"in.obj": "mtllib a.mtl\n" + triangle, "a.mtl": "newmtl a\nmap_Kd t/a.png\nmap_Ks t/b.png\n",
          "a.png": ""}, "a.mtl a.png t/b.png b.png")]
    wrong = []
    for files, names in cases:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path, text in files.items():
                (folder / path).write_text(text)
            run([facet, "convert", "--depfile", "dep.d", "in.obj", "out.glb"], folder)
            line = (folder / "dep.d").read_text().split("\n")[0]
            if line != f"out.glb: in.obj {names}":
                wrong.append(f"missing files: {line!r}, expected {names!r}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in.obj").write_text(cases[0][0]["in.obj"])
        command = f"{facet} convert -q --depfile dep.d in.obj out.glb"
        (folder / "Makefile").write_text(f"out.glb: in.obj\n\t{command}\n-include dep.d\n")
        (folder / "build.ninja").write_text(f"rule r\n  command = {command}\n  depfile = dep.d\n"
                                            "  deps = gcc\nbuild out.glb: r in.obj\n")
        for tool, done in (("make", b"up to date"), ("ninja", b"no work to do")):
            steps = [run([tool], folder), run([tool], folder)]
            (folder / "late.mtl").write_text("newmtl a\nKd 1 0 0\n")
            steps += [run([tool], folder), run([tool], folder)]
            if any(step.returncode for step in steps):
                wrong.append(f"{tool} fails with a missing file: {steps}")
            if b"baseColorFactor" not in (folder / "out.glb").read_bytes():
                wrong.append(f"{tool} does not read a file that is added")
            if done in steps[1].stdout or done not in steps[3].stdout:
                wrong.append(f"{tool}: {steps[1].stdout} and {steps[3].stdout}")
            (folder / "late.mtl").unlink()
            (folder / "out.glb").unlink()
    return wrong


def main():
    facet, failed, refused = os.path.abspath(sys.argv[1]), 0, 0
    if not shutil.which("make") or not shutil.which("ninja"):
        sys.exit(77)
    for place in ("buffer", "target"):
        for name in NAMES:
            if place == "target" and name == "-":  # standard output
                continue
            names = (name, "out.bsm") if place == "buffer" else ("x.bin", name)
            wrong, no = check(facet, *names)
            refused += no
            if wrong:
                failed += 1
                print(f"{place} {name!r}: {wrong}")
    print(f"{2 * len(NAMES)} names: {refused} refused, {failed} wrong")
    for wrong in missing(facet):
        failed += 1
        print(wrong)
    # Common names must not be refused: letters, blanks and the usual signs.
    for name in ("x y", "x#y", "$x", "xy:z", "\u00e9", "a,b", "a(b"):
        failed += check(facet, name, "out.bsm")[1]
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
