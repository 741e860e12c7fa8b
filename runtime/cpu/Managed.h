//===- Managed.h - Managed memory the GPU owns ---------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With concurrentManagedAccess = 0, managed memory belongs to the GPU while
// work is queued: its pages are protected then, and a host access ends the
// program with a message. Work is held back until a wait, during which pages
// are open. Without that setting, nothing here does anything.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_MANAGED_H
#define ECHO_RUNTIME_CPU_MANAGED_H

#include <cstddef>

namespace echo::cpu {

struct Op;
struct Stream;

/// Reads the attribute; installs the fault handler where it is needed.
void startManaged();
/// The rule is in force: no host access while work is queued.
bool managedIsExclusive();

/// Whose work keeps the host out of a range.
enum class Attach { Global, Host, Single };
void addManagedRange(void *Start, size_t Bytes, Attach How);
void removeManagedRange(void *Start);
void attachManagedRange(void *Start, Attach How, Stream *To);

// Called under the scheduler's lock.
void managedWorkQueued(const Op &O);
void managedWorkDone(const Op &O);
void beginManagedWait();
void endManagedWait();

/// Opens managed memory while the runtime itself touches it.
class ManagedAccess {
public:
  ManagedAccess();
  ~ManagedAccess();
  ManagedAccess(const ManagedAccess &) = delete;
  ManagedAccess &operator=(const ManagedAccess &) = delete;
};

} // namespace echo::cpu

#endif
