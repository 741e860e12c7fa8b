//===- Cc1Options.cpp - What the driver passes to a job -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes and reads the arguments `--echo-name=value` of a job, one for each row
// of Cc1Options.def and HostOptions.def that differs from its default. Driver
// and job are the same binary, so an unknown name is an error.
//
//===----------------------------------------------------------------------===//
#include "cc1/Cc1.h"
#include "llvm/ADT/StringRef.h"
#include <type_traits>

using namespace llvm;

namespace echo {

/// Calls \p Visit(Name, Get) for every row; Get(Options) is the row's member.
template <typename Visitor> static void forEachRow(Visitor Visit) {
#define ECHO_HOST_OPTION(Name, Member, Link)                                   \
  Visit(Name, [](auto &O) -> auto & { return O.Host.Member; });
#include "Pipeline/HostOptions.def"
#define ECHO_CC1_OPTION(Name, Member)                                          \
  Visit(Name, [](auto &O) -> auto & { return O.Member; });
#include "cc1/Cc1Options.def"
}

static std::vector<std::string> valuesOf(const std::string &Text) {
  return {Text};
}
static std::vector<std::string> valuesOf(const std::vector<std::string> &List) {
  return List;
}
template <typename Number>
  requires std::is_arithmetic_v<Number>
static std::vector<std::string> valuesOf(Number Value) {
  return {std::to_string(Value)};
}

// These return true if the text is no such value, as getAsInteger() does.
static bool read(StringRef Text, std::string &Value) {
  Value = Text.str();
  return false;
}
static bool read(StringRef Text, std::vector<std::string> &List) {
  List.push_back(Text.str());
  return false;
}
static bool read(StringRef Text, bool &Value) {
  Value = Text == "1";
  return !Value && Text != "0";
}
template <typename Number> static bool read(StringRef Text, Number &Value) {
  return Text.getAsInteger(10, Value);
}

std::vector<std::string> Cc1Options::toArgs() const {
  std::vector<std::string> Args;
  const Cc1Options Default;
  forEachRow([&](StringRef Name, auto Get) {
    if (Get(*this) != Get(Default))
      for (const std::string &Value : valuesOf(Get(*this)))
        Args.push_back(("--echo-" + Name + "=" + Value).str());
  });
  return Args;
}

Expected<Cc1Options> Cc1Options::parse(ArrayRef<const char *> &Args) {
  Cc1Options O;
  for (; !Args.empty(); Args = Args.drop_front()) {
    StringRef Arg = Args.front();
    if (!Arg.consume_front("--echo-"))
      break;
    auto [Name, Text] = Arg.split('=');
    bool Known = false;
    forEachRow([&, &Given = Name, &Value = Text](StringRef Row, auto Get) {
      Known |= Row == Given && !read(Value, Get(O));
    });
    if (!Known)
      return createStringError("unknown argument '%s' of -cc1", Args.front());
  }
  return O;
}

} // namespace echo
