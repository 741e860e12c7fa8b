//===- NvccMatch.h - Which flag of nvcc's a word is -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides from a command line and what it compiles which row of NvccFlags.def a
// word is, and which words are its value; and which flag a misspelt word was
// meant to be. Never says what a flag does.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOCC_NVCCMATCH_H
#define ECHO_TOOLS_ECHOCC_NVCCMATCH_H

#include "nvcc/NvccInputs.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace llvm::opt {
class Arg;
} // namespace llvm::opt

namespace echo {

/// A row of NvccFlags.def, which says what the words mean.
struct NvccFlag {
  enum Value { None, One, List, Number, Shared, Equal, Cuda };
  enum Action {
    Ignore,
    Note,
    Refuse,
    Words,
    Device,
    Join,
    Pair,
    Host,
    Choice,
    Special
  };

  llvm::StringRef Long, Short;
  Value Takes;
  Action Does;
  llvm::StringRef Text;
};

/// A row that matched at a place of the command line.
struct NvccMatch {
  const NvccFlag *Flag;
  std::string Spelling; ///< as the user wrote it, for messages
  std::string Value;
  unsigned Used = 1; ///< words
};

/// The flag of nvcc's at word \p At of \p Args; none if the word is clang's or
/// nobody's. Fails where its value is missing. \p What: what \p Args compile.
llvm::Expected<std::optional<NvccMatch>>
matchFlag(llvm::ArrayRef<std::string> Args, size_t At, Inputs What);

/// A kind of nvcc's -Werror in clang's words ("": nothing); none if unknown.
std::optional<llvm::StringRef> clangsErrorKind(llvm::StringRef Kind);

bool isDecimal(llvm::StringRef S);

/// The nearest spelling of nvcc's, clang's or Echo's to \p Word, or "".
std::string nearestNvccSpelling(llvm::StringRef Word);

/// True if \p A is a misspelt flag that clang reads as a short one with a
/// value ("-use_fastmath" as -u, "-lineinf" as -l, "-dlinc" as -d).
bool isMisreadFlag(const llvm::opt::Arg &A, llvm::StringRef Word);

} // namespace echo

#endif
