"""Build the generated parts of the package.

The parts are: declarations from the headers (tools/bindings), the table of options from the program
(tools/options), and the module facet._facet, which cffi compiles. The library and the program are
copied to facet/_lib. FACET_BUILD names the build folder (default: ../build). A folder of CMake is
brought up to date first.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from cffi import FFI

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
BUILD = Path(os.environ.get("FACET_BUILD", ROOT / "build"))
sys.path.insert(0, str(ROOT / "tools"))
from built import bring_up_to_date  # noqa: E402
NAMES = ("libfacet-python.so", "facet")
INCLUDED = HERE / "facet" / "_lib"

# Functions that the library calls. _call.py, _files.py and tools.py of facet/ define them.
CALLBACKS = """
extern "Python" bool facet_python_progress(void *, const char *, double);
extern "Python" facet_status facet_python_open_sibling(const facet_source *, const char *,
                                                       facet_source *, facet_error *);
extern "Python" facet_status facet_python_write(void *, const void *, size_t, facet_error *);
extern "Python" facet_status facet_python_put(void *, const char *, const void *, size_t,
                                              facet_error *);
"""


def version():
    text = (ROOT / "include/facet/base.h").read_text()
    return ".".join(re.search(rf"#define FACET_VERSION_{part} (\d+)", text)[1]
                    for part in ("MAJOR", "MINOR", "PATCH"))


def include():
    """Copy the library and the program into the package."""
    bring_up_to_date(BUILD)
    INCLUDED.mkdir(exist_ok=True)
    for name in NAMES:
        if not (BUILD / name).exists():
            sys.exit(f"{BUILD / name} is not there: 'make python' builds it")
    for name in NAMES:
        # Do not overwrite the file: a process may have mapped it.
        shutil.copy2(BUILD / name, INCLUDED / (name + ".new"))
        (INCLUDED / (name + ".new")).replace(INCLUDED / name)
    # Modules that the library loads when a file needs them.
    shutil.rmtree(INCLUDED / "lib", ignore_errors=True)
    modules = f"lib/facet-{version()}"
    shutil.copytree(BUILD / modules, INCLUDED / modules)


def made_by(tool, kind, given=None):
    return subprocess.run([sys.executable, str(ROOT / "tools" / tool), kind], check=True,
                          input=given, capture_output=True, text=True).stdout


def option_table():
    printed = subprocess.run([BUILD / "facet", "--options"], check=True, capture_output=True, text=True)
    return made_by("options", "python", printed.stdout)


include()
(HERE / "facet/_records.py").write_text(made_by("bindings", "records"))
(HERE / "facet/_option_table.py").write_text(option_table())
ffi = FFI()
ffi.cdef(made_by("bindings", "cffi") + CALLBACKS)
ffi.set_source(
    "facet._facet", "#define FACET_EXPERIMENTAL\n#include <facet/facet.h>",
    include_dirs=[str(ROOT / "include")],
    extra_compile_args=["-O2"],
    extra_link_args=[f"-L{INCLUDED}", "-l:libfacet-python.so", "-Wl,-rpath,$ORIGIN/_lib",
                     "-Wl,--disable-new-dtags"],
    py_limited_api=True)
