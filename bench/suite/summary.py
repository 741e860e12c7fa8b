# Statistics of the suite.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the processes' samples to one row per benchmark and variant. What was not measured, or
what the noise hides, is null: no number here is a guess."""

import statistics

TOLERANCE = 1e-5  # of a checksum, relative to the baseline's
QUANTILES = (1, 5, 25, 50, 75, 95, 99)


def percentile(values, percent):
    """By linear interpolation between the two nearest ranks."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * percent / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def mean_and_sd(process_means):
    """Mean, and sample standard deviation over process means (null for one process)."""
    mean = statistics.fmean(process_means)
    return mean, statistics.stdev(process_means) if len(process_means) > 1 else None


def recovered(baseline, this, best, noise):
    """The share of the gain of the best hand-optimized variant; null where that gain is no
    more than the noise, or where nothing says how large that is."""
    if None in (baseline, this, best, noise) or baseline - best <= noise:
        return None
    return (baseline - this) / (baseline - best)


def amdahl(points):
    """How well S = 1 / (1 - f) explains measured (f, S): the coefficient of determination of
    that curve, and of the least-squares one S = 1 / (1 - a f). Null for fewer than 3 points."""
    points = [(f, s) for f, s in points if f is not None and s is not None and f < 1]
    if len(points) < 3:
        return {"points": len(points), "r2": None, "a": None, "r2_fit": None}
    # 1 - 1/S = a f is a straight line through the origin.
    weight = sum(f * f for f, _ in points)
    a = sum(f * (1 - 1 / s) for f, s in points) / weight if weight else None
    return {"points": len(points), "r2": r_squared(points, 1.0), "a": a,
            "r2_fit": r_squared(points, a) if a is not None else None}


def r_squared(points, a):
    mean = statistics.fmean(s for _, s in points)
    spread = sum((s - mean) ** 2 for _, s in points)
    if not spread or any(a * f >= 1 for f, _ in points):
        return None
    return 1 - sum((s - 1 / (1 - a * f)) ** 2 for f, s in points) / spread


def same(checksum, baseline):
    if checksum is None or baseline is None:
        return None
    return abs(checksum - baseline) <= TOLERANCE * max(abs(baseline), 1e-30)


def capacity(variant, runs, pairs):
    """Bytes of all buffers of the pairs: two each, or one where they merged. Null for the
    examples, which do not say, and where only a part merged."""
    size = next((r["pair_bytes"] for r in runs if r.get("pair_bytes")), None)
    if size is None or not pairs:
        return None
    if variant.name == "baseline" or (variant.name, variant.build) == ("manual", "pinned"):
        return 2 * size
    if variant.name == "manual":
        return size
    merged = {r.get("merged") for r in runs}
    return size if merged == {pairs} else 2 * size if merged == {0} else None


def row(bench, variant, runs, traced):
    """One variant of one benchmark by itself. `runs` are the timed processes, `traced` is the
    breakdown of the traced ones, or null."""
    good = [r for r in runs if "error" not in r and "not_here" not in r]
    result = {"bench": bench.name, "variant": variant.name, "backing": variant.backing,
              "got": None, "processes": len(good),
              "iterations": len(good[0]["region_ms"]) if good else None}
    problems = [r.get("error") or r.get("not_here") for r in runs if r not in good]
    if problems:
        result["problem"] = problems[0]
    fields = ("mean_ms", "sd_ms", "p50_ms", "p99_ms", "quantiles_ms", "undisturbed_ms",
              "loop_mean_ms", "throughput", "speedup", "undisturbed_speedup", "loop_speedup",
              "recovered", "undisturbed_recovered", "recovered_bytes", "checksum", "checksum_ok",
              "copy_fraction", "undisturbed_copy_fraction", "copy_bytes", "copy_bytes_removed", "capacity_bytes", "energy_mj",
              "breakdown")
    result.update(dict.fromkeys(fields))
    if not good:
        return result
    result["got"] = "/".join(sorted({r["got"] for r in good if r.get("got")})) or None
    result["mean_ms"], result["sd_ms"] = mean_and_sd([statistics.fmean(r["region_ms"]) for r in good])
    pooled = [t for r in good for t in r["region_ms"]]
    result["p50_ms"], result["p99_ms"] = percentile(pooled, 50), percentile(pooled, 99)
    result["quantiles_ms"] = {str(q): percentile(pooled, q) for q in QUANTILES}
    result["undisturbed_ms"] = result["quantiles_ms"]["1"]
    result["loop_mean_ms"] = statistics.fmean(statistics.fmean(r["loop_ms"]) for r in good)
    result["throughput"] = 1000 / result["loop_mean_ms"] if result["loop_mean_ms"] else None
    result["checksum"] = good[0]["checksum"]
    energies = [r["energy_mj"] for r in good if r.get("energy_mj") is not None]
    result["energy_mj"] = statistics.fmean(energies) if energies else None
    result["capacity_bytes"] = capacity(variant, good, bench.pairs)
    if traced:
        shares = ("copy_fraction", "undisturbed_copy_fraction", "copy_bytes")
        result.update({key: traced.get(key) for key in shares})
        if traced["region_ms"]:
            result["breakdown"] = {k: v for k, v in traced.items() if k.endswith("_ms")}
    return result


def compare(rows):
    """Fills in what one row says only beside the baseline and the best hand-optimized one of
    its benchmark."""
    base = next((r for r in rows if r["variant"] == "baseline"), None)
    if base is None or base["mean_ms"] is None:
        return
    manual = [r for r in rows if r["variant"] == "manual" and r["mean_ms"]]
    best = min(manual, key=lambda r: r["mean_ms"], default=None)
    least = min((r["undisturbed_ms"] for r in manual), default=None)
    copies = [r["copy_bytes"] for r in manual if r["copy_bytes"] is not None]
    for r in rows:
        if r["mean_ms"] is None:
            continue
        r["checksum_ok"] = same(r["checksum"], base["checksum"])
        r["speedup"] = base["mean_ms"] / r["mean_ms"]
        r["undisturbed_speedup"] = base["undisturbed_ms"] / r["undisturbed_ms"]
        r["loop_speedup"] = base["loop_mean_ms"] / r["loop_mean_ms"]
        if None not in (r["copy_bytes"], base["copy_bytes"]):
            r["copy_bytes_removed"] = base["copy_bytes"] - r["copy_bytes"]
        if r["variant"] not in ("sr", "dr"):
            continue
        if best is not None:
            deviations = [base["sd_ms"], best["sd_ms"]]
            noise = None if None in deviations else 2 * max(deviations)
            r["recovered"] = recovered(base["mean_ms"], r["mean_ms"], best["mean_ms"], noise)
        r["undisturbed_recovered"] = recovered(base["undisturbed_ms"], r["undisturbed_ms"], least, 0)
        if copies:  # bytes are exact
            r["recovered_bytes"] = recovered(base["copy_bytes"], r["copy_bytes"], min(copies), 0)


def fit(rows, kind=""):
    """Amdahl's law over the benchmarks in which Echo's own choice removed every copy: the
    baseline's copy fraction against the rows' speedup. `kind` "undisturbed_": both of what
    other load disturbed least."""
    base = {r["bench"]: r[kind + "copy_fraction"] for r in rows if r["variant"] == "baseline"}
    return amdahl([(base.get(r["bench"]), r[kind + "speedup"]) for r in rows
                   if r["variant"] == "sr" and r["backing"] == "auto" and r["copy_bytes"] == 0 and
                   base.get(r["bench"])])
