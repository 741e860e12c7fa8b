//===- Descriptors.h - What a library does by its descriptors ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor keeps the address of a buffer. Decides whether the library, by
// the descriptor that a call makes, can only read what the call gives it.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_DESCRIPTORS_H
#define ECHO_ANALYSIS_API_DESCRIPTORS_H

namespace llvm {
class CallBase;
} // namespace llvm

namespace echo {

class ModelTable;

/// True if \p Keeping puts a new descriptor into a variable of the function,
/// and whatever is in that variable is only given to calls that write nothing
/// that the descriptor keeps (const in a model).
bool keepsForReading(const llvm::CallBase &Keeping, const ModelTable &Models);

} // namespace echo

#endif
