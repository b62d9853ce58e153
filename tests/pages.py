#!/usr/bin/env python3
"""pages.py FACET SOURCE [--run REASON] [PAGE...]: run the commands of the README, tutorials, guides,
explanations and pages of formats.

The fenced blocks of each page run in order, in one shell in a temporary folder:

    ```console      Each line after `$ ` is a command; the lines below it are its output.
                    `...` replaces omitted output: a line, or the rest of one.
    ```sh           Each line is a command, which must succeed.
    ```c, ```json   A file, if the text above ends with "Save this as `NAME`" (or similar).
    ```text         Anything else. A block without a language is an error, so that no
                    command is hidden.

A block that cannot run here has a reason after the language: ```sh not run: Blender. Such blocks
are counted; --run REASON runs those with that reason. Tutorials and the README start with the files
that the commands of FILES create, other pages with those of page_files.sh. Windows are drawn once,
small and without a display; `facet show` prints text.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections import Counter
from pathlib import Path

FILES = {
    "README.md": """
        cp /usr/share/assimp/models/OBJ/spider.* .
        python3 tools/pictures --model vase.gltf
        facet convert -q vase.gltf robot.glb
        facet convert -q vase.gltf link.bdl""",
    "docs/how-to/view.md": """
        git init -q
        git add model.glb
        git -c user.name=a -c user.email=a commit -qm model
        cp after.glb model.glb""",
    # A model from Blender: some of its vertices have moved.
    "docs/tutorial/mod-a-game.md": """
        mkdir work
        python3 tools/pictures --model work/vase.gltf
        facet convert -q work/vase.gltf work/vase.bdl
        facet convert -q work/vase.bdl work/vase.glb
        python3 -c '
