# The report as one self-contained HTML page.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables and plots of one or more results. A value that was not measured is a dash."""

import html

from . import charts

STYLE = """
body { font: 14px/1.5 Helvetica, Arial, sans-serif; color: #1d2733; max-width: 1180px;
       margin: 2em auto; padding: 0 1em; }
h1 { font-size: 22px; } h2 { font-size: 17px; margin-top: 2em; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 2px 9px; text-align: right; border-bottom: 1px solid #dfe4ea; }
th { border-bottom: 2px solid #7b8794; font-weight: 600; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2), td.text { text-align: left; }
tr.first td { border-top: 1px solid #7b8794; }
.scroll { overflow-x: auto; } .bad { color: #b3261e; font-weight: 600; } .faint { color: #5b6773; }
svg { max-width: 100%; height: auto; display: block; margin: 1em 0; }
"""
MIB = 1 / 2**20
COLUMNS = (  # heading, what the row holds, factor, format
    ("mean ms", "mean_ms", 1, ".3f"), ("SD", "sd_ms", 1, ".3f"), ("p50", "p50_ms", 1, ".3f"),
    ("p99", "p99_ms", 1, ".3f"), ("speedup", "speedup", 1, ".3f"),
    ("loop speedup", "loop_speedup", 1, ".3f"), ("recovered %", "recovered", 100, ".1f"),
    ("in bytes %", "recovered_bytes", 100, ".1f"),
    ("iterations/s", "throughput", 1, ".1f"), ("copies %", "copy_fraction", 100, ".1f"),
    ("copied MiB", "copy_bytes", MIB, ".2f"), ("buffers MiB", "capacity_bytes", MIB, ".2f"),
    ("mJ", "energy_mj", 1, ".1f"))


def cell(value, factor, form):
    return "<td>-</td>" if value is None else f"<td>{value * factor:{form}}</td>"


def row(r, first):
    if r["mean_ms"] is None:
        rest = f"<td colspan='{len(COLUMNS) + 1}' class='text faint'>" \
            f"{html.escape(r.get('problem', 'not run'))}</td>"
    else:
        rest = "".join(cell(r[key], factor, form) for _, key, factor, form in COLUMNS)
        rest += {True: "<td>equal</td>", False: "<td class='bad'>DIFFERS</td>",
                 None: "<td>-</td>"}[r["checksum_ok"]]
    got = f" <span class='faint'>({html.escape(r['got'])})</span>" if r["got"] else ""
    return (f"<tr class='{'first' if first else ''}'><td>{r['bench'] if first else ''}</td>"
            f"<td>{html.escape(charts.label(r))}{got}</td>{rest}</tr>")


def table(rows):
    head = "".join(f"<th>{title}</th>" for title, *_ in COLUMNS)
    lines, last = [], None
    for r in rows:
        lines.append(row(r, r["bench"] != last))
        last = r["bench"]
    return (f"<div class='scroll'><table><tr><th>bench</th><th>variant</th>{head}<th>checksum</th>"
            f"</tr>{''.join(lines)}</table></div>")


def facts(result):
    machine, protocol = result["machine"], result["protocol"]
    parts = [machine["date"], machine["cpu"], f"{machine['threads']} threads",
             f"driver {machine['driver']}" if machine.get("driver") else None,
             f"commit {machine['commit'][:12]}" if machine.get("commit") else None,
             f"up to {protocol['processes']} processes of {protocol['warmup']} + "
             f"{protocol['iterations']} iterations, load before {machine['load_before']}"]
    gpu = machine.get("gpu") or {}
    parts += [f"{k} {v}" for k, v in gpu.get("attributes", {}).items()]
    return html.escape(" · ".join(p for p in parts if p))


def section(result):
    """One machine's results."""
    fit = result["amdahl"]
    law = (f"Amdahl, S = 1 / (1 - f): R² = {fit['r2']:.3f} over {fit['points']} benchmarks."
           if fit["r2"] is not None else
           f"No Amdahl fit: copies of {fit['points']} benchmarks were removed and measured.")
    what = "; ".join(f"{name}: {text}" for name, text in result["what"].items() if text != "example")
    notes = "".join(f"<li>{html.escape(n)}</li>" for n in result["notes"])
    return (f"<h2>{html.escape(result['machine']['device'])}</h2><p class='faint'>{facts(result)}</p>"
            f"{table(result['results'])}<p>{html.escape(law)} {html.escape(what)}. Times are of the "
            "primary region (uploads, GPU work, downloads); \"loop\" and iterations/s are of the "
            "complete iteration; an example's time is that of its whole loop, one sample a process."
            f"</p><ul class='faint'>{notes}</ul>{''.join(charts.all_of(result).values())}")


def html_page(body):
    return (f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>Echo: benchmarks"
            f"</title><style>{STYLE}</style></head><body><h1>Echo: benchmarks</h1>{body}</body>"
            "</html>\n")


def page(results):
    return html_page("".join(section(r) for r in results))
