#!/usr/bin/env python3
"""needs.py FILE...: print the platform of ELF or PE files, as in the tag of a wheel. For ELF it is manylinux_2_34
with the oldest possible glibc, from the versions of the symbols that they import. For PE it is win. Exits with 1
if a file imports a library that is not part of the platform and not among the files."""

import re
import subprocess
import sys
from pathlib import Path

# PEP 600 allows any version of glibc. Other libraries may be missing in a distribution.
GLIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1",
         "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# Parts of Windows, and the limited interface of Python, which its process has loaded.
WINDOWS = {"kernel32.dll", "msvcrt.dll", "advapi32.dll", "user32.dll", "shell32.dll", "python3.dll"}


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def elf(path):
    """The libraries that an ELF file imports, and the newest version of glibc's symbols."""
    text = printed("readelf", "-dVW", path)
    libraries = set(re.findall(r"\(NEEDED\)\s+Shared library: \[(.*?)\]", text))
    if libraries and "Version needs section" not in text:
        sys.exit(f"{path}: it imports libraries, but no versions of their symbols")
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"Name: GLIBC_([\d.]+)", text)]
    return libraries, max(versions, default=(0, 0))


def pe(path):
    """The libraries that a PE file imports."""
    libraries = {name.lower() for name in re.findall(r"DLL Name: (\S+)", printed("x86_64-w64-mingw32-objdump", "-p", path))}
    if not libraries:
        sys.exit(f"{path}: no imports found, not even those of Windows")
    return libraries


def check_imports(path, libraries, known):
    if libraries - known:
        sys.exit(f"{path}: imports {', '.join(sorted(libraries - known))}")


def platform(paths):
    """The platform of files that are distributed together."""
    paths = [Path(path) for path in paths]
    own = {path.name for path in paths}
    are_pe = {path.read_bytes()[:2] == b"MZ" for path in paths}
    if len(are_pe) != 1:
        sys.exit("files of Windows and of Linux together")
    if are_pe.pop():
        for path in paths:
            check_imports(path, pe(path), WINDOWS | {name.lower() for name in own})
        return "win"
    newest = (2, 17)  # of manylinux2014, which every pip accepts
    for path in paths:
        libraries, version = elf(path)
        check_imports(path, libraries, GLIBC | own)
        newest = max(newest, version[:2])
    return f"manylinux_{newest[0]}_{newest[1]}"


if __name__ == "__main__":
    print(platform(sys.argv[1:]) if sys.argv[1:] else sys.exit(__doc__))
