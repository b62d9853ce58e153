"""Conan: conan create packaging/conan"""

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Facet(ConanFile):
    name = "facet"
    version = "0.2.0"
    license = "MIT"
    description = "Binary mesh files that a renderer can use as they lie on disk"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "lz4": [True, False], "meshopt": [True, False]}
    default_options = {"shared": False, "lz4": True, "meshopt": True}

    def layout(self):
        cmake_layout(self)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "tools/*",
                        "tests/arithmetic.c"):
            copy(self, pattern, self.recipe_folder + "/../..", self.export_sources_folder)

    def requirements(self):
        if self.options.lz4:
            self.requires("lz4/1.9.4")
        if self.options.meshopt:
            self.requires("meshoptimizer/0.20")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.variables["FACET_DEPENDENCIES"] = "OFF"
        toolchain.variables["FACET_CLI"] = False
        toolchain.variables["FACET_MODULES"] = False
        toolchain.variables["FACET_SHARED"] = bool(self.options.shared)
        toolchain.variables["FACET_LZ4"] = "ON" if self.options.lz4 else "OFF"
        toolchain.variables["FACET_MESHOPT"] = "ON" if self.options.meshopt else "OFF"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/facet"]
