//===- Help.cpp - What --help prints --------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The texts are those of the tables: Options.def, NvccFlags.def, EchoEnv.def.
//
//===----------------------------------------------------------------------===//
#include "driver/Help.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace echo {

namespace {
struct OptionText {
  StringRef Option, Argument, Text;
};
struct VariableText {
  StringRef Name, Who, Text;
};
struct NvccText {
  StringRef Long, Short, Style, Action, Text;
};
} // namespace

static constexpr OptionText Options[] = {
#define ECHO_SWITCH(Option, Member, Value, Text) {Option, "", Text},
#define ECHO_OPTION(Option, Argument, Variable, Member, Text)                  \
  {Option, Argument, Text},
#define ECHO_OPTIONAL(Option, Argument, Switch, Member, Text)                  \
  {Option "[=" Argument "]", "", Text},
#include "driver/Options.def"
};

static constexpr VariableText Variables[] = {
#define ECHO_ENV(Name, Who, Text) {Name, Who, Text},
#include "runtime/abi/EchoEnv.def"
};

static constexpr NvccText NvccFlags[] = {
#define NVCC_FLAG(Long, Short, Takes, Does, Text)                              \
  {Long, Short, #Takes, #Does, Text},
#include "nvcc/NvccFlags.def"
};

/// Those of the first screen.
static constexpr StringRef Daily[] = {"ECHO_STATS", "ECHO_VERBOSE",
                                      "ECHO_NO_UNIFY", "ECHO_BACKING",
                                      "ECHO_CPU_DEVICE"};

/// A name and what it means, the latter on a line of its own after a long name.
static void printEntry(const Twine &Name, const Twine &Text) {
  constexpr unsigned Column = 22;
  const std::string Whole = Name.str();
  outs() << "  " << left_justify(Whole, Column);
  if (Whole.size() >= Column)
    outs() << '\n' << std::string(Column + 2, ' ');
  outs() << Text << '\n';
}

static void printFirst() {
  outs() << "OVERVIEW: Echo, a CUDA compiler that removes copies between "
            "buffers that can be one\n\n"
            "USAGE: echo-cc [options] file...   clang's and nvcc's options "
            "work, too\n\n"
            "ECHO'S OPTIONS:\n";
  for (const OptionText &O : Options)
    printEntry(O.Option + " " + O.Argument, O.Text);
  outs() << "\nENVIRONMENT:\n";
  for (const VariableText &V : Variables)
    if (is_contained(Daily, V.Name))
      printEntry(V.Name, V.Text);
  outs() << "\nMORE:\n";
  printEntry("--help=clang", "clang's options");
  printEntry("--help=nvcc", "nvcc's options, and what becomes of them");
  printEntry("--help=environment", "all variables");
  printEntry("--explain=list", "the reasons that reports give");
}

/// What becomes of a flag, from its row.
static std::string fateOf(const NvccText &F) {
  if (F.Action == "Ignore")
    return "nothing to do";
  if (F.Action == "Note")
    return "ignored: " + F.Text.str();
  if (F.Action == "Refuse")
    return "refused: " + F.Text.str();
  if (F.Action == "Host")
    return "for the host compiler";
  if (F.Action == "Choice" || F.Action == "Special")
    return "as in nvcc";
  return "as " + F.Text.str() +
         (F.Action == "Join" || F.Action == "Pair" ? " VALUE" : "");
}

static void printNvcc() {
  outs() << "NVCC'S OPTIONS, and what echo-cc makes of them:\n";
  for (const NvccText &F : NvccFlags) {
    const StringRef Dashes = F.Long.size() == 1 ? "-" : "--";
    const bool Takes = F.Style != "None" && F.Style != "Cuda";
    printEntry(Dashes + F.Long + (Takes ? " VALUE" : "") +
                   (F.Short.empty() ? "" : ", -" + F.Short.str()),
               fateOf(F));
  }
}

Expected<bool> printHelp(std::vector<std::string> &Args) {
  auto Asked = find_if(Args, [](StringRef A) {
    return A == "--help" || A.starts_with("--help=");
  });
  if (Asked == Args.end())
    return false;
  const StringRef Topic = StringRef(*Asked).split('=').second;
  if (Topic == "clang") {
    *Asked = "--help";
    return false;
  }
  if (Topic.empty()) {
    printFirst();
  } else if (Topic == "nvcc") {
    printNvcc();
  } else if (Topic == "environment") {
    for (const VariableText &V : Variables)
      printEntry(V.Name, V.Text + " (" + V.Who + ")");
  } else {
    return createStringError("no help about '%s'; there is --help=clang, "
                             "--help=nvcc and --help=environment",
                             Topic.str().c_str());
  }
  return true;
}

} // namespace echo
