#!/bin/sh
# check_version.sh SOURCE: check that all version numbers are equal. They are in <facet/base.h>,
# CMake, every package and recipe, and the first chapter of the changelog.
set -eu
cd "$1"
part() { sed -n "s/^#define FACET_VERSION_$1 \([0-9]*\)$/\1/p" include/facet/base.h; }
minor=$(part MAJOR).$(part MINOR)
version=$minor.$(part PATCH)
failed=0

# says FILE TEXT: check that the file contains the text.
says() {
    grep -qF -- "$2" "$1" || { echo "$1 does not say: $2"; failed=1; }
}
says CMakeLists.txt "project(facet VERSION $version "
says CHANGELOG.md "## $version"
says packaging/aur/PKGBUILD "pkgver=$version"
says packaging/conan/conanfile.py "version = \"$version\""
says packaging/vcpkg/vcpkg.json "\"version\": \"$version\""
says packaging/debian/changelog "facet ($version-"
says packaging/debian/control "Package: libfacet$minor"
says "packaging/debian/libfacet$minor.symbols" "(symver)FACET_$minor $version"
says web/package/package.json "\"version\": \"$version\""
says blender/io_scene_facet/blender_manifest.toml "version = \"$version\""
says blender/io_scene_facet/__init__.py "\"version\": ($(echo "$version" | sed 's/\./, /g'))"
says docs/project/building.md "libfacet.so.$minor"
says docs/reference/blender-addon.md "io_scene_facet-$version.zip"
grep -m1 '^## ' CHANGELOG.md | grep -q "^## $version" || { echo "CHANGELOG.md begins with another version"; failed=1; }
exit $failed
