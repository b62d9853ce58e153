#!/usr/bin/env python3
"""packaging.py SOURCE: check the recipes of packaging/.

They follow the rules of their package managers and name every optional library of the build. The
rules are in vcpkg's manifest and maintainer guide, Conan's recipe reference, and Homebrew's formula
cookbook. Others are in Arch's PKGBUILD page, winget's manifest schema 1.6, and Meson's page on
wraps. The port of vcpkg and the recipe of Conan run with stand-ins for their managers' functions.
The managers themselves do not run here, so their own checks are missing.
"""
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


# Functions of vcpkg that print their arguments. The features are all of the manifest.
VCPKG = r"""
function(vcpkg_check_features)
  cmake_parse_arguments(given "" OUT_FEATURE_OPTIONS FEATURES ${ARGN})
  set(options)
  while(given_FEATURES)
    list(POP_FRONT given_FEATURES feature switch)
    list(APPEND options -D${switch}=ON)
    message("feature|${feature}|${switch}")
  endwhile()
  set(${given_OUT_FEATURE_OPTIONS} ${options} PARENT_SCOPE)
endfunction()
function(vcpkg_find_acquire_program name)
  set(${name} /found/${name} PARENT_SCOPE)
endfunction()
foreach(name cmake_configure cmake_install cmake_config_fixup fixup_pkgconfig install_copyright)
  cmake_language(EVAL CODE "function(vcpkg_${name})\nstring(REPLACE \";\" \"|\" all \"\${ARGN}\")\n
    message(\"${name}|\${all}\")\nendfunction()")
endforeach()
"""


def vcpkg():
    manifest = json.loads((PACKAGING / 'vcpkg/vcpkg.json').read_text())
    name = re.compile(r'[a-z0-9]+(-[a-z0-9]+)*$')
    features = manifest['features']
    must(name.match(manifest['name']) and re.match(r'\d+(\.\d+)*$', manifest['version']), 'vcpkg: name or version')
    must(manifest.get('description') and manifest.get('license') == 'MIT', 'vcpkg: description or license')
    tools = {each['name'] for each in manifest['dependencies'] if each.get('host')}
    must(tools == {'vcpkg-cmake', 'vcpkg-cmake-config', 'pkgconf'}, f'vcpkg: tools of the build: {tools}')
    must(all(name.match(feature) for feature in features), 'vcpkg: name of a feature')
    must(list(features) == sorted(features), 'vcpkg: features in order')
    must(manifest['default-features'] == sorted(manifest['default-features']), 'vcpkg: default features in order')
    must(set(manifest['default-features']) <= set(features), 'vcpkg: a default feature that there is not')
    must(all(set(each) == {'description', 'dependencies'} for each in features.values()), 'vcpkg: members of a feature')
    for linkage in ('static', 'dynamic'):
        run_port(linkage, features)


