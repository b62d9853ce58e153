# Facet: one command for each task. CMake builds the project.
#
# - `make`                release build: build/facet, build/libfacet.a, build/libfacet.so
# - `make demo`           build, convert a real OBJ (or MODEL=FILE) to BSM, check it, print its
#                         content
# - `make install`        install to PREFIX (default /usr/local)
# - `make single-headers` dist/facet_FAMILY.h: one file per family, without the library
# - `make python`         build the Python package in place: PYTHONPATH=python
# - `make wheel`          dist/facet_mesh-*.whl, which contains the library and the program
# - `make blender`        dist/io_scene_facet-*.zip, the Blender add-on
# - `make web`            the page in build/web/page, the npm package in web/package, by Emscripten
# - `make vscode`         the extension for VS Code, in dist/
# - `make docs`           the documentation site in build/site/html, with the API of the headers,
#                         and the page of make web if that was built
# - `make docs-serve`     serve the site at localhost:8000
# - `make packages`       the Debian packages, in dist/
# - `make release`        the tarball, static programs for Linux and Windows, SBOM and checksums, in
#                         dist/. RELEASE_MACHINES="linux windows" selects machines.
# - `make self-contained` wheels and Blender add-on that contain all libraries, for the same machines
#
# Tests:
#
# - `make test`           build with AddressSanitizer and UBSan, run the tests
# - `make test-consumers` build projects that use the library: single headers in several compilers
#                         and languages, the core alone, an installed library, a subproject
# - `make test-threads`   run the tests that use several threads, with ThreadSanitizer
# - `make test-matrix`    convert every feature of a scene to every format and back
# - `make test-abi`       compare the binary interface of the core functions with
#                         packaging/abi/libfacet.abi. After an intended change, make abi updates it.
# - `make test-batch`     facet batch with real engines: Slurm on only this machine, GNU parallel.
#                         Also killed runs, full disks, crashing items, the recipes of
#                         docs/how-to/batch.md.
# - `make test-growth`    check that work grows almost linearly: count instructions of attacks at n,
#                         2n, 4n
# - `make test-memory`    measure the peak memory of small files that are attacks
# - `make test-faults`    let each system call fail in turn, and check what remains
# - `make test-mutants`   change operators, constants and conditions, and list the changes that no
#                         test detects. COUNT=20 of them; SINCE=REVISION, FOLDER=src/mesh/.
# - `make test-gltf`      compare what check reports for glTF with the Khronos validator, for the
#                         valid and invalid files of its tests. GLTF=FOLDER uses other files.
# - `make test-python`    test the package, its examples and types, and the wheel in a new venv
# - `make test-web`       test page and npm package in Node and in headless Chromium, and compare
#                         with the native program. Also tests the extension in a simulated VS Code.
# - `make test-webgl`     compare materials as shaders in headless Chromium with the library
# - `make test-addon`     install the add-on in a new profile of Blender, import and export real
#                         files
# - `make test-blender`   models and their animations through Blender's own glTF and back
# - `make test-engines`   import model files in Godot 3 with examples/godot, without a screen
# - `make test-dolphin`   compare console models in the Dolphin emulator with facet render;
#                         ONLY=TEXT, KEEP=FOLDER
# - `make test-window`    run the examples that open a window, and check their pictures under Xvfb
# - `make test-view`      control facet view under Xvfb with xdotool: keys, mouse, reload, compare,
#                         git
# - `make test-cross`     check that other machines write the same bytes, in emulators:
#                         MACHINES="arm64 s390x windows"; also i686, armhf, riscv64 and musl
# - `make test-packages`  install the Debian packages, use them, purge them
# - `make test-release`   build the release again elsewhere, compare and test it
# - `make test-self-contained`  test those wheels and the add-on
# - `make test-msvc`      check the syntax as MSVC compiles it, with clang
# - `make test-docs`      check prose and site
# - `make fuzz`           run every fuzz harness for SECONDS each (default 60)
# - `make oss-fuzz`       build the harnesses by OSS-Fuzz's script, and run each
# - `make bench`          compare with other programs, print ratios. SCALE=30000000 measures how
#                         time grows up to that number of triangles.
# - `make bench-python`   OBJ and GLB to NumPy, compared with assimp and trimesh
#
# Generated files:
#
# - `make options`        files generated from the tables of options: pages of docs, types of the
#                         npm package
# - `make pictures`       the pictures of docs/how-to/render.md
# - `make gallery`        the pictures of docs/explanation/gallery.md, compared with three.js in a
#                         headless Chromium
# - `make format`         clang-format on every source
#
# If packages are missing, they are listed and then installed by apt-get. FACET_NO_INSTALL=1 prevents
# the installation. If nothing is missing, no package manager is called.

