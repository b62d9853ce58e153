"""Compilation for the machines of the release, the wheels and the add-on. All libraries by others
are linked statically (tools/static-libraries)."""

import os
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
STATIC = SOURCE / "tools/static-libraries"
# Compilers and archiver; the C++ compiler is for meshoptimizer.
TOOLS = {"linux": ("gcc", "g++", "ar"),
         "arm64": ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-ar"),
         "windows": ("x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-g++-posix",
                     "x86_64-w64-mingw32-ar")}
# Debian's architecture of musl, for programs. Shared libraries use glibc.
MUSL = {"linux": "amd64", "arm64": "arm64"}
INSIDE = ["LZ4", "DEFLATE", "LZMA", "ZLIB", "ZSTD", "PNG", "JPEG", "STB", "MESHOPT", "QHULL"]
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFACET_DEPENDENCIES=OFF", "-DFACET_CXX=ON",
             "-DFACET_SHARED=OFF", "-DFACET_MODULES=OFF", "-DFACET_CLI=ON", "-DFACET_PYTHON=ON",
             *(f"-DFACET_{name}=ON" for name in INSIDE)]


def run(*command, **more):
    return subprocess.run([str(each) for each in command], check=True, stdout=subprocess.PIPE, **more).stdout


def commit():
    return run("git", "-C", SOURCE, "rev-parse", "--short=12", "HEAD").decode().strip()


def sources():
    """The folder of the libraries' sources, which are fetched if missing."""
    folder = Path(os.environ.get("FACET_SOURCES") or SOURCE / "build/sources").resolve()
    run(STATIC, "sources", folder)
    return folder


def build(machine, musl, *targets):
    """Compile targets for a machine, and return the build folder. Existing results are reused."""
    c, cxx, ar = TOOLS[machine]
    folder = SOURCE / "build/release" / (machine if musl or machine not in MUSL else f"{machine}-glibc")
    libraries = folder / "libraries"
    launcher = os.environ.get("CMAKE_C_COMPILER_LAUNCHER", "")
    run(STATIC, "build", sources(), libraries,
        env={**os.environ, "FACET_COMPILE": f"{launcher} {c}", "AR": ar, "FACET_POINTER_BYTES": "8",
             "FACET_CPU": "arm" if machine == "arm64" else "x86", "FACET_MUSL": (MUSL[machine] if musl else "none") if machine in MUSL else ""})
    flags = f"-ffile-prefix-map={SOURCE}=. -ffile-prefix-map={folder}=."
    if musl and machine in MUSL:
        flags += f" -specs={libraries}/musl/musl.specs"
    run("cmake", "-S", SOURCE, "-B", folder, *CONFIGURE, f"-DCMAKE_C_FLAGS={flags}",
        f"-DCMAKE_CXX_FLAGS={flags}", f"-DFACET_SOURCE_ID={commit()}", f"-DCMAKE_CXX_COMPILER={cxx}",
        f"-DCMAKE_PREFIX_PATH={libraries}",
        *(f"-D{name}_DIR={libraries}/lib/cmake/{name}" for name in ("meshoptimizer", "Qhull")),
        # Link the C++ library statically. find_object.c lets its unwinder work without glibc 2.35.
        *([f"-DCMAKE_SHARED_LINKER_FLAGS=-static-libgcc -static-libstdc++ {libraries}/find_object.o"]
          if machine in MUSL and not musl else []),
        f"-DCMAKE_TOOLCHAIN_FILE={SOURCE}/cmake/machines/{machine}.cmake",
        env={**os.environ, "PKG_CONFIG_LIBDIR": f"{libraries}/lib/pkgconfig"})
    run("ninja", "-C", folder, *targets)
    return folder


def stripped(machine, file):
    """The bytes of a program or shared library without debug symbols."""
    to = file.with_name(file.name + ".stripped")
    run(TOOLS[machine][2].removesuffix("ar") + "strip", "-o", to, file)
    return to.read_bytes()
