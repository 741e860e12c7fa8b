//===- ModelLine.h - Reads one line of a model file -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive-descent parser of the language of docs/guide/models.md. It never
// guesses: what it does not understand, and what cannot be true, is an error.
// Used by the parser of files alone.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_ANALYSIS_API_MODELLINE_H
#define ECHO_ANALYSIS_API_MODELLINE_H

#include "Analysis/Api/Models.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <string>
#include <vector>

namespace echo {

/// Parses one line. Every function returns false after fail() has kept the
/// reason.
class ModelLine {
public:
  ModelLine(llvm::StringRef Line, const llvm::StringMap<FunctionModel> &Groups)
      : Rest(Line), Groups(Groups) {}
  /// Reads the line: the same model for each of \p Names.
  bool parse(FunctionModel &Model, std::vector<std::string> &Names);
  /// Reads NAMES `is` WORD ...: what functions are, and nothing else of them.
  bool parseTraits(unsigned &Traits, std::vector<std::string> &Names);
  /// Reads what follows `attributes`: those of all functions below.
  bool parseDefaults(FunctionModel &Defaults);
  /// Reads what follows `group`: attributes, and their \p Name.
  bool parseGroup(FunctionModel &Group, std::string &Name);
  const std::string &reason() const { return Reason; }

private:
  llvm::StringRef Rest;
  const llvm::StringMap<FunctionModel> &Groups;
  std::string Reason;

  bool fail(const llvm::Twine &Why);
  /// Consumes \p Token if it is next.
  bool take(llvm::StringRef Token);
  bool expect(llvm::StringRef Token, llvm::StringRef Where);
  /// What comes next, for messages.
  std::string next();
  llvm::StringRef word();
  bool number(uint64_t &N);
  bool argNumber(unsigned &N);
  bool names(FunctionModel &Model, std::vector<std::string> &Names);
  bool size(ArgModel &Arg);
  bool argument(ArgModel &Arg);
  bool arguments(FunctionModel &Model);
  bool allocation(FunctionModel &Model);
  bool namedArgument(llvm::StringRef Word, llvm::StringRef Role, unsigned &N);
  bool stream(FunctionModel &Model);
  bool handle(FunctionModel &Model, llvm::StringRef Word);
  bool sync(FunctionModel &Model);
  bool memory(FunctionModel &Model);
  bool attribute(FunctionModel &Model, llvm::StringRef Word);
  bool attributes(FunctionModel &Model);
  bool traits(unsigned &Traits);
};

} // namespace echo

#endif
