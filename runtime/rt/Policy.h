//===- Policy.h - Where a merged block lives --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chooses the backing of a block from the current device's attributes, the
// group's facts and ECHO_BACKING. Anything unknown means Split. It allocates
// nothing, and it leaves no CUDA error behind.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_RT_POLICY_H
#define ECHO_RUNTIME_RT_POLICY_H

#include "runtime/rt/Profile.h"
#include "runtime/rt/Support.h"

#include <stddef.h>

namespace echo::rt {

/// What the policy must know of a device.
struct DeviceTraits {
  bool Integrated = false;
  bool ConcurrentManaged = false; ///< host may touch managed memory any time
  bool Pageable = false;          ///< GPU reaches pageable memory
  bool HostPageTables = false;    ///< ... through the host's page tables
  bool HostRegister = false;      ///< memory can be pinned where it lies
};

struct Request {
  uint32_t Role;
  uint32_t GroupFlags;
  size_t Bytes = ~size_t(0);
  const char *Name = nullptr; ///< of the group
};

struct Decision {
  Backing Kind = Backing::Split;
  const char *Why = nullptr; ///< for Split: the reason, for ECHO_VERBOSE
  int Device = 0;
  bool Forced = false; ///< by ECHO_BACKING
};

/// The table: no CUDA calls, no state. Where \p P, which may be null, says that
/// what the table gives is slower than the program as written, it is
/// split, or on an integrated device the fastest that it can use.
Decision chooseBacking(const DeviceTraits &Traits, const Options &Opts,
                       const Request &R, const Profile *P = nullptr);

/// The decision for the current device, whose attributes are read once.
Decision decideBacking(const Request &R);

/// True if the process sees one device: no code can select another one, and no
/// kernel of another one has to be ordered after an upload.
bool hasOneDevice();

} // namespace echo::rt

#endif
