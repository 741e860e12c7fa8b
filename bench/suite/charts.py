# The plots of the report, as SVG.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Latency boxes, breakdowns, and speedup against copy fraction. Each function takes result rows
and gives one self-contained SVG, or null if the rows hold nothing to draw."""

import html
import math

INK, FAINT, GRID = "#1d2733", "#5b6773", "#dfe4ea"
COLORS = {"baseline": "#7b8794", "sr": "#0b7285", "manual": "#e8890c", "dr": "#7048a8"}
PARTS = (("kernel_ms", "kernel", "#0b7285"), ("overlap_ms", "kernel and copy", "#74b9c2"),
         ("copy_ms", "copy", "#d9480f"), ("other_ms", "other", "#b8c1cb"))
FONT = "font-family='Helvetica, Arial, sans-serif'"


def label(row):
    if row["variant"] == "baseline":
        return "baseline"
    if row["variant"] == "manual":
        return f"by hand, {row['backing']}"
    if row["variant"] == "dr":
        return "echo-run"
    return "Echo" if row["backing"] == "auto" else f"Echo, {row['backing']}"


class Canvas:
    """Collects shapes."""

    def __init__(self, width, height, title):
        self.width, self.height, self.shapes = width, height, []
        self.text(12, 22, title, size=15, weight="bold")

    def text(self, x, y, text, size=12, anchor="start", color=INK, weight="normal"):
        self.shapes.append(f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{color}' "
                           f"text-anchor='{anchor}' font-weight='{weight}'>"
                           f"{html.escape(str(text))}</text>")

    def line(self, x1, y1, x2, y2, color=INK, width=1.0, dash=""):
        self.shapes.append(f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' "
                           f"stroke='{color}' stroke-width='{width}'"
                           + (f" stroke-dasharray='{dash}'" if dash else "") + "/>")

    def box(self, x, y, width, height, color, opacity=1.0):
        self.shapes.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{max(width, 0):.1f}' "
                           f"height='{height:.1f}' fill='{color}' fill-opacity='{opacity}'/>")

    def dot(self, x, y, radius, color):
        self.shapes.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{color}'/>")

    def path(self, points, color):
        steps = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.shapes.append(f"<polyline points='{steps}' fill='none' stroke='{color}' "
                           "stroke-width='1.5'/>")

    def svg(self):
        return (f"<svg xmlns='http://www.w3.org/2000/svg' width='{self.width}' "
                f"height='{self.height:.0f}' viewBox='0 0 {self.width} {self.height:.0f}' {FONT}>"
                f"<rect width='100%' height='100%' fill='white'/>{''.join(self.shapes)}</svg>\n")


def ticks(most, count=5):
    """Round numbers from 0 to about `most`."""
    if most <= 0:
        return [0, 1]
    rough = most / count
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= rough * 0.999)
    return [i * step for i in range(math.ceil(most / step - 1e-9) + 1)]


def benches(rows):
    return list(dict.fromkeys(r["bench"] for r in rows))


def latency(rows):
    """For each benchmark a box per variant: quartiles, median, and whiskers from the 5th to
    the 95th percentile, of the primary region."""
    rows = [r for r in rows if r["quantiles_ms"]]
    if not rows:
        return None
    line, left, width, right = 19, 178, 760, 70
    names = benches(rows)
    canvas = Canvas(width, 40 + sum(46 + line * sum(r["bench"] == n for r in rows) for n in names),
                    "Latency of the primary region, ms")
    y = 44
    for name in names:
        mine = [r for r in rows if r["bench"] == name]
        # What is far beyond the others would make them all look alike.
        shown = sorted(r["quantiles_ms"]["95"] for r in mine)
        most = min(shown[-1], 3 * shown[len(shown) // 2])
        marks = ticks(most, 4)
        span = width - left - right

        def at(value):
            return left + span * min(value, marks[-1]) / marks[-1]
        canvas.text(12, y + 4, name, 13, weight="bold")
        for mark in marks:
            canvas.line(at(mark), y + 6, at(mark), y + 8 + line * len(mine), GRID)
            canvas.text(at(mark), y + 2, f"{mark:g}", 10, "middle", FAINT)
        y += 8
        for r in mine:
            q, middle, color = r["quantiles_ms"], y + line / 2, COLORS[r["variant"]]
            canvas.text(left - 8, middle + 4, label(r), 11, "end")
            canvas.line(at(q["5"]), middle, at(q["95"]), middle, color)
            canvas.box(at(q["25"]), y + 4, max(at(q["75"]) - at(q["25"]), 1.5), line - 8, color, 0.55)
            canvas.line(at(q["50"]), y + 3, at(q["50"]), y + line - 3, color, 2)
            canvas.text(width - right + 10, middle + 4, f"{q['50']:.4g}" +
                        (" →" if q["50"] > marks[-1] else ""), 11, color=FAINT)
            y += line
        y += 38
    return canvas.svg()


def breakdown(rows):
    """Per benchmark, relative to the baseline's traced region: what baseline, Echo's own choice
    and the best variant by hand spend their time on."""
    chosen = []
    for name in benches(rows):
        mine = [r for r in rows if r["bench"] == name and r["breakdown"] and r["mean_ms"]]
        base = [r for r in mine if r["variant"] == "baseline"]
        hand = sorted((r for r in mine if r["variant"] == "manual"), key=lambda r: r["mean_ms"])
        if base:
            echo = [r for r in mine if r["variant"] == "sr" and r["backing"] == "auto"]
            chosen.append((name, base[0]["breakdown"]["region_ms"], base + echo + hand[:1]))
    if not chosen:
        return None
    line, left, width = 19, 178, 760
    canvas = Canvas(width, 84 + sum(16 + line * len(mine) for _, _, mine in chosen),
                    "Where the time of the primary region goes (baseline = 100 %)")
    x = left
    for _, text, color in PARTS:
        canvas.box(x, 34, 12, 12, color)
        canvas.text(x + 17, 44, text, 11)
        x += 40 + 6.4 * len(text)
    y, span = 62, width - left - 60
    for name, whole, mine in chosen:
        canvas.text(12, y + 13, name, 13, weight="bold")
        scale = span / max([whole] + [r["breakdown"]["region_ms"] for r in mine])
        for r in mine:
            parts, x = r["breakdown"], left
            canvas.text(left - 8, y + 13, label(r), 11, "end")
            for key, _, color in PARTS:
                canvas.box(x, y + 3, parts[key] * scale, line - 6, color)
                x += max(parts[key], 0) * scale
            canvas.text(x + 6, y + 13, f"{100 * parts['region_ms'] / whole:.0f} %", 11, color=FAINT)
            y += line
        y += 16
    return canvas.svg()


def amdahl(rows, fit):
    """Speedup of Echo's own choice against the baseline's copy fraction, and 1 / (1 - f)."""
    base = {r["bench"]: r["copy_fraction"] for r in rows if r["variant"] == "baseline"}
    points = [(base[r["bench"]], r["speedup"], r["bench"], r["copy_bytes"] == 0) for r in rows
              if r["variant"] == "sr" and r["backing"] == "auto" and r["speedup"] and
              base.get(r["bench"]) is not None]
    if not points:
        return None
    width, height, left, bottom = 560, 400, 56, 344
    most = max(2.0, 1.15 * max(p[1] for p in points))
    marks = [m for m in ticks(most) if m <= most * 1.001] or [0, 1]
    canvas = Canvas(width, height, "Speedup against the share of copies")

    def at(f, s):
        return left + (width - left - 30) * f, bottom - (bottom - 50) * s / most
    for mark in marks:
        canvas.line(left, at(0, mark)[1], width - 30, at(0, mark)[1], GRID)
        canvas.text(left - 8, at(0, mark)[1] + 4, f"{mark:g}x", 11, "end", FAINT)
    for tenth in range(0, 11, 2):
        canvas.text(at(tenth / 10, 0)[0], bottom + 18, f"{10 * tenth} %", 11, "middle", FAINT)
    end = 1 - 1 / most
    canvas.path([at(end * i / 100, 1 / (1 - end * i / 100)) for i in range(101)], INK)
    canvas.text(at(end, 0)[0] - 6, 46, "1 / (1 - f)", 11, "end", FAINT)
    for f, s, name, all_removed in sorted(points):
        x, y = at(f, s)
        canvas.dot(x, y, 4.5, COLORS["sr"] if all_removed else COLORS["manual"])
        canvas.text(x + 6, y + 15, name, 11)
    canvas.text((left + width - 30) / 2, height - 14, "copy fraction f of the baseline", 12, "middle")
    if fit["r2"] is not None:
        canvas.text(left + 12, 66, f"R² = {fit['r2']:.3f} over {fit['points']} points", 12)
    if not all(p[3] for p in points):
        canvas.dot(left + 16, 82, 4.5, COLORS["manual"])
        canvas.text(left + 26, 86, "copies stay: not of the curve", 11, color=FAINT)
    return canvas.svg()


def all_of(result):
    """{name: SVG} of all that there is to draw."""
    rows = result["results"]
    drawn = {"latency": latency(rows), "breakdown": breakdown(rows),
             "amdahl": amdahl(rows, result["amdahl"])}
    return {name: svg for name, svg in drawn.items() if svg}
