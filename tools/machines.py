"""Compilation for the machines of the release, the wheels and the add-on. All libraries by others
are linked statically (tools/static-libraries)."""

import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent
STATIC = SOURCE / "tools/static-libraries"
# Compilers and archiver; the C++ compiler is for meshoptimizer.
TOOLS = {"linux": ("gcc", "g++", "ar"),
         "arm64": ("aarch64-linux-gnu-gcc", "aarch64-linux-gnu-g++", "aarch64-linux-gnu-ar"),
         "windows": ("x86_64-w64-mingw32-gcc-posix", "x86_64-w64-mingw32-g++-posix",
                     "x86_64-w64-mingw32-ar")}
NAMES = {"linux": "linux-x86_64", "arm64": "linux-arm64", "windows": "windows-x86_64"}
# Commands that run programs of these machines here.
EMULATORS = {"linux": [], "arm64": ["qemu-aarch64"], "windows": ["/usr/lib/wine/wine64"]}
# Debian's architecture of musl, for programs. Shared libraries use glibc.
MUSL = {"linux": "amd64", "arm64": "arm64"}
INSIDE = ["LZ4", "DEFLATE", "LZMA", "ZLIB", "ZSTD", "PNG", "JPEG", "STB", "MESHOPT", "QHULL"]
CONFIGURE = ["-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DFACET_DEPENDENCIES=OFF", "-DFACET_CXX=ON",
             "-DFACET_SHARED=OFF", "-DFACET_MODULES=OFF", "-DFACET_CLI=ON", "-DFACET_PYTHON=ON",
             *(f"-DFACET_{name}=ON" for name in INSIDE)]


def quiet_wine():
    """Give wine a separate folder, and no messages."""
    folder = SOURCE / "build/release/wine"
    folder.parent.mkdir(parents=True, exist_ok=True)
    os.environ.update(WINEDEBUG="-all", WINEPREFIX=str(folder))


# A compiler cache must not change bytes: with a base folder it makes paths relative, and file prefix
# maps do not match them.
os.environ.update(CCACHE_BASEDIR="", CCACHE_HASHDIR="true")
os.environ.pop("CCACHE_NOHASHDIR", None)


def run(*command, **more):
    done = subprocess.run([str(each) for each in command], stdout=subprocess.PIPE, **more)
    if done.returncode:  # show why
        sys.stderr.buffer.write(done.stdout[-8000:])
    done.check_returncode()
    return done.stdout


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
    run("ninja", "-C", folder, "-j", os.environ.get("JOBS", os.cpu_count()), *targets)
    return folder


def stripped(machine, file):
    """The bytes of a program or shared library without debug symbols."""
    to = file.with_name(file.name + ".stripped")
    run(TOOLS[machine][2].removesuffix("ar") + "strip", "-o", to, file,
        env={**os.environ, "SOURCE_DATE_EPOCH": "0"})  # for Windows, strip writes the time into the file
    return to.read_bytes()


def png():
    """Six by eight pixels, each of another color."""
    rows = b"".join(b"\0" + bytes(v for x in range(6) for v in (x * 32, y * 32, 128)) for y in range(8))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 6, 8, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def textured_model(folder):
    """a.obj in a folder: a triangle with a texture."""
    (folder / "a.obj").write_text("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                  "usemtl a\nf 1/1 2/2 3/3\n")
    (folder / "a.mtl").write_text("newmtl a\nmap_Kd a.png\n")
    (folder / "a.png").write_bytes(png())
