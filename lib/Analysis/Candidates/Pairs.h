//===- Pairs.h - Candidate pairs and their linking copies -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A candidate pair is a host and a device buffer that some copy moves bytes
// between. Collects the pairs of a function; whether one may merge is decided
// elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_CANDIDATES_PAIRS_H
#define ECHO_ANALYSIS_CANDIDATES_PAIRS_H

#include "Analysis/Events/Effects.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace echo {

/// One host and one device buffer of a function.
struct Pair {
  unsigned Host, Device;
  std::vector<const Event *> Copies; ///< all copies between the two
  /// Where no copy surely is one between the two: those that may be, and of
  /// which no other pair has one that is.
  std::vector<const Event *> Chosen;
  /// The copies that may be ones between the two, and are wherever both exist:
  /// no buffer that they could use instead is there beside the pair's own.
  std::vector<const Event *> Sole;
  /// The bytes of the copies, more of them in loops; decides among rivals.
  double Weight = 0;
  /// How many bytes of each buffer have a partner in the other: the size of the
  /// smaller one. Null: not known.
  const llvm::SCEV *Bytes = nullptr;
  /// The size of the host buffer; null if that is not known.
  const llvm::SCEV *HostBytes = nullptr;
  /// Both sizes are known, and how they compare.
  bool SizesKnown = false;
  /// All copies go one way and cover the same first bytes of both buffers, and
  /// what they write is written by nothing else: after these bytes it holds
  /// nothing that the program put there.
  bool Prefix = false;
  /// Some copies may move less than all bytes that have a partner, but each
  /// moved byte keeps its place.
  bool Parts = false;
  /// The host buffer of an iteration of a loop is there in the next one, until
  /// realloc ends it: sizes of that iteration say nothing of it.
  bool Resized = false;
  /// The host buffer is the last one of a loop before the device buffer's
  /// allocation that replaces it in some iterations, as a growing vector does.
  /// What is done with it, but for copies between the two, may be done with
  /// another one of them. It may be larger than the device buffer, of which run
  /// time makes sure.
  bool Grown = false;
  /// Downloads that can fail only where no host buffer exists: they leave no
  /// content of one, and nothing for it to wait for.
  llvm::SmallVector<const Event *, 1> FailWithout = {};

  /// True if \p E, a copy between the two, may fail where a host buffer exists.
  bool mayFail(const Event &E) const {
    return E.MayFail && !llvm::is_contained(FailWithout, &E);
  }
  /// True if each of its copies may be one of other buffers.
  bool isChosen() const { return Copies.empty(); }
  /// True if run time has to look at each copy's place and size.
  bool copiesParts() const { return Prefix || Parts; }
  /// The other buffer of the pair.
  unsigned partner(unsigned Object) const {
    return Object == Host ? Device : Host;
  }
  bool has(unsigned Object) const { return Object == Host || Object == Device; }
  /// True if \p E is a copy between the two buffers.
  bool links(const Event &E) const {
    return E.Kind == EventKind::Copy && E.Dst >= 0 && E.Src >= 0 &&
           E.Dst != E.Src && has(E.Dst) && has(E.Src);
  }
  /// True if \p E may be a copy between the two, or between one of them and
  /// another buffer.
  bool mayLink(const Event &E) const {
    return E.chooses() && ((llvm::is_contained(E.DstOf, Host) &&
                            llvm::is_contained(E.SrcOf, Device)) ||
                           (llvm::is_contained(E.DstOf, Device) &&
                            llvm::is_contained(E.SrcOf, Host)));
  }
  bool isSole(const Event &E) const { return llvm::is_contained(Sole, &E); }
  /// True if \p E, a copy between the two, moves all bytes that have a partner.
  bool coversAll(const Event &E) const;
  /// True if \p E, a copy between the two, leaves no content of the buffer that
  /// it writes.
  bool copiesAll(const Event &E) const;
};

/// True if at most one of the two allocations happens in an activation, and
/// that once.
bool excludeEachOther(const llvm::CallBase &A, const llvm::CallBase &B);

/// The size of the smaller buffer of \p P; null if that is not known. Where
/// only run time can compare the two, it is the one that the first copy covers,
/// or, where none is sure, the first that may be one.
const llvm::SCEV *partnerBytes(const Pair &P, const MemoryObjects &Objects,
                               const Sizes &S);

/// True if copy \p C of \p P surely passes the end of a buffer: it fails.
bool passesEnd(const Event &C, const Pair &P, const MemoryObjects &Objects,
               const Sizes &S);

/// All candidate pairs of \p F, heaviest first, then in source order; after
/// them those whose every copy may be one of other buffers.
std::vector<Pair> findPairs(const llvm::Function &F, const Effects &E,
                            const MemoryObjects &Objects, const Sizes &S,
                            const llvm::LoopInfo &LI);

} // namespace echo

#endif
