//===- LaunchBraces.h - Braces for a dim3 of a launch -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes a list in braces for the grid or the block of a launch; clang
// wants an expression there. The list becomes one of a dim3. Decides from the
// text before the braces, and must never touch braces that stand elsewhere.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_LAUNCHBRACES_H
#define ECHO_CC_LAUNCHBRACES_H

#include "cc1/SourceEdits.h"

namespace echo {

/// The type for the list at \p At, if that is the first or the second argument
/// between the angle brackets of a launch. Nothing: the text is another.
std::optional<SourceEdit> editLaunchBraces(llvm::StringRef Text, size_t At);

} // namespace echo

#endif