BUILD    ?= build
PREFIX   ?= /usr/local
SECONDS  ?= 60
JOBS     ?= $(shell nproc)
MACHINES ?= arm64 s390x windows
RELEASE_MACHINES ?= linux arm64 windows
CMAKE    = cmake -G Ninja -S .

# Debian's packages for Python work only with Debian's Python.
PYTHON   ?= $(firstword $(wildcard /usr/bin/python3) python3)

.PHONY: all demo build-tests test test-consumers docs docs-serve test-docs abi test-abi test-matrix test-mutants test-threads test-batch test-python python wheel test-growth test-blender test-webgl test-window test-view test-engines test-dolphin test-faults test-memory bench pictures gallery bench-python test-addon fuzz single-headers options format oss-fuzz vscode install clean dependencies web test-web test-cross packages test-packages release test-release self-contained test-self-contained test-msvc blender test-gltf

all: dependencies
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

dependencies:
	@tools/install-dependencies build "extra?"

demo: all
	@[ -n "$(MODEL)" ] || tools/install-dependencies demo
	@BUILD=$(BUILD) tools/demo $(MODEL)

# The build of make test and make test-consumers.
build-tests:
	@tools/install-dependencies build extra test
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/test -j $(JOBS)

test: build-tests
	@tools/install-npm $(BUILD)/npm mikktspace parse-bga-mesh gltf-validator
	@FACET_NPM=$(abspath $(BUILD)/npm) ctest --test-dir $(BUILD)/test -LE consumers --output-on-failure -j $(JOBS)

test-consumers: build-tests
	@ctest --test-dir $(BUILD)/test -L consumers --output-on-failure -j $(JOBS)

test-threads:
	@tools/install-dependencies build extra test
	@$(CMAKE) -B $(BUILD)/threads -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=thread -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/threads -j $(JOBS) --target thread_tests
	@TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1 \
	  ctest --test-dir $(BUILD)/threads -L threads --output-on-failure -j $(JOBS)

test-batch: all
	@tools/install-dependencies batch
	@sh tests/batch/campaign.sh $(BUILD)/facet
	@python3 tests/batch/recipes.py $(BUILD)/facet
	@python3 tests/batch/image.py $(BUILD)/facet
	@sh tests/batch/engines.sh $(BUILD)/facet $(ITEMS)

python: dependencies
	@tools/install-dependencies python
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DFACET_PYTHON=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet facet_python
	@FACET_BUILD=$(abspath $(BUILD)) PYTHON=$(PYTHON) tools/python-package inplace

wheel: python
	@FACET_BUILD=$(abspath $(BUILD)) PYTHON=$(PYTHON) tools/python-package wheel dist

test-python: python
	@tools/install-dependencies test-python
	@tools/install-npm $(BUILD)/npm pyright
	@FACET_BUILD=$(abspath $(BUILD)) PYTHON=$(PYTHON) tools/python-package test

blender: python
	@FACET_BUILD=$(BUILD) PYTHON=$(PYTHON) tools/blender-addon dist

test-addon: python
	@tools/install-dependencies blender
	@FACET_BUILD=$(abspath $(BUILD)) PYTHON=$(PYTHON) tools/addon-test

test-growth: all
	@tools/install-dependencies growth
	@python3 tests/growth.py $(BUILD)/facet

test-webgl:
	@tools/install-dependencies build webgl
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/test -j $(JOBS) --target gx_pages
	@sh tests/webgl/gx.sh $(BUILD)/test/tests/gx_pages

test-window:
	@tools/install-dependencies build extra? window
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet example_window example_viewer example_viewer_cpp
	@PATH=/usr/bin:$$PATH python3 tests/window/run.py $(BUILD)/facet $(BUILD)/example_window
	@PATH=/usr/bin:$$PATH python3 tests/window/viewer.py $(BUILD)/example_viewer $(BUILD)/example_viewer_cpp

test-view:
	@tools/install-dependencies build extra? view
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet
	@PATH=/usr/bin:$$PATH python3 tests/window/view.py $(BUILD)/facet $(if $(KEEP),"$(KEEP)")

test-engines:
	@tools/install-dependencies build extra? window engines
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet facet_godot
	@PATH=/usr/bin:$$PATH python3 tests/godot/run.py $(BUILD)/facet $(BUILD)/libfacet_godot.so

# Status 77: the emulator is not installed.
test-dolphin: all
	@tools/install-dependencies dolphin || { echo "test-dolphin: skipped: Dolphin cannot be installed"; exit 0; }; \
	  status=0; timeout 1800 /usr/bin/python3 tests/dolphin/run.py $(BUILD)/facet --only "$(ONLY)" \
	  $(if $(KEEP),--keep "$(KEEP)") || status=$$?; [ $$status = 77 ] || exit $$status

