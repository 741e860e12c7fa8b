//===- ModelParser.h - Reads the text of model files ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser of docs/guide/models.md. Used by ModelTable alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_MODELPARSER_H
#define ECHO_ANALYSIS_API_MODELPARSER_H

#include "Analysis/Api/Models.h"
#include <optional>
#include <vector>

namespace echo {

/// What a file says, in its order.
struct ParsedModels {
  std::vector<FunctionModel> Functions;
  std::vector<std::pair<std::string, unsigned>> Traits; ///< by name
};

/// Reads \p Text. An error is "FILE:LINE: reason"; a function that is described
/// twice in one file is an error too.
llvm::Expected<ParsedModels> parseModels(llvm::StringRef Text,
                                         llvm::StringRef File);

/// What all names of the file with \p Text begin with, by its first line, if it
/// says so.
std::optional<llvm::StringRef> modelPrefix(llvm::StringRef Text);

} // namespace echo

#endif
