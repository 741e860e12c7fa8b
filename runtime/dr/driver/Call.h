//===- Call.h - One call of the driver --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call by the roles of its parameters, and what Echo does about calls that it
// does not follow (Unfollowed.cpp): buffers drop out before they run, and
// memory that they give is noted with a reason when they have.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DRIVER_CALL_H
#define ECHO_RUNTIME_DR_DRIVER_CALL_H

#include "runtime/dr/Core.h"
#include "runtime/dr/driver/Descriptors.h"
#include "runtime/dr/driver/DriverTable.h"

namespace echo::dr {

/// A parameter that is an address.
template <class T = const void> T *at(uint64_t Word) {
  return reinterpret_cast<T *>(Word); // NOLINT(performance-no-int-to-ptr)
}

/// The parameters of one call by their role.
class Call {
public:
  Call(DriverEntry Entry, const uint64_t *Args)
      : Row(DriverRows[Entry.Row]), PerThread(Entry.PerThread), Args(Args) {}

  /// The position of the first parameter that is a \p Wanted, or -1.
  int find(Role Wanted) const {
    return Row.Places[static_cast<unsigned>(Wanted)] - 1;
  }
  uint64_t get(Role Wanted) const {
    const int I = find(Wanted);
    return I < 0 ? 0 : Args[I];
  }
  uint64_t stream() const { return named(get(Role::Stream)); }
  uint64_t named(uint64_t Handle) const {
    return namedStream(Handle, PerThread);
  }

  const DriverRow &Row;
  const bool PerThread;
  const uint64_t *const Args;
};

/// The \p Bytes at \p Answer say what CUDA knows of another address: where that
/// stands in them, \p Asked does from here on.
void renameAnswer(void *Answer, size_t Bytes, const Seen &As,
                  const void *Asked);

/// The flags of memory that the program registered, from those it has.
unsigned registeredFlags(unsigned Flags, const Seen &As);

/// A call that asks about host memory, or registers it, is answered for what
/// the program takes it for. False: it must be made as it is.
bool answerAbout(const Call &C, void *Function, int &Status);

/// Before a call that is no event: what it reaches drops out.
void dropUnfollowed(const Call &C);

/// After such a call: the device memory that it gave is known, with a reason.
void noteBirths(const Call &C);

/// Before a launch: the events that it will record are known no more, and the
/// buffer that it names drops out. The runtime's attributes are the driver's.
void noteAttributes(const LaunchAttribute *Attributes, uint64_t Count,
                    const DeviceOps &Ops);

} // namespace echo::dr

#endif
