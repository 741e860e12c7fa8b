//===- SourceEdits.h - Sources that nvcc takes and clang refuses *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides, from clang's own errors, which places of a source file it would take
// in other words: specializations for another side than their template,
// launches spelled `<< <` and `>> >` or with braces for a dim3, members of
// dependent types that lack the word `template`, arithmetic on pointers to
// void, braces assigned to a vector of CUDA's halves, and objects with a
// destructor given to `...`. A job that fails for these reasons alone is run
// again, and reads the file so. Files on disk are never changed, and what clang
// takes at once is never read in other words.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SOURCEEDITS_H
#define ECHO_CC_SOURCEEDITS_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clang {
class CompilerInstance;
} // namespace clang

namespace echo {

/// At byte \p At of a file, \p Insert takes the place of \p Remove bytes.
struct SourceEdit {
  size_t At = 0, Remove = 0;
  std::string Insert;
};

/// What a run of a job knows of the runs before it.
struct SourceEdits {
  /// FILE@OFFSET,OFFSET and the letter of a reason (SourceEdits.cpp).
  std::vector<std::string> Places;
  unsigned Told = 0; ///< diagnostics that have been printed
  unsigned Runs = 0;
};

/// The angle brackets at \p At, a blank or more after two others, as one
/// token of a launch; every byte but the blanks stays where it is. Nothing: the
/// text is another.
std::optional<SourceEdit> editLaunch(llvm::StringRef Text, size_t At);

/// The word `template` for the last name of the qualified one at \p At, which a
/// list of arguments follows. Nothing: the text is another.
std::optional<SourceEdit> editTemplate(llvm::StringRef Text, size_t At);

/// The type of the left side, which begins at \p At, before the braces that are
/// assigned to it. Nothing: the text is another.
std::optional<SourceEdit> editBraces(llvm::StringRef Text, size_t At);

/// The address of the argument at \p At: what GCC passes to `...` in place of
/// an object that is not trivial. Nothing: the text is another.
std::optional<SourceEdit> editVariadic(llvm::StringRef Text, size_t At);

/// Makes \p Clang read what \p Before says, and watches for more of it.
void watchSource(clang::CompilerInstance &Clang, const SourceEdits &Before);

/// After a run: true if the job is to be run again, with \p Next.
bool needsEdits(clang::CompilerInstance &Clang, SourceEdits &Next);

} // namespace echo

#endif
