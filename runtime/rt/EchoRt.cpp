//===- EchoRt.cpp - Acquire and release of merged blocks ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules R1 and R4 at run time. It decides for each allocation whether the
// program's pair shares one block, from the policy and from the partner; every
// doubt is a null answer, after which the program does what it wrote.
//
//===----------------------------------------------------------------------===//
#include "runtime/abi/EchoRt.h"
#include "runtime/rt/Account.h"
#include "runtime/rt/Block.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/CudaUse.h"
#include "runtime/rt/DeviceBytes.h"
#include "runtime/rt/LoadedUnits.h"
#include "runtime/rt/Memory.h"
#include "runtime/rt/OtherUnits.h"
#include "runtime/rt/OwnFunctions.h"
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Policy.h"
#include "runtime/rt/Site.h"
#include "runtime/rt/Upload.h"
#include "runtime/rt/Waits.h"
#include "runtime/rt/Watch.h"

#include <string.h>

using namespace echo::rt;

// Hidden: each shared object that was linked with echort has its own registry,
// for its own pairs, and leaves with it.
#define ECHO_ENTRY extern "C"

static bool isAssumed(const EchoGroup &Group) {
  return Group.flags & ECHO_GROUP_ASSUMED;
}

/// Says once per group what its first allocation got.
static void reportGroup(EchoGroup *Group, Backing Kind, const char *Why) {
  Site *S = options().Verbose ? siteOf(Group) : nullptr;
  if (!S || __atomic_exchange_n(&S->Reported, true, __ATOMIC_RELAXED))
    return;
  const char *Name = Group->name ? Group->name : "(unnamed pair)";
  if (Kind == Backing::Split)
    say("%s: split: %s", Name, Why);
  else if (Kind == Backing::PinnedSplit)
    say("%s: host side pinned, copies stay (pinned-split)", Name);
  else
    say("%s: merged (%s)%s", Name, backingName(Kind),
        isAssumed(*Group) ? ", assumed" : "");
}

static size_t alignmentOf(const EchoGroup &Group) {
  return size_t(1) << (Group.flags >> ECHO_GROUP_ALIGN_SHIFT & 63);
}

/// True if \p B starts where a block of \p Group may.
static bool isAligned(const Block &B, const EchoGroup &Group) {
  size_t Alignment = alignmentOf(Group);
  return !(reinterpret_cast<uintptr_t>(B.Base) & (Alignment - 1));
}

static void *joinPartner(EchoGroup *Group, uint32_t Role, size_t Bytes,
                         void *Partner, bool Zeroed) {
  if (!mayBeBlock(Partner)) // asks nothing of CUDA
    return nullptr;
  if (forgetIfReset(Partner).Any)
    return nullptr; // other memory lies there
  int Device = -1;
  if (echo_is_cudas(Role, Group->flags)) {
    if (forkEra())
      return nullptr;
    ErrorScope Errors;
    // As written, the allocation fails where CUDA reported an error that stays.
    if (cudaGetDevice(&Device) != CudaSuccess || !mayUseLegacyStream())
      return nullptr;
    if (Role == ECHO_DEVICE && !reserveDevice(Device, Bytes))
      return nullptr;
  }
  // S1 counts calloc as a host write of the whole buffer, so nobody needs what
  // the block holds; but work may be in flight that still reads it.
  if (Zeroed && !isIdle())
    return nullptr;
  Joined J = joinBlock(Group, Role, Bytes, Partner, Device);
  if (!J.Base) {
    if (Role == ECHO_DEVICE)
      unreserveDevice(Device, Bytes);
    return nullptr;
  }
  countPair(J.Kind, isAssumed(*Group));
  if (Zeroed) {
    ErrorScope Errors;
    RelaxedCapture Capture;
    waitAsFree(J.Device);
    memset(J.Base, 0, Bytes);
  }
  return J.Base;
}

