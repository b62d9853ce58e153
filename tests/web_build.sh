#!/bin/sh
# web_build.sh ROOT: test web/build with stand-ins for its programs: a build that is stopped by
# wasm-opt publishes no core module, a complete one publishes the optimized module.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/web" "$work/build" "$work/bin"
cp "$root/web/build" "$root/web/flags" "$work/web"
echo licenses >"$work/build/LICENSES.txt"

stand_in() { # NAME: create a program with the commands of standard input
    { echo '#!/bin/sh'; cat; } >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
stand_in emcc <<'END'
echo ' "/usr/bin/clang" -target wasm32' >&2
END
stand_in dpkg <<'END'
echo /usr/share/nodejs/acorn
END
stand_in emcmake <<'END'
while [ $# -gt 0 ]; do
    [ "$1" != -B ] || mkdir -p "$2"
    shift
done
END
# cmake --build FOLDER
stand_in cmake <<'END'
echo plain >"$2/facet.wasm"
END
wasm_opt_fails() {
    stand_in wasm-opt <<'END'
exit 1
END
}
wasm_opt_works() { # the output is the argument after -o
    stand_in wasm-opt <<'END'
while [ "$1" != -o ]; do shift; done
echo optimized >"$2"
END
}

build() { PATH="$work/bin:$PATH" sh "$work/web/build" "$work/build" >/dev/null 2>&1; }
fail() {
    echo "FAILED: $1"
    exit 1
}
core=$work/web/package/dist/facet-core.wasm

wasm_opt_fails
! build || fail "a failure of wasm-opt does not end the build"
[ ! -e "$core" ] || fail "a stopped build publishes $(cat "$core")"
wasm_opt_works
build || fail "the build fails"
[ "$(cat "$core")" = optimized ] || fail "the build publishes $(cat "$core")"
wasm_opt_fails
! build || fail "a failure of wasm-opt does not end the build"
[ "$(cat "$core")" = optimized ] || fail "a stopped build replaces the module by $(cat "$core")"
[ "$(cat "$work/web/package/dist/facet.wasm")" = plain ] || fail "the other modules are not published"
echo "web/build publishes only finished modules"
