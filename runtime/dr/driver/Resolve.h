//===- Resolve.h - Whom the program would have called -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every look-up of a driver function passes here: dlsym, cuGetProcAddress, and
// the exported symbols themselves. It decides which wrapper a look-up gets,
// from what the real look-up answered, and keeps the real function for it. It
// must never invent a function that the program would not have found, never
// answer the driver's own look-ups, and never wrap what is not the driver's.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_DRIVER_RESOLVE_H
#define ECHO_RUNTIME_DR_DRIVER_RESOLVE_H

#include "runtime/dr/Threads.h"
#include "runtime/dr/driver/DriverTable.h"

namespace echo::dr {

using DlsymFunction = void *(*)(void *Handle, const char *Name);

/// The C library's own dlsym: what Echo itself must use. Look-ups through it
/// with RTLD_NEXT start after libecho-dr.so.
DlsymFunction realDlsym();

/// The driver's function for \p Entry; null if no driver is loaded or it lacks
/// the function. Never loads the driver.
void *realDriverFunction(DriverEntry Entry);

/// The same by the exported name, for functions that the table lacks, too.
void *realDriverFunction(const char *Symbol);

/// What realDriverFunction() has found; atomic.
extern void *DriverFunctions[NumDriverRows][2]
    __attribute__((visibility("hidden")));

/// Whether a call must be made as it is, and nothing noted: inside of a call
/// that counts, frees of host memory alone count, too.
inline bool goesUnseen(DriverKind Kind) {
  return Depth != 0 && Kind != DriverKind::FreeHost;
}

/// The driver's function for \p Entry, a call that goes unseen. Null where
/// driverCall() has to decide.
inline void *unseenDriverFunction(DriverEntry Entry, DriverKind Kind) {
  return goesUnseen(Kind)
             ? __atomic_load_n(&DriverFunctions[Entry.Row][Entry.PerThread],
                               __ATOMIC_ACQUIRE)
             : nullptr;
}

/// The wrapper of \p Entry.
void *driverWrapper(DriverEntry Entry);

/// True if \p Address lies in the driver's library.
bool isDriverAddress(const void *Address);

/// Calls \p Function, a driver function of \p NumArgs integer parameters.
int invokeDriver(void *Function, unsigned NumArgs, const uint64_t *Args);

/// The same by the row: a handle that \p Args points to is passed by value.
int invokeDriver(const DriverRow &Row, void *Function, const uint64_t *Args);

/// What the wrapper of \p Entry does: tells the core, calls the driver.
int driverCall(DriverEntry Entry, uint64_t *Args);

} // namespace echo::dr

#endif
