//===- Rules.h - When the host may use a buffer of a pair -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules of validation, on events. A program with h and d apart would behave
// the same with one buffer for both if, in every window of GPU work,
//   - the host does not touch h from the first work on until all of it has
//     ended and h holds what d holds: h is closed meanwhile (a window);
//   - what another thread does with h before the next work, the thread that
//     launches waits for (Guard.h);
//   - when work begins h holds what d holds: what the host wrote was copied;
//   - no copy reads or writes h but whole ones from and to one d, and none
//     brings d what another host buffer holds;
//   - before the first copy, the GPU did not write d after the host wrote h,
//     nor the host h after the GPU wrote d;
//   - what the host wrote to h and did not copy before it freed h, it does not
//     find in d, which nothing uses before a whole copy to it;
//   - no copy links an h and a d of which one would be one with another buffer.
// Contents are compared where a rule needs it. Any work may use any d, whatever
// its arguments name. What cannot be watched rejects the pair: pages that do
// not close, contents that change while they are closed, and whatever the
// process has that uses memory past page protection (Bypass.h). A program that
// watches the GPU at work rejects all its pairs: what it does depends on when
// work ends, which one buffer for both changes. Rejecting needs no proof;
// passing a pair does, so a pair passes only by rounds that were seen.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_RULES_H
#define ECHO_RUNTIME_DR_VALIDATE_RULES_H

#include "runtime/dr/Core.h"
#include "runtime/dr/PlanFile.h"
#include "runtime/dr/validate/InFlight.h"
#include "runtime/dr/validate/Joins.h"
#include "runtime/dr/validate/Pages.h"

namespace echo::dr {

/// What became of a pair.
struct Verdict {
  Trap What = Trap::None; ///< the first reason to reject it
  uint32_t Rounds = 0;    ///< rounds that the rules held in
  uint8_t Joins = 0;      ///< how its buffers came together (Joins::seen)
};

class Rules {
public:
  /// Tells of a verdict that changed: \p A is that of a Trap, or What is None.
  using Listener = void (*)(const PlanPair &P, const Verdict &V,
                            const Access &A, Reason Why);

  void start(const PlanFile &Plan, Listener Tell);
  const Verdict &verdict(unsigned Pair) const { return Verdicts[Pair]; }

  /// False: \p E, of host memory, is of no concern; needs no lock. The threads
  /// of CUDA that a comparison waits for must not wait for the lock.
  bool concerns(const Event &E) const;
  Action before(Event &E);
  void after(Event &E, int Status);
  void dropOut(const void *Pointer, Reason Why);
  /// In a child process: from here on every access rejects.
  void forked();
  /// Takes up what the fault handler saw.
  void collect();
  /// The process ends: looks at what is closed, and around, once more.
  void finish();

  /// Whether the call that is under way is one of a library's, whose own work
  /// it asks about (Libraries.h). Null: none is.
  bool (*IsLibrarysOwn)() = nullptr;

  /// How long Echo's own copies wait for work of the GPU, in milliseconds: that
  /// may wait for the host thread which is held meanwhile.
  unsigned Patience = 2000;

private:
  /// A watched host buffer; its number is that of its pages.
  struct Buffer {
    uint64_t Site = 0;
    uintptr_t Device = 0;    ///< its d; 0: not linked now
    uint64_t DeviceSite = 0; ///< of the d that it was first linked to
    bool Lost = false;       ///< its d went with what the GPU had changed
    bool WorkSince = false;  ///< work began since h was allocated or copied
    bool Summed = false;     ///< Sum is that of h, which is closed
    bool SummedOpen = false; ///< Sum is that of h, which is about to close
    uint64_t Sum = 0, HeadSum = 0; ///< of all, of the first HeadBytes
    // Before it is linked:
    bool Touched = false;        ///< the host used h, or calloc cleared it
    bool WorkAfterTouch = false; ///< and then work began
    bool TouchAfterWork = false; ///< the host used h after work began
    bool TouchInWork = false;    ///< and that had not certainly ended
  };

  /// A d whose h was freed with other contents than d's: in a run with the plan
  /// it would have these.
  struct Orphan {
    uintptr_t Device = 0; ///< 0: none
    uint64_t HostSite = 0, DeviceSite = 0;
  };

  template <class F> void eachPair(unsigned Slot, F Each);
  template <class F> void eachBuffer(F Each);
  void tell(unsigned Pair, const Access &A, Reason Why);
  void reject(unsigned Slot, const Access &A, Reason Why = Reason::None);
  void reject(unsigned Slot, Trap What);
  void lose(unsigned Slot, Reason Why);
  void rejectAll(Trap What, Reason Why);
  void seeContext();
  void rejectPair(unsigned Pair, const Access &A, Reason Why);
  void collectSlot(unsigned Slot);

