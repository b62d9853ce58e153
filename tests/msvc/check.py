#!/usr/bin/env python3
"""check.py SOURCE GENERATED [FILE...]: check the syntax of the sources for Windows and of the public headers as
MSVC compiles them. It uses clang without __GNUC__, <stdatomic.h> and extensions of GCC, with the data model of
Windows and the headers of mingw-w64. Public headers are C and C++. GENERATED contains format_table.h. Sources
that need an optional library are compiled without it. The headers of POSIX that mingw-w64 has and MSVC does not
are counted."""

import os
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Other systems, parts that Windows does not have, and modules.
LEFT_OUT = ("src/batch/", "src/view/", "_posix.c", "/module.c", "src/formats/assimp/")
CLANG = ["clang", "--target=x86_64-pc-windows-msvc", "-fms-compatibility", "-fms-extensions"]
PREPROCESS = ["-E", "-nostdlibinc", "-isystem", "/usr/share/mingw-w64/include", "-DFACET_EXPERIMENTAL",
              "-DFACET_BUILD", "-D__STDC_NO_ATOMICS__=1", "-Iinclude", "-Isrc", "-include", "tests/msvc/mingw.h"]
SYNTAX = ["-fsyntax-only", "-ferror-limit=3", "-Wno-everything", "-Werror=gnu", "-Werror=implicit-function-declaration",
          "-Werror=incompatible-function-pointer-types", "-Werror=return-type"]
# clang accepts these for MSVC. MSVC does not.
FOREIGN = re.compile(r"\b(__attribute__|__builtin_\w+|__typeof__|typeof|__extension__|__asm__|asm|_Atomic|__c11_\w+|__int128)\b")
POSIX = re.compile(r'^# 1 "/usr/share/mingw-w64/include/((?:pthread|sched|unistd|strings|dirent|getopt|sys/time)\.h)" 1', re.M)
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"')
# <stddef.h> and others of clang's, which MSVC has in its own way; so are the vectors of x86.
ALLOWED = {"__builtin_offsetof", "__builtin_va_start", "__builtin_va_end", "__builtin_va_arg", "__builtin_va_copy"}
MARKER = re.compile(r'# (\d+) "(.*)"')


def sources(root):
    for path in sorted((root / "src").rglob("*.c")):
        name = str(path.relative_to(root))
        if not any(part in name for part in LEFT_OUT):
            yield name, "c11"
    for path in sorted((root / "include/facet").glob("*.h")):  # facet.hpp needs a C++ library of MSVC's kind
        yield str(path.relative_to(root)), "c11"
        yield str(path.relative_to(root)), "c++17"


def foreign(text):
    """Words of GCC that are left in lines of Facet's own files after preprocessing."""
    place, line, found = "", 0, []
    for each in text.splitlines():
        marker = MARKER.match(each)
        if marker:
            line, place = int(marker[1]) - 1, marker[2]
            continue
        line += 1
        if not place.startswith(("/", "<")):
            found += [f"{place}:{line}: error: {word[1]}" for word in FOREIGN.finditer(STRINGS.sub("", each))
                      if word[1] not in ALLOWED and not word[1].startswith("__builtin_ia32_")]
    return found


def check(root, generated, name, standard):
    language = "c++" if standard.startswith("c++") else "c"
    text = subprocess.run([*CLANG, *PREPROCESS, f"-std={standard}", f"-I{generated}", "-x", language, name], cwd=root,
                          capture_output=True, text=True)
    if text.returncode:
        return [line for line in text.stderr.splitlines() if "error:" in line], set()
    done = subprocess.run([*CLANG, *SYNTAX, f"-std={standard}", "-x", "c++-cpp-output" if language == "c++" else "cpp-output", "-"],
                          cwd=root, input=text.stdout, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if "error:" in line] or \
        (["error: clang failed without a message"] if done.returncode else [])
    return sorted(set(foreign(text.stdout))) + errors, set(POSIX.findall(text.stdout))


def main():
    root, generated = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    given = set(sys.argv[3:])
    todo = [each for each in sources(root) if not given or each[0] in given]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda each: check(root, generated, *each), todo))
    failed = [(each, errors) for each, (errors, _) in zip(todo, results) if errors]
    for (name, standard), errors in failed:
        print(f"{name}, {standard}:", *errors[:5], sep="\n  ")
    for header, count in sorted(Counter(header for _, posix in results for header in posix).items()):
        print(f"{header}, which MSVC does not have: included by {count} files")
    print(f"{len(todo) - len(failed)} passed, {len(failed)} failed")
    sys.exit(bool(failed) or not todo)


main()
