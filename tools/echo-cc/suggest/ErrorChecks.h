//===- ErrorChecks.h - How a file tests results of CUDA ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from the calls of a unit how a new test of a result is written: as
// the file does it, or as an `if`. A test that is copied must do nothing where
// the call succeeded: one that prints or counts would change the program.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_ERRORCHECKS_H
#define ECHO_CC_SUGGEST_ERRORCHECKS_H

#include "SourceIndex.h"

namespace echo::suggest {

/// What stands before and after a call that is tested.
struct ErrorCheck {
  std::string Before, After;
  /// The variables that it declares: what it tests must not name them.
  std::vector<std::string> Declared;
};

/// What stands before and after \p Call in its statement, if that is one name
/// with the call as its only argument.
std::optional<ErrorCheck> checkOf(const CudaCall &Call,
                                  const SourceIndex &Source);

/// The macro or function that checks most calls of the main file, among those
/// that do nothing after a success; nothing: there is none.
std::optional<ErrorCheck> commonCheck(const SourceIndex &Source);

/// The result of CUDA that \p Cond looks at, a call, a variable or an
/// assignment, if it holds only where that is a failure; or null. So are
/// `cudaMalloc(...) != cudaSuccess` and `error`.
const clang::Expr *testedResult(const clang::Expr *Cond);

/// Edits with which the statement of \p Call, the bare call, ends the program
/// where the call fails. Nothing: the statement has another form.
std::optional<std::vector<Edit>> testByIf(const CudaCall &Call,
                                          const SourceIndex &Source);

/// Likewise, with \p Check around the call.
std::optional<std::vector<Edit>> testBy(const ErrorCheck &Check,
                                        const CudaCall &Call,
                                        const SourceIndex &Source);

} // namespace echo::suggest

#endif
