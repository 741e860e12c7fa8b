//===- SymbolCopies.h - Copies of a module's variables ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the copy of a node whose one side is a variable of a module. Refuses
// what cudaMemcpyToSymbol and its like refuse.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_GRAPHS_SYMBOLCOPIES_H
#define ECHO_RUNTIME_CPU_GRAPHS_SYMBOLCOPIES_H

#include "runtime/cpu/ArrayCopies.h"
#include "runtime/cpu/Registry.h"
#include "runtime/cpu/graphs/NodeWork.h"

namespace echo::cpu {

/// A place in a variable, by the host's shadow of it.
struct SymbolPlace {
  const void *Shadow;
  size_t Offset;
};

inline cudaError_t locate(SymbolPlace At, size_t Bytes, char *&Out) {
  void *Address = nullptr;
  size_t Size = 0;
  if (!findVariable(At.Shadow, Address, Size))
    return cudaErrorInvalidSymbol;
  if (At.Offset > Size || Bytes > Size - At.Offset)
    return cudaErrorInvalidValue;
  Out = static_cast<char *>(Address) + At.Offset;
  return cudaSuccess;
}

inline cudaError_t makeToSymbol(SymbolPlace To, const void *Src, size_t Bytes,
                                cudaMemcpyKind Kind, NodeWork &Out) {
  char *Dst = nullptr;
  if (!writesDevice(Kind))
    return cudaErrorInvalidMemcpyDirection;
  if (cudaError_t Error = locate(To, Bytes, Dst))
    return Error;
  const cudaMemcpy3DParms P = copyParams(Dst, Src, Bytes, Kind);
  return makeCopyWork(&P, Out);
}

inline cudaError_t makeFromSymbol(void *Dst, SymbolPlace From, size_t Bytes,
                                  cudaMemcpyKind Kind, NodeWork &Out) {
  char *Src = nullptr;
  if (!readsDevice(Kind))
    return cudaErrorInvalidMemcpyDirection;
  if (cudaError_t Error = locate(From, Bytes, Src))
    return Error;
  const cudaMemcpy3DParms P = copyParams(Dst, Src, Bytes, Kind);
  return makeCopyWork(&P, Out);
}

} // namespace echo::cpu

#endif
