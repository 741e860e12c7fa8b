//===- Facts.h - What the survey learns from one file -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations, copies, calls and assignments of one translation unit, as text
// that fits to that of other units. They are written by the process that
// parses (Collector) and read by the one that joins (Project). Nothing here is
// concluded.
//
// A buffer has a key: its declaration's place and name, "FUNCTION#N" for a
// parameter, "FUNCTION()" for what a function returns. A "*" after a key is
// what the buffer's elements point to, a "&" the variable's own bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ECHO_TOOLS_ECHOSURVEY_FACTS_H
#define ECHO_TOOLS_ECHOSURVEY_FACTS_H

#include "facts/Extent.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace echo::survey {

enum class Group {
  Heap,
  Container,
  PinnedHost,
  Array,
  OneValue,
  DeviceMemory,
  ArrayMemory,
  DeviceLibrary,
  SharedMemory,
  Copy,
  OtherCopy,
  Trait,
  Other,
  Unresolved
};

enum class Idiom {
#define IDIOM(Id, Group, Word, Text) Id,
#include "facts/Idioms.def"
};

struct IdiomInfo {
  Idiom Id;
  Group In;
  const char *Word, *Text;
};

/// All idioms, in the order of the table.
const std::vector<IdiomInfo> &allIdioms();
const IdiomInfo &infoOf(Idiom Id);

struct Place {
  std::string File;
  unsigned Line = 0, Column = 0;

  auto operator<=>(const Place &) const = default;
};

/// A buffer as an expression names it. An empty Key: the expression is none
/// that the survey understands.
struct Operand {
  std::string Key;
  bool Offset = false; ///< not the buffer's begin
};

/// A declaration that expressions name.
struct Buffer {
  std::string Key, Name, Function;
  Place At;
  /// What the declaration itself is: an array, one value, a container.
  std::optional<Idiom> Own;
  Extent OwnExtent;
};

struct Allocation {
  std::string Key; ///< may be empty: the result goes where nothing is seen
  Idiom Memory = Idiom::Unknown;
  Extent Size;
  std::string Function;
  Place At;
};

struct Copy {
  Idiom Direction = Idiom::CopyUnknown;
  bool Async = false, Rows = false, InLoop = false;
  Operand To, From;
  Extent Size;
  std::string Function;
  Place At;
};

/// A use that is counted only.
struct Use {
  Idiom What = Idiom::Launch;
  Place At;
};

/// A call of a function of the program; arguments by number.
struct Call {
  struct Argument {
    /// The buffer that the argument is, or, where ByAddress, whose address.
    Operand Value;
    bool ByAddress = false;
    Extent Size;
  };
  std::string Callee, Caller;
  std::vector<Argument> Arguments;
  Place At;
};

/// To gets the value of From; At is the call whose result that may be.
struct Assignment {
  std::string To, From;
  Place At;
};

struct FileFacts {
  std::string File;
  unsigned Errors = 0;
  std::vector<std::string> MissingHeaders;
  std::vector<Buffer> Buffers;
  std::vector<Allocation> Allocations;
  std::vector<Copy> Copies;
  std::vector<Use> Uses;
  std::vector<Call> Calls;
  std::vector<Assignment> Assignments;
};

/// For the pipe between processes.
nlohmann::json toJson(const FileFacts &Facts);
FileFacts factsFromJson(const nlohmann::json &From);

} // namespace echo::survey

#endif
