# What a traced process spent its primary region on.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divides the time of the regions into kernels, copies, both at once, and the rest, by the
intervals that trace/cupti.cpp or trace/wrap.c recorded."""

import csv


def read(path):
    """{kind: [(start, end, bytes)]} of a trace."""
    kinds = {"kernel": [], "copy": [], "call": []}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            kinds[row["kind"]].append((int(row["start"]), int(row["end"]), int(row["bytes"])))
    return kinds


def union(intervals):
    """The same instants as sorted intervals that do not meet."""
    merged = []
    for start, end in sorted((i[0], i[1]) for i in intervals):
        if end <= start:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def common(a, b):
    """What two unions have in common."""
    found, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        start, end = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if start < end:
            found.append((start, end))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return found


def length(intervals):
    return sum(end - start for start, end in intervals)


def busy(trace):
    """The instants of a trace in kernels, in copies or their calls, and in copies alone."""
    return union(trace["kernel"]), union(trace["copy"] + trace["call"]), union(trace["copy"])


def divide(instants, inside):
    """Instants of `inside`, of those that busy() gives, in kernels only, in copies only, in both. A copy
    call's time counts as copying where no kernel runs: the host then moves pageable memory, or waits for the copy."""
    kernels, copies, moves = (common(part, inside) for part in instants)
    both = length(common(moves, kernels))
    return length(kernels) - both, length(copies) - length(common(copies, kernels)), both


def parts(total, kernel, copy, both, moved, scale):
    """The breakdown's fields: ms, bytes, and the copies' share."""
    rest = max(0, total - kernel - copy - both)
    return {"region_ms": total / scale, "kernel_ms": kernel / scale, "copy_ms": copy / scale,
            "overlap_ms": both / scale, "other_ms": rest / scale,
            "copy_fraction": (copy + both) / total, "copy_bytes": moved}


def breakdown(trace, regions):
    """Mean per region, in ms, the bytes copied per region, and each region's ms and ms of copies."""
    if not regions:
        return None
    inside = union(regions)
    first, last = inside[0][0], inside[-1][1]
    moved = sum(size for start, end, size in trace["copy"] if start >= first and end <= last)
    instants = busy(trace)
    each = []
    for region in regions:
        _, copy, both = divide(instants, [region])
        each.append((length([region]) / 1e6, (copy + both) / 1e6))
    return {**parts(length(inside), *divide(instants, inside), moved / len(regions), 1e6 * len(regions)),
            "regions": each}


def combine(found):
    """One breakdown of those of several processes: means, and the copies' share of the quickest tenth
    of all regions, which other load disturbed least. None if there is none."""
    found = [f for f in found if f]
    whole_ones = [f for f in found if f["region_ms"]]
    if not whole_ones:
        return found[0] if found else None
    result = {key: sum(f[key] for f in whole_ones) / len(whole_ones)
              for key in whole_ones[0] if key.endswith("_ms")}
    result["copy_bytes"] = whole_ones[0]["copy_bytes"]
    result["copy_fraction"] = (result["copy_ms"] + result["overlap_ms"]) / result["region_ms"]
    regions = sorted(tuple(region) for f in whole_ones for region in f.get("regions", ()))
    if regions:
        quickest = regions[:max(1, len(regions) // 10)]
        result["undisturbed_copy_fraction"] = \
            sum(copy for _, copy in quickest) / sum(total for total, _ in quickest)
    return result


def whole(trace, milliseconds):
    """The same for an example, of which only the time of its loop is known: all that the
    process copied and ran, by that time. The bytes alone where that is
    more than the time holds."""
    everything = [i for kind in trace.values() for i in kind]
    kernel, copy, both = divide(busy(trace), union(everything))
    total = milliseconds * 1e6
    moved = sum(size for _, _, size in trace["copy"])
    if kernel + copy + both > total:
        return {"copy_bytes": moved, "copy_fraction": None, "region_ms": None}
    return parts(total, kernel, copy, both, moved, 1e6)
