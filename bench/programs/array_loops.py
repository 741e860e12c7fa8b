# Array programs as their users write them: NumPy arrays go up, results come back, with CuPy or JAX.
# They stand for prebuilt applications in what echo-run is measured with, and know nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a formula over an array of 8 MiB in a loop; prints the median time of a round, the page faults in a
round, and a hash of all results."""

import argparse
import hashlib
import resource
import statistics
import sys
import time

import numpy

SHAPE = (2048, 1024)


def cupy(array, pinned):
    """A round with CuPy."""
    import cupy as library
    import cupyx

    if not pinned:
        return lambda: library.asnumpy(library.tanh(library.asarray(array)) * 2 + 1)
    there, result = library.empty_like(array), cupyx.empty_pinned(SHAPE, numpy.float32)

    def again():
        there.set(array)
        (library.tanh(there) * 2 + 1).get(out=result)
        return result
    return again


def jax(array, _):
    """A round with JAX."""
    import jax as library

    formula = library.jit(lambda x: library.numpy.tanh(x) * 2 + 1)
    return lambda: numpy.asarray(formula(library.device_put(array)))


def main():
    loops = {f.__name__: f for f in (cupy, jax)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("loop", choices=sorted(loops))
    parser.add_argument("--warmup", type=int, default=100, help="rounds before (default: 100)")
    parser.add_argument("--frames", type=int, default=100, help="timed rounds (default: 100)")
    parser.add_argument("--pinned", action="store_true", help="by hand: pinned buffers that are used again (CuPy)")
    options = parser.parse_args()
    array = numpy.random.default_rng(5).random(SHAPE, dtype=numpy.float32)
    if options.pinned:
        import cupyx

        pageable, array = array, cupyx.empty_pinned(SHAPE, numpy.float32)
        array[...] = pageable
    once = loops[options.loop](array, options.pinned)
    digest, times = hashlib.sha256(), []
    for number in range(options.warmup + options.frames):
        if number == options.warmup:
            faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        array.flat[number % array.size] = number % 7 / 8
        start = time.perf_counter()
        result = once()
        times.append(time.perf_counter() - start)
        digest.update(result.tobytes() if number % 20 == 0 else result.ravel()[::4099].tobytes())
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - faults
    # One word, as echo-run compares words: it leaves out those that differ between plain runs, and the time does.
    median = statistics.median(times[options.warmup:]) * 1e3
    print(f"{options.loop} frame_ms:region_ms:faults {median:.3f}:{median:.3f}:{faults / options.frames:.1f}",
          file=sys.stderr)
    print(f"{options.loop} {digest.hexdigest()}")


if __name__ == "__main__":
    main()
