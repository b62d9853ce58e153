# Shards of equal bytes. They equal those of a separate program, and each item is in one shard.
# Sizes come from the manifest or the files.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
mkdir "$work/files"
cd "$work/files" || exit 1

cat >parts.py <<'END'
"""Make a manifest, or compare the parts that facet wrote with a heap of Python's."""
import heapq, json, os, random, sys

if sys.argv[1] == "make":
    random.seed(40)
    with open("items.jsonl", "w") as to:
        for k in range(10000):
            size = int(random.lognormvariate(10, 2)) + 1 if k % 10 else 5000
            to.write(json.dumps({"id": f"i{k}", "in": f"none/{k}.obj", "bytes": size}) + "\n")
    sys.exit()
count = int(sys.argv[2])
if sys.argv[1] == "manifest":
    items = [(v["bytes"], v["id"]) for v in map(json.loads, open("items.jsonl"))]
else:
    items = [(os.path.getsize(f"m/{name}"), f"m/{name}") for name in os.listdir("m")]
items.sort(key=lambda v: (-v[0], v[1]))
heap, expected = [(0, i) for i in range(count)], {}
for size, id in items:
    load, part = heap[0]
    expected[id] = part
    heapq.heapreplace(heap, (load + size + 4096, part))
found = {}
for part in range(count):
    for line in open(f"r{part}.jsonl"):
        id = json.loads(line)["id"]
        assert id not in found, id
        found[id] = part
assert found == expected, (len(found), len(expected))
loads = [0] * count
for size, id in items:
    loads[found[id]] += size
print(f"{max(loads) * count / sum(loads):.3f}")
END
python3 parts.py make || { echo "python3 is not there"; exit 0; }

for i in 0 1 2 3; do
    run 1 batch --manifest items.jsonl --shard "$i/4" --shard-by bytes --results "r$i.jsonl" --sync none -q -- info
done
truth "the parts of the manifest" python3 parts.py manifest 4 >said
truth "the largest part is $(cat said) times the mean" grep -q '^1\.00' said

# Files, with a link from this shard to another: outputs of other shards are still refused.
mkdir m
for k in 1 2 3 4 5 6 7; do
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n' >"m/$k.obj"
    for _ in $(seq $((k * k))); do echo 'f 1 2 3' >>"m/$k.obj"; done
done
rm r?.jsonl
for i in 0 1 2; do
    run 0 batch m --match '*.obj' --shard "$i/3" --shard-by bytes --results "r$i.jsonl" --out 'o/{stem}.bsm'
done
truth "the parts of files" python3 parts.py files 3 >said
for i in 0 1 2; do
    run 0 batch m --match '*.obj' --shard "$i/3" --shard-by bytes --results "r$i.jsonl" --out 'o/{stem}.bsm' --resume
    says err " 0 ok"
    run 2 batch m --match '*.obj' --shard "$i/3" --shard-by bytes --results "n$i.jsonl" --out 'one.bsm'
done

# More shards than items, and one shard.
rm r?.jsonl
for i in 0 1 2 3 4 5 6 7 8 9; do
    run 0 batch m --match '*.obj' --shard "$i/10" --shard-by bytes --results "r$i.jsonl" -- info
done
truth "more parts than items" python3 parts.py files 10 >said
run 0 batch m --match '*.obj' --shard 0/1 --shard-by bytes --results all.jsonl -- info
truth "one part" [ "$(wc -l <all.jsonl)" -eq 7 ]
run 2 batch m --match '*.obj' --shard-by bytes --results n.jsonl -- info
run 2 batch --stream m.tar --shard 0/2 --shard-by bytes --results n.jsonl -- info

finish
