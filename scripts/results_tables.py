# The tables of docs/results, from bench/results/*.json: of each machine and benchmark the latest file. It fills the
# blocks between markers, and never changes what a page says around them. Used by scripts/generate-docs.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of measurements."""
import json
import re
from pathlib import Path

RESULTS = "../../bench/results"  # as seen from docs/results
KINDS = ("suite|dr-|scaling|prebuilt|pytorch|frameworks|torchrun|verification|attacks|public-programs|judge|"
         "compile-time|idle-cost|small-malloc|check-cost|host-speed|pinning")
NAME = re.compile(rf"(\d{{4}}-\d\d-\d\d)-(.+?)(?:-((?:{KINDS}).*))?\.json")
DEVICES = {"cpu-amd-epyc": "AMD EPYC", "cpu-intel-xeon": "Intel Xeon"}
BLOCK = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->)", re.S)
SUITE = ("M1", "M2", "M3", "C1", "C2", "E1", "E2", "NC")
LEAST_GAIN = 1.05  # of pinning by hand: with less there is nothing to recover
EXAMPLES = ("conv2d", "fft", "nbody", "pipeline", "sgemm", "spmv")
LOOPS = {
    "m1": "cuBLAS SGEMM 2048 x 2048",
    "m2": "cuFFT OFDM 2048 x 1024, forward and inverse",
    "m3": "cuDNN convolution, ResNet-50's first layer",
    "fcn": "FCN-ResNet50, one picture of 520 x 520, half precision (PyTorch)",
    "detect": "RetinaNet's dense part, 4 pictures of 640 x 640, half precision (PyTorch)",
    "e1": "E1: detection on a video, FCOS-ResNet50, 4 frames (PyTorch)",
    "e2": "E2: features of 64 objects of a frame, ResNet-18 (PyTorch)",
    "reid": "ResNet-18 features of 64 crops of 256 x 128 (PyTorch)",
    "train": "training with forked DataLoader workers (PyTorch)",
    "graph": "a captured graph (PyTorch)",
    "cupy": "CuPy",
    "jax": "JAX",
}
CORPORA = {"hec": "HeCBench", "samples": "cuda-samples", "poly": "PolyBench-ACC", "rodinia": "Rodinia", "llmc": "llm.c"}


class Result:
    """One file of bench/results."""

    def __init__(self, name, data):
        """`kind` begins with a word of KINDS: what a new kind of result needs."""
        match = NAME.fullmatch(name)
        if not match:
            raise ValueError(f"bench/results/{name}: not DATE-MACHINE-KIND.json")
        self.name, self.data = name, data
        self.day, self.slug, self.kind = match[1], match[2], match[3] or "run"

    def machine(self, part=None):
        """What was measured on, in words: a GPU by its name, else the processor and its cores."""
        machine = (part or {}).get("machine") or self.data.get("machine") or self.data
        cpu, gpu = machine.get("cpu"), machine.get("device", "CPU device")
        if not gpu.startswith("CPU device"):
            return re.sub(r" \d+GB.*", "", gpu)
        if not cpu or self.slug.startswith("nvidia"):
            return DEVICES.get(self.slug, self.slug.replace("nvidia-h", "NVIDIA H"))
        cores = machine.get("threads") or machine.get("cores")
        return f"{cpu.replace('(R)', '').replace(' Processor', '')}, {cores} cores"

    def time(self, part=None):
        """When: what sorts files of one machine and benchmark."""
        machine = (part or {}).get("machine") or self.data.get("machine") or {}
        return machine.get("date") or self.data.get("date") or self.day

    def link(self):
        """The day, as a link to the file."""
        return f"[{self.day}]({RESULTS}/{self.name})"


def read(folder):
    """All results of the folder."""
    return [Result(path.name, json.loads(path.read_text())) for path in sorted(Path(folder).glob("*.json"))]


def latest(found):
    """Of (key, time, value) the value of the latest time of each key, in the order in which keys come first."""
    best = {}
    for key, time, value in found:
        if key not in best or time >= best[key][0]:
            best[key] = (time, value)
    return {key: value for key, (_, value) in best.items()}


