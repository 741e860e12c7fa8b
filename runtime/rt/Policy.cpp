//===- Policy.cpp - Where a merged block lives ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of devices and what to use on them. Attributes are read on the
// first request, never earlier: a program that never merges never pays for it.
//
//===----------------------------------------------------------------------===//
#include "runtime/rt/Policy.h"

#include "runtime/abi/EchoRt.h"
#include "runtime/rt/BackingRules.h"
#include "runtime/rt/CudaScope.h"
#include "runtime/rt/DeviceBytes.h"
#include "runtime/rt/Memory.h"
#include "runtime/rt/OtherUnits.h"
#include "runtime/rt/Pinning.h"
#include "runtime/rt/Waits.h"

namespace echo::rt {

static Decision split(const char *Why) {
  Decision D;
  D.Why = Why;
  return D;
}

static Decision merged(Backing Kind) {
  Decision D;
  D.Kind = Kind;
  return D;
}

/// Managed memory that the host must leave alone while the GPU works, whatever
/// the GPU does (concurrentManagedAccess = 0). The host never touches a
/// quiescent group then, and calloc, for which echort clears the block, is such
/// a touch. Memory that was allocated while the GPU worked is fine: each host
/// access comes after a synchronization, each kernel that uses it after a
/// launch.
static bool hostAccessFaults(const DeviceTraits &Traits, const Request &R) {
  return !Traits.ConcurrentManaged &&
         (!(R.GroupFlags & ECHO_GROUP_QUIESCENT) || othersStartThreads());
}

static Decision pinnedSplit(const DeviceTraits &Traits, const Request &R) {
  if (R.GroupFlags & ECHO_GROUP_PINNED_HOST)
    return split("the program pinned the host side");
  if (!Traits.HostRegister)
    return split("this device pins no memory of the process");
  return merged(Backing::PinnedSplit);
}

static Decision forcedBacking(const DeviceTraits &Traits, Backing Kind,
                              const Request &R) {
  switch (Kind) {
  case Backing::Split:
    return split("ECHO_BACKING=split");
  case Backing::System:
    if (!Traits.HostPageTables && !Traits.Pageable)
      return split("this GPU does not reach system memory");
    if (R.GroupFlags & ECHO_GROUP_TEXTURED)
      return split("a texture reads it");
    if (R.GroupFlags & ECHO_GROUP_OWN_COPY)
      return split("CUDA must take it for device memory where it is copied");
    return merged(Backing::System);
  case Backing::Managed:
    if (hostAccessFaults(Traits, R))
      return split("the host uses it while the GPU works, which faults in "
                   "managed memory on this device");
    if (R.GroupFlags & ECHO_GROUP_OBSERVED)
      return split("the program asks how much memory is left");
    return merged(Backing::Managed);
  case Backing::Mapped:
    return merged(Backing::Mapped);
  case Backing::PinnedSplit:
    return pinnedSplit(Traits, R);
  }
  return split("unknown backing");
}

static Decision tableBacking(const DeviceTraits &Traits, const Request &R) {
  constexpr uint32_t NotOfProcess = ECHO_GROUP_TEXTURED | ECHO_GROUP_OWN_COPY;
  if (Traits.HostPageTables && !(R.GroupFlags & NotOfProcess))
    return merged(Backing::System);
  if (!Traits.Integrated)
    return R.Bytes < MinPinnedBytes ? split("too small to pin")
                                    : pinnedSplit(Traits, R);
  if (hostAccessFaults(Traits, R) || R.GroupFlags & ECHO_GROUP_OBSERVED)
    return merged(Backing::Mapped);
  return merged(Backing::Managed);
}

/// \p D, or what \p P found to be faster if \p D is slower than split.
static Decision measuredBacking(const DeviceTraits &Traits, const Request &R,
                                Decision D, const Profile &P) {
  const Profile::Size *Near = nearestSize(P, R.Bytes);
  auto Time = [Near](Backing Kind) {
    return Near->Loop[static_cast<unsigned>(Kind)];
  };
  if (!Near || D.Kind == Backing::Split || !Time(D.Kind) ||
      Time(D.Kind) <= Time(Backing::Split))
    return D;
  uint64_t Best = Time(Backing::Split);
  D = split("the device profile says that sharing this size is slower");
  // An iteration of the profile touches each element once. Where the GPU has
  // memory of its own, kernels may touch shared memory too often for it.
  if (!Traits.Integrated)
    return D;
  static constexpr Backing Others[] = {Backing::System, Backing::Managed,
                                       Backing::Mapped, Backing::PinnedSplit};
  for (Backing Kind : Others) {
    if (!Time(Kind) || Time(Kind) >= Best)
      continue;
    Decision Other = forcedBacking(Traits, Kind, R);
    if (Other.Kind == Backing::Split)
      continue;
    D = Other;
    Best = Time(Kind);
  }
  return D;
}

Decision chooseBacking(const DeviceTraits &Traits, const Options &Opts,
                       const Request &R, const Profile *P) {
  if (Opts.Invalid)
    return split("an ECHO_ variable has an unknown value");
  if (Opts.NoUnify)
    return split("ECHO_NO_UNIFY=1");
  if (!Opts.Auto)
    return forcedBacking(Traits, Opts.Forced, R);
  Decision D = tableBacking(Traits, R);
  return P ? measuredBacking(Traits, R, D, *P) : D;
}

enum : uint8_t { Unread, Known, Unusable };
static struct {
  uint8_t State;
  DeviceTraits Traits;
} Devices[MaxDevices];
static Mutex DevicesLock;

static bool readAttribute(int Attribute, int Device, bool &Value) {
  int Raw = 0;
  if (cudaDeviceGetAttribute(&Raw, Attribute, Device) != CudaSuccess)
    return false;
  Value = Raw != 0;
  return true;
}

static bool readTraits(int Device, DeviceTraits &T) {
  if (!readAttribute(AttributeIntegrated, Device, T.Integrated))
    return false;
  // Attributes that an old driver does not know are 0 there.
  (void)readAttribute(AttributeConcurrentManagedAccess, Device,
                      T.ConcurrentManaged);
  (void)readAttribute(AttributePageableMemoryAccess, Device, T.Pageable);
  (void)readAttribute(AttributeHostPageTables, Device, T.HostPageTables);
  (void)readAttribute(AttributeHostRegister, Device, T.HostRegister);
  return true;
}

static bool traitsOf(int Device, DeviceTraits &T) {
  if (Device < 0 || Device >= MaxDevices)
    return false;
  auto &Entry = Devices[Device];
  if (__atomic_load_n(&Entry.State, __ATOMIC_ACQUIRE) == Unread) {
    DeviceTraits Fresh;
    bool Usable = readTraits(Device, Fresh);
    Guard G(DevicesLock);
    if (Entry.State == Unread) {
      Entry.Traits = Fresh;
      __atomic_store_n(&Entry.State, Usable ? Known : Unusable,
                       __ATOMIC_RELEASE);
    }
  }
  T = Entry.Traits;
  return Entry.State == Known;
}

Decision decideBacking(const Request &R) {
  Options Opts = options();
  static_cast<Wish &>(Opts) = wishFor(R.Name);
  if (Opts.Invalid || Opts.NoUnify ||
      (!Opts.Auto && Opts.Forced == Backing::Split))
    return chooseBacking(DeviceTraits(), Opts, R);
  if (forkEra())
    return split("a child process cannot use its parent's GPU");
  ErrorScope Errors;
  int Device = 0;
  DeviceTraits Traits;
  if (cudaGetDevice(&Device) != CudaSuccess || !traitsOf(Device, Traits))
    return split("no usable device");
  Decision D =
      chooseBacking(Traits, Opts, R, Opts.Auto ? profileOf(Device) : nullptr);
  // Asking about a capture makes a CUDA context. A host allocation in system
  // memory needs none, so it does not ask.
  bool AsksCuda = isCudas(D.Kind) || (D.Kind == Backing::System &&
                                      echo_is_cudas(R.Role, R.GroupFlags));
  if (AsksCuda && !mayUseLegacyStream())
    return split("a stream capture is in progress");
  D.Device = Device;
  D.Forced = !Opts.Auto;
  return D;
}

bool hasOneDevice() {
  static int Cached; // every thread would store the same
  int Count = __atomic_load_n(&Cached, __ATOMIC_RELAXED);
  if (!Count) {
    ErrorScope Errors;
    if (cudaGetDeviceCount(&Count) != CudaSuccess)
      return false;
    __atomic_store_n(&Cached, Count, __ATOMIC_RELAXED);
  }
  return Count == 1;
}

} // namespace echo::rt
