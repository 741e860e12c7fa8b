//===- PlanKeys.cpp - Checks an object of a plan by the table -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See PlanKeys.h.
//
//===----------------------------------------------------------------------===//
#include "Profile/PlanKeys.h"

#include "runtime/abi/DrPlan.h"

#include <set>

namespace echo::drtool {

using nlohmann::json;

namespace {

struct Key {
  const char *Place, *Name, *Type;
  bool Required;
};

enum Need { optional, required };
const Key Keys[] = {
#define DR_KEY(place, name, type, need, text)                                  \
  {#place, name, type, need == required},
#include "runtime/abi/DrPlan.def"
};

} // namespace

std::optional<uint64_t> readHex(const std::string &Text) {
  if (Text.size() != 16)
    return std::nullopt;
  uint64_t Value = 0;
  for (char C : Text) {
    bool Digit = C >= '0' && C <= '9', Letter = C >= 'a' && C <= 'f';
    if (!Digit && !Letter)
      return std::nullopt;
    Value = Value << 4 | uint64_t(Digit ? C - '0' : C - 'a' + 10);
  }
  return Value;
}

static std::string checkScalar(const json &V, const std::string &Type) {
  if (Type == "number")
    return V.is_number_unsigned() && V.get<uint64_t>() <= uint64_t(1) << 53
               ? ""
               : "is not a whole number";
  if (Type == "hex")
    return V.is_string() && readHex(V.get<std::string>())
               ? ""
               : "is not 16 hexadecimal digits";
  if (Type == "text")
    return V.is_string() ? "" : "is not a string";
  if (Type == "reason")
    return V.is_string() || V.is_null() ? "" : "is neither a string nor null";
  if (Type == "flag")
    return V.is_boolean() ? "" : "is neither true nor false";
  if (Type == "free")
    return V.is_object() ? "" : "is not an object";
  if (!V.is_string())
    return "is not a string";
  const std::string Word = V.get<std::string>();
  bool Known =
      Type == "choice"
          ? wordIn<drplan::Choice>(drplan::ChoiceWords, Word).has_value()
      : Type == "join"
          ? wordIn<drplan::Join>(drplan::JoinWords, Word).has_value()
      : Type == "wait"
          ? wordIn<drplan::Wait>(drplan::WaitWords, Word).has_value()
          : Type == "direction" && (Word == "H2D" || Word == "D2H");
  return Known ? "" : "is no word for a " + Type;
}

static std::string checkValue(const json &V, const std::string &Type,
                              const std::string &Where) {
  size_t Colon = Type.find(':');
  if (Colon != std::string::npos) {
    std::string Place = Type.substr(Colon + 1);
    if (Type.compare(0, Colon, "object") == 0)
      return checkPlanObject(V, Place, Where);
    if (!V.is_array())
      return Where + " is not an array";
    for (size_t I = 0; I < V.size(); ++I)
      if (std::string Error = checkPlanObject(
              V[I], Place, Where + "[" + std::to_string(I) + "]");
          !Error.empty())
        return Error;
    return "";
  }
  if (Type == "texts" || Type == "choices" || Type == "joins") {
    if (!V.is_array())
      return Where + " is not an array";
    const std::string Each = Type.substr(0, Type.size() - 1);
    for (const json &Item : V)
      if (std::string Error = checkScalar(Item, Each); !Error.empty())
        return fmt::format("{} holds what {}", Where, Error);
    return "";
  }
  std::string Error = checkScalar(V, Type);
  return Error.empty() ? "" : Where + " " + Error;
}

std::string checkPlanObject(const json &Value, const std::string &Place,
                            const std::string &Where) {
  const std::string Prefix = Where.empty() ? "" : Where + ".";
  if (!Value.is_object())
    return (Where.empty() ? "the plan" : Where) + " is not an object";
  std::set<std::string> Known;
  for (const Key &K : Keys) {
    if (Place != K.Place)
      continue;
    Known.insert(K.Name);
    auto It = Value.find(K.Name);
    if (It == Value.end()) {
      if (K.Required)
        return Prefix + K.Name + " is missing";
      continue;
    }
    if (std::string Error = checkValue(*It, K.Type, Prefix + K.Name);
        !Error.empty())
      return Error;
  }
  for (const auto &Item : Value.items())
    if (!Known.count(Item.key()))
      return Prefix + Item.key() + " is no key of a plan";
  return "";
}

} // namespace echo::drtool