def rows(head, lines):
    """A table; cells that are None become "-"."""
    cells = [["-" if cell is None else str(cell) for cell in line] for line in lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in [head, ["---"] * len(head), *cells])


def ms(value):
    """Milliseconds, three digits."""
    return None if value is None else f"{value:.0f} ms" if value >= 100 else f"{value:#.3g} ms"


def times(value):
    """A ratio."""
    return None if value is None else f"{value:.2f}x"


def percent(value):
    """A share."""
    return None if value is None else f"{100 * value:.1f} %"


def energies(before, after):
    """Millijoules of an iteration, as written and with Echo, where both were measured."""
    counts = [entry.get("energy_mj") for entry in (before, after)]
    return None if None in counts else " / ".join(f"{count:.0f}" for count in counts) + " mJ"


def by_machine(lines):
    """The machine of a row only where it is another one than above."""
    before = None
    for line in lines:
        yield ["" if line[0] == before else line[0], *line[1:]]
        before = line[0]


def measures(results):
    """What bench/run and its scripts measure, each against its target."""
    def value_of(part):
        unit = part["unit"]
        text = f"{part['value']:.3g}"
        text = text + "x" if unit == "x" else f"{text} {unit}".rstrip()
        more = [("90 % under", part.get("of_90_percent")), ("worst", part.get("worst")),
                ("memory", part.get("memory", {}).get("median")),
                ("memory at worst", part.get("memory", {}).get("worst"))]
        return "; ".join([text] + [f"{name} {times(number)}" for name, number in more if number is not None])

    found = []
    for result in results:
        for key, part in result.data.items():
            if isinstance(part, dict) and {"what", "value", "target"} <= part.keys():
                of = key + (" of programs" if "worst" in part else "")
                machine = result.machine(part)
                row = [part["what"], value_of(part), part["target"] + ("" if part["met"] else " (missed)"), machine,
                       result.link()]
                found.append(((of, machine), result.time(part), row))
    chosen = latest(found)
    return rows(["what", "result", "target", "machine", "file"], [chosen[key] for key in sorted(chosen)])


def suite(results, variant, backing):
    """The suite's benchmarks by one variant: as written, with it, and the best that is written by hand."""
    found = []
    for result in results:
        if not re.search(r"(^|-)suite(-|$)", result.kind):
            continue
        entries = [entry for entry in result.data["results"] if entry.get("mean_ms") is not None]
        sizes = ", small sizes" if result.data["machine"]["scale"] == "cpu" else ""
        for entry in entries:
            if (entry["variant"], entry.get("backing")) != (variant, backing):
                continue
            bench = entry["bench"]
            baseline = next(e for e in entries if e["bench"] == bench and e["variant"] == "baseline")
            hand = [e["mean_ms"] for e in entries if e["bench"] == bench and e["variant"] == "manual"]
            what = bench if bench in EXAMPLES else f"{bench}: {result.data['what'][bench]}"
            share = percent(entry.get("recovered"))
            if share is None and entry.get("recovered_bytes"):
                share = percent(entry["recovered_bytes"]) + " of the bytes"
            row = [result.machine() + sizes, what, ms(baseline["mean_ms"]), ms(entry["mean_ms"]),
                   times(entry["speedup"]), times(baseline["mean_ms"] / min(hand)) if hand else None, share,
                   energies(baseline, entry), entry.get("got"), entry["processes"], result.link()]
            found.append(((row[0], (*SUITE, *EXAMPLES).index(bench)), result.time(), row))
    chosen = latest(found)
    order = sorted(chosen, key=lambda key: (" cores" in key[0], key))
    head = ["machine", "benchmark", "as written", "with Echo", "speedup", "by hand", "recovered", "energy",
            "got", "processes", "file"]
    return rows(head, by_machine([chosen[key] for key in order]))


