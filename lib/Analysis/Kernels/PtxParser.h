//===- PtxParser.h - Inline PTX as statements -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The statements of an inline assembly string. It says nothing about what they
// do, and nothing at all about a string of which one form is not understood.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_KERNELS_PTXPARSER_H
#define ECHO_ANALYSIS_KERNELS_PTXPARSER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace echo {

/// One operand: `$1`, a name, an immediate, `{a,b}`, `[a+4]` or a place in a
/// texture, `[t, {x,y}]`.
struct PtxOperand {
  std::vector<std::string> Parts; ///< several for a vector, `a|p` or a place
  bool IsVector = false;
  bool IsAddress = false;
  int64_t Offset = 0; ///< of an address
};

/// One instruction.
struct PtxStatement {
  std::string Predicate;             ///< register after '@', or ""
  bool Negated = false;              ///< `@!p`
  std::vector<std::string> Mnemonic; ///< split at dots
  std::vector<PtxOperand> Operands;
};

/// Parses an inline assembly string; nothing if it has a form that is not
/// understood. Register declarations are skipped.
std::optional<std::vector<PtxStatement>> parsePtx(llvm::StringRef Text);

} // namespace echo

#endif
