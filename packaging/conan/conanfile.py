"""Recipe of Conan 2: conan create packaging/conan"""

import sys

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy
from conan.tools.gnu import PkgConfigDeps

# Option: requirement, and the build's switch. stb is missing, because its package lacks the
# compiled library that Facet links to.
LIBRARIES = {
    "assimp": ("assimp/5.4.3", "FACET_ASSIMP"),
    "bzip2": ("bzip2/1.0.8", "FACET_BZIP2"),
    "deflate": ("libdeflate/1.19", "FACET_DEFLATE"),
    "draco": ("draco/1.5.6", "FACET_DRACO"),
    "jpeg": ("libjpeg-turbo/3.0.2", "FACET_JPEG"),
    "lz4": ("lz4/1.9.4", "FACET_LZ4"),
    "lzma": ("xz_utils/5.4.5", "FACET_LZMA"),
    "meshopt": ("meshoptimizer/0.20", "FACET_MESHOPT"),
    "png": ("libspng/0.7.4", "FACET_PNG"),
    "qhull": ("qhull/8.0.2", "FACET_QHULL"),
    "webp": ("libwebp/1.3.2", "FACET_WEBP"),
    "zip": ("libzip/1.10.1", "FACET_ZIP"),
    "zlib": ("zlib/1.3.1", "FACET_ZLIB"),
    "zstd": ("zstd/1.5.5", "FACET_ZSTD"),
}
ASKED = {"assimp", "bzip2", "draco", "lzma", "webp", "zip", "zstd"}  # off by default


class Facet(ConanFile):
    name = "facet"
    version = "0.2.0"
    license = "MIT"
    description = "Binary mesh files that a renderer can use as they lie on disk"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], **{name: [True, False] for name in LIBRARIES}}
    default_options = {"shared": False, "fPIC": True, **{name: name not in ASKED for name in LIBRARIES}}

    def config_options(self):
        if self.settings.os == "Windows":
            del self.options.fPIC

    def configure(self):
        if self.options.shared:
            self.options.rm_safe("fPIC")
        if not (self.options.meshopt or self.options.assimp or self.options.draco):
            self.settings.rm_safe("compiler.libcxx")
            self.settings.rm_safe("compiler.cppstd")

    def layout(self):
        cmake_layout(self)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "examples/*", "include/*", "src/*",
                        "tools/*", "tests/arithmetic.c"):
            copy(self, pattern, self.recipe_folder + "/../..", self.export_sources_folder)

    def requirements(self):
        for name, (reference, _) in LIBRARIES.items():
            if self.options.get_safe(name):
                self.requires(reference)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.variables["Python3_EXECUTABLE"] = sys.executable.replace("\\", "/")
        toolchain.variables["FACET_DEPENDENCIES"] = "OFF"
        toolchain.variables["FACET_CLI"] = False
        toolchain.variables["FACET_MODULES"] = False
        toolchain.variables["FACET_SHARED"] = bool(self.options.shared)
        for name, (_, switch) in LIBRARIES.items():
            toolchain.variables[switch] = "ON" if self.options.get_safe(name) else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, self.package_folder + "/licenses")
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["facet"]
        self.cpp_info.set_property("cmake_file_name", "facet")
        self.cpp_info.set_property("cmake_target_name", "facet::facet")
        self.cpp_info.set_property("cmake_target_aliases", ["facet::static"])
        self.cpp_info.set_property("pkg_config_name", "facet")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m", "pthread", "dl"]
