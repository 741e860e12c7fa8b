//===- StreamKeys.h - Numbers for streams and events ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gives each stream and each event that a function uses a number, where its
// value surely names one and the same object for the whole activation. A
// stream or event that may be another one each time has no number: waiting for
// it proves nothing. Only streams that are proved blocking are said to be.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_STREAMKEYS_H
#define ECHO_ANALYSIS_EVENTS_STREAMKEYS_H

#include "Analysis/Events/Effects.h"
#include "llvm/ADT/PointerIntPair.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace echo {

/// The calls of kind \p Create that put a handle into the variable that \p V,
/// which may be null, is loaded from.
llvm::SmallVector<const llvm::CallBase *, 2> creatorsOf(const llvm::Value *V,
                                                        ApiKind Create);

/// True if \p V is a handle that the function got from a call of kind
/// \p Create and that it gives to nothing but CUDA calls: no other value, and
/// no function out of sight, can name the same stream or event. With \p Models
/// library calls that work in stream \p V count as CUDA calls.
bool isOwnHandle(const llvm::Value *V, ApiKind Create,
                 const ModelTable *Models = nullptr);

/// True if \p V is a stream that the function created: it is no default stream.
bool isCreatedStream(const llvm::Value &V);

class StreamKeys {
public:
  /// \p OtherThreads: other host threads may use what has more names.
  StreamKeys(const llvm::LoopInfo &LI, bool OtherThreads)
      : LI(LI), OtherThreads(OtherThreads) {}

  static constexpr int None = -1, Legacy = 0, PerThreadDefault = 1;

  /// The key of \p E's stream, or None.
  int streamOf(const Event &E);
  /// The key of \p E's event handle, or None.
  int eventOf(const Event &E);
  /// Keys of the events that other values or functions may name too, as bits.
  uint64_t sharedEvents() const { return Shared; }
  /// True if work in stream \p Key waits for the legacy stream, and it for the
  /// stream's.
  bool isBlocking(int Key) const;
  /// Keys of all blocking streams but the legacy stream, as bits.
  uint64_t blockingMask() const { return Blocking; }
  /// True if the function has no stream but the default streams.
  bool onlyDefaultStreams() const { return Next == FirstFree && !SawUnknown; }

private:
  static constexpr int FirstFree = 2;
  int keyOf(const llvm::Value *V, bool PerThread);

  const llvm::LoopInfo &LI;
  bool OtherThreads;
  /// By handle, and whether null is the per-thread default stream.
  llvm::DenseMap<llvm::PointerIntPair<const llvm::Value *, 1, bool>, int> Keys;
  uint64_t Blocking = 1u << PerThreadDefault;
  uint64_t Shared = 0;
  int Next = FirstFree;
  bool SawUnknown = false;
};

} // namespace echo

#endif
