# --filter leaves out items by their content: as files, with --isolate, from a stream, and resumed.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
mkdir "$work/files"
cd "$work/files" || exit 1

is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}

# k.obj has k triangles and is k units long. 9.obj has a face without its vertices.
mkdir m
for k in 1 2 3; do
    printf 'v 0 0 0\nv %d 0 0\nv 0 1 0\n' "$k" >"m/$k.obj"
    for _ in $(seq "$k"); do echo 'f 1 2 3' >>"m/$k.obj"; done
done
printf 'v 0 0 0\nf 1 2 9\n' >m/9.obj
tar -cf s.tar m

# what OUTPUTS SKIPPED STATUS CONDITION...: run in each way. Resuming gives the same results.
what() {
    outputs=$1 skipped=$2 status=$3
    shift 3
    for how in "m" "m --isolate" "--stream s.tar"; do
        rm -f o.tar r.jsonl
        for again in 1 2; do
            # shellcheck disable=SC2086 # words
            run "$status" batch $how --match '*.obj' --out '{stem}.glb' --output-tar o.tar --results r.jsonl --resume "$@"
        done
        is "$how $*: outputs" "$(tar -tf o.tar | sort | tr '\n' ' ')" "$outputs"
        is "$how $*: lines" "$(wc -l <r.jsonl | tr -d ' ')" 4
        is "$how $*: left out" "$(grep -c '"status":"skipped","code":"FILTER"' r.jsonl)" "$skipped"
    done
}
what "1.glb 2.glb " 1 1 --filter 'triangles<=2'
what "1.glb 2.glb 3.glb " 1 0 --filter 'errors=0'
what "3.glb " 2 1 --filter 'size>2'
what "2.glb " 3 0 --filter 'triangles>1' --filter 'errors<1' --filter 'size!=3'
what "" 4 0 --filter 'bytes>1000'
what "" 3 1 --filter 'joints>=1'

bytes=$(wc -c <m/2.obj | tr -d ' ')
what "3.glb " 3 0 --filter "bytes>$bytes"
truth "the reason" grep -qF '"reason":"bytes is '"$bytes"', expected >'"$bytes"'"' r.jsonl

# Without a tar. Another condition checks the items again, and so does no condition.
batch() {
    "$facet" batch m --match '[123].obj' --out 'o/{stem}.glb' --results r2.jsonl --resume "$@" 2>&1 | sed 's/; [0-9.]* s$//'
}
is "first" "$(batch --filter 'triangles<3')" "facet: 2 ok, 1 filtered, 0 done before, 0 failed, 0 left"
is "again" "$(batch --filter 'triangles<3')" "facet: 0 ok, 3 done before, 0 failed, 0 left"
is "more" "$(batch --filter 'triangles<4')" "facet: 3 ok, 0 done before, 0 failed, 0 left"
is "all" "$(batch)" "facet: 3 ok, 0 done before, 0 failed, 0 left"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 3\nf 1 2 3\nf 1 2 3\n' >m/1.obj
is "a changed input" "$(batch --filter 'triangles<4'; batch --filter 'triangles<4')" "facet: 2 ok, 1 filtered, 0 done before, 0 failed, 0 left
facet: 0 ok, 3 done before, 0 failed, 0 left"

for wrong in 'triangles' 'triangles<' 'triangles<x' 'triangles<1 ' 'triangle<1' '<1' 'errors==0' 'size<nan' 'size<0x10'; do
    run 2 batch m --match '*.obj' --out '{stem}.glb' --filter "$wrong" --results none.jsonl
    says err "--filter takes a condition as"
    truth "$wrong: results" [ ! -e none.jsonl ]
done

finish
