# Order of events by vector clocks: which work is ordered before a stream, an event
# or the host, by CUDA's documented rules and nothing more.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Vector clocks for the host and the streams.

A clock is a list of counters, one per agent: agent 0 is the host, every stream is one
more. Something at (agent, count) is ordered before whatever has clock[agent] >= count.
Where CUDA's pages say "may synchronize", it does not.
"""


def join(into, other):
    """Everything ordered before `other` is ordered before `into` from now on."""
    if len(into) < len(other):
        into.extend([0] * (len(other) - len(into)))
    for i, count in enumerate(other):
        if count > into[i]:
            into[i] = count


def before(agent, count, clock):
    return agent < len(clock) and clock[agent] >= count


class Stream:
    def __init__(self, agent, kind):
        self.agent, self.kind = agent, kind  # legacy, blocking, nonblocking
        self.clock = []


class Clocks:
    """The state of all orders of one execution."""

    def __init__(self):
        self.host = [0]
        self.streams = []
        self.legacy = self.new_stream("legacy")
        self.per_thread = self.new_stream("blocking")

    def new_stream(self, kind):
        stream = Stream(len(self.streams) + 1, kind)
        self.streams.append(stream)
        return stream

    def host_step(self):
        """The host does something: (agent, count, clock)."""
        self.host[0] += 1
        return 0, self.host[0], list(self.host)

    def enqueue(self, stream):
        """An operation joins `stream`: (agent, count, clock)."""
        self.host_step()
        clock = list(self.host)
        join(clock, stream.clock)
        if stream.kind == "legacy":
            for other in self.streams:
                if other.kind == "blocking":
                    join(clock, other.clock)
        elif stream.kind == "blocking":
            join(clock, self.legacy.clock)
        if len(clock) <= stream.agent:
            clock.extend([0] * (stream.agent + 1 - len(clock)))
        clock[stream.agent] += 1
        stream.clock = clock
        return stream.agent, clock[stream.agent], list(clock)

    def recorded(self, stream):
        """What an event that is recorded in `stream` stands for. The record is no work: it orders
        nothing in its stream, and what the stream's next operation would follow is not in it."""
        self.host_step()
        clock = list(self.host)
        join(clock, stream.clock)
        return clock

    def wait(self, clock):
        """The host waits for what is ordered before `clock`."""
        join(self.host, clock)

    def wait_device(self):
        for stream in self.streams:
            join(self.host, stream.clock)

    def wait_stream(self, stream):
        # Waiting for a stream is waiting for what is in it. That a wait for the
        # legacy stream covers all blocking ones is not documented.
        join(self.host, stream.clock)
