//===- Frees.h - Frees of a second buffer -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides how a second buffer is freed wherever the first one is, and whether
// it is always there by then. Where control may come from elsewhere, it is not:
// its variable has no value yet.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_CC_SUGGEST_FREES_H
#define ECHO_CC_SUGGEST_FREES_H

#include "CudaText.h"

namespace echo::suggest {

/// Where a free of the old buffer stands, and the text that frees the new one.
struct FreeText {
  Range At;
  std::string Text;
};

/// \p Free of \p V with \p Name in its place, the test whether there is a
/// buffer included; nothing: it has another form.
std::optional<FreeText> freeText(const CudaCall &Free, const clang::VarDecl *V,
                                 const std::string &Name,
                                 const SourceIndex &Source);

/// True if control may come to a place after \p S from elsewhere: to a label,
/// or to a case of the switch around it.
bool hasEntriesAfter(const Statement &S, const SourceIndex &Source);

} // namespace echo::suggest

#endif
