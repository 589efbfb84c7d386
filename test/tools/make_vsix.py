#!/usr/bin/env python3
"""Put the extension of VS Code into a .vsix: make_vsix.py FOLDER OUT. FOLDER has its node_modules (`make vsix`).

A .vsix is a zip with the extension, a manifest and the types of its files. Names are sorted and times fixed, so the same
files make the same bytes."""

import json
import pathlib
import sys
import xml.sax.saxutils
import zipfile

TYPES = {".json": "application/json", ".js": "application/javascript", ".vsixmanifest": "text/xml", ".md": "text/markdown"}
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={id} Version={version} Publisher={publisher}/>
    <DisplayName>{name}</DisplayName>
    <Description xml:space="preserve">{description}</Description>
    <Tags>occam,debuggers,snippet,language</Tags>
    <Categories>{categories}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""


def manifest(package):
    quote, text = xml.sax.saxutils.quoteattr, xml.sax.saxutils.escape
    return MANIFEST.format(id=quote(package["name"]), version=quote(package["version"]), publisher=quote(package["publisher"]),
                           name=text(package["displayName"]), description=text(package["description"]),
                           categories=text(",".join(package["categories"])), engine=quote(package["engines"]["vscode"]))


def content_types(files):
    suffixes = sorted({each.suffix for each in files if each.suffix} | {".vsixmanifest"})
    rows = "".join(f'<Default Extension="{each}" ContentType="{TYPES.get(each, "application/octet-stream")}"/>' for each in suffixes)
    return ('<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            f"{rows}</Types>\n")


def main(folder, out):
    root = pathlib.Path(folder)
    package = json.loads((root / "package.json").read_text())
    files = sorted(each for each in root.rglob("*") if each.is_file() and ".bin" not in each.parts
                   and each.suffix not in (".ts", ".map") and each.name != "package-lock.json")
    missing = [each for each in package.get("dependencies", {}) if not (root / "node_modules" / each).is_dir()]
    if missing:
        raise SystemExit(f"make_vsix.py: not installed in {folder}: {', '.join(missing)}")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        def add(name, data):
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        add("[Content_Types].xml", content_types(files))
        add("extension.vsixmanifest", manifest(package))
        for each in files:
            add("extension/" + each.relative_to(root).as_posix(), each.read_bytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
