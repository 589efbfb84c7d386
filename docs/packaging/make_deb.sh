#!/bin/sh
# make_deb.sh BUILD VERSION [options of dpkg-buildpackage] -- the Debian packages into BUILD/deb, from the files that git knows.
#
# OCC_REUSE=1: with the objects of BUILD as they are, so that nothing is compiled twice.
set -eu
build=$1
version=$2
shift 2
tree=$build/deb/occc-$version
rm -rf "$build/deb"
mkdir -p "$tree"
git ls-files -z | xargs -0 cp -p --parents -t "$tree"
cp -R docs/packaging/debian "$tree/debian"
keep=
if [ "${OCC_REUSE:-}" ]; then
    keep=-nc
    mkdir "$tree/build"
    cp -Rp "$build/bin" "$build/lib" "$build/obj" "$build/gen" "$tree/build/"
    ln -sfn ../../../docs/explain "$tree/build/lib/occ/explain"
fi
cd "$tree"
dpkg-buildpackage -b -us -uc $keep "$@"
