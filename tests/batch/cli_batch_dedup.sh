# --dedup: of equal inputs one is converted, and its output is copied for the others. The bytes are
# the same as without --dedup.
. "$(dirname "$0")/../support/cli.sh"
facet=$(realpath "$facet")
cd "$work" || exit 1

is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}
copies() {
    python3 -c '
import json, sys
print(*sorted(line["id"] + "=" + line["same_as"] for line in map(json.loads, open(sys.argv[1])) if "same_as" in line))' "$1"
}
# A triangle whose third corner is at height $2.
triangle() {
    printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 %s\nusemtl r\nf 1 2 3\n' "$2" >"$1"
}

mkdir -p m/b m/c
triangle m/a.obj 0
triangle m/b/a.obj 0   # the same, with the same side file
triangle m/c/x.obj 0   # the same, without it
triangle m/e.obj 0     # the same, in the folder of the first
triangle m/d.obj 1     # of the same size only
printf 'newmtl r\nKd 1 0 0\n' >m/a.mtl
cp m/a.mtl m/b/a.mtl
all="m --match *.obj"
set -f
run 0 batch $all --out 'plain/{dir}/{name}.glb' --results plain.jsonl
for how in "-j 1" "-j 2" "--isolate"; do
    rm -rf made made.jsonl
    run 0 batch $all --out 'made/{dir}/{name}.glb' --results made.jsonl --dedup $how
    is "copies, $how" "$(copies made.jsonl)" "m/b/a.obj=m/a.obj m/e.obj=m/a.obj"
    truth "the same bytes, $how" diff -r plain made
done

# A copy has a line like other items, so its inputs are compared again.
run 0 batch $all --out 'made/{dir}/{name}.glb' --results made.jsonl --dedup --resume --verify
says err "0 ok, 5 done before"
printf 'newmtl r\nKd 0 1 0\n' >m/b/a.mtl
run 0 batch $all --out 'made/{dir}/{name}.glb' --results made.jsonl --dedup --resume
says err "1 ok, 4 done before"
run 0 convert m/b/a.obj one.glb
truth "another side file, another output" cmp one.glb made/b/a.obj.glb
cp m/a.mtl m/b/a.mtl

# An MTL next to an output is named after it, so the output is not copied.
run 0 batch $all --out 'obj/{dir}/{name}.obj' --results obj.jsonl --dedup
is "outputs with files next to them" "$(copies obj.jsonl)" ""
truth "an output names its own file" grep -q 'mtllib e.obj.mtl' obj/e.obj.obj

# Not equal: other options of an item, another format, and a required checksum.
printf '{"id":"1","in":"m/a.obj","out":"o/1.bsm"}\n{"id":"2","in":"m/a.obj","out":"o/2.glb"}
{"id":"3","in":"m/a.obj","out":"o/3.bsm","args":["--scale","2"]}\n{"id":"4","in":"m/e.obj","out":"o/4.bsm"}
{"id":"5","in":"m/e.obj","out":"o/5.bsm","sha256":"%064d"}\n' 0 >items.jsonl
run 1 batch --manifest items.jsonl --results items.out --dedup
is "options and formats" "$(copies items.out)" "4=1"
is "a wrong sum" "$(grep -c INPUT-SUM items.out)" 1

# If the first item fails, each of the equal items is tried and gets a line.
printf 'v 0 0 0\nf 1 2 9\n' >m/bad1.obj
cp m/bad1.obj m/bad2.obj
run 1 batch m/bad1.obj m/bad2.obj --out 'bad/{stem}.bsm' --results bad.jsonl --dedup
is "failures" "$(grep -c '"failed"' bad.jsonl)" 2
rm m/bad1.obj m/bad2.obj

# Members of a tar, with outputs of other commands, in several output tars.
run 0 batch $all --out '{dir}/{name}.glb' --output-tar 't-{part}.tar' --part-items 2 --results t.jsonl \
    --dedup --also 'render --size 16x16 {dir}/{name}.png' --also 'line {dir}/{name}.json'
is "copies in a tar" "$(copies t.jsonl)" "m/b/a.obj=m/a.obj m/e.obj=m/a.obj"
mkdir taken
for part in t-00000.tar t-00001.tar t-00002.tar; do
    tar -xf $part -C taken
done
for name in a.obj b/a.obj c/x.obj d.obj e.obj; do
    found=$(find taken -path "*/$name.glb" | grep -c .)
    truth "$name.glb is there" [ "$found" -ge 1 ]
done
is "members" "$(find taken -type f | wc -l)" 15
run 0 batch $all --out '{dir}/{name}.glb' --output-tar 't-{part}.tar' --part-items 2 --results t.jsonl \
    --dedup --also 'render --size 16x16 {dir}/{name}.png' --also 'line {dir}/{name}.json' --resume --verify
says err "0 ok, 5 done before"

set +f

# Some readers use the name of the file. For them, items with other names differ.
mkdir -p i/1 i/2
run 0 render m/a.obj i/t.png --size 8x8
run 0 convert i/t.png i/1/a.bti
cp i/1/a.bti i/2/a.bti
cp i/1/a.bti i/2/b.bti
run 0 batch i --match '*.bti' --out 'bpx/{dir}/{stem}.bpx' --results bti.jsonl --dedup
is "names" "$(copies bti.jsonl)" "i/2/a.bti=i/1/a.bti"
run 0 convert i/2/b.bti b.bpx
truth "a name in the file" cmp b.bpx bpx/2/b.bpx

# Every format whose readers ignore the name.
mkdir -p kinds/1 kinds/2
for kind in obj ply stl glb gltf bsm iqm binarymesh bga bpx; do
    run 0 convert m/a.obj kinds/1/first.$kind
    cp kinds/1/first.$kind kinds/2/second.$kind
done
cp kinds/1/first.bin kinds/1/*.mtl kinds/1/*.png kinds/2 2>/dev/null
run 0 batch kinds --match '*.{obj,ply,stl,glb,gltf,bsm,iqm,binarymesh,bga,bpx}' --out 'k/{name}.glb' --results k.jsonl --dedup
is "kinds" "$(copies k.jsonl | wc -w)" 10
run 0 batch kinds --match '*.{obj,ply,stl,glb,gltf,bsm,iqm,binarymesh,bga,bpx}' --out 'l/{name}.glb' --results l.jsonl
truth "the same bytes of each kind" diff -r k l

run 2 batch m --results x.jsonl --dedup -- check
says err "--dedup copies outputs, which 'check' does not make"
run 2 batch --stream m.tar --results x.jsonl --dedup --out '{id}.bsm' --output-tar x.tar
says err "--dedup reads files again"
finish
