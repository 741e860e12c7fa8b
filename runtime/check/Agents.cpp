//===- Agents.cpp - Vector clocks -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps agents, segments and sets of segments. See Agents.h. Sets that hold the
// same are one: buffers that two streams read have two readers in each place.
//
//===----------------------------------------------------------------------===//
#include "runtime/check/Agents.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace echo::check {

static constexpr Segment SetBit = 0x80000000u;

namespace {
struct Moment {
  uint32_t Agent, Time;
};
struct Tables {
  std::vector<Agent *> All;
  std::vector<Moment> Segments{{0, 0}};
  std::vector<std::vector<Segment>> Sets;
  std::map<std::vector<Segment>, Segment> SetIds;
  std::unordered_map<uintptr_t, Clock> Clocks;
  std::vector<Agent *> Helpers;
};
} // namespace

static Tables &tables() {
  static auto *T = new Tables; // threads outlive destructors
  return *T;
}

__thread Agent *Current = nullptr;

const std::vector<Agent *> &allAgents() { return tables().All; }

void Clock::set(uint32_t Id, uint32_t Time) {
  if (Id >= Times.size())
    Times.resize(Id + 1);
  Times[Id] = Time;
}

void Clock::join(const Clock &Other) {
  if (Other.Times.size() > Times.size())
    Times.resize(Other.Times.size());
  for (size_t I = 0; I != Other.Times.size(); ++I)
    Times[I] = std::max(Times[I], Other.Times[I]);
}

Agent *makeAgent(const Agent *Parent) {
  auto *A = new Agent;
  A->Id = uint32_t(tables().All.size());
  tables().All.push_back(A);
  if (Parent)
    A->Seen = Parent->Seen;
  A->Seen.set(A->Id, 1);
  return A;
}

Agent &self() {
  if (!Current)
    Current = makeAgent(nullptr);
  return *Current;
}

void become(Agent *A) { Current = A; }

const std::vector<Agent *> &helpers() { return tables().Helpers; }
void makeHelper(Agent &A) {
  if (!A.Helper)
    tables().Helpers.push_back(&A);
  A.Helper = true;
}

Segment currentSegment(Agent &A) {
  if (!A.Now) {
    std::vector<Moment> &All = tables().Segments;
    A.Now = Segment(All.size());
    All.push_back({A.Id, A.Seen.at(A.Id)});
  }
  return A.Now;
}

static bool oneIsBefore(Segment S, const Agent &A) {
  Moment M = tables().Segments[S];
  return A.Seen.at(M.Agent) >= M.Time;
}

bool isBefore(Segment S, Agent &A) {
  if (!S || S == A.Now)
    return true;
  Segment &Known = A.Before[(S ^ (S >> 6)) % 64];
  if (Known == S)
    return true;
  bool Result =
      S & SetBit ? std::all_of(tables().Sets[S & ~SetBit].begin(),
                               tables().Sets[S & ~SetBit].end(),
                               [&](Segment One) { return oneIsBefore(One, A); })
                 : oneIsBefore(S, A);
  if (Result)
    Known = S;
  return Result;
}

static Segment uniteSlowly(Segment S, Segment Mine, Agent &A) {
  std::vector<Segment> All;
  if (S & SetBit)
    All = tables().Sets[S & ~SetBit];
  else
    All = {S};
  if (std::find(All.begin(), All.end(), Mine) == All.end()) {
    std::erase_if(All, [&](Segment One) { return oneIsBefore(One, A); });
    All.push_back(Mine);
    std::sort(All.begin(), All.end());
    auto [It, New] = tables().SetIds.insert({All, 0});
    if (New) {
      It->second = SetBit | Segment(tables().Sets.size());
      tables().Sets.push_back(std::move(All));
    }
    S = It->second;
  }
  A.Sets[S % 8] = S;
  return S;
}

Segment unite(Segment S, Agent &A) {
  Segment Mine = currentSegment(A);
  if (isBefore(S, A))
    return Mine;
  if (holdsNow(S, A))
    return S;
  if (A.From[S % 8] != S) {
    A.To[S % 8] = uniteSlowly(S, Mine, A);
    A.From[S % 8] = S;
  }
  return A.To[S % 8];
}

void release(Agent &A, Clock &C) {
  C.join(A.Seen);
  A.Seen.set(A.Id, A.Seen.at(A.Id) + 1);
  A.Now = 0;
  std::fill(std::begin(A.Sets), std::end(A.Sets), 0);
  std::fill(std::begin(A.From), std::end(A.From), 0);
}

void acquire(Agent &A, const Clock &C) { A.Seen.join(C); }

Clock &clockOf(const void *Address) {
  return tables().Clocks[reinterpret_cast<uintptr_t>(Address)];
}

} // namespace echo::check
