# Which programs the suite runs, in which variants and sizes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one list of benchmarks, builds and variants. Everything else goes by it."""

import dataclasses

CUBLAS, CUFFT, CUDNN = "cublas", "cufft", "cudnn"
SCALES = ("gpu", "cpu", "small")


@dataclasses.dataclass(frozen=True)
class Bench:
    """A program. `args` and `defines` hold the sizes per scale: for a GPU, for the CPU
    device, and for tests."""
    name: str
    what: str
    source: str
    args: dict
    defines: dict = dataclasses.field(default_factory=dict)
    library: str = None
    flags: tuple = ()
    pairs: int = 2
    # "iterations": bench.h's clock, per iteration. "loop": an example; one time a process.
    kind: str = "iterations"
    # At most so many (warm-up, timed) iterations on a scale on which one takes long.
    most: dict = dataclasses.field(default_factory=dict)
    builds: tuple = ("baseline", "sr", "pinned", "mapped", "managed", "unified", "dr")


@dataclasses.dataclass(frozen=True)
class Variant:
    """One way to run one build. Secondary ones give way when time is short."""
    name: str     # baseline, sr, manual, dr
    backing: str  # of sr: ECHO_BACKING; of manual: what the source says; of dr: its plan
    build: str
    primary: bool = False

    @property
    def key(self):
        return self.name if self.name == "baseline" else f"{self.name}:{self.backing}"


VARIANTS = (
    Variant("baseline", "none", "baseline", True),
    Variant("sr", "auto", "sr", True),
    Variant("manual", "pinned", "pinned", True),
    Variant("manual", "mapped", "mapped"),
    Variant("manual", "managed", "managed"),
    Variant("manual", "unified", "unified", True),
    Variant("sr", "split", "sr"),
    Variant("sr", "pinned-split", "sr"),
    Variant("sr", "system", "sr"),
    Variant("sr", "mapped", "sr"),
    Variant("sr", "managed", "sr"),
    Variant("dr", "plan", "dr"),
)


def _sized(gpu, cpu, small):
    return {"gpu": gpu, "cpu": cpu, "small": small}


def _example(name, what, cpu, small, gpu=()):
    return Bench(name, what, f"examples/{name}/{name}.cu", _sized(gpu, cpu, small),
                 flags=("-Iexamples/common",), kind="loop",
                 builds=("baseline", "sr", "managed", "dr"))


def _fcn(name, what, depth, **more):
    return Bench(name, what, "bench/programs/c_fcn.cu", _sized((), (), ()),
                 _sized((), ("-DSIDE=136",), ("-DSIDE=64",)), CUDNN,
                 flags=(f"-DDEPTH={depth}", *more.pop("flags", ())), most={"cpu": (3, 10)}, **more)


def _pipeline(name, what, source, cpu, small):
    return Bench(name, what, f"bench/programs/{source}.cu", _sized((), (), ()), _sized((), cpu, small), CUDNN,
                 most={"gpu": (20, 50), "cpu": (3, 10)})


BENCHES = (
    Bench("M1", "SGEMM (cuBLAS)", "bench/programs/m1_sgemm.cu",
          _sized((2048,), (256,), (256,)), library=CUBLAS),
    Bench("M2", "OFDM (cuFFT)", "bench/programs/m2_ofdm.cu",
          _sized((2048, 1024), (2048, 256), (256, 128)), library=CUFFT),
    Bench("M3", "convolution (cuDNN)", "bench/programs/m3_convolution.cu",
          _sized((), (), ()), _sized((), ("-DBATCH=2",), ("-DBATCH=2", "-DSIDE=192")), CUDNN),
    _fcn("C1", "FCN-ResNet50", 50),
    _fcn("C2", "FCN-ResNet101", 101),
    _pipeline("E1", "detection on a video", "e1_detection",
              ("-DBATCH=1", "-DSIDE=160"), ("-DBATCH=1", "-DSIDE=64")),
    _pipeline("E2", "features for following objects", "e2_features",
              ("-DOBJECTS=4", "-DSIDE=640"), ("-DOBJECTS=2", "-DSIDE=320")),
    _fcn("NC", "C1 on managed memory", 50, flags=("-DHAND=managed",), pairs=0,
         builds=("baseline", "sr")),
    _example("conv2d", "example", (512, 2), (128, 1)),
    _example("fft", "example", (256, 4), (64, 1)),
    _example("nbody", "example", (60000, 1, 1, 6), (20000, 1, 1, 2)),
    _example("pipeline", "example", (1280, 720, 6), (640, 480, 1)),
    _example("sgemm", "example", (256, 4), (256, 1)),
    _example("spmv", "example", (160, 2, 80), (120, 1)),
)


def bench(name):
    return next(b for b in BENCHES if b.name == name)


def variants(which):
    """The variants that benchmark `which` can run, by the builds that it has."""
    chosen = [v for v in VARIANTS if v.build in which.builds]
    if not which.pairs:  # nothing merges: every backing is the same
        chosen = [v for v in chosen if v.name == "baseline" or v.backing == "auto"]
    return chosen


def build_flags(which, build, scale):
    """The compiler's flags that make `build` of the benchmark's source."""
    flags = list(which.flags) + list(which.defines.get(scale, ()))
    if build == "sr":
        # Tests are so small that their pairs would not be worth it.
        return flags + (["--min-bytes=0"] if scale == "small" else [])
    if build not in ("baseline", "dr"):
        flags.append("-DECHO_HAND_MERGED" if which.kind == "loop" else f"-DHAND={build}")
    return ["--no-unify", *flags]
