# Messages and exit statuses for right and wrong command lines.
. "$(dirname "$0")/../support/cli.sh"

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
says out "usage: facet convert [options] IN [ANIMATION...] OUT"
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
run 2 convert --no-such-option a b
says err "see 'facet convert --help'"
run 2 convert --strcit a b
says err "convert has no option '--strcit'; did you mean '--strict'?"
run 2 convert --xy a b
says err "see 'facet convert --help'"
run 2 convert --quantise-all a b
says err "no option '--quantise-all'"
run 2 info --quite x
says err "did you mean '--quiet'?"
run 2 convert --texture-format=DXT a b
says err "--texture-format takes auto, I4, I8,"
run 2 convert --endian middle a b
says err "--endian takes little or big, not 'middle'"
run 2 convert --quantize most a b
says err "--quantize takes auto, none or s16, not 'most'"
run 2 convert --crease x a b
says err "takes a number, not 'x'"
run 2 convert a b --crease
says err "needs an argument"
run 2 convert --flat=yes a b
says err "takes no argument"
run 2 convert --hulls 0 a b
says err "--hulls takes 1 to 256, not '0'"
run 2 convert --hull-vertices 7 a b
says err "--hull-vertices takes 8 to 65536, not '7'"
run 2 convert --occluder 2 a b
says err "--occluder takes a number above 0 and up to 1, not 2"
run 2 convert --format-version 0 a b
says err "--format-version takes a number above 0"
run 2 convert --crease 181 a b
says err "--crease takes a number above 0 and up to 180, not 181"
run 2 convert --max-vertices 0 a b
says err "--max-vertices takes a number above 0, not 0"
run 2 convert --scale -1 a b
says err "--scale takes a number above 0, not -1"
run 2 convert --merge 0.11 a b
says err "--merge takes a number above 0 and up to 0.1, not 0.11"
# Wrong numbers: each message names its option. 0 is valid for a count from 0, and for a number
# whose default is 0.
"$facet" --options | sed -n 's/"kind":"number"\(.*"default":"0",\)/"kind":"number0"\1/; s/^{"name":"\([^"]*\)","commands":\["\([^"]*\)".*"kind":"\(count\|number0\|number\)".*"least":\([0-9]*\),"most":\([0-9.]*\|null\),.*/\2|\1|\3|\4|\5/p' >"$work/numbers"
truth "there are numbers among the options" [ "$(wc -l <"$work/numbers")" -gt 30 ]
while IFS='|' read -r command option kind least most; do
    for value in x -1 nan "$(case $kind$least in count0 | number00) ;; *) echo 0 ;; esac)" "$([ "$most" = null ] || echo "${most}1")"; do
        [ -n "$value" ] || continue
        # shellcheck disable=SC2086
        run 2 $command "--$option" "$value" a b </dev/null
        says err "--$option takes"
    done
done <"$work/numbers"
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
# A finding gives its own kind of element: the second face, the third vertex, the first mesh.
corners() {
    printf 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex %s\nendloop\nendfacet\n' "$1"
}
{ echo 'solid a' && corners '0 1 0' && corners '2 0 0' && echo 'endsolid a'; } >"$work/flat.stl"
run 0 check --json "$work/flat.stl"
says out '"offset":null,"face":1,"count":1'
{
    printf 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n'
    printf 'element face 1\nproperty list uchar int vertex_indices\nend_header\n'
    printf '0 0 0\n1 0 0\nnan 1 0\n3 0 1 2\n'
} >"$work/far.ply"
run 1 check --json "$work/far.ply"
says out ',"vertex":2,"count":1'
printf '{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"componentType":5126,"type":"VEC3","count":3}]}' >"$work/boundless.gltf"
run 1 check --json "$work/boundless.gltf"
says out ',"mesh":0,"count":1'

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/one.obj"
for number in 1.5 4294967296; do
    run 2 convert --simplify $number "$work/one.obj" "$work/one.glb"
    says err "--simplify takes a fraction up to 1, or a whole number of triangles, not $number"
