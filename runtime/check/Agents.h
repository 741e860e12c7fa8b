//===- Agents.h - Who acts, and what comes before what -------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vector clocks. An agent is a thread of the program, or the thread of a
// stream; the CPU device names the order between them (runtime/cpu/Crew.h), and
// the functions of Threads.cpp that of the host's threads. What an agent does
// between two points at which others may learn of it is one segment. Guarded by
// the library's one lock, but for the agent's own fields.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CHECK_AGENTS_H
#define ECHO_RUNTIME_CHECK_AGENTS_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace echo::check {

/// How far every agent was seen; missing entries are 0.
class Clock {
public:
  uint32_t at(uint32_t Id) const { return Id < Times.size() ? Times[Id] : 0; }
  void set(uint32_t Id, uint32_t Time);
  void join(const Clock &Other);

private:
  std::vector<uint32_t> Times;
};

class Block;

/// A segment, or (with the highest bit) a set of them; 0: none.
using Segment = uint32_t;

struct Agent {
  uint32_t Id = 0;
  Clock Seen;
  Segment Now = 0; ///< 0: it has made no access since it was last seen
  /// Sets that hold Now, and what unite() made of others.
  Segment Sets[8] = {}, From[8] = {}, To[8] = {};
  unsigned Hidden = 0; ///< depth: what it does is the runtime's own
  bool Helper = false; ///< a thread that a library started
  /// Buffers that it accessed last, by address: for Entries.cpp.
  struct Recent {
    uintptr_t Base = 0;
    size_t Size = 0;
    uint64_t Generation = 0; ///< of buffers and blocks, when this was written
    unsigned Side = 0, NumBlocks = 0;
    Block *Blocks[3] = {};
    uint64_t Accesses = 0, Bytes = 0; ///< seen since, not yet added up
  } Buffers[16];
  /// Segments that are known to come before all that it does from now on.
  Segment Before[64] = {};
};

/// The agent that runs on this thread; the first is null before self().
extern __thread Agent *Current;
Agent &self();
const std::vector<Agent *> &allAgents();
/// A new agent that has seen what \p Parent has; null: nothing.
Agent *makeAgent(const Agent *Parent);
/// From now on this thread is \p A.
void become(Agent *A);
/// All agents that are Helpers.
const std::vector<Agent *> &helpers();
void makeHelper(Agent &A);

/// True if \p S is what \p A does now, or is known to hold that.
inline bool holdsNow(Segment S, const Agent &A) {
  return S && (S == A.Now || S == A.Sets[S % 8]);
}

/// The segment that \p A is in.
Segment currentSegment(Agent &A);
/// Does all of \p S come before what \p A does now?
bool isBefore(Segment S, Agent &A);
/// \p S and \p More, without what comes before \p More anyway.
Segment unite(Segment S, Agent &A);

/// Others that acquire \p C after this have seen all that \p A did.
void release(Agent &A, Clock &C);
void acquire(Agent &A, const Clock &C);
/// The clock that belongs to \p Address of the program.
Clock &clockOf(const void *Address);

} // namespace echo::check

#endif
