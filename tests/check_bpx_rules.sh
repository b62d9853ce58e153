#!/bin/sh
# check_bpx_rules.sh SOURCE: the rules that docs/bpx.md lists, those that the
# source reports, and those that a test of the rules expects are the same.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ids='BPX2\{0,1\}-[A-Z0-9-]*[A-Z0-9]'

sed -n "s/^| \($ids\) | .*/\1/p" "$source/docs/bpx.md" | sort >"$work/listed"
grep -oh "\"$ids\"" "$source"/src/formats/bpx/*.c | tr -d '"' |
    grep -v -e BPX-T-POWER -e BPX-T-ALIKE -e BPX-P-SIZE -e BPX-DOCUMENT | sort -u >"$work/reported"
grep -oh "\"$ids\"" "$source/tests/test_bpx_rules.c" | tr -d '"' | sort -u >"$work/tested"

[ "$(wc -l <"$work/listed")" -ge 80 ] || { echo "docs/bpx.md lists too few rules"; exit 1; }
[ -z "$(uniq -d "$work/listed")" ] || { echo "docs/bpx.md lists a rule twice"; exit 1; }
for other in reported tested; do
    diff "$work/listed" "$work/$other" || { echo "the rules of docs/bpx.md and those $other differ"; exit 1; }
done
