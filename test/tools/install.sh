#!/bin/sh
# install.sh install|uninstall DESTDIR PREFIX BUILD VERSION -- put the built compiler in its place, or take it away.
#
# The compiler finds its runtime and library relative to itself (PREFIX/bin -> PREFIX/lib/occ), so the whole tree may
# be moved afterwards.
set -eu
action=$1
destdir=$2
prefix=$3
build=$4
version=$5
root=$destdir$prefix

if [ "$action" = uninstall ]; then
    rm -f "$root/bin/occc" "$root"/share/man/man1/occc.1 "$root"/share/man/man1/occc-*.1 "$root/share/man/man7/occ-runtime.7" \
        "$root/lib/pkgconfig/occ-runtime.pc" "$root/share/bash-completion/completions/occc" \
        "$root/share/zsh/site-functions/_occc" "$root/share/fish/vendor_completions.d/occc.fish"
    rm -rf "$root/lib/occ" "$root/include/occ" "$root/share/doc/occc" "$root/share/occc"
    exit 0
fi

install -d "$root/bin" "$root/lib/occ/stdlib" "$root/lib/pkgconfig" "$root/include/occ" "$root/share/doc/occc"
install -m 755 "$build/bin/occc" "$root/bin/occc"
install -m 755 "$build/lib/occ/libocccodegen.so" "$root/lib/occ/"
install -m 644 "$build/lib/occ/libocc-runtime.a" "$root/lib/occ/"
for each in mpi.o mpi.link; do
    [ ! -f "$build/lib/occ/$each" ] || install -m 644 "$build/lib/occ/$each" "$root/lib/occ/"
done
install -m 644 "$build"/lib/occ/stdlib/*.* stdlib/README.md "$root/lib/occ/stdlib/"
install -m 644 "$build/lib/occ/graph.html" "$build"/lib/occ/*.py "$root/lib/occ/"
install -d "$root/lib/occ/doc" "$root/lib/occ/explain" "$root/lib/occ/play/page"
install -m 755 "$build/lib/occ/play/server" "$build/lib/occ/play/confine" "$root/lib/occ/play/"
install -m 644 "$build"/lib/occ/play/page/* "$root/lib/occ/play/page/"
install -m 644 "$build"/lib/occ/doc/* "$root/lib/occ/doc/"
install -m 644 docs/explain/*.md "$root/lib/occ/explain/"
install -m 644 runtime/include/occ/* "$root/include/occ/"
install -d "$root/share/doc/occc/docs/decisions"
install -m 644 README.md LICENSE "$root/share/doc/occc/"
install -m 644 docs/*.md "$root/share/doc/occc/docs/"
install -m 644 docs/decisions/*.md "$root/share/doc/occc/docs/decisions/"
rm -rf "$root/share/occc/editors" "$root/share/doc/occc/docs/book"
cp -R docs/book "$root/share/doc/occc/docs/"
install -d "$root/share/occc"
cp -R docs/editors "$root/share/occc/"
cp -R examples "$root/share/doc/occc/"
rm -rf "$root/share/doc/occc/examples/Output" "$root/share/doc/occc/examples/testing/Output"
if [ -f "$build/man/occc.1" ]; then
    install -d "$root/share/man/man1" "$root/share/man/man7"
    install -m 644 "$build"/man/occc*.1 "$root/share/man/man1/"
    install -m 644 "$build/man/occ-runtime.7" "$root/share/man/man7/"
fi
# completions, made by what was just installed
install -d "$root/share/bash-completion/completions" "$root/share/zsh/site-functions" "$root/share/fish/vendor_completions.d"
"$root/bin/occc" --help=bash >"$root/share/bash-completion/completions/occc"
"$root/bin/occc" --help=zsh >"$root/share/zsh/site-functions/_occc"
"$root/bin/occc" --help=fish >"$root/share/fish/vendor_completions.d/occc.fish"
# The prefix follows the file, so a moved tree still answers truly.
cat >"$root/lib/pkgconfig/occ-runtime.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib/occ
includedir=\${prefix}/include

Name: occ-runtime
Description: runtime of programs compiled by occc
Version: $version
Cflags: -I\${includedir}
Libs: \${libdir}/libocc-runtime.a -lm
PC
