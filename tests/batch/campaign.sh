#!/bin/sh
# campaign.sh FACET [ITEMS]: a batch with many failures. Runs are killed, the disk is full
# repeatedly, and some items crash or hang. In the end each item has its right output, and no
# finished item ran again. Every run makes progress.
set -eu
facet=$(realpath "$1")
items=${2:-2000}
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
mounted=
finish() {
    [ -z "$mounted" ] || umount "$mounted"
    rm -rf "$work"
}
trap finish EXIT
trap "exit 1" HUP INT TERM
fail() {
    echo "FAILED: $*" >&2
    exit 1
}
cd "$work"

# Items of eight sizes, and the expected outputs: all items in one run.
mkdir in
awk -v n="$items" 'BEGIN {
    for (i = 0; i < n; i++) {
        file = sprintf("in/%05d.obj", i)
        size = 3 + i % 8 * 60
        print "v 0 0 0" >file
        for (k = 0; k <= size; k++) printf "v %.6f %.6f %d\n", cos(k * 0.01), sin(k * 0.01), i % 7 >file
        for (k = 0; k < size; k++) printf "f 1 %d %d\n", k + 2, k + 3 >file
        close(file)
    }
}'
"$facet" batch in --out 'right/{stem}.bsm' --results right.jsonl -q --progress none

# Check that each id has exactly one line with status ok.
is_once() { # results, items
    ok=$(grep -c '"status":"ok"' "$1")
    [ "$ok" = "$2" ] || fail "$1: $ok lines are ok, not $2"
    [ "$(grep '"status":"ok"' "$1" | grep -o '"id":"[^"]*"' | sort | uniq -d | wc -l)" = 0 ] ||
        fail "$1: an item was done twice"
}

# -- Killed -------------------------------------------------------------------

for how in "" --isolate "--output-tar kill.tar"; do
    rm -rf kill kill.jsonl kill.tar
    kills=0
    while :; do
        setsid "$facet" batch in --out 'kill/{stem}.bsm' --results kill.jsonl --resume -j 2 -q \
            --progress none $how &
        batch=$!
        sleep 0.$((1 + kills % 7))
        kill -KILL -$batch 2>/dev/null || true
        if wait $batch; then
            break
        fi
        kills=$((kills + 1))
        [ $kills -lt 200 ] || fail "no end after $kills kills"
    done 2>/dev/null
    [ ! -f kill.tar ] || tar -xf kill.tar
    diff -r right kill >/dev/null || fail "outputs after kills ($how)"
    is_once kill.jsonl "$items"
    [ ! -e kill.jsonl.begun ] || fail "the list of items at work is left"
    echo "killed $kills times $how: $items items, each once"
done

# A shard that is read once as a stream, into several output tars.
tar -C in -czf shard.tar.gz .
stream() { # folder of the parts, results
    "$facet" batch --stream shard.tar.gz --match '*.obj' --out '{stem}.bsm' --output-tar "$1/{part}.tar" \
        --part-size 1 --results "$2" --resume -j 2 -q --progress none
}
are_right() { # folder of the parts
    rm -rf taken
    mkdir taken
    for part in "$1"/*.tar; do
        tar -C taken -xf "$part"
    done
    diff -r right taken >/dev/null || fail "outputs in parts ($1)"
}
kills=0
while :; do
    setsid "$facet" batch --stream shard.tar.gz --match '*.obj' \
        --out '{stem}.bsm' --output-tar 'parts/{part}.tar' --part-size 1 --results parts.jsonl --resume \
        -j 2 -q --progress none &
    batch=$!
    sleep 0.$((1 + kills % 7))
    kill -KILL -$batch 2>/dev/null || true
    if wait $batch; then
        break
    fi
    kills=$((kills + 1))
    [ $kills -lt 200 ] || fail "no end after $kills kills"
done 2>/dev/null
are_right parts
is_once parts.jsonl "$items"
echo "killed $kills times, a stream: $items items, each once"

# -- A full disk --------------------------------------------------------------

mkdir disk
if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
    mounted=$work/disk
    size=64
    stops=0
    until "$facet" batch in --out 'disk/{stem}.bsm' --results disk.jsonl --resume -j 2 -q \
        --progress none 2>stopped; do
        status=$?
        grep -q "No space left on device" stopped || fail "status $status without a full disk"
        stops=$((stops + 1))
        [ $stops -lt 60 ] || fail "no end with space"
        size=$((size * 3 / 2))
        mount -o remount,size=${size}k disk
    done
    diff -r right disk >/dev/null || fail "outputs after full disks"
    is_once disk.jsonl "$items"
    ! grep -q '"attempt":2' disk.jsonl || fail "a full disk cost an attempt"
    echo "full $stops times: $items items, each once"
    umount disk
    mount -t tmpfs -o size=64k tmpfs disk
    size=64
    stops=0
    until stream disk full.jsonl 2>stopped; do
        grep -q "No space left on device" stopped || fail "the stream stopped without a full disk"
        stops=$((stops + 1))
        [ $stops -lt 60 ] || fail "no end with space"
        size=$((size * 3 / 2))
        mount -o remount,size=${size}k disk
    done
    are_right disk
    is_once full.jsonl "$items"
    ! grep -q '"attempt":2' full.jsonl || fail "a full disk cost an attempt"
    echo "full $stops times, a stream: $items items, each once"
else
    echo "SKIPPED: no file system can be mounted, so that none is full"
fi

# -- Poison -------------------------------------------------------------------

# One item in a hundred hangs, crashes assimp or is broken. Runs are also killed.
ls in/*.obj >list
poison=0
while [ $poison -lt $((items / 100)) ]; do
    case $((poison % 3)) in
    0) mkfifo "p$poison.obj" && echo "p$poison.obj" >>list ;;
    1) cp "$here/aborts.fbx" "p$poison.fbx" && echo "p$poison.fbx" >>list ;;
    2) printf 'v 0 0 0\nf 1 2 9\n' >"p$poison.obj" && echo "p$poison.obj" >>list ;;
    esac
    poison=$((poison + 1))
done
runs=0
before=-1
while :; do
    setsid "$facet" batch --filelist list --out 'poison/{stem}.bsm' --results poison.jsonl --resume \
        -j 2 -q --progress none --attempts 1 $([ $runs -lt 3 ] || echo --timeout 1) &
    batch=$!
    [ $runs -ge 3 ] || { sleep 2; kill -KILL -$batch 2>/dev/null || true; }
    status=0
    wait $batch || status=$?
    runs=$((runs + 1))
    [ $status != 1 ] || break
    now=$(wc -l <poison.jsonl)
    [ "$now" -gt $before ] || [ $runs -le 3 ] || fail "a run without progress"
    before=$now
    [ $runs -lt 20 ] || fail "no end with poison"
done 2>/dev/null
"$facet" batch report --filelist list poison.jsonl --allow-failures $poison >report.txt ||
    { cat report.txt; fail "more than $poison items failed"; }
rm -f right/p*.bsm
for made in right/*.bsm; do
    cmp -s "$made" "poison/${made#right/}" || fail "$made"
done
echo "$poison of $((items + poison)) items are poison: $runs runs"
