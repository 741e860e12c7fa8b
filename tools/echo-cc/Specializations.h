//===- Specializations.h - Templates and specializations for two sides -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc takes an explicit specialization that is for another side (__host__,
// __device__) than its function template; to clang it specializes nothing. A
// job that fails for that reason alone is run again with both declared for both
// sides, by attributes inserted into what is read of the file. A specialization
// that was not for the side of the job is `inline` there, so that its body,
// which nothing calls, is no code. Files on disk are never changed.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SPECIALIZATIONS_H
#define ECHO_CC_SPECIALIZATIONS_H

#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace echo {

/// What a run of a job knows of the runs before it.
struct TwoSided {
  /// FILE@OFFSET of the names of functions to declare for both sides.
  std::vector<std::string> Names;
  unsigned Told = 0; ///< diagnostics that have been printed
  unsigned Runs = 0;
};

/// Makes \p Clang read the functions of \p Before for both sides, and watches
/// for more of them.
void watchSpecializations(clang::CompilerInstance &Clang,
                          const TwoSided &Before);

/// After a run: true if the job is to be run again, with \p Next.
bool foundSpecializations(clang::CompilerInstance &Clang, TwoSided &Next);

} // namespace echo

#endif
