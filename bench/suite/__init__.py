# The benchmark suite: programs, variants, runner, statistics, report.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/run-suite, bench/prepare-suite and bench/report are made of. Needs Python's
standard library only, as it travels to machines that have nothing else."""
