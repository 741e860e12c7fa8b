#!/usr/bin/env python3
"""Checks logs of SARIF 2.1.0: what the standard's schema and its prose require of
the objects that echo-cc writes, and what code hosts refuse besides.

Usage: check-sarif.py RESULTS FILE. RESULTS is how many results the log must have.
Prints a line for each breach; the exit status is 1 where there is one.

SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""
import json
import re
import sys

SCHEMA = re.compile(r"https://docs\.oasis-open\.org/sarif/sarif/v2\.1\.0/.*sarif-schema-2\.1\.0\.json")
# RFC 3986: an absolute file URI, or a relative path whose first part has no ':'.
URI = re.compile(r"(file:///)?(?![/:])(([A-Za-z0-9._~-]|%[0-9A-F]{2})+(/|$))+")
KINDS = ("notApplicable", "pass", "fail", "review", "open", "informational")
LEVELS = ("none", "note", "warning", "error")
# Object by object: the properties that echo-cc may write. * are required.
PROPERTIES = {
    "log": "$schema version* runs*",
    "run": "tool* results* originalUriBaseIds",
    "tool": "driver*",
    "driver": "name* version rules*",
    "rule": "id* shortDescription* fullDescription* help*",
    "message": "text*",
    "result": "ruleId* kind* level* message* locations* relatedLocations properties* fixes",
    "properties": "unit* folder",
    "location": "id message physicalLocation",
    "physicalLocation": "artifactLocation* region",
    "artifactLocation": "uri* uriBaseId",
    "region": "startLine* startColumn* endLine endColumn",
    "fix": "description* artifactChanges*",
    "artifactChange": "artifactLocation* replacements*",
    "replacement": "deletedRegion* insertedContent*",
}
breaches, bases = [], {}


def check(good, place, what):
    if not good:
        breaches.append(f"{place}: {what}")


def members(kind, value, place):
    """The object `value`, which must have the properties of `kind`."""
    words = PROPERTIES[kind].split()
    known = {word.rstrip("*") for word in words}
    required = {word.rstrip("*") for word in words if word.endswith("*")}
    if not isinstance(value, dict):
        check(False, place, f"is no {kind}")
        return {}
    check(required <= value.keys(), place, f"lacks {sorted(required - value.keys())}")
    check(value.keys() <= known, place, f"has {sorted(value.keys() - known)}")
    return value


def text(value, place):
    check(isinstance(value, str) and value.strip(), place, "is no text")


def message(value, place):
    text(members("message", value, place).get("text"), place + ".text")


def artifact(value, place):
    own = members("artifactLocation", value, place)
    uri, base = own.get("uri"), own.get("uriBaseId")
    check(isinstance(uri, str) and URI.fullmatch(uri), place, f"'{uri}' is no URI of a file")
    check(base is None or (base in bases and not uri.startswith("file:")), place, f"'{base}' is no base of '{uri}'")


def location(value, place, ids):
    own = members("location", value, place)
    if ids is not None:
        check(isinstance(own.get("id"), int) and own["id"] >= 0 and own["id"] not in ids, place, "its id is none")
        ids.add(own.get("id"))
        message(own.get("message"), place + ".message")
    if "physicalLocation" not in own:
        return
    physical = members("physicalLocation", own["physicalLocation"], place)
    artifact(physical.get("artifactLocation"), place)
    if "region" in physical:
        region(physical["region"], place)


def region(value, place):
    for name, number in members("region", value, place).items():
        check(type(number) is int and number >= 1, place, f"{name} is {number}")


def fix(value, place):
    own = members("fix", value, place)
    message(own.get("description"), place + ".description")
    for change in own.get("artifactChanges", []):
        artifact(members("artifactChange", change, place).get("artifactLocation"), place)
        check(change.get("replacements"), place, "replaces nothing")
        for each in change.get("replacements", []):
            replacement = members("replacement", each, place)
            region(replacement.get("deletedRegion"), place)
            content = members("message", replacement.get("insertedContent"), place).get("text")
            check(isinstance(content, str), place, "inserts no text")


def result(value, place, rules):
    own = members("result", value, place)
    kind, level = own.get("kind"), own.get("level")
    check(own.get("ruleId") in rules, place, f"no rule is called {own.get('ruleId')}")
    check(kind in KINDS and level in LEVELS, place, f"{kind}, {level}")
    # 3.27.10: a level is that of a failure.
    check((kind == "fail") == (level != "none"), place, f"{kind} does not go with {level}")
    message(own.get("message"), place + ".message")
    text(members("properties", own.get("properties"), place).get("unit"), place + ".unit")
    check(len(own.get("locations", [])) == 1, place, "has not one location")
    for at in own.get("locations", []):
        location(at, place, None)
    for number, each in enumerate(own.get("fixes", [])):
        fix(each, f"{place}.fixes[{number}]")
    ids = set()
    for number, at in enumerate(own.get("relatedLocations", [])):
        location(at, f"{place}.relatedLocations[{number}]", ids)


def main(wanted, file):
    with open(file, encoding="utf-8") as stream:
        log = members("log", json.load(stream), "log")
    check(SCHEMA.fullmatch(log.get("$schema", "")), "log", "$schema is none of the standard")
    check(log.get("version") == "2.1.0", "log", "version")
    check(len(log.get("runs", [])) == 1, "log", "has not one run")
    run = members("run", log["runs"][0], "run")
    driver = members("driver", members("tool", run.get("tool"), "tool").get("driver"), "driver")
    text(driver.get("name"), "driver.name")
    rules = [members("rule", rule, f"rules[{number}]") for number, rule in enumerate(driver.get("rules", []))]
    for rule in rules:
        text(rule.get("id"), "rule")
        for name in ("shortDescription", "fullDescription", "help"):
            message(rule.get(name), f"rule {rule.get('id')}.{name}")
    names = [rule.get("id") for rule in rules]
    check(len(set(names)) == len(names), "rules", "two have one id")
    bases.update(run.get("originalUriBaseIds", {}))
    for base, at in bases.items():
        artifact(at, base)
        # 3.14.14: else its last part would be taken for a file's.
        check(at.get("uri", "").endswith("/") and at["uri"].startswith("file:"), base, "is no folder")
    results = run.get("results", [])
    check(len(results) == int(wanted), "results", f"{len(results)}, not {wanted}")
    for number, each in enumerate(results):
        result(each, f"results[{number}]", names)
    print("\n".join(breaches) or f"{len(results)} results, {len(names)} rules: SARIF 2.1.0")
    return bool(breaches)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
