//===- S3Addresses.cpp - Condition S3: what pointers are for --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: the program uses the addresses of both buffers for
// accesses in sight and for nothing that a merge would change. Events refuse a
// buffer where they are made of a use that they do not understand; here these
// refusals become reasons.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Conditions/Condition.h"
#include "Support/Checks.h"

using namespace llvm;

namespace echo {

/// Why a buffer of \p P, or all of the function, is not understood.
static std::optional<Refusal> refusalOf(const Pair &P, const Effects &Events) {
  if (const Refusal *Why = Events.functionRefusal())
    return *Why;
  for (unsigned O : {P.Host, P.Device})
    if (const Refusal *Why = Events.refusal(O))
      return *Why;
  if (const Instruction *At = Events.asksForOverlap(P.Host, P.Device);
      At && !isOff(Blocker::PointerCompared))
    return Refusal{Blocker::PointerCompared, At,
                   "the program asks whether the buffers overlap"};
  return std::nullopt;
}

void S3Addresses::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  for (Candidate *D : Left)
    D->Refused = refusalOf(D->P, C.Events);
}

} // namespace echo
