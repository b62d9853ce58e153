#!/bin/sh
# check_j3d_rules.sh SOURCE: the rules that docs/j3d.md lists, those that
# `check` reports, and those that its test expects are the same.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ids='J3D-[A-Z0-9-]*[A-Z0-9]'

# Rules of documents, which no file can break.
documents='J3D-(DOCUMENT|KIND|LAYOUT|MAT3-LIMIT|NAMES-SIZE|TEX1-COUNT)'

sed -n "s/^| \($ids\) | .*/\1/p" "$source/docs/j3d.md" | sort >"$work/listed"
grep -oh "\"$ids\"" "$source"/src/formats/j3d/check/*.c "$source"/src/formats/j3d/file/*.c | tr -d '"' |
    grep -vxE "$documents" | sort -u >"$work/reported"
grep -oh "\"$ids\"" "$source/tests/test_j3d_check.c" | tr -d '"' | sort -u >"$work/tested"

[ "$(wc -l <"$work/listed")" -ge 100 ] || { echo "docs/j3d.md lists too few rules"; exit 1; }
[ -z "$(uniq -d "$work/listed")" ] || { echo "docs/j3d.md lists a rule twice"; exit 1; }
for other in reported tested; do
    diff "$work/listed" "$work/$other" || { echo "the rules of docs/j3d.md and those $other differ"; exit 1; }
done

# Rules of animations: those listed, those in the source, those tested.
sed -n 's/^| \(JA[0-9]*\) | .*/\1/p' "$source/docs/j3d-animation.md" | sort >"$work/listed"
grep -oh '"JA[0-9]*"' "$source"/src/formats/j3d/animation/*.c | tr -d '"' | sort -u >"$work/reported"
grep -oh '"JA[0-9]*"' "$source"/tests/test_j3d_animation*.c | tr -d '"' | sort -u >"$work/tested"
[ -z "$(uniq -d "$work/listed")" ] || { echo "docs/j3d-animation.md lists a rule twice"; exit 1; }
for other in reported tested; do
    diff "$work/listed" "$work/$other" || { echo "the rules of docs/j3d-animation.md and those $other differ"; exit 1; }
done
