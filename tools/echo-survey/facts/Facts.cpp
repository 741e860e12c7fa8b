//===- Facts.cpp - What the survey learns from one file -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of idioms as data, and facts as JSON. Both ends are the same
// program, so every key is there.
//
//===----------------------------------------------------------------------===//
#include "facts/Facts.h"

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace echo::survey {

const std::vector<IdiomInfo> &allIdioms() {
  static const std::vector<IdiomInfo> All = {
#define IDIOM(Id, In, Word, Text) {Idiom::Id, Group::In, Word, Text},
#include "facts/Idioms.def"
  };
  return All;
}

const IdiomInfo &infoOf(Idiom Id) { return allIdioms()[size_t(Id)]; }

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Extent, Known, Constant, Factors)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Place, File, Line, Column)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Operand, Key, Offset)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Allocation, Key, Memory, Size, Function, At)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Copy, Direction, Async, Rows, InLoop, To,
                                   From, Size, Function, At)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Use, What, At)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Call::Argument, Value, ByAddress, Size)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Call, Callee, Caller, Arguments, At)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Assignment, To, From, At)

static void to_json(json &To, const Buffer &B) {
  To = {{"Key", B.Key},
        {"Name", B.Name},
        {"Function", B.Function},
        {"At", B.At},
        {"Own", B.Own ? int(*B.Own) : -1},
        {"OwnExtent", B.OwnExtent}};
}
static void from_json(const json &From, Buffer &B) {
  From.at("Key").get_to(B.Key);
  From.at("Name").get_to(B.Name);
  From.at("Function").get_to(B.Function);
  From.at("At").get_to(B.At);
  From.at("OwnExtent").get_to(B.OwnExtent);
  if (const int Own = From.at("Own"); Own >= 0)
    B.Own = Idiom(Own);
}

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FileFacts, File, Errors, MissingHeaders,
                                   Buffers, Allocations, Copies, Uses, Calls,
                                   Assignments)

json toJson(const FileFacts &Facts) { return Facts; }
FileFacts factsFromJson(const json &From) { return From.get<FileFacts>(); }

} // namespace echo::survey