web:
	@tools/install-dependencies build web
	@tools/install-npm $(BUILD)/web/npm three esbuild playwright-core gltf-validator typescript axe-core
	@sh web/dependencies $(BUILD)/web
	@sh web/build $(BUILD)/web
	@node web/page/build.mjs $(BUILD)/web/npm $(BUILD)/web/page

# The extension for VS Code, as a .vsix file.
vscode: web
	@tools/install-npm $(BUILD)/web/vsce @vscode/vsce
	@node editors/vscode/build.mjs $(BUILD)/web/npm $(BUILD)/web/vscode
	@mkdir -p dist
	@cd $(BUILD)/web/vscode && "$(abspath $(BUILD))/web/vsce/node_modules/.bin/vsce" package --no-dependencies \
	  --allow-missing-repository --out "$(abspath dist)/facet-mesh-vscode.vsix" >/dev/null
	@echo "dist/facet-mesh-vscode.vsix"

test-web: all web
	@tools/install-npm $(BUILD)/web/consumers vite5 vite6 vite7 vite8 webpack ts51 ts7 @types/three \
	  three185 three186 react react-dom @react-three/fiber
	@sh web/tests/run $(BUILD)/facet $(BUILD)/web
	@python3 tests/pages.py $(BUILD)/facet . --run network docs/tutorial/web.md

# Use the library of 'make test', which has debug information.
$(BUILD)/test/libfacet.so: FORCE
	@tools/install-dependencies build extra? abi
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/test -j $(JOBS) --target facet_shared
FORCE:

abi: $(BUILD)/test/libfacet.so
	@tools/abi dump $< >$(BUILD)/libfacet.abi
	@mv $(BUILD)/libfacet.abi packaging/abi/

test-abi: $(BUILD)/test/libfacet.so
	@tools/abi check $<

# This build has no sanitizer, because sanitizers change the size of stack frames.
test-memory: all
	@tools/install-dependencies build test
	@$(CMAKE) -B $(BUILD) -DFACET_TESTS=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet tests_convert
	@$(BUILD)/tests/tests_convert test_stacks
	@python3 tests/memory.py $(BUILD)/facet

