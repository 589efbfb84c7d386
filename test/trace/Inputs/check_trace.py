"""check_trace.py FILE.json: trace events that Perfetto and Chrome read. Prints what they tell.

Slices of a track follow each other, every arrow begins and ends in a slice of its track, all by pairs."""

import collections
import json
import sys

with open(sys.argv[1], encoding="utf-8") as text:
    events = json.load(text)["traceEvents"]
names = {e["tid"]: e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
tracks = collections.defaultdict(list)
for event in events:
    if event["ph"] == "X":
        assert event["dur"] > 0
        tracks[event["tid"]].append((event["ts"], event["ts"] + event["dur"], event["cat"]))
for spans in tracks.values():
    spans.sort()
    for before, after in zip(spans, spans[1:]):
        assert before[1] <= after[0] + 0.002, (before, after)
arrows = collections.defaultdict(dict)
for event in events:
    if event["ph"] in "sf":
        arrows[event["id"]][event["ph"]] = event
        assert any(low - 0.002 <= event["ts"] <= high + 0.002 for low, high, _ in tracks[event["tid"]]), event
assert all(len(pair) == 2 and pair["s"]["tid"] != pair["f"]["tid"] for pair in arrows.values())
between = collections.Counter((names[p["s"]["tid"]].split("[")[0].split(" ")[0], names[p["f"]["tid"]].split("[")[0].split(" ")[0]) for p in arrows.values())
for (source, target), count in sorted(between.items()):
    print(f"{source} -> {target}: {count}")
print("tracks:", len(names))
print("phases:", sum(e["ph"] == "i" for e in events))
