#!/usr/bin/env python3
"""packaging.py SOURCE: check the recipes of packaging/.

They follow the rules of their package managers and name every optional library of the build. The
rules are in vcpkg's manifest and maintainer guide, Conan's recipe reference, and Homebrew's formula
cookbook. Others are in Arch's PKGBUILD page, winget's manifest schema 1.6, and Meson's page on
wraps. The managers themselves do not run here, so their own checks are missing.
"""
import ast
import configparser
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(sys.argv[1])
PACKAGING = SOURCE / 'packaging'
FAULTS = []
# Libraries that package managers do not provide: stb has no library there, glslang's C interface is
# installed differently, and C++ is not a library.
LEFT_OUT = {'STB', 'GLSLANG', 'CXX'}
# vcpkg's port and Conan's recipe build only the library, without the program and its window.
OF_THE_PROGRAM = {'FACET_SDL'}


def must(condition, text):
    if not condition:
        FAULTS.append(text)


def version():
    return re.search(r'project\(facet VERSION ([\d.]+)', (SOURCE / 'CMakeLists.txt').read_text())[1]


def switches():
    text = (SOURCE / 'cmake/dependencies.cmake').read_text()
    found = set(re.findall(r'^facet_(?:linked_package|package|switch)\((\w+) ', text, re.M))
    return {'FACET_' + name for name in found - LEFT_OUT - {'name'}}


def vcpkg():
    manifest = json.loads((PACKAGING / 'vcpkg/vcpkg.json').read_text())
    port = (PACKAGING / 'vcpkg/portfile.cmake').read_text()
    name = re.compile(r'[a-z0-9]+(-[a-z0-9]+)*$')
    features = manifest['features']
    used = dict(re.findall(r'^  (\w+) (FACET_\w+)\)?$', port, re.M))
    must(name.match(manifest['name']) and re.match(r'\d+(\.\d+)*$', manifest['version']), 'vcpkg: name or version')
    must(all(name.match(feature) for feature in features), 'vcpkg: name of a feature')
    must(list(features) == sorted(features), 'vcpkg: features in order')
    must(manifest['default-features'] == sorted(manifest['default-features']), 'vcpkg: default features in order')
    must(set(manifest['default-features']) <= set(features), 'vcpkg: a default feature that there is not')
    must(set(used) == set(features), f'vcpkg: features of port and manifest: {set(used) ^ set(features)}')
    differ = set(used.values()) ^ (switches() - OF_THE_PROGRAM)
    must(not differ, f'vcpkg: switches: {differ}')
    must('-DFACET_CLI=OFF' in port, 'vcpkg: the program, without its window')
    must(all(set(each) == {'description', 'dependencies'} for each in features.values()), 'vcpkg: members of a feature')
    for call in ('vcpkg_cmake_configure', 'vcpkg_cmake_install', 'vcpkg_cmake_config_fixup', 'vcpkg_fixup_pkgconfig',
                 'vcpkg_install_copyright'):
        must(call in port, f'vcpkg: {call}')
    must((PACKAGING / 'vcpkg/usage').exists() and '"${CMAKE_CURRENT_LIST_DIR}/usage"' in port, 'vcpkg: usage')


def conan():
    text = (PACKAGING / 'conan/conanfile.py').read_text()
    tree = ast.parse(text)
    constants = {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
                 if isinstance(node, ast.Assign)}
    libraries = constants['LIBRARIES']
    recipe = next(node for node in tree.body if isinstance(node, ast.ClassDef))
    methods = {node.name for node in recipe.body if isinstance(node, ast.FunctionDef)}
    attributes = {node.targets[0].id for node in recipe.body if isinstance(node, ast.Assign)}
    must({'name', 'version', 'license', 'description', 'package_type', 'settings', 'options',
          'default_options'} <= attributes, 'conan: attributes')
    must({'config_options', 'configure', 'layout', 'requirements', 'generate', 'build', 'package',
          'package_info'} <= methods, 'conan: methods')
    must(all(re.match(r'[a-z0-9_+.-]+/[\w.]+$', reference) for reference, _ in libraries.values()), 'conan: a reference')
    differ = {switch for _, switch in libraries.values()} ^ (switches() - OF_THE_PROGRAM)
    must(not differ, f'conan: switches: {differ}')
    must('toolchain.variables["FACET_CLI"] = False' in text, 'conan: the program, without its window')
    must(constants['ASKED'] <= set(libraries), 'conan: a default of no option')
    must('"fPIC": [True, False]' in text and 'del self.options.fPIC' in text and 'rm_safe("fPIC")' in text, 'conan: fPIC')
    must('package_folder + "/licenses"' in text, 'conan: license')
    must('cpp_info.libs = ["facet"]' in text and 'cmake_target_name", "facet::facet"' in text, 'conan: cpp_info')
    configure_exported(re.findall(r'"([\w./]+)(?:/\*)?"', text[text.index('for pattern in'):text.index('copy(self, pattern')]))


def configure_exported(patterns):
    """Conan builds in a folder that has only the exported sources."""
    with tempfile.TemporaryDirectory() as folder:
        for pattern in patterns:
            to = Path(folder) / 'source' / pattern
            to.parent.mkdir(parents=True, exist_ok=True)
            if (SOURCE / pattern).is_dir():
                shutil.copytree(SOURCE / pattern, to)
            else:
                shutil.copy(SOURCE / pattern, to)
        switches_off = ['-DFACET_DEPENDENCIES=OFF', '-DFACET_CLI=OFF', '-DFACET_MODULES=OFF', '-DFACET_SHARED=OFF']
        result = subprocess.run(['cmake', '-G', 'Ninja', '-S', f'{folder}/source', '-B', f'{folder}/build', *switches_off],
                                capture_output=True, text=True, check=False)
        must(not result.returncode, f'conan: the exported sources do not configure: {result.stderr}')