/// True if the program has a function of its own of which the analysis of
/// \p Group took what a model says. The first answer is kept.
static bool hasOwnFunctions(EchoGroup *Group) {
  Site *S = siteOf(Group);
  if (!S)
    return true;
  uint8_t Known = __atomic_load_n(&S->Functions, __ATOMIC_RELAXED);
  if (Known == Site::NotAsked) {
    const char *Own =
        ownFunction(Group->functions, howLinked() == Linked::ByOthers,
                    Group->flags & ECHO_GROUP_BY_NEW);
    Known = Own ? Site::HasOwn : Site::AllOfSystem;
    if (Own && options().Verbose)
      say("%s: the program has a function '%s' of its own, or is linked "
          "statically",
          Group->name ? Group->name : "(unnamed pair)", Own);
    __atomic_store_n(&S->Functions, Known, __ATOMIC_RELAXED);
  }
  return Known == Site::HasOwn;
}

static void *acquire(EchoGroup *group, uint32_t role, size_t bytes,
                     void *partner, uint32_t zeroed) {
  if (!group || group->version != ECHO_RT_ABI_VERSION || role > ECHO_DEVICE ||
      !bytes)
    return nullptr;
  armForkHandlers();
  armEnd();
  armAccount();
  // The device side of a pinned host buffer is the program's own.
  if (role == ECHO_DEVICE && pinnedSplitAt(partner))
    return nullptr;
  if (void *Joined = partner ? joinPartner(group, role, bytes, partner,
                                           zeroed == ECHO_ZEROES)
                             : nullptr)
    return Joined;
  if (isAssumed(*group) && bytes >= group->minBytes)
    if (const char *Why = staysApart(*group, bytes, partner)) {
      if (!partner)
        reportGroup(group, Backing::Split, Why);
      return nullptr;
    }
  if ((partner && role == ECHO_DEVICE) || bytes < group->minBytes)
    return nullptr;
  Decision D;
  if (!echo_is_cudas(role, group->flags) && !mayStartCuda(group->flags))
    D.Why = "CUDA is not in use yet, and may not be before the program uses it";
  else if (const char *Broken = brokenPremise(group->flags))
    D.Why = Broken;
  else if (hasOwnFunctions(group))
    D.Why = "a function under a library's name is the program's own";
  else
    D = decideBacking({role, group->flags, bytes, group->name});
  bool Apart = D.Kind == Backing::PinnedSplit;
  if (Apart ? role == ECHO_DEVICE : partner != nullptr)
    return nullptr;
  Block *B = nullptr;
  if (D.Kind != Backing::Split && !D.Forced) {
    Site *S = siteOf(group);
    if (S && !gateAllows(*S, *group, D.Kind, bytes)) {
      D.Kind = Backing::Split;
      D.Why = "it measured slower than its copies";
    }
  }
  if (D.Kind != Backing::Split) {
    if (role == ECHO_HOST) {
      B = makeBlock(D.Kind, bytes, D.Device, zeroed != ECHO_ZEROES_NONE,
                    alignmentOf(*group));
    } else if (reserveDevice(D.Device, bytes)) {
      B = makeBlock(D.Kind, bytes, D.Device, zeroed != ECHO_ZEROES_NONE,
                    alignmentOf(*group));
      if (!B)
        unreserveDevice(D.Device, bytes);
    }
    if (!B)
      D.Why = "the allocation failed";
  }
  if (B && !isAligned(*B, *group)) {
    dropBlock(B, /*Idle=*/true);
    if (role == ECHO_DEVICE)
      unreserveDevice(D.Device, bytes);
    B = nullptr;
    D.Why = "the memory is not aligned as the program asks";
  }
  reportGroup(group, B ? D.Kind : Backing::Split, D.Why);
  if (!B)
    return nullptr;
  if (Apart) {
    countPair(D.Kind);
    preparePinning(*B, D.Forced);
  }
  char *Base = B->Base;
  B->Group = group;
  B->Roles = static_cast<uint8_t>(1u << role);
  B->SecondHost = false;
  B->DeviceBytes = bytes;
  if (!Apart)
    noteReliance(group->flags);
  registerBlock(B);
  return Base;
}