test-gltf: all
	@tools/install-dependencies build test
	@tools/install-npm $(BUILD)/npm gltf-validator
	@$(CMAKE) -B $(BUILD) -DFACET_TESTS=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet tests_gltf
	@rm -rf $(BUILD)/twins && mkdir $(BUILD)/twins
	@FACET_TWINS=$(BUILD)/twins $(BUILD)/tests/tests_gltf test_gltf_check >/dev/null
	@tools/gltf-beside-validator $(BUILD)/facet $(BUILD)/npm/node_modules $(or $(GLTF),$(BUILD)/twins)
	@rm -rf $(BUILD)/pairs && python3 tests/matrix/pairs.py $(BUILD)/facet $(BUILD)/pairs
	@node tests/formats/gltf/gltf_validate.js $(BUILD)/npm/node_modules $(BUILD)/pairs/*.glb >$(BUILD)/pairs/all
	@grep -v -e TANGENT_SPACE -e VOLUME_NO_TRANSMISSION -e DISPERSION_NO_VOLUME $(BUILD)/pairs/all >$(BUILD)/pairs/findings; \
		cat $(BUILD)/pairs/findings; test ! -s $(BUILD)/pairs/findings

# Convert every feature of a scene to every format and back. It is kept, or a loss is reported.
test-matrix: all
	@python3 tests/matrix/matrix.py $(BUILD)/facet docs/reference/conversions.md

test-mutants:
	@tools/install-dependencies build extra test
	@$(CMAKE) -B $(BUILD)/mutants -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON >/dev/null
	@cmake --build $(BUILD)/mutants -j $(JOBS) >/dev/null
	@tools/mutants --build $(BUILD)/mutants --count $(or $(COUNT),20) --seed $(or $(SEED),1) \
	  --since "$(SINCE)" --folder $(or $(FOLDER),src/) --floor $(or $(FLOOR),30) \
	  --minutes $(or $(MINUTES),600)

test-faults: all
	@python3 tests/faults.py $(BUILD)/facet

test-blender: all
	@tools/install-dependencies build test blender window
	@$(CMAKE) -B $(BUILD) -DFACET_TESTS=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target facet character
	@sh tests/blender/through_blender.sh $(BUILD)/facet $(BUILD)/tests/character
	@sh tests/blender/modding_page.sh $(BUILD)/facet $(BUILD)/tests/character
	@sh tests/blender/engine_page.sh $(BUILD)
	@$(MAKE) --no-print-directory blender
	@PATH=/usr/bin:/bin:$$PATH python3 tests/pages.py $(BUILD)/facet . --run Blender docs/tutorial/blender.md
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/animation.py $(BUILD)/facet
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/rig.py $(BUILD)/facet
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/poses.py $(BUILD)/facet
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/matrix.py $(BUILD)/facet

packages:
	@tools/install-dependencies build extra packages
	@tools/debian dist

test-packages: all python packages
	@tests/hardening.sh $(BUILD)/facet $(BUILD)/libfacet.so $(BUILD)/libfacet-python.so
	@tools/packages-test dist

release:
	@tools/install-dependencies build extra cross-arm64 cross-windows release
	@rm -f dist/facet-[0-9]* dist/SHA256SUMS
	@tools/release dist $(RELEASE_MACHINES)

test-release: release
	@tools/release-test dist $(RELEASE_MACHINES)

self-contained:
	@tools/install-dependencies build extra? cross-arm64 cross-windows release python
	@PYTHON=$(PYTHON) tools/self-contained dist $(RELEASE_MACHINES)

test-self-contained: self-contained
	@tools/install-dependencies test-python blender self-contained
	@PYTHON=$(PYTHON) tools/self-contained-test dist $(RELEASE_MACHINES)

test-msvc:
	@tools/install-dependencies build cross-windows msvc
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release >/dev/null
	@python3 tests/msvc/check.py . $(BUILD)/generated
	@x86_64-w64-mingw32-gcc-posix -O2 -D__STDC_NO_ATOMICS__ -D_M_X64 -Isrc -static tests/msvc/atomics.c \
		-o $(BUILD)/atomics.exe
	@WINEDEBUG=-all WINEPREFIX=$(abspath $(BUILD))/wine /usr/lib/wine/wine64 $(BUILD)/atomics.exe
	@echo "base/atomic.h without <stdatomic.h>: passed, by wine"

test-cross:
	@tools/install-dependencies build $(foreach machine,$(MACHINES),cross-$(machine))
	@python3 tests/cross.py . $(BUILD)/cross $(MACHINES)

bench: all
	@tools/install-dependencies bench
	@tools/install-npm $(BUILD)/npm gltfpack parse-bga-mesh three
	@$(CMAKE) -B $(BUILD) -DFACET_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)
	@FACET_NPM=$(abspath $(BUILD)/npm) BUILD=$(BUILD) bench/run $(if $(SCALE),--scale $(SCALE))

bench-python: python
	@tools/install-dependencies bench-python
	@PYTHONPATH=python $(PYTHON) bench/python.py $(TRIANGLES)

pictures: all
	@python3 tools/pictures $(BUILD)/facet docs/pictures

gallery: all
	@tools/install-dependencies gallery
	@tools/install-npm $(BUILD)/npm three playwright-core
	@tools/gallery/gallery $(BUILD)/facet $(BUILD)/npm docs/pictures/gallery

# Debian's Sphinx needs Debian's Python. Broken links and pages without links to them are errors.
docs:
	@tools/install-dependencies docs
	@$(PYTHON) tools/site/build $(BUILD)/site $(wildcard $(BUILD)/web/page)

docs-serve: docs
	@$(PYTHON) -m http.server --bind localhost --directory $(BUILD)/site/html 8000

# Check prose, and the site with axe-core in headless Chromium. axe-core is an npm package.
test-docs: docs
	@python3 tests/prose.py .
	@tools/install-dependencies gallery
	@tools/install-npm $(BUILD)/npm axe-core playwright-core
	@[ ! -d $(BUILD)/npm/node_modules/axe-core ] || node tests/site.mjs $(BUILD)/npm $(BUILD)/site/html

fuzz:
	@tools/install-dependencies build extra fuzz
	@CC=clang CXX=clang++ $(CMAKE) -B $(BUILD)/fuzz -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	  -DFACET_FUZZ=ON -DFACET_SANITIZE=ON >/dev/null
	@cmake --build $(BUILD)/fuzz -j $(JOBS)
	@BUILD=$(BUILD)/fuzz tools/fuzz $(SECONDS)

# Build like OSS-Fuzz, with SANITIZER=address, undefined or memory.
SANITIZER ?= address
oss-fuzz:
	@tools/install-dependencies build extra fuzz
	@BUILD=$(BUILD)/oss-fuzz tools/oss-fuzz $(SANITIZER)

single-headers:
	@mkdir -p dist
	@for family in $$(tools/amalgamate --list); do \
	  tools/amalgamate $$family >dist/part && mv dist/part dist/facet_$$family.h && \
	  echo dist/facet_$$family.h || exit 1; done

options: all
	@tools/options update $(BUILD)/facet

format:
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format -i
	@git ls-files '*.md' | grep -v CHANGELOG.md | xargs python3 tools/wrap.py

install: all
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)
