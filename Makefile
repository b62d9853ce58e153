# Facet: one command each. The build itself is CMake's.
#
#   make           release build: build/facet, build/libfacet.a, build/libfacet.so
#   make demo      build, compile a real OBJ (or MODEL=FILE) into BSM, check it, print what is in it
#   make test      build with AddressSanitizer and UBSan, run every test
#   make test-threads   tests that use several threads, with ThreadSanitizer
#   make test-abi  compare the binary interface of the core functions with packaging/abi/libfacet.abi;
#                  make abi writes that file again, after a change on purpose
#   make test-batch   facet batch on real engines: Slurm on this machine alone, GNU parallel;
#                       runs that are killed, full disks, items that crash; the recipes of docs/how-to/batch.md
#   make python    build the Python package in place: PYTHONPATH=python
#   make wheel     dist/facet_mesh-*.whl, which holds the library and the program
#   make blender   dist/io_scene_facet-*.zip, the add-on of Blender
#   make test-addon   install it into a fresh profile of Blender, and take real files there and back
#   make test-python  test the package, its examples and types, and the wheel in a fresh venv
#   make test-growth   does work grow next to linearly? counts instructions of attacks at n, 2n, 4n
#   make test-webgl   materials as shaders in headless Chromium against the library
#   make test-window   the examples that open a window, their pictures under Xvfb
#   make test-engines  model files in Godot 3, by the importer of examples/godot, without a screen
#   make test-dolphin   console models in the Dolphin emulator against facet render; ONLY=TEXT, KEEP=FOLDER
#   make bench-python  OBJ and GLB to NumPy, beside assimp and trimesh
#   make web       the page in build/web/page, the npm package in web/package: WebAssembly by Emscripten
#   make test-web  both, in Node and in headless Chromium, beside the native program
#   make test-memory   does a small file take much memory? the most resident at once, per attack
#   make test-gltf     what check says of glTF, beside the Khronos validator: of twins of its cases; GLTF=FOLDER: of others
#   make test-faults   what is left behind when a call of the system fails, each in turn
#   make test-blender   models and their animations through Blender's own glTF and back
#   make test-mutants   do tests notice a changed operator, constant or condition? COUNT=20
#                  of them; lists those that none noticed. SINCE=REVISION, FOLDER=src/mesh/
#   make packages  Debian's, in dist/; make test-packages installs them, uses them, purges them
#   make release   the tarball, static programs for Linux and Windows, SBOM and sums, in dist/;
#                  make test-release makes it once more elsewhere, compares, and tries it
#   make test-view     facet view under Xvfb, driven by xdotool: keys, mouse, reload, compare, git
#   make test-cross   the same bytes on other machines? MACHINES="arm64 s390x windows" by emulators;
#                  there are i686, armhf, riscv64 and musl, too
#   make bench     measure beside peers, print ratios; SCALE=30000000: how time grows up to so many triangles
#   make pictures  the pictures of docs/how-to/render.md
#   make docs      the documentation site in build/site/html, with the API of the headers, and the page of
#                  make web where it is built; make docs-serve serves it at localhost:8000, test-docs checks it
#   make vscode    the extension for VS Code, in dist/; make test-web tries it in an imitation of its host
#   make oss-fuzz  build the harnesses by OSS-Fuzz's script, and try each
#   make gallery   the pictures of docs/explanation/gallery.md, beside three.js in a headless Chromium
#   make fuzz      run every fuzz harness for SECONDS each (default 60)
#   make single-headers   dist/facet_FAMILY.h: one file per family, without the library
#   make options   what is generated from the tables of options: a page of docs, types of the npm package
#   make format    clang-format on every source
#   make install   to PREFIX (default /usr/local)
#
# What is missing for any of them is named and then installed by apt-get; nothing
# is called when all is there. FACET_NO_INSTALL=1 refuses.

BUILD    ?= build
PREFIX   ?= /usr/local
SECONDS  ?= 60
JOBS     ?= $(shell nproc)
MACHINES ?= arm64 s390x windows
CMAKE    = cmake -G Ninja -S .

# Debian's packages are for Debian's own.
PYTHON   ?= $(firstword $(wildcard /usr/bin/python3) python3)

