#!/bin/sh
# library_page.sh OCCC [options of occc doc] -- docs/library.md, or with --as=html -o /FOLDER the pages, from the texts of the library.
set -eu
occc=$(realpath "$1")
shift
cd "$(dirname "$0")/../../stdlib"
sources=
for module in course random time timers maths convert string useful text map sort args log net sock file proc process tls http hash base64 \
    json signal terminal assert sync parallel hostio streamio xlink debug shared_screen; do
    sources="$sources $module.module"
done
exec "$occc" doc --title="The library" "${@:---as=md}" $sources
