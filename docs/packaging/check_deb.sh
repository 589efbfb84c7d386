#!/bin/sh
# check_deb.sh BUILD VERSION -- make the packages, look at them with lintian, install them into an empty root, compile and run a program with
# them there, read a manual page, and remove them: nothing is left.
set -eu
build=$(realpath "$1")
root=$build/deb/root
fail() {
    echo "check-deb: $1" >&2
    exit 1
}
OCC_REUSE=1 sh docs/packaging/make_deb.sh "$build" "$2" -d >"$build/deb.log" 2>&1 || { tail -20 "$build/deb.log"; fail "no packages"; }
mv "$build/deb.log" "$build/deb/"
lintian --allow-root --fail-on error,warning "$build"/deb/*.changes || fail "lintian"
mkdir -p "$root/var/lib/dpkg"
touch "$root/var/lib/dpkg/status"
packages() { # what it depends on is not in that root
    dpkg --root="$root" --log=/dev/null --force-not-root --force-depends --force-script-chrootless "$@" >/dev/null 2>"$build/deb/dpkg.log" ||
        { cat "$build/deb/dpkg.log"; fail "dpkg $1"; }
}
packages -i "$build"/deb/occc_*.deb "$build"/deb/libocc-dev_*.deb "$build"/deb/occc-doc_*.deb
cat >"$build/deb/packed.occ" <<'OCC'
#INCLUDE "course.module"
PROC main (CHAN BYTE screen!)
  CHAN INT c:
  PAR
    c ! 42
    INT x:
    SEQ
      c ? x
      out.int (x, 0, screen!)
      screen ! '*n'
:
OCC
answer=$(XDG_CACHE_HOME=$build/deb/cache "$root/usr/bin/occc" run "$build/deb/packed.occ")
[ "$answer" = 42 ] || fail "the program prints '$answer'"
"$root/usr/bin/occc" explain usage-parallel-write >/dev/null || fail "no pages of explain"
PKG_CONFIG_PATH=$(dirname "$root"/usr/lib/*/pkgconfig/occ-runtime.pc) pkg-config --exists --print-errors occ-runtime || fail "pkg-config"
library=$(PKG_CONFIG_PATH=$(dirname "$root"/usr/lib/*/pkgconfig/occ-runtime.pc) pkg-config --libs-only-other occ-runtime)
[ -f "${library%% *}" ] || fail "pkg-config names '$library'"
for page in "$root"/usr/share/man/man1/occc-test.1.gz "$root"/usr/share/man/man7/occ-runtime.7.gz; do
    man -l "$page" >/dev/null || fail "$page"
done
[ -f "$root/usr/share/doc/occc-doc/library/index.html" ] || fail "no pages of the library"
packages -P occc occc-doc libocc-dev
left=$(find "$root" -path "$root/var" -prune -o -type f -print)
[ -z "$left" ] || fail "left behind: $left"
echo "packages made, installed, used and removed"