  void close(unsigned Slot, Gate G);
  bool takeSum(unsigned Slot, const unsigned char *From = nullptr);
  void sumOpen(unsigned Slot);
  void closeSummed(unsigned Slot);
  bool openSummed(unsigned Slot, const unsigned char *From);
  void open(unsigned Slot);
  bool letRead(unsigned Slot);
  void endOfEvent(bool All);
  bool sumAgain(unsigned Slot);
  bool isUnchanged(unsigned Slot);
  bool isUnchangedNow(unsigned Slot);
  void sumClosed();
  bool polls(const Event &E) const;
  /// Whether the copy \p E, which has its place in the order of work, brings a
  /// word from the GPU while other work goes on that may write it.
  bool looksBeside(const Event &E) const;

  Action allocates(Event &E);
  Action frees(Event &E);
  void inherit(unsigned Slot, bool Zeroed);
  void deviceAllocated(const Event &E);
  void joins(const Event &E, Joins::Side Which, uintptr_t Base);
  void parts(Joins::Side Which, uintptr_t Base);
  bool isOverwritten(unsigned Pair, unsigned Slot, uintptr_t Device) const;
  void deviceFreed(const Range &Freed);
  void orphan(unsigned Slot);
  /// \p Device, or any d if it is 0, is used as its last h may not have left
  /// it.
  void orphanUsed(uintptr_t Device);
  void forgetOrphan(uintptr_t Device);
  void copies(Event &E);
  void copied(const Event &E, int Status);
  bool link(unsigned Slot, uintptr_t Device, bool ToDevice);
  bool landElsewhere(Event &E, unsigned Slot);
  bool landed(const Event &E, int Status, unsigned Slot);
  void roundEnds(unsigned Slot);
  bool hasPairLeft(unsigned Slot);
  /// Whether any pair is not rejected yet.
  bool hasCandidate() const;
  /// A kernel begins in \p Stream.
  void launched(uint64_t Stream);
  /// The program makes a call, one of CUDA if \p IsCuda. Where buffers are one,
  /// it could wait for kernels if \p CouldWait; any could that makes up for
  /// what a thread that must not call CUDA has left to do. The kernels must end
  /// though the program does nothing more: one that does not waits for what
  /// comes after the call, for ever.
  void awaitLaunched(bool IsCuda, bool CouldWait);
  /// Work that may use \p OnlyDevice; 0: any.
  void workBegins(uintptr_t OnlyDevice);
  /// The same, for an h that is linked to no d; \p Only is that d, or empty.
  void workBeside(unsigned Slot, const Range &Only);
  void workEnds();

  bool mayCopy(uint64_t Stream);
  bool waitBeside();
  bool mayRead();
  bool sameContents(unsigned Slot, bool StaysClosed = true);
  bool headDiffers(unsigned Slot);
  bool isFresh(uintptr_t Device, size_t Bytes);
  /// Whether some h is linked to \p Device.
  bool isLinked(uintptr_t Device);
  /// Whether the program may have used h while it used a d of the pair that no
  /// copy links: one buffer for both, which is made where they are allocated,
  /// would mix them up. A d that is surely as it was allocated was not used.
  /// \p Freed: that d, which is about to be freed; null: any. \p AtEnd: nothing
  /// more comes.
  bool usedApart(unsigned Slot, const Range *Freed, bool AtEnd = false);
  bool freshAt(const PlanPair &P);
  /// freshAt(), asked once in each workBegins().
  bool isFreshNow(unsigned Pair);
  void *scratch(size_t Bytes);

  /// So much of a d is compared first: most work changes it.
  static constexpr size_t HeadBytes = size_t(64) << 10;
  /// Memory of Echo's own, at least as large as what was last asked for.
  struct Memory {
    unsigned char *Base = nullptr;
    size_t Bytes = 0;
    unsigned char *atLeast(size_t Wanted);
  };

  const PlanFile *Plan = nullptr;
  Listener Tell = nullptr;
  const DeviceOps *Ops = nullptr; ///< of the last event that had some
  uint64_t Context = 0; ///< the one that the program uses; 0: none yet
  bool InChild = false;
  Verdict Verdicts[MaxPlanPairs];
  enum class Answer : uint8_t { None, No, Yes };
  Answer FreshNow[MaxPlanPairs] = {};
  Buffer Buffers[MaxPages];
  Orphan Orphans[16];
  InFlight Work;
  Joins Blocks;
  uint64_t Launched[8] = {}; ///< streams with kernels that were not awaited
  unsigned NumLaunched = 0;
  bool OwesWait = false; ///< a call waited for nothing that had to
  bool Unsummed = false; ///< a window closed that has no sum yet
  bool Moved = false;    ///< a gate closed or opened during this event
  Memory Room;
  Memory Landing;         ///< where one copy to the host lands first
  bool IsLanding = false; ///< such a copy is under way
};

} // namespace echo::dr

#endif
