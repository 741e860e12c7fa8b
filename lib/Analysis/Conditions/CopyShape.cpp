//===- CopyShape.cpp - Copies leave each byte in its place ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Proof obligation: every copy between the two buffers goes the way that it
// says, stays within both, and leaves each byte at its offset. What the larger
// buffer has beyond the smaller one has no partner that a merge could harm.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Api/Names.h"
#include "Analysis/Conditions/Condition.h"

using namespace llvm;

namespace echo {

/// The size of a buffer for a report: in bytes, or in source variables.
static std::string sizeOf(const MemoryObject &O, const SCEV *Bytes) {
  if (auto Constant = Sizes::constant(Bytes))
    return std::to_string(*Constant) + " B";
  return recordedSize(*O.Alloc).value_or("?") + " B";
}

/// A reason in the shape of the copies or sizes, or nothing: every copy leaves
/// each byte in its place in the other buffer. What the larger buffer has
/// beyond the smaller one has no partner that a merge could harm.
static std::optional<Refusal>
checkShape(const Pair &P, const MemoryObjects &Objects, const Sizes &S) {
  const SCEV *HostBytes = S.bytes(Objects[P.Host]);
  const SCEV *DeviceBytes = S.bytes(Objects[P.Device]);
  for (const Event *C : P.Copies) {
    bool ToDevice = C->Dst == static_cast<int>(P.Device);
    auto Expected =
        ToDevice ? CopyDirection::HostToDevice : CopyDirection::DeviceToHost;
    if (C->Direction != Expected)
      return Refusal{Blocker::UnknownCopyKind, C->At, C->What};
    if (passesEnd(*C, P, Objects, S))
      return Refusal{Blocker::SizeMismatch, C->At,
                     C->What + ": the device buffer has " +
                         sizeOf(Objects[P.Device], DeviceBytes) +
                         ", the host buffer " +
                         sizeOf(Objects[P.Host], HostBytes)};
    if (!P.Parts && !P.copiesAll(*C))
      return Refusal{Blocker::PartialCopy, C->At, C->What};
  }
  return std::nullopt;
}

void CopyShape::check(PairContext &C, ArrayRef<Candidate *> Left) const {
  for (Candidate *D : Left)
    D->Refused = checkShape(D->P, C.Objects, C.SizesOf);
}

} // namespace echo
