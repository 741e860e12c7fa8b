//===- Memory.h - Which memory is whose ----------------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides what kind of memory a pointer names, from what the device allocated
// and what the program registered. It must never guess: what it does not know
// is pageable host memory.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_MEMORY_H
#define ECHO_RUNTIME_CPU_MEMORY_H

#include "runtime/cpu/CudaTypes.h"

namespace echo::cpu {

enum class MemKind : uint8_t {
  Pageable,        ///< host memory the device knows nothing of
  Device,          ///< cudaMalloc and its like
  Pinned,          ///< cudaMallocHost, cudaHostAlloc
  Registered,      ///< cudaHostRegister
  Managed,         ///< cudaMallocManaged
  Variable,        ///< a module's variable
  ManagedVariable, ///< one that is __managed__
};

struct Allocation {
  char *Base = nullptr;
  size_t Bytes = 0;
  size_t Mapped = 0; ///< length of its mapping, 0 if it came from malloc
  MemKind Kind = MemKind::Pageable;
  unsigned Flags = 0;
};

/// Host memory, as far as copies are concerned.
inline bool isPinned(MemKind K) {
  return K == MemKind::Pinned || K == MemKind::Registered;
}
/// Memory that host and device share by CUDA's rules.
inline bool isManaged(MemKind K) {
  return K == MemKind::Managed || K == MemKind::ManagedVariable;
}
/// Memory that only the device may be given as host side of a copy.
inline bool isDeviceOnly(MemKind K) {
  return K == MemKind::Device || K == MemKind::Variable;
}

/// Allocates and registers; \p Out is null where \p Bytes is 0.
cudaError_t allocate(MemKind Kind, size_t Bytes, unsigned Flags, void *&Out);
/// The registered range that holds \p P; Kind is Pageable where none does.
Allocation findAllocation(const void *P);
/// Takes a range that starts at \p P out of the registry; false if none does,
/// or \p Accept refuses its kind.
bool takeAllocation(const void *P, bool (*Accept)(MemKind), Allocation &Out);
/// Gives memory of a range that was taken out back to the system.
void releaseMemory(const Allocation &A);
/// Registers a range that is not the device's own; false if it overlaps one.
bool addRange(const Allocation &A);

/// Fills fresh memory with what no program should count on.
void poison(char *Base, size_t Bytes);
/// Gives back all that the device allocated.
void releaseAllMemory();

size_t memoryInUse();

/// Bytes of the system's pages: 4 KiB, or up to 64 KiB on aarch64.
size_t pageBytes();

} // namespace echo::cpu

#endif