def homebrew():
    text = (PACKAGING / 'homebrew/facet.rb').read_text()
    order = re.findall(r'^  (desc|homepage|url|sha256|license|depends_on|uses_from_macos|def) ?', text, re.M)
    ranks = ['desc', 'homepage', 'url', 'sha256', 'license', 'depends_on', 'uses_from_macos', 'def']
    must(order == sorted(order, key=ranks.index) and set(order) == set(ranks), 'homebrew: order of the parts')
    must(len(re.search(r'desc "(.*)"', text)[1]) < 80, 'homebrew: desc has 80 characters')
    must(':recommended' not in text and ':optional' not in text, 'homebrew: core formulas have no options')
    for pattern in (r'depends_on "([\w-]+)" => :build', r'depends_on "([\w-]+)"$', r'uses_from_macos "([\w-]+)"'):
        names = re.findall(pattern, text, re.M)
        must(names and names == sorted(names), f'homebrew: not in order: {names}')
    needed = {'assimp', 'draco', 'jpeg-turbo', 'libdeflate', 'libspng', 'libzip', 'lz4', 'meshoptimizer', 'qhull', 'sdl2',
              'webp', 'xz', 'zstd', 'bzip2', 'zlib'}
    must(needed <= set(re.findall(r'"([\w-]+)"', text)) and len(needed) == len(switches()), 'homebrew: a library is missing')
    must('test do' in text and 'std_cmake_args' in text, 'homebrew: test, std_cmake_args')


def aur():
    text = (PACKAGING / 'aur/PKGBUILD').read_text()
    for name in ('pkgname', 'pkgver', 'pkgrel', 'pkgdesc', 'arch', 'license', 'depends', 'source', 'sha256sums'):
        must(re.search(rf'^{name}=', text, re.M), f'aur: {name}')
    must('SKIP' not in text, 'aur: a checksum')
    must('usr/share/licenses' in text and 'DESTDIR="$pkgdir"' in text, 'aur: package()')
    names = re.findall(r"[\w-]+", ' '.join(re.findall(r'^(?:optdepends|depends)=\((.*)\)', text, re.M)))
    for name in ('assimp', 'bzip2', 'draco', 'libdeflate', 'libjpeg-turbo', 'libspng', 'libwebp', 'libzip', 'lz4',
                 'meshoptimizer', 'qhull', 'sdl2', 'xz', 'zlib', 'zstd'):
        must(name in names, f'aur: {name}')


def winget():
    text = (PACKAGING / 'winget/facet.yaml').read_text()
    for name in ('PackageIdentifier', 'PackageVersion', 'PackageLocale', 'Publisher', 'PackageName', 'License',
                 'ShortDescription', 'Installers', 'ManifestType', 'ManifestVersion'):
        must(re.search(rf'^{name}:', text, re.M), f'winget: {name}')
    for name in ('Architecture', 'InstallerType', 'InstallerUrl', 'InstallerSha256', 'NestedInstallerType',
                 'NestedInstallerFiles', 'RelativeFilePath', 'PortableCommandAlias'):
        must(re.search(rf'^[\s-]*{name}:', text, re.M), f'winget: {name}')
    must(re.search(r'^ManifestType: singleton$', text, re.M), 'winget: ManifestType')


def meson():
    wrap = configparser.ConfigParser()
    wrap.read(PACKAGING / 'meson/facet.wrap')
    must(wrap['wrap-git']['revision'] == 'v' + version(), 'meson: revision')
    must(wrap['wrap-git']['method'] == 'cmake' and wrap['wrap-git']['url'], 'meson: url, method')
    provided = wrap['provide']['facet']
    if not shutil.which('meson'):
        print('meson is not installed: its subproject is not checked')
        return
    # Meson 1.0 ignores `method` and needs its module cmake. The names of the targets are the same.
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / 'subprojects').mkdir()
        (Path(folder) / 'subprojects/facet').symlink_to(SOURCE.resolve())
        (Path(folder) / 'main.c').write_text('int main(void) { return 0; }\n')
        (Path(folder) / 'meson.build').write_text(
            "project('game', 'c')\n"
            f"facet = import('cmake').subproject('facet').get_variable('{provided}')\n"
            "executable('game', 'main.c', dependencies: facet)\n")
        result = subprocess.run(['meson', 'setup', 'build'], cwd=folder, capture_output=True, text=True, check=False)
        must(not result.returncode, f'meson: setup fails: {result.stdout[-800:]}')
        if result.returncode:
            return
        ninja = (Path(folder) / 'build/build.ninja').read_text()
        linked = re.search(r'^build subprojects/facet/libfacet_shared\.so[.\d]*: \S+ (.*)$', ninja, re.M)
        must(linked, 'meson: build.ninja has no libfacet_shared')
        objects = re.findall(r'\.p/(\S+)\.o\b', linked[1]) if linked else []
        must(len(objects) > 500 and len(objects) == len(set(objects)), 'meson: a source is linked twice')


for check in (vcpkg, conan, homebrew, aur, winget, meson):
    check()
for fault in FAULTS:
    print(fault)
sys.exit(bool(FAULTS))