ECHO_ENTRY void *echort_acquire(EchoGroup *group, uint32_t role, size_t bytes,
                                void *partner, uint32_t zeroed) {
  ErrnoScope Errno;
  void *Block = acquire(group, role, bytes, partner, zeroed);
  if (!Block)
    makeRoom(bytes, role == ECHO_DEVICE);
  return Block;
}

/// False for what surely is no block: blocks are 256-byte aligned.
static bool mayBePooled(const void *Pointer) {
  return Pointer && !(reinterpret_cast<uintptr_t>(Pointer) & 255);
}

/// What CUDA answers where it is asked to free what it does not know.
static int32_t freeUnknown(uint32_t Role) {
  static char NotCudas;
  return 1 +
         (Role == ECHO_DEVICE ? cudaFree(&NotCudas) : cudaFreeHost(&NotCudas));
}

/// The program's own free of \p Pointer is next. It waits for the device, so
/// memory may be given back before it.
static void beforeOwnFree(uint32_t Role, const void *Pointer) {
  int Device = 0;
  if (Role != ECHO_DEVICE || !Pointer || !hasDoomed() || forkEra())
    return;
  ErrorScope Errors;
  cudaPointerAttributes Found = {};
  if (cudaPointerGetAttributes(&Found, Pointer) == CudaSuccess &&
      Found.type == MemoryTypeDevice && cudaGetDevice(&Device) == CudaSuccess &&
      Found.device == Device && waitAsFree(Device) == CudaSuccess)
    deviceRested(Device);
}

ECHO_ENTRY int32_t echort_release(uint32_t role, void *pointer) {
  ErrnoScope Errno;
  if (role > ECHO_DEVICE)
    return 0;
  forgetWatched(pointer);
  // Where the reset took a host buffer along, there is nothing to free; but
  // CUDA's own free of it fails.
  if (Forgotten Dead = forgetIfReset(pointer); Dead.Any)
    return role == ECHO_HOST && !Dead.Pinned && !isMapped(pointer);
  Holding H = holdingAt(role, pointer);
  if (H.Twice || (!H.Held && mayBePooled(pointer) && isPooled(pointer)))
    return freeUnknown(role);
  if (!H.Held) {
    beforeOwnFree(role, pointer);
    return 0;
  }
  // The cudaFree or cudaFreeHost that does not run would have waited. An error
  // of earlier work shows here, as it would there; and where a capture forbids
  // the call, the buffer stays.
  bool Waits = H.Era == forkEra() && (role == ECHO_DEVICE || H.Pinned);
  cudaError_t Error = Waits ? waitAsFree(H.Device) : CudaSuccess;
  if (isCaptureError(Error))
    return 1 + Error;
  Released R = releaseRole(role, pointer);
  if (!R.Held)
    return freeUnknown(role); // another thread was faster
  bool Rested = Waits && !Error;
  if (Waits && role == ECHO_DEVICE) {
    unreserveDevice(R.Device, R.DeviceBytes);
    if (Rested && !R.Last)
      noteRest(pointer);
  }
  if (R.Last)
    dropBlock(R.Last, Rested);
  if (Rested)
    deviceRested(R.Device);
  return 1 + Error;
}

ECHO_ENTRY void echort_observe_memory(void) {
  ErrnoScope Errno;
  if (!forkEra())
    emptyPool(/*Patient=*/false);
}

/// The shared object leaves, or the process ends: then CUDA may be gone.
__attribute__((destructor)) static void leave() {
  if (!forkEra() && !processEnds())
    emptyPool(/*Patient=*/false);
  else
    emptyPoolOfSystemMemory();
}
