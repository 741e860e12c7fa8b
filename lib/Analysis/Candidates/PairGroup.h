//===- PairGroup.h - Pairs that are checked together ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks walk a function once for all its pairs, with a bit for each pair:
// a walk for each would make the time of a function with many pairs quadratic.
// No pair's bit ever depends on another's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CANDIDATES_PAIRGROUP_H
#define ECHO_ANALYSIS_CANDIDATES_PAIRGROUP_H

#include "Analysis/Candidates/Pairs.h"
#include "llvm/ADT/BitVector.h"

namespace echo {

class PairGroup {
public:
  PairGroup(llvm::ArrayRef<const Pair *> Pairs, const MemoryObjects &Objects)
      : Pairs(Pairs.begin(), Pairs.end()), ByObject(Objects.objects().size()) {
    for (unsigned I = 0; I < size(); ++I)
      for (unsigned Object : {Pairs[I]->Host, Pairs[I]->Device})
        ByObject[Object].push_back(I);
  }

  unsigned size() const { return Pairs.size(); }
  const Pair &operator[](unsigned I) const { return *Pairs[I]; }
  /// The numbers of the pairs that have \p Object.
  llvm::ArrayRef<unsigned> with(unsigned Object) const {
    return ByObject[Object];
  }
  /// The number of the pair that \p E is a copy of, or -1.
  int linkedBy(const Event &E) const {
    if (E.Kind == EventKind::Copy && E.Dst >= 0 && E.Src >= 0)
      for (unsigned I : with(E.Dst))
        if (Pairs[I]->links(E))
          return I;
    return -1;
  }
  /// The numbers of the pairs that \p E does something with, in order.
  llvm::SmallVector<unsigned, 4> touchedBy(const Event &E) const {
    llvm::SmallVector<unsigned, 4> Touched;
    auto Add = [&](int Object) {
      if (Object >= 0)
        llvm::append_range(Touched, with(Object));
    };
    Add(E.Object);
    Add(E.Dst);
    Add(E.Src);
    for (const Access &A : E.Accesses)
      Add(A.Object);
    llvm::sort(Touched);
    Touched.erase(llvm::unique(Touched), Touched.end());
    return Touched;
  }
  /// A bit for each pair, all as \p Value.
  llvm::BitVector bits(bool Value = false) const {
    return llvm::BitVector(size(), Value);
  }

private:
  std::vector<const Pair *> Pairs;
  std::vector<llvm::SmallVector<unsigned, 1>> ByObject;
};

} // namespace echo

#endif
