//===- AssumedPairs.h - The pairs that a user vouches for -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the files of --assume, and says which pairs they list. A pair is known
// by the places of its two allocations, as reports print them, and by the names
// of its buffers where both the line and the report have them. It never says
// what a listed pair may do: that is decided in Analysis/Decision/Assumptions.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_SUPPORT_ASSUMEDPAIRS_H
#define ECHO_SUPPORT_ASSUMEDPAIRS_H

#include "Support/Verdict.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace echo {

/// One line of such a file: "app.cu:40:14 h + app.cu:41:3 d", and more.
struct AssumedPair {
  SourcePlace Host, Device;
  std::string HostName, DeviceName; ///< "": the line has none
  std::string From;                 ///< "pairs.txt:3", for messages
  mutable bool Found = false; ///< some pair was asked for that is this one

  /// True if \p Pair lies at these places, whatever its names are.
  bool isAt(const PairReport &Pair) const;
};

/// What ECHO_ASSUME_UNIFIED says in the source: the buffers of two variables of
/// the function that has these lines.
struct AssumedScope {
  SourcePlace Place; ///< of the macro
  unsigned FirstLine = 0, LastLine = 0;
  std::string HostName, DeviceName;
  mutable bool Found = false;

  /// True if \p Pair is the one.
  bool fits(const PairReport &Pair) const;
};
/// \p Scope as one word and a file name, which addScope() reads.
std::string toText(const AssumedScope &Scope);

/// True if \p Mine is \p File or its last parts: "src/a.cu" of
/// "/home/src/a.cu".
bool isEndOf(llvm::StringRef Mine, llvm::StringRef File);

class AssumedPairs {
public:
  /// Adds what the file at path \p File lists. The error says file, line and
  /// what is expected.
  llvm::Error addFile(const std::string &File);
  /// The same of \p Text, which messages call \p File.
  llvm::Error addText(llvm::StringRef Text, llvm::StringRef File);
  /// Adds a scope of the source.
  llvm::Error addScope(llvm::StringRef Text);
  /// True if a line or a scope lists \p Pair, whose places are those of its own
  /// function.
  bool contains(const PairReport &Pair) const;
  llvm::ArrayRef<AssumedPair> all() const { return Pairs; }
  llvm::ArrayRef<AssumedScope> scopes() const { return Scopes; }
  bool empty() const { return Pairs.empty() && Scopes.empty(); }

private:
  std::vector<AssumedPair> Pairs;
  std::vector<AssumedScope> Scopes;
};

} // namespace echo

#endif
