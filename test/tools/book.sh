#!/bin/sh
# book.sh BUILD -- the book as a static site into BUILD/book. The configuration may not lie above what it is about, so it goes to BUILD.
set -eu
docs=$(realpath "$(dirname "$0")/../../docs")
mkdir -p "$1"
build=$(realpath "$1")
cp "$docs/book/mkdocs.yml" "$build/mkdocs.yml"
OCC_DOCS=$docs OCC_SITE=$build/book OCC_HOOKS=$docs/book/occam_site.py PYTHONDONTWRITEBYTECODE=1 mkdocs build --quiet --clean -f "$build/mkdocs.yml"
cat >"$build/book/index.html" <<'HTML'
<!DOCTYPE html>
<meta charset="utf-8"><meta http-equiv="refresh" content="0; url=book/index.html"><title>occam with occc</title>
<a href="book/index.html">The book</a>
HTML
echo "$build/book/index.html"
