"""Wheels of the Python package for any machine: the wheel that tools/python-package builds for this one, with
the compiled files of the other. Two wheels of one commit are equal."""

import base64
import hashlib
import os
import re
import shutil
import sys
import zipfile
from pathlib import Path

from machines import SOURCE, STATIC, TOOLS, run, sources, stripped
from needs import platform

PYTHON = os.environ.get("PYTHON", sys.executable)
HEADERS = Path(run(PYTHON, "-c", "import sysconfig; print(sysconfig.get_paths()['include'])").decode().strip())
MOMENT = (1980, 1, 1, 0, 0, 0)  # the earliest that a ZIP archive can store
CPUS = {"linux": "x86_64", "arm64": "aarch64", "windows": "amd64"}
# Library, program and module in the wheel of this machine. Windows looks for the library of a
# module next to the module.
UNIX = ("facet/_lib/libfacet-python.so", "facet/_lib/facet", "facet/_facet.abi3.so")
WINDOWS = ("facet/libfacet-python.dll", "facet/_lib/facet.exe", "facet/_facet.pyd")
# The automatic base of a module depends on the path of the output.
WINDOWS_LINK = ["-static", "-Wl,--no-insert-timestamp", "-Wl,--disable-auto-image-base"]


def names(machine):
    return WINDOWS if machine == "windows" else UNIX


def headers(machine, work):
    """Python's headers with the pyconfig.h of a machine. For the limited interface, all 64-bit Linux is equal."""
    to = work / "headers" / machine
    shutil.copytree(HEADERS, to)
    shutil.copy2(SOURCE / "packaging/windows/pyconfig.h" if machine == "windows" else
                 HEADERS.parent / "x86_64-linux-gnu" / HEADERS.name / "pyconfig.h", to / "pyconfig.h")
    return to


def module_text(work, given):
    """The C text of the module facet._facet, by cffi."""
    text = work / "_facet.c"
    if not text.exists():
        run(PYTHON, "-c", f"import sys; sys.path.insert(0, {str(SOURCE / 'python')!r})\n"
            f"from build_facet import ffi; ffi.emit_c_code({str(text)!r})",
            env={**os.environ, "FACET_BUILD": str(given)})
    return text


def python_dll(work, module):
    """An import library of python3.dll with the functions that a module uses."""
    tool = TOOLS["windows"][2].removesuffix("ar")
    used = re.findall(r"U __imp_(_?Py\w+)", run(tool + "nm", "-u", module).decode())
    (work / "python3.def").write_text("LIBRARY python3.dll\nEXPORTS\n" + "".join(f"{name}\n" for name in used))
    run(tool + "dlltool", "-d", work / "python3.def", "-l", work / "libpython3.a")
    return work / "libpython3.a"


def module(machine, work, given, library):
    """The bytes of the module facet._facet, by the compiler of a machine."""
    compiled, to = work / f"_facet.{machine}.o", work / f"_facet.{machine}.so"
    run(TOOLS[machine][0], "-c", "-fPIC", "-O2", "-DNDEBUG", "-DPy_LIMITED_API=0x03090000", "-ffp-contract=off",
        f"-ffile-prefix-map={work}=.", f"-I{headers(machine, work)}", f"-I{SOURCE / 'include'}",
        module_text(work, given), "-o", compiled)
    run(TOOLS[machine][0], "-shared", compiled, library, "-o", to,
        *([python_dll(work, compiled), *WINDOWS_LINK] if machine == "windows" else
          ["-Wl,-rpath,$ORIGIN/_lib", "-Wl,--disable-new-dtags", "-Wl,--build-id=none"]))
    return stripped(machine, to)


def tag_of(machine, compiled, work):
    """The tag of a wheel with these compiled files, none of which imports a library by others."""
    folder = work / f"check-{machine}"
    folder.mkdir()
    for name, data in compiled.items():
        (folder / Path(name).name).write_bytes(data)
    return f"cp39-abi3-{platform(folder.iterdir())}_{CPUS[machine]}"


def record(files, own):
    lines = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
             for name, (data, _) in files.items()]
    return "".join([*lines, f"{own},,\n"]).encode()


def contents(machine, native, compiled, tag):
    """Name, bytes and attributes of the files of a wheel. RECORD is the last."""
    other = dict(zip(UNIX, names(machine)))
    files = {}
    with zipfile.ZipFile(native) as archive:
        for info in archive.infolist():
            name = other.get(info.filename, info.filename)
            data = compiled.get(name) or archive.read(info)
            if name.endswith(".dist-info/WHEEL"):
                data = re.sub(rb"(?m)^Tag: .*", b"Tag: " + tag.encode(), data)
            elif name.endswith(".dist-info/METADATA") and machine == "windows":
                data = data.replace(b"System :: POSIX :: Linux", b"System :: Microsoft :: Windows")
            files[name] = data, info.external_attr
    if not set(compiled) <= set(files):
        sys.exit(f"the wheel of this machine has no {', '.join(set(compiled) - set(files))}")
    own = next(name for name in files if name.endswith(".dist-info/RECORD"))
    _, attributes = files.pop(own)
    files[f"{own.rpartition('/')[0]}/LICENSES.txt"] = run(STATIC, "licenses", sources()), 0o100644 << 16
    files[own] = record(files, own), attributes
    return files


def write(machine, native, work, given, library, program, to):
    """The wheel of a machine, in the folder TO."""
    compiled = dict(zip(names(machine), (library.read_bytes(), program, module(machine, work, given, library))))
    tag = tag_of(machine, compiled, work)
    path = to / f"{native.name.split('-cp39')[0]}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (data, attributes) in contents(machine, native, compiled, tag).items():
            member = zipfile.ZipInfo(name, MOMENT)
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, attributes
            archive.writestr(member, data)
    return path