def run_port(linkage, features):
    """Run the port with functions that print their arguments, and check these."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / 'run.cmake'
        (Path(folder) / 'debug/include').mkdir(parents=True)
        (Path(folder) / 'debug/share').mkdir()
        port = (PACKAGING / 'vcpkg/portfile.cmake').resolve()
        script.write_text(f'{VCPKG}set(VCPKG_LIBRARY_LINKAGE {linkage})\nset(CURRENT_PACKAGES_DIR "{folder}")\n'
                          f'set(PORT facet)\ninclude("{port}")\n')
        result = subprocess.run(['cmake', '--warn-uninitialized', '-P', str(script)],
                                capture_output=True, text=True, check=False)
        must(not result.returncode, f'vcpkg: the port fails: {result.stderr}')
        unset = set(re.findall(r"variable\s+'(\w+)'", result.stderr)) - {'options', 'ARGN'}
        must(not unset, f'vcpkg: variables that nothing sets: {unset}')
        must(not list((Path(folder) / 'debug').iterdir()), 'vcpkg: files of the debug build')
        must((Path(folder) / 'share/facet/usage').exists(), 'vcpkg: usage')
    calls = [line.split('|') for line in result.stderr.splitlines() if '|' in line]
    used = {call[1]: call[2] for call in calls if call[0] == 'feature'}
    must(set(used) == set(features), f'vcpkg: features of port and manifest: {set(used) ^ set(features)}')
    differ = set(used.values()) ^ (switches() - OF_THE_PROGRAM)
    must(not differ, f'vcpkg: switches: {differ}')
    steps = {call[0]: call[1:] for call in calls if call[0] != 'feature'}
    must(list(steps) == ['cmake_configure', 'cmake_install', 'cmake_config_fixup', 'fixup_pkgconfig',
                         'install_copyright'], f'vcpkg: steps: {list(steps)}')
    wanted = {str(SOURCE.resolve()), '-DFACET_DEPENDENCIES=OFF', '-DFACET_MODULES=OFF',
              '-DFACET_CLI=OFF',  # without its window
              '-DFACET_SHARED=' + ('1' if linkage == 'dynamic' else '0'),
              '-DPKG_CONFIG_EXECUTABLE=/found/PKGCONFIG',
              '-DPython3_EXECUTABLE=/found/PYTHON3',  # for the single headers
              *(f'-D{switch}=ON' for switch in used.values())}
    missing = wanted - set(steps.get('cmake_configure', []))
    must(not missing, f'vcpkg: arguments of CMake: {missing}')
    must(steps.get('cmake_config_fixup') == ['CONFIG_PATH', 'lib/cmake/facet'], 'vcpkg: folder of facet-config.cmake')


class Record:
    """Stands for an object of Conan: accepts every call, and keeps what is set."""

    def __init__(self, *_):
        self.variables, self.properties, self.calls = {}, {}, []
        Record.made.append(self)

    def set_property(self, name, value):
        self.properties[name] = value

    def __getattr__(self, name):
        return lambda *_, **__: self.calls.append(name)

    made = []


class Options(dict):
    """Options and settings of Conan: values by name, which can be removed."""

    def __getattr__(self, name):
        return self[name]

    def __delattr__(self, name):
        del self[name]

    get_safe = dict.get

    def rm_safe(self, name):
        self.pop(name, None)


def load_recipe():
    """The module of Conan's recipe, with stand-ins for the modules of Conan."""
    tools = {name: type(sys)(name) for name in ('conan', 'conan.tools', 'conan.tools.cmake', 'conan.tools.files',
                                                'conan.tools.gnu')}
    tools['conan'].ConanFile = object
    for name in ('CMake', 'CMakeDeps', 'CMakeToolchain'):
        setattr(tools['conan.tools.cmake'], name, type(name, (Record,), {}))
    tools['conan.tools.gnu'].PkgConfigDeps = type('PkgConfigDeps', (Record,), {})
    tools['conan.tools.cmake'].cmake_layout = lambda recipe: recipe.laid_out.append(recipe)
    tools['conan.tools.files'].copy = lambda _, pattern, source, to: COPIED.append((pattern, source, to))
    sys.modules.update(tools)
    module = type(sys)('conanfile')
    exec(compile((PACKAGING / 'conan/conanfile.py').read_text(), 'conanfile.py', 'exec'), module.__dict__)
    return module


COPIED = []


def conan():
    """Run the recipe with each option off and on."""
    try:
        module = load_recipe()
        libraries = module.LIBRARIES
        must(all(re.match(r'[a-z0-9_+.-]+/[\w.]+$', reference) for reference, _ in libraries.values()), 'conan: a reference')
        differ = {switch for _, switch in libraries.values()} ^ (switches() - OF_THE_PROGRAM)
        must(not differ, f'conan: switches: {differ}')
        must(module.ASKED <= set(libraries), 'conan: a default of no option')
        for system, shared, on in (('Linux', False, True), ('Linux', True, False), ('Windows', False, False)):
            run_recipe(module, system, shared, on)
    except (AttributeError, KeyError, NameError, SyntaxError, TypeError) as error:
        must(False, f'conan: the recipe fails: {error!r}')


