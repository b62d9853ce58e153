#!/bin/sh
# check_absences.sh SOURCE: check the lists of optional libraries. A build without one lists it in
# `facet formats`. docs/project/building.md lists it with its switch.
set -eu
cd "$1"
names=$(sed -n 's/^facet_[a-z_]*(\([A-Z0-9]*\) .*"\(.*\)")$/\1/p' cmake/dependencies.cmake | sort -u)
[ "$(echo "$names" | wc -l)" -ge 12 ] || { echo "cmake/dependencies.cmake has too few switches"; exit 1; }
failed=0
for name in $names; do
    grep -q "\`FACET_$name\`" docs/project/building.md || { echo "docs/project/building.md has no FACET_$name"; failed=1; }
    # Other dependencies are written in C++, and zlib only saves memory.
    case $name in CXX | ZLIB) continue ;; esac
    grep -A2 "^#ifndef FACET_HAVE_$name\$" src/convert/absent.c | grep -q "\"FACET_$name\"" ||
        { echo "src/convert/absent.c does not tell of FACET_$name"; failed=1; }
done
exit $failed
