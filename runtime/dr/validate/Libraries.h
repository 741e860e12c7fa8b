//===- Libraries.h - Calls that CUDA's libraries make -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuBLAS, cuDNN and their like keep small pinned memory, and look whether their
// own work has ended. Their work waits for nothing that the program does, so
// neither makes it a program that watches the GPU at work. From the stack of
// the call that is under way; a library that is not known, or linked into the
// program, is the program. Never taken for such: NCCL, whose work waits.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_RUNTIME_DR_VALIDATE_LIBRARIES_H
#define ECHO_RUNTIME_DR_VALIDATE_LIBRARIES_H

namespace echo::dr {

/// True if the innermost code outside of Echo, of CUDA's runtime and of its
/// driver is a library's whose work waits for itself alone.
bool isLibrarysOwnCall();

/// True if \p Code is in CUDA's runtime, its driver, or one of these libraries:
/// what they ask of others decides nothing in the program.
bool isCudasOwn(const void *Code);

} // namespace echo::dr

#endif
