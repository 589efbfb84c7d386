#!/usr/bin/env python3
"""Is standard input one SARIF 2.1.0 log and nothing else? What the standard's schema demands of the objects that we use.

usage: check_sarif.py [--results N] < log        prints "rule level line:column" of each result"""

import argparse
import json
import re
import sys

# object -> (properties it must have, properties it may have besides); from the schema of SARIF 2.1.0
SHAPES = {
    "log": ("version runs", "$schema inlineExternalProperties properties"),
    "run": ("tool", "invocations conversion language originalUriBaseIds artifacts logicalLocations results columnKind "
                    "defaultEncoding defaultSourceLanguage newlineSequences"),
    "tool": ("driver", "extensions properties"),
    "driver": ("name", "version semanticVersion informationUri rules notifications organization fullName"),
    "rule": ("id", "name shortDescription fullDescription messageStrings defaultConfiguration helpUri help properties"),
    "configuration": ("", "enabled level rank parameters"),
    "text": ("text", "markdown"),
    "message": ("", "text markdown id arguments"),
    "invocation": ("executionSuccessful", "exitCode commandLine arguments toolExecutionNotifications workingDirectory"),
    "notification": ("message", "level locations timeUtc exception descriptor"),
    "artifact": ("", "location sourceLanguage length roles mimeType contents encoding"),
    "artifactLocation": ("", "uri uriBaseId index description"),
    "result": ("message", "ruleId ruleIndex level kind locations relatedLocations fixes codeFlows partialFingerprints"),
    "location": ("", "id physicalLocation logicalLocations message annotations relationships"),
    "physicalLocation": ("", "artifactLocation region contextRegion address"),
    "region": ("", "startLine startColumn endLine endColumn charOffset charLength byteOffset byteLength snippet message"),
    "fix": ("artifactChanges", "description"),
    "artifactChange": ("artifactLocation replacements", ""),
    "replacement": ("deletedRegion", "insertedContent"),
    "content": ("", "text binary rendered"),
}
LEVELS = {"none", "note", "warning", "error"}
URI = re.compile(r"^([A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$")


class Fault(Exception):
    pass


def demand(condition, words):
    if not condition:
        raise Fault(words)


def shape(kind, value):
    """`value` as an object of that kind, its properties checked."""
    demand(isinstance(value, dict), f"{kind} is no object: {value!r}")
    must, may = (set(words.split()) for words in SHAPES[kind])
    demand(must <= set(value), f"{kind} lacks {sorted(must - set(value))}")
    demand(set(value) <= must | may, f"{kind} cannot have {sorted(set(value) - must - may)}")
    return value


def each(kind, values, least=0):
    demand(isinstance(values, list) and len(values) >= least, f"a list of {kind} was expected: {values!r}")
    return [shape(kind, value) for value in values]


def check_text(kind, value):
    shape(kind, value)
    demand("text" in value or "id" in value, f"{kind} without a text")
    demand(all(isinstance(words, str) for words in value.values()), f"{kind}: {value!r}")


def check_region(region):
    shape("region", region)
    numbers = {key: value for key, value in region.items() if key not in ("snippet", "message")}
    demand(all(isinstance(n, int) and n >= 1 for n in numbers.values()), f"region {numbers}")
    start = (region["startLine"], region.get("startColumn", 1))
    end = (region.get("endLine", start[0]), region.get("endColumn", 10**9))
    demand(start <= end, f"region ends before it begins: {numbers}")
    if "snippet" in region:
        shape("content", region["snippet"])


class Checker:
    def __init__(self, run):
        self.run = run
        self.artifacts = each("artifact", run.get("artifacts", []))
        self.rules = each("rule", run["tool"]["driver"].get("rules", []))

    def check_artifact_location(self, value):
        shape("artifactLocation", value)
        demand(URI.match(value["uri"]), f"no URI: {value['uri']!r}")
        if "index" in value:
            demand(self.artifacts[value["index"]]["location"]["uri"] == value["uri"], "index of another artifact")

    def check_location(self, value):
        shape("location", value)
        if "message" in value:
            check_text("message", value["message"])
        physical = shape("physicalLocation", value["physicalLocation"])
        self.check_artifact_location(physical["artifactLocation"])
        for name in ("region", "contextRegion"):
            if name in physical:
                check_region(physical[name])

    def check_fix(self, value):
        shape("fix", value)
        for change in each("artifactChange", value["artifactChanges"], 1):
            self.check_artifact_location(change["artifactLocation"])
            for replacement in each("replacement", change["replacements"], 1):
                check_region(replacement["deletedRegion"])
                shape("content", replacement.get("insertedContent", {}))

    def check_result(self, value):
        check_text("message", value["message"])
        demand(value["level"] in LEVELS, f"level {value['level']}")
        demand(self.rules[value["ruleIndex"]]["id"] == value["ruleId"], "ruleIndex of another rule")
        for location in each("location", value["locations"]) + each("location", value.get("relatedLocations", [])):
            self.check_location(location)
        for fix in each("fix", value.get("fixes", [])):
            self.check_fix(fix)

    def check(self):
        names = [rule["id"] for rule in self.rules]
        demand(len(names) == len(set(names)), "a rule is there twice")
        for rule in self.rules:
            check_text("text", rule["help"])
            demand(shape("configuration", rule["defaultConfiguration"])["level"] in LEVELS, "level of a rule")
        for artifact in self.artifacts:
            self.check_artifact_location(artifact["location"])
        for invocation in each("invocation", self.run.get("invocations", [])):
            demand(isinstance(invocation["executionSuccessful"], bool), "executionSuccessful is no truth value")
            for notification in each("notification", invocation.get("toolExecutionNotifications", [])):
                check_text("message", notification["message"])
                demand(notification.get("level", "note") in LEVELS, "level of a notification")
        demand(self.run.get("columnKind") in ("utf16CodeUnits", "unicodeCodePoints"), "columnKind")
        for result in each("result", self.run.get("results", [])):
            self.check_result(result)


def check_log(log):
    shape("log", log)
    demand(log["version"] == "2.1.0", f"version {log['version']}")
    for run in each("run", log["runs"], 1):
        shape("driver", shape("tool", run["tool"])["driver"])
        Checker(run).check()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--results", type=int)
    words = parser.parse_args()
    log = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    check_log(log)
    results = [result for run in log["runs"] for result in run["results"]]
    for result in results:
        region = result["locations"][0]["physicalLocation"]["region"] if result["locations"] else {}
        print(result["ruleId"], result["level"], f"{region.get('startLine')}:{region.get('startColumn')}")
    for run in log["runs"]:
        for notification in run["invocations"][0]["toolExecutionNotifications"]:
            print("notification", notification["level"], notification["message"]["text"])
    if words.results is not None:
        demand(len(results) == words.results, f"{len(results)} results, not {words.results}")


if __name__ == "__main__":
    try:
        main()
    except (Fault, KeyError, IndexError, ValueError) as fault:
        sys.exit(f"not SARIF 2.1.0: {type(fault).__name__}: {fault}")
