//===- Effects.h - What each instruction does to the buffers ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a normalized function into events: host accesses, kernel launches,
// copies, sets, allocations, frees, waits. What a call does comes from the CUDA
// table, the kernel facts and the models. A use of a buffer that is none of
// these is a refusal of that buffer: unknown never means harmless.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_EVENTS_EFFECTS_H
#define ECHO_ANALYSIS_EVENTS_EFFECTS_H

#include "Analysis/Api/CallReach.h"
#include "Analysis/Api/CudaApi.h"
#include "Analysis/Api/PointerUses.h"
#include "Analysis/Events/HostDependentWork.h"
#include "Analysis/Kernels/KernelFacts.h"
#include "Analysis/Memory/MemoryObjects.h"
#include "Analysis/Memory/Sizes.h"
#include "Support/Verdict.h"
#include "llvm/ADT/BitVector.h"

namespace llvm {
class BasicBlock;
class Instruction;
} // namespace llvm

namespace echo {

class AssumedPairs;

/// What the analysis of one translation unit rests on.
struct UnitContext {
  const ModelTable &Models;
  const KernelFactsTable &Kernels;
  RunSearches &Runs; ///< of the module
  bool PerThreadDefaultStream = false;
  /// Other host threads may exist, and may give work to the GPU at any time.
  bool OtherThreads = true;
  /// For functions that stay calls and are hard to read, or null.
  const BodySource *Bodies = nullptr;
  /// What the GPU's work may need of the host.
  HostDependentWork Work;
  /// The emitted program keeps `noalias` of some parameters: LLVM may change
  /// the order of accesses to two host buffers.
  bool KeepsNoAlias = true;
  /// The pairs that the user vouches for, or null.
  const AssumedPairs *Assumed = nullptr;
};

/// One access of an event to one buffer.
struct Access {
  unsigned Object;
  bool Read = false, Write = false;
  bool Full = false; ///< the write covers the buffer's every byte
};

enum class EventKind {
  Host,  ///< accesses by the host, done when the instruction is
  Gpu,   ///< launch or set: accesses later, in the order of its stream
  Copy,  ///< a CUDA copy; see the copy fields
  Alloc, ///< Object is allocated (calloc also writes all of it)
  Free,
  Reset, ///< cudaDeviceReset: waits, and frees everything
  SyncDevice,
  SyncStream,
  SyncEvent,
  QueryStream, ///< tells by its result whether the stream's work is done
  QueryEvent,
  EventRecord,
  StreamWait,
  StreamDestroy, ///< returns at once; what is in the stream goes on
  Other,         ///< may queue GPU work that uses no buffer of the function
};

enum class CopyDirection {
  HostToHost,
  HostToDevice,
  DeviceToHost,
  DeviceToDevice,
  Unknown
};

/// What the cudaMemcpyKind \p Kind says; Unknown: it is no constant, or
/// cudaMemcpyDefault.
CopyDirection directionOf(const llvm::Value *Kind);

struct Event {
  llvm::Instruction *At = nullptr;
  EventKind Kind = EventKind::Other;
  llvm::SmallVector<Access, 2> Accesses;
  int Object = -1; ///< of Alloc and Free
  /// A Free of one of several, each an event, or of null or the buffer.
  bool Perhaps = false;
  bool HasStream = false; ///< takes its place in a stream
  /// The stream operand; null: the default stream, unless StreamUnknown.
  const llvm::Value *Stream = nullptr;
  bool StreamUnknown = false;
  bool PerThread = false; ///< the default stream is the per-thread one
  const llvm::Value *Handle = nullptr; ///< of event calls
  // Copies only, but for Bytes and Moves, which sets have, too.
  CopyDirection Direction = CopyDirection::Unknown;
  bool Async = false;
  int Dst = -1, Src = -1; ///< the buffer, or -1: memory of no known buffer
  /// Where a side is one of several buffers, from its first byte on: those of
  /// both sides. Dst or Src, or both, are -1 then.
  llvm::SmallVector<unsigned, 2> DstOf, SrcOf;
  bool DstAtBase = false, SrcAtBase = false;
  /// Both sides are known buffers, and each byte goes to where it was in the
  /// other: the copy starts at the same offset of both, and rows are as far
  /// apart.
  bool InPlace = false;
  const llvm::SCEV *Bytes = nullptr; ///< null: not contiguous (2-D)
  bool MayFail = false; ///< a side may be null: then it moves and waits nothing
  bool Moves = false;   ///< surely at least one byte
  /// A copy to the host which fails if a kernel has failed before, and some
  /// kernel may.
  bool Doubtful = false;
  /// Of copies and sets: nothing that the program did can make it fail; both
  /// sides are there, and as large as it needs.
  bool Sure = false;
  /// Of copies: buffers of which it is not seen that they were allocated. Where
  /// one was not, the copy fails.
  llvm::SmallVector<unsigned, 2> Needs;
  /// A launch or library call: runs code that may use what the device keeps.
  bool RunsCode = false;
  /// Of Gpu: the work may be a copy of CUDA's, not a kernel.
  bool MayCopy = false;
  /// True if this is a synchronous copy of which one side is the host's, or may
  /// be: the host waits for it, unless it fails.
  bool waits() const {
    return Kind == EventKind::Copy && !Async &&
           Direction != CopyDirection::DeviceToDevice;
  }
  /// True if this waits, and whether it did does not show: it may move no byte,
  /// or fail for what the program gave it.
  bool waitsUnseen() const { return waits() && !Sure; }
  /// True if this is a copy to, or from, one of several buffers.
  bool chooses() const { return !DstOf.empty(); }
  /// True if this is what a realloc frees: it may fail, and then frees nothing.
  bool isResize() const;
  std::string What; ///< "kernel 'blur'", "host", "cudaMemset": for reports
};

/// Why a buffer, or the whole function, is not analyzed further.
struct Refusal {
  Blocker Reason;
  const llvm::Instruction *At;
  std::string What;
};

class Effects {
public:
  Effects(llvm::Function &F, const MemoryObjects &Objects, const Sizes &S,
          const UnitContext &Unit);

