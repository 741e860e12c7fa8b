# What is true of one generated program on all its inputs: what it prints, which
# pairs it has, which of them may share memory. It asks the machine and the oracle
# and knows nothing of Echo.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The truth about one program."""
import machine
import oracle


class Truth:
    """Raises machine.Invalid if the program is not defined on one of its inputs.

    outputs: arg -> the lines that it prints
    statuses: arg -> its exit status
    pairs:   (host site, device site) -> True if every linking copy is whole; over all inputs
    """

    def __init__(self, program):
        self.program = program
        runs = {arg: machine.Machine(program, arg) for arg in program.inputs}
        self.traces = {arg: run.run() for arg, run in runs.items()}
        self.statuses = {arg: run.status for arg, run in runs.items()}
        self.outputs = {arg: [str(n) for n in trace.output] for arg, trace in self.traces.items()}
        self.pairs = {}
        for trace in self.traces.values():
            for pair, whole in oracle.candidates(trace).items():
                self.pairs[pair] = self.pairs.get(pair, True) and whole
        self._safe, self._unread = {}, None

    def race(self):
        """The first race of the program as written, on any input, or None."""
        for trace in self.traces.values():
            found = oracle.races(trace)
            if found:
                return found
        return None

    def unread(self):
        """The places of the host's writes that nobody reads on any input: Echo may leave them out."""
        if self._unread is None:
            self._unread = oracle.unread(self.traces.values())
        return self._unread

    def unsafe(self, merged, guarded=(), only=None, gone=frozenset()):
        """(Violation, arg) if the pairs `merged` may not share memory all at once, or None.

        Pairs that are in `guarded` too share it only where both buffers have one size; those in
        `only` where one of the copies named there links them. The host's writes at the places `gone`
        are left out."""
        for arg, trace in self.traces.items():
            together = {pair for pair in merged if pair not in guarded or _one_size(trace, pair)}
            violation = oracle.check(trace, together, only, gone)
            if violation:
                return violation, arg
        return None

    def safe(self, pair):
        """True if `pair` alone may share memory."""
        if pair not in self._safe:
            self._safe[pair] = self.unsafe({pair}) is None
        return self._safe[pair]

    def safe_pairs(self):
        return [pair for pair in self.pairs if self.safe(pair)]


def _one_size(trace, pair):
    """True if some buffers of the two sites have the same size."""
    hosts, devices = ({i.size for i in trace.instances if i.site == site} for site in pair)
    return bool(hosts & devices)
