#!/usr/bin/env python3
"""licenses.py SOURCE FILE...: check the licenses of all libraries that the built FILEs (program,
library, modules) are linked to, by Debian's copyright files.

There are three errors. A linked library has only the GPL; docs/project/licenses.md does not name
its package; or the page gives another license than the copyright file. Exit status 77 (skipped)
without dpkg.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

# Parts of a source package that are not in its library.
NOT_LINKED = re.compile(
    r"^(\./)?(debian|tests?|testing|examples?|programs|doc|docs|contrib/linux-kernel|m4|build-aux|"
    r"cmake|po|fuzz|bench|benchmarks?|samples?|scripts?|extra|lib/dll|src/xz|src/xzdec|src/scripts|"
    r"tools|src/test|src/main/(windows|winrt)|src/video/haiku)(/|$|\*)|configure|\.m4$|ltmain|INSTALL|"
    r"Makefile|COPYING|\.texi$|\.1$|autoconf")
# Copyright files that are not in the machine-readable format. Each must contain this text for the
# license in docs/project/licenses.md.
BY_SENTENCE = {
    "libwebp7": ("BSD-3-Clause", "Redistribution and use in source and binary forms"),
    "libzip4": ("BSD-3-Clause", "Redistribution and use in source and binary forms"),
    "libc6": ("LGPL-2.1+", "GNU Lesser General Public"),
    "libstdc++6": ("GPL-3+ with GCC exception", "GCC Runtime Library Exception"),
    "libgcc-s1": ("GPL-3+ with GCC exception", "GCC Runtime Library Exception"),
    "liblzma5": ("public domain", "liblzma is in the public domain"),
}
# Files under the GPL with an exception that the copyright file omits.
EXCEPTIONS = {
    "glslang/MachineIndependent/glslang_tab.cpp": "made by Bison, whose parsers may be used freely",
    "glslang/MachineIndependent/glslang_tab.cpp.h": "the same",
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def linked_libraries(files):
    found = set()
    for file in files:
        for path in re.findall(r"=> (/\S+)", run("ldd", file).stdout):
            found.add(str(Path(path).resolve()))
    return sorted(path for path in found if "libfacet" not in path and "san.so" not in path)


def package_of(path):
    for each in (path, path.replace("/usr/lib", "/lib", 1), path.replace("/lib", "/usr/lib", 1)):
        owner = run("dpkg", "-S", each).stdout.split(":")[0].strip()
        if owner:
            return owner
    return None


def is_gpl_alone(license):
    """True if a short name such as "GPL-2+ or BSD-2-clause" allows only the GPL."""
    if "exception" in license.lower():
        return False
    return all(re.search(r"\bA?GPL", way, re.I) for way in re.split(r"\s+or\s+|\s*\|\s*", license))


def stanzas_of(text):
    """Yield (files, license) of each stanza about files."""
    for stanza in re.split(r"\n\s*\n", text):
        files = re.search(r"^Files:((?:.*)(?:\n[ \t].*)*)", stanza, re.M)
        license = re.search(r"^License:[ \t]*(.*)", stanza, re.M)
        if files and license:
            yield files[1].split(), license[1].strip()


def licenses_of(package, faults):
    """Short names of the licenses of files that become part of the library."""
    path = Path("/usr/share/doc") / package / "copyright"
    text = path.read_text(errors="replace")
    if package in BY_SENTENCE:
        name, sentence = BY_SENTENCE[package]
        if sentence.lower() not in " ".join(text.split()).lower():
            faults.append(f"{path} does not say '{sentence}'")
        return {name}
    if not text.startswith("Format:"):
        faults.append(f"{path} is not machine-readable: look at it, and say what it must say")
        return set()
    found = set()
    for files, license in stanzas_of(text):
        linked = [file for file in files if not NOT_LINKED.search(file) and file not in EXCEPTIONS]
        if linked and license:
            found.add(license)
            if is_gpl_alone(license):
                faults.append(f"{package}: {', '.join(linked[:5])} is under {license} alone")
    if not found:
        faults.append(f"{path} gives no license")
    return found


def listed_in(page):
    """Package and license in each line of the page's tables."""
    return {row[0]: row[1] for row in re.findall(r"^\| `([\w.+-]+)` \| ([^|]+?) \|", page, re.M)}


def plain(license):
    return re.sub(r"[^a-z0-9+]", "", license.lower().replace("expat", "mit"))


def test_self():
    assert is_gpl_alone("GPL-2+") and is_gpl_alone("GPL-2 or GPL-3") and is_gpl_alone("AGPL-3")
    assert not is_gpl_alone("GPL-2+ or BSD-2-clause") and not is_gpl_alone("LGPL-2.1+")
    assert not is_gpl_alone("GPL-3+ with autoconf exception")
    assert list(stanzas_of("Format: x\n\nFiles: *\n a/b\nLicense: GPL-2+\n")) == [
        (["*", "a/b"], "GPL-2+")]
    assert not NOT_LINKED.search("*") and NOT_LINKED.search("debian/*")


def main():
    test_self()
    if not shutil.which("dpkg") or not shutil.which("ldd"):
        print("no dpkg here: skipped")
        sys.exit(77)
    source, files, faults = Path(sys.argv[1]), sys.argv[2:], []
    listed = listed_in((source / "docs/project/licenses.md").read_text())
    packages = {}
    for path in linked_libraries(files):
        package = package_of(path)
        if package:
            packages.setdefault(package, path)
        else:
            faults.append(f"no package owns {path}")
    # Header-only libraries leave no trace in the program.
    for package in listed:
        if (Path("/usr/share/doc") / package / "copyright").exists():
            packages.setdefault(package, "a header")
    for package, path in sorted(packages.items()):
        found = licenses_of(package, faults)
        if package not in listed:
            faults.append(f"{package} ({path}) is linked, but docs/project/licenses.md does not name it")
        else:
            faults += [f"{package} is under {license}, docs/project/licenses.md says {listed[package]}"
                       for license in found if plain(license) not in plain(listed[package])]
    for fault in faults:
        print(fault)
    print(f"{len(packages)} packages, {len(faults)} faults")
    sys.exit(1 if faults or len(packages) < 2 else 0)


main()
