# How the program answers to right and wrong command lines.
. "$(dirname "$0")/support/cli.sh"

run 2
says err "usage: facet COMMAND"
silent out
run 0 --help
says out "usage: facet COMMAND"
silent err
run 0 --version
says out "facet 0."
run 0 help convert
says out "--strict"
run 0 convert --help
says out "usage: facet convert [options] IN OUT"
silent err

run 2 chekc x
says err "did you mean 'check'"
run 2 frobnicate
says err "unknown command 'frobnicate'"
run 2 help frobnicate
run 2 convert one
says err "usage: facet convert"
run 2 check --no-such-option x
says err "no option '--no-such-option'"
run 2 check -Z x
says err "no option '-Z'"
run 2 convert --crease x a b
says err "takes a number, not 'x'"
run 2 convert a b --crease
says err "needs an argument"
run 2 convert --flat=yes a b
says err "takes no argument"
run 2 convert --hulls 0 a b
says err "--hulls takes a number above 0"
run 2 convert --scale -1 a b
says err "--scale takes a number above 0, not -1"
run 2 check --from nonsense x
says err "unknown format 'nonsense'"

run 3 info "$work/missing.bsm"
says err "missing.bsm"
says err "No such file"
silent out
: >"$work/empty.bsm"
run 1 info "$work/empty.bsm"
says err "the file is empty"
printf 'no format begins like this' >"$work/unknown.bin"
run 1 check "$work/unknown.bin"
says err "FORMAT-UNKNOWN"

run 1 info --json "$work/unknown.bin"
says out '"error":{"rule":"FORMAT-UNKNOWN"'
run 3 check --json "$work/missing.bsm"
says out '"errors":1'

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/one.obj"
run 2 convert "$work/one.obj" "$work/one.tga"
says err "tga files cannot be written"
run 2 convert --format-version 2 "$work/one.obj" "$work/one.binarymesh"
says err "BM-VERSION-2"
run 2 convert --endian big "$work/one.obj" "$work/one.bsm"
says err "--endian is for bga files, and OUT is bsm"
truth "nothing was written" [ ! -e "$work/one.bsm" -a ! -e "$work/one.tga" -a ! -e "$work/one.binarymesh" ]
run 0 info "$work/one.obj"
truth "info leaves no blank at the end of a line" sh -c "! grep -q ' \$' '$work/out'"

run 0 formats --help
truth "a command without arguments shows none" grep -q 'formats \[options\]$' "$work/out"
run 0 formats
says out "bsm"
truth "no line of formats is cut short or too long" \
    sh -c "! grep -q ' \. ' '$work/out' && ! grep -q '.\{110\}' '$work/out'"
run 0 formats --json
says out '"name":"obj"'
truth "every line of formats --json is an object" sh -c "! grep -qv '^{.*}\$' '$work/out'"

"$facet" formats >/dev/full 2>"$work/err"
truth "a full disk is told by exit status 3" [ $? = 3 ]
finish
