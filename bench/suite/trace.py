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


def breakdown(trace, regions):
    """Mean per region, in ms, and the bytes copied per region. A copy call's time counts as
    copying where no kernel runs: the host then moves pageable memory, or waits for the copy."""
    if not regions:
        return None
    inside = union(regions)
    kernels = common(union(trace["kernel"]), inside)
    moves = common(union(trace["copy"]), inside)
    copies = common(union(trace["copy"] + trace["call"]), inside)
    total = length(inside)
    both = length(common(moves, kernels))
    kernel = length(kernels) - both
    copy = length(copies) - length(common(copies, kernels))
    first, last = inside[0][0], inside[-1][1]
    moved = sum(size for start, end, size in trace["copy"] if start >= first and end <= last)
    scale = 1e6 * len(regions)
    return {"region_ms": total / scale, "kernel_ms": kernel / scale, "copy_ms": copy / scale,
            "overlap_ms": both / scale, "other_ms": (total - kernel - copy - both) / scale,
            "copy_fraction": (copy + both) / total, "copy_bytes": moved / len(regions)}


def whole(trace, milliseconds):
    """The same for an example, of which only the time of its loop is known: all that was
    copied in the process, by that time."""
    copy = length(union(trace["copy"])) / 1e6
    kernel = length(union(trace["kernel"])) / 1e6
    return {"region_ms": milliseconds, "kernel_ms": min(kernel, milliseconds - copy),
            "copy_ms": copy, "overlap_ms": 0.0,
            "other_ms": max(0.0, milliseconds - copy - kernel),
            "copy_fraction": copy / milliseconds if milliseconds else None,
            "copy_bytes": sum(size for _, _, size in trace["copy"])}