def run_recipe(module, system, shared, on):
    """Check what the recipe does with all libraries on or off."""
    recipe = module.Facet()
    for name in ('name', 'version', 'license', 'description', 'package_type', 'settings'):
        must(getattr(recipe, name), f'conan: {name}')
    must(set(recipe.options) == {'shared', 'fPIC', *module.LIBRARIES} == set(recipe.default_options), 'conan: options')
    recipe.settings = Options({'os': system, 'compiler.libcxx': 'libstdc++', 'compiler.cppstd': '17'})
    recipe.options = Options(recipe.default_options, shared=shared, **dict.fromkeys(module.LIBRARIES, on))
    recipe.recipe_folder, recipe.export_sources_folder = str(SOURCE / 'packaging/conan'), '/exported'
    recipe.source_folder, recipe.package_folder = '/source', '/package'
    recipe.laid_out, recipe.cpp_info, required = [], Record(), []
    recipe.requires = required.append
    Record.made.clear()
    COPIED.clear()
    for step in ('config_options', 'configure', 'layout', 'export_sources', 'requirements', 'generate', 'build', 'package',
                 'package_info'):
        getattr(recipe, step)()
    must(('fPIC' in recipe.options) == (system != 'Windows' and not shared), f'conan: fPIC on {system}')
    must(('compiler.libcxx' in recipe.settings) == on == ('compiler.cppstd' in recipe.settings), 'conan: libraries of C++')
    must(recipe.laid_out, 'conan: layout')
    must(required == ([reference for reference, _ in module.LIBRARIES.values()] if on else []), 'conan: requirements')
    made = {type(each).__name__: each for each in Record.made}
    calls = [call for each in Record.made for call in each.calls]
    must([*calls] == ['generate', 'generate', 'generate', 'configure', 'build', 'install'], f'conan: calls {calls}')
    must({'CMakeDeps', 'PkgConfigDeps'} <= set(made), 'conan: CMakeDeps, PkgConfigDeps')
    wanted = {'FACET_DEPENDENCIES': 'OFF', 'FACET_CLI': False, 'FACET_MODULES': False, 'FACET_SHARED': shared,
              'Python3_EXECUTABLE': sys.executable,  # for the single headers
              **{switch: 'ON' if on else 'OFF' for _, switch in module.LIBRARIES.values()}}
    found = made['CMakeToolchain'].variables
    must(found == wanted, f'conan: variables of CMake: {set(found.items()) ^ set(wanted.items())}')
    must(('LICENSE', '/source', '/package/licenses') in COPIED, 'conan: license')
    must(recipe.cpp_info.libs == ['facet'], 'conan: cpp_info.libs')
    must(recipe.cpp_info.properties == {
        'cmake_file_name': 'facet', 'cmake_target_name': 'facet::facet', 'cmake_target_aliases': ['facet::static'],
        'pkg_config_name': 'facet'}, f'conan: properties {recipe.cpp_info.properties}')
    if system == 'Linux':
        must(recipe.cpp_info.system_libs == ['m', 'pthread', 'dl'], 'conan: libraries of the system')
    if on:
        configure_exported([pattern.removesuffix('/*') for pattern, _, to in COPIED if to == '/exported'])


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
    for pattern in (r'depends_on "([\w-]+)" => :build', r'depends_on "([\w-]+)"$',
                    r'uses_from_macos "([\w-]+)" => :build', r'uses_from_macos "([\w-]+)"$'):
        names = re.findall(pattern, text, re.M)
        must(names and names == sorted(names), f'homebrew: not in order: {names}')
    needed = {'assimp', 'draco', 'jpeg-turbo', 'libdeflate', 'libspng', 'libzip', 'lz4', 'meshoptimizer', 'qhull', 'sdl2',
              'webp', 'xz', 'zstd', 'bzip2', 'zlib'}
    must(needed <= set(re.findall(r'"([\w-]+)"', text)) and len(needed) == len(switches()), 'homebrew: a library is missing')
    tools = set(re.findall(r'"([\w-]+)" => :build', text))
    must(tools == {'cmake', 'ninja', 'pkgconf', 'python'}, f'homebrew: tools of the build: {tools}')
    commands = re.findall(r'^    system (?:"(cmake)", |bin/"(facet)", )(.*)$', text, re.M)
    must([command[2].split('"')[1] for command in commands] == ['-G', '--build', '--install', 'convert', 'check'],
         'homebrew: commands of build and test')
    must(len(re.findall(r'^ *(?:class|def|test do)\b', text, re.M)) == len(re.findall(r'^ *end$', text, re.M)),
         'homebrew: end')
    must('"a.obj").write' in text and 'test do' in text and 'std_cmake_args' in text, 'homebrew: test, std_cmake_args')


def aur():
    text = (PACKAGING / 'aur/PKGBUILD').read_text()
    for name in ('pkgname', 'pkgver', 'pkgrel', 'pkgdesc', 'arch', 'license', 'depends', 'source', 'sha256sums'):
        must(re.search(rf'^{name}=', text, re.M), f'aur: {name}')
    tools = set(re.search(r'^makedepends=\((.*)\)', text, re.M)[1].split())
    must({'cmake', 'ninja', 'pkgconf', 'python'} <= tools, f'aur: tools of the build: {tools}')
    shell = subprocess.run(['bash', '-n', str(PACKAGING / 'aur/PKGBUILD')], capture_output=True, text=True, check=False)
    must(not shell.returncode, f'aur: {shell.stderr}')
    must(re.search(r'^build\(\) \{\n +cmake -G .*\n +cmake --build build$', text, re.M), 'aur: build()')
    must(re.search(r'^package\(\) \{$', text, re.M), 'aur: package()')
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
for fault in dict.fromkeys(FAULTS):
    print(fault)
sys.exit(bool(FAULTS))
