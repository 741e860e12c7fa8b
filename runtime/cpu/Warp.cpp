//===- Warp.cpp - Results of warp operations ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes shuffles, votes, matches and reductions. See Warp.h.
//
//===----------------------------------------------------------------------===//
#include "runtime/cpu/Warp.h"

#include <algorithm>

namespace echo::cpu {

WarpGroup &Warp::group(uint32_t Mask, WarpOp Operation) {
  for (unsigned I = 0; I != NumGroups; ++I)
    if (Groups[I].Mask == Mask && Groups[I].Operation == Operation)
      return Groups[I];
  if (NumGroups == Groups.size())
    Groups.emplace_back();
  WarpGroup &G = Groups[NumGroups++];
  G.Mask = Mask;
  G.Operation = Operation;
  G.Arrived = 0;
  return G;
}

/// PTX: shfl.sync. `C` holds the clamp in bits 0-4, the segment mask in 8-12.
static LaneResult shuffle(const WarpGroup &G, unsigned Lane) {
  const LaneInput &In = G.Inputs[Lane];
  int L = Lane, B = In.B & 31, Clamp = In.C & 31, Segment = In.C >> 8 & 31;
  int Max = (L & Segment) | (Clamp & ~Segment);
  int Min = L & Segment;
  int From = L;
  bool InRange = false;
  switch (G.Operation.Mode) {
  case ECHO_CPU_SHFL_UP:
    From = L - B;
    InRange = From >= Max;
    break;
  case ECHO_CPU_SHFL_DOWN:
    From = L + B;
    InRange = From <= Max;
    break;
  case ECHO_CPU_SHFL_BFLY:
    From = L ^ B;
    InRange = From <= Max;
    break;
  default:
    From = Min | (B & ~Segment);
    InRange = From <= Max;
    break;
  }
  if (!InRange)
    From = L;
  // A lane that takes no part gives nothing that is defined; own value then.
  if (!(G.Arrived >> From & 1))
    From = L;
  return {uint32_t(G.Inputs[From].Value), InRange};
}

template <typename Fn> static void forLanes(uint32_t Lanes, Fn Body) {
  for (; Lanes; Lanes &= Lanes - 1)
    Body(unsigned(__builtin_ctz(Lanes)));
}

static LaneResult vote(const WarpGroup &G) {
  uint32_t Ballot = 0;
  forLanes(G.Arrived, [&](unsigned L) {
    Ballot |= uint32_t(G.Inputs[L].Value != 0) << L;
  });
  switch (G.Operation.Mode) {
  case ECHO_CPU_VOTE_ALL:
    return {Ballot == G.Arrived, 0};
  case ECHO_CPU_VOTE_ANY:
    return {Ballot != 0, 0};
  case ECHO_CPU_VOTE_UNI:
    return {Ballot == 0 || Ballot == G.Arrived, 0};
  default:
    return {Ballot, 0};
  }
}

static LaneResult match(const WarpGroup &G, unsigned Lane, bool All) {
  uint32_t Same = 0;
  forLanes(G.Arrived, [&](unsigned L) {
    Same |= uint32_t(G.Inputs[L].Value == G.Inputs[Lane].Value) << L;
  });
  if (!All)
    return {Same, 0};
  return Same == G.Arrived ? LaneResult{Same, 1} : LaneResult{0, 0};
}

static uint32_t combine(unsigned Mode, uint32_t A, uint32_t B) {
  switch (Mode) {
  case ECHO_CPU_REDUX_ADD:
    return A + B;
  case ECHO_CPU_REDUX_MIN:
    return std::min(int32_t(A), int32_t(B));
  case ECHO_CPU_REDUX_MAX:
    return std::max(int32_t(A), int32_t(B));
  case ECHO_CPU_REDUX_UMIN:
    return std::min(A, B);
  case ECHO_CPU_REDUX_UMAX:
    return std::max(A, B);
  case ECHO_CPU_REDUX_AND:
    return A & B;
  case ECHO_CPU_REDUX_OR:
    return A | B;
  default:
    return A ^ B;
  }
}

static LaneResult reduce(const WarpGroup &G) {
  uint32_t Result = 0;
  bool First = true;
  forLanes(G.Arrived, [&](unsigned L) {
    uint32_t Value = G.Inputs[L].Value;
    Result = First ? Value : combine(G.Operation.Mode, Result, Value);
    First = false;
  });
  return {Result, 0};
}

LaneResult laneResult(const WarpGroup &G, unsigned Lane) {
  switch (G.Operation.Family) {
  case WarpFamily::Sync:
    return {};
  case WarpFamily::Shuffle:
    return shuffle(G, Lane);
  case WarpFamily::Vote:
    return vote(G);
  case WarpFamily::MatchAny:
    return match(G, Lane, false);
  case WarpFamily::MatchAll:
    return match(G, Lane, true);
  case WarpFamily::Redux:
    return reduce(G);
  }
  return {};
}

} // namespace echo::cpu
