"""check_forms.py OCCC FOLDER PROGRAM...: every form of the graph of each program is well-formed."""

import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

occc, folder, *programs = sys.argv[1:]
os.makedirs(folder, exist_ok=True)


def graph(program, form):
    path = os.path.join(folder, "graph." + form)
    subprocess.run([occc, "graph", "-w", program, "-o", path], check=True)
    with open(path, encoding="utf-8") as text:
        return text.read()


def check_network(network):
    boxes, wires = network["boxes"], network["wires"]
    assert [box["id"] for box in boxes] == list(range(len(boxes)))
    for box in boxes:
        assert box["parent"] is None or box["parent"] < box["id"], box
        assert box.get("alike", 0) < len(boxes)
    parents = {box["parent"] for box in boxes}
    for wire in wires:
        for end in wire["ends"]:
            assert end["box"] not in parents, "a box with children has an end"
            assert ("direction" in end) == (wire["kind"] in ("channel", "bundle")), wire


for program in programs:
    network = json.loads(graph(program, "json"))
    check_network(network)
    page = graph(program, "html")
    assert page.count("</script>") == 1 and page.rstrip().endswith("</html>")
    assert json.loads(re.search(r"^const network = (.*);$", page, re.M).group(1)) == network
    if shutil.which("dot"):
        assert ElementTree.fromstring(graph(program, "svg")).tag == "{http://www.w3.org/2000/svg}svg"
print(len(programs), "programs")
