//===- LtDescriptors.h - cuBLASLt's descriptors --------------- -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the opaque structures of cublasLt.h hold here. They lie inside of these,
// as a program may keep them in memory of its own.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_CPU_LIBS_BLAS_LTDESCRIPTORS_H
#define ECHO_RUNTIME_CPU_LIBS_BLAS_LTDESCRIPTORS_H

#include "runtime/cpu/libs/blas/Handle.h"

#include <cublasLt.h>

namespace echo::cpulibs {

#define MEMBER(Attribute, Type, Member, Default) Type Member = Default;
/// A matrix, or a batch of them.
struct LtLayout {
#define LT_LAYOUT MEMBER
#include "LtAttributes.def"
};
/// A product and what is done with its result.
struct LtDesc {
#define LT_DESC MEMBER
#include "LtAttributes.def"
};
/// What a program asks of an algorithm.
struct LtPreference {
#define LT_PREF MEMBER
#include "LtAttributes.def"
};
#undef MEMBER

inline const LtLayout *in(cublasLtMatrixLayout_t D) {
  return reinterpret_cast<const LtLayout *>(D);
}
inline const LtDesc *in(cublasLtMatmulDesc_t D) {
  return reinterpret_cast<const LtDesc *>(D);
}

} // namespace echo::cpulibs

#endif