def loops(results):
    """Unchanged binaries and scripts under echo-run."""
    found = []
    for result in results:
        if not re.fullmatch(r"(prebuilt|pytorch|frameworks)(-\d+)?", result.kind):
            continue
        entries = {(entry["bench"], entry["variant"]): entry for entry in result.data["results"]}
        for bench in LOOPS:
            plain, planned = entries.get((bench, "baseline")), entries.get((bench, "dr"))
            if not planned:
                continue
            pinned, unplanned = entries.get((bench, "pinned")), entries.get((bench, "no plan"))
            gain = pinned["speedup"] if pinned else 1
            row = [result.machine(), LOOPS[bench], ms(plain["median_ms"]), ms(planned["median_ms"]),
                   times(planned["speedup"]), times(gain) if pinned else None,
                   percent(planned["recovered"]) if gain >= LEAST_GAIN else None,
                   percent(planned.get("recovered_same_calls")),
                   ms(unplanned["median_ms"]) if unplanned else None, energies(plain, planned),
                   planned.get("plan_by"),
                   len(planned["processes_ms"]), result.link()]
            found.append(((row[0], list(LOOPS).index(bench)), result.time(), row))
    chosen = latest(found)
    head = ["machine", "loop", "as it is", "with its plan", "speedup", "pinned by hand", "recovered", "same calls",
            "preloaded, no plan", "energy", "plan by", "processes", "file"]
    return rows(head, by_machine([chosen[key] for key in sorted(chosen)]))


def on_gpu(results):
    """The runs of bench/gpu-verify.py: each with other programs, so all of them."""
    lines = []
    for result in sorted(results, key=Result.time):
        if result.kind.startswith("verification"):
            data, counts = result.data, result.data["counts"]
            differ = [counts["plain_differ"], counts["merged_differ"]]
            lines.append([result.machine(), data["commit"][:7], data["seed"], counts["programs"], counts["generated"],
                          counts["generated_with_inputs"], f"{counts['compared']:,}", f"{counts['not_run']:,}",
                          *differ, result.link()])
    head = ["machine", "commit", "seed", "programs and traps", "generated", "with their inputs", "comparisons",
            "not run", "plain not as expected", "merged not as plain", "file"]
    return rows(head, by_machine(lines))


def newest(results, kind):
    """The latest file of a kind."""
    return max((result for result in results if result.kind == kind), key=Result.time)


def judged(results):
    """Public programs that scripts/judge ran and followed."""
    head = ["corpus", "programs", "built", "ran", "judged", "pairs", "safe", "merged of safe", "recall", "merged",
            "refuted", "declined refuted"]
    table = newest(results, "judge").data["table"]
    return rows(head, [[line[name] for name in head] for line in table])


def public(results):
    """Pairs of all public programs."""
    data = newest(results, "public-programs").data
    if set(data["by_corpus"]) != set(CORPORA):
        raise ValueError("public-programs: a corpus without a name")
    lines = []
    for key, name in CORPORA.items():
        part = data["by_corpus"][key]
        merged = part["pairs"].get("unified", 0) + part["pairs"].get("guarded", 0)
        lines.append([name, part["builds"]["programs"], part["builds"]["both"], sum(part["pairs"].values()), merged])
    lines.append(["**all**", *(sum(line[i] for line in lines) for i in range(1, 5))])
    texts = [[line[0], line[1], line[2], f"{line[3]:,}", f"{line[4]:,}", percent(line[4] / line[3])] for line in lines]
    texts[-1][-1] = f"**{texts[-1][-1]}**"
    return rows(["", "programs", "built", "pairs found", "unified or guarded", "share"], texts)


TABLES = {
    "measures": measures,
    "suite-echo-cc": lambda results: suite(results, "sr", "auto"),
    "suite-echo-run": lambda results: suite(results, "dr", "plan"),
    "loops-echo-run": loops,
    "gpu-verification": on_gpu,
    "judge": judged,
    "public-programs": public,
}


def fill(text, results):
    """The page `text` with the tables that its markers name."""
    def table(match):
        if match[2] not in TABLES:
            raise ValueError(f"no table is called '{match[2]}'")
        return match[1] + "\n" + TABLES[match[2]](results) + "\n" + match[3]

    return BLOCK.sub(table, text)
