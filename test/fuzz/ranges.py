# A map from byte ranges to values, split where needed: the shadow memory of the
# oracle, exact to the byte and cheap where many bytes agree.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shadow memory by ranges."""
import bisect


class RangeMap:
    """Bytes 0 to size, each with a value; equal neighbours need not be one range."""

    def __init__(self, size, initial):
        self.starts, self.values, self.size = [0], [initial], size

    def cut(self, at):
        """Index of the range that starts at byte `at`, splitting if need be."""
        i = bisect.bisect_left(self.starts, at)
        if i == len(self.starts) or self.starts[i] != at:
            if at >= self.size:
                return len(self.starts)
            self.starts.insert(i, at)
            self.values.insert(i, self.values[i - 1])
        return i

    def get(self, low, high):
        """The values of bytes low to high as (low, high, value)."""
        first, last = self.cut(low), self.cut(high)
        ends = self.starts[first + 1:last] + [high]
        return list(zip(self.starts[first:last], ends, self.values[first:last]))

    def set(self, low, high, value):
        """One value for all bytes from low to high."""
        first, last = self.cut(low), self.cut(high)
        if first < last:
            self.starts[first:last] = [low]
            self.values[first:last] = [value]

    def put(self, pieces):
        """Sets ranges as get() gave them."""
        for low, high, value in pieces:
            self.set(low, high, value)