done
mkdir "$work/folder"
run 2 convert "$work/one.obj" "$work/folder"
says err "/folder' is a folder; OUT is the name of a file in it"
run 1 convert "$work/one.obj" "$work/one.png"
says err "the scene has 1 mesh and 0 images, but an image file holds one image"
printf 'hello world' >"$work/hello.glb"
run 1 check "$work/hello.glb"
says err 'no known format begins like this file, with "hello world"'
run 1 compare "$work/hello.glb" "$work/one.obj"
says err 'no known format begins like this file, with "hello world"'
run 3 pack "$work/a.arc" "$work/no-folder"
says err "/no-folder': No such file or directory"
run 2 batch "$work/folder" --out '{stem}.glb'
lacks err "left out" # there are no files to count
run 2 convert "$work/one.obj" "$work/one.tga"
says err "tga files cannot be written"
run 2 convert --format-version 2 "$work/one.obj" "$work/one.binarymesh"
says err "facet: --format-version: error [BM-VERSION-2]"
run 2 convert --format-version 5 "$work/one.obj" "$work/one.binarymesh"
says err "facet: --format-version: error [BM-VERSION-UNKNOWN]"
run 2 convert --endian big "$work/one.obj" "$work/one.bsm"
says err "--endian is for bga files, and OUT is bsm"
truth "nothing was written" [ ! -e "$work/one.bsm" -a ! -e "$work/one.tga" -a ! -e "$work/one.binarymesh" ]
run 0 info "$work/one.obj"
truth "info leaves no blank at the end of a line" sh -c "! grep -q ' \$' '$work/out'"

run 0 rule bsm-tri-winding
says out "BSM-TRI-WINDING (warning)"
says out "remedy"
run 0 rule BSM-MESH
says out "BSM-MESH-NONE"
truth "a family has only its own rules" sh -c "! grep -qv '^BSM-MESH-' '$work/out'"
run 0 rule AR --json
truth "rules of a family with numbers are found" [ "$(grep -c '"family":"archive"' "$work/out")" = 38 ]
run 0 rule
truth "all rules are listed, and each has a severity" \
    sh -c "[ \$(wc -l <'$work/out') -gt 500 ] && ! grep -qv ' error\| warning\| note' '$work/out'"
run 2 rule BSM-TRI-WINDNG
says err "unknown rule 'BSM-TRI-WINDNG'; nearest to it: BSM-TRI-WINDING"
run 2 rule bsm-index-range
says err "BSM-TRI-INDEX-RANGE, BSM-OCC-INDEX-RANGE"
run 2 rule nothing
says err "'facet rule' lists them"

# One thing is singular.
printf 'v 0 0 0\nv 1 0 0\nf 1 2 9\n' >"$work/beyond.obj"
run 1 check "$work/beyond.obj" "$work/one.obj"
says out "beyond.obj: obj, 1 error, 0 warnings, 0 notes"
says out "face names vertex 9, but the file has 2, counted from 1"
says out "one.obj: obj, 0 errors, 0 warnings, 0 notes"
run 0 convert "$work/one.obj" "$work/one.ply"
says err ": ply, 1 face, 3 vertices, "
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n' >"$work/other.obj"
run 1 compare "$work/one.obj" "$work/other.obj" --ignore document
truth "1 difference" grep -q 'different, 1 difference$' "$work/out"

# --explain prints each rule once, after all files, as facet rule prints it.
run 1 check --explain "$work/beyond.obj" "$work/beyond.obj" "$work/far.ply"
"$facet" rule OBJ-INDEX PLY-NONFINITE >"$work/rules"
truth "--explain prints the text of facet rule, once" sh -c "tail -n 8 '$work/out' | cmp -s - '$work/rules'"
truth "and nothing else" [ "$(grep -c '^  demands' "$work/out")" = 2 ]
"$facet" rule --json OBJ-INDEX >"$work/rule"
run 1 check --explain --json "$work/beyond.obj"
truth "as JSON, the object of facet rule --json" \
    [ "$(sed 's/.*"rules":\[//; s/]}$//' "$work/out")" = "$(cat "$work/rule")" ]
run 1 check --json "$work/beyond.obj"
truth "only with --explain" sh -c "! grep -q '\"rules\"' '$work/out'"

run 0 formats --help
truth "a command without arguments shows none" grep -q 'formats \[options\]$' "$work/out"
run 0 formats
says out "bsm"
truth "no line of formats is cut short or too long" \
    sh -c "! grep -q ' \. ' '$work/out' && ! grep -q '.\{110\}' '$work/out'"