.PHONY: all demo test docs docs-serve test-docs abi test-abi test-matrix test-mutants test-threads test-batch test-python python wheel test-growth test-blender test-webgl test-window test-view test-engines test-dolphin test-faults test-memory bench pictures gallery bench-python test-addon fuzz single-headers options format oss-fuzz vscode install clean dependencies web test-web test-cross packages test-packages release test-release blender test-gltf

all: dependencies
	@$(CMAKE) -B $(BUILD) -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null
	@cmake --build $(BUILD) -j $(JOBS)

dependencies:
	@tools/install-dependencies build "extra?"

demo: all
	@[ -n "$(MODEL)" ] || tools/install-dependencies demo
	@BUILD=$(BUILD) tools/demo $(MODEL)

test:
	@tools/install-dependencies build extra test
	@tools/install-npm $(BUILD)/npm mikktspace parse-bga-mesh gltf-validator
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/test -j $(JOBS)
	@FACET_NPM=$(abspath $(BUILD)/npm) ctest --test-dir $(BUILD)/test --output-on-failure -j $(JOBS)

test-threads:
	@tools/install-dependencies build extra test
	@$(CMAKE) -B $(BUILD)/threads -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFACET_TESTS=ON \
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
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFACET_TESTS=ON \
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

# The extension for VS Code, as a file that it installs.
vscode: web
	@tools/install-npm $(BUILD)/web/vsce @vscode/vsce
	@node editors/vscode/build.mjs $(BUILD)/web/npm $(BUILD)/web/vscode
	@mkdir -p dist
	@cd $(BUILD)/web/vscode && "$(abspath $(BUILD))/web/vsce/node_modules/.bin/vsce" package --no-dependencies \
	  --allow-missing-repository --out "$(abspath dist)/facet-mesh-vscode.vsix" >/dev/null
	@echo "dist/facet-mesh-vscode.vsix"

test-web: all web
	@tools/install-npm $(BUILD)/web/consumers vite5 vite6 vite7 vite8 webpack ts51 ts7 @types/three
	@sh web/tests/run $(BUILD)/facet $(BUILD)/web

# By the library of 'make test', which has debug information.
$(BUILD)/test/libfacet.so: FORCE
	@tools/install-dependencies build extra? abi
	@$(CMAKE) -B $(BUILD)/test -DCMAKE_BUILD_TYPE=RelWithDebInfo -DFACET_TESTS=ON \
	  -DFACET_SANITIZE=ON -DFACET_WERROR=ON >/dev/null
	@cmake --build $(BUILD)/test -j $(JOBS) --target facet_shared
FORCE:

abi: $(BUILD)/test/libfacet.so
	@tools/abi dump $< >$(BUILD)/libfacet.abi
	@mv $(BUILD)/libfacet.abi packaging/abi/

test-abi: $(BUILD)/test/libfacet.so
	@tools/abi check $<

# Stacks are measured here: under a sanitizer frames have other sizes.
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

# Every feature of a scene through every format and back: it arrives, or a loss is told.
test-matrix: all
	@python3 tests/matrix/matrix.py $(BUILD)/facet docs/reference/conversions.md

test-mutants:
	@tools/install-dependencies build extra test
	@$(CMAKE) -B $(BUILD)/mutants -DCMAKE_BUILD_TYPE=Debug -DFACET_TESTS=ON >/dev/null
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
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/animation.py $(BUILD)/facet
	@PATH=/usr/bin:/bin:$$PATH python3 tests/blender/rig.py $(BUILD)/facet
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
	@tools/release dist linux arm64 windows

test-release: release
	@tools/release-test dist

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

# Debian's Sphinx runs by Debian's Python. Broken links and pages that nothing links to are errors.
docs:
	@tools/install-dependencies docs
	@$(PYTHON) tools/site/build $(BUILD)/site $(wildcard $(BUILD)/web/page)

docs-serve: docs
	@$(PYTHON) -m http.server --bind localhost --directory $(BUILD)/site/html 8000

# Prose, and the site in headless Chromium by axe-core, which npm brings.
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

# As OSS-Fuzz does it, with SANITIZER=address, undefined or memory.
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

install: all
	@cmake --install $(BUILD)

clean:
	@rm -rf $(BUILD)
