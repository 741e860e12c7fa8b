//===- NvccInputs.cpp - What a command line compiles ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA anywhere makes a command one of CUDA's. Which words are inputs is asked
// from clang's option table.
//
//===----------------------------------------------------------------------===//
#include "nvcc/NvccInputs.h"
#include "clang/Options/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Path.h"
#include <optional>

using namespace llvm;

namespace echo {

bool isSource(StringRef Arg, ArrayRef<StringRef> Extensions) {
  StringRef Extension = sys::path::extension(Arg);
  return !Arg.starts_with("-") && is_contained(Extensions, Extension);
}

Inputs inputsOf(ArrayRef<std::string> Args) {
  Inputs Found = Inputs::Cuda;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    StringRef Language;
    if (Arg == "-x" || Arg == "--x")
      Language = I + 1 < Args.size() ? StringRef(Args[I + 1]) : "";
    else if (Arg.starts_with("--x="))
      Language = Arg.split('=').second;
    else if (Arg.starts_with("-x"))
      Language = Arg.drop_front(2).ltrim('=');
    if (Language.starts_with("cu") || isSource(Arg, {".cu", ".cuh"}))
      return Inputs::Cuda;
    if (isSource(Arg, {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".CPP", ".cp",
                       ".i", ".ii", ".s", ".S", ".m", ".mm", ".bc", ".ll"}))
      Found = Inputs::Plain;
    else if (Found == Inputs::Cuda && isSource(Arg, {".o", ".a", ".so"}))
      Found = Inputs::Objects;
  }
  return Found;
}

/// True if \p File is one for the linker by its name.
static bool isLinked(StringRef File) {
  return isSource(File, {".o", ".obj", ".a", ".so"}) ||
         sys::path::filename(File).contains(".so.");
}

namespace {
/// An input or a -x of a command line.
struct InputWord {
  unsigned First, End; ///< its words
  StringRef Value;
  bool IsLanguage;
};
} // namespace

static std::vector<InputWord> inputWords(ArrayRef<std::string> Args) {
  namespace options = clang::options;
  std::vector<const char *> Words;
  for (const std::string &Arg : Args)
    Words.push_back(Arg.c_str());
  const opt::InputArgList List(Words.data(), Words.data() + Words.size());
  std::vector<InputWord> Found;
  for (unsigned At = 0; At < Words.size();) {
    const unsigned First = At;
    const std::unique_ptr<opt::Arg> A = clang::getDriverOptTable().ParseOneArg(
        List, At, opt::Visibility(options::ClangOption));
    if (!A) // An argument is missing; clang says so.
      break;
    const bool IsLanguage = A->getOption().matches(options::OPT_x);
    if (IsLanguage || A->getOption().matches(options::OPT_INPUT))
      Found.push_back(
          {First, At, A->getNumValues() ? A->getValue() : "", IsLanguage});
  }
  return Found;
}

/// The language of all inputs, or nothing where -x has clang's meaning.
static std::optional<StringRef>
commonLanguage(ArrayRef<InputWord> Words, bool AsNvcc,
               std::vector<std::string> &Notes) {
  std::optional<StringRef> Last;
  bool Differ = false, HasCu = false;
  for (const InputWord &Word : Words) {
    if (!Word.IsLanguage)
      continue;
    if (!is_contained({"cu", "c++", "c"}, Word.Value))
      return std::nullopt;
    HasCu |= Word.Value == "cu";
    Differ |= Last && *Last != Word.Value;
    Last = Word.Value;
  }
  if (!AsNvcc && !HasCu)
    return std::nullopt;
  if (Differ)
    Notes.push_back("'-x' names several languages; as with nvcc the last, '" +
                    Last->str() + "', is that of all inputs");
  return Last;
}

void moveLanguage(std::vector<std::string> &Args, bool AsNvcc,
                  std::vector<std::string> &Notes) {
  const std::vector<InputWord> Words = inputWords(Args);
  const std::optional<StringRef> Language =
      commonLanguage(Words, AsNvcc, Notes);
  // Nothing is to be moved where one -x stands first.
  const auto Languages =
      count_if(Words, [](const InputWord &Word) { return Word.IsLanguage; });
  if (!Language || (Languages == 1 && Words.front().IsLanguage))
    return;
  std::vector<std::string> Moved;
  StringRef Current = "none";
  bool Seen = false;
  unsigned Done = 0;
  for (const InputWord &Word : Words) {
    Moved.insert(Moved.end(), Args.begin() + Done, Args.begin() + Word.First);
    Seen |= Word.IsLanguage;
    const StringRef Wanted =
        !Seen && isLinked(Word.Value) ? StringRef("none") : *Language;
    if (Wanted != Current)
      Moved.insert(Moved.end(), {"-x", Wanted.str()});
    Current = Wanted;
    Done = Word.IsLanguage ? Word.End : Word.First;
  }
  Moved.insert(Moved.end(), Args.begin() + Done, Args.end());
  Args = std::move(Moved);
}

} // namespace echo
