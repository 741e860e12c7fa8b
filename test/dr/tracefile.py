# Reads a trace (runtime/abi/DrTrace.h) and writes a plan for its pairs: what the
# end-to-end tests of libecho-dr.so need of echo-run, without its judgement.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""trace(FILE) -> Trace; plan(TRACE, CHOICE, FILE) writes a plan that takes every pair of it."""
import json
import os
import re
import struct

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADER = struct.Struct("<8sIIIIQQQQQQIIQQiiII64s128s256s64s1024s")
RECORD = struct.Struct("<BBHiQQQQQQQ")


def table(macro):
    """Number -> name of one of DrTrace.def's tables."""
    text = open(os.path.join(ROOT, "runtime", "abi", "DrTrace.def")).read()
    return {int(n): name for name, n in re.findall(r"^%s\((\w+), (\d+)" % macro, text, re.M)}


class Trace:
    """Header fields and records of a trace file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        fields = HEADER.unpack_from(data)
        def text_of(raw):
            return raw.split(b"\0")[0].decode()
        self.magic, self.dropped, self.pid = fields[0], fields[7], fields[11]
        self.executable, self.interposer, self.driver, self.runtime = fields[13:17]
        self.finished = fields[17]
        self.host, self.device, self.visible, _, self.path = map(text_of, fields[19:])
        kinds, self.records, self.text = table("DR_RECORD"), [], ""
        self.kernels, named = {}, None  # function -> mangled name
        for at in range(4096, len(data) - 63, 64):
            record = RECORD.unpack_from(data, at)
            if record[0]:
                self.records.append((kinds[record[0]],) + record[1:])
            if not record[0]:
                continue
            if kinds[record[0]] == "Text":
                text = data[at + 24:at + 24 + record[1]].decode(errors="replace")
                self.text += text
                if named:
                    self.kernels[named] += text
                continue
            named = record[7] if kinds[record[0]] == "Kernel" else None
            if named:
                self.kernels[named] = ""

    def count(self, kind):
        return sum(1 for r in self.records if r[0] == kind)

    def joins(self, host, device):
        """Which of the pair's sides is allocated second, as plans say it."""
        seen = {}
        for number, record in enumerate(self.records):
            for kind, site in (("HostAlloc", host), ("DeviceAlloc", device)):
                if record[0] == kind and (record[6], record[9]) == site:
                    seen.setdefault(kind, number)
        return ["device" if seen["HostAlloc"] < seen["DeviceAlloc"] else "host"]

    def pairs(self):
        """((host site, bytes), (device site, bytes)) -> {(copy site, direction)}."""
        host, device, found = {}, {}, {}
        for kind, flags, _, _, _, _, site, a, b, size, _ in self.records:
            if kind in ("HostAlloc", "DeviceAlloc"):
                (host if kind == "HostAlloc" else device)[a] = (site, size)
            elif kind == "Copy" and flags & 7 in (1, 2):
                h, d = (b, a) if flags & 7 == 1 else (a, b)
                if h in host and d in device:
                    name = "H2D" if flags & 7 == 1 else "D2H"
                    found.setdefault((host[h], device[d]), set()).add((site, name))
        return found


def fnv1a(data):
    value = 14695981039346656037
    for byte in data:
        value = ((value ^ byte) * 1099511628211) & (2**64 - 1)
    return value


def write_plan(whole, path):
    """Writes a plan with the checksum that it needs, whatever checksum it has."""
    text = json.dumps({k: v for k, v in whole.items() if k != "checksum"}, indent=2)[:-2] + ",\n  "
    with open(path, "w") as out:
        out.write(text + '"checksum": "%016x"\n}\n' % fnv1a(text.encode()))


def plan(trace, choice, path, change=None):
    """Writes the plan; `change` may alter it first. Returns the number of pairs."""
    digits = "{:016x}".format
    pairs = []
    for (host, device), copies in trace.pairs().items():
        pairs.append({
            "id": len(pairs) + 1, "host_site": digits(host[0]), "device_site": digits(device[0]),
            "bytes": host[1], "device_bytes": device[1], "host_may_change": False,
            "open": [choice], "choice": choice, "disabled": None, "validated": True,
            "joins": trace.joins(host, device),
            "copies": [{"site": digits(s), "direction": d, "wait": "order"} for s, d in copies]})
    program = {"path": trace.path, "hash": digits(trace.executable)}
    whole = {"echo": "test", "plan": 3, "context": {
        "command": program, "script": {"path": "", "hash": digits(0)}, "arguments": [],
        "executable": program, "interposer": digits(trace.interposer), "host": trace.host,
        "device": trace.device, "runtime": trace.runtime, "driver": trace.driver,
        "visible_devices": trace.visible}, "portable": False, "enabled": True, "why": "",
        "loop_site": digits(0), "pairs": pairs}
    if change:
        change(whole)
    write_plan(whole, path)
    return len(pairs)