run 0 formats --json
says out '"name":"obj"'
truth "formats --json lists all needs of glb, the first and the last" \
    grep -q '"name":"glb".*"needs":\["triangles","single-index","images","meters","alpha","physical-maps"\]' "$work/out"
truth "every line of formats --json is an object" sh -c "! grep -qv '^{.*}\$' '$work/out'"

# Every option has one spelling.
run 2 convert --no-optimise "$work/one.obj" "$work/one.bsm"
says err "did you mean '--no-optimize'?"
run 0 formats
says out "optimized"

# Options of one family are listed under its name, in help and manual page.
run 0 convert --help
truth "under BGA" sh -c "sed -n '/^BGA:/,/^\$/p' '$work/out' | grep -q -- --endian"
truth "under BMD, BDL, BMT" sh -c "sed -n '/^BMD, BDL, BMT:/,/^\$/p' '$work/out' | grep -q -- --quantize"
run 0 --manual
says out '.I BMD, BDL, BMT:'
says out '\-\-quantize \fIHOW\fR'

# Text from files or arguments cannot control the terminal. These bytes are escaped: control
# characters of C0 (ESC, a line feed), DEL and C1 (U+009B, bytes C2 9B), and invalid UTF-8. Valid
# UTF-8 stays.
wild=$(printf 'a\033[31m\n\177\302\2332J\377\303\251')
shown='a\x1B[31m\x0A\x7F\xC2\x9B2J\xFF'$(printf '\303\251')
tame() {
    truth "$1 of 'facet $2' has a control character or a broken one" \
        sh -c "! LC_ALL=C grep -q '$(printf '[\001-\011\013-\037\177\377]\\|\302[\200-\237]')' '$work/$1'"
    truth "$1 of 'facet $2' has more lines than it should" [ "$(wc -l <"$work/$1")" -le "$3" ]
}
run 2 "$wild"
says err "unknown command '$shown'"
tame err COMMAND 1
run 2 help "$wild"
says err "unknown command '$shown'"
run 2 info "--$wild" x
says err "no option '--$shown'"
tame err info 1
run 2 info --from "$wild" x
says err "unknown format '$shown'"
tame err info 1
run 2 convert --up "$wild" a b
says err "not '$shown'"
tame err convert 1
run 2 convert --scale "$wild" a b
tame err convert 1
run 2 convert "$work/one.obj" "$work/$wild"
says err "$shown"
tame err convert 1
run 3 info "$work/$wild"
says err "$shown: error: cannot open"
tame err info 1
run 3 info --json "$work/$wild"
says out 'a\\x1B[31m'
tame out info 1
cp "$work/one.obj" "$work/$wild.obj"
run 0 info "$work/$wild.obj"
says out "$shown.obj: Wavefront OBJ"
tame out info 99
run 0 info --json "$work/$wild.obj"
tame out info 1
run 0 check "$work/$wild.obj"
says out "$shown.obj: obj, 0 errors"
tame out check 1
run 0 convert "$work/$wild.obj" "$work/$wild.bsm"
says err "$shown.bsm: bsm"
tame err convert 9
run 0 convert --split "$work/$wild.obj" "$work/$wild.bsm"
tame err convert 9
run 3 convert "$work/one.obj" "$work/$wild/x.bsm"
tame err convert 1
run 2 pack "$work/$wild.png" "$work/one.obj"
says err "$shown.png' is named like png"
tame err pack 1
# Names inside a file: a material's, a texture's.
printf 'mtllib %s\no x\033[1m\nusemtl m\033[31m\302\2332J\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' \
    "$(printf 'l\033[2J.mtl')" >"$work/names.obj"
run 0 info "$work/names.obj"
says out 'm\x1B[31m\xC2\x9B2J'
tame out info 99
run 0 info --json "$work/names.obj"
says out '\u009B2J'
tame out info 1
run 0 convert -v "$work/names.obj" "$work/names.bmd"
tame err convert 99
run 0 check "$work/names.bmd"
tame out check 99

"$facet" formats >/dev/full 2>"$work/err"
truth "a full disk is told by exit status 3" [ $? = 3 ]
finish
