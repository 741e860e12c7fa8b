//===- PatchText.h - Changes as a unified diff and as YAML ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes replacements for patch(1) and git, and for clang-apply-replacements.
// It decides nothing about them.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_PATCHTEXT_H
#define ECHO_CC_SUGGEST_PATCHTEXT_H

#include "clang/Tooling/Core/Replacement.h"

namespace echo::suggest {

/// The unified diff of file \p Name, whose text is \p Text; "" without changes.
/// Both sides have the same name: it applies with -p0.
std::string unifiedDiff(llvm::StringRef Name, llvm::StringRef Text,
                        const clang::tooling::Replacements &Changes);

/// The changes of unit \p Main in the form of clang-apply-replacements, with
/// absolute names of files.
std::string
replacementYaml(llvm::StringRef Main,
                const std::vector<clang::tooling::Replacement> &Changes);

} // namespace echo::suggest

#endif