import array, json, struct
data = bytearray(open("work/vase.glb", "rb").read())
length, = struct.unpack_from("<I", data, 12)
model = json.loads(data[20:20 + length])
accessor = model["accessors"][model["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]
view = model["bufferViews"][accessor["bufferView"]]
first = 28 + length + view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
for i in range(40, 50):
    at = first + i * view.get("byteStride", 12)
    struct.pack_into("<f", data, at, struct.unpack_from("<f", data, at)[0] * 0.9)
open("edited.glb", "wb").write(data)'""",
}
# Files after `git clone` that pages use.
KINDS = ["tutorial", "how-to", "reference/formats", "explanation"]
OF_THE_SOURCE = ["Makefile", "blender", "dist", "examples", "tools", "web"]
BLOCK = re.compile(r"^( *)```([^\n]*)\n(.*?)^ *```$", re.M | re.S)
SAVED = re.compile(r"[Ss]ave\s+(?:this|it)[^`]*\sas\s+`([\w.-]+)`[^`]*\Z")


class Command:
    def __init__(self, line, text, shown):
        self.line, self.text, self.shown = line, text, shown
        self.status, self.printed = None, ""

    def error(self):
        """Return the difference between the page and the real output, or None."""
        if self.status is None:
            return "it did not run"
        if not self.shown:
            # 1: the files differ, or an item of a batch has failed.
            is_good = self.status == 0 or self.status == 1 and (
                "facet compare" in self.text or re.search(r"^facet: [1-9]\d* ok,", self.printed, re.M))
            return None if is_good else f"status {self.status}\n{self.printed}"
        if as_shown(self.shown, self.printed):
            return None
        return f"the page shows\n{self.shown}but this is printed\n{self.printed}"


def as_shown(shown, printed):
    """True if the output matches the page, with `...` for omitted parts."""
    lines = [r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + r" *\n"
             for line in shown.splitlines()]
    return re.fullmatch("".join(lines), printed if printed.endswith("\n") else printed + "\n") is not None


def commands_of(kind, line, text):
    """Return the commands of a block: those after a prompt, with their output, or all lines."""
    found, rows = [], text.split("\n")[:-1]
    for number, row in enumerate(rows, line):
        if found and found[-1].text.endswith("\\"):
            found[-1].text += "\n" + row
        elif kind == "console" and row.startswith("$ "):
            found.append(Command(number, row[2:], ""))
        elif kind == "sh" and row and not row.startswith("#"):
            found.append(Command(number, row, ""))
        elif kind == "console" and found:
            found[-1].shown += row + "\n"
    return found


def steps_of(page, errors, left_out, reason):
    """Return the steps of a reader: commands, and (name, text) of files."""
    steps = []
    for block in BLOCK.finditer(page):
        kind, _, mark = block[2].strip().partition(" ")
        line = page.count("\n", 0, block.start()) + 2
        text, saved = textwrap.dedent(block[3]), SAVED.search(page[:block.start()].rstrip(" :.\n"))
        if not kind:
            errors.append(f"{line - 1}: a block without a language (console, sh, text, ...)")
        elif mark.startswith("not run: ") and mark != f"not run: {reason}":
            left_out[mark.removeprefix("not run: ")] += 1
        elif mark and not reason:
            errors.append(f"{line - 1}: '{mark}' is not 'not run: REASON'")
        elif kind in ("console", "sh"):
            steps += commands_of(kind, line, text)
        elif saved:
            steps.append((saved[1], text))
    return steps


def script_of(steps):
    """Write a script that runs the steps and prints, after each command, a mark with its status."""
    lines = []
    for step in steps:
        if isinstance(step, Command):
            lines.append(f"{{ {step.text}\n}} </dev/null 2>&1\nstatus=$?; printf '\\001%d\\002' $status; (exit $status)\n")
        else:
            lines.append(f"cat >{step[0]} <<'END OF FILE'\n{step[1]}END OF FILE\n")
    return "".join(lines)


def read_page(source, files, name, reason):
    """Return (errors, number of commands, omitted blocks) of a page."""
    errors, left_out = [], Counter()
    steps = steps_of((source / name).read_text(encoding="utf-8"), errors, left_out, reason)
    commands = [step for step in steps if isinstance(step, Command)]
    with tempfile.TemporaryDirectory() as folder:
        if "tutorial" not in name and name != "README.md":
            shutil.copytree(files, folder, dirs_exist_ok=True)
        for entry in OF_THE_SOURCE:
            if (source / entry).exists():
                (Path(folder) / entry).symlink_to(source / entry)
        start = f"set -e\n{FILES.get(name, '')}\nset +e\nprintf '\\002'\n"
        done = subprocess.run(["bash", "-c", start + script_of(steps)], cwd=folder, timeout=300, check=False,
                              env={**os.environ, "HOME": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    before, *printed = done.stdout.decode("utf-8", "replace").split("\2")
    if not printed:
        errors.append(f"1: its files: {before}")
    for command, part in zip(commands, printed):
        command.printed, mark, status = part.rpartition("\1")
        command.status = int(status) if mark else None
    errors += [f"{command.line}: $ {command.text}\n{textwrap.indent(command.error(), '    ')}"
               for command in commands if command.error()]
    return errors, len(commands), left_out


def write_program(path, facet):
    """Write the program as a script with the environment that it needs without a display and a
    terminal."""
    path.write_text('#!/bin/sh\ncase "$1" in\n'
                    'view) shift && set -- view --size 160x120 "$@" --once --screenshot view.png ;;\n'
                    'render) shift && set -- render --samples 1 "$@" ;;\n'
                    'show) set -- "$@" --protocol blocks ;;\n'
                    f'esac\nexec {facet} "$@"\n')
    path.chmod(0o755)


def write_module(path, build, source):
    """Write a facet.pc for the library in the build folder. Programs for a library with sanitizers
    also need the sanitizers."""
    library = build / "libfacet.so"
    more = "-fsanitize=address,undefined" if library.exists() and b"__asan_init" in library.read_bytes() else ""
    path.write_text(f"Name: facet\nDescription: for pages.py\nVersion: 0\n"
                    f"Cflags: -I{source}/include {more}\nLibs: -L{build} -Wl,-rpath,{build} -lfacet {more}\n")


def main():
    facet, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    reason = sys.argv[4] if sys.argv[3:4] == ["--run"] else None
    names = sys.argv[5 if reason else 3:] or ["README.md", *(str(path.relative_to(source)) for kind in KINDS
                                            for path in sorted((source / "docs" / kind).glob("*.md")))]
    if shutil.which("bash") is None:
        sys.exit(77)
    failed, run, left_out = 0, 0, Counter()
    with tempfile.TemporaryDirectory() as tools, tempfile.TemporaryDirectory() as files, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        write_program(Path(tools) / "facet", facet)
        write_module(Path(tools) / "facet.pc", facet.parent, source)
        os.environ.update(PATH=f"{tools}:{os.environ['PATH']}", PKG_CONFIG_PATH=tools, LC_ALL="C.UTF-8")
        # Other tests find leaks; the search takes a third of the time.
        os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
        subprocess.run(["sh", source / "tests/page_files.sh", source], cwd=files, check=True)
        results = pool.map(lambda name: read_page(source, files, name, reason), names)
        for name, (errors, count, marked) in zip(names, results):
            run, failed = run + count, failed + len(errors)
            left_out += marked
            for error in errors:
                print(f"{name}:{error}")
    print(f"{len(names)} pages: {run} commands run, {failed} errors; blocks not run: {left_out.total()}"
          + (" (" + ", ".join(f"{reason} {count}" for reason, count in left_out.most_common()) + ")" if left_out
             else ""))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
