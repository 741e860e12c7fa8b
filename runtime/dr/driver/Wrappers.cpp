//===- Wrappers.cpp - The driver's functions as Echo exports them ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for each entry of DriverApi.def and its per-thread variant, all
// of one shape: the parameters as 64-bit words, to driverCall. On Linux x86-64
// and aarch64 every parameter of these functions is one integer register or one
// stack slot of eight bytes, so the words are handed on as they came (the upper
// half of a 32-bit parameter is not defined and never looked at). Handles of
// IPC are passed by value, and are handed on so. A call that nobody has to see
// goes straight to the driver, with the registers and the stack as they are.
//
//===----------------------------------------------------------------------===//
#include "runtime/dr/Interposers.h"
#include "runtime/dr/driver/Descriptors.h"
#include "runtime/dr/driver/Resolve.h"

#define PARAMS_0 void
#define PARAMS_1 uint64_t A
#define PARAMS_2 PARAMS_1, uint64_t B
#define PARAMS_3 PARAMS_2, uint64_t C
#define PARAMS_4 PARAMS_3, uint64_t D
#define PARAMS_5 PARAMS_4, uint64_t E
#define PARAMS_6 PARAMS_5, uint64_t F
#define PARAMS_7 PARAMS_6, uint64_t G
#define PARAMS_8 PARAMS_7, uint64_t H
#define PARAMS_9 PARAMS_8, uint64_t I
#define PARAMS_10 PARAMS_9, uint64_t J
#define PARAMS_11 PARAMS_10, uint64_t K
#define PARAMS_12 PARAMS_11, uint64_t L
#define PARAMS_13 PARAMS_12, uint64_t M
#define PARAMS_14 PARAMS_13, uint64_t N
#define PARAMS_15 PARAMS_14, uint64_t O
#define PARAMS_16 PARAMS_15, uint64_t P
#define NAMES_0
#define NAMES_1 A
#define NAMES_2 NAMES_1, B
#define NAMES_3 NAMES_2, C
#define NAMES_4 NAMES_3, D
#define NAMES_5 NAMES_4, E
#define NAMES_6 NAMES_5, F
#define NAMES_7 NAMES_6, G
#define NAMES_8 NAMES_7, H
#define NAMES_9 NAMES_8, I
#define NAMES_10 NAMES_9, J
#define NAMES_11 NAMES_10, K
#define NAMES_12 NAMES_11, L
#define NAMES_13 NAMES_12, M
#define NAMES_14 NAMES_13, N
#define NAMES_15 NAMES_14, O
#define NAMES_16 NAMES_15, P
#define IPC_PARAMS_2 uint64_t A, IpcHandle B
#define IPC_PARAMS_3 IPC_PARAMS_2, uint64_t C
#define IPC_NAMES_2 A, reinterpret_cast<uint64_t>(&B)
#define IPC_NAMES_3 IPC_NAMES_2, C

using namespace echo::dr;

#define WRAPPER(name, row, perThread, kind, n)                                 \
  INTERPOSED int name(PARAMS_##n) {                                            \
    if (void *Unseen =                                                         \
            unseenDriverFunction({Driver_##row, perThread}, DriverKind::kind)) \
      return reinterpret_cast<int (*)(PARAMS_##n)>(Unseen)(NAMES_##n);         \
    uint64_t Args[n ? n : 1] = {NAMES_##n};                                    \
    return driverCall({Driver_##row, perThread}, Args);                        \
  }
#define DRIVER_API_IPC(symbol, base, version, kind, reason, n, roles)          \
  INTERPOSED int symbol(IPC_PARAMS_##n) {                                      \
    uint64_t Args[] = {IPC_NAMES_##n};                                         \
    return driverCall({Driver_##symbol, false}, Args);                         \
  }
#define PER_THREAD_none(symbol, kind, n)
#define PER_THREAD_ptds(symbol, kind, n)                                       \
  WRAPPER(symbol##_ptds, symbol, true, kind, n)
#define PER_THREAD_ptsz(symbol, kind, n)                                       \
  WRAPPER(symbol##_ptsz, symbol, true, kind, n)
#define DRIVER_API(symbol, base, version, suffix, perThread, kind, reason, n,  \
                   roles)                                                      \
  WRAPPER(symbol, symbol, false, kind, n)                                      \
  PER_THREAD_##suffix(symbol, kind, n)
#include "runtime/dr/driver/DriverApi.def"

namespace echo::dr {

#define ADDRESS_none(symbol) nullptr
#define ADDRESS_ptds(symbol) reinterpret_cast<void *>(&symbol##_ptds)
#define ADDRESS_ptsz(symbol) reinterpret_cast<void *>(&symbol##_ptsz)

void *driverWrapper(DriverEntry Entry) {
  static void *const Wrappers[NumDriverRows][2] = {
#define DRIVER_API(symbol, base, version, suffix, perThread, kind, reason, n,  \
                   roles)                                                      \
  {reinterpret_cast<void *>(&symbol), ADDRESS_##suffix(symbol)},
#include "runtime/dr/driver/DriverApi.def"
  };
  return Wrappers[Entry.Row][Entry.PerThread];
}

static_assert(MaxDriverArgs == 16, "a case for each number");

int invokeDriver(void *Function, unsigned NumArgs, const uint64_t *X) {
  using W = uint64_t;
  switch (NumArgs) {
  case 0:
    return reinterpret_cast<int (*)()>(Function)();
  case 1:
    return reinterpret_cast<int (*)(W)>(Function)(X[0]);
  case 2:
    return reinterpret_cast<int (*)(W, W)>(Function)(X[0], X[1]);
  case 3:
    return reinterpret_cast<int (*)(W, W, W)>(Function)(X[0], X[1], X[2]);
  case 4:
    return reinterpret_cast<int (*)(W, W, W, W)>(Function)(X[0], X[1], X[2],
                                                           X[3]);
  case 5:
    return reinterpret_cast<int (*)(W, W, W, W, W)>(Function)(X[0], X[1], X[2],
                                                              X[3], X[4]);
  case 6:
    return reinterpret_cast<int (*)(W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5]);
  case 7:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6]);
  case 8:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7]);
  case 9:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8]);
  case 10:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9]);
  case 11:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9], X[10]);
  case 12:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W)>(
        Function)(X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9],
                  X[10], X[11]);
  case 13:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W)>(
        Function)(X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9],
                  X[10], X[11], X[12]);
  case 14:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W)>(
        Function)(X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9],
                  X[10], X[11], X[12], X[13]);
  case 15:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W,
                                    W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9], X[10],
        X[11], X[12], X[13], X[14]);
  case 16:
    return reinterpret_cast<int (*)(W, W, W, W, W, W, W, W, W, W, W, W, W, W, W,
                                    W)>(Function)(
        X[0], X[1], X[2], X[3], X[4], X[5], X[6], X[7], X[8], X[9], X[10],
        X[11], X[12], X[13], X[14], X[15]);
  }
  __builtin_trap();
}

int invokeDriver(const DriverRow &Row, void *Function, const uint64_t *X) {
  using W = uint64_t;
  if (Row.NumArgs < 2 || Row.Roles[1] != Role::Ipc)
    return invokeDriver(Function, Row.NumArgs, X);
  const auto &Handle = *reinterpret_cast<const IpcHandle *>(X[1]); // NOLINT
  if (Row.NumArgs == 2)
    return reinterpret_cast<int (*)(W, IpcHandle)>(Function)(X[0], Handle);
  return reinterpret_cast<int (*)(W, IpcHandle, W)>(Function)(X[0], Handle,
                                                              X[2]);
}

} // namespace echo::dr
