//===- DeviceStrings.h - C's memory functions in device code ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtins such as __builtin_strlen, which std::string_view stands on, become
// calls of the C library's function where LLVM does not fold them. A GPU has no
// such library; nvcc compiles a loop in its place. Gives device modules these
// loops. Device code that calls the functions by name is an error before, in
// clang as in nvcc.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TRANSFORM_DEVICE_DEVICESTRINGS_H
#define ECHO_TRANSFORM_DEVICE_DEVICESTRINGS_H

namespace llvm {
class Module;
} // namespace llvm

namespace echo {

/// Defines strlen, memchr and memcmp in the NVPTX module \p M where it declares
/// them with C's parameters (ISO C17 7.24), for itself alone. Returns true if
/// \p M changed.
bool defineStringFunctions(llvm::Module &M);

} // namespace echo

#endif