  /// Events of \p BB in order.
  llvm::ArrayRef<Event> in(const llvm::BasicBlock *BB) const;
  /// The first reason to refuse buffer \p Object, or null.
  const Refusal *refusal(unsigned Object) const;
  /// The first one that nobody's word overrules (mayBeOverruled), or null.
  const Refusal *firmRefusal(unsigned Object) const;
  /// Where the program asks whether the buffers \p A and \p B overlap, so that
  /// they must not share a block; or null.
  const llvm::Instruction *asksForOverlap(unsigned A, unsigned B) const;
  /// True if a texture reads device buffer \p Object.
  bool isTextured(unsigned Object) const { return Textured[Object]; }
  /// A reason that holds for every buffer of the function, or null.
  const Refusal *functionRefusal() const;
  /// What is taken for granted of other units, a bit mask of EchoPremise: code
  /// runs that neither the module nor a model shows.
  uint32_t premises() const { return Premises; }
  /// True if the unit asks how much memory a device has left.
  bool observesDevice() const { return ObservesDevice; }

private:
  friend class EffectsBuilder;
  llvm::DenseMap<const llvm::BasicBlock *, std::vector<Event>> Events;
  std::vector<std::optional<Refusal>> Refusals, FirmRefusals; ///< by object
  std::optional<Refusal> WholeFunction;
  uint32_t Premises = 0;
  bool ObservesDevice;
  llvm::BitVector Textured; ///< by object
  struct Question {
    unsigned A, B;
    const llvm::Instruction *At;
  };
  llvm::SmallVector<Question, 2> Apart;
};

/// True if the edge leads past a launch that could not be configured, a path
/// that is there for each launch.
bool skipsLaunch(const llvm::BasicBlock *From, const llvm::BasicBlock *To,
                 const Effects &E);

} // namespace echo

#endif
